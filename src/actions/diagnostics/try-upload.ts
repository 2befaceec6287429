/** Takes a small file the whole way of a direct upload, as a browser would, and removes it again. */
import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Context } from '../../context.js';
import { NotFound } from '../../contract/errors.js';
import { Attachment, AttachmentStatus } from '../../models/attachment.js';
import type { UploadForm } from '../../models/attachment-upload.js';
import { Event, AttachmentEvent } from '../../models/event.js';
import { completeUpload } from '../uploads/complete-upload.js';
import { deleteAttachment } from '../attachments/delete-attachment.js';
import { finalizeUpload } from '../uploads/finalize-upload.js';
import { leaseEnd, newToken } from '../leases/lease.js';
import { outsideRequest } from './outside-request.js';
import { prepareUpload } from '../uploads/prepare-upload.js';
import { releaseLease } from '../leases/acquire-attachment.js';

/** Whether the store lets pages of the origin read its answer. */
export interface TriedOrigin {
  origin: string;
  allowed: boolean;
}

/** Bytes, where larger files are allowed. */
const SIZE = 1000;
const TYPE = 'application/octet-stream';
/** So long the upload is out of reach of background work, which would finalise it as its author, who is locked. */
const OUT_OF_REACH_MS = 60_000;

/**
 * @param context of a user who may upload, nothing of whom is stored
 * @param origins of the pages that send forms to the store; with none the form is sent as a program would
 * @throws with what to do where a step fails; nothing stays behind then either, but events
 */
export async function tryUpload(
  context: Context,
  origins: readonly string[],
): Promise<TriedOrigin[]> {
  const content = randomBytes(Math.min(SIZE, context.settings.attachmentMaxSize));
  const digest = { algorithm: 'sha256', hash: createHash('sha256').update(content).digest('hex') };
  const { attachment, addAttachment } = await prepareUpload(context, {
    details: { fileName: 'trial.bin', fileSize: content.byteLength, contentType: TYPE, digest },
  });
  try {
    const tried = await sendFrom(origins, addAttachment, content);
    const row = await complete(context, attachment.id);
    await finalize(context, row);
    await compare(context, attachment.id, content);
    await removeTrial(context, attachment);
    return tried;
  } catch (error) {
    await removeTrial(context, attachment).catch(() => undefined);
    throw error;
  }
}

/** Sends the form once for each origin; one that the store refuses altogether is not allowed. */
async function sendFrom(
  origins: readonly string[],
  form: UploadForm,
  content: Uint8Array,
): Promise<TriedOrigin[]> {
  const answers: { origin: string | undefined; status: number; code: string; allowed: boolean }[] =
    [];
  for (const origin of origins.length > 0 ? origins : [undefined]) {
    const { status, headers, body } = await outsideRequest(form.href, {
      method: 'POST',
      body: bodyOf(form, content),
      ...(origin !== undefined && { headers: { origin } }),
    });
    const allowed = headers.get('access-control-allow-origin');
    answers.push({
      origin,
      status,
      code: codeOf(body),
      allowed: isFine(status) && (allowed === '*' || allowed === origin),
    });
  }
  const [first] = answers;
  if (!answers.some(({ status }) => isFine(status)))
    throw new Error(
      `The store at ${new URL(form.href).origin} refused the form with status ${first!.status}${first!.code}. Check that it is the store of S3_ENDPOINT, and that the key may put objects below staging/.`,
    );
  return answers.flatMap(({ origin, allowed }) =>
    origin === undefined ? [] : [{ origin, allowed }],
  );
}

function bodyOf({ formFields }: UploadForm, content: Uint8Array): FormData {
  const body = new FormData();
  for (const { name, value } of formFields) body.append(name, value);
  body.append('file', new Blob([content as Uint8Array<ArrayBuffer>], { type: TYPE }), 'trial.bin');
  return body;
}

const isFine = (status: number) => status >= 200 && status < 300;

/** Nothing else of what a store says about a refusal: it may repeat what was signed. */
function codeOf(body: Buffer): string {
  const [, code] = /<Code>(\w{1,64})<\/Code>/.exec(body.toString('utf8')) ?? [];
  return code === undefined ? '' : ` (${code})`;
}

/** @returns the row, leased to us */
async function complete(context: Context, id: number): Promise<Attachment> {
  // Marked at a later time than it is, nobody takes it before we do.
  const ahead = Object.create(context, {
    clock: { value: () => new Date(context.clock().getTime() + OUT_OF_REACH_MS) },
  }) as Context;
  await completeUpload(ahead, id);
  const [row] = await Attachment.query(context.db.write)
    .patch({ leaseUntil: leaseEnd(context), leaseToken: newToken(), attempts: 1 })
    .where({ id, phase: 'kept' })
    .whereNull('lease_token')
    .returning('*');
  if (!row) throw new Error('Somebody else has taken the upload on trial. Try again.');
  return row;
}

async function finalize(context: Context, row: Attachment): Promise<void> {
  try {
    await finalizeUpload(context, row, new AbortController().signal);
  } catch (error) {
    // Without a holder it can be removed at once.
    await releaseLease(context, row, OUT_OF_REACH_MS);
    throw error;
  }
}

async function compare(
  { db, blobs, settings }: Context,
  id: number,
  content: Buffer,
): Promise<void> {
  const row = await Attachment.query(db.write).findById(id);
  if (!row) {
    const rejected = await Event.query(db.write).findOne({
      subject_id: id,
      kind: AttachmentEvent.rejected,
    });
    throw new Error(`The upload was rejected: ${rejected?.data.reason ?? 'somebody removed it'}`);
  }
  const { status, fileSize, digestAlgorithm, digestHash, blobKey } = row;
  if (
    status !== AttachmentStatus.uploaded ||
    fileSize !== content.byteLength ||
    digestHash !== createHash(digestAlgorithm).update(content).digest('hex')
  )
    throw new Error('The upload was finalised with another size or digest than that of the file.');
  if (!(await buffer(await blobs.read(blobKey))).equals(content))
    throw new Error('What is read is not what was uploaded.');
  if (!blobs.url) return;
  const address = await blobs.url(blobKey, {
    contentType: TYPE,
    disposition: 'attachment',
    seconds: settings.downloadUrlSeconds,
  });
  const answer = await outsideRequest(address);
  if (!isFine(answer.status))
    throw new Error(
      `The store at ${new URL(address).origin} refused a signed address with status ${answer.status}${codeOf(answer.body)}. Check that nothing between browsers and the store changes the Host header or the path.`,
    );
  if (!answer.body.equals(content))
    throw new Error('What a signed address answers is not what was uploaded.');
}

async function removeTrial(
  context: Context,
  { id, blobKey, stagingKey }: Attachment,
): Promise<void> {
  try {
    await deleteAttachment(context, id).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
    });
    // Its own removal leaves to the sweeper what fails.
    for (const key of [blobKey, stagingKey!]) await context.blobs.remove(key);
  } catch (error) {
    throw new Error('The upload on trial could not be removed: the sweeper does it later.', {
      cause: error,
    });
  }
}
