/** Deletes attachments: hides them at once, and keeps them in the trash or removes them. */
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { recordEvents } from '../../../events/record.js';
import { AttachmentStatus, type Attachment } from '../../../models/attachment.js';
import { AttachmentEvent } from '../../../models/event.js';
import { purgeAttachments } from '../purge/purge-attachments.js';
import { discardAttachments } from '../purge/trash.js';
import { auditAttachment } from './audit-attachment.js';
import {
  chosenAttachments,
  lockChosen,
  mayDelete,
  type RequestedIds,
} from './chosen-attachments.js';
import { recordChanges } from './record-changes.js';

/**
 * Deletes all of them or none.
 * @returns what they were before
 * @throws NotFound, MissingPermission
 */
export async function deleteAttachments(
  context: Context,
  ids: RequestedIds,
): Promise<Attachment[]> {
  const chosen = await chosenAttachments(context, ids, (row) => mayDelete(context, row));
  const now = context.clock().toISOString();
  const marked = await context.db.write.transaction(async (trx) => {
    const rows = await lockChosen(context, trx, chosen);
    if (!rows) return undefined;
    // A prepared upload is visible to its author only, so nothing is recorded.
    const finished = rows.filter(({ status }) => status !== AttachmentStatus.PREPARED);
    await recordChanges(
      context,
      trx,
      finished.flatMap(({ id, containerRef: container, fileName }) =>
        container
          ? {
              container,
              change: { action: 'attachmentRemoved', fileName, attachmentDatabaseId: id },
            }
          : [],
      ),
      { authorId: context.user.id, now },
    );
    await recordEvents(
      context.db,
      trx,
      finished.map((attachment) => ({ kind: AttachmentEvent.DELETED, attachment })),
      now,
    );
    for (const row of finished.filter(({ status }) => status === AttachmentStatus.QUARANTINED))
      await auditAttachment(context, trx, 'QUARANTINED_ATTACHMENT_DELETED', row);
    return discardAttachments(context, trx, rows, context.user);
  });
  if (!marked) return deleteAttachments(context, ids);
  await purgeAttachments(context, marked);
  // Perhaps the store refused its form.
  if (chosen.some(({ status }) => status === AttachmentStatus.PREPARED))
    void context
      .finishing(context.formSupport.check(context.origin))
      .catch((error: unknown) =>
        context.log.warn({ err: error }, 'the forms of the store could not be checked'),
      );
  return chosen;
}

/** @returns what it was before @throws NotFound, MissingPermission */
export async function deleteAttachment(
  context: Context,
  id: number | undefined,
): Promise<Attachment> {
  const [deleted] = await deleteAttachments(context, [id]);
  if (!deleted) throw new NotFound();
  return deleted;
}
