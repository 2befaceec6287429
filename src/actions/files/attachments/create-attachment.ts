/** Stores an uploaded file with its row: limits, detects, digests and stores it in one pass. */
import { BlobsUnavailable } from '../../../blobs/store.js';
import type { Context } from '../../../context.js';
import { MissingPermission } from '../../../contract/errors.js';
import type { FileDetails, IncomingFile } from '../../../http/incoming-file.js';
import { Attachment } from '../../../models/attachment.js';
import type { ContainerType } from '../../../models/container.js';
import { User } from '../../../models/user.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { purge, type MarkedAttachment } from '../purge/purge-attachments.js';
import { holdAttachment } from '../../base/leases/attachment-queues.js';
import { leased } from '../../base/leases/queue.js';
import { demandValid } from '../../base/validation/demand-valid.js';
import { AnalyzedContent } from './analyze-content.js';
import { interruption, keepAttachment } from './keep-attachment.js';
import { reserveAttachment, type Container } from './reserve-attachment.js';
import { takeUploadKey, validateUploadKey, whereKeyIsFree } from './take-upload-key.js';
import { validateDetails } from './validate-name-and-description.js';

interface Upload {
  container?: { type: ContainerType; id: number | undefined } | undefined;
  file: IncomingFile;
  details: FileDetails;
  /** Repeating an upload with its key does not store the file twice. Anonymous users have none. */
  uploadKey?: unknown;
}

/** After a longer upload the permission is checked again. */
const RECHECK_MS = 1_000;

/**
 * Stores a file and its row. A refused, aborted or killed upload leaves neither.
 * Before the first byte is stored, it commits a hidden row that names the key of the object.
 * The row becomes visible in the transaction that records size and digest.
 * Without a container, the same user attaches the file later.
 * An upload whose key is known returns what the earlier one has stored, or replaces it.
 * @throws NotFound, MissingPermission, PropertyConstraintViolation, InvalidRequestBody, Overloaded
 */
export const createAttachment = (context: Context, upload: Upload): Promise<Attachment> =>
  context.finishing(store(context, upload));

async function store(context: Context, upload: Upload): Promise<Attachment> {
  const container = await permitted(context, upload.container);
  demandValid(context);
  const uploadKey = context.user.anonymous ? undefined : validateUploadKey(upload.uploadKey);
  const stored =
    uploadKey !== undefined &&
    (await takeUploadKey(context, uploadKey, { container, details: upload.details }));
  if (stored) return stored;
  // After the permission check: users without permission use no slot.
  const mostBytes = await upload.file.mostBytes;
  const size = Math.min(mostBytes ?? Infinity, context.settings.attachmentMaxSize);
  const releaseSlot = context.uploads.acquire(context.caller, context.blobs.memoryOf(size));
  context.waits(true);
  try {
    return await storeInto(context, container, { ...upload, uploadKey, mostBytes });
  } finally {
    releaseSlot();
  }
}

async function storeInto(
  context: Context,
  container: Container | undefined,
  {
    container: requested,
    file,
    details,
    uploadKey,
    mostBytes,
  }: Upload & { uploadKey: string | undefined; mostBytes: number | undefined },
): Promise<Attachment> {
  const row = await whereKeyIsFree(reserveAttachment(context, container, { mostBytes, uploadKey }));
  const { id, blobKey, leaseToken } = row;
  const lease = holdAttachment(context, row);
  try {
    const content = new AnalyzedContent(await file.open(), context.settings);
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
    // A revoked permission takes effect within two seconds, however long the upload takes.
    if (context.clock().getTime() - Date.parse(row.createdAt) > RECHECK_MS)
      await recheckPermission(context, requested);
    return await keepAttachment(context, row, container, {
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

/** @returns the container; undefined for an upload without one */
async function permitted(
  caller: Pick<Context, 'user' | 'db' | 'grants' | 'settings'>,
  requested: Upload['container'],
): Promise<Container | undefined> {
  if (requested) {
    const { type, id } = requested;
    const row = await demand(await find.container(caller, type, id), (found) =>
      can.attach(caller, type, found),
    );
    return { type, row };
  }
  if (!(await can.uploadUnclaimed(caller))) throw new MissingPermission();
  return undefined;
}

/** Reads the user again, who may be locked or no longer an administrator. */
async function recheckPermission(
  { user, db, grants, settings }: Context,
  requested: Upload['container'],
): Promise<void> {
  const current = user.anonymous ? user : await User.query(db.read).findById(user.id);
  if (!current || current.status !== user.status) throw new MissingPermission();
  await permitted({ user: current, db, grants, settings }, requested);
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
    if (current?.phase !== 'kept') await purge(context, row);
  } catch (error) {
    context.log.error(
      { err: error, attachment: row.id },
      'a refused upload left a hidden row; the cleanup tries again',
    );
  }
}
