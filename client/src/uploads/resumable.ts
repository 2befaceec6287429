/** A resumable upload: the file goes to the service in ranges, with the protocol tus 1.0. */
import type { Connection } from '../connection.js';
import { errorOf, MoorageError, retryAfterOf } from '../errors.js';
import { AttachmentByIdDocument, type AttachmentPartsFragment } from '../generated/documents.js';
import type { ErrorCode } from '../generated/error-codes.js';
import type { AttachmentTarget } from './attachment-target.js';
import { sendFile, type FileAnswer } from './send.js';
import type { Attempt } from './way.js';

/** How far a resumable upload is. The service knows the rest. */
export interface ResumableMemory {
  /** Path of the upload at the service. */
  uploadPath?: string | undefined;
}

/** From this size on, in bytes, uploads through the service are resumable. */
export const RESUMABLE_FROM = 20_000_000;

/** Bytes of one request. What a broken one has sent stays, but proxies limit requests. */
const RANGE = 32 * 1024 * 1024;

const PROTOCOL = { 'tus-resumable': '1.0.0' };

/** The service is older than the protocol. */
export class NotResumable extends Error {}

/**
 * Sends what the service does not have yet.
 * @param onCreation gets each request that makes an upload. A pause or a cancel does not end it:
 *   somebody must know what it has made
 * @throws NotResumable, MoorageError, or the reason of the signal
 */
export async function sendResumable(
  connection: Connection,
  target: AttachmentTarget & { uploadKey: string },
  attempt: Attempt,
  memory: ResumableMemory,
  onCreation: (creation: Promise<string>) => void,
): Promise<AttachmentPartsFragment> {
  const { signal, setState, setSent, continueAt, save } = attempt;
  const source = attempt.file();
  const begin = (): Promise<string> => {
    const creation = create(connection, target, source).then((path) => {
      memory.uploadPath = path;
      save();
      return path;
    });
    onCreation(creation);
    return unlessAborted(creation, signal);
  };
  let path = memory.uploadPath ?? (await begin());
  let offset = await offsetOf(connection, path, signal);
  if (offset === undefined) {
    // It has expired, or somebody deleted it.
    path = await begin();
    offset = 0;
  }
  continueAt(offset);
  setState('sending');
  while (offset < source.size) {
    const from: number = offset;
    const end = Math.min(from + RANGE, source.size);
    const answer = await send(connection, path, {
      method: 'PATCH',
      headers: {
        'upload-offset': String(from),
        'content-type': 'application/offset+octet-stream',
      },
      body: source.slice(from, end),
      size: end - from,
      signal,
      onProgress: (sent) => setSent(from + sent),
    });
    if (answer.status === 204) offset = end;
    // Another request has gone on with it, or the service has lost bytes.
    else if (answer.status === 409) {
      offset = (await offsetOf(connection, path, signal)) ?? 0;
      continueAt(offset);
    } else throw refusalOf(answer);
    setSent(offset);
  }
  const id = path.slice(path.lastIndexOf('/') + 1);
  const { attachment } = await connection.ask(AttachmentByIdDocument, { id }, { signal });
  if (!attachment) throw new MoorageError('NOT_FOUND', `${target.fileName} is gone.`);
  return attachment;
}

async function create(
  connection: Connection,
  {
    containerId,
    fileName,
    description,
    replaces,
    uploadKey,
  }: AttachmentTarget & { uploadKey: string },
  { size, type }: { size: number; type: string },
): Promise<string> {
  const answer = await send(connection, '/uploads', {
    method: 'POST',
    headers: {
      'upload-length': String(size),
      'upload-metadata': metadataOf({
        filename: fileName,
        filetype: type,
        // An attachment that gets a new content stays where it is.
        container: replaces === undefined ? containerId : undefined,
        description,
        replaces,
        uploadKey,
      }),
    },
    body: new Blob(),
    size: 0,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  const location = answer.headers.get('location');
  if (answer.status === 201 && location !== null)
    return new URL(location, 'http://service').pathname;
  // A path that the service does not know has no header of the protocol.
  if (!answer.headers.has('tus-resumable')) throw new NotResumable();
  throw refusalOf(answer);
}

/** @throws also the reason of the signal. The work goes on then */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason as Error);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/** @returns undefined if the service does not know the upload */
async function offsetOf(
  connection: Connection,
  path: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const answer = await withCredentials(connection, (headers) =>
    connection.fetch(connection.url + path, {
      method: 'HEAD',
      headers: { ...PROTOCOL, ...headers },
      signal,
    }),
  );
  if (answer.status === 404) return undefined;
  if (answer.status !== 200)
    throw refusalOf({ status: answer.status, headers: answer.headers, text: '' });
  return Number(answer.headers.get('upload-offset'));
}

const send = (
  { url, fetch, credentials }: Connection,
  path: string,
  request: Omit<Parameters<typeof sendFile>[1], 'url'>,
): Promise<FileAnswer> =>
  withCredentials({ credentials }, (headers) =>
    sendFile(fetch, {
      ...request,
      url: url + path,
      headers: { ...PROTOCOL, ...request.headers, ...headers },
    }),
  );

async function withCredentials<Answer extends { status: number }>(
  { credentials }: Pick<Connection, 'credentials'>,
  ask: (headers: { [name: string]: string }) => Promise<Answer>,
): Promise<Answer> {
  const headers = await credentials.headers();
  const answer = await ask(headers);
  if (answer.status !== 401) return answer;
  const others = await credentials.renewed(headers);
  return others ? ask(others) : answer;
}

function metadataOf(values: { [name: string]: string | undefined }): string {
  return Object.entries(values)
    .flatMap(([name, value]) => (value ? [`${name} ${inBase64(value)}`] : []))
    .join(',');
}

const inBase64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** The error of a HAL answer. */
function refusalOf({ status, headers, text }: FileAnswer): MoorageError {
  try {
    const { errorIdentifier, message, _embedded } = JSON.parse(text) as HalError;
    const [name = ''] = errorIdentifier.split(':').slice(-1);
    // Cast: the service has a code for each identifier.
    const code = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase() as ErrorCode;
    return new MoorageError(code, message, {
      status,
      attribute: _embedded?.details?.attribute,
      retryAfter: retryAfterOf(headers.get('retry-after')),
      requestId: headers.get('x-request-id') ?? undefined,
    });
  } catch {
    return errorOf({}, { status, headers });
  }
}

interface HalError {
  errorIdentifier: string;
  message: string;
  _embedded?: { details?: { attribute?: string } };
}
