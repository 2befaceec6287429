/** The picture that the directory file names for a user, and the state of its download. */
import { Record } from './record.js';

export class DirectoryAvatar extends Record {
  static override tableName = 'directory_avatars';

  declare userId: number;
  /** Null: the directory has taken its picture back. */
  declare url: string | null;
  /** Key of the picture that was fetched last. The user may have another one by now. */
  declare avatarKey: string | null;
  /** When any process can acquire the row. Null: there is nothing to do. */
  declare dueAt: string | null;
  declare leaseToken: string | null;
  /** Failed attempts to fetch this address. */
  declare attempts: number;
  declare lastError: string | null;
}
