/** Turns a completed direct upload into an attachment, or rejects it. */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { BlobMissing } from '../../../blobs/store.js';
import type { Context } from '../../../context.js';
import {
  MissingPermission,
  NotFound,
  PropertyConstraintViolation,
} from '../../../contract/errors.js';
import { unclaimedUntil } from '../../../contract/unclaimed-until.js';
import { recordEvents } from '../../../events/record.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { AttachmentEvent } from '../../../models/event.js';
import { ResumableUpload } from '../../../models/resumable-upload.js';
import { can } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { AnalyzedContent } from '../attachments/analyze-content.js';
import type { DetectedType } from '../attachments/detect-type.js';
import { exchangeContents, replaceable } from '../attachments/exchange-contents.js';
import { scheduleOrphanRemoval } from '../purge/orphaned-objects.js';
import { markDeleting, markedRow, purge, purgeAttachments } from '../purge/purge-attachments.js';
import { isNamed } from '../purge/shared-objects.js';
import { recordChange, systemUserId } from '../../base/history/record-change.js';
import { holdAttachment } from '../../base/leases/attachment-queues.js';
import { LeaseLost } from '../../base/leases/lease.js';
import { leased } from '../../base/leases/queue.js';

/**
 * Finalises a row that the caller has leased.
 * An invalid upload is rejected: its object and row are removed, the reason is logged and recorded.
 * Any other error is thrown and leaves the row for another attempt.
 * @param context of the author of the upload
 * @param signal stops the work; the row can then be acquired again
 */
export async function finalizeUpload(
  context: Context,
  row: Attachment,
  signal: AbortSignal,
): Promise<void> {
  const { stagingKey } = row;
  if (stagingKey === null) throw new Error(`Attachment ${row.id} has no staging key.`);
  const lease = holdAttachment(context, row, signal);
  try {
    await checkPermission(context, row);
    const blobKey = await reserveKey(context, row);
    const content = await inspect(context, row, { stagingKey, blobKey, signal: lease.signal });
    if (row.replacesId === null) await keep(context, row, { ...content, blobKey });
    else await replace(context, row, content);
    context.log.info({ bytes: row.fileSize }, 'an upload was finalised');
    await removeStaged(context, stagingKey);
  } catch (error) {
    // Every object is missing in a store that lost its bucket or its disk. This throws then, and
    // the upload is retried later.
    if (error instanceof BlobMissing) await context.blobs.check();
    const reason = rejectionReason(error, stagingKey);
    if (reason !== undefined) await reject(context, row, reason);
    else if (error instanceof LeaseLost || lease.lost()) await abandon(context, row);
    else throw error;
  } finally {
    lease.stop();
  }
}

/** The upload is invalid and must be rejected. The message is the reason. */
class InvalidUpload extends Error {}

/** @returns why to reject the upload; undefined for an error that a retry may solve */
function rejectionReason(error: unknown, stagingKey: string): string | undefined {
  if (error instanceof NotFound || error instanceof MissingPermission)
    return 'The author may no longer replace the file, or it was deleted.';
  if (error instanceof InvalidUpload || error instanceof PropertyConstraintViolation)
    return error.message;
  // If only our copy is missing, the next attempt copies again.
  return error instanceof BlobMissing && error.key === stagingKey
    ? 'The file is no longer in the storage.'
    : undefined;
}

/** The author must still have the permission with which the upload was prepared. */
async function checkPermission(context: Context, row: Attachment): Promise<void> {
  if (row.replacesId !== null && context.user.status === 'active')
    return void (await replaceable(context, row.replacesId));
  const { containerRef } = row;
  const container =
    containerRef && (await find.container(context, containerRef.type, containerRef.id));
  const allowed = containerRef
    ? container && (await can.prepareUpload(context, containerRef.type, container))
    : await can.uploadUnclaimed(context);
  if (context.user.status !== 'active' || !allowed)
    throw new InvalidUpload('The author may no longer upload files here.');
}

/**
 * Gives every attempt its own key. A stalled process that wakes up then writes to a key that no
 * row names. The object of the previous attempt is removed while the row still names its key.
 */
async function reserveKey({ blobs, db, clock }: Context, row: Attachment): Promise<string> {
  if (row.attempts <= 1) return row.blobKey;
  await blobs.remove(row.blobKey);
  const blobKey = randomBytes(16).toString('hex');
  await db.write.transaction(async (trx) => {
    const changed = await leased(Attachment, trx, row).patch({ blobKey });
    if (changed === 0) throw new LeaseLost();
    // The store may still be copying for the previous attempt.
    await scheduleOrphanRemoval(trx, row.blobKey, { clock });
  });
  row.blobKey = blobKey;
  return blobKey;
}

interface Inspected extends DetectedType {
  digestHash: string;
}

/**
 * Copies the staged object, then inspects the copy.
 * The client can send the form again at any time, which replaces the staged object.
 */
