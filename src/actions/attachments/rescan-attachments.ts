/** Files that were stored while nothing scanned are scanned once (decisions 5); meanwhile they stay accessible. */
import type { Services } from '../../context.js';
import { Attachment, AttachmentStatus } from '../../models/attachment.js';

/** As many rows as one statement changes. */
const BATCH = 500;

/** @returns how many files were marked `rescan` */
export async function rescanAttachments(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  signal: AbortSignal,
): Promise<number> {
  let marked = 0;
  while (!signal.aborted) {
    const now = clock().toISOString();
    const changed = await Attachment.query(db.write)
      .patch({
        status: AttachmentStatus.rescan,
        leaseUntil: now,
        leaseToken: null,
        attempts: 0,
        updatedAt: now,
      })
      .whereRaw(
        `id in (select id from attachments where lease_until is null and phase = 'kept' and status = 'uploaded' order by id limit ? ${db.skipLocked})`,
        [BATCH],
      );
    marked += changed;
    if (changed < BATCH) break;
  }
  return marked;
}
