/** Reads the forms of uploads: metadata and file in one streaming pass, or metadata alone. */
import type { FileInfo } from 'busboy';
import type { Request, RequestHandler, Response } from 'express';
import type { Readable } from 'node:stream';
import { InvalidRequestBody } from '../../contract/errors.js';
import { IncomingFile, type FileDetails } from '../../http/incoming-file.js';
import {
  bytesOf,
  deferred,
  FILE_BEGINS,
  formParser,
  malformed,
  speakable,
} from '../../http/multipart.js';
import { Body, parseJsonObject, unreadable, type JsonObject } from './body.js';
import { locals } from './locals.js';

const MAX_METADATA_BYTES = 64 * 1024;
const ONE_PART =
  'The request must have exactly one part, metadata: the file itself goes to the storage.';
const TWO_PARTS = 'The request must have exactly two parts: metadata and file.';

/**
 * Waits for the file part and puts it into `res.locals.file`. The metadata may come before it or
 * after it. A form without a file is refused here; later errors reject the promises of the file.
 */
export const uploadForm: RequestHandler = (req, res, next) => {
  readForm(req)
    .catch((error: unknown) => {
      unreadable(res, error);
      return unreadFile(error);
    })
    .then((file) => {
      res.locals['file'] = file;
      next();
    })
    .catch(next);
};

/** Reads the form that prepares a direct upload: one part, put into `res.locals.metadata`. */
export const metadataForm: RequestHandler = (req, res, next) => {
  readMetadata(req)
    .catch((error: unknown) => unreadable(res, error))
    .then((metadata) => {
      res.locals['metadata'] = new Body(metadata, locals(res).context.inputErrors);
      next();
    })
    .catch(next);
};

export const metadataOf = (res: Response): Body => res.locals['metadata'] as Body;

export const fileOf = (res: Response): IncomingFile => res.locals['file'] as IncomingFile;

/** Replaces a file that cannot be read: the action throws the noted error before it reads. */
const unreadFile = (error: unknown) =>
  new IncomingFile(() => Promise.reject(error), Promise.resolve({}), Promise.resolve());

function readForm(req: Request): Promise<IncomingFile> {
  return new Promise((resolve, reject) => {
    const details = deferred<FileDetails>();
    const end = deferred<void>();
    let metadata: 'missing' | 'found' = 'missing';
    let content: Readable | undefined;

    // One part more than allowed, so that the extra one is noticed and refused.
    const parser = formParser(req, {
      defCharset: 'base64',
      limits: { parts: 3, files: 3, fields: 3, fieldSize: MAX_METADATA_BYTES + 1 },
    });
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
      } catch (error) {
        fail(error as Error);
      }
    };

    parser.on('field', (name, value, { valueTruncated }) => {
      if (name === 'file')
        return fail(
          new InvalidRequestBody('The part file must carry a filename in its Content-Disposition.'),
        );
      if (name !== 'metadata' || metadata !== 'missing')
        return fail(new InvalidRequestBody(TWO_PARTS));
      if (valueTruncated) return fail(tooLarge());
      const bytes = bytesOf(value);
      if (!bytes) return fail(new InvalidRequestBody('The part metadata is not valid UTF-8.'));
      metadata = 'found';
      takeMetadata(bytes);
    });
    parser.on('file', (name: string, stream: Readable, { filename }: FileInfo) => {
      if (name === 'metadata' && metadata === 'missing') {
        metadata = 'found';
        collect(stream).then(takeMetadata, fail);
        return;
      }
      const problem =
        name !== 'file' || content
          ? TWO_PARTS
          : filename
            ? undefined
            : 'The part file must carry a filename in its Content-Disposition.';
      if (problem !== undefined) {
        speakable(stream).resume();
        return fail(new InvalidRequestBody(problem));
      }
      content = speakable(stream);
      req.emit(FILE_BEGINS);
      resolve(new IncomingFile(() => stream, details.promise, end.promise));
    });
    parser.on('partsLimit', () => fail(new InvalidRequestBody(TWO_PARTS)));
    parser.on('error', () => fail(malformed()));
    parser.on('close', () => {
      if (metadata === 'missing')
        return fail(new InvalidRequestBody('The part metadata is missing.'));
      if (!content) return fail(new InvalidRequestBody('The part file is missing.'));
      end.resolve();
    });
    req.on('aborted', () => fail(new InvalidRequestBody('The request was cut off.')));
    req.pipe(parser);
  });
}

function readMetadata(req: Request): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    let metadata: Promise<JsonObject> | undefined;
    const parser = formParser(req, {
      defCharset: 'base64',
      limits: { parts: 2, files: 2, fields: 2, fieldSize: MAX_METADATA_BYTES + 1 },
    });
    const fail = (error: Error) => {
      req.unpipe(parser);
      req.resume();
      reject(error);
    };
    const take = (bytes: Promise<Uint8Array>) => {
      metadata = bytes.then(parseJsonObject);
      metadata.catch(fail);
    };
    parser.on('field', (name, value, { valueTruncated }) => {
      const bytes = bytesOf(value);
      if (name !== 'metadata' || metadata) fail(new InvalidRequestBody(ONE_PART));
      else if (valueTruncated) fail(tooLarge());
      else if (!bytes) fail(new InvalidRequestBody('The part metadata is not valid UTF-8.'));
      else take(Promise.resolve(bytes));
    });
    parser.on('file', (name: string, stream: Readable) => {
      if (name === 'metadata' && !metadata) return take(collect(speakable(stream)));
      speakable(stream).resume();
      fail(new InvalidRequestBody(ONE_PART));
    });
    parser.on('partsLimit', () => fail(new InvalidRequestBody(ONE_PART)));
    parser.on('error', () => fail(malformed()));
    parser.on('close', () => {
      if (metadata) void metadata.then(resolve, fail);
      else fail(new InvalidRequestBody('The part metadata is missing.'));
    });
    req.on('aborted', () => fail(new InvalidRequestBody('The request was cut off.')));
    req.pipe(parser);
  });
}

const tooLarge = () =>
  new InvalidRequestBody(`The part metadata is larger than ${MAX_METADATA_BYTES} bytes.`);

async function collect(stream: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_METADATA_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
