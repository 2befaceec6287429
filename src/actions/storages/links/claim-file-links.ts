/** Claims unclaimed file links for a work package. */
import type { Knex } from 'knex';
import type { Context } from '../../../context.js';
import { MissingPermission, type Violation } from '../../../contract/errors.js';
import { chunks } from '../../../database/batches.js';
import { recordEvents } from '../../../events/record.js';
import type { Change } from '../../../models/activity.js';
import { FileLinkEvent } from '../../../models/event.js';
import { FileLink } from '../../../models/file-link.js';
import { ProjectStorage } from '../../../models/project-storage.js';
import { NOT_LINKED } from '../access/messages.js';
import { fileKey } from './file-key.js';
import { lockFileLinks, removeFileLinks } from './remove-file-links.js';

interface FileLinkClaim {
  /** The id is absent while the work package is being created. */
  workPackage: { id?: number; projectId: number };
  /** Ids from the request. `undefined` means an id that no row can have. */
  requestedIds: readonly (number | undefined)[];
  /** Whether to remove all other file links of the work package. */
  replace: boolean;
  /**
   * Whether the caller may claim and remove file links there.
   * Check it before the transaction: the check would need a second connection inside it.
   */
  mayManage: boolean;
}

/** The result of `checkFileLinkClaim`; valid as long as its transaction holds the locks. */
interface CheckedLinkClaim {
  violations: Violation[];
  /** The requested links that have no work package yet. */
  unclaimed: FileLink[];
  /** All links that the work package has before the claim. */
  present: FileLink[];
  /** Those of `present` that the claim removes. */
  others: FileLink[];
}

export const emptyLinkClaim: CheckedLinkClaim = {
  violations: [],
  unclaimed: [],
  present: [],
  others: [],
};

const MISSING: Violation = { attribute: 'fileLinks', message: 'File links does not exist.' };
const WRONG_STORAGE: Violation = { attribute: 'fileLinks', message: NOT_LINKED };

/**
 * Checks whether the caller may claim the requested file links, and locks them.
 * It writes nothing. Call it in the transaction that claims them.
 * Claiming and removing need the permission to manage file links in the project.
 * @throws MissingPermission
 */
export async function checkFileLinkClaim(
  context: Context,
  trx: Knex,
  { workPackage, requestedIds, replace, mayManage }: FileLinkClaim,
): Promise<CheckedLinkClaim> {
  const { user } = context;
  const ids = [...new Set(requestedIds)];
  const rows: FileLink[] = [];
  for (const batch of chunks(sortedIds(ids)))
    rows.push(...(await lockFileLinks(context, FileLink.query(trx).whereIn('id', batch))));
  const claimable = rows.filter((row) =>
    row.workPackageId === null
      ? !user.anonymous && row.creatorId === user.id
      : row.workPackageId === workPackage.id,
  );
  if (claimable.length < ids.length) return { ...emptyLinkClaim, violations: [MISSING] };
  const unclaimed = claimable.filter((row) => row.workPackageId === null);
  const present =
    workPackage.id === undefined
      ? []
      : await lockFileLinks(context, FileLink.query(trx).where('work_package_id', workPackage.id));
  const requested = new Set(claimable.map(({ id }) => id));
  const others = replace ? present.filter(({ id }) => !requested.has(id)) : [];
  if (unclaimed.length + others.length > 0 && !mayManage) throw new MissingPermission();
  const projectStorages = await ProjectStorage.query(trx)
    .select('storage_id')
    .where('project_id', workPackage.projectId);
  const usable = new Set(projectStorages.map(({ storageId }) => storageId));
  return {
    violations: unclaimed.every(({ storageId }) => usable.has(storageId)) ? [] : [WRONG_STORAGE],
    unclaimed,
    present,
    others,
  };
}

/**
 * Claims the links that `checkFileLinkClaim` found in the same transaction.
 * @returns the changes for the history of the work package
 */
export async function claimFileLinks(
  context: Context,
  trx: Knex,
  { id, checked: { unclaimed, present, others } }: { id: number; checked: CheckedLinkClaim },
): Promise<Change[]> {
  const { db, clock } = context;
  const now = clock().toISOString();
  const { claimed, duplicates } = withoutDuplicates(
    unclaimed,
    present.filter((link) => !others.includes(link)),
  );
  await recordEvents(
    db,
    trx,
    claimed.map((link) => ({
      kind: FileLinkEvent.CLAIMED,
      fileLink: link.$set({ workPackageId: id }),
    })),
    now,
  );
  // Before the claim, because a work package has at most one link per file. A removed link may be
  // for the same file as a claimed one.
  await removeFileLinks(context, trx, [...duplicates, ...others], { now });
  for (const link of claimed)
    await FileLink.query(trx)
      .findById(link.id)
      .patch({ workPackageId: id, expiresAt: null, updatedAt: now });
  return [
    ...claimed.map(({ originName }): Change => ({
      action: 'fileLinkAdded',
      fileName: originName,
      attachmentDatabaseId: null,
    })),
    ...others.map(({ originName }): Change => ({
      action: 'fileLinkRemoved',
      attachmentDatabaseId: null,
      fileName: originName,
    })),
  ];
}

/** Separates links for files to which the work package already has a link. */
function withoutDuplicates(
  unclaimed: readonly FileLink[],
  remaining: readonly FileLink[],
): { claimed: FileLink[]; duplicates: FileLink[] } {
  const linkedFiles = new Set(remaining.map(fileKey));
  const claimed: FileLink[] = [];
  const duplicates: FileLink[] = [];
  for (const link of unclaimed) {
    (linkedFiles.has(fileKey(link)) ? duplicates : claimed).push(link);
    linkedFiles.add(fileKey(link));
  }
  return { claimed, duplicates };
}

/**
 * Locks the rows that a claim depends on. Call it before the attachments and the work package are
 * locked: every transaction uses this order. First come the project storages, so that no other
 * request removes one while it gets new links. Then come the links.
 */
export async function lockLinksForClaim(
  context: Context,
  trx: Knex,
  { workPackage, requestedIds }: Pick<FileLinkClaim, 'workPackage' | 'requestedIds'>,
): Promise<void> {
  const [first = [], ...rest] = chunks(sortedIds(requestedIds));
  for (const ids of [first, ...rest]) {
    const storages = FileLink.query(trx).select('storage_id').whereIn('id', ids);
    if (ids.length > 0)
      await context.db.lockRows(
        ProjectStorage.query(trx)
          .select('id')
          .where('project_id', workPackage.projectId)
          .whereIn('storage_id', storages)
          .orderBy('id'),
      );
  }
  await lockFileLinks(
    context,
    FileLink.query(trx).where(
      (row) =>
        void (
          workPackage.id === undefined ? row : row.where('work_package_id', workPackage.id)
        ).orWhereIn('id', first),
    ),
  );
  for (const ids of rest) await lockFileLinks(context, FileLink.query(trx).whereIn('id', ids));
}

/** Without the ids that no row can have, in the order in which rows are locked. */
const sortedIds = (ids: readonly (number | undefined)[]): number[] =>
  [...new Set(ids)].filter((id) => id !== undefined).sort((a, b) => a - b);
