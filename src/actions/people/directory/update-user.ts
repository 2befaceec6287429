/** Locks people, and gives them another password. */
import { newLink, type NewLink } from '../../../auth/one-time-links.js';
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import { User, type UserStatus } from '../../../models/user.js';
import { changeDirectory, type DirectoryNeeds } from './change-directory.js';

/** A lock and another password end what the person has opened. */
export const updateUser = (
  services: DirectoryNeeds,
  { id }: User,
  change: { status: `${UserStatus}` } | { password: string },
): Promise<void> =>
  changeDirectory(services, async ({ trx, write }) => {
    const { login, firstName, lastName } = await User.query(trx).findById(id).throwIfNotFound();
    await write({ users: [{ login, firstName, lastName, ...change }] });
  });

/** The present password works until the link is used. @throws PropertyConstraintViolation */
export const linkToPassword = (services: DirectoryNeeds, { id, login }: User): Promise<NewLink> =>
  changeDirectory(services, async ({ trx, now }) => {
    // A lock at the same time waits, and then ends the link.
    const [active] = await services.db.lockRows(User.query(trx).where({ id, status: 'active' }));
    if (!active) throw new PropertyConstraintViolation(`${login} is locked.`);
    return newLink(trx, now, 'password', id);
  });
