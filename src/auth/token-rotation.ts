/** Users' tokens at other servers: kept sealed, refreshed by one at a time among all processes. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/index.js';
import type { Deadline, Outbound } from '../outbound/client.js';
import type { Metrics } from '../observability/metrics.js';
import type { RotatingToken } from '../models/rotating-token.js';
import type { Keyring } from '../secrets/keyring.js';
import { SingleFlight } from '../concurrency/single-flight.js';

export interface RotationDependencies {
  db: Database;
  keyring: Keyring;
  outbound: Outbound;
  metrics: Metrics;
  log: Logger;
  clock: () => Date;
  finishing: <T>(work: Promise<T>) => Promise<T>;
}

/** What a server grants (RFC 6749 section 5.1). */
export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
  /** How long the access token lives; undefined where the server does not say. */
  seconds: number | undefined;
}

/** How the tokens of a row are refreshed. */
export interface Refresh<T extends Tokens> {
  /** Whose numbers these are. */
  target: string;
  /** Asks the server; without a new refresh token in the answer, the one that was used stays. */
  grant(refreshToken: string, deadline: Deadline): Promise<T>;
  /** Whether an error of that is a definite refusal, after which the row goes. */
  ends(error: unknown): boolean;
}

/** Tokens are replaced so long before they end. */
export const EARLY_MS = 60_000;
/** No token is believed to live longer; dates end somewhere. */
const LONGEST_MS = 365 * 86_400_000;
/** Whoever refreshes has the time of one deadline and this. */
const LEASE_MARGIN_MS = 5_000;
const POLL_MS = 50;
/** A database that does not take a rotated token is asked again, each time after twice as long: for half a minute in all. */
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

  /** @param also columns of a row for what else comes with its tokens */
  constructor(
    private readonly needs: RotationDependencies,
    private readonly model: typeof RotatingToken,
    private readonly also: (tokens: T) => object = () => ({}),
  ) {}

  /** What a row says that holds these tokens. */
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
        tokens.seconds === undefined ? null : this.believed(now.getTime() + tokens.seconds * 1000),
      leaseToken: null,
      leaseUntil: null,
      updatedAt: now.toISOString(),
      ...this.also(tokens),
    };
  }

  /** Until when we believe a token that says how long it lives. @param ends in milliseconds since 1970 */
  believed(ends: number): string {
    return new Date(Math.min(ends, this.needs.clock().getTime() + LONGEST_MS)).toISOString();
  }

  /** The access token in the clear. */
  open({ accessToken }: Row): string {
    return this.needs.keyring.open(accessToken, this.#purpose('access'));
  }

  /** How long the access token still lives: not at all where negative. */
  leftMs({ expiresAt }: Row): number {
    return expiresAt === null ? Infinity : Date.parse(expiresAt) - this.needs.clock().getTime();
  }

  /**
   * Refreshes the tokens of a row: once for all callers of all processes together, and to the end even if nobody waits any more.
   * @param used the row whose token is not good any more; where the row has another one that lives, that is the answer
   * @returns the row; undefined where it is gone, or has no refresh token
   * @throws what `grant` throws
   */
  async rotate(used: Row, refresh: Refresh<T>): Promise<Row | undefined> {
    const kept = await this.#current(used);
    if (!kept || this.#supersedes(kept, used)) return kept;
    return this.#refreshing.run(kept.id, () => this.needs.finishing(this.#inTurn(kept, refresh)));
  }

  async #inTurn(used: Row, refresh: Refresh<T>): Promise<Row | undefined> {
    for (let kept: Row | undefined = used; kept; kept = await this.#current(used)) {
      if (this.#supersedes(kept, used)) return kept;
      if (kept.refreshToken === null) return undefined;
      // Callers wait for as long as they can themselves; what is refreshed meanwhile is there for the next one.
      const deadline = this.needs.outbound.longDeadline();
      const lease = await this.#take(kept, deadline);
      if (lease !== undefined)
        return this.#renew(kept, kept.refreshToken, refresh, lease, deadline);
      // The lease of a process that died runs out; a little later it is this one's turn.
      await sleep(POLL_MS);
    }
    return undefined;
  }

  /** A changed key makes another text of the same token, so one that has ended replaces nothing. */
  #supersedes = (kept: Row, used: Row): boolean =>
    kept.accessToken !== used.accessToken && this.leftMs(kept) > 0;

  async #take({ id, accessToken }: Row, { leftMs }: Deadline): Promise<string | undefined> {
    const now = this.needs.clock();
    const leaseToken = randomBytes(16).toString('hex');
    const taken = await this.#rows()
      .patch({
        leaseToken,
        leaseUntil: new Date(now.getTime() + leftMs + LEASE_MARGIN_MS).toISOString(),
      })
      .where({ id, access_token: accessToken })
      .where(
        (free) => void free.whereNull('lease_until').orWhere('lease_until', '<', now.toISOString()),
      );
    return taken === 1 ? leaseToken : undefined;
  }

  async #renew(
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
      await this.#endTurn(used, lease, ended);
      throw error;
    }
    await this.#store(used, lease, this.columns(tokens));
    return this.#current(used);
  }

  /** Whoever was halted while it had the turn before may have stored good tokens in between: only those that were used go. */
  async #endTurn({ id, accessToken }: Row, lease: string, ended: boolean): Promise<void> {
    const mine = { id, lease_token: lease };
    const deleted =
      ended &&
      (await this.#rows()
        .delete()
        .where({ ...mine, access_token: accessToken })) === 1;
    if (!deleted) await this.#rows().patch({ leaseToken: null, leaseUntil: null }).where(mine);
  }

  /** Keeps rotated tokens, the only copy of which is here: also where the turn was lost, or the used ones were sealed anew. */
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
