/** Stores users' tokens of the OpenID provider, and exchanges them for other audiences. */
import { decodeJwt } from 'jose';
import type { Knex } from 'knex';
import * as oauth from 'openid-client';
import { within, type Deadline } from '../../outbound/deadline.js';
import { OutboundFailure } from '../../outbound/failure.js';
import { IdentityToken } from '../../models/identity-token.js';
import { timestamps } from '../../models/record.js';
import { User } from '../../models/user.js';
import { hashToken } from '../../secrets/keys-and-tokens.js';
import {
  EARLY_MS,
  ROTATED,
  TokenRotation,
  type RotationNeeds,
  type Tokens,
} from '../token-rotation.js';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { ProviderRefused, ProviderUnavailable, TARGET, type ProviderClient } from './client.js';

/** Means the sign-in token itself, with any audience. */
const ANY_AUDIENCE = '__op-idp__';
/** Statuses of a definite refusal of an exchange. */
const DEFINITE = new Set<number | undefined>([400, 401, 403]);
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
/** Exchanged tokens in the cache. */
const CAPACITY = 5_000;

/** The provider gives the user no token for an audience. The message is for the user. */
export class ExchangeRefused extends Error {
  /** @param code of the provider, such as `invalid_target` */
  constructor(
    audience: string,
    readonly code: string,
  ) {
    super(`The OpenID provider gives you no token for the audience ${audience} (${code}).`);
    this.name = 'ExchangeRefused';
  }
}

/** A user with the identity to which the tokens belong. */
type Holder = Pick<User, 'id' | 'identity'>;

export class IdentityTokens {
  /** Exchanged tokens. The key has the user, the hash of the original token, audience and scope. */
  readonly #exchanged = new Map<string, { token: string; until: number }>();
  readonly #exchanging = new SingleFlight<string, string>();
  readonly #rotation: TokenRotation<IdentityToken>;

  constructor(
    private readonly needs: RotationNeeds,
    private readonly client: ProviderClient,
  ) {
    this.#rotation = new TokenRotation<IdentityToken>(needs, IdentityToken);
  }

  /**
   * Stores the tokens of a sign-in. Replaces existing ones.
   * @returns whether the user still has the identity; false: nothing is stored
   */
  save(holder: Holder, tokens: Tokens): Promise<boolean> {
    return this.#whileHeld(holder, (trx) =>
      this.#upsert(trx, holder.id, this.#rotation.columns(tokens)),
    );
  }

  /**
   * Stores a bearer token that a user has presented, unless the stored one lives longer or can be
   * refreshed, or the user no longer has the identity.
   * @param expiresAtMs in milliseconds since 1970
   */
  async savePresented(holder: Holder, accessToken: string, expiresAtMs: number): Promise<void> {
    const columns = {
      ...this.#rotation.columns({ accessToken, refreshToken: null, seconds: undefined }),
      expiresAt: this.#rotation.expiryAt(expiresAtMs),
    };
    const stored = await this.#row(holder.id);
    // Most requests present the stored token, so they need no write.
    if (stored && (stored.refreshToken !== null || (stored.expiresAt ?? '') >= columns.expiresAt))
      return;
    // The statement checks again: a parallel sign-in may have stored a refresh token.
    await this.#whileHeld(holder, (trx) =>
      this.#upsert(trx, holder.id, columns)
        .whereNull('identity_tokens.refresh_token')
        .where(
          (worse) =>
            void worse
              .whereNull('identity_tokens.expires_at')
              .orWhere('identity_tokens.expires_at', '<', columns.expiresAt),
        ),
    );
  }

  /** See `OpenId.tokenFor`. */
  async for(
    userId: number,
    audience: string,
    deadline: Deadline,
    scope: string | null,
  ): Promise<string | undefined> {
    const stored = await this.#fresh(userId, deadline);
    if (stored === undefined) return undefined;
    const accessToken = this.#rotation.open(stored);
    if (audience === ANY_AUDIENCE || audiencesOf(accessToken).includes(audience))
      return accessToken;
    // A scope may contain blanks.
    const key = JSON.stringify([userId, hashToken(accessToken), audience, scope]);
    const known = this.#exchanged.get(key);
    if (known && known.until > Date.now()) return known.token;
    return within(
      deadline.leftMs,
      this.#exchanging.run(key, () => this.#exchange(key, accessToken, { audience, scope })),
      timeout,
    );
  }

  /** See `OpenId.forget`. */
  forget(refused: string): void {
    for (const [key, { token }] of this.#exchanged)
      if (token === refused) this.#exchanged.delete(key);
  }

  async #exchange(
    key: string,
    subject: string,
    { audience, scope }: { audience: string; scope: string | null },
  ): Promise<string> {
    try {
      const { access_token: token, expires_in: seconds = 0 } = await this.client.ask(
        (configuration) =>
          oauth.genericGrantRequest(configuration, EXCHANGE, {
            subject_token: subject,
            subject_token_type: ACCESS_TOKEN,
            audience,
            ...(scope !== null && { scope }),
          }),
      );
      if (this.#exchanged.size >= CAPACITY) this.#exchanged.clear();
      this.#exchanged.set(key, { token, until: Date.now() + seconds * 1000 - EARLY_MS });
      return token;
    } catch (error) {
      if (!(error instanceof ProviderRefused) || !DEFINITE.has(error.status)) throw error;
      this.needs.log.warn(
        { reason: error.message, audience },
        'the OpenID provider did not exchange a token',
      );
      throw new ExchangeRefused(audience, error.code);
    }
  }

  /**
   * The stored token, refreshed when it has less than a minute left. When it cannot be refreshed,
   * it is returned until it expires.
   */
  async #fresh(userId: number, deadline: Deadline): Promise<IdentityToken | undefined> {
    const stored = await this.#row(userId);
    if (!stored || this.#rotation.leftMs(stored) > EARLY_MS) return stored;
    const isValid = () => this.#rotation.leftMs(stored) > 0;
    if (stored.refreshToken === null) return isValid() ? stored : undefined;
    try {
      // The refresh of a valid token gets half of the time. The other half is for using the token.
      return await within(
        isValid() ? deadline.leftMs / 2 : deadline.leftMs,
        this.#rotation.rotate(stored, this.#refresh),
        timeout,
      );
    } catch (error) {
      if (hasEnded(error)) return undefined;
      if (isValid()) return stored;
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

  /**
   * Writes only if the user still has the identity and is not locked. A lock or another identity also
   * deletes the tokens. The lock of the user makes that wait, so no old token is stored afterwards.
   * @returns whether it was written
   */
  #whileHeld(
    { id, identity }: Holder,
    write: (trx: Knex) => PromiseLike<unknown>,
  ): Promise<boolean> {
    const { db } = this.needs;
    return db.write.transaction(async (trx) => {
      const [held] = await db.lockRows(
        User.query(trx).select('id').where({ id, identity, status: 'active' }),
      );
      if (held) await write(trx);
      return held !== undefined;
    });
  }

  #upsert(trx: Knex, userId: number, columns: Partial<IdentityToken>) {
    return IdentityToken.query(trx)
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
  error instanceof ProviderRefused && error.code === 'invalid_grant';

const timeout = () =>
  new ProviderUnavailable(new OutboundFailure('timeout', 'it did not answer in time'));

/**
 * The audiences of a token, without a check of its signature: it came from the provider itself. A
 * token that is no JWT has none.
 */
function audiencesOf(token: string): string[] {
  try {
    return [decodeJwt(token).aud ?? []].flat();
  } catch {
    return [];
  }
}
