/** Serves the pictures of users, with conditions of RFC 9110. */
import { Router, type Response } from 'express';
import { openAvatar, pictureOf } from '../../actions/files/avatars/open-avatar.js';
import { NotFound, PreconditionFailed } from '../../contract/errors.js';
import { parseDatabaseId } from '../../contract/ids.js';
import { hasAlready, wantsOther } from '../request/entity-tags.js';
import { contextFor } from '../request/temporary-access.js';

export const avatar = Router().get('/users/:id/avatar', async (req, res) => {
  const id = parseDatabaseId(req.params.id);
  const opened = await openAvatar(await contextFor(req, res, pictureOf(Number(id))), id);
  if (!opened) return notFound(res);
  const etag = `"${opened.digest}"`;
  if (wantsOther(req, etag)) throw new PreconditionFailed();
  const headers = { 'Cache-Control': 'private, no-cache', ETag: etag };
  if (hasAlready(req, etag)) {
    res
      .status(304)
      .set({ ...headers, ...SAFE })
      .end();
    return;
  }
  // At most half a megabyte: a slow client keeps no connection to the store open.
  const bytes = await opened.read();
  if (!bytes) return notFound(res);
  res
    .set({
      'Content-Type': opened.contentType,
      'Content-Length': String(bytes.length),
      ...headers,
      ...SAFE,
    })
    .end(bytes);
});

const SAFE = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
};

const notFound = (res: Response): void => void res.status(new NotFound().status).end();
