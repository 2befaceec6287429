/** Replaces the content of an attachment, which keeps its id and description. */
import type { Knex } from 'knex';
import type { Context } from '../../../context.js';
import { containerKinds } from '../../../contract/container-kinds.js';
import { recordEvents } from '../../../events/record.js';
import type { IncomingFile } from '../../../http/incoming-file.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { AttachmentEvent } from '../../../models/event.js';
import { demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { recordChange } from '../../base/history/record-change.js';
import { leased } from '../../base/leases/queue.js';
import { demandValid } from '../../base/validation/demand-valid.js';
import { purgeAttachments, type MarkedAttachment } from '../purge/purge-attachments.js';
import { discardAttachments } from '../purge/trash.js';
import { demandFinished, lockChosen, mayDelete } from './chosen-attachments.js';
import { contentOf } from './copy-attachments.js';
import { interruption } from './keep-attachment.js';
import type { Container } from './reserve-attachment.js';
import { storeFile } from './store-file.js';
import type { Stored } from './stored.js';

interface Replacement {
  id: number | undefined;
  file: IncomingFile;
  /** Absent: the name that the client sends with the file. */
  fileName: unknown;
}

/**
 * Those who may delete the attachment may replace it. The new bytes arrive under a hidden row, as
 * in every upload. One transaction exchanges the contents of the two rows, and deletes the hidden
 * one with the former content: it goes to the trash.
 * @throws NotFound, MissingPermission, PropertyConstraintViolation, InvalidRequestBody, Overloaded
 */
export const replaceAttachment = (context: Context, replacement: Replacement) =>
  context.finishing(replace(context, replacement));

async function replace(context: Context, { id, file, fileName }: Replacement): Promise<Attachment> {
  const chosen = await permitted(context, id);
  demandValid(context);
  const ref = chosen.containerRef;
  const row = chosen.knownContainer;
  const container = ref && row && { type: ref.type, row };
  return storeFile(context, container, {
    file,
    details: { fileName: fileName ?? file.partName, description: chosen.descriptionText },
    recheck: async () => void (await permitted(context, id)),
    keep: (hidden, stored) => exchange(context, { chosen, hidden, stored, container }),
  });
}

async function permitted(context: Context, id: number | undefined): Promise<Attachment> {
  const chosen = await demand(await find.attachment(context, id), (row) => mayDelete(context, row));
  demandFinished([chosen]);
  return chosen;
}

interface Exchange {
  chosen: Attachment;
  hidden: Attachment;
  stored: Stored;
  container: Container | undefined;
}

async function exchange(
  context: Context,
  { chosen, hidden, stored, container }: Exchange,
): Promise<Attachment> {
  const { db, scanner } = context;
  const done = await db.write.transaction(async (trx) => {
    const rows = await lockChosen(context, trx, [chosen]);
    const [fresh] = await db.lockRows(leased(Attachment, trx, hidden).where('phase', 'storing'));
    if (!fresh) throw await interruption(db, container);
    return rows?.[0] && writeExchange(context, trx, { current: rows[0], fresh, stored });
  });
  // It was moved, scanned or replaced meanwhile.
  if (!done)
    return exchange(context, {
      chosen: await permitted(context, chosen.id),
      hidden,
      stored,
      container,
    });
  if (scanner) context.wake();
  await purgeAttachments(context, done.marked);
  return done.replaced;
}

async function writeExchange(
  context: Context,
  trx: Knex,
  { current, fresh, stored }: { current: Attachment; fresh: Attachment; stored: Stored },
): Promise<{ replaced: Attachment; marked: MarkedAttachment[] }> {
  const { db, user, clock, scanner, settings } = context;
  const now = clock().toISOString();
  const ref = current.containerRef;
  const former = {
    ...contentOf(current),
    ...(ref && { [containerKinds[ref.type].foreignKey]: ref.id }),
    fileName: current.fileName,
    descriptionText: current.descriptionText,
    authorId: current.authorId,
    createdAt: current.createdAt,
    phase: 'kept' as const,
    replacedById: current.id,
    leaseUntil: null,
    leaseToken: null,
    expiresAt: null,
  };
  const { fileName, fileSize, contentType, charset, digestHash } = stored;
  const values = {
    fileName,
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
  const formerName = current.fileName;
  const marked = await discardAttachments(context, trx, [fresh.$set(former)], user);
  if (ref)
    await recordChange(db, trx, ref, {
      authorId: user.id,
      changes: [{ action: 'attachmentReplaced', fileName, formerName }],
      now,
    });
  const replaced = current.$set(values);
  await recordEvents(db, trx, [{ kind: AttachmentEvent.REPLACED, attachment: replaced }], now);
  return { replaced, marked };
}
