/** The synchronisations of the folders of projects, one row per storage. */
import { Record } from './record.js';

export class FolderSync extends Record {
  static override tableName = 'folder_syncs';
  static override booleans = ['reported'];
  static override jsonAttributes = ['unknownPeople', 'hiddenFolders', 'foreignFolders'];

  declare storageId: number;
  /** When the next synchronisation begins. */
  declare dueAt: string;
  declare leaseUntil: string | null;
  declare leaseToken: string | null;
  /** Failed synchronisations in a row. */
  declare failures: number;
  /** Whether administrators were told of the failures. */
  declare reported: boolean;
  /** Ids of people that the storage refused, each with the time and what it said. */
  declare unknownPeople: { [originUserId: string]: { at: string; message: string } };
  /** Ids of folders from which the permissions of people were removed. */
  declare hiddenFolders: string[];
  /** Ids of folders at the place of project folders that the service did not make. */
  declare foreignFolders: string[];
}

/** A folder that administrators want to be deleted with its project storage. */
export class FolderDeletion extends Record {
  static override tableName = 'folder_deletions';

  declare storageId: number;
  declare folderId: string;
}

/** Who a person is at a storage with single sign-on. */
export class SignOnUser extends Record {
  static override tableName = 'sign_on_users';

  declare storageId: number;
  declare userId: number;
  declare identity: string;
  declare originUserId: string;
}
