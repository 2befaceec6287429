/** Restores attachments from the trash, with their ids. */
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { recordEvents } from '../../../events/record.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { AttachmentEvent } from '../../../models/event.js';
import { find } from '../../../policies/find.js';
import { NOT_DELETED } from '../purge/trash.js';
import { checkContainerRoom } from './check-container-room.js';
import type { RequestedIds } from './chosen-attachments.js';
import { recordChanges, type ContainerChange } from './record-changes.js';

/**
 * Those who may delete files of a container see its trash, and restore from it.
 * @throws NotFound, PropertyConstraintViolation if a container would be too full
 */
export async function restoreAttachments(
  context: Context,
  ids: RequestedIds,
): Promise<Attachment[]> {
  const { db, scanner } = context;
  const known = [...new Set(ids.filter((id) => id !== undefined))];
  const found = await find.deletedAttachment.many(context, known);
  if (found.length < known.length || ids.includes(undefined)) throw new NotFound();
  const now = context.clock().toISOString();
  const restored = await db.write.transaction(async (trx) => {
    const rows = await db.lockRows(
      Attachment.query(trx).whereIn('id', known).where('phase', 'deleted').orderBy('id'),
    );
    if (rows.length < known.length) throw new NotFound();
    for (const row of rows) {
      const isUnscanned =
        row.status === AttachmentStatus.UPLOADED || row.status === AttachmentStatus.RESCAN;
      const values = {
        ...NOT_DELETED,
        phase: 'kept' as const,
        leaseUntil: scanner && isUnscanned ? now : null,
        updatedAt: now,
      };
      await Attachment.query(trx).findById(row.id).patch(values);
      row.$set(values);
    }
    const changes = rows.flatMap(({ id, containerRef: container, fileName }): ContainerChange[] =>
      container
        ? [
            {
              container,
              change: { action: 'attachmentRestored', fileName, attachmentDatabaseId: id },
            },
          ]
        : [],
    );
    for (const { container } of changes)
      await checkContainerRoom(context, trx, { ...container, adding: 0 });
    await recordChanges(context, trx, changes, { authorId: context.user.id, now });
    await recordEvents(
      db,
      trx,
      rows.map((attachment) => ({ kind: AttachmentEvent.RESTORED, attachment })),
      now,
    );
    return rows;
  });
  if (restored.some(({ leaseUntil }) => leaseUntil !== null)) context.wake();
  const byId = new Map(restored.map((row) => [row.id, row]));
  return known.flatMap((id) => byId.get(id) ?? []);
}
