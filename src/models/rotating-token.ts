import { Record } from './record.js';

/** A user's tokens at another server: its refresh token may be good once, and every refresh brings another one (RFC 9700 section 4.14.2). */
export class RotatingToken extends Record {
  declare userId: number;
  /** Sealed. */
  declare accessToken: string;
  /** Sealed; null where the server gave none. */
  declare refreshToken: string | null;
  /** Null where the server did not say. */
  declare expiresAt: string | null;
  /** Whose turn it is to refresh, until when. */
  declare leaseToken: string | null;
  declare leaseUntil: string | null;
}
