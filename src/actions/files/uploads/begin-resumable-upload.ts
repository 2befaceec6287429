/** Begins a resumable upload: a pending attachment whose bytes come to the service. */
import type { Context } from '../../../context.js';
import { uploadUntil } from '../../../contract/unclaimed-until.js';
import type { Attachment } from '../../../models/attachment.js';
import { timestamps } from '../../../models/record.js';
import { ResumableUpload } from '../../../models/resumable-upload.js';
import { demandWrites } from '../../../policies/can.js';
import {
  takeUploadKey,
  validateUploadKey,
  whereKeyIsFree,
} from '../attachments/take-upload-key.js';
import { markComplete } from './complete-upload.js';
import { newStagingKey, permitted, reserveUpload } from './reserve-upload.js';
import { validateUpload, type NewUpload } from './validate-upload.js';

interface NewResumableUpload extends NewUpload {
  uploadKey: unknown;
  /** What the client wants to read again. */
  metadata: string;
}

/**
 * A repeated upload gets the attachment of the earlier one with its key. Anonymous callers get 403.
 * @throws NotFound, MissingPermission, PropertyConstraintViolation
 */
export async function beginResumableUpload(
  context: Context,
  { uploadKey: given, metadata, ...upload }: NewResumableUpload,
): Promise<Attachment> {
  demandWrites(context);
  const container = await permitted(context, upload);
  const uploadKey = validateUploadKey(given);
  const valid = validateUpload(context, upload);
  const earlier =
    uploadKey !== undefined &&
    (await takeUploadKey(context, uploadKey, {
      container,
      details: upload.details,
      replacesId: valid.replacesId,
      goesOn: true,
    }));
  if (earlier) return earlier;
  const { blobs, settings, clock } = context;
  const stagingKey = newStagingKey();
  const isEmpty = valid.fileSize === 0;
  if (isEmpty) await blobs.put(stagingKey, nothing());
  const now = clock();
  const times = timestamps(now.toISOString());
  const attachment = await whereKeyIsFree(
    reserveUpload(
      context,
      container,
      { ...valid, stagingKey, uploadKey, expiresAt: uploadUntil(now, settings), ...times },
      async (trx, row) => {
        await ResumableUpload.query(trx).insert({
          attachmentId: row.id,
          metadata,
          receivedBytes: 0,
          ...times,
        });
        if (isEmpty) await markComplete(context, trx, row);
      },
    ),
  );
  if (isEmpty) context.wake();
  return attachment;
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // An empty file has no bytes.
}
