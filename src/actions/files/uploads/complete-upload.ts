/** Completes a direct upload: marks it for the background work, which finalises it. */
import type { Knex } from 'knex';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { find } from '../../../policies/find.js';

/**
 * The client calls it after it has sent the file to the store.
 * A repeated call before the upload is finalised changes nothing and returns the same.
 * After that it throws, because the pending upload no longer exists.
 * @throws NotFound
 */
export async function completeUpload(
  context: Context,
  id: number | undefined,
): Promise<Attachment> {
  // No permission check: a prepared upload is visible to its author only.
  const attachment = await find.attachment(context, id);
  if (
    !attachment ||
    attachment.status !== AttachmentStatus.PREPARED ||
    attachment.stagingKey === null
  )
    throw new NotFound();
  if (attachment.leaseUntil !== null) return attachment;
  const stored = await context.blobs.stat(attachment.stagingKey);
  if (!stored)
    throw new NotFound(
      'The file has not reached the storage. Upload it with the form of the prepared upload first.',
    );
  // Stores accept truncated requests, and requests without a file.
  if (stored.size !== attachment.fileSize)
    throw new NotFound(
      `The file has not reached the storage: ${stored.size} of ${attachment.fileSize} bytes ` +
        'are there. Upload it again with the form of the prepared upload.',
    );
  if (await markComplete(context, context.db.write, attachment)) {
    context.wake();
    return attachment;
  }
  // A concurrent request completed it, perhaps up to its end, or deleted it.
  const current = await find.attachment(context, attachment.id);
  if (!current || current.status !== AttachmentStatus.PREPARED) throw new NotFound();
  return current;
}

/**
 * Leaves the row to the background work, which finalises it. Wake it after the commit.
 * @returns false if somebody did it before, or the row is gone
 */
export async function markComplete(
  { clock }: Pick<Context, 'clock'>,
  knex: Knex,
  attachment: Attachment,
): Promise<boolean> {
  const now = clock().toISOString();
  const values = { leaseUntil: now, attempts: 0, expiresAt: null, updatedAt: now };
  const marked = await Attachment.query(knex)
    .patch(values)
    .where({ id: attachment.id, phase: 'kept' })
    .whereRaw("status = 'prepared'")
    .whereNull('lease_until');
  if (marked > 0) attachment.$set(values);
  return marked > 0;
}
