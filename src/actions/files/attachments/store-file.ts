/** Stores an uploaded file under a hidden row: limits, detects, digests and stores it in one pass. */
import { BlobsUnavailable } from '../../../blobs/store.js';
import type { Context } from '../../../context.js';
import type { FileDetails, IncomingFile } from '../../../http/incoming-file.js';
import { Attachment } from '../../../models/attachment.js';
import { purge, type MarkedAttachment } from '../purge/purge-attachments.js';
import { holdAttachment } from '../../base/leases/attachment-queues.js';
import { leased } from '../../base/leases/queue.js';
import { AnalyzedContent } from './analyze-content.js';
import { interruption } from './keep-attachment.js';
import { reserveAttachment, type Container } from './reserve-attachment.js';
import type { Stored } from './stored.js';
import { whereKeyIsFree } from './take-upload-key.js';
import { validateDetails } from './validate-name-and-description.js';

interface StoredFile {
  file: IncomingFile;
  details: FileDetails;
  uploadKey?: string | undefined;
  /** Checks the permission again, after a longer upload. */
  recheck: () => Promise<void>;
  /** Takes the hidden row and its bytes. */
  keep: (row: Attachment, stored: Stored) => Promise<Attachment>;
}

/** After a longer upload the permission is checked again. */
const RECHECK_MS = 1_000;

/** Call it after the permission check: users without permission use no slot. */
export async function storeFile(
  context: Context,
  container: Container | undefined,
  stored: StoredFile,
): Promise<Attachment> {
  const mostBytes = await stored.file.mostBytes;
  const size = Math.min(mostBytes ?? Infinity, context.settings.attachmentMaxSize);
  const releaseSlot = context.uploads.acquire(context.caller, context.blobs.memoryOf(size));
  context.waits(true);
  try {
    return await storeInto(context, container, { ...stored, mostBytes });
  } finally {
    releaseSlot();
  }
}

async function storeInto(
  context: Context,
  container: Container | undefined,
  {
    file,
    details,
    uploadKey,
    mostBytes,
    recheck,
    keep,
  }: StoredFile & { mostBytes: number | undefined },
): Promise<Attachment> {
  const { row, room } = await whereKeyIsFree(
    reserveAttachment(context, container, { mostBytes, uploadKey }),
  );
  const { id, blobKey, leaseToken } = row;
  const lease = holdAttachment(context, row);
  try {
    const content = new AnalyzedContent(await file.open(), context.settings, { room });
    // Invalid details or a malformed form stop the upload at once.
    const valid = (file.details ?? Promise.resolve(details)).then(validateDetails);
    valid.catch((error) => content.stop(error));
    // The process that acquired or deleted the row also removes the object.
    lease.signal.addEventListener('abort', () => content.stop(lease.signal.reason), {
      once: true,
    });
    await context.blobs.put(blobKey, content);
    const { fileName, descriptionText } = await valid;
    await file.formEnd;
    if (context.clock().getTime() - Date.parse(row.createdAt) > RECHECK_MS) await recheck();
    return await keep(row, {
      fileName,
      descriptionText,
      fileSize: content.size,
      ...(await content.allowedType(fileName)),
      digestHash: content.digests().digestHash,
    });
  } catch (error) {
    // Read before `discard`, which marks the row `deleting`: the lease then counts as lost.
    const lost = lease.lost();
    await discard(context, {
      id,
      blobKey,
      stagingKey: null,
      leaseToken,
      // After a time-out the store may still write what it received.
      abandoned: error instanceof BlobsUnavailable,
    });
    throw lost ? await interruption(context.db, container) : error;
  } finally {
    lease.stop();
  }
}

/** Removes the object and the row of a failed upload. A failure leaves both to the cleanup. */
async function discard(context: Context, row: MarkedAttachment): Promise<void> {
  try {
    // The commit of `keepAttachment` may have succeeded, or still be running, when its answer is lost.
    // This update waits for it, so the phase read below is final.
    await leased(Attachment, context.db.write, row)
      .patch({ phase: 'deleting', attempts: 1 })
      .where('phase', 'storing');
    const current = await Attachment.query(context.db.write).findById(row.id).select('phase');
    // It may be in the trash already.
    if (current?.phase !== 'kept' && current?.phase !== 'deleted') await purge(context, row);
  } catch (error) {
    context.log.error(
      { err: error, attachment: row.id },
      'a refused upload left a hidden row; the cleanup tries again',
    );
  }
}
