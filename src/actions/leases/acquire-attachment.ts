/** Acquires and releases leases on the attachments that wait for background work. */
import type { Services } from '../../context.js';
import { Attachment } from '../../models/attachment.js';
import { excludeHeldLeases, leaseEnd, newToken } from './lease.js';

/**
 * There is no queue table: these conditions select the rows of each queue.
 * They repeat the text of the partial indexes: SQLite does not recognise equivalent conditions.
 */
const queues = {
  /** Completed direct uploads. */
  finalization: "(phase <> 'kept' or status = 'prepared') and phase = 'kept'",
  /** Uploads whose process died, and removals that are not finished. */
  removal: "(phase <> 'kept' or status = 'prepared') and phase <> 'kept'",
  /** Files uploaded since scanning was switched on. They are scanned before older files. */
  newScan: "phase = 'kept' and status <> 'prepared' and status = 'uploaded'",
  /** Files stored before scanning was switched on. */
  oldScan: "phase = 'kept' and status <> 'prepared' and status = 'rescan'",
} as const;

export type Queue = keyof typeof queues;

/** SQL condition for the rows that wait in a queue. Its one binding is the present time. */
export const waitingIn = (queue: Queue): string =>
  `lease_until is not null and ${queues[queue]} and lease_until <= ?`;

/**
 * Leases the row whose lease ran out first to the caller.
 * @returns the leased row; undefined if the queue is empty
 */
export async function acquireAttachment(
  services: Pick<Services, 'db' | 'clock' | 'settings'>,
  queue: Queue,
): Promise<Attachment | undefined> {
  const { db, clock } = services;
  const now = clock().toISOString();
  const waiting = waitingIn(queue);
  // A read first: an empty queue costs no write lock.
  const found = await Attachment.query(db.read).select('id').whereRaw(waiting, [now]).limit(1);
  if (found.length === 0) return undefined;
  const notHeld = excludeHeldLeases();
  const [row] = await Attachment.query(db.write)
    .patch({
      leaseUntil: leaseEnd(services),
      leaseToken: newToken(),
      attempts: Attachment.raw('attempts + 1'),
    })
    .whereRaw(
      `id = (select id from attachments where ${waiting} ${notHeld.sql} ` +
        `order by lease_until limit 1 ${db.skipLocked})`,
      [now, ...notHeld.bindings],
    )
    .returning('*');
  return row;
}

/** Releases the lease of a row. Any process can acquire the row again after `ms` milliseconds. */
export async function releaseLease(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { id, leaseToken }: Attachment,
  ms: number,
): Promise<void> {
  await Attachment.query(db.write)
    .patch({ leaseUntil: new Date(clock().getTime() + ms).toISOString(), leaseToken: null })
    .where({ id, lease_token: leaseToken });
}
