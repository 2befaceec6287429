/** Creates a person, with a password or with a link to set one. */
import { newLink, type NewLink } from '../../../auth/one-time-links.js';
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import { RESERVED_LOGINS, User } from '../../../models/user.js';
import { changeDirectory, type Change, type DirectoryNeeds } from './change-directory.js';
import { requireId } from './job.js';

export interface NewUser {
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
  changeDirectory(services, async (change) => {
    const id = await writeNewUser(change, user);
    return user.password === undefined
      ? { id, link: await newLink(change.trx, change.now, 'password', id) }
      : { id };
  });

/**
 * The import would update the person who has the login.
 * @returns the id. @throws PropertyConstraintViolation
 */
export async function writeNewUser({ trx, write }: Change, user: NewUser): Promise<number> {
  const login = user.login.trim();
  // The import refuses reserved logins itself.
  if (!RESERVED_LOGINS.includes(login) && (await User.query(trx).findOne({ login }).select('id')))
    throw new PropertyConstraintViolation(
      `There is a user with the login ${JSON.stringify(login)} already.`,
      'login',
    );
  const { users } = await write({ users: [user] });
  return requireId(users[login], login);
}
