/** Imports what is in the projects of a directory file: members, storages, containers, comments. */
import { ActivityKind } from '../../../models/activity.js';

import { ProjectFolderMode } from '../../../models/project-storage.js';
import { Storage } from '../../../models/storage.js';
import { keepDescriptionTexts } from '../../../models/work-package-text.js';
import { containers } from '../../../policies/permissions.js';
import {
  Batch,
  byContainerList,
  containerLists,
  isContainerList,
  requireId,
  type ContainerList,
  type ImportJob,
  type ValidRow,
} from './job.js';
import type { OpenFile } from './read-json-rows.js';
import { moveAttachmentsOf } from './moved-attachments.js';
import { detailsOfWorkPackages } from './work-package-details.js';
import * as shapes from './rows.js';
import { insert, lookUp, overwrite, slices, upsert, withOtherItems } from './write.js';

/** Call it after `importPeople`, whose rows the contents refer to. */
export async function importContents(job: ImportJob, open: OpenFile): Promise<void> {
  const memberships = new Batch<shapes.MembershipRow>((rows) => writeMemberships(job, rows));
  const storages = new Batch<string>((rows) => writeStorages(job, rows));
  const lists = byContainerList(
    (list) => new Batch<shapes.ContainerRow>((rows) => writeContainers(job, list, rows)),
  );
  const members = new Set<string>();
  for await (const found of job.read(open)) {
    // `importPeople` has reported it.
    if ('problem' in found) continue;
    switch (found.row) {
      case 'membership': {
        const row = job.valid(found, shapes.membershipRow);
        const key = JSON.stringify([found.indexes[0], row?.row.user]);
        if (row && members.has(key))
          job.reject(found.path, `${JSON.stringify(row.row.user)} is a member twice`);
        else if (row) await memberships.add(row);
        members.add(key);
        break;
      }
      case 'storage': {
        const row = job.valid(found, shapes.storageRow);
        if (row) await storages.add(row);
        break;
      }
      default: {
        if (!isContainerList(found.row)) break;
        const { shape } = containerLists[found.row];
        const row = job.validKeyed(found, shape, 'ref', job.ids[found.row]);
        if (row) await lists[found.row].add(row);
      }
    }
  }
  await memberships.flush();
  await storages.flush();
  for (const list of Object.values(lists)) await list.flush();
}

async function writeMemberships(
  job: ImportJob,
  rows: ValidRow<shapes.MembershipRow>[],
): Promise<void> {
  const memberRows = await job.withUserIds(rows, 'user', ({ row }) => row.user);
  for (const { path, row } of rows) {
    for (const [index, name] of row.roles.entries())
      if (!job.roleIds.has(name))
        job.reject(`${path}.roles[${index}]`, `there is no role named ${JSON.stringify(name)}`);
  }
  if (job.badCount > 0) return;
  const members = memberRows.map(({ project, row, userId }) => ({
    user_id: userId,
    project_id: job.projectId(project),
    items: new Set(row.roles.map((name) => requireId(job.roleIds.get(name), name))),
  }));
  const withRoles = members.filter(({ items }) => items.size > 0);
  const withoutRoles = members.filter(({ items }) => items.size === 0);
  if (withoutRoles.length > 0) {
    const ended = await job
      .trx('memberships')
      .delete()
      .whereIn(
        memberKey,
        withoutRoles.map(({ user_id, project_id }) => [user_id, project_id]),
      );
    job.changes.note('ended', 'memberships', Array.from({ length: ended }));
  }
  const storedAs = await lookUp(job, 'memberships', withRoles.map(keyOfMember), memberKey);
  const changed = await withOtherItems(
    job,
    { table: 'membership_roles', owner: 'membership_id', item: 'role_id' },
    withRoles.map((member) => ({ ...member, id: storedAs(keyOfMember(member))?.id })),
  );
  if (changed.length === 0) return;
  for (const { id } of changed)
    job.changes.note(id === undefined ? 'added' : 'changed', 'memberships', [undefined]);
  // Written even if only the roles differ: the row lock makes other changes of them wait.
  const written = await overwrite(job, 'memberships', changed.map(keyOfMember), memberKey);
  const ids = new Map(written.map((row) => [`${row['user_id']} ${row['project_id']}`, row.id]));
  await job
    .trx('membership_roles')
    .delete()
    .whereIn('membership_id', [...ids.values()]);
  await insert(
    job,
    'membership_roles',
    changed.flatMap(({ user_id, project_id, items }) => {
      const key = `${user_id} ${project_id}`;
      const membership_id = requireId(ids.get(key), `membership ${key}`);
      return [...items].map((role_id) => ({ membership_id, role_id }));
    }),
  );
}

