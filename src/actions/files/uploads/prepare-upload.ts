/** Prepares a direct upload: a pending attachment with a form that sends its file to the store. */
import { randomBytes } from 'node:crypto';
import { STAGING } from '../../../blobs/store.js';
import type { Context } from '../../../context.js';
import { containerKinds } from '../../../contract/container-kinds.js';
import { MissingPermission, PropertyConstraintViolation } from '../../../contract/errors.js';
import { formExpiry, unclaimedUntil } from '../../../contract/unclaimed-until.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { AttachmentUpload } from '../../../models/attachment-upload.js';
import type { ContainerRecord, ContainerType } from '../../../models/container.js';
import { timestamps } from '../../../models/record.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { whereContainerExists } from '../../../database/missing-reference.js';
import { checkContainerRoom } from '../attachments/check-container-room.js';
import { checkPendingUploads } from '../attachments/check-pending-uploads.js';
import { demandReadableBody } from '../../base/validation/demand-valid.js';
import { validateUpload, type UploadDetails, type ValidUpload } from './validate-upload.js';

interface NewUpload {
  container?: { type: ContainerType; id: number | undefined } | undefined;
  details: UploadDetails;
}

/**
 * Anonymous callers get 403.
 * @throws NotFound, MissingPermission
 * @throws PropertyConstraintViolation also if the store supports no direct uploads
 */
export async function prepareUpload(
  context: Context,
  { container: requested, details }: NewUpload,
): Promise<AttachmentUpload> {
  const container = await permitted(context, requested);
  const { blobs, formSupport, settings } = context;
  demandReadableBody(context);
  if (!blobs.directUpload || !formSupport.isAvailable(context.origin))
    throw new PropertyConstraintViolation(
      'Direct upload is not available due to a system configuration. ' +
        'Use the regular upload instead.',
      'base',
    );
  const valid = validateUpload(context, details);
  // The client can send the form again after the upload is finished, so its key is never served.
  const stagingKey = STAGING + randomBytes(16).toString('hex');
  // Taken before the store signs the form, so the form is valid until `formExpiry` at least.
  const now = context.clock();
  const form = await blobs.directUpload(stagingKey, {
    size: valid.fileSize,
    contentType: valid.contentType,
    seconds: settings.uploadUrlSeconds,
  });
  const attachment = await reserve(context, container, { ...valid, stagingKey }, now);
  const expiresAt = formExpiry(attachment.createdAt, settings);
  return new AttachmentUpload(attachment, { ...form, expiresAt });
}

interface Container {
  type: ContainerType;
  row: ContainerRecord;
}

/** @returns the container; undefined for an upload without one */
async function permitted(
  context: Context,
  requested: NewUpload['container'],
): Promise<Container | undefined> {
  if (requested) {
    const { type, id } = requested;
    const row = await demand(await find.container(context, type, id), (found) =>
      can.prepareUpload(context, type, found),
    );
    return { type, row };
  }
  if (!(await can.uploadUnclaimed(context))) throw new MissingPermission();
  return undefined;
}

async function reserve(
  context: Context,
  container: Container | undefined,
  valid: ValidUpload & { stagingKey: string },
  now: Date,
): Promise<Attachment> {
  const { user, db, settings } = context;
  const expiresAt = unclaimedUntil(now, settings);
  return whereContainerExists(
    db.write.transaction(async (trx) => {
      await checkPendingUploads(context, trx, valid.fileSize);
      if (container)
        await checkContainerRoom(context, trx, {
          type: container.type,
          id: container.row.id,
          adding: 1,
        });
      const attachment = await Attachment.query(trx)
        .insert({
          ...(container && { [containerKinds[container.type].foreignKey]: container.row.id }),
          authorId: user.id,
          ...valid,
          digestAlgorithm: settings.digestAlgorithm,
          digestHash: '',
          status: AttachmentStatus.PREPARED,
          phase: 'kept',
          blobKey: randomBytes(16).toString('hex'),
          expiresAt,
          ...timestamps(now.toISOString()),
        })
        .returning('*');
      attachment.knownContainer = container?.row;
      return attachment;
    }),
  );
}
