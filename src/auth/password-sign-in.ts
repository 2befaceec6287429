/** Finds users by login and password. */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { TooManyRequests } from '../contract/errors.js';
import { User } from '../models/user.js';
import { verifyPassword } from '../secrets/passwords.js';
import { deviceOf } from './device-cookie.js';
import { cookieOf, type Sessions } from './sessions.js';
import {
  countAttempt,
  forgetAttempts,
  type Attempt,
  type PasswordNeeds,
} from './wrong-passwords.js';

/** Too many wrong passwords for this login, or too many wrong guesses from this network. */
export class TooManyGuesses extends TooManyRequests {
  constructor(
    readonly retryAfterSeconds: number,
    guesses = 'passwords',
  ) {
    const minutes = Math.ceil(retryAfterSeconds / 60);
    const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
    super(`There were too many wrong ${guesses}. Try again in ${wait}.`);
  }
}

/** What a request counts for, if its password for this login is wrong. */
export const attemptOf = (
  needs: Pick<PasswordNeeds, 'keyring' | 'clock'> & { sessions: Sessions },
  req: Pick<IncomingMessage, 'headers'> & { ip?: string | undefined },
  login: string,
): Attempt => ({
  login,
  address: req.ip ?? '',
  device: deviceOf(needs, cookieOf(req, needs.sessions.deviceCookieName), login),
});

/**
 * The active user with this login and password. An unknown login is counted like any other, and
 * takes as long as a wrong password. So neither answer nor time reveals which logins exist.
 * @param refusal the line of the log for a wrong password
 * @throws TooManyGuesses without a check of the password
 */
export async function userByPassword(
  needs: PasswordNeeds & { log: Logger },
  attempt: Attempt & { password: string },
  refusal = 'a sign-in was refused',
): Promise<User | undefined> {
  const { db, log } = needs;
  const { login, password, address } = attempt;
  const exceeded = await countAttempt(needs, attempt);
  if (exceeded) {
    log.warn({ address, bound: exceeded.bound }, 'too many wrong passwords');
    throw new TooManyGuesses(exceeded.retryAfterSeconds);
  }
  const user = await User.query(db.read).findOne({ login, anonymous: false });
  const right =
    (await verifyPassword(password, user?.passwordHash ?? null)) && user?.status === 'active';
  if (!right) {
    // Do not log the login: some people type their password into that field.
    log.warn({ address, user: user?.id }, refusal);
    return undefined;
  }
  await forgetAttempts(needs, attempt);
  return user;
}
