/** Attempts to connect a user with a storage. */
import { Record } from './record.js';

/** A browser that was redirected to a storage. It must return with an authorization code. */
export class ConnectionAttempt extends Record {
  static override tableName = 'connection_attempts';

  /** SHA-256 of the `state` that it must return, hexadecimal. */
  declare stateHash: string;
  declare sessionId: number;
  declare storageId: number;
  declare credentialsId: number;
  /** The PKCE code verifier (RFC 7636), sealed. */
  declare codeVerifier: string;
  /** The page to which the browser is redirected at the end. */
  declare destination: string;
  declare expiresAt: string;
}
