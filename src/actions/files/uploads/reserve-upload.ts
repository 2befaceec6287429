/** The pending attachment of an upload whose bytes come later. */
import { randomBytes } from 'node:crypto';
import { STAGING } from '../../../blobs/store.js';
import type { Context } from '../../../context.js';
import { MissingPermission } from '../../../contract/errors.js';
import type { Database } from '../../../database/index.js';
import { whereContainerExists } from '../../../database/missing-reference.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import type { ContainerRecord, ContainerType } from '../../../models/container.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { checkContainerRoom } from '../attachments/check-container-room.js';
import { checkProjectRoom } from '../attachments/check-project-room.js';
import { checkPendingUploads } from '../attachments/check-pending-uploads.js';
import { replaceable } from '../attachments/exchange-contents.js';
import type { NewUpload, ValidUpload } from './validate-upload.js';
import { placedIn } from '../attachments/placed-in.js';

interface Container {
  type: ContainerType;
  row: ContainerRecord;
}

export const newStagingKey = (): string => STAGING + randomBytes(16).toString('hex');

/** @returns the container; undefined for an upload without one */
export async function permitted(
  context: Context,
  { container: requested, replaces }: Pick<NewUpload, 'container' | 'replaces'>,
): Promise<Container | undefined> {
  if (replaces) {
    const { containerRef, knownContainer } = await replaceable(context, replaces.id);
    if (context.user.anonymous) throw new MissingPermission();
    return containerRef && knownContainer && { type: containerRef.type, row: knownContainer };
  }
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

type NewRow = ValidUpload &
  Pick<Attachment, 'createdAt' | 'updatedAt' | 'expiresAt'> & {
    stagingKey: string;
    uploadKey?: string | undefined;
  };

/**
 * @param further belongs to the same transaction
 * @throws NotFound if the container is gone, PropertyConstraintViolation if a limit is reached
 */
export async function reserveUpload(
  context: Context,
  container: Container | undefined,
  row: NewRow,
  further?: (trx: Transaction, attachment: Attachment) => Promise<unknown>,
): Promise<Attachment> {
  const { user, db, settings } = context;
  return whereContainerExists(
    db.write.transaction(async (trx) => {
      await checkPendingUploads(context, trx, row.fileSize);
      if (container)
        await checkContainerRoom(context, trx, {
          type: container.type,
          id: container.row.id,
          adding: 1,
        });
      const attachment = await Attachment.query(trx)
        .insert({
          ...(container && placeOf(container)),
          authorId: user.id,
          ...row,
          digestAlgorithm: settings.digestAlgorithm,
          digestHash: '',
          status: AttachmentStatus.PREPARED,
          phase: 'kept',
          blobKey: randomBytes(16).toString('hex'),
        })
        .returning('*');
      await checkProjectRoom(context, trx, container?.row.projectId, row.fileSize);
      await further?.(trx, attachment);
      attachment.knownContainer = container?.row;
      return attachment;
    }),
  );
}

const placeOf = ({ type, row: { id, projectId } }: Container) => placedIn({ type, id, projectId });

type Transaction = Parameters<Parameters<Database['write']['transaction']>[0]>[0];
