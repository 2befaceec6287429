/** Stores an uploaded file with its row: limits, detects, digests and stores it in one pass. */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { BlobsUnavailable } from '../../blobs/store.js';
import type { Context } from '../../context.js';
import { containerKinds } from '../../contract/container-kinds.js';
import { MissingPermission, NotFound, ServiceUnavailable } from '../../contract/errors.js';
import { unclaimedUntil } from '../../contract/unclaimed-until.js';
import { whereContainerExists } from '../../database/missing-reference.js';
import { recordEvents } from '../../events/record.js';
import type { FileDetails, IncomingFile } from '../../http/incoming-file.js';
import { Attachment, AttachmentStatus } from '../../models/attachment.js';
import type { ContainerRecord, ContainerType } from '../../models/container.js';
import { AttachmentEvent } from '../../models/event.js';
import { timestamps } from '../../models/record.js';
import { User } from '../../models/user.js';
import { can, demand } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { containers } from '../../policies/permissions.js';
import { purge, type MarkedAttachment } from '../cleanup/purge-attachments.js';
import { recordChange } from '../history/record-change.js';
import { holdLease, leaseEnd, newToken } from '../leases/lease.js';
import { demandValid } from '../validation/demand-valid.js';
import { AnalyzedContent } from './analyze-content.js';
import { checkContainerRoom } from './check-container-room.js';
import { checkPendingUploads } from './check-pending-uploads.js';
import { validateDetails, type ValidDetails } from './validate-name-and-description.js';

export interface Upload {
  container?: { type: ContainerType; id: number | undefined } | undefined;
  file: IncomingFile;
  details: FileDetails;
}

/** After a longer upload the permission is checked again. */
const RECHECK_MS = 1_000;

/**
 * Stores a file and its row. A refused, aborted or killed upload leaves neither.
 * Before the first byte is stored, it commits a hidden row that names the key of the object.
 * The row becomes visible in the transaction that records size and digest.
 * Without a container, the same user attaches the file later.
 * @throws NotFound, MissingPermission, PropertyConstraintViolation, InvalidRequestBody, Overloaded
 */
export const createAttachment = (context: Context, upload: Upload): Promise<Attachment> =>
  context.finishing(store(context, upload));

async function store(context: Context, upload: Upload): Promise<Attachment> {
  const container = await permitted(context, upload.container);
  demandValid(context);
  // After the permission check: users without permission use no slot.
  const releaseSlot = context.uploads.acquire(context.caller);
  context.waits(true);
  try {
    return await storeInto(context, container, upload);
  } finally {
    releaseSlot();
  }
}

async function storeInto(
  context: Context,
  container: Container | undefined,
  { container: requested, file, details }: Upload,
): Promise<Attachment> {
  const row = await reserve(context, container, await file.mostBytes);
  const { id, blobKey, leaseToken } = row;
  const lease = holdLease(context, row);
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
    return await finish(context, row, container, {
      fileName,
      descriptionText,
      fileSize: content.size,
      contentType: await content.allowedType(fileName),
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
    throw lost ? await interruption(context.db.write, container) : error;
  } finally {
    lease.stop();
  }
}

interface Container {
  type: ContainerType;
  row: ContainerRecord;
}

/** @returns the container; undefined for an upload without one */
async function permitted(
  caller: Pick<Context, 'user' | 'db' | 'grants'>,
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
  { user, db, grants }: Context,
  requested: Upload['container'],
): Promise<void> {
  const current = user.anonymous ? user : await User.query(db.read).findById(user.id);
  if (!current || current.status !== user.status) throw new MissingPermission();
  await permitted({ user: current, db, grants }, requested);
}

/**
 * Without a container, the hidden row takes from the quota of the user while the bytes arrive.
 * @param mostBytes the largest size that the file can have, as far as the client has announced it
 */
async function reserve(
  context: Context,
  container: Container | undefined,
  mostBytes = Infinity,
): Promise<Attachment> {
  const { user, db, clock, settings } = context;
  const now = clock();
  const fileSize = Math.min(mostBytes, settings.attachmentMaxSize);
  const insert = (knex: Knex) =>
    Attachment.query(knex)
      .insert({
        ...(container && { [containerKinds[container.type].foreignKey]: container.row.id }),
        authorId: user.id,
        fileName: '',
        fileSize,
        descriptionText: '',
        contentType: '',
        digestAlgorithm: settings.digestAlgorithm,
        digestHash: '',
        status: AttachmentStatus.uploaded,
        phase: 'storing',
        blobKey: randomBytes(16).toString('hex'),
        leaseUntil: leaseEnd(context),
        leaseToken: newToken(),
        expiresAt: container ? null : unclaimedUntil(now, settings),
        ...timestamps(now.toISOString()),
      })
      .returning('*')
      .execute();
  if (container) {
    const { type, row } = container;
    await checkContainerRoom(context, db.read, { type, id: row.id, adding: 1 });
    return whereContainerExists(insert(db.write));
  }
  return db.write.transaction(async (trx) => {
    await checkPendingUploads(context, trx, fileSize);
    return insert(trx);
  });
}

/**
 * The error for an upload that lost its row. Either the container was deleted with its
 * attachments, or another process acquired the row after the lease ran out.
 */
async function interruption(db: Knex, container: Container | undefined): Promise<Error> {
  const gone =
    container && !(await containers[container.type].model.query(db).findById(container.row.id));
  return gone
    ? new NotFound()
    : new ServiceUnavailable('The upload was interrupted. Send the file again.');
}

type Stored = ValidDetails & { fileSize: number; contentType: string; digestHash: string };

async function finish(
  { user, db, clock, settings, scanner, wake }: Context,
  row: Attachment,
  container: Container | undefined,
  stored: Stored,
): Promise<Attachment> {
  const now = clock();
  const expiresAt = container ? null : unclaimedUntil(now, settings);
  const time = now.toISOString();
  const values = {
    ...stored,
    phase: 'kept' as const,
    // A lease that has run out without a token queues the row for its scan.
    leaseUntil: scanner ? time : null,
    leaseToken: null,
    expiresAt,
    updatedAt: time,
  };
  const { leaseToken } = row;
  const attachment = row.$set(values);
  await db.write.transaction(async (trx) => {
    const finished = await Attachment.query(trx)
      .patch(values)
      .where({ id: row.id, phase: 'storing', lease_token: leaseToken });
    if (finished === 0) throw await interruption(trx, container);
    if (container)
      await recordChange(
        trx,
        { type: container.type, id: container.row.id },
        user.id,
        [{ action: 'attachmentAdded', fileName: stored.fileName }],
        time,
      );
    await recordEvents(db, trx, [{ kind: AttachmentEvent.created, attachment }], time);
  });
  if (scanner) wake();
  attachment.knownContainer = container?.row.$set({ updatedAt: values.updatedAt });
  return attachment;
}

/** Removes the object and the row of a failed upload. A failure leaves both to the cleanup. */
async function discard(context: Context, row: MarkedAttachment): Promise<void> {
  try {
    // The commit of `finish` may have succeeded, or still be running, when its answer is lost.
    // This update waits for it, so the phase read below is final.
    await Attachment.query(context.db.write)
      .patch({ phase: 'deleting', attempts: 1 })
      .where({ id: row.id, phase: 'storing', lease_token: row.leaseToken });
    const current = await Attachment.query(context.db.write).findById(row.id).select('phase');
    if (current?.phase !== 'kept') await purge(context, row);
  } catch (error) {
    context.log.error(
      { err: error, attachment: row.id },
      'a refused upload left a hidden row; the cleanup tries again',
    );
  }
}
