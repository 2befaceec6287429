/**
 * Stores users' tokens for other servers encrypted, and lets one process at a time refresh them.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/index.js';
import type { Outbound } from '../outbound/client.js';
import type { Deadline } from '../outbound/deadline.js';
import type { Metrics } from '../observability/metrics.js';
import type { RotatingToken } from '../models/rotating-token.js';
import type { Keyring } from '../secrets/keyring.js';
import { SingleFlight } from '../concurrency/single-flight.js';

export interface RotationNeeds {
  db: Database;
  keyring: Keyring;
  outbound: Outbound;
  metrics: Metrics;
  log: Logger;
  clock: () => Date;
  finishing: <T>(work: Promise<T>) => Promise<T>;
}

/** The answer of a token endpoint (RFC 6749 section 5.1). */
export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
  /** Lifetime of the access token; undefined when the server does not state it. */
  seconds: number | undefined;
}

/** How the tokens of a row are refreshed. */
interface Refresh<T extends Tokens> {
  /** The name in the metrics. */
  target: string;
  /** Asks the server. When the answer has no new refresh token, the used one stays. */
  grant(refreshToken: string, deadline: Deadline): Promise<T>;
  /** Whether an error of `grant` is a definite refusal. Then the row is deleted. */
  ends(error: unknown): boolean;
}

/** Tokens are refreshed this long before they expire. */
export const EARLY_MS = 60_000;
/** Longer lifetimes are cut to this: a date far in the future could not be stored. */
const LONGEST_MS = 365 * 86_400_000;
/** A lease lasts this much longer than the deadline of its refresh. */
const LEASE_MARGIN_MS = 5_000;
const POLL_MS = 50;
/**
 * A write is given up when its next pause would be longer. Pauses double from 50 ms: 26 seconds in
 * all.
 */
const LONGEST_WAIT_MS = 15_000;

/** The columns that a refresh changes. */
export const ROTATED = [
  'access_token',
  'refresh_token',
  'expires_at',
  'lease_token',
  'lease_until',
  'updated_at',
];

export class TokenRotation<Row extends RotatingToken, T extends Tokens = Tokens> {
  readonly #refreshing = new SingleFlight<number, Row | undefined>();

  /** @param ownColumns makes further columns of the model from the tokens */
  constructor(
    private readonly needs: RotationNeeds,
    private readonly model: typeof RotatingToken,
    private readonly ownColumns: (tokens: T) => object = () => ({}),
  ) {}

