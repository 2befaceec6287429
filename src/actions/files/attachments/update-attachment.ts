/** Changes the description of an attachment. */
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { recordEvents } from '../../../events/record.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { AttachmentEvent } from '../../../models/event.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { recordChange } from '../../base/history/record-change.js';
import { validateDescription } from './validate-name-and-description.js';

/**
 * Those who may delete the attachment may change it. A description that stays is not recorded.
 * @param description undefined to leave it as it is
 * @throws NotFound, MissingPermission, PropertyConstraintViolation
 */
export async function updateAttachment(
  context: Context,
  id: number | undefined,
  description: string | null | undefined,
): Promise<Attachment> {
  const { db, user } = context;
  const found = await find.attachment(context, id);
  const ref = found?.containerRef;
  const container = found?.knownContainer;
  const attachment = await demand(found, (row) =>
    can.deleteAttachment(context, row, ref?.type, container),
  );
  if (description === undefined) return attachment;
  const descriptionText = validateDescription(description);
  const now = context.clock().toISOString();
  const changed = await db.write.transaction(async (trx) => {
    const [row] = await db.lockRows(
      Attachment.query(trx).where({ id: attachment.id, phase: 'kept' }),
    );
    if (!row) throw new NotFound();
    // It was claimed or finalised after the permission check: check again.
    if (row.status !== attachment.status || !isDeepStrictEqual(row.containerRef, ref))
      return undefined;
    if (row.descriptionText === descriptionText) return row;
    const values = { descriptionText, updatedAt: now };
    await Attachment.query(trx).findById(row.id).patch(values);
    const updated = row.$set(values);
    // A prepared upload is visible to its author only, so nothing is recorded.
    if (row.status === AttachmentStatus.PREPARED) return updated;
    if (ref)
      await recordChange(db, trx, ref, {
        authorId: user.id,
        changes: [{ action: 'attachmentDescribed', fileName: row.fileName }],
        now,
      });
    await recordEvents(db, trx, [{ kind: AttachmentEvent.UPDATED, attachment: updated }], now);
    return updated;
  });
  return changed ?? updateAttachment(context, id, description);
}
