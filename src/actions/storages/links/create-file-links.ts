/** Creates file links, for a work package or unclaimed: all of a request or none. */
import type { Knex } from 'knex';
import type { Context } from '../../../context.js';
import {
  fileLinkProblem,
  MissingPermission,
  MissingProperty,
  PropertyConstraintViolation,
  type Violation,
} from '../../../contract/errors.js';
import { unclaimedUntil } from '../../../contract/unclaimed-until.js';
import { MAX_NEW_FILE_LINKS } from '../../../contract/limits.js';
import { whereContainerExists } from '../../../database/missing-reference.js';
import { recordEvents } from '../../../events/record.js';
import type { Change } from '../../../models/activity.js';
import { FileLinkEvent } from '../../../models/event.js';
import { FileLink } from '../../../models/file-link.js';
import { ProjectStorage } from '../../../models/project-storage.js';
import { timestamps } from '../../../models/record.js';
import { Storage } from '../../../models/storage.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { recordChange } from '../../base/history/record-change.js';
import { NO_STORAGE, NOT_LINKED } from '../access/messages.js';
import { demandValid } from '../../base/validation/demand-valid.js';
import { fileKey } from './file-key.js';
import { lockFileLinks } from './remove-file-links.js';
import { storageResolver, type StorageRef, type WorkPackageRef } from './resolve-storages.js';
import {
  problemWithId,
  validateOrigin,
  type OriginColumns,
  type OriginInput,
} from './validate-origin.js';

export interface NewFileLink extends StorageRef {
  originData?: OriginInput | null | undefined;
}

/**
 * @param workPackageId null for unclaimed links
 * @returns one link per element, in their order; links that existed before are unchanged
 * @throws NotFound, MissingPermission, PropertyConstraintViolation
 */
export async function createFileLinks(
  context: Context,
  workPackageId: number | null | undefined,
  elements: readonly NewFileLink[] | null | undefined,
): Promise<FileLink[]> {
  const workPackage =
    workPackageId === null
      ? undefined
      : await demand(await find.container(context, 'WorkPackage', workPackageId), (row) =>
          can.manageFileLinks(context, row.projectId),
        );
  if (!workPackage && !(await can.linkUnclaimed(context))) throw new MissingPermission();
  if (!elements || elements.length === 0) {
    demandValid(context);
    throw new MissingProperty("Missing property '_embedded/elements'.", 'elements');
  }
  if (elements.length > MAX_NEW_FILE_LINKS)
    throw new PropertyConstraintViolation(
      `Too many elements created at once. Expected ${MAX_NEW_FILE_LINKS} at most, ` +
        `got ${elements.length}.`,
      'base',
    );
  const valid = await validateElements(context, workPackage, elements);
  const now = context.clock();
  const expiresAt = workPackage ? null : unclaimedUntil(now, context.settings);
  const rows = valid.map(({ storageId, columns }) => ({
    ...columns,
    storageId,
    workPackageId: workPackage?.id ?? null,
    creatorId: context.user.id,
    expiresAt,
    ...timestamps(now.toISOString()),
  }));
  const links = await whereContainerExists(
    context.db.write.transaction(async (trx) =>
      workPackage
        ? linkToWorkPackage(context, trx, workPackage, rows, now.toISOString())
        : insertUnclaimed(context, trx, rows),
    ),
  );
  for (const link of links) link.projectId = workPackage?.projectId ?? null;
  return links;
}

type Row = OriginColumns &
  Pick<
    FileLink,
    'storageId' | 'workPackageId' | 'creatorId' | 'expiresAt' | 'createdAt' | 'updatedAt'
  >;

/** The first row for each file. */
const firstPerFile = (rows: readonly Row[]): Row[] =>
  rows.filter((row, index) => rows.findIndex((other) => fileKey(other) === fileKey(row)) === index);

function withoutLinked(rows: readonly Row[], links: readonly FileLink[]): Row[] {
  const linked = new Set(links.map(fileKey));
  return rows.filter((row) => !linked.has(fileKey(row)));
}

/** The link of each row, in the order of the rows. */
function inOrder(rows: readonly Row[], links: readonly FileLink[]): FileLink[] {
  const byFile = new Map(links.map((link) => [fileKey(link), link]));
  return rows.map((row) => {
    const link = byFile.get(fileKey(row));
    if (!link) throw new Error(`No file link was inserted for file ${fileKey(row)}.`);
    return link;
  });
}

