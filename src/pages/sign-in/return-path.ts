/** The address to which a sign-in leads. */
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { ownPath } from '../../auth/own-page.js';
import { html, type Html } from '../html.js';
import { sendPage } from '../page.js';
import { wordsOf } from '../words/index.js';

export const HOME = '/';

/** The requested path after the sign-in. Addresses of other hosts are ignored (open redirect). */
export function returnPath(req: Request, res: Response, { url }: { url: string }): string {
  const requested = req.query['return_to'];
  const path = ownPath(requested, url);
  if (requested !== undefined && path === undefined)
    (res.locals['log'] as Logger).warn('a return address that is not ours was ignored');
  return path ?? HOME;
}

/** The query with which the addresses of the sign-in remember the path. */
export const returnQuery = (returnTo: string): string =>
  returnTo === HOME ? '' : `?return_to=${encodeURIComponent(returnTo)}`;

/**
 * Sends the browser to the requested path after the sign-in form. Chromium applies the policy
 * `form-action` to all redirects that follow a form. Paths below `/oauth_clients/` redirect to a
 * storage, which is another site. So a page comes first, which opens the path by itself.
 */
export function sendOn(res: Response, returnTo: string): void {
  if (returnTo.startsWith('/oauth_clients/')) sendNext(res, wordsOf(res)('signIn.done'), returnTo);
  else res.set('Cache-Control', 'no-store').redirect(303, returnTo);
}

/** A page that opens another address by itself. */
export const sendNext = (res: Response, title: Html, next: string): void =>
  sendPage(res, {
    title,
    next,
    body: html`<p><a href="${next}" autofocus>${wordsOf(res)('goOn')}</a></p>`,
  });
