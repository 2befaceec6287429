/** The queues of attachments that wait for background work. */
import type { Services } from '../../../context.js';
import { Attachment } from '../../../models/attachment.js';
import { holdLease, leaseEnd, type HeldLease } from './lease.js';
import { acquire, later, leased, type Queue, type QueueNeeds } from './queue.js';

const queue = (rows: string): Queue<Attachment> => ({
  model: Attachment,
  waiting: `lease_until is not null and ${rows} and lease_until <= ?`,
  since: 'lease_until',
  lease: (services) => ({
    leaseUntil: leaseEnd(services),
    attempts: Attachment.raw('attempts + 1'),
  }),
});

export const attachmentQueues = {
  /** Completed direct uploads. */
  finalization: queue("(phase <> 'kept' or status = 'prepared') and phase = 'kept'"),
  /** Uploads whose process died, and removals that are not finished. */
  removal: queue("(phase <> 'kept' or status = 'prepared') and phase <> 'kept'"),
  /** Files uploaded since scanning was switched on. They are scanned before older files. */
  newScan: queue("phase = 'kept' and status <> 'prepared' and status = 'uploaded'"),
  /** Files stored before scanning was switched on. */
  oldScan: queue("phase = 'kept' and status <> 'prepared' and status = 'rescan'"),
};

export const acquireAttachment = (services: QueueNeeds, name: keyof typeof attachmentQueues) =>
  acquire(services, attachmentQueues[name]);

/** Renews the lease until `stop` is called. @throws Error if the row is not leased */
export const holdAttachment = (
  services: QueueNeeds & Pick<Services, 'log'>,
  attachment: Pick<Attachment, 'id' | 'leaseToken'>,
  parent?: AbortSignal,
): HeldLease =>
  holdLease(
    services,
    {
      row: { attachment: attachment.id },
      token: attachment.leaseToken,
      renew: (leaseUntil) =>
        leased(Attachment, services.db.write, attachment)
          .patch({ leaseUntil })
          .whereNot('phase', 'deleting'),
    },
    parent,
  );

/** Releases the lease of a row. Any process can acquire the row again after `ms` milliseconds. */
export async function releaseLease(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  row: Attachment,
  ms: number,
): Promise<void> {
  await leased(Attachment, db.write, row).patch({
    leaseUntil: later(clock(), ms),
    leaseToken: null,
  });
}
