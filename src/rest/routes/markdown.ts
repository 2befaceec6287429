/** Route that renders Markdown for a preview. */
import { Router, type Request, type Response } from 'express';
import { sendText } from '../../http/send-text.js';
import { onlyText, plainText } from '../request/body.js';
import { locals } from '../request/locals.js';

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'private, no-cache',
  // A form of another site can post here, so a browser must not take the answer for one of our pages.
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

export const markdown = Router().post(
  '/render/markdown',
  onlyText,
  plainText,
  (req: Request, res: Response) => {
    sendText(res, 200, headers, locals(res).context.rendering.htmlOf(req.body as string));
  },
);
