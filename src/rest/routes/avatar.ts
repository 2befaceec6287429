/** Serves the pictures of users. */
import { Router } from 'express';
import { openAvatar } from '../../actions/avatars/open-avatar.js';
import { NotFound } from '../../contract/errors.js';
import { parseDatabaseId } from '../../contract/ids.js';
import { locals } from '../request/locals.js';

export const avatar = Router().get('/users/:id/avatar', async (req, res) => {
  const opened = await openAvatar(locals(res).context, parseDatabaseId(req.params.id));
  if (!opened) {
    res.status(new NotFound().status).end();
    return;
  }
  // At most half a megabyte: a slow client keeps no connection to the store open.
  const chunks: Buffer[] = [];
  for await (const chunk of opened.content) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  res
    .set({
      'Content-Type': opened.contentType,
      'Content-Length': String(bytes.length),
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-cache',
    })
    .end(bytes);
});
