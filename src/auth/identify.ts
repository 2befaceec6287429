/** Who is calling: the API key in the `Authorization` header, or nobody (decisions 4). */
import { Unauthenticated } from '../errors.js';
import { Memory } from '../memory.js';
import { ApiKey } from '../models/api-key.js';
import { User } from '../models/user.js';
import { hashKey } from '../secrets.js';
import type { Knex } from 'knex';

const REFUSED = 'You did not provide the correct credentials.';
const VISITOR = 'visitor';

export class Identities {
  /** By the hash of the key. */
  readonly #memory = new Memory<string, User>();

  constructor(private readonly db: Knex) {}

  /**
   * The user behind an `Authorization` header: `Basic base64("apikey:" + key)` or `Bearer key`; the anonymous one without a header.
   * @throws Unauthenticated when something wrong is presented
   */
  identify(authorization: string | undefined): User | Promise<User> {
    if (authorization === undefined) return this.#memory.get(VISITOR, () => User.query(this.db).findOne({ anonymous: true }).throwIfNotFound().execute());
    const key = presentedKey(authorization);
    if (key === undefined) throw new Unauthenticated(REFUSED);
    const hash = hashKey(key);
    return this.#memory.get(hash, () => this.#holder(hash));
  }

  /** After keys or users were changed by this process. */
  forget() {
    this.#memory.clear();
  }

  async #holder(keyHash: string): Promise<User> {
    const user = await User.query(this.db).findOne('status', 'active').whereIn('id', ApiKey.query(this.db).select('user_id').where('key_hash', keyHash));
    if (!user) throw new Unauthenticated(REFUSED);
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
