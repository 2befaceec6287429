/** Stores and refreshes users' tokens for storages. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { within, type Deadline } from '../../outbound/deadline.js';
import { OutboundFailure } from '../../outbound/failure.js';
import { timestamps } from '../../models/record.js';
import { StorageToken } from '../../models/storage-token.js';
import { EARLY_MS, ROTATED, TokenRotation, type RotationNeeds } from '../token-rotation.js';
import {
  StorageGrantRefused,
  InteractionRequired,
  refresh,
  storableUserId,
  type Server,
  type Tokens,
} from './grants.js';
import { SERVICE, tokensOf, type Pauses } from './pauses.js';

/** Our OAuth client at a storage's authorization server. */
export interface OAuthClient {
  /** The name of the circuit breaker and of the metrics. */
  target: string;
  storageId: number;
  server: Server;
  client: { id: string; secret: string };
}

export class Connections {
  readonly #rotation: TokenRotation<StorageToken, Tokens>;

  constructor(private readonly needs: RotationNeeds & { pauses: Pauses }) {
    this.#rotation = new TokenRotation(needs, StorageToken, ({ userId }) =>
      storableUserId(userId) === null ? {} : { originUserId: userId },
    );
  }

  /**
   * The access token of a connection, refreshed first when it is about to expire.
   * @returns undefined when the user must connect again
   * @throws StorageClientRefused, OutboundFailure, GrantFailed
   */
  async token(
    connection: StorageToken,
    oauthClient: OAuthClient,
    deadline: Deadline,
  ): Promise<{ connection: StorageToken; token: string } | undefined> {
    const left = this.#rotation.leftMs(connection);
    if (left > EARLY_MS || (left > 0 && connection.refreshToken === null))
      return this.#withToken(connection);
    try {
      // The refresh of a valid token gets half of the time. The other half is for using the token.
      return await this.#refreshed(
        connection,
        oauthClient,
        left > 0 ? deadline.leftMs / 2 : deadline.leftMs,
      );
    } catch (error) {
      // A temporary failure: the token can be used until it expires.
      if (left <= 0) throw error;
      return this.#withToken(connection);
    }
  }

  /**
   * Another access token after the storage has refused one. If a parallel request has refreshed the
   * tokens already, its token is returned.
   * @returns undefined when the user must connect again
   * @throws StorageClientRefused, OutboundFailure, GrantFailed
   */
  renewed(
    used: StorageToken,
    oauthClient: OAuthClient,
    { leftMs }: Deadline,
  ): Promise<{ connection: StorageToken; token: string } | undefined> {
    return this.#refreshed(used, oauthClient, leftMs);
  }

  async #refreshed(
    used: StorageToken,
    oauthClient: OAuthClient,
    ms: number,
  ): Promise<{ connection: StorageToken; token: string } | undefined> {
    try {
      return this.#withToken(await this.#rotated(used, oauthClient, ms));
    } catch (error) {
      // With InteractionRequired the row stays, because the refresh token may work again.
      if (error instanceof StorageGrantRefused || error instanceof InteractionRequired)
        return undefined;
      throw error;
    }
  }

  /**
   * Asks the storage whether it accepts our client, with a refresh.
   * @param connection Absent: the refresh token is one that cannot exist.
   * @returns whether the token was refreshed. False: the storage refused the token, and that may
   *   be before it compared the client secret.
   * @throws StorageClientRefused, OutboundFailure, GrantFailed
   */
  async trial(
    connection: StorageToken | undefined,
    oauthClient: OAuthClient,
    deadline: Deadline,
  ): Promise<boolean> {
    try {
      if (connection)
        return (await this.#rotated(connection, oauthClient, deadline.leftMs)) !== undefined;
      const { outbound, pauses } = this.needs;
      const options = { ...oauthClient, outbound, deadline, pauses, person: SERVICE };
      await refresh(options, `none-${randomUUID()}`);
    } catch (error) {
      if (!(error instanceof StorageGrantRefused)) throw error;
    }
    return false;
  }

  /**
   * Stores the tokens of a user. Replaces existing ones.
   * @param check runs before, in the same transaction. What it throws leaves no tokens.
   * @param also runs after, in the same transaction
   */
  async save(
    owner: { userId: number; storageId: number; credentialsId: number },
    tokens: Tokens,
    { check, also }: { [when in 'check' | 'also']?: (trx: Knex) => Promise<void> } = {},
  ): Promise<void> {
    const { db, clock } = this.needs;
    const columns = {
      ...owner,
      ...timestamps(clock().toISOString()),
      ...this.#rotation.columns(tokens),
    };
    await db.write.transaction(async (trx) => {
      await check?.(trx);
      await StorageToken.query(trx)
        .insert(columns)
        .onConflict(['user_id', 'storage_id'])
        .merge(['credentials_id', 'origin_user_id', ...ROTATED]);
      await also?.(trx);
    });
  }

  #withToken(connection: StorageToken | undefined) {
    return connection && { connection, token: this.#rotation.open(connection) };
  }

  async #rotated(
    used: StorageToken,
    oauthClient: OAuthClient,
    ms: number,
  ): Promise<StorageToken | undefined> {
    const { outbound, pauses } = this.needs;
    const person = used.userId;
    // Else each request would take the turn to refresh, and note in the log that it failed.
    await pauses.demand(oauthClient.storageId, tokensOf(person));
    const rotating = this.#rotation.rotate(used, {
      target: oauthClient.target,
      grant: (refreshToken, deadline) =>
        refresh({ ...oauthClient, outbound, deadline, pauses, person }, refreshToken),
      ends: (error) => error instanceof StorageGrantRefused,
    });
    return within(
      ms,
      rotating,
      () => new OutboundFailure('timeout', 'The authorization server did not answer in time.'),
    );
  }
}
