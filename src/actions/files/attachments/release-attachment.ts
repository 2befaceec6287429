/** Releases a file and its copies from quarantine, for administrators. */
import type { Context } from '../../../context.js';
import { NotFound, PropertyConstraintViolation } from '../../../contract/errors.js';
import { recordEvents } from '../../../events/record.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { AttachmentEvent } from '../../../models/event.js';
import { demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { lockRowsOf } from '../purge/shared-objects.js';
import { auditAttachment } from './audit-attachment.js';
import { recordChanges } from './record-changes.js';

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
    // What is said of these bytes concerns all copies.
    const rows = await lockRowsOf(db, trx, attachment.blobKey);
    const row = rows.find(({ id, phase }) => id === attachment.id && phase === 'kept');
    if (!row) throw new NotFound();
    if (row.status !== AttachmentStatus.QUARANTINED)
      throw new PropertyConstraintViolation('The file is not in quarantine.', 'status');
    const values = { status: AttachmentStatus.SCANNED, updatedAt: now };
    const released = rows.filter(
      ({ phase, status }) => phase === 'kept' && status === AttachmentStatus.QUARANTINED,
    );
    await Attachment.query(trx)
      .patch(values)
      .whereIn(
        'id',
        released.map(({ id }) => id),
      );
    await recordChanges(
      context,
      trx,
      released.flatMap(({ id, containerRef: container, fileName }) =>
        container
          ? [
              {
                container,
                change: { action: 'attachmentReleased', fileName, attachmentDatabaseId: id },
              },
            ]
          : [],
      ),
      { authorId: user.id, now },
    );
    for (const one of released) await auditAttachment(context, trx, 'ATTACHMENT_RELEASED', one);
    await recordEvents(
      db,
      trx,
      released.map((one) => ({ kind: AttachmentEvent.SCANNED, attachment: one.$set(values) })),
      now,
    );
    return row;
  });
}
