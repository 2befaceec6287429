/** What is in the projects of a directory file: members, storages, containers and comments. */
import { ActivityKind } from '../../models/activity.js';
import { ProjectFolderMode } from '../../models/project-storage.js';
import { Storage } from '../../models/storage.js';
import { containers } from '../../policies/permissions.js';
import {
  Batch,
  containerLists,
  isContainerList,
  type ContainerList,
  type Job,
  type Sound,
} from './job.js';
import type { OpenFile } from './read-json-rows.js';
import * as shapes from './rows.js';
import { insert, lookUp, overwrite, slices, upsert, withOtherItems } from './write.js';

export async function takeContents(job: Job, open: OpenFile): Promise<void> {
  const memberships = new Batch<shapes.MembershipRow>((some) => writeMemberships(job, some));
  const storages = new Batch<string>((some) => writeStorages(job, some));
  const lists = Object.fromEntries(
    Object.keys(containerLists).map((list) => [
      list,
      new Batch<shapes.ContainerRow>((some) => writeContainers(job, list as ContainerList, some)),
    ]),
  );
  const members = new Set<string>();
  for await (const found of job.read(open)) {
    if ('problem' in found) continue;
    switch (found.row) {
      case 'membership': {
        const row = job.shaped(found, shapes.membershipRow);
        const key = JSON.stringify([found.indexes[0], row?.row.user]);
        if (row && members.has(key))
          job.reject(found.path, `${JSON.stringify(row.row.user)} is a member twice`);
        else if (row) await memberships.add(row);
        members.add(key);
        break;
      }
      case 'storage': {
        const row = job.shaped(found, shapes.storageRow);
        if (row) await storages.add(row);
        break;
      }
      default: {
        if (!isContainerList(found.row)) break;
        const row = job.keyed(found, containerLists[found.row].shape, 'ref', job.ids[found.row]);
        if (row) await lists[found.row]!.add(row);
      }
    }
  }
  await memberships.flush();
  await storages.flush();
  for (const list of Object.values(lists)) await list.flush();
}

async function writeMemberships(job: Job, rows: Sound<shapes.MembershipRow>[]): Promise<void> {
  const userIds = await job.userIds(
    rows.map(({ path, row }) => ({ path: `${path}.user`, login: row.user })),
  );
  for (const { path, row } of rows) {
    for (const [index, name] of row.roles.entries())
      if (!job.roleIds.has(name))
        job.reject(`${path}.roles[${index}]`, `there is no role named ${JSON.stringify(name)}`);
  }
  if (job.badCount > 0) return;
  const wanted = rows.map(({ project, row }, index) => ({
    user_id: userIds[index]!,
    project_id: job.projectIds[project]!,
    items: new Set(row.roles.map((name) => job.roleIds.get(name)!)),
  }));
  const [lasting, ended] = [
    wanted.filter(({ items }) => items.size > 0),
    wanted.filter(({ items }) => items.size === 0),
  ];
  if (ended.length > 0)
    await job
      .trx('memberships')
      .delete()
      .whereIn(
        memberKey,
        ended.map(({ user_id, project_id }) => [user_id, project_id]),
      );
  const keptAs = await lookUp(job, 'memberships', lasting.map(keyOfMember), memberKey);
  const changed = await withOtherItems(
    job,
    { table: 'membership_roles', owner: 'membership_id', item: 'role_id' },
    lasting.map((member) => ({ ...member, id: keptAs(keyOfMember(member))?.id })),
  );
  if (changed.length === 0) return;
  // The row is written although only its roles differ: whoever changes them as well waits for it.
  const made = await overwrite(job, 'memberships', changed.map(keyOfMember), memberKey);
  const idOf = new Map(made.map((row) => [`${row['user_id']} ${row['project_id']}`, row.id]));
  await job
    .trx('membership_roles')
    .delete()
    .whereIn('membership_id', [...idOf.values()]);
  await insert(
    job,
    'membership_roles',
    changed.flatMap(({ user_id, project_id, items }) =>
      [...items].map((role_id) => ({
        membership_id: idOf.get(`${user_id} ${project_id}`)!,
        role_id,
      })),
    ),
  );
}

const memberKey = ['user_id', 'project_id'];
const keyOfMember = ({ user_id, project_id }: { user_id: number; project_id: number }) => ({
  user_id,
  project_id,
});

/** What is linked already stays as it is, with its folder. */
async function writeStorages(job: Job, rows: Sound<string>[]): Promise<void> {
  const known = new Map(
    (
      await Storage.query(job.trx)
        .select('id', 'name', 'creator_id')
        .whereIn(
          'name',
          rows.map(({ row }) => row),
        )
    ).map((storage) => [storage.name, storage]),
  );
  const links = rows.flatMap(({ path, project, row }) => {
    const storage = known.get(row);
    if (!storage) job.reject(path, `there is no storage named ${JSON.stringify(row)}`);
    return storage
      ? [
          {
            project_id: job.projectIds[project]!,
            storage_id: storage.id,
            creator_id: storage.creatorId,
            project_folder_mode: ProjectFolderMode.inactive,
            created_at: job.now,
            updated_at: job.now,
          },
        ]
      : [];
  });
  if (job.badCount > 0) return;
  const key = ['project_id', 'storage_id'];
  const linkedAs = await lookUp(job, 'project_storages', links, key);
  const missing = links.filter((link) => !linkedAs(link));
  if (missing.length > 0)
    await job.trx('project_storages').insert(missing).onConflict(key).ignore();
}

async function writeContainers(
  job: Job,
  list: ContainerList,
  rows: Sound<shapes.ContainerRow>[],
): Promise<void> {
  const authors = await job.userIds(
    rows.map(({ path, row }) => ({ path: `${path}.author`, login: row.author })),
  );
  if (job.badCount === 0) {
    const values = rows.map(({ project, row: { ref, subject, title } }, index) => ({
      ref,
      project_id: job.projectIds[project]!,
      author_id: authors[index]!,
      ...(subject === undefined ? { title: title! } : { subject }),
    }));
    for (const { id, ref } of await upsert(
      job,
      containers[containerLists[list].type].model.tableName,
      values,
      ['ref'],
    ))
      job.ids[list][String(ref)] = id;
  }
  if (list === 'workPackages') await takeActivities(job, rows);
}

async function takeActivities(job: Job, workPackages: Sound<shapes.ContainerRow>[]): Promise<void> {
  const rows = workPackages.flatMap(({ path, project, row: { ref, activities = [] } }) =>
    activities.flatMap((value, index) => {
      const sound = job.keyed(
        { row: 'workPackages', path: `${path}.activities[${index}]`, indexes: [project], value },
        shapes.activityRow,
        'ref',
        job.ids.activities,
      );
      return sound ? { ...sound, workPackage: ref } : [];
    }),
  );
  const authors = await job.userIds(
    rows.map(({ path, row }) => ({ path: `${path}.author`, login: row.author })),
  );
  if (job.badCount > 0) return;
  const values = rows.map(({ row, workPackage }, index) => ({
    ref: row.ref,
    work_package_id: job.ids.workPackages[workPackage]!,
    author_id: authors[index]!,
    kind: ActivityKind.comment,
    comment_text: row.comment,
    internal: row.internal,
    changes: '[]',
  }));
  for (const some of slices(values)) {
    for (const { id, ref } of await upsert(job, 'activities', some, ['ref'], { internal: false }))
      job.ids.activities[String(ref)] = id;
  }
}
