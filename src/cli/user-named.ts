/** Finds the user that a command names. */
import type { Services } from '../context.js';
import { isReservedLogin, User } from '../models/user.js';

/** @throws Error if there is no such user, or if the login is reserved */
export async function userNamed({ db }: Pick<Services, 'db'>, login: string): Promise<User> {
  const user = isReservedLogin(login) ? undefined : await User.query(db.read).findOne({ login });
  if (!user) throw new Error(`There is no user with the login ${JSON.stringify(login)}.`);
  return user;
}
