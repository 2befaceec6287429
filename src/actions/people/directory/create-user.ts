/** Creates a person, with a password or with a link to set one. */
import type { Knex } from 'knex';
import { newLink, type NewLink } from '../../../auth/one-time-links.js';
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import { RESERVED_LOGINS, User } from '../../../models/user.js';
import { changeDirectory, type DirectoryNeeds } from './change-directory.js';
import { requireId } from './job.js';

interface NewUser {
  login: string;
  firstName: string;
  lastName: string;
  email?: string | undefined;
  admin?: boolean | undefined;
  /** Without one there is a link. */
  password?: string | undefined;
}

/** @throws PropertyConstraintViolation also if the login exists */
export const createUser = (
  services: DirectoryNeeds,
  user: NewUser,
): Promise<{ id: number; link?: NewLink }> =>
  changeDirectory(services, async ({ trx, now, write }) => {
    const login = user.login.trim();
    await demandNewLogin(trx, login);
    const { users } = await write({ users: [user] });
    const id = requireId(users[login], login);
    return user.password === undefined
      ? { id, link: await newLink(trx, now, 'password', id) }
      : { id };
  });

/** The import would update the person who has the login. It refuses reserved logins itself. */
async function demandNewLogin(trx: Knex, login: string): Promise<void> {
  if (RESERVED_LOGINS.includes(login)) return;
  if (await User.query(trx).findOne({ login }).select('id'))
    throw new PropertyConstraintViolation(
      `There is a user with the login ${JSON.stringify(login)} already.`,
      'login',
    );
}