async function inspect(
  { blobs, settings }: Context,
  row: Attachment,
  { stagingKey, blobKey, signal }: { stagingKey: string; blobKey: string; signal: AbortSignal },
): Promise<Inspected> {
  await blobs.copy(stagingKey, blobKey);
  signal.throwIfAborted();
  const [algorithm, declared] = row.declaredDigest?.split(':') ?? [];
  const content = new AnalyzedContent(await blobs.read(blobKey), settings, {
    extraAlgorithm: algorithm,
  });
  await consume(content, signal);
  if (content.size !== row.fileSize && (await blobs.stat(blobKey))?.size === row.fileSize)
    throw new Error('The store sent less than it has.');
  if (content.size !== row.fileSize)
    throw new InvalidUpload(`It has ${content.size} bytes instead of ${row.fileSize}.`);
  const { digestHash, extra } = content.digests();
  if (declared !== undefined && declared !== extra)
    throw new InvalidUpload(`Its ${algorithm} digest is ${extra} instead of ${declared}.`);
  return { ...(await content.allowedType(row.fileName)), digestHash };
}

async function consume(content: AnalyzedContent, signal: AbortSignal): Promise<void> {
  const stop = () => content.stop(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) stop();
    await content.consume();
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Makes the attachment visible and records it, in one transaction. */
async function keep(
  context: Context,
  row: Attachment,
  inspected: Inspected & { blobKey: string },
): Promise<void> {
  const { db, clock, settings, scanner, user, wake } = context;
  const now = clock();
  const time = now.toISOString();
  await db.write.transaction(async (trx) => {
    // It may have been claimed since, and then has a container.
    const current = await lockAgain(context, trx, row);
    const ref = current.containerRef;
    const values = {
      ...inspected,
      digestAlgorithm: settings.digestAlgorithm,
      status: AttachmentStatus.UPLOADED,
      stagingKey: null,
      declaredDigest: null,
      leaseUntil: scanner ? time : null,
      leaseToken: null,
      attempts: 0,
      updatedAt: time,
      expiresAt: ref ? null : unclaimedUntil(now, settings),
    };
    await Attachment.query(trx).findById(row.id).patch(values);
    if (ref)
      await recordChange(db, trx, ref, {
        authorId: user.id,
        changes: [
          { action: 'attachmentAdded', fileName: row.fileName, attachmentDatabaseId: row.id },
        ],
        now: time,
      });
    await recordEvents(
      db,
      trx,
      [{ kind: AttachmentEvent.CREATED, attachment: current.$set(values) }],
      time,
    );
  });
  if (scanner) wake();
}

/** Gives the content to the attachment that the upload replaces. */
async function replace(context: Context, row: Attachment, inspected: Inspected): Promise<void> {
  const { fileName, fileSize } = row;
  await exchangeContents(context, {
    chosen: await replaceable(context, row.replacesId ?? undefined),
    stored: { fileName, fileSize, ...inspected },
    lockOther: async (trx) => {
      // The row gets the former content, which nobody has sent.
      await ResumableUpload.query(trx).delete().where({ attachment_id: row.id });
      return lockAgain(context, trx, row);
    },
  });
}

async function lockAgain({ db }: Context, trx: Knex, row: Attachment): Promise<Attachment> {
  const [current] = await db.lockRows(
    leased(Attachment, trx, row).where('phase', 'kept').whereRaw("status = 'prepared'"),
  );
  if (!current) throw new LeaseLost();
  return current;
}

async function removeStaged({ blobs, log }: Context, stagingKey: string): Promise<void> {
  try {
    await blobs.remove(stagingKey);
  } catch (error) {
    log.warn({ err: error }, 'the staged file is still stored; the cleanup tries again');
  }
}

/** Removes object and row, and records the reason for the author and the container's history. */
async function reject(context: Context, row: Attachment, reason: string): Promise<void> {
  const { db, clock, log } = context;
  const now = clock().toISOString();
  const marked = await db.write.transaction(async (trx) => {
    const [current] = await db.lockRows(leased(Attachment, trx, row).where('phase', 'kept'));
    if (!current) return undefined;
    // Not as the author, who may have lost the permission to write there.
    if (current.containerRef)
      await recordChange(db, trx, current.containerRef, {
        authorId: await systemUserId(trx),
        changes: [
          {
            action: 'attachmentRejected',
            fileName: row.fileName,
            attachmentDatabaseId: row.id,
            reason,
          },
        ],
        now,
      });
    await recordEvents(
      db,
      trx,
      [{ kind: AttachmentEvent.REJECTED, attachment: current, reason }],
      now,
    );
    // This attempt has ended. Without its lease, `markDeleting` can lease the row for the purge.
    // Only earlier attempts may still write to the object, so this one is not counted.
    return markDeleting(context, trx, [
      current.$set({ leaseToken: null, attempts: row.attempts - 1 }),
    ]);
  });
  if (!marked) return abandon(context, row);
  log.warn({ reason }, 'an upload was rejected');
  await purgeAttachments(context, marked);
}

/**
 * Removes our copy after the lease was lost.
 * A row that was deleted under our lease leaves its objects and itself to us.
 */
async function abandon(context: Context, row: Attachment): Promise<void> {
  const current = await Attachment.query(context.db.write).findById(row.id);
  if (current?.phase === 'deleting' && current.leaseToken === row.leaseToken)
    await purge(context, markedRow(current, true));
  // The commit may have succeeded. Then the file, a copy or the trash has our copy of the bytes.
  else if (!(await isNamed(context.db.write, row.blobKey))) await context.blobs.remove(row.blobKey);
}
