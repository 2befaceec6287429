/** Prepares a direct upload: a pending attachment with a form that sends its file to the store. */
import type { Context } from '../../../context.js';
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import { formExpiry, unclaimedUntil } from '../../../contract/unclaimed-until.js';
import { AttachmentUpload } from '../../../models/attachment-upload.js';
import { timestamps } from '../../../models/record.js';
import { demandReadableBody } from '../../base/validation/demand-valid.js';
import { newStagingKey, permitted, reserveUpload } from './reserve-upload.js';
import { validateUpload, type NewUpload } from './validate-upload.js';

/**
 * Anonymous callers get 403.
 * @throws NotFound, MissingPermission
 * @throws PropertyConstraintViolation also if the store supports no direct uploads
 */
export async function prepareUpload(
  context: Context,
  upload: NewUpload,
): Promise<AttachmentUpload> {
  const container = await permitted(context, upload);
  const { blobs, formSupport, settings } = context;
  demandReadableBody(context);
  if (!blobs.directUpload || !formSupport.isAvailable(context.origin))
    throw new PropertyConstraintViolation(
      'Direct upload is not available due to a system configuration. ' +
        'Use the regular upload instead.',
      'base',
    );
  const valid = validateUpload(context, upload);
  // The client can send the form again after the upload is finished, so its key is never served.
  const stagingKey = newStagingKey();
  // Taken before the store signs the form, so the form is valid until `formExpiry` at least.
  const now = context.clock();
  const form = await blobs.directUpload(stagingKey, {
    size: valid.fileSize,
    contentType: valid.contentType,
    seconds: settings.uploadUrlSeconds,
  });
  const attachment = await reserveUpload(context, container, {
    ...valid,
    stagingKey,
    expiresAt: unclaimedUntil(now, settings),
    ...timestamps(now.toISOString()),
  });
  const expiresAt = formExpiry(attachment.createdAt, settings);
  return new AttachmentUpload(attachment, { ...form, expiresAt });
}
