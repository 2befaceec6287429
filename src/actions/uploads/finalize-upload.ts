/** Turns a completed upload into an attachment, or removes it (interface section 3, decisions 5). Runs in the background, as the author. */
import { randomBytes } from 'node:crypto';
import { BlobMissing } from '../../blobs/store.js';
import type { Context } from '../../context.js';
import { PropertyConstraintViolation } from '../../contract/errors.js';
import { recordEvents } from '../../events/record.js';
import { Attachment, AttachmentStatus } from '../../models/attachment.js';
import { AttachmentEvent } from '../../models/event.js';
import { can } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { Content } from '../attachments/analyze-content.js';
import { holdLease, LeaseLost } from '../leases/lease.js';
import { markDeleting, purge, purgeAttachments } from '../cleanup/purge-attachments.js';
import { recordChange, systemUserId } from '../history/record-change.js';
import { scheduleOrphanRemoval } from '../cleanup/orphaned-objects.js';

/**
 * Finalises a row whose lease the caller has taken. What is wrong with the upload ends it: bytes and row go, the reason is logged
 * and recorded. Anything else, such as a store that does not answer, is thrown and leaves the row as it is.
 * @param context that of the author
 * @param signal ends the work; the row can be taken again
 */
export async function finalizeUpload(
  context: Context,
  row: Attachment,
  signal: AbortSignal,
): Promise<void> {
  const lease = holdLease(context, row.id, row.leaseToken!, signal);
  try {
    await permitted(context, row);
    const blobKey = await ownKey(context, row);
    const content = await inspect(context, row, blobKey, lease.signal);
    await finish(context, row, blobKey, content);
  } catch (error) {
    // A store that has lost its bucket, or is not there at all, misses everything: then this throws, and the work is done later.
    if (error instanceof BlobMissing) await context.blobs.check();
    const reason = reasonOf(error, row);
    if (reason !== undefined) await reject(context, row, reason);
    else if (error instanceof LeaseLost || lease.lost()) await leave(context, row);
    else throw error;
  } finally {
    lease.stop();
  }
}

/** The upload itself is at fault. */
class Unfit extends Error {}

function reasonOf(error: unknown, { stagingKey }: Attachment): string | undefined {
  if (error instanceof Unfit || error instanceof PropertyConstraintViolation) return error.message;
  // Where the copy is missing, the next attempt makes another one.
  return error instanceof BlobMissing && error.key === stagingKey
    ? 'The file is no longer in the storage.'
    : undefined;
}

/** What the author could do at the preparation, he must be able to do still. */
async function permitted(context: Context, { containerRef }: Attachment): Promise<void> {
  const container =
    containerRef && (await find.container(context, containerRef.type, containerRef.id));
  const allowed = containerRef
    ? container && (await can.prepareUpload(context, containerRef.type, container))
    : await can.uploadUnclaimed(context);
  if (context.user.status !== 'active' || !allowed)
    throw new Unfit('The author may no longer upload files here.');
}

/**
 * Every attempt copies to a key of its own: a process that was taken for dead and wakes up writes to a key that is nobody's any
 * more. The key of the attempt before is cleared while the row still names it.
 */
async function ownKey({ blobs, db, clock }: Context, row: Attachment): Promise<string> {
  if (row.attempts <= 1) return row.blobKey;
  await blobs.remove(row.blobKey);
  const blobKey = randomBytes(16).toString('hex');
  await db.write.transaction(async (trx) => {
    if (
      (await Attachment.query(trx)
        .patch({ blobKey })
        .where({ id: row.id, lease_token: row.leaseToken })) === 0
    )
      throw new LeaseLost();
    // The store may still be at the copy of the attempt before.
    await scheduleOrphanRemoval(trx, row.blobKey, { clock });
  });
  row.blobKey = blobKey;
  return blobKey;
}

interface Inspected {
  contentType: string;
  digestHash: string;
}

/** Copies first and reads the copy: the form can be sent again at any time, and would change what stands under the staging key. */
async function inspect(
  { blobs, settings }: Context,
  row: Attachment,
  blobKey: string,
  stop: AbortSignal,
): Promise<Inspected> {
  await blobs.copy(row.stagingKey!, blobKey);
  stop.throwIfAborted();
  const [algorithm, announced] = row.declaredDigest?.split(':') ?? [];
  const content = new Content(await blobs.read(blobKey), settings, algorithm ? [algorithm] : []);
  await drain(content, stop);
  // What was read may be less than what is there.
  if (content.size !== row.fileSize && (await blobs.stat(blobKey))?.size === row.fileSize)
    throw new Error('The store sent less than it has.');
  if (content.size !== row.fileSize)
    throw new Unfit(`It has ${content.size} bytes instead of ${row.fileSize}.`);
  const [digestHash, computed] = content.digests();
  if (announced !== undefined && announced !== computed)
    throw new Unfit(`Its ${algorithm} digest is ${computed} instead of ${announced}.`);
  return { contentType: await content.allowedType(row.fileName), digestHash: digestHash! };
}

