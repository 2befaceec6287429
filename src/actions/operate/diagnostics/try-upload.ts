/** Makes a direct upload of a small test file, as a browser does, and removes it again. */
import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import type { UploadForm } from '../../../models/attachment-upload.js';
import { Event, AttachmentEvent } from '../../../models/event.js';
import { completeUpload } from '../../files/uploads/complete-upload.js';
import { deleteAttachment } from '../../files/attachments/delete-attachments.js';
import { finalizeUpload } from '../../files/uploads/finalize-upload.js';
import { leaseEnd, newToken } from '../../base/leases/lease.js';
import { outsideRequest } from './outside-request.js';
import { prepareUpload } from '../../files/uploads/prepare-upload.js';
import { releaseLease } from '../../base/leases/attachment-queues.js';

/** Whether pages of the origin can read the store's response (CORS). */
export interface TriedOrigin {
  origin: string;
  allowed: boolean;
}

/** In bytes. Less if the settings allow only smaller files. */
const SIZE = 1000;
const TYPE = 'application/octet-stream';
/**
 * How long workers cannot acquire the upload. They would finalise it as its author, and that fails:
 * the author's account is locked.
 */
const HIDDEN_MS = 60_000;

/**
 * @param context of a user who may upload
 * @param origins origins of the pages that send forms to the store; if empty, no `Origin` header
 * @throws Error if a step fails. The message says what to do.
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

/**
 * Sends the form once for each origin. An origin is not allowed if the store refuses its form.
 * @throws Error if the store refuses every form
 */
async function sendFrom(
  origins: readonly string[],
  form: UploadForm,
  content: Uint8Array<ArrayBuffer>,
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
  if (first && !answers.some(({ status }) => isFine(status)))
    throw new Error(
      `The store at ${new URL(form.href).origin} refused the form with status ` +
        `${first.status}${first.code}. Check that it is the store of S3_ENDPOINT, ` +
        'and that the key may put objects below staging/.',
    );
  return answers.flatMap(({ origin, allowed }) =>
    origin === undefined ? [] : [{ origin, allowed }],
  );
}

function bodyOf({ formFields }: UploadForm, content: Uint8Array<ArrayBuffer>): FormData {
  const body = new FormData();
  for (const { name, value } of formFields) body.append(name, value);
  body.append('file', new Blob([content], { type: TYPE }), 'trial.bin');
  return body;
}

const isFine = (status: number) => status >= 200 && status < 300;

/** Only the error code of a refusal, because the rest may repeat signed values. */
function codeOf(body: Buffer): string {
  const [, code] = /<Code>(\w{1,64})<\/Code>/.exec(body.toString('utf8')) ?? [];
  return code === undefined ? '' : ` (${code})`;
}

/** @returns the row, leased to the caller */
async function complete(context: Context, id: number): Promise<Attachment> {
  // A clock in the future hides the upload from workers until it is leased here.
  const later = Object.create(context, {
    clock: { value: () => new Date(context.clock().getTime() + HIDDEN_MS) },
  }) as Context;
  await completeUpload(later, id);
  const [row] = await Attachment.query(context.db.write)
    .patch({ leaseUntil: leaseEnd(context), leaseToken: newToken(), attempts: 1 })
    .where({ id, phase: 'kept' })
    .whereNull('lease_token')
    .returning('*');
  if (!row) throw new Error('Another process has taken the test upload. Try again.');
  return row;
}

async function finalize(context: Context, row: Attachment): Promise<void> {
  try {
    await finalizeUpload(context, row, new AbortController().signal);
  } catch (error) {
    // Only without a lease can `removeTrial` delete the row at once.
    await releaseLease(context, row, HIDDEN_MS);
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
      kind: AttachmentEvent.REJECTED,
    });
    throw new Error(`The upload was rejected: ${rejected?.data.reason ?? 'it was removed'}`);
  }
  const { status, fileSize, digestAlgorithm, digestHash, blobKey } = row;
  if (
    status !== AttachmentStatus.UPLOADED ||
    fileSize !== content.byteLength ||
    digestHash !== createHash(digestAlgorithm).update(content).digest('hex')
  )
    throw new Error('The size or digest of the finalised upload differs from the file.');
  if (!(await buffer(await blobs.read(blobKey))).equals(content))
    throw new Error('The stored file differs from the uploaded file.');
  if (!blobs.url) return;
  const address = await blobs.url(blobKey, {
    contentType: TYPE,
    disposition: 'attachment',
    seconds: settings.downloadUrlSeconds,
  });
  const answer = await outsideRequest(address);
  if (!isFine(answer.status))
    throw new Error(
      `The store at ${new URL(address).origin} refused a signed address with status ` +
        `${answer.status}${codeOf(answer.body)}. Check that nothing between browsers and ` +
        'the store changes the Host header or the path.',
    );
  if (!answer.body.equals(content))
    throw new Error('The file at a signed address differs from the uploaded file.');
}

async function removeTrial(
  context: Context,
  { id, blobKey, stagingKey }: Attachment,
): Promise<void> {
  try {
    await deleteAttachment(context, id).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
    });
    // `deleteAttachment` hides failures of the store, because the cleanup retries. Here they count.
    for (const key of [blobKey, stagingKey]) if (key !== null) await context.blobs.remove(key);
  } catch (error) {
    throw new Error('The test upload could not be removed. The cleanup removes it later.', {
      cause: error,
    });
  }
}
