/** What administrators do with people. */
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { fieldWeights } from '../../../contract/field-weights.js';
import { isReservedLogin, User } from '../../../models/user.js';
import { demandAdmin } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { createUser, type NewUser } from '../directory/create-user.js';
import { linkToPassword, updateUser, type UserChanges } from '../directory/update-user.js';

/** A one-time link with which a person sets a password. */
interface PasswordLink {
  url: string;
  expiresAt: string;
}

/**
 * @returns the person, and without a password a link to set one, unless it comes by e-mail
 * @throws MissingPermission, PropertyConstraintViolation
 */
export async function addUser(
  context: Context,
  person: NewUser,
): Promise<{ user: User; link: PasswordLink | undefined; isInvited: boolean }> {
  demandAdmin(context);
  if (person.password !== undefined) takePassword(context);
  const invites = context.mailer !== undefined;
  const { id, link, isInvited } = await createUser(context, person, { invites });
  const user = await User.query(context.db.write).findById(id).throwIfNotFound();
  if (isInvited) context.wake();
  return { user, link: link && addressed(context, link), isInvited };
}

/** @throws MissingPermission, NotFound, PropertyConstraintViolation */
export async function changeUser(
  context: Context,
  id: number | undefined,
  changes: UserChanges,
): Promise<User> {
  return updateUser(context, await userFor(context, id), changes);
}

/**
 * @param password undefined makes a link to set one
 * @throws MissingPermission, NotFound, PropertyConstraintViolation
 */
export async function changePasswordOf(
  context: Context,
  id: number | undefined,
  password: string | undefined,
): Promise<{ user: User; link: PasswordLink | undefined }> {
  const user = await userFor(context, id);
  if (password === undefined)
    return { user, link: addressed(context, await linkToPassword(context, user)) };
  takePassword(context);
  return { user: await updateUser(context, user, { password }), link: undefined };
}

/** The users of the service itself are no people, and erased ones no more. @throws MissingPermission, NotFound */
export async function userFor(context: Context, id: number | undefined): Promise<User> {
  demandAdmin(context);
  const user = await find.user(context, id);
  if (!user || isReservedLogin(user.login)) throw new NotFound();
  return user;
}

/** Hashing a password takes long. */
function takePassword({ budget }: Context): void {
  budget?.takeFields(fieldWeights.passwordChanged);
  budget?.demand();
}

const addressed = (
  { base }: Context,
  { path, expiresAt }: { path: string; expiresAt: string },
): PasswordLink => ({ url: base.url + path, expiresAt });
