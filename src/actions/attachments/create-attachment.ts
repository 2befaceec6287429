/** The regular upload (interface 4.2): parse, limit, detect, digest and store in one pass. */
import { containerKinds } from '../../contract/container-kinds.js';
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { recordEvents } from '../../events/record.js';
import { BlobsUnavailable } from '../../blobs/store.js';
import type { Context } from '../../context.js';
import { MissingPermission, NotFound, ServiceUnavailable } from '../../contract/errors.js';
import { Attachment, AttachmentStatus } from '../../models/attachment.js';
import type { ContainerRecord, ContainerType } from '../../models/container.js';
import type { FileDetails, IncomingFile } from '../../http/incoming-file.js';
import { AttachmentEvent } from '../../models/event.js';
import { timestamps } from '../../models/record.js';
import { User } from '../../models/user.js';
import { can, demand } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { containers } from '../../policies/permissions.js';
import { whereContainerExists } from '../../database/missing-reference.js';
import { Content } from './analyze-content.js';
import { demandValid } from '../validation/demand-valid.js';
import { holdLease, leaseEnd, newToken } from '../leases/lease.js';
import { purge, type Marked } from '../cleanup/purge-attachments.js';
import { recordChange } from '../history/record-change.js';
import { validateDetails, type ValidDetails } from './validate-details.js';

export interface Upload {
  container?: { type: ContainerType; id: number | undefined } | undefined;
  file: IncomingFile;
  details: FileDetails;
}

/** An upload that took longer is judged again at its end. */
const RECHECK_MS = 1_000;

/**
 * Stores a file and its row. Refused, aborted or killed, an upload leaves neither: a hidden row that names the key is
 * committed before the first byte, and becomes visible in the transaction that records size and digest (decisions 5).
 * @throws NotFound, MissingPermission, PropertyConstraintViolation, InvalidRequestBody, Overloaded
 */
export const createAttachment = (context: Context, upload: Upload): Promise<Attachment> =>
  context.finishing(store(context, upload));

async function store(
  context: Context,
  { container: into, file, details }: Upload,
): Promise<Attachment> {
  const container = await permitted(context, into);
  demandValid(context);
  // Behind the permission: whoever may not upload takes nobody's place.
  const leave = context.uploads.take(context.user.id);
  context.waits(true);
  try {
    return await storeInto(context, container, { container: into, file, details });
  } finally {
    leave();
  }
}

async function storeInto(
  context: Context,
  container: ContainerRecord | undefined,
  { container: into, file, details }: Upload,
): Promise<Attachment> {
  const row = await reserve(context, into?.type, container);
  const { id, blobKey, leaseToken } = row;
  const lease = holdLease(context, id, leaseToken!);
  try {
    const content = new Content(await file.open(), context.settings);
    // Details that are refused stop the bytes; a form that turns out broken does too.
    const valid = (file.details ?? Promise.resolve(details)).then(validateDetails);
    valid.catch((error) => content.stop(error));
    // Whoever has the row now, or has deleted it, has these bytes removed.
    lease.signal.addEventListener('abort', () => content.stop(lease.signal.reason as Error), {
      once: true,
    });
    await context.blobs.put(blobKey, content);
    const { fileName, descriptionText } = await valid;
    await file.formEnd;
    // A permission that was taken away stops working within two seconds, however long the file was under way (decisions 4).
    if (context.clock().getTime() - Date.parse(row.createdAt) > RECHECK_MS)
      await permittedStill(context, into);
    return await finish(
      context,
      row,
      container && into ? { type: into.type, row: container } : undefined,
      {
        fileName,
        descriptionText,
        fileSize: content.size,
        contentType: await content.allowedType(fileName),
        digestHash: content.digests()[0]!,
      },
    );
  } catch (error) {
    // Looked at first: what is being discarded has no lease any more.
    const lost = lease.lost();
    // What it was sent it may write after all.
    await discard(context, {
      id,
      blobKey,
      stagingKey: null,
      leaseToken,
      abandoned: error instanceof BlobsUnavailable,
    });
    throw lost
      ? await interruption(
          context.db.write,
          container && into ? { type: into.type, row: container } : undefined,
        )
      : error;
  } finally {
    lease.stop();
  }
}

