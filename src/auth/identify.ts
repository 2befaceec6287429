/** Who is calling: the API key in the `Authorization` header, or nobody (decisions 4). */
import { Unauthenticated } from '../errors.js';
import { ApiKey } from '../models/api-key.js';
import { User } from '../models/user.js';
import { hashKey } from '../secrets.js';
import type { Knex } from 'knex';

/** A revoked key stops working in every process within two seconds, so it is remembered for one. */
const LIFE_MS = 1_000;
const CAPACITY = 20_000;
const REFUSED = 'You did not provide the correct credentials.';

export class Identities {
  readonly #byKey = new Map<string, { user: User; until: number }>();
  #anonymous: { user: User; until: number } | undefined;

  constructor(private readonly db: Knex) {}

  /**
   * The user behind an `Authorization` header: `Basic base64("apikey:" + key)` or `Bearer key`; the anonymous one without a header.
   * @throws Unauthenticated when something wrong is presented
   */
  identify(authorization: string | undefined): User | Promise<User> {
    if (authorization === undefined) return this.#visitor();
    const key = presentedKey(authorization);
    if (key === undefined) throw new Unauthenticated(REFUSED);
    const hash = hashKey(key);
    const known = this.#byKey.get(hash);
    return known && known.until > Date.now() ? known.user : this.#lookUp(hash);
  }

  /** After keys or users were changed by this process. */
  forget() {
    this.#byKey.clear();
    this.#anonymous = undefined;
  }

  async #lookUp(keyHash: string): Promise<User> {
    const asked = Date.now();
    const user = await User.query(this.db).findOne('status', 'active').whereIn('id', ApiKey.query(this.db).select('user_id').where('key_hash', keyHash));
    if (!user) throw new Unauthenticated(REFUSED);
    if (this.#byKey.size >= CAPACITY) this.#byKey.clear();
    this.#byKey.set(keyHash, { user, until: asked + LIFE_MS });
    return user;
  }

  #visitor(): User | Promise<User> {
    return this.#anonymous && this.#anonymous.until > Date.now() ? this.#anonymous.user : this.#lookUpVisitor();
  }

  async #lookUpVisitor(): Promise<User> {
    const asked = Date.now();
    const user = await User.query(this.db).findOne({ anonymous: true }).throwIfNotFound();
    this.#anonymous = { user, until: asked + LIFE_MS };
    return user;
  }
}

function presentedKey(authorization: string): string | undefined {
  const [, scheme, credentials] = /^(basic|bearer) +([^\s]+) *$/i.exec(authorization) ?? [];
  if (!scheme || !credentials) return undefined;
  if (scheme.toLowerCase() === 'bearer') return credentials;
  const pair = Buffer.from(credentials, 'base64').toString('utf8');
  return pair.startsWith('apikey:') ? pair.slice('apikey:'.length) : undefined;
}

const REALM = 'Moorage API';

/** The `WWW-Authenticate` header of a 401 (RFC 7235, RFC 6750 section 3). */
export const challenge = (authorization: string | undefined): string =>
  /^bearer\b/i.test(authorization ?? '') ? `Bearer realm="${REALM}", error="invalid_token", error_description="The API key or token is not valid."` : `Basic realm="${REALM}", charset="UTF-8"`;
