/** Prepares a direct upload: a pending attachment with a form that sends its file to the store. */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { STAGING } from '../../blobs/store.js';
import type { Context } from '../../context.js';
import { containerKinds } from '../../contract/container-kinds.js';
import { MissingPermission, PropertyConstraintViolation } from '../../contract/errors.js';
import { unclaimedUntil } from '../../contract/unclaimed-until.js';
import { Attachment, AttachmentStatus } from '../../models/attachment.js';
import { AttachmentUpload } from '../../models/attachment-upload.js';
import type { ContainerRecord, ContainerType } from '../../models/container.js';
import { timestamps } from '../../models/record.js';
import { User } from '../../models/user.js';
import { can, demand } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { whereContainerExists } from '../../database/missing-reference.js';
import { demandReadableBody } from '../validation/demand-valid.js';
import { validateUpload, type UploadDetails, type ValidUpload } from './validate-upload.js';

export interface NewUpload {
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
  const { blobs, settings } = context;
  demandReadableBody(context);
  if (!blobs.directUpload)
    throw new PropertyConstraintViolation(
      'Direct upload is not available due to a system configuration. ' +
        'Use the regular upload instead.',
      'base',
    );
  const valid = validateUpload(context, details);
  // The client can send the form again after the upload is finished, so its key is never served.
  const stagingKey = STAGING + randomBytes(16).toString('hex');
  const form = await blobs.directUpload(stagingKey, {
    size: valid.fileSize,
    contentType: valid.contentType,
    seconds: settings.uploadUrlSeconds,
  });
  const attachment = await reserve(context, container, valid, stagingKey);
  return new AttachmentUpload(attachment, form);
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
  valid: ValidUpload,
  stagingKey: string,
): Promise<Attachment> {
  const { user, db, clock, settings } = context;
  const now = clock();
  const expiresAt = unclaimedUntil(now, settings);
  return whereContainerExists(
    db.write.transaction(async (trx) => {
      await checkQuota(context, trx, valid.fileSize);
      const attachment = await Attachment.query(trx)
        .insert({
          ...(container && { [containerKinds[container.type].foreignKey]: container.row.id }),
          authorId: user.id,
          ...valid,
          digestAlgorithm: settings.digestAlgorithm,
          digestHash: '',
          status: AttachmentStatus.prepared,
          phase: 'kept',
          blobKey: randomBytes(16).toString('hex'),
          stagingKey,
          expiresAt,
          ...timestamps(now.toISOString()),
        })
        .returning('*');
      attachment.knownContainer = container?.row;
      return attachment;
    }),
  );
}

/**
 * Checks the limits for pending uploads of a user.
 * Locks the user's row, so that two concurrent requests cannot both use the last of them.
 * @throws PropertyConstraintViolation
 */
async function checkQuota(
  { user, db, settings: { pendingUploads, pendingUploadBytes } }: Context,
  trx: Knex,
  fileSize: number,
): Promise<void> {
  await db.lockRows(User.query(trx).findById(user.id).select('id'));
  // PostgreSQL returns counts and sums as text, and the sum of no rows is null.
  const pending = (await trx('attachments')
    .where('author_id', user.id)
    .where('phase', 'kept')
    .whereRaw("status = 'prepared'")
    .count('* as uploads')
    .sum('file_size as bytes')
    .first()) as { uploads: number | string; bytes: number | string | null };
  if (Number(pending.uploads) >= pendingUploads)
    throw new PropertyConstraintViolation(
      `Too many uploads are pending (maximum is ${pendingUploads}). ` +
        'Complete or delete some of them first.',
      'base',
    );
  if (Number(pending.bytes) + fileSize > pendingUploadBytes)
    throw new PropertyConstraintViolation(
      `The pending uploads are too large together (maximum is ${pendingUploadBytes} Bytes). ` +
        'Complete or delete some of them first.',
      'base',
    );
}
