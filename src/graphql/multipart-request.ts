/** The form of a GraphQL request with a file. */
import { isUtf8 } from 'node:buffer';
import type { Request, RequestHandler } from 'express';
import { Upload } from 'graphql-upload-minimal';
import { InvalidRequestBody } from '../contract/errors.js';
import { MAX_BODY } from '../contract/limits.js';
import { IncomingFile } from '../http/incoming-file.js';
import { readForm, type Part } from '../http/read-form.js';

/**
 * Reads the form of the GraphQL multipart request specification: operations, map and one file, in
 * this order. Files of one form arrive one after the other. A mutation that needs the second file
 * first would wait for ever, hence one file. The library's own reader is not used: it follows a
 * path of the map such as `variables.toString.call` into built-in objects.
 */
export const uploadForm: RequestHandler = (req, _res, next) => {
  if (req.method !== 'POST' || !req.is('multipart/form-data')) return next();
  readOperations(req).then((operations) => {
    req.body = operations;
    next();
  }, next);
};

const THREE_PARTS = 'The form must have the parts operations, map and one file, in this order.';

const parts = {
  operations: jsonPart('operations', () => true),
  map: jsonPart('map', (value) => !Array.isArray(value)),
};

/** @returns the operations, with the file in the places that the map names */
async function readOperations(req: Request): Promise<object> {
  const form = readForm(req, { parts, inOrder: true, file: {}, unexpected: THREE_PARTS });
  const { name, content, filename, mimeType, encoding, mostBytes } = await form.file;
  const [operations, map] = await Promise.all([form.parts.operations, form.parts.map]);
  const upload = new Upload() as Upload & { resolve(file: object): void };
  upload.resolve({
    fieldName: name,
    filename,
    mimetype: mimeType,
    encoding,
    createReadStream: () => {
      if (content.readableDidRead)
        throw new InvalidRequestBody('A file can be used once in a request.');
      return content;
    },
  });
  // Errors would quote the library's object with its members.
  const file = new IncomingFile(
    async () => (await upload.promise).createReadStream(),
    undefined,
    form.end,
    Promise.resolve(mostBytes),
    filename,
  );
  const problem =
    Object.keys(map).join() !== name
      ? THREE_PARTS
      : place(file, operations, Object.values(map)[0])
        ? undefined
        : 'The part map must name places of the part operations that are null, ' +
          'such as {"0": ["variables.file"]}.';
  if (problem === undefined) return operations;
  const error = new InvalidRequestBody(problem);
  form.refuse(error);
  throw error;
}

function jsonPart(name: string, accepts: (value: object) => boolean): Part<object> {
  return {
    maxBytes: MAX_BODY,
    parse(bytes) {
      const value = parsedObject(bytes);
      if (!value || !accepts(value))
        throw new InvalidRequestBody(`The part ${name} is not a JSON object.`);
      if (!isUtf8(bytes)) throw new InvalidRequestBody(`The part ${name} is not valid UTF-8.`);
      return value;
    },
  };
}

function parsedObject(bytes: Uint8Array): object | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A file belongs below the variables, also in a batch, which is refused later. */
const PLACE = /^(\d+\.)?variables\./;

/**
 * Puts the file where the map says. It follows own members only: a path such as
 * `variables.toString.call` would break the process.
 */
function place(file: IncomingFile, operations: object, paths: unknown): boolean {
  return (
    Array.isArray(paths) &&
    paths.length > 0 &&
    paths.every((path: unknown) => {
      if (typeof path !== 'string' || !PLACE.test(path)) return false;
      const names = path.split('.');
      const last = names.pop() ?? '';
      let parent: unknown = operations;
      for (const name of names) parent = own(parent, name);
      if (own(parent, last) !== null) return false;
      (parent as { [name: string]: unknown })[last] = file;
      return true;
    })
  );
}

const own = (parent: unknown, name: string): unknown =>
  typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name)
    ? (parent as { [name: string]: unknown })[name]
    : undefined;
