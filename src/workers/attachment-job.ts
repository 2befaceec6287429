/** Finalises a direct upload, or removes an attachment. */
import {
  isAbandoned,
  markedRow,
  purgeAttachments,
} from '../actions/files/purge/purge-attachments.js';
import { releaseLease } from '../actions/base/leases/attachment-queues.js';
import { finalizeUpload } from '../actions/files/uploads/finalize-upload.js';
import { makeContext, type Services } from '../context.js';
import type { Attachment } from '../models/attachment.js';
import { User } from '../models/user.js';
import { retryAfter } from './retry-after.js';

/** Finalises an upload, or removes an attachment, depending on the phase of the row. */
export async function workOn(
  services: Services,
  row: Attachment,
  signal: AbortSignal,
): Promise<void> {
  if (row.phase !== 'kept') {
    const abandoned = isAbandoned(row);
    if (abandoned) services.metrics.swept({ abandoned: 1 });
    return purgeAttachments(services, [markedRow(row, abandoned)]);
  }
  try {
    const author = await User.query(services.db.read).findById(row.authorId).throwIfNotFound();
    await finalizeUpload(
      makeContext(services, author, { log: services.log.child({ attachment: row.id }) }),
      row,
      signal,
    );
  } catch (error) {
    if (!signal.aborted)
      services.log.warn(
        { err: error, attachment: row.id, attempts: row.attempts },
        'an upload could not be finalised yet',
      );
    await releaseLease(services, row, signal.aborted ? 0 : retryAfter(row.attempts));
  }
}
