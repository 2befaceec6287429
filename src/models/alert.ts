/** What is wrong, and administrators were told of. */
import { Record } from './record.js';

export class Alert extends Record {
  static override tableName = 'alerts';
  static override jsonAttributes = ['facts'];

  /** `storage:3`, `webhook:4`, or `disk:HOST`. Unique. */
  declare subject: string;
  /** What only the process knows that noticed it: of a disk, its folder and its bytes. */
  declare facts: { folder?: string; free?: number; size?: number };
  declare since: string;
}
