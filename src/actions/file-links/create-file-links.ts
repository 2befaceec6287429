/** Links files of storages to a work package, or to be claimed by one: all of them or none (interface 4.4). */
import type { Knex } from 'knex';
import type { Context } from '../../context.js';
import {
  fileLinkProblem,
  MissingPermission,
  MissingProperty,
  PropertyConstraintViolation,
} from '../../contract/errors.js';
import { recordEvents } from '../../events/record.js';
import { FileLinkEvent } from '../../models/event.js';
import { FileLink } from '../../models/file-link.js';
import { ProjectStorage } from '../../models/project-storage.js';
import { timestamps } from '../../models/record.js';
import { Storage } from '../../models/storage.js';
import type { WorkPackage } from '../../models/work-package.js';
import { can, demand } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { storages as rules } from '../../policies/permissions.js';
import { visible } from '../../policies/visible.js';
import { bind, grantedAny } from '../../policies/sql-conditions.js';
import { whereContainerExists } from '../../database/missing-reference.js';
import { demandValid } from '../validation/demand-valid.js';
import { keyOf } from '../../outbound/address.js';
import { recordChange } from '../history/record-change.js';
import { lockFileLinks } from './remove-file-links.js';
import { validateOrigin, type OriginColumns, type OriginInput } from './validate-origin.js';
import { isSwitchedOff } from '../storage-access/switched-off.js';

export interface NewFileLink {
  /** One of the two; both must mean the same. An id that no row can have is 0. */
  storageId?: number | undefined;
  storageUrl?: string | null | undefined;
  originData?: OriginInput | null | undefined;
}

const MAX_ELEMENTS = 20;

/**
 * @param workPackageId null for links to be claimed later
 * @returns one for each element, in their order: those that were there already as they are
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
      : await demand(
          (await find.container(context, 'WorkPackage', workPackageId)) as WorkPackage | undefined,
          ({ projectId }) => can.manageFileLinks(context, projectId),
        );
  if (!workPackage) await demandSomewhere(context);
  if (!elements || elements.length === 0) {
    demandValid(context);
    throw new MissingProperty("Missing property '_embedded/elements'.", 'elements');
  }
  if (elements.length > MAX_ELEMENTS)
    throw new PropertyConstraintViolation(
      `Too many elements created at once. Expected ${MAX_ELEMENTS} at most, got ${elements.length}.`,
      'base',
    );
  const checked = await check(context, workPackage, elements);
  const now = context.clock();
  const expiresAt = workPackage
    ? null
    : new Date(now.getTime() + context.settings.attachmentGraceMinutes * 60_000).toISOString();
  const rows = checked.map(({ storageId, columns }) => ({
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
        ? keep(context, trx, workPackage, rows, now.toISOString())
        : keepUnclaimed(context, trx, rows),
    ),
  );
  for (const link of links) link.projectId = workPackage?.projectId ?? null;
  return links;
}

async function demandSomewhere(context: Context): Promise<void> {
  if (context.user.anonymous || !(await context.grants.anywhere(context.user, [rules.manage])))
    throw new MissingPermission();
}

type Row = OriginColumns & { storageId: number };
const keyOfRow = ({ storageId, originId }: Pick<FileLink, 'storageId' | 'originId'>): string =>
  `${storageId} ${originId}`;

/** The first of several elements for one file; its data wins. */
const firstOf = <R extends Row>(rows: readonly R[]): R[] =>
  rows.filter(
    (row, index) => rows.findIndex((other) => keyOfRow(other) === keyOfRow(row)) === index,
  );

function without<R extends Row>(rows: readonly R[], links: readonly FileLink[]): R[] {
  const known = new Set(links.map(keyOfRow));
  return rows.filter((row) => !known.has(keyOfRow(row)));
}

const inOrder = (rows: readonly Row[], kept: readonly FileLink[]): FileLink[] => {
  const found = new Map(kept.map((link) => [keyOfRow(link), link]));
  return rows.map((row) => found.get(keyOfRow(row))!);
};

async function keep(
  context: Context,
  trx: Knex,
  workPackage: WorkPackage,
  rows: readonly (Row & Partial<FileLink>)[],
  now: string,
): Promise<FileLink[]> {
  const { db, user } = context;
  const storageIds = [...new Set(rows.map(({ storageId }) => storageId))];
  // Whoever takes a storage away from the project takes its links as well: not while new ones are made.
  const linked = (await db.lockRows(
    ProjectStorage.query(trx)
      .where('project_id', workPackage.projectId)
      .whereIn('storage_id', storageIds)
      .orderBy('id'),
  )) as ProjectStorage[];
  if (linked.length < storageIds.length) throw refused(rows[0]!.originName, NOT_LINKED);
  const made: FileLink[] = [];
  const existing: FileLink[] = [];
  // Those that are there are held, or they would be deleted meanwhile; before the work package, which a new one holds, as everywhere.
  for (let wanted = firstOf(rows); wanted.length > 0; wanted = without(wanted, made)) {
    existing.push(
      ...(await lockFileLinks(
        context,
        FileLink.query(trx)
          .where('work_package_id', workPackage.id)
          .whereIn('storage_id', storageIds)
          .whereIn(
            'origin_id',
            wanted.map(({ originId }) => originId),
          ),
      )),
    );
    wanted = without(wanted, existing);
    if (wanted.length > 0) made.push(...(await insert(context, trx, wanted)));
  }
  await recordChange(
    trx,
    { type: 'WorkPackage', id: workPackage.id },
    user.id,
    made.map(({ originName }) => ({ action: 'fileLinkAdded' as const, fileName: originName })),
    now,
  );
  return inOrder(rows, [...made, ...existing]);
}

