/** Sessions of browsers: a cookie, of whose value the database has only a hash. */
import type { Language } from '../contract/languages.js';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { actorOf, recordAudit } from '../audit/record.js';
import { Cache } from '../concurrency/cache.js';
import { clientNetwork } from '../contract/client-network.js';
import { timestamps } from '../models/record.js';
import { Session } from '../models/session.js';
import { User } from '../models/user.js';
import { generateToken, hashToken } from '../secrets/keys-and-tokens.js';
import { browserName } from './browser-name.js';
import { noteUse, type UseNeeds } from './note-use.js';

export interface SignedIn {
  session: Session;
  user: User;
}

type WithHeaders = Pick<IncomingMessage, 'headers'>;

/** Lifetime of a session, counted from the sign-in. */
const SESSION_SECONDS = 8 * 3600;

export class Sessions {
  /**
   * Begins the names of our cookies. With `__Host-`, browsers refuse them from other hosts and over
   * plain http (RFC 6265bis section 4.1.3).
   */
  readonly prefix: '__Host-' | '';
  readonly cookieName: string;
  /** The name of the cookie of browsers that have signed in before. */
  readonly deviceCookieName: string;
  /** The key is the hash of the cookie's value. */
  readonly #cache = new Cache<string, SignedIn | undefined>();

  /** @param secure whether clients use https */
  constructor(
    private readonly needs: UseNeeds,
    readonly secure: boolean,
  ) {
    this.prefix = secure ? '__Host-' : '';
    this.cookieName = `${this.prefix}moorage_session`;
    this.deviceCookieName = `${this.prefix}moorage_device`;
  }

  /**
   * The session of a request, at most a second old.
   * @returns undefined without a session, after its end, and when its user is locked
   */
  read(req: WithHeaders): SignedIn | undefined | Promise<SignedIn | undefined> {
    const token = cookieOf(req, this.cookieName);
    if (token === undefined) return undefined;
    const hash = hashToken(token);
    return this.#cache.get(hash, async () => {
      const found = await this.find({ token_hash: hash });
      if (found) void noteUse(this.needs, 'sessions', found.session);
      return found;
    });
  }

  /** Whether a request has the cookie of a session, also of one that has ended. */
  hasCookie(req: WithHeaders): boolean {
    return cookieOf(req, this.cookieName) !== undefined;
  }

  /** The session of a request for a page. It clears the cookie of a session that has ended. */
  async forPage(req: WithHeaders, res: Response): Promise<SignedIn | undefined> {
    const signedIn = await this.read(req);
    if (!signedIn && this.hasCookie(req)) res.clearCookie(this.cookieName, this.attributes);
    return signedIn;
  }

  /** Reads a session from the database, not from the cache. */
  async find(by: { token_hash: string } | { id: number }): Promise<SignedIn | undefined> {
    const { db, clock } = this.needs;
    const session = await Session.query(db.read)
      .findOne(by)
      .where('expires_at', '>', clock().toISOString());
    const user =
      session &&
      (await User.query(db.read).findOne({
        id: session.userId,
        status: 'active',
        anonymous: false,
      }));
    return user && { session, user: Object.assign(user, { sessionId: session.id }) };
  }

  /**
   * Signs a browser in. The cookie always gets a new value, which prevents session fixation.
   * @param user the language is that of e-mails from now on
   * @param expected columns that the user must still have. A change of the password or identity ends
   *   all sessions, so a sign-in with the old one must not create one afterwards.
   * @returns whether the user still has them and is not locked; false: there is no session
   */
  async begin(
    req: WithHeaders & { ip?: string | undefined },
    res: Response,
    { id: userId, language }: { id: number; language: Language },
    expected: { password_hash?: string | null; identity?: string | null } = {},
  ): Promise<boolean> {
    const { db, clock } = this.needs;
    const token = generateToken();
    const now = clock();
    const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1000).toISOString();
    await this.#remove(req);
    const begun = await db.write.transaction(async (trx) => {
      const [user] = await db.lockRows(
        User.query(trx)
          .select('id', 'language')
          .where({ id: userId, status: 'active', ...expected }),
      );
      if (!user) return false;
      if (user.language !== language) await User.query(trx).findById(userId).patch({ language });
      const { id } = await Session.query(trx).insert({
        tokenHash: hashToken(token),
        userId,
        expiresAt,
        ...browserName(req.headers['user-agent']),
        network: networkOf(req.ip),
        ...timestamps(now.toISOString()),
      });
      await recordAudit(
        trx,
        now.toISOString(),
        actorOf({ id: userId, anonymous: false, sessionId: id }, req.ip),
        { kind: 'SIGNED_IN', subject: { type: 'User', id: userId } },
      );
      return true;
    });
    if (begun)
      res.cookie(this.cookieName, token, { ...this.attributes, maxAge: SESSION_SECONDS * 1000 });
    return begun;
  }

  async end(req: WithHeaders, res: Response): Promise<void> {
    await this.#remove(req);
    res.clearCookie(this.cookieName, this.attributes);
  }

  /** Gives a session another cookie value. */
  async renew(id: number, token: string): Promise<void> {
    await Session.query(this.needs.db.write)
      .findById(id)
      .patch({ tokenHash: hashToken(token) });
    this.forget();
  }

  /** Empties the cache. Call it after this process changed users or sessions. */
  forget(): void {
    this.#cache.clear();
  }

  /**
   * Redirects a browser without a session to the sign-in page, which leads back here.
   * Else it puts `session` and `user` into `res.locals`.
   */
  readonly requireSignIn: RequestHandler = async (req, res, next) => {
    const signedIn = await this.forPage(req, res);
    if (!signedIn) return res.redirect(303, signInPath(req.originalUrl));
    Object.assign(res.locals, signedIn);
    next();
  };

  /**
   * Redirects a browser whose session has ended to the sign-in page, and clears its cookie. So the
   * requests of the page work again. A browser without a cookie gets the page.
   */
  readonly leaveEnded: RequestHandler = async (req, res, next) => {
    if (!this.hasCookie(req) || (await this.forPage(req, res))) return next();
    res.redirect(303, signInPath(req.originalUrl));
  };

  /** The attributes of our cookies. */
  get attributes() {
    return { httpOnly: true, sameSite: 'lax', secure: this.secure, path: '/' } as const;
  }

  async #remove(req: WithHeaders): Promise<void> {
    const token = cookieOf(req, this.cookieName);
    if (token !== undefined)
      await Session.query(this.needs.db.write)
        .delete()
        .where({ token_hash: hashToken(token) });
    this.forget();
  }
}

/** Shortened: enough to tell home from elsewhere. */
function networkOf(address: string | undefined): string | null {
  const network = clientNetwork(address ?? '');
  return network === 'unknown' ? null : network;
}

/** @returns the address of the sign-in page, which leads back to the given path of this service */
export const signInPath = (returnTo: string): string =>
  `/login?return_to=${encodeURIComponent(returnTo)}`;

export function cookieOf({ headers }: WithHeaders, name: string): string | undefined {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || undefined;
  }
  return undefined;
}
