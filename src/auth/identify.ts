/**
 * Finds the user of a request by the API key or token in the `Authorization` header. Without one, it
 * uses the session of the browser. Without a session, it is the anonymous user.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Knex } from 'knex';
import {
  InsufficientScope,
  SessionEnded,
  StorageUnauthenticated,
  Unauthenticated,
  type ApiError,
} from '../contract/errors.js';
import { thenMaybe, type MaybePromise } from '../concurrency/maybe-promise.js';
import { Cache } from '../concurrency/cache.js';
import { API_SCOPE } from '../models/oauth-application.js';
import { User } from '../models/user.js';
import { hashKey } from '../secrets/keys-and-tokens.js';
import { WRONG_CREDENTIALS } from './messages.js';
import { noteUse, type UseNeeds } from './note-use.js';
import { fromOwnPage } from './own-page.js';
import type { OpenId } from './openid/index.js';
import { tokenHolder } from './provider/tokens.js';
import type { SignedIn, Sessions } from './sessions.js';

const BROWSER_CREDENTIALS =
  'What your browser remembers is not accepted for this request because ' +
  'it does not come from a page of this service. Send a token instead.';
const FOREIGN_PAGE =
  'Your session is not accepted for this request because ' +
  'it does not come from a page of this service. Send a token or an API key instead.';
const KEY_ENDED = 'This API key has ended. Make another one.';
const ANONYMOUS = 'anonymous';

/**
 * The id of the person whom a page shows. Somebody else can have signed in in another window since:
 * an upload of the page must not become that person's file.
 */
const SIGNED_IN_AS = 'x-signed-in-as';

interface IdentifierNeeds extends UseNeeds {
  sessions: Sessions;
  /** Absent: tokens of an OpenID provider are not accepted. */
  openId: OpenId | undefined;
  base: { url: string };
  /** Origins of pages that may send requests with credentials. */
  corsOrigins: readonly string[];
}

/** The parts of a request that identify its sender. */
type RequestSender = Pick<IncomingMessage, 'headers' | 'method' | 'url'> & {
  originalUrl?: string;
};

export class Identities {
  /** The key is the scheme with the hash of the API key or token. */
  readonly #cache = new Cache<string, User>();

  constructor(private readonly needs: IdentifierNeeds) {}

  /**
   * The user of a request of the API; no promise when it is in the cache.
   * @throws Unauthenticated for wrong credentials, for the cookie of a session that has ended, for a
   *   write from another site's page, and if another person is signed in than the page shows
   * @throws InsufficientScope
   */
  caller(req: RequestSender): MaybePromise<User> {
    return this.#callerOf(req, () => {
      throw new SessionEnded();
    });
  }

  /** As `caller`, but the cookie of a session that has ended means the anonymous user. */
  reader(req: RequestSender): MaybePromise<User> {
    return this.#callerOf(req, () => this.identify(undefined));
  }

  #callerOf(req: RequestSender, afterEnd: () => MaybePromise<User>): MaybePromise<User> {
    const { authorization } = req.headers;
    if (authorization !== undefined) {
      if (isCrossSiteWrite(req, authorization, this.needs))
        throw new Unauthenticated(BROWSER_CREDENTIALS);
      return this.identify(authorization);
    }
    const { sessions } = this.needs;
    const shown = req.headers[SIGNED_IN_AS];
    if (!sessions.hasCookie(req)) return shown ? afterEnd() : this.identify(undefined);
    return thenMaybe(sessions.read(req), (found) =>
      found && (shown ?? `${found.user.id}`) === `${found.user.id}`
        ? this.#userOf(found, req)
        : afterEnd(),
    );
  }

  /**
   * The user of an `Authorization` header: `Basic base64("apikey:" + key)`, `Bearer key` or
   * `Bearer token`. Without a header it is the anonymous user.
   * @throws Unauthenticated for wrong credentials
   * @throws InsufficientScope
   */
  identify(authorization: string | undefined): MaybePromise<User> {
    if (authorization === undefined)
      return this.#cache.get(ANONYMOUS, () =>
        User.query(this.needs.db.read)
          .findOne({ login: 'anonymous', anonymous: true })
          .throwIfNotFound()
          .execute(),
      );
    const [scheme, credentials] = parseAuthorization(authorization) ?? [];
    if (credentials === undefined) throw new Unauthenticated(WRONG_CREDENTIALS);
    const hash = hashKey(credentials);
    return this.#cache.get(`${scheme} ${hash}`, () =>
      this.#holder(credentials, hash, scheme === 'bearer'),
    );
  }

  /** Empties the cache. Call it after this process changed keys or users. */
  forget() {
    this.#cache.clear();
  }

  #userOf(signedIn: SignedIn, req: RequestSender): User {
    if (isWrite(req) && !fromOwnPage(req, this.needs.base.url))
      throw new Unauthenticated(FOREIGN_PAGE);
    return signedIn.user;
  }

  async #holder(credentials: string, hash: string, bearer: boolean): Promise<User> {
    const { openId } = this.needs;
    const { read } = this.needs.db;
    const user = await keyHolder(read, hash);
    if (user) {
      const { apiKeyId, keyExpiresAt, keyLastUsedAt } = user;
      if (keyExpiresAt !== null && keyExpiresAt <= this.needs.clock().toISOString())
        throw new Unauthenticated(KEY_ENDED);
      void noteUse(this.needs, 'api_keys', { id: apiKeyId, lastUsedAt: keyLastUsedAt });
      return user;
    }
    const holder = bearer ? await tokenHolder(read, hash) : undefined;
    if (holder && !holder.scopes.includes(API_SCOPE)) throw new InsufficientScope();
    if (holder) return Object.assign(holder.user, { byApplication: true, tokenId: holder.id });
    if (bearer && openId && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(credentials))
      return Object.assign((await openId.verify(credentials)).$clone(), { byApplication: true });
    throw new Unauthenticated(WRONG_CREDENTIALS);
  }
}

