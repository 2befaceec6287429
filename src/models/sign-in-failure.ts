/** Counters of failed sign-ins. */
import { Record } from './record.js';

/** Wrong passwords within 15 minutes, for one login or from one address. */
export class SignInFailure extends Record {
  static override tableName = 'sign_in_failures';

  /** Hash of the login or of the address. */
  declare keyHash: string;
  declare failures: number;
  /** When the count restarts. */
  declare expiresAt: string;
}
