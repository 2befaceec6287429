/** Users' tokens of storages. */
import { OutboundFailure, within, type Deadline } from '../../outbound/client.js';
import { timestamps } from '../../models/record.js';
import { StorageToken } from '../../models/storage-token.js';
import { EARLY_MS, ROTATED, TokenRotation, type RotationDependencies } from '../token-rotation.js';
import {
  GrantRefused,
  keepable,
  PersonWanted,
  refresh,
  type Server,
  type Tokens,
} from './grants.js';

/** Who asks whom with which client. */
export interface OAuthClient {
  /** Whose circuit and numbers these are. */
  target: string;
  server: Server;
  client: { id: string; secret: string };
}

export class Connections {
  readonly #rotation: TokenRotation<StorageToken, Tokens>;

  constructor(private readonly needs: RotationDependencies) {
    this.#rotation = new TokenRotation(needs, StorageToken, ({ userId }) =>
      keepable(userId) === null ? {} : { originUserId: userId },
    );
  }

  /** The access token of a connection, refreshed where it is about to end; undefined: the user must connect anew. @throws OutboundFailure, GrantFailed */
  async token(
    connection: StorageToken,
    partner: OAuthClient,
    deadline: Deadline,
  ): Promise<{ connection: StorageToken; token: string } | undefined> {
    const left = this.#rotation.leftMs(connection);
    if (left > EARLY_MS || (left > 0 && connection.refreshToken === null))
      return this.#opened(connection);
    try {
      // Whoever has a token that lives keeps time to use it.
      return await this.#renewedWithin(
        connection,
        partner,
        left > 0 ? deadline.leftMs / 2 : deadline.leftMs,
      );
    } catch (error) {
      // What may pass is no reason not to use a token while it lives.
      if (left <= 0) throw error;
      return this.#opened(connection);
    }
  }

  /**
   * The same after the storage has refused the token: another one, which somebody else may have got meanwhile.
   * @throws OutboundFailure, GrantFailed
   */
  renewed(
    used: StorageToken,
    partner: OAuthClient,
    { leftMs }: Deadline,
  ): Promise<{ connection: StorageToken; token: string } | undefined> {
    return this.#renewedWithin(used, partner, leftMs);
  }

  async #renewedWithin(
    used: StorageToken,
    partner: OAuthClient,
    ms: number,
  ): Promise<{ connection: StorageToken; token: string } | undefined> {
    try {
      return this.#opened(await this.#rotated(used, partner, ms));
    } catch (error) {
      // Of the latter the tokens are kept: the server may be content again.
      if (error instanceof GrantRefused || error instanceof PersonWanted) return undefined;
      throw error;
    }
  }

  /**
   * Refreshes to learn whether the storage accepts our client; its refusal of the client ends no connection here.
   * @returns the code of a refusal, or undefined
   * @throws OutboundFailure, GrantFailed
   */
  async trial(
    connection: StorageToken,
    partner: OAuthClient,
    deadline: Deadline,
  ): Promise<string | undefined> {
    try {
      await this.#rotated(
        connection,
        partner,
        deadline.leftMs,
        ({ error }) => error !== 'invalid_client',
      );
      return undefined;
    } catch (error) {
      if (error instanceof GrantRefused) return error.error;
      throw error;
    }
  }

  /** Keeps what a user was granted; replaces what there was. */
  async save(
    owner: { userId: number; storageId: number; credentialsId: number },
    tokens: Tokens,
  ): Promise<void> {
    const { db, clock } = this.needs;
    await StorageToken.query(db.write)
      .insert({ ...owner, ...timestamps(clock().toISOString()), ...this.#rotation.columns(tokens) })
      .onConflict(['user_id', 'storage_id'])
      .merge(['credentials_id', 'origin_user_id', ...ROTATED]);
  }

  #opened(connection: StorageToken | undefined) {
    return connection && { connection, token: this.#rotation.open(connection) };
  }

  #rotated(
    used: StorageToken,
    partner: OAuthClient,
    ms: number,
    ends: (refused: GrantRefused) => boolean = () => true,
  ): Promise<StorageToken | undefined> {
    const rotating = this.#rotation.rotate(used, {
      target: partner.target,
      grant: (refreshToken, own) =>
        refresh({ ...partner, outbound: this.needs.outbound, deadline: own }, refreshToken),
      ends: (error) => error instanceof GrantRefused && ends(error),
    });
    return within(
      ms,
      rotating,
      () => new OutboundFailure('timeout', 'The authorization server did not answer in time.'),
    );
  }
}
