/** Codes, tokens, grants and sign-in steps of this service's authorization server. */
import { Record } from './record.js';

/** An artifact of oidc-provider. It is found by the hash of the value that the client presents. */
export class OAuthArtifact extends Record {
  static override tableName = 'oauth_artifacts';

  /** The name of its kind in oidc-provider, e.g. `AccessToken`. */
  declare kind: string;
  /** SHA-256 of its value, hexadecimal; of its id if clients never present it. */
  declare keyHash: string;
  declare uidHash: string | null;
  /** SHA-256 of the id of its grant. */
  declare grantId: string | null;
  declare clientId: string | null;
  declare userId: number | null;
  /** JSON without its own value. */
  declare payload: string;
  /** When a code or refresh token was used. The row stays for a time, to detect a second use. */
  declare consumedAt: string | null;
  declare expiresAt: string | null;
}
