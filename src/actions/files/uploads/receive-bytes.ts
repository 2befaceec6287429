/** Receives bytes of a resumable upload. The last byte completes it. */
import { setInterval } from 'node:timers';
import { BytesMissing, type ArrivingFile } from '../../../blobs/store.js';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { uploadUntil } from '../../../contract/unclaimed-until.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { ResumableUpload } from '../../../models/resumable-upload.js';
import { find } from '../../../policies/find.js';
import { demandWrites } from '../../../policies/can.js';
import { newToken } from '../../base/leases/lease.js';
import { markComplete } from './complete-upload.js';

/** An upload of the caller, as far as it has come. */
export interface Arrived {
  attachment: Attachment;
  upload: ResumableUpload;
  /** Bytes that have arrived. */
  offset: number;
}

/** A newer request goes on with the upload. */
export class TurnTaken extends Error {
  constructor() {
    super('A newer request goes on with this upload.');
    this.name = 'TurnTaken';
  }
}

/** How often a request looks whether a newer one has come, at another process. */
const LOOK_MS = 2_000;

/** Only its author can go on with an upload. @throws NotFound */
export async function findUpload(context: Context, id: number | undefined): Promise<Arrived> {
  const attachment = await find.attachment(context, id);
  const upload =
    attachment?.authorId === context.user.id &&
    (await ResumableUpload.query(context.db.write).findOne({ attachment_id: attachment.id }));
  if (!attachment || !upload) throw new NotFound();
  return { attachment, upload, offset: upload.receivedBytes };
}

/** Ends the turn of an older request. @returns the token of the turn */
export async function takeTurn(context: Context, { attachment, upload }: Arrived): Promise<string> {
  const writer = newToken();
  const now = context.clock();
  await context.db.write.transaction(async (trx) => {
    await ResumableUpload.query(trx)
      .findById(upload.id)
      .patch({ writer, updatedAt: now.toISOString() });
    await signOfLife(context, trx, attachment.id, now);
  });
  return writer;
}

/**
 * Stores the next bytes. What has arrived when the body fails stays.
 * @param body never has more bytes than the file
 * @returns how many bytes have arrived
 * @throws MissingPermission; TurnTaken; BytesMissing if the store has lost bytes, which must be sent again
 */
export async function receiveBytes(
  context: Context,
  { attachment, upload }: Arrived,
  {
    turn,
    offset,
    body,
    stop,
  }: {
    turn: string;
    offset: number;
    body: AsyncIterable<Uint8Array>;
    /** Ends the body. */
    stop: (reason: Error) => void;
  },
): Promise<number> {
  demandWrites(context);
  const { blobs, db, log } = context;
  const { stagingKey, fileSize } = attachment;
  if (stagingKey === null || offset >= fileSize) return upload.receivedBytes;
  const releaseSlot = context.uploads.acquire(context.caller, blobs.memoryOf(fileSize - offset));
  const mine = () => ResumableUpload.query(db.write).where({ id: upload.id, writer: turn });
  const looking = setInterval(() => {
    void mine()
      .resultSize()
      .then((count) => count === 0 && stop(new TurnTaken()))
      .catch(() => undefined);
  }, LOOK_MS).unref();
  let reached = offset;
  const file: ArrivingFile = { key: stagingKey, reference: upload.storeReference, size: fileSize };
  try {
    if (offset === 0 && file.reference === null) {
      file.reference = await blobs.begin(stagingKey);
      if ((await mine().patch({ storeReference: file.reference })) === 0) throw new TurnTaken();
    }
    await blobs.append(file, offset, body, async (end) => {
      if (end === fileSize) await blobs.finish(file);
      await confirm(context, { attachment, upload, turn, end });
      reached = end;
    });
  } catch (error) {
    if (error instanceof BytesMissing) {
      const { from } = error;
      log.warn({ attachment: attachment.id, from }, 'the blob store has lost bytes of an upload');
      await mine().patch({ receivedBytes: from, ...(from === 0 && { storeReference: null }) });
    }
    throw error;
  } finally {
    clearInterval(looking);
    releaseSlot();
  }
  return reached;
}

/** Records what a crash no longer takes. @throws TurnTaken */
async function confirm(
  context: Context,
  {
    attachment,
    upload,
    turn,
    end,
  }: {
    attachment: Attachment;
    upload: ResumableUpload;
    turn: string;
    end: number;
  },
): Promise<void> {
  const { db, clock, wake } = context;
  const now = clock();
  const isComplete = end === attachment.fileSize;
  await db.write.transaction(async (trx) => {
    const changed = await ResumableUpload.query(trx)
      .patch({ receivedBytes: end, updatedAt: now.toISOString() })
      .where({ id: upload.id, writer: turn });
    if (changed === 0) throw new TurnTaken();
    if (isComplete) await markComplete(context, trx, attachment);
    else await signOfLife(context, trx, attachment.id, now);
  });
  if (isComplete) wake();
}

/** An upload ends a week after it, by default. */
const signOfLife = (
  { settings }: Context,
  trx: Parameters<typeof Attachment.query>[0],
  id: number,
  now: Date,
) =>
  Attachment.query(trx)
    .patch({ expiresAt: uploadUntil(now, settings) })
    .where({ id, phase: 'kept', status: AttachmentStatus.PREPARED })
    .whereNull('lease_until');
