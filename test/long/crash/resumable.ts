/** Clients send files in several requests, and go on after a crash with what the server has confirmed. */
import { metadataOf, TUS } from '../../support/tus.js';
import type { Random } from './random.js';
import { newFile, Unexpected, type Client, type Known } from './known.js';

/** One of some files is longer than a part of an object store. */
const LONG = 7_000_000;

const send = (
  { address, key }: Client,
  method: string,
  path: string,
  headers: { [name: string]: string },
  body?: Buffer,
): Promise<Response> =>
  fetch(address + path, {
    method,
    headers: { ...TUS, authorization: `Bearer ${key}`, ...headers },
    ...(body && { body: new Uint8Array(body) }),
  });

async function refused(what: string, response: Response): Promise<never> {
  throw new Unexpected(`${what} was answered with ${response.status}: ${await response.text()}`);
}

export async function beginUpload(
  client: Client,
  random: Random,
  known: Known[],
  infection: Buffer,
): Promise<void> {
  const largest = random.integer(10) === 0 ? LONG : 300_000;
  const { file, content } = newFile(random, 'resumable', infection, largest);
  const target = random.integer(client.targets.length + 1);
  const container = client.targets[target];
  Object.assign(file, { busy: true, contained: container !== undefined });
  known.push(file);
  const response = await send(client, 'POST', '/uploads', {
    'upload-length': String(file.size),
    'upload-metadata': metadataOf({ filename: file.fileName, ...(container && { container }) }),
  });
  if (response.status !== 201) return refused('The creation of a resumable upload', response);
  file.id = Number(response.headers.get('location')!.split('/').at(-1));
  file.upload = { content, confirmed: 0 };
  return continueUpload(client, random, file);
}

/** Sends up to three pieces, from where the server is. */
export async function continueUpload(client: Client, random: Random, file: Known): Promise<void> {
  const upload = file.upload!;
  const { content } = upload;
  file.busy = true;
  const path = `/uploads/${file.id}`;
  const asked = await send(client, 'HEAD', path, {});
  if (asked.status !== 200) return refused(`The offset of ${file.fileName}`, asked);
  const reached = Number(asked.headers.get('upload-offset'));
  if (reached < upload.confirmed)
    throw new Unexpected(
      `${file.fileName} is at ${reached}, but ${upload.confirmed} bytes were confirmed`,
    );
  upload.confirmed = reached;
  for (let piece = 0; piece < 3 && upload.confirmed < content.byteLength; piece += 1) {
    const from = upload.confirmed;
    const size = 1 + random.integer(content.byteLength - from);
    const response = await send(
      client,
      'PATCH',
      path,
      { 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
      content.subarray(from, from + size),
    );
    if (response.status !== 204) return refused('Bytes of a resumable upload', response);
    upload.confirmed = Number(response.headers.get('upload-offset'));
  }
  if (upload.confirmed === content.byteLength)
    Object.assign(file, { promised: true, upload: undefined });
  else if (random.integer(8) === 0) {
    file.deleting = true;
    const ended = await send(client, 'DELETE', path, {});
    if (ended.status !== 204) return refused('The end of a resumable upload', ended);
    Object.assign(file, { deleted: true, upload: undefined });
  }
  file.busy = false;
}

/** The next clients go on with what those of a dead server have begun. */
export function freeUploads(known: readonly Known[]): void {
  for (const file of known) if (file.upload && !file.deleting) file.busy = false;
}
