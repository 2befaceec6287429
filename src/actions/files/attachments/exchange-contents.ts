/** Exchanges the content of an attachment with that of a row whose bytes have just been stored. */
import type { Knex } from 'knex';
import type { Context } from '../../../context.js';
import { recordEvents } from '../../../events/record.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { AttachmentEvent } from '../../../models/event.js';
import { ResumableUpload } from '../../../models/resumable-upload.js';
import { demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { recordChange } from '../../base/history/record-change.js';
import { purgeAttachments, type MarkedAttachment } from '../purge/purge-attachments.js';
import { discardAttachments } from '../purge/trash.js';
import { demandFinished, lockChosen, mayDelete } from './chosen-attachments.js';
import { contentOf } from './copy-attachments.js';
import { placedIn } from './placed-in.js';
import type { Stored } from './stored.js';

/** Those who may delete an attachment may replace it. @throws NotFound, MissingPermission */
export async function replaceable(context: Context, id: number | undefined): Promise<Attachment> {
  const chosen = await demand(await find.attachment(context, id), (row) => mayDelete(context, row));
  demandFinished([chosen]);
  return chosen;
}

type NewContent = Omit<Stored, 'descriptionText'>;

interface Exchange {
  /** What `replaceable` returned. */
  chosen: Attachment;
  stored: NewContent;
  /** Locks the row with the new bytes. It is newer than the attachment. */
  lockOther: (trx: Knex) => Promise<Attachment>;
}

/**
 * One transaction exchanges the contents of the two rows, and deletes the other one with the
 * former content: it goes to the trash.
 * @throws NotFound, MissingPermission
 */
export async function exchangeContents(
  context: Context,
  { chosen, stored, lockOther }: Exchange,
): Promise<Attachment> {
  const { db, scanner } = context;
  const done = await db.write.transaction(async (trx) => {
    const rows = await lockChosen(context, trx, [chosen]);
    const fresh = await lockOther(trx);
    return rows?.[0] && writeExchange(context, trx, { current: rows[0], fresh, stored });
  });
  // It was moved, scanned or replaced meanwhile.
  if (!done) {
    const again = await replaceable(context, chosen.id);
    return exchangeContents(context, { chosen: again, stored, lockOther });
  }
  if (scanner) context.wake();
  await purgeAttachments(context, done.marked);
  return done.replaced;
}

async function writeExchange(
  context: Context,
  trx: Knex,
  { current, fresh, stored }: { current: Attachment; fresh: Attachment; stored: NewContent },
): Promise<{ replaced: Attachment; marked: MarkedAttachment[] }> {
  const { db, user, clock, scanner, settings } = context;
  const now = clock().toISOString();
  const ref = current.containerRef;
  const former = {
    ...contentOf(current),
    ...placedIn(ref && { ...ref, projectId: current.projectId }),
    fileName: current.fileName,
    descriptionText: current.descriptionText,
    authorId: current.authorId,
    createdAt: current.createdAt,
    phase: 'kept' as const,
    replacedById: current.id,
    replacesId: null,
    stagingKey: null,
    declaredDigest: null,
    leaseUntil: null,
    leaseToken: null,
    expiresAt: null,
  };
  const { fileName, fileSize, contentType, charset, digestHash } = stored;
  const values = {
    fileName,
    descriptionText: current.descriptionText,
    fileSize,
    contentType,
    charset,
    digestHash,
    digestAlgorithm: settings.digestAlgorithm,
    blobKey: fresh.blobKey,
    status: AttachmentStatus.UPLOADED,
    scanNote: null,
    leaseUntil: scanner ? now : null,
    leaseToken: null,
    attempts: 0,
    updatedAt: now,
  };
  await Attachment.query(trx).findById(fresh.id).patch(former);
  await Attachment.query(trx).findById(current.id).patch(values);
  // Neither row has the content any more that an upload brought to it.
  await ResumableUpload.query(trx).delete().whereIn('attachment_id', [current.id, fresh.id]);
  const formerName = current.fileName;
  const marked = await discardAttachments(context, trx, [fresh.$set(former)], user);
  if (ref)
    await recordChange(db, trx, ref, {
      authorId: user.id,
      changes: [
        { action: 'attachmentReplaced', fileName, formerName, attachmentDatabaseId: current.id },
      ],
      now,
    });
  const replaced = current.$set(values);
  await recordEvents(db, trx, [{ kind: AttachmentEvent.REPLACED, attachment: replaced }], now);
  return { replaced, marked };
}
