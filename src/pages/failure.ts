/** Error pages. */
import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { ProviderUnavailable } from '../auth/openid/client.js';
import { fromOwnPage } from '../auth/own-page.js';
import { TooManyGuesses } from '../auth/password-sign-in.js';
import { logFault, presentable } from '../contract/error-answers.js';
import {
  InternalServerError,
  InvalidRequestBody,
  MissingPermission,
  NotFound,
  ServiceUnavailable,
} from '../contract/errors.js';
import { html, type Html } from './html.js';
import { compose, sendPage } from './page.js';
import { minutesIn, wordsOf, type WordKey } from './words/index.js';

export const sendFailure = (
  res: Response,
  title: string | Html,
  text: string | Html,
  status: number,
): void =>
  sendPage(res, {
    title,
    status,
    body: html`<p>${text}</p><p><a href="/">${wordsOf(res)('home')}</a></p>`,
  });

/** The error page of the authorization server, when it must not redirect to the application. */
export function renderFailure(res: ServerResponse, code: string, description: string): string {
  const say = wordsOf(res);
  return compose(res, {
    title: say('consent.refused'),
    body: html`<p>${say('consent.refusedWhy')}</p>
<p><span lang="en" dir="ltr">${description}</span> (<code>${code}</code>)</p>`,
  });
}

/** Middleware that refuses forms from pages of other origins (CSRF). */
export const ownForms =
  (base: { url: string }): RequestHandler =>
  (req, res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD' || fromOwnPage(req, base.url)) return next();
    (res.locals['log'] as Logger).warn(
      { site: req.headers['sec-fetch-site'], origin: req.headers.origin },
      'a form of another site was refused',
    );
    const say = wordsOf(res);
    sendFailure(
      res,
      say('wrong.foreignForm'),
      say('wrong.foreignFormWhy'),
      new MissingPermission().status,
    );
  };

/** The error handler of all pages. */
export const pageErrors: ErrorRequestHandler = (thrown, _req, res, _next) => {
  const error = presentable(translated(thrown));
  logFault(res.locals['log'] as Logger, error, thrown, 'a page failed');
  if (error instanceof TooManyGuesses) res.setHeader('Retry-After', error.retryAfterSeconds);
  if (res.headersSent) res.destroy();
  else sendFailure(res, wordsOf(res)('wrong.title'), sentenceOf(res, thrown, error), error.status);
};

/** The sentence for an error. Those of other interfaces have only their message, in English. */
export function sentenceOf(
  res: Response,
  thrown: unknown,
  { message }: { message: string },
): Html | string {
  const say = wordsOf(res);
  if (thrown instanceof ProviderUnavailable) return say('wrong.provider');
  if (thrown instanceof TooManyGuesses)
    return say(`wrong.${thrown.guesses}`, {
      time: minutesIn(res, Math.ceil(thrown.retryAfterSeconds / 60)),
    });
  if (isUnreadable(thrown)) return say('wrong.unreadable');
  const known = messages.get(message);
  return known ? say(known) : message;
}

/** The messages of errors that say nothing else. */
const messages = new Map<string, WordKey>([
  [new NotFound().message, 'wrong.missing'],
  [new MissingPermission().message, 'wrong.forbidden'],
  [new ServiceUnavailable().message, 'wrong.busy'],
  [new InternalServerError().message, 'wrong.other'],
]);

const isUnreadable = (thrown: unknown): boolean =>
  (thrown as { expose?: boolean } | undefined)?.expose === true;

/** Makes an `ApiError` from an error of the OpenID client or of Express. Others stay unchanged. */
function translated(thrown: unknown): unknown {
  if (thrown instanceof ProviderUnavailable) return new ServiceUnavailable();
  // Malformed percent-encoding in the path.
  if (thrown instanceof URIError) return new NotFound();
  return isUnreadable(thrown) ? new InvalidRequestBody() : thrown;
}
