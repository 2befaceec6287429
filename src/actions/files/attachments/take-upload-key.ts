/** Lets a repeated upload replace the earlier one with its key, or find what that one has stored. */
import { UniqueViolationError, wrapError } from 'db-errors';
import type { Context } from '../../../context.js';
import { NotFound, ServiceUnavailable, violated } from '../../../contract/errors.js';
import type { FileDetails } from '../../../http/incoming-file.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { find } from '../../../policies/find.js';
import { markDeleting, purgeAttachments } from '../purge/purge-attachments.js';
import { UPLOAD_INTERRUPTED } from './keep-attachment.js';
import type { Container } from './reserve-attachment.js';

interface Repeated {
  container: Container | undefined;
  details: FileDetails;
  /** The attachment that the new upload replaces. */
  replacesId?: number | null;
  /** Whether the new upload goes on with an earlier one that has not ended. */
  goesOn?: boolean;
}

/**
 * Frees the key for a new upload. An earlier upload that still arrives, or is being stored, loses
 * its row, and its file is removed.
 * @returns the attachment of an earlier upload that has ended, or that the new one goes on with
 * @throws PropertyConstraintViolation if the key belongs to another file
 */
export async function takeUploadKey(
  context: Context,
  uploadKey: string,
  { container, details, replacesId = null, goesOn = false }: Repeated,
): Promise<Attachment | undefined> {
  const { db, user } = context;
  const { kept, marked } = await db.write.transaction(async (trx) => {
    const [row] = await db.lockRows(
      Attachment.query(trx).where({ author_id: user.id, upload_key: uploadKey }),
    );
    if (!row) return { marked: [] };
    const hasEnded = row.phase === 'kept' && row.status !== AttachmentStatus.PREPARED;
    if (hasEnded || (row.phase === 'kept' && goesOn)) return { kept: row, marked: [] };
    const rows = row.phase === 'deleting' ? [] : await markDeleting(context, trx, [row]);
    await row.$query(trx).patch({ uploadKey: null });
    return { marked: rows };
  });
  await purgeAttachments(context, marked);
  if (!kept) return undefined;
  const ref = kept.containerRef;
  const isSame =
    kept.fileName === details.fileName &&
    kept.replacesId === replacesId &&
    (!container || (ref?.type === container.type && ref.id === container.row.id));
  if (!isSame) throw violated([{ attribute: 'uploadKey', message: OTHER_FILE }]);
  const attachment = await find.attachment(context, kept.id);
  if (!attachment) throw new NotFound();
  return attachment;
}

const OTHER_FILE = 'Upload key belongs to another file. Use a new key for each file.';

/** Two uploads with one key that began at the same time: one of them is repeated. */
export async function whereKeyIsFree<T>(inserting: Promise<T>): Promise<T> {
  try {
    return await inserting;
  } catch (error) {
    if (error instanceof Error && wrapError(error) instanceof UniqueViolationError)
      throw new ServiceUnavailable(UPLOAD_INTERRUPTED);
    throw error;
  }
}

/** @throws PropertyConstraintViolation */
export function validateUploadKey(key: unknown): string | undefined {
  if (key === undefined || key === null) return undefined;
  if (typeof key === 'string' && /^[!-~]{1,64}$/.test(key)) return key;
  const message = 'Upload key must have 1 to 64 visible ASCII characters.';
  throw violated([{ attribute: 'uploadKey', message }]);
}
