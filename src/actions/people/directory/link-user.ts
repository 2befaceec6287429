/** Links an identity at the OpenID provider to a user, as an operator decides. */
import { UniqueViolationError } from 'objection';
import { recordAudit, type Actor } from '../../../audit/record.js';
import { identityOf } from '../../../auth/openid/identities.js';
import type { Services } from '../../../context.js';
import { requestSync } from '../../base/project-folder-queue/request-sync.js';
import { User } from '../../../models/user.js';
import { endAccess } from './end-access.js';

/**
 * Sets the identity of a user, administrators included. If the user had another identity, its
 * sessions and tokens end, and what applications were granted. API keys stay.
 * @returns whether the user had another identity
 * @throws Error with a text for the operator
 */
export async function linkUser(
  { db, clock, log, actor }: Pick<Services, 'db' | 'clock' | 'log'> & { actor: Actor },
  user: User,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<boolean> {
  const identity = identityOf(issuer, subject);
  if (identity === undefined) throw new Error('This subject cannot be stored.');
  let replaced;
  try {
    replaced = await db.write.transaction(async (trx) => {
      const [before] = await db.lockRows(User.query(trx).where('id', user.id));
      await User.query(trx).findById(user.id).patch({ identity, updatedAt: clock().toISOString() });
      await recordAudit(trx, clock().toISOString(), actor, {
        kind: 'USER_IDENTITY_LINKED',
        subject: { type: 'User', id: user.id },
      });
      await requestSync(trx, { userId: user.id }, clock());
      if (!before || before.identity === null || before.identity === identity) return false;
      await endAccess(trx, [user.id]);
      return true;
    });
  } catch (error) {
    if (!(error instanceof UniqueViolationError)) throw error;
    const holder = await User.query(db.write).findOne({ identity });
    throw new Error(`The login ${JSON.stringify(holder?.login)} has this identity.`);
  }
  log.warn({ user: user.id, by: 'command' }, 'an identity was linked to a user');
  return replaced;
}
