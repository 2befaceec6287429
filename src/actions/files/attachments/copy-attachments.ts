/** Copies attachments to a container. The copies share the objects of their originals. */
import type { Context } from '../../../context.js';
import { MissingPermission } from '../../../contract/errors.js';
import { whereContainerExists } from '../../../database/missing-reference.js';
import { recordEvents } from '../../../events/record.js';
import { Attachment } from '../../../models/attachment.js';
import { AttachmentEvent } from '../../../models/event.js';
import { can } from '../../../policies/can.js';
import { checkContainerRoom } from './check-container-room.js';
import { bytesOf, checkProjectRoom } from './check-project-room.js';
import {
  chosenAttachments,
  demandFinished,
  lockChosen,
  type RequestedIds,
} from './chosen-attachments.js';
import { demandTarget, type Target } from './move-attachments.js';
import { whyRefused } from './open-content.js';
import { lockContainers, recordChanges } from './record-changes.js';
import { placedIn } from './placed-in.js';

/**
 * It needs the right to download them, and to add where they go. The caller is the author of the
 * copies. An object is removed with the last row that names it: `purge` counts them.
 * @returns the copies, in the order of the originals
 * @throws NotFound, MissingPermission, PropertyConstraintViolation if the container is too full
 */
export async function copyAttachments(
  context: Context,
  ids: RequestedIds,
  to: Target,
): Promise<Attachment[]> {
  const { db, user } = context;
  const target = await demandTarget(context, to);
  const chosen = await chosenAttachments(context, ids, () => true);
  demandFinished(chosen);
  for (const row of chosen)
    if (!can.download(context, row)) throw new MissingPermission(whyRefused(row));
  const now = context.clock().toISOString();
  const copies = await whereContainerExists(
    db.write.transaction(async (trx) => {
      // A locked original is kept, so its object stays until the copy names it too.
      const rows = await lockChosen(context, trx, chosen);
      if (!rows) return undefined;
      await lockContainers(context, trx, [target]);
      const made: Attachment[] = [];
      for (const row of rows)
        made.push(
          await Attachment.query(trx)
            .insert({
              ...contentOf(row),
              ...placedIn(target),
              authorId: user.id,
              fileName: row.fileName,
              descriptionText: row.descriptionText,
              phase: 'kept',
              // Each row waits for its own scan.
              leaseUntil: row.leaseUntil === null ? null : now,
              createdAt: now,
              updatedAt: now,
            })
            .returning('*'),
        );
      await checkContainerRoom(context, trx, { ...target, adding: 0 });
      await checkProjectRoom(context, trx, target.projectId, bytesOf(made));
      await recordChanges(
        context,
        trx,
        made.map(({ id, fileName }) => ({
          container: target,
          change: { action: 'attachmentAdded', fileName, attachmentDatabaseId: id },
        })),
        { authorId: context.user.id, now },
      );
      await recordEvents(
        db,
        trx,
        made.map((attachment) => ({ kind: AttachmentEvent.CREATED, attachment })),
        now,
      );
      return made;
    }),
  );
  if (copies?.some(({ leaseUntil }) => leaseUntil !== null)) context.wake();
  return copies ?? copyAttachments(context, ids, to);
}

/** What a row says about its bytes. */
export const contentOf = ({
  fileSize,
  contentType,
  charset,
  digestAlgorithm,
  digestHash,
  status,
  scanNote,
  blobKey,
}: Attachment) => ({
  fileSize,
  contentType,
  charset,
  digestAlgorithm,
  digestHash,
  status,
  scanNote,
  blobKey,
});