const memberKey = ['user_id', 'project_id'];
const keyOfMember = ({ user_id, project_id }: { user_id: number; project_id: number }) => ({
  user_id,
  project_id,
});

/** A storage that the project has already keeps its settings and its folder. */
async function writeStorages(job: ImportJob, rows: ValidRow<string>[]): Promise<void> {
  const stored = await Storage.query(job.trx)
    .select('id', 'name', 'creator_id')
    .whereIn(
      'name',
      rows.map(({ row }) => row),
    );
  const byName = new Map(stored.map((storage) => [storage.name, storage]));
  const links = rows.flatMap(({ path, project, row }) => {
    const storage = byName.get(row);
    if (!storage) job.reject(path, `there is no storage named ${JSON.stringify(row)}`);
    return storage ? [{ project, storage }] : [];
  });
  if (job.badCount > 0) return;
  const values = links.map(({ project, storage }) => ({
    project_id: job.projectId(project),
    storage_id: storage.id,
    creator_id: storage.creatorId,
    project_folder_mode: ProjectFolderMode.INACTIVE,
    created_at: job.now,
    updated_at: job.now,
  }));
  const key = ['project_id', 'storage_id'];
  const storedAs = await lookUp(job, 'project_storages', values, key);
  const missing = values.filter((link) => !storedAs(link));
  job.changes.note(
    'added',
    'project_storages',
    missing.map(() => undefined),
  );
  if (missing.length > 0)
    await job.trx('project_storages').insert(missing).onConflict(key).ignore();
}

async function writeContainers(
  job: ImportJob,
  list: ContainerList,
  rows: ValidRow<shapes.ContainerRow>[],
): Promise<void> {
  const authored = await job.withUserIds(rows, 'author', ({ row }) => row.author);
  const details = list === 'workPackages' ? await detailsOfWorkPackages(job, rows) : undefined;
  if (job.badCount === 0) {
    const values = authored.map(({ project, row: { ref, subject, title }, userId }, index) => ({
      ref,
      project_id: job.projectId(project),
      author_id: userId,
      ...(subject === undefined ? { title } : { subject }),
      ...details?.columns[index],
    }));
    const table = containers[containerLists[list].type].model.tableName;
    const written = await upsert(job, table, values, ['ref'], details?.defaults);
    for (const { id, ref } of written) job.ids[list][String(ref)] = id;
    await moveAttachmentsOf(
      job.trx,
      containerLists[list].type,
      written.map(({ id }) => id),
    );
    if (list === 'workPackages')
      await keepDescriptionTexts(
        job.trx,
        authored.flatMap(({ row: { ref, description } }) =>
          description === undefined
            ? []
            : [{ id: requireId(job.ids.workPackages[ref], ref), description }],
        ),
      );
  }
  if (list === 'workPackages') await importActivities(job, rows);
}

async function importActivities(
  job: ImportJob,
  workPackages: ValidRow<shapes.ContainerRow>[],
): Promise<void> {
  const rows = workPackages.flatMap(({ path, project, row: { ref, activities = [] } }) =>
    activities.flatMap((value, index) => {
      const valid = job.validKeyed(
        { row: 'workPackages', path: `${path}.activities[${index}]`, indexes: [project], value },
        shapes.activityRow,
        'ref',
        job.ids.activities,
      );
      return valid ? { ...valid, workPackage: ref } : [];
    }),
  );
  const authored = await job.withUserIds(rows, 'author', ({ row }) => row.author);
  if (job.badCount > 0) return;
  const values = authored.map(({ row, workPackage, userId }) => ({
    ref: row.ref,
    work_package_id: requireId(job.ids.workPackages[workPackage], workPackage),
    author_id: userId,
    kind: ActivityKind.COMMENT,
    comment_text: row.comment,
    internal: row.internal,
    changes: '[]',
  }));
  for (const slice of slices(values)) {
    const written = await upsert(job, 'activities', slice, ['ref'], { internal: false });
    for (const { id, ref } of written) job.ids.activities[String(ref)] = id;
    await moveAttachmentsOf(
      job.trx,
      'Activity',
      written.map(({ id }) => id),
    );
  }
}
