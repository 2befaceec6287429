/** Serves small pictures and pages of attachments, and pictures of people. What an address shows never changes. */
import type { Readable } from 'node:stream';
import { Router, type Request, type Response } from 'express';
import { openPicture, openPreview } from '../../actions/files/previews/open-preview.js';
import type { Context } from '../../context.js';
import { parseDatabaseId } from '../../contract/ids.js';
import { ClientGone, written } from '../../http/slow-clients.js';
import { hasAlready } from '../request/entity-tags.js';
import { idOf, locals } from '../request/locals.js';

/** Objects up to this size are read at once: slow clients keep no connection to the store open. */
const READ_AT_ONCE = 1024 * 1024;

const HEADERS = {
  'Cache-Control': 'private, max-age=31536000, immutable',
  // Another user of the same browser asks again.
  Vary: 'Authorization, Cookie',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
};

type Open = typeof openPreview;

export const previews = Router()
  .get('/:id/:preview', (req, res) => serve(openPreview, req, res))
  .get('/users/:id/:preview', (req, res) => serve(openPicture, req, res));

async function serve(open: Open, req: Request<{ preview: string }>, res: Response): Promise<void> {
  const { context } = locals(res);
  const opened = await open(context, parseDatabaseId(idOf(req)), req.params.preview);
  const headers = { ...HEADERS, ETag: `"${opened.digest}"` };
  if (hasAlready(req, headers.ETag)) {
    res.status(304).set(headers).end();
    return;
  }
  const body = await opened.read();
  const start = () =>
    res.set({
      ...headers,
      'Content-Type': opened.contentType,
      'Content-Length': String(opened.size),
    });
  if (opened.size <= READ_AT_ONCE) {
    const bytes = Buffer.concat(await body.toArray());
    start().end(bytes);
  } else await send(context, body, start);
}

/** @throws Overloaded */
async function send(
  { caller, downloads, settings, log }: Context,
  body: Readable,
  start: () => Response,
): Promise<void> {
  try {
    const release = downloads.acquire(caller);
    const res = start();
    try {
      for await (const piece of body as AsyncIterable<Buffer>)
        await written(res, piece, { stallMs: settings.downloadStallSeconds * 1000 });
      res.end();
    } catch (error) {
      // A client must see that the file is not complete.
      res.destroy();
      // After a disconnect there is no client to answer.
      if (!(error instanceof ClientGone)) throw error;
      if (error.tooSlow) log.info('a download was ended because its client takes too little');
    } finally {
      release();
    }
  } finally {
    body.destroy();
  }
}
