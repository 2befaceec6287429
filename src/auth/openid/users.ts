/** Finds the user of an identity at the OpenID provider. */
import type { Database } from '../../database/index.js';
import { RESERVED_LOGINS, User } from '../../models/user.js';
import { isStorableText } from '../../contract/text-rules.js';

/** The length of the column. */
const MAX_IDENTITY = 600;

export interface Claims {
  iss: string;
  sub: string;
  preferred_username?: unknown;
  email?: unknown;
  email_verified?: unknown;
}

/**
 * The active user with the identity of these claims. A new identity is linked once, to an active
 * user without an identity:
 *
 * - The user whose login equals `preferred_username`, except administrators and users with a
 *   password. At some providers people choose that name themselves. So it must not open an account
 *   that has another way to sign in. This also works with a token: a file server's app can present
 *   one before the first sign-in.
 * - In a browser also the only user with the verified e-mail address, administrators included, with
 *   or without a password.
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
  // A parallel sign-in may have linked it.
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

/** SQLite's `lower` changes ASCII letters only, so other letters must match exactly. */
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
