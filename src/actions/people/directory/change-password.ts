/** Changes the caller's own password. */
import type { Context } from '../../../context.js';
import {
  MissingPermission,
  PropertyConstraintViolation,
  SessionEnded,
} from '../../../contract/errors.js';
import { fieldWeights } from '../../../contract/field-weights.js';
import { userByPassword } from '../../../auth/password-sign-in.js';
import { Session } from '../../../models/session.js';
import { User } from '../../../models/user.js';
import { can } from '../../../policies/can.js';
import { hashPassword } from '../../../secrets/passwords.js';
import { endAccess } from './end-access.js';
import { isPassword, PASSWORD_RULE } from './password-rules.js';

interface PasswordChange {
  currentPassword: string;
  newPassword: string;
  /** Whether everything ends that was opened before, except the session of the request. */
  endSessions: boolean;
}

/**
 * A wrong current password counts as one of the sign-in page.
 * @throws MissingPermission without a session of a browser, and for a person without password
 * @throws PropertyConstraintViolation, TooManyGuesses
 * @throws SessionEnded if the session ends meanwhile
 */
export async function changePassword(
  context: Context,
  { currentPassword, newPassword, endSessions }: PasswordChange,
): Promise<User> {
  const { user, db, clock, log, forgetIdentities } = context;
  context.budget?.takeFields(fieldWeights.passwordChanged);
  context.budget?.demand();
  demandPasswordChange(context);
  demandNewPassword(newPassword);
  const attempt = { ...context.attemptOf(user.login), password: currentPassword };
  const before = await userByPassword(context, attempt, 'a change of a password was refused');
  if (!before) throw wrongPassword();
  const passwordHash = await hashPassword(newPassword);
  const changed = await db.write.transaction(async (trx) => {
    const [locked] = await db.lockRows(
      User.query(trx).where({ id: user.id, status: 'active', anonymous: false }),
    );
    const now = clock().toISOString();
    const session = await Session.query(trx)
      .findOne({ id: user.sessionId, user_id: user.id })
      .where('expires_at', '>', now);
    if (!locked || !session) throw new SessionEnded();
    // Another change came first.
    if (locked.passwordHash !== before.passwordHash) throw wrongPassword();
    await User.query(trx).findById(user.id).patch({ passwordHash, updatedAt: now });
    if (endSessions) await endAccess(trx, [user.id], session.id);
    return locked.$set({ updatedAt: now });
  });
  forgetIdentities();
  log.info({ user: user.id, endSessions }, 'a password was changed');
  return changed;
}

/** @throws MissingPermission */
function demandPasswordChange({ user }: Context): void {
  if (can.changePassword({ user }, user)) return;
  throw new MissingPermission(
    user.sessionId === undefined
      ? 'A password is changed in a browser that is signed in, not with an API key or a token.'
      : 'You have no password here that you could change.',
  );
}

/** @throws PropertyConstraintViolation */
function demandNewPassword(newPassword: string): void {
  if (!isPassword(newPassword))
    throw new PropertyConstraintViolation(
      `The new password must have ${PASSWORD_RULE}.`,
      'newPassword',
    );
}

const wrongPassword = () =>
  new PropertyConstraintViolation('The current password is wrong.', 'currentPassword');