async function keepUnclaimed(
  context: Context,
  trx: Knex,
  rows: readonly (Row & Partial<FileLink>)[],
): Promise<FileLink[]> {
  const storageIds = [...new Set(rows.map(({ storageId }) => storageId))];
  // Nobody deletes them meanwhile.
  const there = await context.db.lockRows(
    Storage.query(trx).select('id').whereIn('id', storageIds).orderBy('id'),
  );
  if (there.length < storageIds.length) throw refused(rows[0]!.originName, UNKNOWN);
  return inOrder(rows, await insert(context, trx, firstOf(rows)));
}

/** Those that were not there. Objection inserts several rows at once on PostgreSQL only. */
async function insert(
  { db, clock }: Context,
  trx: Knex,
  rows: readonly object[],
): Promise<FileLink[]> {
  const made = (await trx('file_links')
    .insert(rows.map((row) => FileLink.columnNameMappers.format(row)))
    .onConflict(
      trx.raw(
        '(storage_id, work_package_id, origin_id) where work_package_id is not null',
      ) as never,
    )
    .ignore()
    .returning('*')) as object[];
  const links = made.map((row) => FileLink.fromDatabaseJson(row));
  await recordEvents(
    db,
    trx,
    links.map((fileLink) => ({ kind: FileLinkEvent.created, fileLink })),
    clock().toISOString(),
  );
  return links;
}

const BLANK = "Storage can't be blank.";
const UNKNOWN = 'Storage does not exist.';
const NOT_LINKED = 'Storage is not linked to project.';
const DISAGREE = 'Storage and storage url name different storages.';
const SWITCHED_OFF = 'Storage is of a type that is switched off.';

const refused = (name: string | null | undefined, problems: string) =>
  new PropertyConstraintViolation(fileLinkProblem(name, problems), 'base');

/** @throws PropertyConstraintViolation with one violation for each element that is wrong */
async function check(
  context: Context,
  workPackage: WorkPackage | undefined,
  elements: readonly NewFileLink[],
): Promise<{ storageId: number; columns: OriginColumns }[]> {
  const known = await candidates(context, workPackage, elements);
  const checked = elements.map(({ storageId, storageUrl, originData }) => {
    const { columns, problems } = validateOrigin(originData ?? {});
    const storage = known.named(storageId, storageUrl);
    if (typeof storage === 'string') problems.unshift(storage);
    return {
      name: originData?.name,
      storageId: typeof storage === 'string' ? 0 : storage,
      columns,
      problems,
    };
  });
  const violations = checked.flatMap(({ name, problems }) =>
    problems.length === 0
      ? []
      : [{ attribute: 'base', message: fileLinkProblem(name, problems.join(' ')) }],
  );
  demandValid(context, violations);
  return checked;
}

/** The storages that the elements name, as far as the caller sees them. */
async function candidates(
  context: Context,
  workPackage: WorkPackage | undefined,
  elements: readonly NewFileLink[],
) {
  const { user, db } = context;
  const ids = elements.flatMap(({ storageId }) => (storageId ? [storageId] : []));
  const keys = elements.flatMap(({ storageUrl }) => urlKey(storageUrl) ?? []);
  const seen = await visible
    .storages(user, db.read)
    .where((any) => void any.whereIn('storages.id', ids).orWhereIn('storages.origin_key', keys));
  const linked = new Set(
    await linkedStorages(
      context,
      workPackage,
      seen.map(({ id }) => id),
    ),
  );
  const byKey = new Map(
    seen.flatMap((storage) =>
      storage.originKey === null ? [] : [[storage.originKey, storage] as const],
    ),
  );
  const byId = new Map(seen.map((storage) => [storage.id, storage]));
  return {
    /** The id of the storage that an element names, or what is wrong. */
    named(storageId: number | undefined, storageUrl: string | null | undefined): number | string {
      const given = [
        ...(storageId === undefined ? [] : [byId.get(storageId)]),
        ...(storageUrl === undefined
          ? []
          : [
              storageUrl === null || storageUrl.trim() === ''
                ? BLANK
                : byKey.get(urlKey(storageUrl) ?? ''),
            ]),
      ];
      if (given.length === 0 || given.includes(BLANK)) return BLANK;
      const [storage, other] = [given.at(0), given.at(-1)] as (Storage | undefined)[];
      if (!storage || !other) return UNKNOWN;
      if (storage.id !== other.id) return DISAGREE;
      if (isSwitchedOff(context, storage.type)) return SWITCHED_OFF;
      return linked.has(storage.id) ? storage.id : NOT_LINKED;
    },
  };
}

/** Those that the project uses; without a project those of any project in which the caller may make links. */
async function linkedStorages(
  { user, db }: Context,
  workPackage: WorkPackage | undefined,
  ids: readonly number[],
): Promise<number[]> {
  const rows = ProjectStorage.query(db.read)
    .select('storage_id')
    .whereIn('storage_id', [...ids]);
  const mayManage = grantedAny(user, [rules.manage], 'project_storages.project_id');
  if (workPackage) rows.where('project_id', workPackage.projectId);
  else rows.whereRaw(mayManage.sql, bind(mayManage, user));
  return (await rows).map(({ storageId }) => storageId);
}

function urlKey(url: string | null | undefined): string | undefined {
  try {
    return url ? keyOf(url) : undefined;
  } catch {
    return undefined;
  }
}
