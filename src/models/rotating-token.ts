/** OAuth tokens that are replaced when they are refreshed. */
import { Record } from './record.js';

/**
 * A user's tokens at another server.
 * Some servers accept a refresh token only once and return a new one with each refresh.
 * RFC 9700 section 4.14.2 describes this rotation.
 */
export class RotatingToken extends Record {
  declare userId: number;
  /** Sealed. */
  declare accessToken: string;
  /** Sealed; null if the server issued none. */
  declare refreshToken: string | null;
  /** Null if the server did not return it. */
  declare expiresAt: string | null;
  /** Who may refresh it now, and until when. */
  declare leaseToken: string | null;
  declare leaseUntil: string | null;
}
