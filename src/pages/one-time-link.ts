/** What the pages of one-time links share. */
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { linkOfRequest } from '../auth/one-time-links.js';
import { NotFound, PropertyConstraintViolation } from '../contract/errors.js';
import { sendFailure } from './failure.js';
import { html } from './html.js';
import type { SignInNeeds } from './sign-in/begin-session.js';

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
export const sendUsedLink = (res: Response, advice: string): void =>
  sendFailure(
    res,
    'This link does not work',
    `It was used already, or it is too old, or it is not complete. ${advice}`,
    new NotFound().status,
  );

/** Two fields for a new password, see `passwordOf`. */
export const newPasswordFields = html`<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required>
<label for="repeated">The same password again</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" required>`;

/** @throws PropertyConstraintViolation if the two fields differ */
export function passwordOf(req: Request): string {
  const { password, repeated } = (req.body ?? {}) as { password?: unknown; repeated?: unknown };
  if (typeof password !== 'string' || password !== repeated)
    throw new PropertyConstraintViolation('The two passwords differ.', 'password');
  return password;
}
