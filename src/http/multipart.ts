/** Shared parts of the multipart readers of REST (two form parts) and GraphQL (three). */
import busboy, { type Busboy, type BusboyConfig } from 'busboy';
import type { Readable } from 'node:stream';
import type { Request } from 'express';
import { ApiError, InvalidRequestBody, TypeNotSupported } from '../contract/errors.js';

/** Size of the chunks of a file, in bytes. */
const CHUNK = 256 * 1024;

/** Event of a request: the file begins, so the time limit for bodies ends (see `server.ts`). */
export const FILE_BEGINS = 'file begins';

/** @throws InvalidRequestBody, TypeNotSupported when the request is no readable form */
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
 * The original bytes of a form field, which busboy has decoded to text. Fields without a charset
 * use `defCharset: 'base64'`, which loses nothing and never contains `{`. With a charset busboy
 * replaces invalid bytes by U+FFFD.
 * @returns undefined for invalid bytes and for an unknown charset
 */
export function bytesOf(value: string | undefined): Uint8Array | undefined {
  if (value === undefined || value.includes('\uFFFD')) return undefined;
  return Buffer.from(value, value.includes('{') ? 'utf8' : 'base64');
}

export const malformed = () =>
  new InvalidRequestBody('The multipart body is malformed or incomplete.');

/** Replaces errors of busboy, which destroys the file of a broken form, by an error for clients. */
export function speakable(stream: Readable): Readable {
  const destroy = stream.destroy.bind(stream);
  stream.destroy = (error) => destroy(error && !(error instanceof ApiError) ? malformed() : error);
  // An error without a listener would end the process.
  return stream.on('error', () => undefined);
}

/** A promise with its functions. A rejection without a listener is no unhandled rejection. */
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
