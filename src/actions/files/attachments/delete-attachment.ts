/** Deletes an attachment: hides it at once, then removes its object and its row. */
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { recordEvents } from '../../../events/record.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { AttachmentEvent } from '../../../models/event.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { markDeleting, purgeAttachments } from '../purge/purge-attachments.js';
import { recordChange } from '../../base/history/record-change.js';

/** @throws NotFound, MissingPermission */
export async function deleteAttachment(
  context: Context,
  id: number | undefined,
): Promise<Attachment> {
  const found = await find.attachment(context, id);
  const ref = found?.containerRef;
  const container = ref && (await context.loaders.containers.load(ref));
  const attachment = await demand(found, (row) =>
    can.deleteAttachment(context, row, ref?.type, container),
  );
  const now = context.clock().toISOString();
  const marked = await context.db.write.transaction(async (trx) => {
    const [row] = await context.db.lockRows(
      Attachment.query(trx).where({ id: attachment.id, phase: 'kept' }),
    );
    if (!row) throw new NotFound();
    // It was claimed or finalised after the permission check: check again.
    if (row.status !== attachment.status || !isDeepStrictEqual(row.containerRef, ref))
      return undefined;
    // A prepared upload is visible to its author only, so nothing is recorded.
    if (row.status !== AttachmentStatus.PREPARED) {
      if (ref)
        await recordChange(context.db, trx, ref, {
          authorId: context.user.id,
          changes: [{ action: 'attachmentRemoved', fileName: row.fileName }],
          now,
        });
      await recordEvents(
        context.db,
        trx,
        [{ kind: AttachmentEvent.DELETED, attachment: row }],
        now,
      );
    }
    return markDeleting(context, trx, [row]);
  });
  if (!marked) return deleteAttachment(context, id);
  await purgeAttachments(context, marked);
  // Perhaps the store refused its form.
  if (attachment.status === AttachmentStatus.PREPARED)
    void context
      .finishing(context.formSupport.check(context.origin))
      .catch((error: unknown) =>
        context.log.warn({ err: error }, 'the forms of the store could not be checked'),
      );
  return attachment;
}