async function linkToWorkPackage(
  context: Context,
  trx: Knex,
  workPackage: WorkPackageRef,
  rows: readonly Row[],
  now: string,
): Promise<FileLink[]> {
  const { db, user } = context;
  const storageIds = [...new Set(rows.map(({ storageId }) => storageId))];
  // Removing a storage from the project also removes its links. The lock lets no request do that
  // while new links are inserted.
  const projectStorages = await db.lockRows(
    ProjectStorage.query(trx)
      .where('project_id', workPackage.projectId)
      .whereIn('storage_id', storageIds)
      .orderBy('id'),
  );
  if (projectStorages.length < storageIds.length) throw rejection(rows[0]?.originName, NOT_LINKED);
  const created: FileLink[] = [];
  const existing: FileLink[] = [];
  // Existing links are locked, so that no other request deletes them. An insert locks the work
  // package, and every transaction locks links before it. The loop repeats if a concurrent
  // request inserted a link first.
  for (
    let missing = firstPerFile(rows);
    missing.length > 0;
    missing = withoutLinked(missing, created)
  ) {
    const originIds = missing.map(({ originId }) => originId);
    existing.push(
      ...(await lockFileLinks(
        context,
        FileLink.query(trx)
          .where('work_package_id', workPackage.id)
          .whereIn('storage_id', storageIds)
          .whereIn('origin_id', originIds),
      )),
    );
    missing = withoutLinked(missing, existing);
    if (missing.length > 0) created.push(...(await insert(context, trx, missing)));
  }
  const changes = created.map(({ originName }): Change => ({
    action: 'fileLinkAdded',
    attachmentDatabaseId: null,
    fileName: originName,
  }));
  await recordChange(
    db,
    trx,
    { type: 'WorkPackage', id: workPackage.id },
    { authorId: user.id, changes, now },
  );
  return inOrder(rows, [...created, ...existing]);
}

async function insertUnclaimed(
  context: Context,
  trx: Knex,
  rows: readonly Row[],
): Promise<FileLink[]> {
  const storageIds = [...new Set(rows.map(({ storageId }) => storageId))];
  // The lock prevents that another request deletes the storages.
  const storages = await context.db.lockRows(
    Storage.query(trx).select('id').whereIn('id', storageIds).orderBy('id'),
  );
  if (storages.length < storageIds.length) throw rejection(rows[0]?.originName, NO_STORAGE);
  return inOrder(rows, await insert(context, trx, firstPerFile(rows)));
}

/**
 * Inserts the links that do not exist yet. It uses Knex, because Objection inserts several rows
 * in one statement on PostgreSQL only.
 * @returns the inserted links
 */
async function insert(
  { db, clock }: Context,
  trx: Knex,
  rows: readonly Row[],
): Promise<FileLink[]> {
  const inserted: object[] = await trx('file_links')
    .insert(
      rows.map((row) =>
        FileLink.columnNameMappers.format({ ...row, searchText: FileLink.searchTextOf(row) }),
      ),
    )
    .onConflict(
      trx.raw('(storage_id, work_package_id, origin_id) where work_package_id is not null'),
    )
    .ignore()
    .returning('*');
  const links = inserted.map((row) => FileLink.fromDatabaseJson(row));
  await recordEvents(
    db,
    trx,
    links.map((fileLink) => ({ kind: FileLinkEvent.CREATED, fileLink })),
    clock().toISOString(),
  );
  return links;
}

const rejection = (name: string | null | undefined, problem: string) =>
  new PropertyConstraintViolation(fileLinkProblem(name, problem), 'base');

/** @throws PropertyConstraintViolation with one violation per invalid element */
async function validateElements(
  context: Context,
  workPackage: WorkPackageRef | undefined,
  elements: readonly NewFileLink[],
): Promise<{ storageId: number; columns: OriginColumns }[]> {
  const resolve = await storageResolver(context, workPackage, elements);
  const violations: Violation[] = [];
  const valid = elements.map((element) => {
    const { columns, problems } = validateOrigin(element.originData ?? {});
    const storage = resolve(element);
    if ('problem' in storage) problems.unshift(storage.problem);
    const refuse = (attribute: string, problem: string) =>
      violations.push({ attribute, message: fileLinkProblem(element.originData?.name, problem) });
    if (problems.length > 0) refuse('base', problems.join(' '));
    if ('problem' in storage) return { storageId: 0, columns };
    const odd = problems.length === 0 ? problemWithId(columns.originId, storage.type) : undefined;
    if (odd !== undefined) refuse('originData.id', odd);
    // The answer shows the storage of a new link. Its creator may otherwise not see it.
    context.loaders.storages.prime(storage.id, storage);
    return { storageId: storage.id, columns };
  });
  demandValid(context, violations);
  return valid;
}
