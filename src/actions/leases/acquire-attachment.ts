/** Takes the next piece of background work: the columns of the attachments are the queue. */
import type { Services } from '../../context.js';
import { Attachment } from '../../models/attachment.js';
import { leaseEnd, newToken, notInHand } from './lease.js';

/** The conditions are spelled like those of the partial indexes. */
const queues = {
  /** Completed uploads. */
  finalization: "(phase <> 'kept' or status = 'prepared') and phase = 'kept'",
  /** Dead uploads and begun removals. */
  removal: "(phase <> 'kept' or status = 'prepared') and phase <> 'kept'",
  /** Files to scan: new ones before those that are older than the scanner. */
  newScan: "phase = 'kept' and status <> 'prepared' and status = 'uploaded'",
  oldScan: "phase = 'kept' and status <> 'prepared' and status = 'rescan'",
} as const;

/** SQL of what waits in a queue at a time, its one binding. */
export const waitingIn = (queue: Queue): string =>
  `lease_until is not null and ${queues[queue]} and lease_until <= ?`;

export type Queue = keyof typeof queues;

/** @returns the row whose lease ran out first, now leased to the caller; undefined where there is none */
export async function acquireAttachment(
  services: Pick<Services, 'db' | 'clock' | 'settings'>,
  queue: Queue,
): Promise<Attachment | undefined> {
  const { db, clock } = services;
  const now = clock().toISOString();
  const waiting = waitingIn(queue);
  // The look costs no write lock.
  const found = await Attachment.query(db.read).select('id').whereRaw(waiting, [now]).limit(1);
  if (found.length === 0) return undefined;
  const others = notInHand();
  const [row] = await Attachment.query(db.write)
    .patch({
      leaseUntil: leaseEnd(services),
      leaseToken: newToken(),
      attempts: Attachment.raw('attempts + 1') as unknown as number,
    })
    .whereRaw(
      `id = (select id from attachments where ${waiting} ${others.sql} order by lease_until limit 1 ${db.skipLocked})`,
      [now, ...others.bindings],
    )
    .returning('*');
  return row;
}

/** Gives a row back, to be taken again after so many milliseconds. */
export async function releaseLease(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { id, leaseToken }: Attachment,
  ms: number,
): Promise<void> {
  await Attachment.query(db.write)
    .patch({ leaseUntil: new Date(clock().getTime() + ms).toISOString(), leaseToken: null })
    .where({ id, lease_token: leaseToken });
}
