import { Record } from './record.js';

/** A user's tokens at the OpenID provider, sealed. */
export class IdentityToken extends Record {
  static override tableName = 'identity_tokens';

  declare userId: number;
  declare accessToken: string;
  declare refreshToken: string | null;
  declare expiresAt: string | null;
  /** Whose turn it is to refresh, until when. */
  declare leaseToken: string | null;
  declare leaseUntil: string | null;
}
