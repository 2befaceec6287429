/** What the pages of one-time links share. */
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { linkOfRequest } from '../auth/one-time-links.js';
import { NotFound, PropertyConstraintViolation, type ApiError } from '../contract/errors.js';
import { sendFailure } from './failure.js';
import { html, type Html } from './html.js';
import type { SignInNeeds } from './sign-in/begin-session.js';
import { wordsOf, type Say, type WordKey } from './words/index.js';

/** A form has the token inside, so it is not in the address that a browser remembers. */
export function tokenOf(req: Request): string {
  const { token } = (req.method === 'POST' ? (req.body ?? {}) : req.query) as { token?: unknown };
  return typeof token === 'string' ? token : '';
}

/** @returns the link of a request. @throws TooManyGuesses */
export const linkOf = async (
  needs: SignInNeeds,
  req: Request,
  res: Response,
  purpose: Parameters<typeof linkOfRequest>[1],
): ReturnType<typeof linkOfRequest> => {
  const token = tokenOf(req);
  const log = res.locals['log'] as Logger;
  return token === ''
    ? undefined
    : linkOfRequest({ ...needs, log }, purpose, { token, address: req.ip ?? '' });
};

/** @param advice how to get another link */
export function sendUsedLink(res: Response, advice: WordKey): void {
  const say = wordsOf(res);
  const why = html`${say('link.why')} ${say(advice)}`;
  sendFailure(res, say('link.title'), why, new NotFound().status);
}

/** The two fields of a new password differ. */
class PasswordsDiffer extends PropertyConstraintViolation {
  constructor() {
    super('The two passwords differ.', 'password');
  }
}

/** What is wrong with a form of a one-time link. Rules of passwords are told in English. */
export const mistakeIn = (say: Say, wrong: ApiError | undefined): Html | string | undefined =>
  wrong instanceof PasswordsDiffer ? say('link.differ') : wrong?.message;

/** Two fields for a new password, see `passwordOf`. */
export const newPasswordFields = (
  say: Say,
) => html`<label for="password">${say('link.password')}</label>
<input id="password" name="password" type="password" autocomplete="new-password" required>
<label for="repeated">${say('link.repeated')}</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" required>`;

/** @throws PasswordsDiffer */
export function passwordOf(req: Request): string {
  const { password, repeated } = (req.body ?? {}) as { password?: unknown; repeated?: unknown };
  if (typeof password !== 'string' || password !== repeated) throw new PasswordsDiffer();
  return password;
}
