/** Whose identity at the OpenID provider it is. */
import type { Database } from '../../database/index.js';
import { RESERVED_LOGINS, User } from '../../models/user.js';
import { isStorableText } from '../../contract/text-rules.js';

/** As the column has it. */
const MAX_IDENTITY = 600;

export interface Claims {
  iss: string;
  sub: string;
  preferred_username?: unknown;
  email?: unknown;
  email_verified?: unknown;
}

/**
 * The active user with the identity of these claims. An identity that nobody has is linked once, to an active user who has none:
 *
 * - to the one whose login is the preferred user name, where that is no administrator and has no password. People may choose that
 *   name at their provider, so it opens only what nothing else opens: people who were imported and sign in at the provider alone.
 *   They may come with a token first, as the integration app of a file server does;
 * - in a browser also to the one user whose e-mail address is the verified one, administrator or not, with a password or without.
 */
export async function userOf(
  { db, clock }: { db: Database; clock: () => Date },
  claims: Claims,
  by: 'browser' | 'token',
): Promise<User | undefined> {
  const identity = `${claims.iss} ${claims.sub}`;
  if (!isStorableText(identity) || identity.length > MAX_IDENTITY) return undefined;
  const known = await User.query(db.read).findOne({ identity });
  if (known) return known.status === 'active' ? known : undefined;
  const candidate =
    (await byLogin(db, claims)) ?? (by === 'browser' ? await byEmail(db, claims) : undefined);
  if (!candidate) return undefined;
  const linked = await User.query(db.write)
    .findById(candidate.id)
    .whereNull('identity')
    .patch({ identity, updatedAt: clock().toISOString() });
  // Two sign-ins at the same moment.
  return linked === 1 ? candidate : User.query(db.read).findOne({ identity, status: 'active' });
}

const unlinked = (db: Database) =>
  User.query(db.read)
    .where({ status: 'active', anonymous: false })
    .whereNull('identity')
    .whereNotIn('login', [...RESERVED_LOGINS]);

async function byLogin(
  db: Database,
  { preferred_username: login }: Claims,
): Promise<User | undefined> {
  return typeof login === 'string' && isStorableText(login)
    ? unlinked(db).findOne({ login, admin: false }).whereNull('password_hash')
    : undefined;
}

/** SQLite knows small and capital letters of ASCII only: others must be as they are written. */
async function byEmail(
  db: Database,
  { email, email_verified: verified }: Claims,
): Promise<User | undefined> {
  if (verified !== true || typeof email !== 'string' || email === '' || !isStorableText(email))
    return undefined;
  const [first, ...others] = await unlinked(db)
    .whereRaw('(lower(email) = ? or email = ?)', [email.toLowerCase(), email])
    .limit(2);
  return others.length === 0 ? first : undefined;
}
