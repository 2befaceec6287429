import { Record } from './record.js';

/** What our authorization server issued, found by the hash of what a client presents: a code, a token, a grant, a step of a sign-in. */
export class OAuthArtifact extends Record {
  static override tableName = 'oauth_artifacts';

  /** The name that the library gives it, e.g. `AccessToken`. */
  declare kind: string;
  /** SHA-256 of its value, hexadecimal; of its id where nobody presents it. */
  declare keyHash: string;
  declare uidHash: string | null;
  /** SHA-256 of the id of the grant that it belongs to. */
  declare grantId: string | null;
  declare clientId: string | null;
  declare userId: number | null;
  /** JSON in which its own value is left out. */
  declare payload: string;
  /** When a code or refresh token was used; it stays a while, so that a second use is noticed. */
  declare consumedAt: string | null;
  declare expiresAt: string | null;
}
