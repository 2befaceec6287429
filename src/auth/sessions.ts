/** Browsers that have signed in: a cookie whose value is kept as a hash only. */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';
import type { Database } from '../database/index.js';
import { Cache } from '../concurrency/cache.js';
import { timestamps } from '../models/record.js';
import { Session } from '../models/session.js';
import { User } from '../models/user.js';
import { generateToken, hashToken } from '../secrets/hashes.js';

export interface SignedIn {
  session: Session;
  user: User;
}

interface Dependencies {
  db: Database;
  clock: () => Date;
}

type Carrier = Pick<IncomingMessage, 'headers'>;

/** A session ends so long after the sign-in. */
export const SESSION_SECONDS = 8 * 3600;

export class Sessions {
  /** The name of the cookie; the prefix makes browsers refuse one that another host or a plain connection tries to set. */
  readonly cookieName: string;
  /** By the hash of the cookie's value. */
  readonly #memory = new Cache<string, SignedIn | undefined>();

  /** @param secure whether clients reach us over https */
  constructor(
    private readonly needs: Dependencies,
    readonly secure: boolean,
  ) {
    this.cookieName = `${secure ? '__Host-' : ''}moorage_session`;
  }

  /** The session that a request presents, at most a second old; undefined without one, and for one that ended or whose user is locked. */
  read(req: Carrier): SignedIn | undefined | Promise<SignedIn | undefined> {
    const token = cookieOf(req, this.cookieName);
    if (token === undefined) return undefined;
    const hash = hashToken(token);
    return this.#memory.get(hash, () => this.find({ token_hash: hash }));
  }

  /** A session as it is now. */
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
    return user && { session, user };
  }

  /**
   * Signs a browser in: always with a new value, so that one that somebody planted is worth nothing.
   * @param still what must be true of the user at this moment
   * @returns whether it is: a password that was right may have been replaced meanwhile, and ended the sessions that it opened
   */
  async begin(
    req: Carrier,
    res: Response,
    userId: number,
    still: { password_hash?: string | null } = {},
  ): Promise<boolean> {
    const { db, clock } = this.needs;
    const token = generateToken();
    const now = clock();
    const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1000).toISOString();
    await this.#remove(req);
    const begun = await db.write.transaction(async (trx) => {
      const [user] = await db.lockRows(
        User.query(trx)
          .select('id')
          .where({ id: userId, ...still }),
      );
      if (user)
        await Session.query(trx).insert({
          tokenHash: hashToken(token),
          userId,
          expiresAt,
          ...timestamps(now.toISOString()),
        });
      return user !== undefined;
    });
    if (begun)
      res.cookie(this.cookieName, token, { ...this.#attributes, maxAge: SESSION_SECONDS * 1000 });
    return begun;
  }

  async end(req: Carrier, res: Response): Promise<void> {
    await this.#remove(req);
    res.clearCookie(this.cookieName, this.#attributes);
  }

  /** Gives a session another value. */
  async renew(id: number, token: string): Promise<void> {
    await Session.query(this.needs.db.write)
      .findById(id)
      .patch({ tokenHash: hashToken(token) });
    this.forget();
  }

  /** After users or sessions were changed by this process. */
  forget(): void {
    this.#memory.clear();
  }

  /** Sends a browser without a session to the sign-in page and back; puts `session` and `user` into `res.locals`. */
  readonly requireSignIn: RequestHandler = async (req, res, next) => {
    const signedIn = await this.read(req);
    if (!signedIn) return res.redirect(303, signInPath(req.originalUrl));
    Object.assign(res.locals, signedIn);
    next();
  };

  get #attributes() {
    return { httpOnly: true, sameSite: 'lax', secure: this.secure, path: '/' } as const;
  }

  async #remove(req: Carrier): Promise<void> {
    const token = cookieOf(req, this.cookieName);
    if (token !== undefined)
      await Session.query(this.needs.db.write)
        .delete()
        .where({ token_hash: hashToken(token) });
    this.forget();
  }
}

/** The sign-in page that leads back to a path of ours. */
export const signInPath = (returnTo: string): string =>
  `/login?return_to=${encodeURIComponent(returnTo)}`;

/** The value of a cookie of a request. */
export function cookieOf({ headers }: Carrier, name: string): string | undefined {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || undefined;
  }
  return undefined;
}
