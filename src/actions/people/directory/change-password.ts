/** Changes the caller's own password. */
import type { Knex } from 'knex';
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import {
  MissingPermission,
  PropertyConstraintViolation,
  SessionEnded,
  Unauthenticated,
} from '../../../contract/errors.js';
import { fieldWeights } from '../../../contract/field-weights.js';
import { userByPassword } from '../../../auth/password-sign-in.js';
import { ApiKey } from '../../../models/api-key.js';
import { OneTimeLink } from '../../../models/one-time-link.js';
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
 * A wrong current password counts as one of the sign-in page. Links to set a password always end.
 * @throws MissingPermission for a person without password
 * @throws PropertyConstraintViolation, TooManyGuesses
 * @throws SessionEnded, Unauthenticated if the session or the API key ends meanwhile
 */
export async function changePassword(
  context: Context,
  { currentPassword, newPassword, endSessions }: PasswordChange,
): Promise<User> {
  const { user, db, clock, log, actor, forgetIdentities } = context;
  context.budget?.takeFields(fieldWeights.passwordChanged);
  context.budget?.demand();
  demandPasswordChange(context);
  demandNewPassword(newPassword);
  const attempt = { ...context.attemptOf(user.login), password: currentPassword };
  const before = await userByPassword(context, attempt, 'PASSWORD_CHANGE_REFUSED');
  if (!before) throw wrongPassword();
  const passwordHash = await hashPassword(newPassword);
  const changed = await db.write.transaction(async (trx) => {
    const [locked] = await db.lockRows(
      User.query(trx).where({ id: user.id, status: 'active', anonymous: false }),
    );
    const now = clock().toISOString();
    if (!locked) throw new SessionEnded();
    await demandCredential(trx, user, now);
    // Another change came first.
    if (locked.passwordHash !== before.passwordHash) throw wrongPassword();
    await User.query(trx).findById(user.id).patch({ passwordHash, updatedAt: now });
    if (endSessions) await endAccess(trx, [user.id], user.sessionId);
    else await OneTimeLink.query(trx).delete().where({ user_id: user.id });
    await recordAudit(trx, now, actor, {
      kind: 'PASSWORD_CHANGED',
      subject: { type: 'User', id: user.id },
    });
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
    user.anonymous
      ? 'Sign in to change your password.'
      : 'You have no password here that you could change.',
  );
}

/** Read again, in the transaction of the change. @throws SessionEnded, Unauthenticated */
async function demandCredential(
  trx: Knex,
  { id: userId, sessionId, apiKeyId }: User,
  now: string,
): Promise<void> {
  const [session, key] = [
    sessionId === undefined
      ? undefined
      : await Session.query(trx)
          .findOne({ id: sessionId, user_id: userId })
          .where('expires_at', '>', now),
    apiKeyId === undefined
      ? undefined
      : await ApiKey.query(trx).findOne({ id: apiKeyId, user_id: userId }),
  ];
  if (session || key) return;
  throw apiKeyId === undefined
    ? new SessionEnded()
    : new Unauthenticated('This API key has ended.');
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
