/** Finds the user of an identity at the OpenID provider. */
import type { Logger } from 'pino';
import type { Database } from '../../database/index.js';
import { RESERVED_LOGINS, User } from '../../models/user.js';
import { isStorableText } from '../../contract/text-rules.js';
import { identityOf, linkIdentity } from './identities.js';
import type { LinkClaim } from './settings.js';

export interface Claims {
  iss: string;
  sub: string;
  preferred_username?: unknown;
  email?: unknown;
  email_verified?: unknown;
}

interface OpenIdUserNeeds {
  db: Database;
  clock: () => Date;
  log: Logger;
}

/**
 * The active user who has the identity of these claims. A new identity is linked once, by one of
 * the claims of `OIDC_LINK_BY`, to an active user. That user must have no identity and no password,
 * and must not be an administrator. The claims:
 *
 * - `preferred_username` equals the login. This also works with a token: a file server's app can
 *   present one before the first sign-in.
 * - `email` is verified and the address of one user only. This works in the browser only.
 */
export async function userOf(
  needs: OpenIdUserNeeds,
  claims: Claims,
  allowed: readonly LinkClaim[],
): Promise<User | undefined> {
  const { db } = needs;
  const identity = identityOf(claims.iss, claims.sub);
  if (identity === undefined) return undefined;
  const known = await User.query(db.read).findOne({ identity });
  if (known) return known.status === 'active' ? known : undefined;
  for (const by of allowed) {
    const candidate = await candidates[by](db, claims);
    if (candidate && (await linkIdentity(needs, { userId: candidate.id, identity, by })))
      return candidate.$set({ identity });
  }
  // A parallel sign-in may have linked it.
  return User.query(db.write).findOne({ identity, status: 'active' });
}

const people = (db: Database) =>
  User.query(db.read)
    .where({ status: 'active', anonymous: false })
    .whereNotIn('login', [...RESERVED_LOGINS]);

/**
 * Makes ASCII letters lower case, and no others. `toLowerCase` would make the Kelvin sign (U+212A)
 * a `k`, which is another address.
 */
const asciiLowerCase = (email: string): string =>
  email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const candidates = {
  preferred_username: async (db: Database, { preferred_username: login }: Claims) =>
    typeof login === 'string' && isStorableText(login) ? people(db).findOne({ login }) : undefined,

  /**
   * Compares again with `asciiLowerCase`. The function `lower` of the database may change other letters
   * too, so it can find addresses that differ.
   */
  email: async (db: Database, { email, email_verified: verified }: Claims) => {
    if (verified !== true || typeof email !== 'string' || email === '' || !isStorableText(email))
      return undefined;
    const similar = await people(db).whereRaw('lower(email) = lower(?)', [email]);
    const [first, ...others] = similar.filter(
      (one) => asciiLowerCase(one.email ?? '') === asciiLowerCase(email),
    );
    return others.length === 0 ? first : undefined;
  },
} satisfies { [by in LinkClaim]: unknown };
