/** Finds users by login and password. */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { NOBODY, recordAudit } from '../audit/record.js';
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

const MANY = {
  passwords: 'There were too many wrong passwords.',
  links: 'There were too many wrong links.',
  requests: 'Too many passwords were asked for.',
};

/** Too many wrong passwords for this login, or too many wrong guesses from this network. */
export class TooManyGuesses extends TooManyRequests {
  constructor(
    readonly retryAfterSeconds: number,
    readonly guesses: keyof typeof MANY = 'passwords',
  ) {
    const minutes = Math.ceil(retryAfterSeconds / 60);
    const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
    super(`${MANY[guesses]} Try again in ${wait}.`);
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

/** The lines of the log. */
const refusals = {
  SIGN_IN_REFUSED: 'a sign-in was refused',
  PASSWORD_CHANGE_REFUSED: 'a change of a password was refused',
};

/**
 * The active user with this login and password. An unknown login is counted like any other, and
 * takes as long as a wrong password. So neither answer nor time reveals which logins exist.
 * @param kind what the audit says of a wrong password
 * @throws TooManyGuesses without a check of the password
 */
export async function userByPassword(
  needs: PasswordNeeds & { log: Logger },
  attempt: Attempt & { password: string },
  kind: keyof typeof refusals = 'SIGN_IN_REFUSED',
): Promise<User | undefined> {
  const { db, clock, log } = needs;
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
    // Do not record the login: some people type their password into that field.
    log.warn({ address, user: user?.id }, refusals[kind]);
    await recordAudit(
      db.write,
      clock().toISOString(),
      { ...NOBODY, address },
      {
        kind,
        ...(user && { subject: { type: 'User', id: user.id } }),
      },
    );
    return undefined;
  }
  await forgetAttempts(needs, attempt);
  return user;
}
