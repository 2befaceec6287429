/** The end of every removal (decisions 5): a transaction marks the row `deleting`, then the bytes go, then the row. */
import type { Knex } from 'knex';
import type { Services } from '../../context.js';
import {
  containerKinds,
  containerTypes,
  type ContainerKey,
} from '../../contract/container-kinds.js';
import { Attachment } from '../../models/attachment.js';
import { chunks } from '../../database/batches.js';
import { leaseEnd, newToken } from '../leases/lease.js';
import { scheduleOrphanRemoval } from './orphaned-objects.js';

type Dependencies = Pick<Services, 'blobs' | 'db' | 'log' | 'clock' | 'settings'>;

/** Of many rows the background work removes the rest: nobody waits for thousands of objects to go. */
const AT_ONCE = 50;

const NO_CONTAINER = Object.fromEntries(
  containerTypes.map((type) => [containerKinds[type].foreignKey, null]),
) as { [key in ContainerKey]: null };

/** A row that is marked. */
export type Marked = Pick<Attachment, 'id' | 'blobKey' | 'stagingKey' | 'leaseToken'> & {
  /** Whether somebody who has lost the row may still write its bytes. */
  abandoned?: boolean;
};

/** A process that was taken for dead, or a store that did not answer in time; nobody does any more once there is a digest. */
const mayBeWritten = ({ digestHash, leaseToken, attempts }: Attachment): boolean =>
  digestHash === '' && (leaseToken !== null || attempts > 0);

/** Of a row that is taken for its removal: whether whoever had it before has not ended the work. */
export const isAbandoned = ({ phase, attempts }: Attachment): boolean =>
  phase === 'storing' || attempts > 1;

/**
 * Marks rows within the transaction of their removal: they are invisible and cannot be claimed from then on.
 * @param detach takes them off their containers, which are about to go
 * @returns those to hand to `purgeAttachments` afterwards, the first few of many; bytes that somebody is working on are left to that work, which finds its row gone
 */
export async function markDeleting(
  needs: Dependencies,
  trx: Knex,
  rows: readonly Attachment[],
  { detach = false } = {},
): Promise<Marked[]> {
  const now = needs.clock().toISOString();
  const unheld = rows.filter(
    ({ leaseToken, leaseUntil }) => leaseToken === null || leaseUntil === null || leaseUntil <= now,
  );
  const free = unheld.slice(0, AT_ONCE);
  const left = unheld.slice(AT_ONCE);
  const untouched = left.filter((row) => !mayBeWritten(row));
  const leaseToken = newToken();
  const marked = {
    phase: 'deleting' as const,
    attempts: 1,
    updatedAt: now,
    ...(detach && NO_CONTAINER),
  };
  for (const some of chunks(rows))
    await Attachment.query(trx)
      .patch(marked)
      .whereIn(
        'id',
        some.map(({ id }) => id),
      );
  for (const some of chunks(free))
    await Attachment.query(trx)
      .patch({ leaseUntil: leaseEnd(needs), leaseToken })
      .whereIn(
        'id',
        some.map(({ id }) => id),
      );
  for (const some of chunks(left))
    await Attachment.query(trx)
      .patch({ leaseUntil: now, leaseToken: null })
      .whereIn(
        'id',
        some.map(({ id }) => id),
      );
  // Their removal has not begun.
  for (const some of chunks(untouched))
    await Attachment.query(trx)
      .patch({ attempts: 0 })
      .whereIn(
        'id',
        some.map(({ id }) => id),
      );
  return free.map((row) => ({
    id: row.id,
    blobKey: row.blobKey,
    stagingKey: row.stagingKey,
    leaseToken,
    abandoned: mayBeWritten(row),
  }));
}

/** A failure leaves a hidden, marked row for the sweeper; the removal itself has already happened. */
export async function purgeAttachments(
  needs: Dependencies,
  marked: readonly Marked[],
): Promise<void> {
  for (const row of marked) {
    try {
      await purge(needs, row);
    } catch (error) {
      needs.log.error(
        { err: error, attachment: row.id },
        'a removed file is still stored; the sweeper tries again',
      );
    }
  }
}

/** Removes the bytes of a marked row, then the row. */
export async function purge(
  { blobs, db, clock }: Pick<Dependencies, 'blobs' | 'db' | 'clock'>,
  { id, blobKey, stagingKey, leaseToken, abandoned = false }: Marked,
): Promise<void> {
  await blobs.remove(blobKey);
  if (stagingKey !== null) await blobs.remove(stagingKey);
  const remove = (knex: Knex) =>
    Attachment.query(knex)
      .delete()
      .where({ id, lease_token: leaseToken })
      .whereNot('phase', 'kept');
  if (!abandoned) return void (await remove(db.write));
  await db.write.transaction(async (trx) => {
    if ((await remove(trx)) > 0) await scheduleOrphanRemoval(trx, blobKey, { clock });
  });
}