async function permitted(
  context: Context,
  into: Upload['container'],
): Promise<ContainerRecord | undefined> {
  if (into)
    return demand(await find.container(context, into.type, into.id), (row) =>
      can.attach(context, into.type, row),
    );
  if (!(await can.uploadUnclaimed(context))) throw new MissingPermission();
  return undefined;
}

async function permittedStill(context: Context, into: Upload['container']): Promise<void> {
  const { user, db } = context;
  const now = user.anonymous ? user : await User.query(db.read).findById(user.id);
  if (now?.status !== user.status) throw new MissingPermission();
  // Whoever administered everything may not any more.
  await permitted(Object.create(context, { user: { value: now } }) as Context, into);
}

async function reserve(
  context: Context,
  type: ContainerType | undefined,
  container: ContainerRecord | undefined,
): Promise<Attachment> {
  const { user, db, clock, settings } = context;
  const now = clock().toISOString();
  return whereContainerExists(
    Attachment.query(db.write)
      .insert({
        ...(type && container && { [containerKinds[type].foreignKey]: container.id }),
        authorId: user.id,
        fileName: '',
        fileSize: 0,
        descriptionText: '',
        contentType: '',
        digestAlgorithm: settings.digestAlgorithm,
        digestHash: '',
        status: AttachmentStatus.uploaded,
        phase: 'storing',
        blobKey: randomBytes(16).toString('hex'),
        leaseUntil: leaseEnd(context),
        leaseToken: newToken(),
        ...timestamps(now),
      })
      .returning('*')
      .execute(),
  );
}

/** The container was deleted meanwhile, and its attachments with it; or another process took this one for dead. */
async function interruption(db: Knex, container: Into | undefined): Promise<Error> {
  const gone =
    container && !(await containers[container.type].model.query(db).findById(container.row.id));
  return gone
    ? new NotFound()
    : new ServiceUnavailable('The upload was interrupted. Send the file again.');
}

interface Into {
  type: ContainerType;
  row: ContainerRecord;
}

type Stored = ValidDetails & { fileSize: number; contentType: string; digestHash: string };

async function finish(
  { user, db, clock, settings, scanner, wake }: Context,
  row: Attachment,
  container: Into | undefined,
  stored: Stored,
): Promise<Attachment> {
  const now = clock();
  const expiresAt = container
    ? null
    : new Date(now.getTime() + settings.attachmentGraceMinutes * 60_000).toISOString();
  const time = now.toISOString();
  // The scan is the next work on the row, for whoever comes first.
  const values = {
    ...stored,
    phase: 'kept' as const,
    leaseUntil: scanner ? time : null,
    leaseToken: null,
    expiresAt,
    updatedAt: time,
  };
  const { leaseToken } = row;
  const attachment = row.$set(values);
  await db.write.transaction(async (trx) => {
    if (
      (await Attachment.query(trx)
        .patch(values)
        .where({ id: row.id, phase: 'storing', lease_token: leaseToken })) === 0
    ) {
      throw await interruption(trx, container);
    }
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

async function discard(context: Context, row: Marked): Promise<void> {
  try {
    // The answer to the last commit may have been lost on its way, and the commit may still be under way: the mark waits for it.
    await Attachment.query(context.db.write)
      .patch({ phase: 'deleting', attempts: 1 })
      .where({ id: row.id, phase: 'storing', lease_token: row.leaseToken });
    const now = await Attachment.query(context.db.write).findById(row.id).select('phase');
    if (now?.phase !== 'kept') await purge(context, row);
  } catch (error) {
    context.log.error(
      { err: error, attachment: row.id },
      'a refused upload left a hidden row; the sweeper tries again',
    );
  }
}
