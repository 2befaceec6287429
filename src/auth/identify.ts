/** Who is calling: an API key or a token in the `Authorization` header, else the session of a browser, else nobody (decisions 4). */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Knex } from 'knex';
import { InsufficientScope, Unauthenticated, type ApiError } from '../contract/errors.js';
import { after, type MaybePromise } from '../concurrency/maybe-promise.js';
import { Cache } from '../concurrency/cache.js';
import { ApiKey } from '../models/api-key.js';
import { API_SCOPE } from '../models/oauth-application.js';
import { User } from '../models/user.js';
import { hashKey } from '../secrets/hashes.js';
import { REFUSED } from './messages.js';
import { fromOwnPage } from './own-page.js';
import type { OpenId } from './openid/index.js';
import { tokenHolder } from './provider/tokens.js';
import type { SignedIn, Sessions } from './sessions.js';

const REMEMBERED =
  'What your browser remembers is not accepted for this request because it does not come from a page of this service. Send a token instead.';
const FOREIGN_PAGE =
  'Your session is not accepted for this request because it does not come from a page of this service. Send a token or an API key instead.';
const ANONYMOUS = 'anonymous';

interface Dependencies {
  read: Knex;
  sessions: Sessions;
  /** Absent: no tokens of an OpenID provider are taken. */
  openId: OpenId | undefined;
  base: { url: string };
  /** Whose pages may send requests with credentials of their own. */
  corsOrigins: readonly string[];
}

/** What of a request says who sends it. */
export type Calling = Pick<IncomingMessage, 'headers' | 'method' | 'url'> & {
  originalUrl?: string;
};

export class Identities {
  /** By the scheme and the hash of the key or token. */
  readonly #memory = new Cache<string, User>();

  constructor(private readonly needs: Dependencies) {}

  /**
   * The user behind a request, at once where it is remembered.
   * @throws Unauthenticated when something wrong is presented, or a session by a page that is not ours; InsufficientScope
   */
  caller(req: Calling): MaybePromise<User> {
    const { authorization } = req.headers;
    if (authorization !== undefined) {
      if (isByBrowser(req, this.needs)) throw new Unauthenticated(REMEMBERED);
      return this.identify(authorization);
    }
    const signedIn = this.needs.sessions.read(req);
    return after(signedIn, (found) => this.#of(found, req));
  }

  /**
   * The user behind an `Authorization` header: `Basic base64("apikey:" + key)`, `Bearer key` or `Bearer token`; the anonymous one without a header.
   * @throws Unauthenticated when something wrong is presented; InsufficientScope
   */
  identify(authorization: string | undefined): MaybePromise<User> {
    if (authorization === undefined)
      return this.#memory.get(ANONYMOUS, () =>
        User.query(this.needs.read)
          .findOne({ login: 'anonymous', anonymous: true })
          .throwIfNotFound()
          .execute(),
      );
    const [scheme, credentials] = presented(authorization) ?? [];
    if (credentials === undefined) throw new Unauthenticated(REFUSED);
    const hash = hashKey(credentials);
    return this.#memory.get(`${scheme} ${hash}`, () =>
      this.#holder(credentials, hash, scheme === 'bearer'),
    );
  }

  /** After keys or users were changed by this process. */
  forget() {
    this.#memory.clear();
  }

  #of(signedIn: SignedIn | undefined, req: Calling): User | Promise<User> {
    if (!signedIn) return this.identify(undefined);
    if (isWrite(req) && !fromOwnPage(req, this.needs.base.url))
      throw new Unauthenticated(FOREIGN_PAGE);
    return signedIn.user;
  }

  async #holder(credentials: string, hash: string, bearer: boolean): Promise<User> {
    const { read, openId } = this.needs;
    const user = await User.query(read)
      .findOne('status', 'active')
      .whereIn('id', ApiKey.query(read).select('user_id').where('key_hash', hash));
    if (user) return user;
    const holder = bearer ? await tokenHolder(read, hash) : undefined;
    if (holder && !holder.scopes.includes(API_SCOPE)) throw new InsufficientScope();
    if (holder) return Object.assign(holder.user, { byApplication: true });
    if (bearer && openId && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(credentials))
      return Object.assign((await openId.verify(credentials)).$clone(), { byApplication: true });
    throw new Unauthenticated(REFUSED);
  }
}

/**
 * Browsers send what was typed into their dialog again by themselves, also where a page of somebody else sends a form. Whoever says
 * neither where it comes from nor its origin is no browser.
 */
function isByBrowser(req: Calling, { base, corsOrigins }: Dependencies): boolean {
  const { authorization, origin, 'sec-fetch-site': site, host } = req.headers;
  if (
    !/^basic\b/i.test(authorization!) ||
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

/** Completing an upload is a GET that changes something (decisions 4); paths are matched in any case. */
const isWrite = ({ method, originalUrl, url }: Calling): boolean =>
  (method !== 'GET' && method !== 'HEAD') ||
  /\/uploaded\/*$/i.test((originalUrl ?? url ?? '').split('?', 1)[0]!);

function presented(authorization: string): ['basic' | 'bearer', string] | undefined {
  const [, scheme, credentials] = /^(basic|bearer) +([^\s]+) *$/i.exec(authorization) ?? [];
  if (!scheme || !credentials) return undefined;
  if (scheme.toLowerCase() === 'bearer') return ['bearer', credentials];
  const pair = Buffer.from(credentials, 'base64').toString('utf8');
  return pair.startsWith('apikey:') ? ['basic', pair.slice('apikey:'.length)] : undefined;
}

const REALM = 'Moorage API';

/**
 * The `WWW-Authenticate` header of an answer, where it has one (RFC 7235, RFC 6750 section 3). A page that asks in the background says
 * by `X-Authentication-Scheme: Session` that its browser must not open a dialog.
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
  if (/^bearer\b/i.test(authorization ?? ''))
    return bearer('invalid_token', 'error_description="The API key or token is not valid."');
  if (String(scheme).toLowerCase() === 'session')
    return { 'WWW-Authenticate': `Session realm="${REALM}"` };
  return { 'WWW-Authenticate': `Basic realm="${REALM}", charset="UTF-8"` };
}
