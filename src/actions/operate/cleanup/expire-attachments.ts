/** Removes prepared uploads and unclaimed attachments that have expired. */
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';
import { recordEvents } from '../../../events/record.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { AttachmentEvent } from '../../../models/event.js';
import { REMOVED_AT_ONCE, type CleanupOptions } from './options.js';
import { markDeleting, purgeAttachments } from '../../files/purge/purge-attachments.js';

/** Deletes prepared uploads and unclaimed attachments after `expires_at`. */
export async function expireAttachments(
  services: Services,
  { dryRun, signal }: CleanupOptions = {},
): Promise<number> {
  const { db, clock } = services;
  const due = (knex: Knex) =>
    Attachment.query(knex)
      .where('phase', 'kept')
      .whereNotNull('expires_at')
      .where('expires_at', '<=', clock().toISOString());
  if (dryRun) return due(db.read).resultSize();
  let expired = 0;
  for (;;) {
    const batch = await due(db.read).select('id').orderBy('expires_at').limit(REMOVED_AT_ONCE);
    if (batch.length === 0 || signal?.aborted) return expired;
    const ids = batch.map(({ id }) => id);
    const marked = await db.write.transaction(async (trx) => {
      const rows = await db.lockRows(due(trx).whereIn('id', ids).orderBy('id'));
      const finished = rows.filter(({ status }) => status !== AttachmentStatus.PREPARED);
      await recordEvents(
        db,
        trx,
        finished.map((attachment) => ({
          kind: AttachmentEvent.DELETED,
          attachment,
          reason: 'expired',
        })),
        clock().toISOString(),
      );
      expired += rows.length;
      return markDeleting(services, trx, rows);
    });
    await purgeAttachments(services, marked);
  }
}
