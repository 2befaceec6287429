/** Reads multipart forms: small JSON parts, and at most one file, which is streamed. */
import busboy, { type Busboy, type BusboyConfig, type FileInfo } from 'busboy';
import type { Request } from 'express';
import type { Readable } from 'node:stream';
import { deferred } from '../concurrency/deferred.js';
import { ApiError, InvalidRequestBody, TypeNotSupported } from '../contract/errors.js';
import { MAX_BODY } from '../contract/limits.js';
import { bodyTooLarge } from './body-errors.js';

/** Size of the chunks of a file, in bytes. */
const CHUNK = 256 * 1024;

/** Event of a request: the file begins, so the time limit for bodies ends (see `server.ts`). */
export const FILE_BEGINS = 'file begins';

export interface Part<T> {
  maxBytes: number;
  /** @throws InvalidRequestBody */
  parse: (bytes: Uint8Array) => T;
}

interface FormShape<T> {
  parts: { [name in keyof T]: Part<T[name]> };
  /** Whether the parts must come in the order of `parts`, and the file last. */
  inOrder?: boolean;
  /** Absent: the form has no file. A file without a name here may have any name. */
  file?: { name?: string };
  /** The message for a part that is unexpected, repeated or in the wrong place. */
  unexpected: string;
  /** Whether other parts are read and ignored. Only for a form without a file: it may be small. */
  ignoresOthers?: boolean;
  /** Makes the error for a missing part, if it is not an invalid body. */
  missing?: () => ApiError;
}

interface Form<T> {
  parts: { [name in keyof T]: Promise<T[name]> };
  /** Resolves when the file begins. */
  file: Promise<FilePart>;
  /** Resolves when the whole form was read and is well-formed. */
  end: Promise<void>;
  /** Stops reading. Every promise that is still open rejects with the error. */
  refuse(error: Error): void;
}

interface FilePart extends FileInfo {
  name: string;
  content: Readable;
  /** The size of the whole form, if the request announces it. */
  mostBytes: number | undefined;
}

/**
 * Reads a form in one pass. All promises of the form reject with its first error.
 * @throws InvalidRequestBody, TypeNotSupported when the request is no readable form
 */
