/** Unclaimed file links become a work package's own (interface 1, facts 4.2). */
import type { Knex } from 'knex';
import type { Context } from '../../context.js';
import { MissingPermission, type Violation } from '../../contract/errors.js';
import { recordEvents } from '../../events/record.js';
import type { Change } from '../../models/activity.js';
import { FileLinkEvent } from '../../models/event.js';
import { FileLink } from '../../models/file-link.js';
import { ProjectStorage } from '../../models/project-storage.js';
import { chunks } from '../../database/batches.js';
import { lockFileLinks, removeFileLinks } from './remove-file-links.js';

export interface FileLinkClaim {
  /** Its id is absent where it is only made. */
  workPackage: { id?: number; projectId: number };
  /** The links that the request names; undefined ones never existed. */
  named: readonly (number | undefined)[];
  /** The named ones are the complete new set: the others of the work package are removed. */
  replace: boolean;
  /** Whether the caller may claim and remove links there; asked before the transaction, which would need a second connection for it. */
  mayManage: boolean;
}

/** What a claim comes to, as the rows were when they were locked. */
export interface CheckedLinks {
  violations: Violation[];
  unclaimed: FileLink[];
  /** What the work package has already. */
  present: FileLink[];
  /** Those of it that will go. */
  others: FileLink[];
}

export const noLinks: CheckedLinks = { violations: [], unclaimed: [], present: [], others: [] };

const MISSING: Violation = { attribute: 'fileLinks', message: 'File links does not exist.' };
const NOT_LINKED: Violation = {
  attribute: 'fileLinks',
  message: 'Storage is not linked to project.',
};

/**
 * Whether the caller may claim what a request names, within the transaction that will: it writes nothing. Both claiming and removing
 * need the permission to manage file links in the project of the work package.
 * @throws MissingPermission (facts T121)
 */
export async function checkFileLinkClaim(
  context: Context,
  trx: Knex,
  { workPackage, named, replace, mayManage }: FileLinkClaim,
): Promise<CheckedLinks> {
  const { user } = context;
  const ids = [...new Set(named)];
  const rows: FileLink[] = [];
  for (const some of chunks(existing(ids)))
    rows.push(...(await lockFileLinks(context, FileLink.query(trx).whereIn('id', some))));
  const known = rows.filter((row) =>
    row.workPackageId === null
      ? !user.anonymous && row.creatorId === user.id
      : row.workPackageId === workPackage.id,
  );
  if (known.length < ids.length) return { ...noLinks, violations: [MISSING] };
  const unclaimed = known.filter((row) => row.workPackageId === null);
  const present =
    workPackage.id === undefined
      ? []
      : await lockFileLinks(context, FileLink.query(trx).where('work_package_id', workPackage.id));
  const kept = new Set(known.map(({ id }) => id));
  const others = replace ? present.filter(({ id }) => !kept.has(id)) : [];
  if (unclaimed.length + others.length > 0 && !mayManage) throw new MissingPermission();
  const used = (await trx('project_storages')
    .where('project_id', workPackage.projectId)
    .pluck('storage_id')) as number[];
  return {
    violations: unclaimed.some(({ storageId }) => !used.includes(storageId)) ? [NOT_LINKED] : [],
    unclaimed,
    present,
    others,
  };
}

/**
 * Claims what was judged in the same transaction.
 * @returns what happened, for the record
 */
export async function claimFileLinks(
  context: Context,
  trx: Knex,
  { id, checked: { unclaimed, present, others } }: { id: number; checked: CheckedLinks },
): Promise<Change[]> {
  const { db, clock } = context;
  const now = clock().toISOString();
  const { claimed, needless } = withoutRepeats(
    unclaimed,
    present.filter((link) => !others.includes(link)),
  );
  await recordEvents(
    db,
    trx,
    claimed.map((link) => ({
      kind: FileLinkEvent.claimed,
      fileLink: link.$set({ workPackageId: id }),
    })),
    now,
  );
  // A file is linked once, and what goes may be a link to a file that comes.
  await removeFileLinks(context, trx, [...needless, ...others], { now });
  for (const link of claimed)
    await FileLink.query(trx)
      .findById(link.id)
      .patch({ workPackageId: id, expiresAt: null, updatedAt: now });
  return [
    ...claimed.map(({ originName }): Change => ({ action: 'fileLinkAdded', fileName: originName })),
    ...others.map(({ originName }): Change => ({
      action: 'fileLinkRemoved',
      fileName: originName,
    })),
  ];
}

/** One to a file that the work package keeps a link to is not needed. */
function withoutRepeats(
  unclaimed: readonly FileLink[],
  keeps: readonly FileLink[],
): { claimed: FileLink[]; needless: FileLink[] } {
  const taken = new Set(keeps.map(keyOf));
  const isRepeat = new Map(
    unclaimed.map((link) => [link, taken.has(keyOf(link)) || !taken.add(keyOf(link))]),
  );
  return {
    claimed: unclaimed.filter((link) => !isRepeat.get(link)),
    needless: unclaimed.filter((link) => isRepeat.get(link)),
  };
}

/**
 * Locks what a claim will touch before attachments and the work package itself, in the order of everybody: that its project uses the
 * storages, so that nobody takes one away while it gets new links, then the links.
 */
export async function lockLinksForClaim(
  context: Context,
  trx: Knex,
  { workPackage, named }: Pick<FileLinkClaim, 'workPackage' | 'named'>,
): Promise<void> {
  const [some = [], ...others] = chunks(existing(named));
  for (const ids of [some, ...others]) {
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
        ).orWhereIn('id', some),
    ),
  );
  for (const ids of others) await lockFileLinks(context, FileLink.query(trx).whereIn('id', ids));
}

const existing = (named: readonly (number | undefined)[]): number[] =>
  [...new Set(named)].filter((id) => id !== undefined).sort((a, b) => a - b);

const keyOf = ({ storageId, originId }: FileLink): string => `${storageId} ${originId}`;
