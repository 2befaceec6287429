/** Queues a scan for each file that was stored while scanning was off. */
import type { Services } from '../../../context.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';

/** Rows per statement. */
const RESCANNED_AT_ONCE = 500;

/**
 * Marks the files `rescan`. They stay accessible until their scan.
 * @returns the number of marked files
 */
export async function rescanAttachments(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  signal: AbortSignal,
): Promise<number> {
  let marked = 0;
  while (!signal.aborted) {
    const now = clock().toISOString();
    const changed = await Attachment.query(db.write)
      .patch({
        status: AttachmentStatus.RESCAN,
        leaseUntil: now,
        leaseToken: null,
        attempts: 0,
        updatedAt: now,
      })
      .whereRaw(
        `id in (select id from attachments
          where lease_until is null and phase = 'kept' and status = 'uploaded'
          order by id limit ? ${db.skipLocked})`,
        [RESCANNED_AT_ONCE],
      );
    marked += changed;
    if (changed < RESCANNED_AT_ONCE) break;
  }
  return marked;
}
