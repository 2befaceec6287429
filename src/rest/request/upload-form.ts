/** Reads the forms of uploads: metadata and file, or metadata alone. */
import type { Request, RequestHandler, Response } from 'express';
import { IncomingFile } from '../../http/incoming-file.js';
import { readForm } from '../../http/read-form.js';
import { Body, parseJsonObject, unreadable, type JsonObject } from './body.js';
import { locals } from './locals.js';

const parts = { metadata: { maxBytes: 64 * 1024, parse: parseJsonObject } };

/**
 * Waits for the file part and puts it into `res.locals.file`. The metadata may come before it or
 * after it. A form without a file is refused here; later errors reject the promises of the file.
 */
export const uploadForm: RequestHandler = (req, res, next) => {
  readUpload(req)
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

async function readUpload(req: Request): Promise<IncomingFile> {
  const form = readForm(req, {
    parts,
    file: { name: 'file' },
    unexpected: 'The request must have exactly two parts: metadata and file.',
  });
  const { content, mostBytes } = await form.file;
  return new IncomingFile(() => content, form.parts.metadata, form.end, Promise.resolve(mostBytes));
}

async function readMetadata(req: Request): Promise<JsonObject> {
  const form = readForm(req, {
    parts,
    unexpected:
      'The request must have exactly one part, metadata: the file itself goes to the storage.',
  });
  await form.end;
  return form.parts.metadata;
}
