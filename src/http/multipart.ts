/** What both readers of multipart forms share: the REST one of two parts and the GraphQL one of three. */
import busboy, { type Busboy, type BusboyConfig } from 'busboy';
import type { Readable } from 'node:stream';
import type { Request } from 'express';
import { ApiError, InvalidRequestBody, TypeNotSupported } from '../contract/errors.js';

/** Pieces in which a file arrives. */
const CHUNK = 256 * 1024;

/** Event of a request: from the file on it takes as long as it takes (`listener.ts`). */
export const FILE_BEGINS = 'file begins';

/** @throws InvalidRequestBody, TypeNotSupported for a request that is no readable form */
export function formParser(
  req: Request,
  config: Pick<BusboyConfig, 'defCharset' | 'limits'>,
): Busboy {
  const coding = req.headers['content-encoding'] ?? 'identity';
  if (coding.trim().toLowerCase() !== 'identity')
    throw new TypeNotSupported(
      'The Content-Encoding of an upload is not supported: send the form as it is.',
    );
  try {
    return busboy({
      headers: req.headers,
      defParamCharset: 'utf8',
      highWaterMark: CHUNK,
      fileHwm: CHUNK,
      ...config,
    });
  } catch {
    throw new InvalidRequestBody('The Content-Type names no usable multipart boundary.');
  }
}

/**
 * The bytes of a field. busboy decodes them: without a charset it is told base64 (`defCharset`), which loses nothing and never looks
 * like an object; with one it repairs what is broken (U+FFFD), and answers undefined where it does not know the charset.
 */
export function bytesOf(value: string | undefined): Uint8Array | undefined {
  if (value === undefined || value.includes('\uFFFD')) return undefined;
  return Buffer.from(value, value.includes('{') ? 'utf8' : 'base64');
}

export const malformed = () =>
  new InvalidRequestBody('The multipart body is malformed or incomplete.');

/** A file whose errors may reach the client: busboy breaks the file of a broken form with words of its own. */
export function speakable(stream: Readable): Readable {
  const destroy = stream.destroy.bind(stream);
  stream.destroy = (error) => destroy(error && !(error instanceof ApiError) ? malformed() : error);
  // An error without a listener would end the process.
  return stream.on('error', () => undefined);
}

/** A promise that nobody may be waiting for yet. */
export function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
