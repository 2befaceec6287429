/** The two-part form of a regular upload (interface 4.2), read in one streaming pass. */
import busboy, { type FileInfo } from 'busboy';
import type { Request, RequestHandler, Response } from 'express';
import type { Readable } from 'node:stream';
import { InvalidRequestBody } from '../errors.js';
import { IncomingFile, type FileDetails } from '../incoming-file.js';
import { parseJsonObject } from './body.js';

const MAX_METADATA_BYTES = 64 * 1024;
/** Pieces in which the file arrives. */
const CHUNK = 256 * 1024;
/** How long a refused client may go on sending before its connection is closed. */
const DRAIN_MS = 10_000;
const TWO_PARTS = 'The request must have exactly two parts: metadata and file.';

/**
 * Waits for the file part and puts it into `res.locals.file`; the metadata part may stand before or behind it.
 * Forms that end without a file are refused here, all that follows the file by its promises.
 */
export const uploadForm: RequestHandler = (req, res, next) => {
  drainAfterwards(req, res);
  readForm(req).then((file) => {
    res.locals['file'] = file;
    next();
  }, next);
};

export const fileOf = (res: Response): IncomingFile => res.locals['file'] as IncomingFile;

function readForm(req: Request): Promise<IncomingFile> {
  return new Promise((resolve, reject) => {
    const details = deferred<FileDetails>();
    const end = deferred<void>();
    let metadata: 'missing' | 'reading' | 'read' = 'missing';
    let content: Readable | undefined;

    const parser = parserFor(req);
    const fail = (error: Error) => {
      req.unpipe(parser);
      req.resume();
      details.reject(error);
      end.reject(error);
      content?.destroy(error);
      reject(error);
    };
    const takeMetadata = (bytes: Uint8Array) => {
      try {
        details.resolve(parseJsonObject(bytes));
        metadata = 'read';
      } catch (error) {
        fail(error as Error);
      }
    };

    // The default charset turns a field into its bytes, so that broken UTF-8 is seen instead of repaired.
    parser.on('field', (name, value, { valueTruncated }) => {
      if (name === 'file') return fail(new InvalidRequestBody('The part file must carry a filename in its Content-Disposition.'));
      if (name !== 'metadata' || metadata !== 'missing') return fail(new InvalidRequestBody(TWO_PARTS));
      if (valueTruncated) return fail(new InvalidRequestBody(`The part metadata is larger than ${MAX_METADATA_BYTES} bytes.`));
      takeMetadata(Buffer.from(value, 'latin1'));
    });
    parser.on('file', (name: string, stream: Readable, { filename }: FileInfo) => {
      if (name === 'metadata' && metadata === 'missing') {
        metadata = 'reading';
        collect(stream, MAX_METADATA_BYTES).then(takeMetadata, fail);
        return;
      }
      const problem = name !== 'file' || content ? TWO_PARTS : filename ? undefined : 'The part file must carry a filename in its Content-Disposition.';
      if (problem !== undefined) {
        // An error without a listener would end the process.
        stream.on('error', () => undefined).resume();
        return fail(new InvalidRequestBody(problem));
      }
      content = stream;
      stream.on('error', () => undefined);
      resolve(new IncomingFile(() => stream, details.promise, end.promise));
    });
    parser.on('partsLimit', () => fail(new InvalidRequestBody(TWO_PARTS)));
    parser.on('error', () => fail(new InvalidRequestBody('The multipart body is malformed or incomplete.')));
    parser.on('close', () => {
      if (metadata !== 'read') return fail(new InvalidRequestBody('The part metadata is missing.'));
      if (!content) return fail(new InvalidRequestBody('The part file is missing.'));
      end.resolve();
    });
    req.on('aborted', () => fail(new InvalidRequestBody('The request was cut off.')));
    req.pipe(parser);
  });
}

function parserFor(req: Request) {
  try {
    return busboy({
      headers: req.headers, defCharset: 'latin1', defParamCharset: 'utf8', highWaterMark: CHUNK, fileHwm: CHUNK,
      // One more of each than allowed, so that the extra one is seen and refused.
      limits: { parts: 3, files: 3, fields: 3, fieldSize: MAX_METADATA_BYTES, fieldNameSize: 100, headerPairs: 20 },
    });
  } catch {
    throw new InvalidRequestBody('The Content-Type names no usable multipart boundary.');
  }
}

async function collect(stream: Readable, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw new InvalidRequestBody(`The part metadata is larger than ${limit} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A promise that nobody may be waiting for yet. */
function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

/** An answer before the end of the upload reaches the client only if its bytes are still taken off the wire. */
function drainAfterwards(req: Request, res: Response) {
  res.once('finish', () => {
    if (req.complete) return;
    req.unpipe();
    req.resume();
    const timer = setTimeout(() => req.socket.destroy(), DRAIN_MS).unref();
    req.once('close', () => clearTimeout(timer));
  });
}
