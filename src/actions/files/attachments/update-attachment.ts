/** Changes the name and the description of an attachment. */
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { recordEvents } from '../../../events/record.js';
import type { Change } from '../../../models/activity.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { AttachmentEvent } from '../../../models/event.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { recordChange } from '../../base/history/record-change.js';
import { renamedType } from './renamed-type.js';
import { validateChanges, type ChangedDetails } from './validate-name-and-description.js';

/**
 * Those who may delete the attachment may change it. What stays the same is not recorded.
 * @param requested undefined members stay as they are
 * @throws NotFound, MissingPermission, PropertyConstraintViolation
 */
export async function updateAttachment(
  context: Context,
  id: number | undefined,
  requested: ChangedDetails,
): Promise<Attachment> {
  const { db, user } = context;
  const found = await find.attachment(context, id);
  const ref = found?.containerRef;
  const container = found?.knownContainer;
  const attachment = await demand(found, (row) =>
    can.deleteAttachment(context, row, ref?.type, container),
  );
  const { fileName = attachment.fileName, descriptionText = attachment.descriptionText } =
    validateChanges(requested);
  const isRenamed = fileName !== attachment.fileName;
  if (!isRenamed && descriptionText === attachment.descriptionText) return attachment;
  const type = isRenamed ? await renamedType(context, attachment, fileName) : {};
  const now = context.clock().toISOString();
  const changed = await db.write.transaction(async (trx) => {
    const [row] = await db.lockRows(
      Attachment.query(trx).where({ id: attachment.id, phase: 'kept' }),
    );
    if (!row) throw new NotFound();
    // It was changed, claimed or finalised after it was read: begin again.
    if (!isSame(row, attachment)) return undefined;
    const changes: Change[] = [];
    const of = { fileName, attachmentDatabaseId: row.id };
    if (isRenamed) changes.push({ action: 'attachmentRenamed', ...of, formerName: row.fileName });
    if (descriptionText !== row.descriptionText)
      changes.push({ action: 'attachmentDescribed', ...of });
    const values = { fileName, descriptionText, ...type, updatedAt: now };
    await Attachment.query(trx).findById(row.id).patch(values);
    const updated = row.$set(values);
    // A prepared upload is visible to its author only, so nothing is recorded.
    if (row.status === AttachmentStatus.PREPARED) return updated;
    if (ref) await recordChange(db, trx, ref, { authorId: user.id, changes, now });
    await recordEvents(db, trx, [{ kind: AttachmentEvent.UPDATED, attachment: updated }], now);
    return updated;
  });
  return changed ?? updateAttachment(context, id, requested);
}

const isSame = (one: Attachment, other: Attachment): boolean =>
  isDeepStrictEqual(readOf(one), readOf(other));

/** What the change was decided by. */
const readOf = ({ status, containerRef, blobKey, fileName, descriptionText }: Attachment) => ({
  status,
  containerRef,
  blobKey,
  fileName,
  descriptionText,
});
