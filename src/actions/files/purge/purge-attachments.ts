/** Deletes attachments: a transaction marks the row, then the object goes, then the row. */
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';
import {
  containerKinds,
  containerTypes,
  type ContainerKey,
} from '../../../contract/container-kinds.js';
import { chunks } from '../../../database/batches.js';
import type { Database } from '../../../database/index.js';
import { Attachment } from '../../../models/attachment.js';
import { leaseEnd, newToken } from '../../base/leases/lease.js';
import { leased } from '../../base/leases/queue.js';
import { scheduleOrphanRemoval } from './orphaned-objects.js';
import { removePreview } from './remove-preview.js';
import { isShared, lockRowsOf } from './shared-objects.js';

type PurgeNeeds = Pick<Services, 'blobs' | 'db' | 'log' | 'clock' | 'settings'>;

/** A request purges at most this many rows itself. The background work purges the rest. */
const PURGE_LIMIT = 50;

// Cast: `Object.fromEntries` loses the names of the keys.
const NO_CONTAINER = Object.fromEntries(
  containerTypes.map((type) => [containerKinds[type].foreignKey, null]),
) as { [key in ContainerKey]: null };

/** A row that is marked `deleting`, with what its purge needs. */
export type MarkedAttachment = Pick<Attachment, 'id' | 'blobKey' | 'stagingKey' | 'leaseToken'> & {
  /** Whether a process that lost the row, or a slow store, may still write the object. */
  abandoned?: boolean;
};

/** As long as there is no digest, a started write may not have ended. */
const mayBeWritten = ({ digestHash, leaseToken, attempts }: Attachment): boolean =>
  digestHash === '' && (leaseToken !== null || attempts > 0);

/** Whether the previous holder of an acquired `storing` or `deleting` row did not finish. */
export const isAbandoned = ({ phase, attempts }: Attachment): boolean =>
  phase === 'storing' || attempts > 1;

/**
 * Marks rows `deleting`: they are invisible at once and can no longer be claimed.
 * A row with a running lease stays with its holder, who purges it when it finds the mark.
 * @param trx the transaction that deletes the rows
 * @param detach whether to clear their containers, which the same transaction deletes
 * @returns at most 50 rows for `purgeAttachments`, to be called after the transaction
 */
export async function markDeleting(
  dependencies: PurgeNeeds,
  trx: Knex,
  rows: readonly Attachment[],
  { detach = false } = {},
): Promise<MarkedAttachment[]> {
  const now = dependencies.clock().toISOString();
  const unheld = rows.filter(
    ({ leaseToken, leaseUntil }) => leaseToken === null || leaseUntil === null || leaseUntil <= now,
  );
  const ours = unheld.slice(0, PURGE_LIMIT);
  const forBackground = unheld.slice(PURGE_LIMIT);
  const leaseToken = newToken();
  const patch = async (some: readonly Attachment[], values: Partial<Attachment>) => {
    for (const batch of chunks(some)) {
      const ids = batch.map(({ id }) => id);
      await Attachment.query(trx).patch(values).whereIn('id', ids);
    }
  };
  await patch(rows, {
    phase: 'deleting',
    attempts: 1,
    updatedAt: now,
    ...(detach && NO_CONTAINER),
  });
  await patch(ours, { leaseUntil: leaseEnd(dependencies), leaseToken });
  await patch(forBackground, { leaseUntil: now, leaseToken: null });
  // Zero attempts: these do not count as abandoned when the background work acquires them.
  await patch(
    forBackground.filter((row) => !mayBeWritten(row)),
    { attempts: 0 },
  );
  return ours.map((row) => ({ ...markedRow(row, mayBeWritten(row)), leaseToken }));
}

/** The columns of a row marked `deleting` that its purge needs. */
export const markedRow = (
  { id, blobKey, stagingKey, leaseToken }: Attachment,
  abandoned: boolean,
): MarkedAttachment => ({ id, blobKey, stagingKey, leaseToken, abandoned });

/** Purges marked rows. It logs a failure and leaves the hidden row to the cleanup. */
export async function purgeAttachments(
  dependencies: PurgeNeeds,
  marked: readonly MarkedAttachment[],
): Promise<void> {
  for (const row of marked) {
    try {
      await purge(dependencies, row);
    } catch (error) {
      dependencies.log.error(
        { err: error, attachment: row.id },
        'a removed file is still stored; the cleanup tries again',
      );
    }
  }
}

/** Removes the objects of a marked row, then the row. An object that other rows name stays. */
export async function purge(
  dependencies: Pick<PurgeNeeds, 'blobs' | 'db' | 'clock'>,
  row: MarkedAttachment,
): Promise<void> {
  const { blobs, db, clock } = dependencies;
  const { blobKey, stagingKey, abandoned = false } = row;
  if (await leaveToOthers(db, row)) return;
  await blobs.remove(blobKey);
  await removePreview(dependencies, blobKey);
  if (stagingKey !== null) await blobs.discard(stagingKey);
  const remove = (knex: Knex) => leased(Attachment, knex, row).delete().whereNot('phase', 'kept');
  if (!abandoned) {
    await remove(db.write);
    return;
  }
  await db.write.transaction(async (trx) => {
    if ((await remove(trx)) > 0) await scheduleOrphanRemoval(trx, blobKey, { clock });
  });
}

/**
 * Deletes the row alone if other rows name its object: copies, also in the trash, and copies that
 * other processes are about to purge. The last of them removes the object. Nobody can copy the last
 * one any more, because a copy is made of a kept row under its lock.
 * @returns whether the object belongs to other rows
 */
async function leaveToOthers(db: Database, row: MarkedAttachment): Promise<boolean> {
  if (!(await isShared(db.write, row))) return false;
  return db.write.transaction(async (trx) => {
    if ((await lockRowsOf(db, trx, row.blobKey)).every(({ id }) => id === row.id)) return false;
    await leased(Attachment, trx, row).delete().whereNot('phase', 'kept');
    return true;
  });
}
