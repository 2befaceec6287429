/** The form of a GraphQL request with a file. */
import { isUtf8 } from 'node:buffer';
import type { FileInfo } from 'busboy';
import type { Request, RequestHandler } from 'express';
import { Upload } from 'graphql-upload-minimal';
import type { Readable } from 'node:stream';
import { InvalidRequestBody } from '../contract/errors.js';
import {
  bytesOf,
  deferred,
  FILE_BEGINS,
  formParser,
  malformed,
  speakable,
} from '../http/multipart.js';
import { MAX_BODY } from '../http/body-errors.js';

/**
 * The form of a request with a file (graphql-multipart-request-spec): operations, map and the file, in this order. One file a
 * request: files of one form arrive one after the other, and a mutation that wants the second first would wait for ever.
 * The library's own reader is not used: it follows a path of the map such as `variables.toString.call` into the built-ins.
 */
export const uploadForm: RequestHandler = (req, _res, next) => {
  if (req.method !== 'POST' || !req.is('multipart/form-data')) return next();
  readForm(req).then((operations) => {
    req.body = operations;
    next();
  }, next);
};

const THREE_PARTS = 'The form must have the parts operations, map and one file, in this order.';

function readForm(req: Request): Promise<object> {
  return new Promise((resolve, reject) => {
    let operations: object | undefined;
    let map: object | undefined;
    let content: Readable | undefined;
    const end = deferred<void>();

    // One more part of each kind than allowed, so that the extra one is seen and refused.
    const parser = formParser(req, {
      defCharset: 'base64',
      limits: { parts: 4, files: 2, fields: 3, fieldSize: MAX_BODY + 1 },
    });
    const fail = (message: string) => {
      const error = new InvalidRequestBody(message);
      req.unpipe(parser);
      req.resume();
      end.reject(error);
      content?.destroy(error);
      reject(error);
    };
    parser.on('field', (name, value, { valueTruncated }) => {
      const isNext =
        (name === 'operations' && !operations) || (name === 'map' && operations && !map);
      const bytes = bytesOf(value);
      const parsed = parsedObject(bytes);
      if (valueTruncated) fail(`The part ${name} is larger than ${MAX_BODY} bytes.`);
      else if (!isNext) fail(THREE_PARTS);
      else if (!bytes) fail(`The part ${name} is not valid UTF-8.`);
      else if (!parsed || (name === 'map' && Array.isArray(parsed)))
        fail(`The part ${name} is not a JSON object.`);
      else if (!isUtf8(bytes)) fail(`The part ${name} is not valid UTF-8.`);
      else if (name === 'operations') operations = parsed;
      else map = parsed;
    });
    parser.on(
      'file',
      (name: string, stream: Readable, { filename, mimeType, encoding }: FileInfo) => {
        speakable(stream);
        if (!operations || !map || content || Object.keys(map).join() !== name) {
          stream.resume();
          return fail(THREE_PARTS);
        }
        content = stream;
        req.emit(FILE_BEGINS);
        const createReadStream = () => {
          if (stream.readableDidRead)
            throw new InvalidRequestBody('A file can be used once in a request.');
          return stream;
        };
        const upload = new Upload() as Upload & { resolve(file: object): void };
        upload.resolve({
          fieldName: name,
          filename,
          mimetype: mimeType,
          encoding,
          createReadStream,
          formEnd: end.promise,
        });
        if (place(upload, operations, Object.values(map)[0])) resolve(operations);
        else
          fail(
            'The part map must name places of the part operations that are null, such as {"0": ["variables.file"]}.',
          );
      },
    );
    parser.on('partsLimit', () => fail(THREE_PARTS));
    parser.on('error', () => fail(malformed().message));
    parser.on('close', () => (content ? end.resolve() : fail(THREE_PARTS)));
    req.on('aborted', () => fail('The request was cut off.'));
    req.pipe(parser);
  });
}

function parsedObject(bytes: Uint8Array | undefined): object | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes ?? []).toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Puts the file where the map says: own members only, because a path such as `variables.toString.call` would break the process. */
function place(upload: Upload, operations: object, paths: unknown): boolean {
  return (
    Array.isArray(paths) &&
    paths.length > 0 &&
    paths.every((path: unknown) => {
      if (typeof path !== 'string') return false;
      const names = path.split('.');
      const last = names.pop()!;
      let parent: unknown = operations;
      for (const name of names) parent = own(parent, name);
      if (own(parent, last) !== null) return false;
      (parent as { [name: string]: unknown })[last] = upload;
      return true;
    })
  );
}

const own = (parent: unknown, name: string): unknown =>
  typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name)
    ? (parent as { [name: string]: unknown })[name]
    : undefined;
