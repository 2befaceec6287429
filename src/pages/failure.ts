/** Error pages. */
import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { ProviderUnavailable } from '../auth/openid/client.js';
import { fromOwnPage } from '../auth/own-page.js';
import { TooManyGuesses } from '../auth/password-sign-in.js';
import { logFault, presentable } from '../contract/error-answers.js';
import {
  InvalidRequestBody,
  MissingPermission,
  NotFound,
  ServiceUnavailable,
} from '../contract/errors.js';
import { html } from './html.js';
import { compose, sendPage } from './page.js';

export const sendFailure = (res: Response, title: string, text: string, status: number): void =>
  sendPage(res, {
    title,
    status,
    body: html`<p>${text}</p><p><a href="/">Home</a></p>`,
  });

/** The error page of the authorization server, when it must not redirect to the application. */
export const renderFailure = (res: ServerResponse, code: string, description: string): string =>
  compose(res, {
    title: 'This request cannot be answered',
    body: html`<p>The application sent you here with a request that this service does not accept.
Go back to the application and try again, or ask its operator.</p>
<p>${description} (<code>${code}</code>)</p>`,
  });

/** Middleware that refuses forms from pages of other origins (CSRF). */
export const ownForms =
  (base: { url: string }): RequestHandler =>
  (req, res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD' || fromOwnPage(req, base.url)) return next();
    (res.locals['log'] as Logger).warn(
      { site: req.headers['sec-fetch-site'], origin: req.headers.origin },
      'a form of another site was refused',
    );
    sendFailure(
      res,
      'This form was not sent from here',
      'Another site tried to send a form in your name. Nothing was changed.',
      new MissingPermission().status,
    );
  };

/** The error handler of all pages. */
export const pageErrors: ErrorRequestHandler = (thrown, _req, res, _next) => {
  const error = presentable(translated(thrown));
  logFault(res.locals['log'] as Logger, error, thrown, 'a page failed');
  if (error instanceof TooManyGuesses) res.setHeader('Retry-After', error.retryAfterSeconds);
  if (res.headersSent) res.destroy();
  else sendFailure(res, 'That did not work', error.message, error.status);
};

/** Makes an `ApiError` from an error of the OpenID client or of Express. Others stay unchanged. */
function translated(thrown: unknown): unknown {
  if (thrown instanceof ProviderUnavailable)
    return new ServiceUnavailable(
      'The sign-in service cannot be reached at the moment. Try again shortly.',
    );
  // Malformed percent-encoding in the path.
  if (thrown instanceof URIError) return new NotFound();
  return (thrown as { expose?: boolean } | undefined)?.expose
    ? new InvalidRequestBody(
        'What was sent is too large, or cannot be read. Go back and try again.',
      )
    : thrown;
}
