/** Until when storages asked to be left alone. */
import { Record } from './record.js';

export class StoragePause extends Record {
  static override tableName = 'storage_pauses';

  declare storageId: number;
  /** Id of the user whose requests wait. 0: those of the service itself. */
  declare person: number;
  declare until: string;
}
