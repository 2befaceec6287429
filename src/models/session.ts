/** Browser sessions of the HTML pages. */
import { Record } from './record.js';

export class Session extends Record {
  static override tableName = 'sessions';

  /** SHA-256 of the cookie's value, hexadecimal. */
  declare tokenHash: string;
  declare userId: number;
  declare expiresAt: string;
}
