/** Creates a person, with a password or with a link to set one. */
import type { Knex } from 'knex';
import { newLink, type NewLink } from '../../../auth/one-time-links.js';
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import { isReservedLogin, User } from '../../../models/user.js';
import { queueMails } from '../../base/mails/mail-queue.js';
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

/**
 * @param options.invites whether a person with an address gets the link by e-mail, and nobody else
 * @throws PropertyConstraintViolation also if the login exists
 */
export const createUser = (
  services: DirectoryNeeds,
  user: NewUser,
  { invites = false } = {},
): Promise<{ id: number; link?: NewLink; isInvited: boolean }> =>
  changeDirectory(services, async (change) => {
    const { trx, now } = change;
    const id = await writeNewUser(change, user);
    const isInvited = invites && user.password === undefined && user.email !== undefined;
    if (isInvited) await queueInvitation(trx, now, id);
    return user.password === undefined && !isInvited
      ? { id, link: await newLink(trx, now, 'password', id), isInvited }
      : { id, isInvited };
  });

async function queueInvitation(trx: Knex, now: Date, userId: number): Promise<void> {
  const time = now.toISOString();
  await queueMails(trx, now, [{ userId, kind: 'invitation', since: time, dueAt: time }]);
}

/**
 * The import would update the person who has the login.
 * @returns the id. @throws PropertyConstraintViolation
 */
export async function writeNewUser({ trx, write, audit }: Change, user: NewUser): Promise<number> {
  const login = user.login.trim();
  // The import refuses reserved logins itself.
  if (!isReservedLogin(login) && (await User.query(trx).findOne({ login }).select('id')))
    throw new PropertyConstraintViolation(
      `There is a user with the login ${JSON.stringify(login)} already.`,
      'login',
    );
  const { users } = await write({ users: [user] });
  const id = requireId(users[login], login);
  await audit({
    kind: 'USER_CREATED',
    subject: { type: 'User', id },
    after: await User.query(trx).findById(id),
  });
  return id;
}
