/** Makes the first administrator of a service, by a one-time link. */
import type { Knex } from 'knex';
import { findLink, newLink, takeLink, type NewLink } from '../../../auth/one-time-links.js';
import type { Services } from '../../../context.js';
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import { OneTimeLink } from '../../../models/one-time-link.js';
import { RESERVED_LOGINS, User } from '../../../models/user.js';
import { changeDirectory, type DirectoryNeeds } from './change-directory.js';
import { writeNewUser, type NewUser } from './create-user.js';
import { lockDirectory } from './new-directory.js';

/** Locked administrators count: an operator can unlock them. */
export const firstAdministrator = (knex: Knex): Promise<User | undefined> =>
  User.query(knex)
    .where({ admin: true })
    .whereNotIn('login', [...RESERVED_LOGINS])
    .orderBy('id')
    .first()
    .then((user) => user);

/**
 * For the start of a server. Several may start at the same time: one of them makes the link.
 * @returns when the last link was made, if it still works; undefined if nobody needs one
 */
export const setupLinkAtStart = ({
  db,
  clock,
}: Pick<Services, 'db' | 'clock'>): Promise<NewLink | { printedAt: string } | undefined> =>
  db.write.transaction(async (trx) => {
    await lockDirectory({ db }, trx);
    if (await firstAdministrator(trx)) return undefined;
    const now = clock();
    const valid = await OneTimeLink.query(trx)
      .findOne({ purpose: 'setup' })
      .where('expires_at', '>', now.toISOString());
    return valid ? { printedAt: valid.createdAt } : newLink(trx, now, 'setup');
  });

/** The link before ends. @throws PropertyConstraintViolation if there is an administrator */
export const anotherSetupLink = (services: DirectoryNeeds): Promise<NewLink> =>
  changeDirectory(services, async ({ trx, now }) => {
    const administrator = await firstAdministrator(trx);
    if (administrator)
      throw new PropertyConstraintViolation(
        `There is an administrator already: ${administrator.login}.`,
      );
    return newLink(trx, now, 'setup');
  });

/**
 * Ends the link.
 * @returns the id; undefined if the link was used or has ended, or if there is an administrator
 * @throws PropertyConstraintViolation; then the link still works
 */
export const createFirstAdministrator = (
  services: DirectoryNeeds,
  token: string,
  person: NewUser,
): Promise<number | undefined> =>
  changeDirectory(services, async (change) => {
    const { trx, now } = change;
    const link = await findLink(trx, now, 'setup', token);
    if (!link || (await firstAdministrator(trx)) || !(await takeLink(trx, link))) return undefined;
    return writeNewUser(change, { ...person, admin: true });
  });
