/** The regular upload (interface 4.2): parse, limit, detect, digest and store in one pass. */
import { createHash, randomBytes, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Context, Settings } from '../context.js';
import { InvalidRequestBody, MissingPermission, NotFound, PropertyConstraintViolation } from '../errors.js';
import { Attachment, AttachmentStatus, containerKeys } from '../models/attachment.js';
import type { ContainerRecord, ContainerType } from '../models/container.js';
import type { FileDetails, IncomingFile } from '../incoming-file.js';
import { born } from '../models/record.js';
import { can, demand } from '../policies/can.js';
import { find } from '../policies/find.js';
import { checkAllowlist } from './check-allowlist.js';
import { detectType, SAMPLE_SIZE } from './detect-type.js';
import { recordChange } from './record-change.js';
import { validateDetails, type ValidDetails } from './validate-details.js';

/** How long a hidden row outlives its upload when the process dies; renewed while bytes flow. */
const LEASE_MS = 60_000;

export interface Upload {
  container?: { type: ContainerType; id: number | undefined } | undefined;
  file: IncomingFile;
  details: FileDetails;
}

/**
 * Stores a file and its row. Refused, aborted or killed, an upload leaves neither: a hidden row that names the key is
 * committed before the first byte, and becomes visible in the transaction that records size and digest (decisions 5).
 * @throws NotFound, MissingPermission, PropertyConstraintViolation, InvalidRequestBody
 */
export const createAttachment = (context: Context, upload: Upload): Promise<Attachment> => context.finishing(store(context, upload));

async function store(context: Context, { container: into, file, details }: Upload): Promise<Attachment> {
  const container = await permitted(context, into);
  const row = await reserve(context, into?.type, container);
  const lease = setInterval(() => void renew(context, row), LEASE_MS / 3).unref();
  try {
    const content = new Content(await file.open(), context.settings);
    // Details that are refused stop the bytes; a form that turns out broken does too.
    const valid = (file.details ?? Promise.resolve(details)).then(validateDetails);
    valid.catch((error) => content.stop(error));
    await context.blobs.put(row.blobKey, content);
    const { fileName, descriptionText } = await valid;
    await file.formEnd;
    return await finish(context, row, container && into ? { type: into.type, row: container } : undefined, {
      fileName, descriptionText,
      fileSize: content.size,
      contentType: await allowedType(context.settings, content, fileName),
      digestHash: content.digest(),
    });
  } catch (error) {
    await discard(context, row);
    throw error;
  } finally {
    clearInterval(lease);
  }
}

async function permitted(context: Context, into: Upload['container']): Promise<ContainerRecord | undefined> {
  if (into) return demand(await find.container(context, into.type, into.id), (row) => can.attach(context, into.type, row));
  if (!(await can.uploadUnclaimed(context))) throw new MissingPermission();
  return undefined;
}

async function reserve({ user, db, clock, settings }: Context, type: ContainerType | undefined, container: ContainerRecord | undefined): Promise<Attachment> {
  const now = clock().toISOString();
  return Attachment.query(db.write).insert({
    ...(type && container && { [containerKeys[type]]: container.id }),
    authorId: user.id, fileName: '', fileSize: 0, descriptionText: '', contentType: '',
    digestAlgorithm: settings.digestAlgorithm, digestHash: '', status: AttachmentStatus.uploaded,
    phase: 'storing', blobKey: randomBytes(16).toString('hex'), leaseUntil: leaseFrom(clock()), ...born(now),
  }).returning('*');
}

const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS).toISOString();

async function renew({ db, clock, log }: Context, row: Attachment): Promise<void> {
  try {
    await Attachment.query(db.write).patch({ leaseUntil: leaseFrom(clock()) }).where({ id: row.id, phase: 'storing' });
  } catch (error) {
    log.warn({ err: error, attachment: row.id }, 'the lease of an upload was not renewed');
  }
}

/** The bytes on their way: counted against the limit, digested, and the first of them kept for the detection. */
class Content implements AsyncIterable<Uint8Array> {
  size = 0;
  readonly #source: Readable;
  readonly #limit: number;
  readonly #hash: Hash;
  readonly #head: Uint8Array[] = [];
  #headSize = 0;

  constructor(source: Readable, { attachmentMaxSize, digestAlgorithm }: Settings) {
    this.#source = source;
    this.#limit = attachmentMaxSize;
    this.#hash = createHash(digestAlgorithm);
  }

  async *[Symbol.asyncIterator]() {
    for await (const chunk of this.#source as AsyncIterable<Uint8Array>) {
      this.size += chunk.byteLength;
      if (this.size > this.#limit) throw new PropertyConstraintViolation(`File is too large (maximum size is ${this.#limit} Bytes).`, 'fileSize');
      this.#hash.update(chunk);
      if (this.#headSize < SAMPLE_SIZE) {
        this.#head.push(chunk.subarray(0, SAMPLE_SIZE - this.#headSize));
        this.#headSize += this.#head.at(-1)!.byteLength;
      }
      yield chunk;
    }
    // A connection that was cut ends some streams instead of failing them.
    if (!this.#source.readableEnded) throw new InvalidRequestBody('The upload ended before the file was complete.');
  }

  stop(reason: unknown) {
    this.#source.destroy(reason as Error);
  }

  sample(): Uint8Array {
    return Buffer.concat(this.#head);
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

async function allowedType({ attachmentAllowlist }: Settings, content: Content, fileName: string): Promise<string> {
  const type = await detectType(content.sample(), fileName);
  checkAllowlist(attachmentAllowlist, type, fileName);
  return type;
}

type Stored = ValidDetails & { fileSize: number; contentType: string; digestHash: string };

async function finish({ user, db, clock, settings }: Context, row: Attachment, container: { type: ContainerType; row: ContainerRecord } | undefined, stored: Stored): Promise<Attachment> {
  const now = clock();
  const expiresAt = container ? null : new Date(now.getTime() + settings.attachmentGraceMinutes * 60_000).toISOString();
  const values = { ...stored, phase: 'kept' as const, leaseUntil: null, expiresAt, createdAt: now.toISOString(), updatedAt: now.toISOString() };
  await db.write.transaction(async (trx) => {
    // No row to update: the container was deleted meanwhile, and its attachments with it.
    if ((await Attachment.query(trx).patch(values).where({ id: row.id, phase: 'storing' })) === 0) throw new NotFound();
    if (container) await recordChange(trx, { type: container.type, id: container.row.id }, user.id, [{ action: 'attachmentAdded', fileName: stored.fileName }], values.updatedAt);
  });
  const attachment = row.$set(values) as Attachment;
  attachment.knownContainer = container?.row.$set({ updatedAt: values.updatedAt });
  return attachment;
}

async function discard({ blobs, db, log }: Context, row: Attachment): Promise<void> {
  try {
    await blobs.remove(row.blobKey);
    await Attachment.query(db.write).delete().where({ id: row.id }).whereNot('phase', 'kept');
  } catch (error) {
    log.error({ err: error, attachment: row.id }, 'a refused upload left a hidden row');
  }
}
