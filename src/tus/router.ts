/** Resumable uploads at `/uploads`: the protocol tus 1.0 (tus.io/protocols/resumable-upload). */
import { Server } from '@tus/server';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { TurnTaken } from '../actions/files/uploads/receive-bytes.js';
import { BytesMissing } from '../blobs/store.js';
import type { Context } from '../context.js';
import {
  InvalidRequestBody,
  MethodNotAllowed,
  NotFound,
  PreconditionFailed,
  TooLarge,
  UpdateConflict,
} from '../contract/errors.js';
import { UploadStore } from './store.js';
import { Turns } from './turns.js';

const PATH = '/uploads';
/** Of the protocol. */
const VERSION = '1.0.0';
const METHODS = new Set(['POST', 'HEAD', 'PATCH', 'DELETE']);

interface RouterSettings {
  attachmentMaxSize: number;
}

/** Says what the service can do, also to browsers that ask before they send. */
export const announceUploads = ({ attachmentMaxSize }: RouterSettings): RequestHandler =>
  Router().use(PATH, (req, res, next) => {
    res.set('Tus-Resumable', VERSION);
    if (req.method !== 'OPTIONS') return next();
    res.set({
      'Tus-Version': VERSION,
      'Tus-Extension': UploadStore.EXTENSIONS.join(','),
      'Tus-Max-Size': String(attachmentMaxSize),
    });
    // With `CORS_ORIGINS`, the answer to a page of another origin is completed elsewhere.
    if (req.headers['access-control-request-method'] !== undefined) return next();
    res.status(204).end();
  });

/** @param enter finds out who calls */
export function uploadsRouter(settings: RouterSettings, enter: RequestHandler): RequestHandler {
  const turns = new Turns();
  return Router().use(PATH, enter, (req, res, next) => {
    answer(turns, settings, req, res).catch(next);
  });
}

async function answer(
  turns: Turns,
  settings: RouterSettings,
  req: Request,
  res: Response,
): Promise<void> {
  const method = methodOf(req);
  if (!METHODS.has(method)) throw new MethodNotAllowed();
  const store = new UploadStore(res.locals['context'] as Context, req, turns);
  let failure: unknown;
  const server = new Server({
    path: PATH,
    datastore: store,
    locker: store,
    relativeLocation: true,
    maxSize: settings.attachmentMaxSize,
    disableTerminationForFinishedUploads: true,
    namingFunction: (_request, metadata) => store.begin(metadata ?? {}),
    onResponseError: (_request, error) => void (failure = error),
  });
  const response = await server.handleWeb(requestOf(req, method));
  if (!response.ok) throw translated(failure, response.status, await response.text());
  for (const [name, value] of response.headers)
    // Answers have no body, and one place makes the headers for pages of other origins.
    if (!/^(access-control-|content-type$)/.test(name)) res.setHeader(name, value);
  res.status(response.status).end();
}

/** Clients that cannot send PATCH and DELETE put the method into a header. */
function methodOf({ method, headers }: Request): string {
  const other = headers['x-http-method-override'];
  return method === 'POST' && typeof other === 'string' ? other.toUpperCase() : method;
}

/** What the library reads of a request. The body stays with the request of Node.js. */
const requestOf = ({ headers, originalUrl }: Request, method: string) =>
  new globalThis.Request(`http://service${originalUrl}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
  });

/** What the library refuses, in our words. */
const refusals = () => [
  new NotFound(),
  wrongPlace(),
  new PreconditionFailed(`Send the header Tus-Resumable: ${VERSION}.`),
  new TooLarge(),
];
const wrongPlace = () =>
  new UpdateConflict(
    'The upload is at another place. Ask for its offset with HEAD, then send the bytes from there.',
  );

function translated(failure: unknown, status: number, text: string): unknown {
  if (failure instanceof BytesMissing || failure instanceof TurnTaken) return wrongPlace();
  if (failure instanceof Error) return failure;
  return (
    refusals().find((error) => error.status === status) ?? new InvalidRequestBody(`${text.trim()}.`)
  );
}
