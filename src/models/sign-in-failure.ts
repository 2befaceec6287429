/** Counters of failed sign-ins. */
import { Record } from './record.js';

/** Wrong passwords within 15 minutes: of a login in a network or in browsers, or of a network. */
export class SignInFailure extends Record {
  static override tableName = 'sign_in_failures';

  /** Hash of what is counted. */
  declare keyHash: string;
  declare failures: number;
  /** When the count restarts. */
  declare expiresAt: string;
}
