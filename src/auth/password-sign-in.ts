/** Signs users in by login and password. */
import type { Logger } from 'pino';
import { TooManyRequests } from '../contract/errors.js';
import { User } from '../models/user.js';
import { verifyPassword } from '../secrets/passwords.js';
import {
  countAttempt,
  forgetAttempts,
  type Attempt,
  type Dependencies,
} from './wrong-passwords.js';

/** Too many wrong passwords for this login or from this network. */
export class TooManyGuesses extends TooManyRequests {
  constructor(readonly retryAfterSeconds: number) {
    super();
  }
}

/**
 * The active user with this login and password. An unknown login is counted like any other, and
 * takes as long as a wrong password. So neither answer nor time reveals which logins exist.
 * @throws TooManyGuesses without a check of the password
 */
export async function userByPassword(
  needs: Dependencies & { log: Logger },
  attempt: Attempt & { password: string },
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
    log.warn({ address, user: user?.id }, 'a sign-in was refused');
    return undefined;
  }
  await forgetAttempts(needs, attempt);
  return user;
}
