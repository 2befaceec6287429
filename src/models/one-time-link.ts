/** Links that work once. */
import { Record } from './record.js';

export type LinkPurpose = 'setup' | 'password';

/** There is at most one of a purpose and a person. */
export class OneTimeLink extends Record {
  static override tableName = 'one_time_links';

  declare purpose: LinkPurpose;
  /** Whose password it sets. Null for `setup`. */
  declare userId: number | null;
  /** SHA-256 of the token in the address, hexadecimal. */
  declare tokenHash: string;
  declare expiresAt: string;
}
