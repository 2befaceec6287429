/** Requests of the protocol tus 1.0, as its clients send them. */
import type { Readable } from 'node:stream';
import type { Answer, App } from './app.js';
import type { Person } from './factories.js';

export const TUS = { 'tus-resumable': '1.0.0' };

/** The header `Upload-Metadata`. */
export const metadataOf = (metadata: { [name: string]: string }): string =>
  Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');

export const create = (
  app: App,
  as: Person | undefined,
  size: number,
  metadata: { [name: string]: string } = { filename: 'film.bin' },
  headers: { [name: string]: string } = {},
): Promise<Answer> =>
  app.request('POST', '/uploads', {
    as,
    headers: {
      ...TUS,
      'upload-length': String(size),
      'upload-metadata': metadataOf(metadata),
      ...headers,
    },
  });

/** @returns the path of the new upload */
export async function begun(...args: Parameters<typeof create>): Promise<string> {
  const { status, headers, text } = await create(...args);
  if (status !== 201) throw new Error(`The creation was answered with ${status}: ${text}`);
  return headers.get('location')!;
}

export const patch = (
  app: App,
  path: string,
  as: Person | undefined,
  offset: number,
  body: string | Uint8Array | Readable,
  headers: { [name: string]: string } = {},
): Promise<Answer> =>
  app.request('PATCH', path, {
    as,
    headers: {
      ...TUS,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      ...headers,
    },
    body,
  });

/** The headers of an answer that belong to the protocol. */
export const tusHeaders = ({ headers }: Answer): { [name: string]: string } =>
  Object.fromEntries(
    [...headers].filter(([name]) => /^(tus-|upload-|location$|cache-control$)/.test(name)),
  );

export const idOf = (path: string): number => Number(path.split('/').at(-1));
