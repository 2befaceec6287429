/** Users' tokens at the OpenID provider, exchanged for other audiences. */
import { decodeJwt } from 'jose';
import * as oauth from 'openid-client';
import { OutboundFailure, within, type Deadline } from '../../outbound/client.js';
import { IdentityToken } from '../../models/identity-token.js';
import { timestamps } from '../../models/record.js';
import { hashToken } from '../../secrets/hashes.js';
import {
  EARLY_MS,
  ROTATED,
  TokenRotation,
  type RotationDependencies,
  type Tokens,
} from '../token-rotation.js';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { GrantRefused, ProviderUnavailable, TARGET, type ProviderClient } from './client.js';

/** The login token itself, whatever its audience. */
const ANY_AUDIENCE = '__op-idp__';
/** Statuses of an exchange that will not be another one soon. */
const DEFINITE = new Set<number | undefined>([400, 401, 403]);
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
/** As many exchanged tokens are remembered. */
const CAPACITY = 5_000;

export class IdentityTokens {
  /** Exchanged tokens, by user, audience and the token that they were made from. */
  readonly #exchanged = new Map<string, { token: string; until: number }>();
  readonly #exchanging = new SingleFlight<string, string | undefined>();
  readonly #rotation: TokenRotation<IdentityToken>;

  constructor(
    private readonly needs: RotationDependencies,
    private readonly client: ProviderClient,
  ) {
    this.#rotation = new TokenRotation<IdentityToken>(needs, IdentityToken);
  }

  /** Keeps what a sign-in brought; replaces what there was. */
  async keep(userId: number, tokens: Tokens): Promise<void> {
    await this.#upsert(userId, this.#rotation.columns(tokens));
  }

  /** Keeps a token that a user presented, unless there is one that lives longer or can be refreshed. @param ends in milliseconds since 1970 */
  async keepPresented(userId: number, accessToken: string, ends: number): Promise<void> {
    const columns = {
      ...this.#rotation.columns({ accessToken, refreshToken: null, seconds: undefined }),
      expiresAt: this.#rotation.believed(ends),
    };
    const kept = await this.#row(userId);
    // Most requests come with the token that is there, and need no write.
    if (kept && (kept.refreshToken !== null || (kept.expiresAt ?? '') >= columns.expiresAt)) return;
    // Whoever signs in meanwhile brings a better one.
    await this.#upsert(userId, columns)
      .whereNull('identity_tokens.refresh_token')
      .where(
        (worse) =>
          void worse
            .whereNull('identity_tokens.expires_at')
            .orWhere('identity_tokens.expires_at', '<', columns.expiresAt),
      );
  }

  /** See `OpenId.tokenFor`. */
  async for(userId: number, audience: string, deadline: Deadline): Promise<string | undefined> {
    const kept = await this.#fresh(userId, deadline);
    if (kept === undefined) return undefined;
    const accessToken = this.#rotation.open(kept);
    if (audience === ANY_AUDIENCE || audiencesOf(accessToken).includes(audience))
      return accessToken;
    const key = [userId, hashToken(accessToken), audience].join(' ');
    const known = this.#exchanged.get(key);
    if (known && known.until > Date.now()) return known.token;
    return within(
      deadline.leftMs,
      this.#exchanging.run(key, () => this.#exchange(key, accessToken, audience)),
      late,
    );
  }

  /** After a service has refused a token: where it was exchanged for, the next one is another. */
  forget(refused: string): void {
    for (const [key, { token }] of this.#exchanged)
      if (token === refused) this.#exchanged.delete(key);
  }

  async #exchange(key: string, subject: string, audience: string): Promise<string | undefined> {
    try {
      const { access_token: token, expires_in: seconds = 0 } = await this.client.ask(
        (configuration) =>
          oauth.genericGrantRequest(configuration, EXCHANGE, {
            subject_token: subject,
            subject_token_type: ACCESS_TOKEN,
            audience,
          }),
      );
      if (this.#exchanged.size >= CAPACITY) this.#exchanged.clear();
      this.#exchanged.set(key, { token, until: Date.now() + seconds * 1000 - EARLY_MS });
      return token;
    } catch (error) {
      if (!(error instanceof GrantRefused) || !DEFINITE.has(error.status)) throw error;
      this.needs.log.warn(
        { reason: error.message, audience },
        'the OpenID provider did not exchange a token',
      );
      return undefined;
    }
  }

  /** The kept token with a minute left, refreshed where it has less; where that does not succeed now, or cannot, the last minute of it. */
  async #fresh(userId: number, deadline: Deadline): Promise<IdentityToken | undefined> {
    const kept = await this.#row(userId);
    if (!kept || this.#rotation.leftMs(kept) > EARLY_MS) return kept;
    const lives = () => this.#rotation.leftMs(kept) > 0;
    if (kept.refreshToken === null) return lives() ? kept : undefined;
    try {
      // Whoever has a token that lives keeps time to use it.
      return await within(
        lives() ? deadline.leftMs / 2 : deadline.leftMs,
        this.#rotation.rotate(kept, this.#refresh),
        late,
      );
    } catch (error) {
      if (hasEnded(error)) return undefined;
      if (lives()) return kept;
      throw error;
    }
  }

  readonly #refresh = {
    target: TARGET,
    grant: async (refreshToken: string, deadline: Deadline) =>
      tokensOf(
        await this.client.ask(
          (configuration) => oauth.refreshTokenGrant(configuration, refreshToken),
          deadline,
        ),
      ),
    ends: hasEnded,
  };

  #row = async (userId: number): Promise<IdentityToken | undefined> =>
    IdentityToken.query(this.needs.db.read).findOne({ user_id: userId });

  #upsert(userId: number, columns: Partial<IdentityToken>) {
    return IdentityToken.query(this.needs.db.write)
      .insert({ userId, ...columns, ...timestamps(this.needs.clock().toISOString()) })
      .onConflict('user_id')
      .merge(ROTATED);
  }
}

export const tokensOf = ({
  access_token: accessToken,
  refresh_token: refreshToken,
  expires_in: seconds,
}: oauth.TokenEndpointResponse): Tokens => ({
  accessToken,
  refreshToken: refreshToken ?? null,
  seconds,
});

const hasEnded = (error: unknown): boolean =>
  error instanceof GrantRefused && error.code === 'invalid_grant';

const late = () =>
  new ProviderUnavailable(new OutboundFailure('timeout', 'it did not answer in time'));

/** Of a token that we got from the provider itself; one that is not a JWT says nothing. */
function audiencesOf(token: string): string[] {
  try {
    return [decodeJwt(token).aud ?? []].flat();
  } catch {
    return [];
  }
}
