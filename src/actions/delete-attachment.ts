/** Removes an attachment (interface 7.6): hidden at once, its bytes and row follow. */
import type { Context } from '../context.js';
import { NotFound } from '../errors.js';
import { Attachment } from '../models/attachment.js';
import { can, demand } from '../policies/can.js';
import { find } from '../policies/find.js';
import { purgeAttachments } from './purge-attachments.js';
import { recordChange } from './record-change.js';

/** @throws NotFound, MissingPermission */
export async function deleteAttachment(context: Context, id: number | undefined): Promise<Attachment> {
  const seen = await find.attachment(context, id);
  const ref = seen?.containerRef;
  const container = ref && (await context.loaders.containers.load(ref));
  const attachment = await demand(seen, (row) => can.deleteAttachment(context, row, ref?.type, container));
  const now = context.clock().toISOString();
  await context.db.write.transaction(async (trx) => {
    const marked = await Attachment.query(trx).patch({ phase: 'deleting', updatedAt: now }).where({ id: attachment.id, phase: 'kept' });
    if (marked === 0) throw new NotFound();
    if (ref && attachment.status !== 'prepared') await recordChange(trx, ref, context.user.id, [{ action: 'attachmentRemoved', fileName: attachment.fileName }], now);
  });
  await purgeAttachments(context, [attachment]);
  return attachment;
}
