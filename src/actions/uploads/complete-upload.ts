/** The client says that its bytes are in the store (interface 4.3, 7.5): the upload is marked, and the background work finalises it. */
import type { Context } from '../../context.js';
import { NotFound } from '../../contract/errors.js';
import { Attachment, AttachmentStatus } from '../../models/attachment.js';
import { find } from '../../policies/find.js';

/**
 * Repeated while finalisation is pending, it changes nothing and answers the same; once that is over there is no pending upload
 * any more.
 * @throws NotFound
 */
export async function completeUpload(
  context: Context,
  id: number | undefined,
): Promise<Attachment> {
  // Nobody else sees a prepared upload.
  const attachment = await find.attachment(context, id);
  if (
    !attachment ||
    attachment.status !== AttachmentStatus.prepared ||
    attachment.stagingKey === null
  )
    throw new NotFound();
  if (attachment.leaseUntil !== null) return attachment;
  const stored = await context.blobs.stat(attachment.stagingKey);
  if (!stored)
    throw new NotFound(
      'The file has not reached the storage. Upload it with the form of the prepared upload first.',
    );
  // Stores accept cut requests, and requests without a file.
  if (stored.size !== attachment.fileSize)
    throw new NotFound(
      `The file has not reached the storage: ${stored.size} of ${attachment.fileSize} bytes are there. Upload it again with the form of the prepared upload.`,
    );
  const now = context.clock().toISOString();
  const marks = { leaseUntil: now, attempts: 0, expiresAt: null, updatedAt: now };
  const marked = await Attachment.query(context.db.write)
    .patch(marks)
    .where({ id: attachment.id, phase: 'kept' })
    .whereRaw("status = 'prepared'")
    .whereNull('lease_until');
  if (marked > 0) {
    context.wake();
    return attachment.$set(marks);
  }
  // Somebody was faster: another completion, its whole finalisation, or a deletion.
  const current = await find.attachment(context, attachment.id);
  if (!current || current.status !== AttachmentStatus.prepared) throw new NotFound();
  return current;
}
