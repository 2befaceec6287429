/** Reads the forms of uploads: metadata and file, or metadata alone. */
import type { Request, RequestHandler, Response } from 'express';
import { IncomingFile } from '../../http/incoming-file.js';
import { BlankFile } from '../../contract/errors.js';
import type { Profile } from '../../contract/profiles.js';
import { readForm } from '../../http/read-form.js';
import { parseJsonObject, unreadable } from './body.js';
import { Body, type JsonObject } from './body-members.js';
import { locals, type Locals } from './locals.js';

const parts = { metadata: { maxBytes: 64 * 1024, parse: parseJsonObject } };

/**
 * Waits for the file part and puts it into `res.locals.file`. The metadata may come before it or
 * after it. A form without a file is refused here; later errors reject the promises of the file.
 */
export const uploadForm: RequestHandler = (req, res, next) => {
  readUpload(req, locals(res))
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

/** Reads the form that prepares a direct upload, and puts its metadata into `res.locals.metadata`. */
export const metadataForm: RequestHandler = (req, res, next) => {
  readMetadata(req, locals(res))
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

const whenMissing = ({ missingPartIsBlankFile }: Profile) =>
  missingPartIsBlankFile ? { missing: () => new BlankFile() } : {};

async function readUpload(req: Request, { profile }: Locals): Promise<IncomingFile> {
  const form = readForm(req, {
    parts,
    ...whenMissing(profile),
    file: { name: 'file' },
    unexpected: 'The request must have exactly two parts: metadata and file.',
  });
  const { content, mostBytes } = await form.file;
  return new IncomingFile(() => content, form.parts.metadata, form.end, Promise.resolve(mostBytes));
}

/** Clients send further parts, such as those of a regular upload. They are ignored. */
async function readMetadata(req: Request, { profile }: Locals): Promise<JsonObject> {
  const form = readForm(req, {
    parts,
    ...whenMissing(profile),
    ignoresOthers: true,
    unexpected: 'The request must have the part metadata once.',
  });
  await form.end;
  return form.parts.metadata;
}
