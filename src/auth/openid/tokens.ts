/** Users' tokens at the OpenID provider: kept sealed, refreshed by one at a time among all processes, exchanged for other audiences. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import * as oauth from 'openid-client';
import { OutboundFailure, type Deadline } from '../../http.js';
import { IdentityToken } from '../../models/identity-token.js';
import { born } from '../../models/record.js';
import { hashToken } from '../../secrets.js';
import { GrantRefused, ProviderUnavailable, type ProviderClient } from './client.js';
import type { Needs } from './index.js';

export interface Tokens {
  accessToken: string;
  refreshToken: string | undefined;
  /** How long the access token lives; undefined where nobody says. */
  seconds: number | undefined;
}

/** A turn to refresh. */
interface Lease {
  token: string;
  until: Date;
}

/** The login token itself, whatever its audience. */
const ANY_AUDIENCE = '__op-idp__';
/** Statuses of an exchange that will not be another one soon. */
const DEFINITE = new Set<number | undefined>([400, 401, 403]);
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
/** Tokens are replaced so long before they end. */
const EARLY_MS = 60_000;
/** No token is believed to live longer; dates end somewhere. */
const LONGEST_MS = 365 * 86_400_000;
/** Whoever refreshes has the time of one deadline and this. */
const LEASE_MARGIN_MS = 5_000;
const POLL_MS = 50;
/** As many exchanged tokens are remembered. */
const CAPACITY = 5_000;

const ACCESS = 'identity_tokens.access_token';
const REFRESH = 'identity_tokens.refresh_token';

export class IdentityTokens {
  /** Exchanged tokens, by user, audience and the token that they were made from. */
  readonly #exchanged = new Map<string, { token: string; until: number }>();
  /** What of this process is under way: exchanges like those, and refreshes by user. */
  readonly #exchanging = new Map<string, Promise<string | undefined>>();
  readonly #refreshing = new Map<number, Promise<IdentityToken | undefined>>();

  constructor(private readonly needs: Needs, private readonly client: ProviderClient) {}

  /** Keeps what a sign-in brought; replaces what there was. */
  async keep(userId: number, tokens: Tokens): Promise<void> {
    await this.#upsert(userId, this.#columns(tokens));
  }

