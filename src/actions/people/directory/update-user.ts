/** Changes people, locks them, and gives them another password. */
import type { Knex } from 'knex';
import { COMMAND } from '../../../audit/record.js';
import { newLink, type NewLink } from '../../../auth/one-time-links.js';
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import type { AuditKind } from '../../../models/audit-event.js';
import { User, type UserStatus } from '../../../models/user.js';
import { changeDirectory, type DirectoryNeeds } from './change-directory.js';

export interface UserChanges {
  firstName?: string | undefined;
  lastName?: string | undefined;
  email?: string | null | undefined;
  admin?: boolean | undefined;
  status?: `${UserStatus}`;
  password?: string;
}

/**
 * A lock and another password end what the person has opened.
 * @returns the person after the change
 * @throws PropertyConstraintViolation also if no administrator would be left who can sign in, except
 *   for commands
 */
export const updateUser = (
  services: DirectoryNeeds,
  { id }: { id: number },
  changes: UserChanges,
): Promise<User> =>
  changeDirectory(services, async ({ trx, write, audit }) => {
    const before = await User.query(trx).findById(id).throwIfNotFound();
    const { login, firstName, lastName } = before;
    await write({ users: [{ login, firstName, lastName, ...changes }] });
    const after = await User.query(trx).findById(id).throwIfNotFound();
    // Somebody at the machine can unlock them again.
    if (
      services.actor !== COMMAND &&
      isWorkingAdministrator(before) &&
      !isWorkingAdministrator(after)
    )
      await demandAdministrator(trx);
    await audit({ kind: kindOf(changes), subject: { type: 'User', id }, before, after });
    return after;
  });

/** Call it after the change. @throws PropertyConstraintViolation */
export async function demandAdministrator(trx: Knex): Promise<void> {
  if (!(await User.query(trx).findOne({ admin: true, status: 'active' })))
    throw new PropertyConstraintViolation('There must be an administrator who is not locked.');
}

const isWorkingAdministrator = ({ admin, status }: User): boolean => admin && status === 'active';

const kindOf = ({ status, password }: UserChanges): AuditKind => {
  if (password !== undefined) return 'USER_PASSWORD_SET';
  if (status === undefined) return 'USER_UPDATED';
  return status === 'locked' ? 'USER_LOCKED' : 'USER_UNLOCKED';
};

/** The present password works until the link is used. @throws PropertyConstraintViolation */
export const linkToPassword = (
  services: DirectoryNeeds,
  { id, login }: { id: number; login: string },
): Promise<NewLink> =>
  changeDirectory(services, async ({ trx, now, audit }) => {
    // A lock at the same time waits, and then ends the link.
    const [active] = await services.db.lockRows(User.query(trx).where({ id, status: 'active' }));
    if (!active) throw new PropertyConstraintViolation(`${login} is locked.`);
    await audit({ kind: 'USER_PASSWORD_LINK_CREATED', subject: { type: 'User', id } });
    return newLink(trx, now, 'password', id);
  });
