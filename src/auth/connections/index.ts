/** Users' tokens of storages: kept sealed, refreshed by one at a time among all processes. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../database.js';
import { OutboundFailure, type Deadline, type Outbound } from '../../http.js';
import type { Metrics } from '../../metrics.js';
import { born } from '../../models/record.js';
import { StorageToken } from '../../models/storage-token.js';
import type { Keyring } from '../../secrets.js';
import { GrantRefused, refresh, type Server, type Tokens } from './grants.js';

interface Needs {
  db: Database;
  keyring: Keyring;
  outbound: Outbound;
  metrics: Metrics;
  log: Logger;
  clock: () => Date;
  finishing: <T>(work: Promise<T>) => Promise<T>;
}

/** Who asks whom with which client. */
export interface Partner {
  /** Whose circuit and numbers these are. */
  target: string;
  server: Server;
  client: { id: string; secret: string };
}

/** Tokens are refreshed so long before they end. */
const EARLY_MS = 60_000;
/** Whoever refreshes has the time of one deadline and this. */
const LEASE_MARGIN_MS = 5_000;
const POLL_MS = 50;
/** A rotated token that the database does not take is offered again, for half a minute. */
const STORE_ATTEMPTS = 6;
const STORE_WAIT_MS = 1_000;
/** Nobody keeps a token longer, whatever a server says. */
const MAX_SECONDS = 366 * 24 * 3600;

const ACCESS = 'storage_tokens.access_token';
const REFRESH = 'storage_tokens.refresh_token';

export class Connections {
  /** Refreshes of this process that are under way, by connection. */
  readonly #refreshing = new Map<number, Promise<StorageToken | undefined>>();

  constructor(private readonly needs: Needs) {}

  /** The access token of a connection, refreshed where it is about to end; undefined: the user must connect anew. @throws OutboundFailure, GrantFailed */
  async token(connection: StorageToken, partner: Partner, deadline: Deadline): Promise<{ connection: StorageToken; token: string } | undefined> {
    const left = (connection.expiresAt === null ? Infinity : Date.parse(connection.expiresAt)) - this.needs.clock().getTime();
    if (left > EARLY_MS || (left > 0 && connection.refreshToken === null)) return this.#opened(connection);
    try {
      return await this.renewed(connection, partner, deadline);
    } catch (error) {
      // What may pass is no reason not to use a token while it lives.
      if (left <= 0 || deadline.leftMs === 0) throw error;
      return this.#opened(connection);
    }
  }

