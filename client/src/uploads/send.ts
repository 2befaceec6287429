/** Sends bytes with progress: by XMLHttpRequest where there is one, otherwise by fetch. */
import { answered, type Connection } from '../connection.js';
import { noAnswer, unreachable } from '../errors.js';
import { formStream, type FileForm } from './form-stream.js';

export interface FileRequest {
  method: 'POST' | 'PUT' | 'PATCH';
  url: string;
  headers?: { [name: string]: string };
  body: FileForm | Blob;
  /** Bytes of the file in the body. */
  size: number;
  signal: AbortSignal;
  /** @param sent bytes of the file that have left */
  onProgress(sent: number): void;
}

export interface FileAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** How long nothing may move before the connection counts as lost, also while the answer is awaited. */
const STALL_MS = 120_000;

/** @throws MoorageError `UNREACHABLE`, `NO_ANSWER`, or the reason of the signal */
export function sendFile(fetch: Connection['fetch'], request: FileRequest): Promise<FileAnswer> {
  return typeof XMLHttpRequest === 'function' ? sendByXhr(request) : sendByFetch(fetch, request);
}

function sendByXhr(request: FileRequest): Promise<FileAnswer> {
  const { method, url, headers = {}, body, size, signal, onProgress } = request;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const xhr = new XMLHttpRequest();
    let stalled: ReturnType<typeof setTimeout>;
    let hasBegun = false;
    const moved = () => {
      clearTimeout(stalled);
      stalled = setTimeout(() => xhr.abort(), STALL_MS);
    };
    const abort = () => xhr.abort();
    signal.addEventListener('abort', abort);
    // A form has more bytes than its file.
    xhr.upload.onprogress = ({ loaded, total }) => {
      moved();
      hasBegun ||= loaded > 0;
      onProgress(Math.max(0, loaded - (total - size)));
    };
    xhr.onload = () =>
      resolve({ status: xhr.status, headers: headersOf(xhr), text: xhr.responseText });
    xhr.onerror = () => reject(hasBegun ? noAnswer() : unreachable(url));
    xhr.onabort = () => reject(signal.aborted ? (signal.reason as Error) : noAnswer());
    xhr.onloadend = () => {
      clearTimeout(stalled);
      signal.removeEventListener('abort', abort);
    };
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    moved();
    xhr.send(body instanceof Blob ? body : formData(body));
  });
}

function formData({ fields, name, file, fileName }: FileForm): FormData {
  const form = new FormData();
  for (const [field, value] of fields) form.append(field, value);
  // Only a real File can be sent by a browser.
  form.append(name, file as unknown as File, fileName);
  return form;
}

function headersOf(xhr: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const line of xhr.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}

async function sendByFetch(
  fetch: Connection['fetch'],
  { method, url, headers, body, signal, onProgress }: FileRequest,
): Promise<FileAnswer> {
  const form = body instanceof Blob ? undefined : formStream(body, onProgress);
  const init = form
    ? { headers: { ...headers, ...form.headers }, body: form.stream, duplex: 'half' }
    : { headers: { ...headers }, body: body as Blob };
  const response = await fetch(url, { method, signal, ...init });
  return {
    status: response.status,
    headers: response.headers,
    text: await answered(response.text(), signal),
  };
}