  /** The columns of a row with these tokens. */
  columns(tokens: T) {
    const { keyring, clock } = this.needs;
    const now = clock();
    return {
      accessToken: keyring.seal(tokens.accessToken, this.#purpose('access')),
      refreshToken:
        tokens.refreshToken === null
          ? null
          : keyring.seal(tokens.refreshToken, this.#purpose('refresh')),
      expiresAt:
        tokens.seconds === undefined ? null : this.expiryAt(now.getTime() + tokens.seconds * 1000),
      leaseToken: null,
      leaseUntil: null,
      updatedAt: now.toISOString(),
      ...this.ownColumns(tokens),
    };
  }

  /** The stored expiry, at most `LONGEST_MS` from now. @param time in milliseconds since 1970 */
  expiryAt(time: number): string {
    return new Date(Math.min(time, this.needs.clock().getTime() + LONGEST_MS)).toISOString();
  }

  /** Decrypts the access token. */
  open({ accessToken }: Row): string {
    return this.needs.keyring.open(accessToken, this.#purpose('access'));
  }

  /** Milliseconds until the access token expires; negative afterwards. */
  leftMs({ expiresAt }: Row): number {
    return expiresAt === null ? Infinity : Date.parse(expiresAt) - this.needs.clock().getTime();
  }

  /**
   * Refreshes the tokens of a row. All callers in all processes share one refresh. It runs to its
   * end even when no caller waits any more, because the new tokens would be lost.
   * @param used the row whose token no longer works. If the database already has another valid
   *   token, that one is returned without a refresh.
   * @returns the row; undefined when it is gone or has no refresh token
   * @throws what `grant` throws
   */
  async rotate(used: Row, refresh: Refresh<T>): Promise<Row | undefined> {
    const stored = await this.#current(used);
    if (!stored || this.#supersedes(stored, used)) return stored;
    return this.#refreshing.run(stored.id, () =>
      this.needs.finishing(this.#rotateByLease(stored, refresh)),
    );
  }

  async #rotateByLease(used: Row, refresh: Refresh<T>): Promise<Row | undefined> {
    for (let stored: Row | undefined = used; stored; stored = await this.#current(used)) {
      if (this.#supersedes(stored, used)) return stored;
      if (stored.refreshToken === null) return undefined;
      // Callers have their own time-outs, so the refresh itself may take longer.
      const deadline = this.needs.outbound.longDeadline();
      const lease = await this.#acquireLease(stored, deadline);
      if (lease !== undefined)
        return this.#refresh(stored, stored.refreshToken, refresh, lease, deadline);
      // Another process has the lease. If it died, the lease expires soon.
      await sleep(POLL_MS);
    }
    return undefined;
  }

  /** A rotated key changes the encrypted text of the same token, so the expiry counts as well. */
  #supersedes = (stored: Row, used: Row): boolean =>
    stored.accessToken !== used.accessToken && this.leftMs(stored) > 0;

  async #acquireLease({ id, accessToken }: Row, { leftMs }: Deadline): Promise<string | undefined> {
    const now = this.needs.clock();
    const leaseToken = randomBytes(16).toString('hex');
    const updated = await this.#rows()
      .patch({
        leaseToken,
        leaseUntil: new Date(now.getTime() + leftMs + LEASE_MARGIN_MS).toISOString(),
      })
      .where({ id, access_token: accessToken })
      .where(
        (free) => void free.whereNull('lease_until').orWhere('lease_until', '<', now.toISOString()),
      );
    return updated === 1 ? leaseToken : undefined;
  }

  async #refresh(
    used: Row,
    sealed: string,
    { target, grant, ends }: Refresh<T>,
    lease: string,
    deadline: Deadline,
  ): Promise<Row | undefined> {
    const { keyring, metrics, log } = this.needs;
    let tokens: T;
    try {
      const refreshToken = keyring.open(sealed, this.#purpose('refresh'));
      tokens = await grant(refreshToken, deadline);
      tokens = { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
    } catch (error) {
      const ended = ends(error);
      metrics.refreshFailed(target, ended ? 'refused' : 'unavailable');
      log.warn(
        { reason: (error as Error).message, user: used.userId, target },
        ended ? 'the tokens of a user were ended by their server' : 'a token was not refreshed',
      );
      await this.#releaseLease(used, lease, ended);
      throw error;
    }
    await this.#store(used, lease, this.columns(tokens));
    return this.#current(used);
  }

  /**
   * Deletes the row after a definite refusal, else only releases the lease. A stalled earlier holder
   * of the lease may have stored new tokens. A row with new tokens stays.
   */
  async #releaseLease({ id, accessToken }: Row, lease: string, ended: boolean): Promise<void> {
    const mine = { id, lease_token: lease };
    const deleted =
      ended &&
      (await this.#rows()
        .delete()
        .where({ ...mine, access_token: accessToken })) === 1;
    if (!deleted) await this.#rows().patch({ leaseToken: null, leaseUntil: null }).where(mine);
  }

  /**
   * Stores rotated tokens, with retries: this is their only copy. A lost lease is no obstacle if the
   * row still has the used token. A key rotation may have changed the text of that token.
   */
  async #store({ id, userId, accessToken }: Row, lease: string, columns: object): Promise<void> {
    for (let wait = POLL_MS; ; wait *= 2) {
      try {
        return void (await this.#rows()
          .patch(columns)
          .where({ id })
          .where(
            (mine) =>
              void mine.where({ lease_token: lease }).orWhere({ access_token: accessToken }),
          ));
      } catch (error) {
        if (wait > LONGEST_WAIT_MS) {
          this.needs.log.error({ err: error, user: userId }, 'a rotated token is lost');
          throw error;
        }
        await sleep(wait);
      }
    }
  }

  #rows = () => this.model.query(this.needs.db.write);

  #current = async ({ id }: Row): Promise<Row | undefined> =>
    (await this.model.query(this.needs.db.read).findById(id)) as Row | undefined;

  #purpose = (kind: 'access' | 'refresh'): string => `${this.model.tableName}.${kind}_token`;
}