async function drain(content: Content, stop: AbortSignal): Promise<void> {
  const abort = () => content.stop(stop.reason);
  stop.addEventListener('abort', abort, { once: true });
  try {
    if (stop.aborted) abort();
    await content.consume();
  } catch (error) {
    throw stop.aborted ? stop.reason : error;
  } finally {
    stop.removeEventListener('abort', abort);
  }
}

/** The upload becomes visible, and what happened is recorded, in one transaction; then the staged bytes go. */
async function finish(
  context: Context,
  row: Attachment,
  blobKey: string,
  inspected: Inspected,
): Promise<void> {
  const { db, clock, settings, scanner, user, wake } = context;
  const now = clock();
  const time = now.toISOString();
  await db.write.transaction(async (trx) => {
    // Claimed meanwhile, it has a container by now.
    const [current] = await db.lockRows(
      Attachment.query(trx)
        .where({ id: row.id, phase: 'kept', lease_token: row.leaseToken })
        .whereRaw("status = 'prepared'"),
    );
    if (!current) throw new LeaseLost();
    const ref = current.containerRef;
    const values = {
      ...inspected,
      digestAlgorithm: settings.digestAlgorithm,
      status: AttachmentStatus.uploaded,
      blobKey,
      stagingKey: null,
      declaredDigest: null,
      leaseUntil: scanner ? time : null,
      leaseToken: null,
      attempts: 0,
      updatedAt: time,
      expiresAt: ref
        ? null
        : new Date(now.getTime() + settings.attachmentGraceMinutes * 60_000).toISOString(),
    };
    await Attachment.query(trx).findById(row.id).patch(values);
    if (ref)
      await recordChange(
        trx,
        ref,
        user.id,
        [{ action: 'attachmentAdded', fileName: row.fileName }],
        time,
      );
    await recordEvents(
      db,
      trx,
      [{ kind: AttachmentEvent.created, attachment: current.$set(values) }],
      time,
    );
  });
  if (scanner) wake();
  context.log.info({ bytes: row.fileSize }, 'an upload was finalised');
  await context.blobs
    .remove(row.stagingKey!)
    .catch((error: unknown) =>
      context.log.warn({ err: error }, 'the staged file is still stored; the sweeper tries again'),
    );
}

/** Bytes and row go; the author and the container's history learn why. */
async function reject(context: Context, row: Attachment, reason: string): Promise<void> {
  const { db, clock, log } = context;
  const now = clock().toISOString();
  const marked = await db.write.transaction(async (trx) => {
    const [current] = await db.lockRows(
      Attachment.query(trx).where({ id: row.id, phase: 'kept', lease_token: row.leaseToken }),
    );
    if (!current) return undefined;
    // Not in the name of the author, who may have lost the right to write there.
    if (current.containerRef)
      await recordChange(
        trx,
        current.containerRef,
        await systemUserId(trx),
        [{ action: 'attachmentRejected', fileName: row.fileName, reason }],
        now,
      );
    await recordEvents(
      db,
      trx,
      [{ kind: AttachmentEvent.rejected, attachment: current, reason }],
      now,
    );
    // Ours to purge: the lease is given up with the mark, and only attempts before this one may still be written.
    return markDeleting(context, trx, [
      current.$set({ leaseToken: null, attempts: row.attempts - 1 }),
    ]);
  });
  if (!marked) return leave(context, row);
  log.warn({ reason }, 'an upload was rejected');
  await purgeAttachments(context, marked);
}

/** Somebody else has the row, or it was deleted: our copy goes, and where it was deleted under our lease the rest with it. */
async function leave(context: Context, row: Attachment): Promise<void> {
  const current = await Attachment.query(context.db.write).findById(row.id);
  if (current?.phase === 'deleting' && current.leaseToken === row.leaseToken)
    await purge(context, { ...current, abandoned: true });
  else if (
    current?.phase !== 'kept' ||
    current.status === AttachmentStatus.prepared ||
    current.blobKey !== row.blobKey
  )
    await context.blobs.remove(row.blobKey);
}