  /**
   * The same after the storage has refused the token: another one, which somebody else may have got meanwhile.
   * @throws OutboundFailure, GrantFailed
   */
  async renewed(used: StorageToken, partner: Partner, deadline: Deadline): Promise<{ connection: StorageToken; token: string } | undefined> {
    const current = await this.#current(used);
    if (!current || current.accessToken !== used.accessToken) return this.#opened(current);
    let refreshing = this.#refreshing.get(used.id);
    if (!refreshing) {
      // A rotated token must be kept even if nobody waits for it any more.
      refreshing = this.needs.finishing(this.#refresh(current, partner)).finally(() => this.#refreshing.delete(used.id));
      refreshing.catch(() => undefined);
      this.#refreshing.set(used.id, refreshing);
    }
    return this.#opened(await within(deadline, refreshing));
  }

  /**
   * Refreshes to learn whether the storage accepts our client; its refusal of the client ends no connection here.
   * @returns the code of a refusal, or undefined
   * @throws OutboundFailure, GrantFailed
   */
  async trial(connection: StorageToken, partner: Partner, deadline: Deadline): Promise<string | undefined> {
    let refusal: string | undefined;
    await within(deadline, this.needs.finishing(this.#refresh(connection, partner, ({ error }) => {
      refusal = error;
      return error !== 'invalid_client';
    })));
    return refusal;
  }

  /** Keeps what a user was granted; replaces what there was. */
  async save(owner: { userId: number; storageId: number; credentialsId: number }, tokens: Tokens): Promise<void> {
    const { db, clock } = this.needs;
    const now = clock();
    await StorageToken.query(db.write).insert({ ...owner, ...this.#columns(tokens, now), leaseToken: null, leaseUntil: null, ...born(now.toISOString()) })
      .onConflict(['user_id', 'storage_id']).merge(['credentials_id', 'access_token', 'refresh_token', 'expires_at', 'origin_user_id', 'lease_token', 'lease_until', 'updated_at']);
  }

  #opened(connection: StorageToken | undefined) {
    return connection && { connection, token: this.needs.keyring.open(connection.accessToken, ACCESS) };
  }

  #columns({ accessToken, refreshToken, seconds, userId }: Tokens, now: Date) {
    const { keyring } = this.needs;
    return {
      accessToken: keyring.seal(accessToken, ACCESS),
      refreshToken: refreshToken === null ? null : keyring.seal(refreshToken, REFRESH),
      expiresAt: seconds === undefined ? null : new Date(now.getTime() + Math.min(Math.max(seconds, 0), MAX_SECONDS) * 1000).toISOString(),
      ...(userId !== null && { originUserId: userId }),
      updatedAt: now.toISOString(),
    };
  }

  #current = async ({ id }: StorageToken): Promise<StorageToken | undefined> => StorageToken.query(this.needs.db.read).findById(id);

  /** One turn among all processes; whoever does not get it waits for the result of the other. */
  async #refresh(used: StorageToken, partner: Partner, ends: (refused: GrantRefused) => boolean = () => true): Promise<StorageToken | undefined> {
    const { outbound, keyring, db } = this.needs;
    if (used.refreshToken === null) return undefined;
    for (let current: StorageToken | undefined = used; ; current = await this.#current(used)) {
      if (!current || current.accessToken !== used.accessToken) return current;
      const deadline = outbound.deadline();
      const lease = await this.#take(used, deadline);
      if (lease === undefined) {
        // The lease of a process that died runs out; a little later it is this one's turn.
        await sleep(POLL_MS);
        continue;
      }
      try {
        const refreshToken = keyring.open(used.refreshToken, REFRESH);
        const tokens = await refresh({ ...partner, outbound, deadline }, refreshToken);
        // Not every server gives a new one.
        await this.#store(used, lease, tokens.refreshToken === null ? { ...tokens, refreshToken } : tokens);
        return await StorageToken.query(db.write).findById(used.id);
      } catch (error) {
        await this.#failed(used, partner, lease, error, error instanceof GrantRefused && ends(error));
        if (error instanceof GrantRefused) return undefined;
        throw error;
      }
    }
  }

  /**
   * Keeps a rotated token, the only copy of which is here: also where the lease has run out or the old one was sealed anew
   * meanwhile, and again while the database does not take it.
   */
  async #store({ id, accessToken }: StorageToken, lease: string, tokens: Tokens): Promise<void> {
    const { db, clock } = this.needs;
    const row = { ...this.#columns(tokens, clock()), leaseToken: null, leaseUntil: null };
    for (let attempt = 1; ; attempt += 1) {
      try {
        await StorageToken.query(db.write).patch(row).where({ id }).where((mine) => void mine.where('lease_token', lease).orWhere('access_token', accessToken));
        return;
      } catch (error) {
        if (attempt === STORE_ATTEMPTS) throw error;
        await sleep(STORE_WAIT_MS * attempt);
      }
    }
  }

  async #take({ id, accessToken }: StorageToken, { leftMs }: Deadline): Promise<string | undefined> {
    const now = this.needs.clock();
    const lease = randomBytes(16).toString('hex');
    const taken = await StorageToken.query(this.needs.db.write)
      .patch({ leaseToken: lease, leaseUntil: new Date(now.getTime() + leftMs + LEASE_MARGIN_MS).toISOString() })
      .where({ id, access_token: accessToken })
      .where((free) => void free.whereNull('lease_until').orWhere('lease_until', '<', now.toISOString()));
    return taken === 1 ? lease : undefined;
  }

  /** Only a definite refusal ends a connection; what may pass ends the turn. */
  async #failed({ id, userId, storageId, accessToken }: StorageToken, { target }: Partner, lease: string, error: unknown, refused: boolean): Promise<void> {
    const { db, log, metrics } = this.needs;
    metrics.refreshFailed(target, refused ? 'refused' : 'unavailable');
    log.warn({ err: error, user: userId, storage: storageId }, refused ? 'a storage ended the connection of a user' : 'a token was not refreshed');
    const mine = { id, lease_token: lease };
    // A process that was halted while it held the token before may have stored a good one in between.
    if (refused) await StorageToken.query(db.write).delete().where({ ...mine, access_token: accessToken });
    else await StorageToken.query(db.write).patch({ leaseToken: null, leaseUntil: null }).where(mine);
  }
}

/** The work goes on when the caller's time is over. */
async function within<T>({ signal, leftMs }: Deadline, work: Promise<T>): Promise<T> {
  const over = () => new OutboundFailure('timeout', 'The authorization server did not answer in time.');
  if (leftMs === 0) throw over();
  let give: (() => void) | undefined;
  const timeout = new Promise<never>((_, reject) => {
    give = () => reject(over());
    signal.addEventListener('abort', give, { once: true });
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    signal.removeEventListener('abort', give!);
  }
}