type KeyHolder = User & {
  apiKeyId: number;
  keyExpiresAt: string | null;
  keyLastUsedAt: string | null;
};

/** The active owner of an API key, with what is known of the key. It takes one statement. */
const keyHolder = async (read: Knex, hash: string): Promise<KeyHolder | undefined> =>
  User.query(read)
    .join('api_keys', 'api_keys.user_id', 'users.id')
    .select(
      'users.*',
      'api_keys.id as api_key_id',
      'api_keys.access as key_access',
      'api_keys.expires_at as key_expires_at',
      'api_keys.last_used_at as key_last_used_at',
    )
    .findOne({ 'api_keys.key_hash': hash, 'users.status': 'active' })
    .castTo<KeyHolder | undefined>();

/**
 * Whether a page of another site sends a write with Basic credentials that the browser has stored
 * (CSRF). Browsers repeat them by themselves, also for the forms of other sites. A request with
 * neither `Sec-Fetch-Site` nor `Origin` comes from no browser.
 */
function isCrossSiteWrite(
  req: RequestSender,
  authorization: string,
  { base, corsOrigins }: IdentifierNeeds,
): boolean {
  const { origin, 'sec-fetch-site': site, host } = req.headers;
  if (
    !/^basic\b/i.test(authorization) ||
    !isWrite(req) ||
    (origin !== undefined && corsOrigins.includes(origin))
  )
    return false;
  if (site !== undefined) return site === 'cross-site' || site === 'same-site';
  return (
    origin !== undefined &&
    origin !== new URL(base.url).origin &&
    !(URL.canParse(origin) && new URL(origin).host === host)
  );
}

/**
 * `…/uploaded`, which completes an upload, is a GET that writes. The path may be in any case, as
 * Express ignores the case of routes.
 */
const isWrite = ({ method, originalUrl, url }: RequestSender): boolean =>
  (method !== 'GET' && method !== 'HEAD') ||
  /^[^?]*\/uploaded\/*(\?|$)/i.test(originalUrl ?? url ?? '');

function parseAuthorization(authorization: string): ['basic' | 'bearer', string] | undefined {
  const [, scheme, credentials] = /^(basic|bearer) +([^\s]+) *$/i.exec(authorization) ?? [];
  if (!scheme || !credentials) return undefined;
  if (scheme.toLowerCase() === 'bearer') return ['bearer', credentials];
  const pair = Buffer.from(credentials, 'base64').toString('utf8');
  return pair.startsWith('apikey:') ? ['basic', pair.slice('apikey:'.length)] : undefined;
}

const REALM = 'Moorage API';

/**
 * The `WWW-Authenticate` header of an error response (RFC 9110 section 11.6.1, RFC 6750 section 3).
 * A script in a page sends `X-Authentication-Scheme: Session`, so that its browser opens no dialog.
 * Nor does it open one when the session has ended.
 * @returns no header for other errors
 */
export function challenge(
  error: ApiError,
  { authorization, 'x-authentication-scheme': scheme }: IncomingHttpHeaders,
): { [name: string]: string } {
  const bearer = (code: string, rest: string) => ({
    'WWW-Authenticate': `Bearer realm="${REALM}", error="${code}", ${rest}`,
  });
  if (error instanceof InsufficientScope)
    return bearer('insufficient_scope', `scope="${API_SCOPE}"`);
  if (!(error instanceof Unauthenticated)) return {};
  // Clients must not drop their good credentials, and browsers must not open a dialog.
  if (error instanceof StorageUnauthenticated)
    return { 'WWW-Authenticate': `Storage realm="${REALM}"` };
  if (/^bearer\b/i.test(authorization ?? ''))
    return bearer('invalid_token', 'error_description="The API key or token is not valid."');
  if (String(scheme).toLowerCase() === 'session' || error instanceof SessionEnded)
    return { 'WWW-Authenticate': `Session realm="${REALM}"` };
  return { 'WWW-Authenticate': `Basic realm="${REALM}", charset="UTF-8"` };
}
