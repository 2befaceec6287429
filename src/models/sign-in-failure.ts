import { Record } from './record.js';

/** Wrong passwords in a quarter of an hour, for one login or from one address. */
export class SignInFailure extends Record {
  static override tableName = 'sign_in_failures';

  declare keyHash: string;
  declare failures: number;
  /** When it counts from one again. */
  declare expiresAt: string;
}