  /** Keeps a token that a user presented, unless there is one that lives longer or can be refreshed. @param ends in milliseconds since 1970 */
  async keepPresented(userId: number, accessToken: string, ends: number): Promise<void> {
    const columns = { ...this.#columns({ accessToken, refreshToken: undefined, seconds: undefined }), expiresAt: this.#ending(ends) };
    const kept = await this.#row(userId);
    // Most requests come with the token that is there, and need no write.
    if (kept && (kept.refreshToken !== null || (kept.expiresAt ?? '') >= columns.expiresAt)) return;
    // Whoever signs in meanwhile brings a better one.
    await this.#upsert(userId, columns).whereNull('identity_tokens.refresh_token')
      .where((worse) => void worse.whereNull('identity_tokens.expires_at').orWhere('identity_tokens.expires_at', '<', columns.expiresAt));
  }

  /** See `OpenId.tokenFor`. */
  async for(userId: number, audience: string, deadline: Deadline): Promise<string | undefined> {
    const kept = await this.#fresh(userId, deadline);
    if (kept === undefined) return undefined;
    const accessToken = this.needs.keyring.open(kept.accessToken, ACCESS);
    if (audience === ANY_AUDIENCE || audiencesOf(accessToken).includes(audience)) return accessToken;
    const key = [userId, hashToken(accessToken), audience].join(' ');
    const known = this.#exchanged.get(key);
    if (known && known.until > Date.now()) return known.token;
    return within(deadline.leftMs, shared(this.#exchanging, key, () => this.#exchange(key, accessToken, audience)));
  }

  async #exchange(key: string, subject: string, audience: string): Promise<string | undefined> {
    try {
      const { access_token: token, expires_in: seconds = 0 } = await this.client.ask((configuration) => oauth.genericGrantRequest(configuration, EXCHANGE, { subject_token: subject, subject_token_type: ACCESS_TOKEN, audience }));
      if (this.#exchanged.size >= CAPACITY) this.#exchanged.clear();
      this.#exchanged.set(key, { token, until: Date.now() + Math.min(seconds * 1000, LONGEST_MS) - EARLY_MS });
      return token;
    } catch (error) {
      if (!(error instanceof GrantRefused) || !DEFINITE.has(error.status)) throw error;
      this.needs.log.warn({ err: error, audience }, 'the OpenID provider did not exchange a token');
      return undefined;
    }
  }

  /** The kept token with a minute left, refreshed where it has less; where that does not succeed now, or cannot, the last minute of it. */
  async #fresh(userId: number, deadline: Deadline): Promise<IdentityToken | undefined> {
    const kept = await this.#row(userId);
    if (!kept || this.#leftMs(kept) > EARLY_MS) return kept;
    const lives = this.#leftMs(kept) > 0;
    if (kept.refreshToken === null) return lives ? kept : undefined;
    // A rotated token must be kept even if nobody waits for it any more.
    const refreshing = shared(this.#refreshing, userId, () => this.needs.finishing(this.#refresh(kept)));
    try {
      // Whoever has a token that lives keeps time to use it.
      return await within(lives ? deadline.leftMs / 2 : deadline.leftMs, refreshing);
    } catch (error) {
      if (this.#leftMs(kept) > 0) return kept;
      throw error;
    }
  }

  /** One turn among all processes; whoever does not get it waits for the result of the other. */
  async #refresh(used: IdentityToken): Promise<IdentityToken | undefined> {
    for (let kept: IdentityToken | undefined = used; ; kept = await this.#row(used.userId)) {
      // Somebody else has refreshed it; or a changed key has only made another text of it.
      if (!kept || this.#leftMs(kept) > EARLY_MS || (kept.accessToken !== used.accessToken && this.#leftMs(kept) > 0)) return kept;
      if (kept.refreshToken === null) return undefined;
      const deadline = this.needs.outbound.deadline();
      const lease = await this.#take(kept, deadline);
      if (lease) return this.#renew(kept, kept.refreshToken, lease, deadline);
      // The lease of a process that died runs out; a little later it is this one's turn.
      await sleep(POLL_MS);
    }
  }

  async #take({ id, accessToken }: IdentityToken, { leftMs }: Deadline): Promise<Lease | undefined> {
    const now = this.needs.clock();
    const lease = { token: randomBytes(16).toString('hex'), until: new Date(now.getTime() + leftMs + LEASE_MARGIN_MS) };
    const taken = await IdentityToken.query(this.needs.db.write)
      .patch({ leaseToken: lease.token, leaseUntil: lease.until.toISOString() })
      .where({ id, access_token: accessToken })
      .where((free) => void free.whereNull('lease_until').orWhere('lease_until', '<', now.toISOString()));
    return taken === 1 ? lease : undefined;
  }

  async #renew(used: IdentityToken, sealed: string, lease: Lease, deadline: Deadline): Promise<IdentityToken | undefined> {
    const { db, keyring, log } = this.needs;
    const { id, userId, accessToken } = used;
    const mine = () => IdentityToken.query(db.write).where({ id, lease_token: lease.token });
    let tokens: Tokens;
    try {
      const refreshToken = keyring.open(sealed, REFRESH);
      tokens = tokensOf(await this.client.ask((configuration) => oauth.refreshTokenGrant(configuration, refreshToken), deadline));
      // Not every provider gives a new one.
      tokens.refreshToken ??= refreshToken;
    } catch (error) {
      const ended = error instanceof GrantRefused && error.code === 'invalid_grant';
      log.warn({ err: error, user: userId }, ended ? 'the OpenID provider ended the tokens of a user' : 'a token of the OpenID provider was not refreshed');
      const deleted = ended && await mine().where({ access_token: accessToken }).delete() === 1;
      if (!deleted) await mine().patch({ leaseToken: null, leaseUntil: null });
      if (ended) return undefined;
      throw error;
    }
    await this.#store(used, tokens, lease);
    return this.#row(userId);
  }

  /** A rotated token that is not kept is lost, so a database that cannot be used is asked again while the lease lasts. */
  async #store({ id, userId, accessToken }: IdentityToken, tokens: Tokens, lease: Lease): Promise<void> {
    const { db, clock, log } = this.needs;
    const columns = this.#columns(tokens);
    for (;;) {
      try {
        // Changing the key seals the used one anew; a process that took the turn from this one has nothing better.
        return void await IdentityToken.query(db.write).patch(columns).where({ id })
          .where((same) => void same.where({ lease_token: lease.token }).orWhere({ access_token: accessToken }));
      } catch (error) {
        if (clock() >= lease.until) {
          log.error({ err: error, user: userId }, 'a rotated token of the OpenID provider is lost');
          throw error;
        }
        await sleep(POLL_MS);
      }
    }
  }

  #row = async (userId: number): Promise<IdentityToken | undefined> => IdentityToken.query(this.needs.db.read).findOne({ user_id: userId });

  #leftMs = ({ expiresAt }: IdentityToken): number => (expiresAt === null ? Infinity : Date.parse(expiresAt) - this.needs.clock().getTime());

  #upsert(userId: number, columns: Partial<IdentityToken>) {
    const now = this.needs.clock().toISOString();
    return IdentityToken.query(this.needs.db.write).insert({ userId, ...columns, ...born(now) })
      .onConflict('user_id').merge(['access_token', 'refresh_token', 'expires_at', 'lease_token', 'lease_until', 'updated_at']);
  }

  #columns({ accessToken, refreshToken, seconds }: Tokens) {
    const { keyring, clock } = this.needs;
    const now = clock();
    return {
      accessToken: keyring.seal(accessToken, ACCESS),
      refreshToken: refreshToken === undefined ? null : keyring.seal(refreshToken, REFRESH),
      expiresAt: seconds === undefined ? null : this.#ending(now.getTime() + seconds * 1000),
      leaseToken: null, leaseUntil: null, updatedAt: now.toISOString(),
    };
  }

  #ending(ms: number): string {
    return new Date(Math.min(ms, this.needs.clock().getTime() + LONGEST_MS)).toISOString();
  }
}

export const tokensOf = ({ access_token: accessToken, refresh_token: refreshToken, expires_in: seconds }: oauth.TokenEndpointResponse): Tokens => ({ accessToken, refreshToken, seconds });

/** Of a token that we got from the provider itself; one that is not a JWT says nothing. */
function audiencesOf(token: string): string[] {
  try {
    return [decodeJwt(token).aud ?? []].flat();
  } catch {
    return [];
  }
}

/** Callers at the same time share one piece of work. */
function shared<K, T>(underWay: Map<K, Promise<T>>, key: K, begin: () => Promise<T>): Promise<T> {
  let work = underWay.get(key);
  if (!work) {
    work = begin().finally(() => underWay.delete(key));
    // Perhaps nobody waits for it any more.
    work.catch(() => undefined);
    underWay.set(key, work);
  }
  return work;
}

/** The work goes on when the caller's time is over. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const answered = new AbortController();
  const over = sleep(ms, undefined, { signal: answered.signal }).then(() => {
    throw new ProviderUnavailable(new OutboundFailure('timeout', 'it did not answer in time'));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    answered.abort();
  }
}
