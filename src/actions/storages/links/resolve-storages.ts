/** Finds the storages that new file links name. */
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import type { Context } from '../../../context.js';
import type { ContainerRecord } from '../../../models/container.js';
import { ProjectStorage } from '../../../models/project-storage.js';
import { Storage } from '../../../models/storage.js';
import { storageUrlKey } from '../../../outbound/address.js';
import { unclaimedLink } from '../../../policies/permissions.js';
import { grantedAny, scoped } from '../../../policies/sql-conditions.js';
import { visible } from '../../../policies/visible.js';
import { NO_STORAGE, NOT_LINKED } from '../access/messages.js';
import { isSwitchedOff } from '../access/switched-off.js';

const BLANK = "Storage can't be blank.";
const DISAGREE = 'Storage and storage url name different storages.';
const SWITCHED_OFF = 'Storage is of a type that is switched off.';

/** Names its storage by id, by URL, or by both if they mean the same storage. */
export interface StorageRef {
  /** 0 means an id that no row can have. */
  storageId?: number | undefined;
  storageUrl?: string | null | undefined;
}

export type WorkPackageRef = Pick<ContainerRecord, 'id' | 'projectId'>;

const storagesOf = (projectId: number, db: Knex): QueryBuilder<Storage> =>
  Storage.query(db).whereIn(
    'storages.id',
    ProjectStorage.query(db).select('storage_id').where('project_id', projectId),
  );

type Resolved = Storage | { problem: string };

/**
 * Loads the storages that the elements name: those that the caller can see, and those that the
 * project of the work package uses. Its links need no permission to see storages.
 * @returns a function that finds the storage of an element
 */
export async function storageResolver(
  context: Context,
  workPackage: WorkPackageRef | undefined,
  elements: readonly StorageRef[],
): Promise<(element: StorageRef) => Resolved> {
  const { user, db } = context;
  const ids = elements.flatMap(({ storageId }) => (storageId ? [storageId] : []));
  const keys = elements.flatMap(({ storageUrl }) => urlKey(storageUrl) ?? []);
  const named = (rows: QueryBuilder<Storage>) =>
    rows.where(
      (any) => void any.whereIn('storages.id', ids).orWhereIn('storages.origin_key', keys),
    );
  const found = await named(visible.storages(user, db.read));
  if (workPackage) found.push(...(await named(storagesOf(workPackage.projectId, db.read))));
  const foundIds = found.map(({ id }) => id);
  const linked = new Set(await linkedStorages(context, workPackage, foundIds));
  const byKey = new Map(found.map((storage) => [storage.originKey, storage]));
  const byId = new Map(found.map((storage) => [storage.id, storage]));
  return ({ storageId, storageUrl }) => {
    const meant: (Storage | undefined)[] = [];
    if (storageId !== undefined) meant.push(byId.get(storageId));
    if (storageUrl !== undefined) {
      if (storageUrl === null || storageUrl.trim() === '') return { problem: BLANK };
      meant.push(byKey.get(urlKey(storageUrl) ?? ''));
    }
    if (meant.length === 0) return { problem: BLANK };
    const [storage] = meant;
    if (!storage || meant.includes(undefined)) return { problem: NO_STORAGE };
    if (meant.some((other) => other?.id !== storage.id)) return { problem: DISAGREE };
    if (isSwitchedOff(context, storage.type)) return { problem: SWITCHED_OFF };
    return linked.has(storage.id) ? storage : { problem: NOT_LINKED };
  };
}

/**
 * Which of the storages the project uses. Without a work package, it checks all projects in which
 * the caller may create links without one.
 */
async function linkedStorages(
  { user, db, settings }: Context,
  workPackage: WorkPackageRef | undefined,
  ids: readonly number[],
): Promise<number[]> {
  const rows = ProjectStorage.query(db.read)
    .select('storage_id')
    .whereIn('storage_id', [...ids]);
  if (workPackage) rows.where('project_id', workPackage.projectId);
  else
    for (const permission of unclaimedLink(settings.profile))
      scoped(rows, grantedAny(user, [permission], 'project_storages.project_id'), user);
  return (await rows).map(({ storageId }) => storageId);
}

/** The key of the storage at a URL; undefined if it is not a URL. */
function urlKey(url: string | null | undefined): string | undefined {
  try {
    return url ? storageUrlKey(url) : undefined;
  } catch {
    return undefined;
  }
}
