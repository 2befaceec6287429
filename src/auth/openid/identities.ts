/** Links identities at the OpenID provider to users. */
import { UniqueViolationError } from 'objection';
import type { Logger } from 'pino';
import type { Database } from '../../database/index.js';
import { isStorableText } from '../../contract/text-rules.js';
import { Session } from '../../models/session.js';
import { User } from '../../models/user.js';
import type { LinkClaim } from './settings.js';

/** The length of the column. */
const MAX_IDENTITY = 600;

/**
 * The column `users.identity`: issuer and subject, joined by a space. An issuer has no space.
 * @returns undefined if it cannot be stored
 */
export function identityOf(issuer: string, subject: string): string | undefined {
  const identity = `${issuer} ${subject}`;
  return subject !== '' && isStorableText(identity) && identity.length <= MAX_IDENTITY
    ? identity
    : undefined;
}

interface Link {
  userId: number;
  identity: string;
  /** A claim of a first sign-in, or the person on the sign-in page. */
  by: LinkClaim | 'page';
  /** Id of the session of that person, which must still last. Absent with a claim. */
  session?: number;
}

/**
 * Links an identity to an active user without identity. A claim never opens an account that has
 * another way to sign in, or that is an administrator. The user is locked first, so a parallel
 * change cannot pass these conditions.
 * @returns whether it is linked now; false also if another user has the identity
 */
export async function linkIdentity(
  { db, clock, log }: { db: Database; clock: () => Date; log: Logger },
  { userId, identity, by, session }: Link,
): Promise<boolean> {
  const now = clock().toISOString();
  try {
    const linked = await db.write.transaction(async (trx) => {
      await db.lockRows(User.query(trx).select('id').where('id', userId));
      const update = User.query(trx)
        .findById(userId)
        .where({ status: 'active' })
        .whereNull('identity')
        .patch({ identity, updatedAt: now });
      if (session === undefined) update.where({ admin: false }).whereNull('password_hash');
      else update.whereExists(Session.query(trx).findById(session).where('expires_at', '>', now));
      return update;
    });
    if (linked === 0) return false;
  } catch (error) {
    if (error instanceof UniqueViolationError) return false;
    throw error;
  }
  log.warn({ user: userId, by }, 'an identity was linked to a user');
  return true;
}
