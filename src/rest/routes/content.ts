/** Serves the content of attachments, with conditions and ranges of RFC 9110. */
import { Router, type Request, type Response } from 'express';
import { contentOf } from '../../actions/files/attachments/content-address.js';
import { openContent, type OpenContent } from '../../actions/files/attachments/open-content.js';
import type { Context } from '../../context.js';
import { parseDatabaseId } from '../../contract/ids.js';
import { InvalidQuery, PreconditionFailed, RangeNotSatisfiable } from '../../contract/errors.js';
import { ClientGone, sendSlices } from '../../http/slow-clients.js';
import { hasAlready, wantsOther } from '../request/entity-tags.js';
import { idOf } from '../request/locals.js';
import { contextFor } from '../request/temporary-access.js';

interface Range {
  start: number;
  end: number;
}

const CSP =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

export const content = Router().get('/attachments/:id/content', async (req, res) => {
  const id = parseDatabaseId(idOf(req));
  const context = await contextFor(req, res, contentOf(Number(id)));
  const opened = await openContent(context, id, {
    disposition: dispositionOf(req),
    method: req.method === 'HEAD' ? 'HEAD' : 'GET',
  });
  if (opened.url !== undefined) {
    // The address gives access to the file, so no cache may store it.
    res
      .set({
        'Cache-Control': 'private, no-store',
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
        Location: opened.url,
      })
      .status(302)
      .end();
    return;
  }
  const etag = `"${opened.digest}"`;
  setHeaders(res, opened, etag);
  if (wantsOther(req, etag)) throw withoutContentHeaders(res, new PreconditionFailed());
  if (hasAlready(req, etag)) {
    // A 304 answer has no content headers (RFC 9110 15.4.5).
    res.removeHeader('Content-Type');
    res.removeHeader('Content-Disposition');
    res.status(304).end();
    return;
  }
  // Ranges are defined for GET only (RFC 9110 14.2).
  const range = req.method === 'GET' ? requestedRange(req, res, opened, etag) : undefined;
  await serve(req, res, { context, opened, range });
});

/** @throws InvalidQuery */
function dispositionOf({ query: { disposition } }: Request): 'attachment' | 'inline' | undefined {
  if (disposition === undefined || disposition === 'attachment' || disposition === 'inline')
    return disposition;
  throw new InvalidQuery(
    "The query parameter 'disposition' is `attachment` or `inline`.",
    'disposition',
  );
}

async function serve(
  req: Request,
  res: Response,
  { context, opened, range }: { context: Context; opened: OpenContent; range: Range | undefined },
): Promise<void> {
  const { start, end } = range ?? { start: 0, end: opened.fileSize - 1 };
  const release = acquireSlot(res, context);
  try {
    const slices = await opened.open({ start, end }).catch((error: unknown) => {
      throw withoutContentHeaders(res, error);
    });
    if (range) res.setHeader('Content-Range', `bytes ${start}-${end}/${opened.fileSize}`);
    res.status(range ? 206 : 200).setHeader('Content-Length', end - start + 1);
    if (req.method === 'HEAD') {
      await slices.close();
      res.end();
    } else await sendSlices(res, slices, context.settings.downloadStallSeconds * 1000);
  } catch (error) {
    // After a disconnect there is no client to answer.
    if (!(error instanceof ClientGone)) throw error;
    if (error.tooSlow) context.log.info('a download was ended because its client takes too little');
  } finally {
    release();
  }
}

/** @throws Overloaded */
function acquireSlot(res: Response, { caller, downloads }: Context): () => void {
  try {
    return downloads.acquire(caller);
  } catch (error) {
    throw withoutContentHeaders(res, error);
  }
}

function setHeaders(res: Response, { serving }: OpenContent, etag: string) {
  res.set({
    'Content-Type': serving.contentType,
    'Content-Disposition': serving.disposition,
    'Content-Security-Policy': CSP,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-cache',
    'Accept-Ranges': 'bytes',
    ETag: etag,
  });
}

/** Removes the headers of the file from an error answer. */
function withoutContentHeaders<E>(res: Response, error: E): E {
  for (const name of [
    'Content-Type',
    'Content-Disposition',
    'Content-Length',
    'Accept-Ranges',
    'ETag',
  ])
    res.removeHeader(name);
  return error;
}

/**
 * The requested range; undefined for the whole content. Several ranges, other units and a stale
 * `If-Range` get the whole content.
 * @throws RangeNotSatisfiable
 */
function requestedRange(
  req: Request,
  res: Response,
  { fileSize }: OpenContent,
  etag: string,
): Range | undefined {
  const condition = req.headers['if-range'];
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(req.headers.range ?? '') ?? [];
  if (
    (!first && !last) ||
    (condition !== undefined && condition !== etag) ||
    (first && last && Number(last) < Number(first))
  )
    return undefined;
  // `bytes=-n` is the last n bytes, or the whole file if it is shorter (RFC 9110 14.1.2).
  // An empty file has no ranges.
  if (fileSize === 0 && !first && Number(last) > 0) return undefined;
  const start = first ? Number(first) : Math.max(0, fileSize - Number(last));
  const end = first && last ? Math.min(Number(last), fileSize - 1) : fileSize - 1;
  if (start <= end) return { start, end };
  withoutContentHeaders(res, undefined);
  res.setHeader('Content-Range', `bytes */${fileSize}`);
  throw new RangeNotSatisfiable();
}
