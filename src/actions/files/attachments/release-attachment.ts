/** Releases a file from quarantine, for administrators. */
import type { Context } from '../../../context.js';
import { NotFound, PropertyConstraintViolation } from '../../../contract/errors.js';
import { recordEvents } from '../../../events/record.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { AttachmentEvent } from '../../../models/event.js';
import { demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { recordChange } from '../../base/history/record-change.js';

/**
 * @throws NotFound, MissingPermission
 * @throws PropertyConstraintViolation if the file is not in quarantine
 */
export async function releaseAttachment(
  context: Context,
  id: number | undefined,
): Promise<Attachment> {
  const { db, user } = context;
  const attachment = await demand(await find.attachment(context, id), () => user.admin);
  const now = context.clock().toISOString();
  return db.write.transaction(async (trx) => {
    const [row] = await db.lockRows(
      Attachment.query(trx).where({ id: attachment.id, phase: 'kept' }),
    );
    if (!row) throw new NotFound();
    if (row.status !== AttachmentStatus.QUARANTINED)
      throw new PropertyConstraintViolation('The file is not in quarantine.', 'status');
    const values = { status: AttachmentStatus.SCANNED, updatedAt: now };
    await Attachment.query(trx).findById(row.id).patch(values);
    if (row.containerRef)
      await recordChange(db, trx, row.containerRef, {
        authorId: user.id,
        changes: [{ action: 'attachmentReleased', fileName: row.fileName }],
        now,
      });
    const released = row.$set(values);
    await recordEvents(db, trx, [{ kind: AttachmentEvent.SCANNED, attachment: released }], now);
    return released;
  });
}
