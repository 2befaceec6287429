/** Sets the password of the person who has a link for it. */
import { recordAudit, type Actor } from '../../../audit/record.js';
import { findLink, takeLink } from '../../../auth/one-time-links.js';
import type { Services } from '../../../context.js';
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import { User } from '../../../models/user.js';
import { hashPassword } from '../../../secrets/passwords.js';
import { endAccess } from './end-access.js';
import { isPassword, PASSWORD_RULE } from './password-rules.js';

/**
 * Ends the link, and what the person has opened before.
 * @returns undefined if the link was used, has ended, or is that of a locked person
 * @throws PropertyConstraintViolation; then the link still works
 */
export async function setPassword(
  {
    db,
    clock,
    actor,
    forgetIdentities,
  }: Pick<Services, 'db' | 'clock' | 'forgetIdentities'> & { actor: Actor },
  token: string,
  password: string,
): Promise<User | undefined> {
  if (!isPassword(password))
    throw new PropertyConstraintViolation(`The password must have ${PASSWORD_RULE}.`, 'password');
  const passwordHash = await hashPassword(password);
  const changed = await db.write.transaction(async (trx) => {
    const now = clock();
    const link = await findLink(trx, now, 'password', token);
    const [user] = link
      ? await db.lockRows(User.query(trx).where({ id: link.userId, status: 'active' }))
      : [];
    if (!link || !user || !(await takeLink(trx, link))) return undefined;
    await User.query(trx).findById(user.id).patch({ passwordHash, updatedAt: now.toISOString() });
    await endAccess(trx, [user.id]);
    await recordAudit(trx, now.toISOString(), actor, {
      kind: 'USER_PASSWORD_SET',
      subject: { type: 'User', id: user.id },
    });
    return user.$set({ passwordHash });
  });
  forgetIdentities();
  return changed;
}