export function readForm<T extends object>(req: Request, shape: FormShape<T>): Form<T> {
  const names = Object.keys(shape.parts);
  const partOf = (name: string) => shape.parts[name as keyof T];
  const parts = new Map(names.map((name) => [name, deferred<unknown>()]));
  const file = deferred<FilePart>();
  const end = deferred<void>();
  const begun = new Set<string>();
  let content: Readable | undefined;

  // One part more than allowed, so that the extra one is noticed and refused.
  const most = names.length + (shape.file ? 2 : 1);
  const parser = formParser(req, {
    defCharset: 'base64',
    limits: {
      ...(!shape.ignoresOthers && { parts: most, files: most, fields: most }),
      fieldSize: 1 + Math.max(...names.map((name) => partOf(name).maxBytes)),
    },
  });
  const refuse = (error: Error) => {
    req.unpipe(parser);
    req.resume();
    for (const part of [...parts.values(), file, end]) part.reject(error);
    content?.destroy(error);
  };
  const refuseBody = (message: string) => refuse(new InvalidRequestBody(message));
  const isIgnored = (name: string) => shape.ignoresOthers === true && !parts.has(name);
  const refuseMissing = (part: string) =>
    shape.missing ? refuse(shape.missing()) : refuseBody(`The part ${part} is missing.`);
  const isExpected = (name: string) =>
    parts.has(name) && !begun.has(name) && (!shape.inOrder || names[begun.size] === name);
  const take = (name: string, bytes: Uint8Array) => {
    try {
      parts.get(name)?.resolve(partOf(name).parse(bytes));
    } catch (error) {
      refuse(error as Error);
    }
  };

  parser.on('field', (name, value, { valueTruncated }) => {
    if (name === shape.file?.name) return refuseBody(withoutFileName(name));
    if (isIgnored(name)) return;
    if (!isExpected(name)) return refuseBody(shape.unexpected);
    begun.add(name);
    if (valueTruncated) return refuse(tooLarge(name, partOf(name)));
    const bytes = bytesOf(value);
    if (!bytes) return refuseBody(`The part ${name} is not valid UTF-8.`);
    take(name, bytes);
  });
  parser.on('file', (name: string, stream: Readable, info: FileInfo) => {
    translateErrors(stream);
    if (isExpected(name)) {
      begun.add(name);
      collect(stream, name, partOf(name)).then((bytes) => take(name, bytes), refuse);
      return;
    }
    if (isIgnored(name)) return void stream.resume();
    const isExpectedFile =
      shape.file !== undefined &&
      !content &&
      (shape.file.name ?? name) === name &&
      (!shape.inOrder || begun.size === names.length);
    if (!isExpectedFile || (shape.file?.name && !info.filename)) {
      stream.resume();
      return refuseBody(isExpectedFile ? withoutFileName(name) : shape.unexpected);
    }
    content = stream;
    req.emit(FILE_BEGINS);
    const length = req.headers['content-length'];
    file.resolve({ ...info, name, content, mostBytes: length ? Number(length) : undefined });
  });
  parser.on('partsLimit', () => refuseBody(shape.unexpected));
  parser.on('error', () => refuse(malformed()));
  parser.on('close', () => {
    const missing = names.find((name) => !begun.has(name));
    if (missing !== undefined) return refuseMissing(missing);
    if (shape.file && !content) return refuseMissing(shape.file.name ?? 'with the file');
    end.resolve();
  });
  if (shape.ignoresOthers) limitBody(req, refuse);
  req.on('aborted', () => refuseBody('The request was cut off.'));
  req.pipe(parser);
  return {
    // Cast: `Object.fromEntries` loses the names.
    parts: Object.fromEntries(
      [...parts].map(([name, { promise }]) => [name, promise]),
    ) as Form<T>['parts'],
    file: file.promise,
    end: end.promise,
    refuse,
  };
}

/** Ignored parts must not make the body larger than other bodies without a file. */
function limitBody(req: Request, refuse: (error: Error) => void): void {
  let size = 0;
  req.on('data', ({ byteLength }: Buffer) => {
    size += byteLength;
    if (size > MAX_BODY) refuse(bodyTooLarge());
  });
}

/** @throws TypeNotSupported for a body that is encoded, such as with gzip */
export function demandPlainBody({ headers }: Request): void {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding.trim().toLowerCase() !== 'identity')
    throw new TypeNotSupported(
      'The Content-Encoding of an upload is not supported: send it as it is.',
    );
}

function formParser(req: Request, config: Pick<BusboyConfig, 'defCharset' | 'limits'>): Busboy {
  demandPlainBody(req);
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
function bytesOf(value: string | undefined): Uint8Array | undefined {
  if (value === undefined || value.includes('\uFFFD')) return undefined;
  return Buffer.from(value, value.includes('{') ? 'utf8' : 'base64');
}

async function collect(
  stream: Readable,
  name: string,
  part: { maxBytes: number },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > part.maxBytes) throw tooLarge(name, part);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (name: string, { maxBytes }: { maxBytes: number }) =>
  new InvalidRequestBody(`The part ${name} is larger than ${maxBytes} bytes.`);
const withoutFileName = (name: string) =>
  `The part ${name} must carry a filename in its Content-Disposition.`;
const malformed = () => new InvalidRequestBody('The multipart body is malformed or incomplete.');

/** Replaces errors of busboy, which destroys the file of a broken form, by an error for clients. */
function translateErrors(stream: Readable) {
  const destroy = stream.destroy.bind(stream);
  stream.destroy = (error) => destroy(error && !(error instanceof ApiError) ? malformed() : error);
  // An error without a listener would end the process.
  stream.on('error', () => undefined);
}
