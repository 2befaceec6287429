import { Record } from './record.js';

/** A browser that was sent to a storage and is to come back with a code. */
export class ConnectionAttempt extends Record {
  static override tableName = 'connection_attempts';

  /** SHA-256 of the `state` that it must bring back, hexadecimal. */
  declare stateHash: string;
  declare sessionId: number;
  declare storageId: number;
  declare credentialsId: number;
  /** Sealed (RFC 7636). */
  declare codeVerifier: string;
  /** Where to send the browser in the end. */
  declare destination: string;
  declare expiresAt: string;
}
