/** Serves the content of attachments, with conditions and ranges of RFC 9110. */
import { Router, type Request, type Response } from 'express';
import { pipeline } from 'node:stream/promises';
import {
  openContent,
  type OpenContent,
  type OpenStream,
} from '../../actions/attachments/open-content.js';
import { parseDatabaseId } from '../../contract/ids.js';
import { PreconditionFailed, RangeNotSatisfiable } from '../../contract/errors.js';
import { idOf, locals } from '../request/locals.js';

const CSP =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

export const content = Router().get('/attachments/:id/content', async (req, res) => {
  const opened = await openContent(locals(res).context, parseDatabaseId(idOf(req)));
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
  if (!matches(req.headers['if-match'], etag, true))
    throw withoutContentHeaders(res, new PreconditionFailed());
  if (req.headers['if-none-match'] !== undefined && matches(req.headers['if-none-match'], etag)) {
    // A 304 answer has no content headers (RFC 9110 15.4.5).
    res.removeHeader('Content-Type');
    res.removeHeader('Content-Disposition');
    res.status(304).end();
    return;
  }
  // Ranges are defined for GET only (RFC 9110 14.2).
  const range = req.method === 'GET' ? requestedRange(req, res, opened, etag) : undefined;
  const stream = await opened.open(range).catch((error: unknown) => {
    throw withoutContentHeaders(res, error);
  });
  if (range) res.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${opened.fileSize}`);
  res
    .status(range ? 206 : 200)
    .setHeader('Content-Length', range ? range.end - range.start + 1 : opened.fileSize);
  if (req.method === 'HEAD') {
    stream.destroy();
    res.end();
    return;
  }
  // After a disconnect there is no client to answer.
  await send(stream, res).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
});

const send = (stream: OpenStream, res: Response): Promise<void> =>
  stream.recycle ? sendPieces(stream, res) : pipeline(stream, res);

/** Reads the next piece while one is written, and waits for slow clients. */
async function sendPieces(stream: OpenStream, res: Response): Promise<void> {
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      await written(res, piece);
      stream.recycle?.(piece);
    }
    res.end();
  } catch (error) {
    res.destroy();
    throw error;
  }
}

function written(res: Response, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = () =>
      reject(
        Object.assign(new Error('The client has left.'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }),
      );
    if (res.closed || res.destroyed || res.writableEnded) return gone();
    res.once('close', gone);
    res.write(piece, (error) => {
      res.off('close', gone);
      if (error) gone();
      else resolve();
    });
  });
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

/** Whether a list has this entity tag. @param strong whether weak tags do not match */
function matches(header: string | undefined, etag: string, strong = false): boolean {
  if (header === undefined || header.trim() === '*') return true;
  return header
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === etag || (!strong && tag === `W/${etag}`));
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
): { start: number; end: number } | undefined {
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
