import { Record } from './record.js';

/** A user's tokens of a storage. */
export class StorageToken extends Record {
  static override tableName = 'storage_tokens';

  declare userId: number;
  declare storageId: number;
  declare credentialsId: number;
  /** Sealed. */
  declare accessToken: string;
  /** Sealed; null where the storage gave none. */
  declare refreshToken: string | null;
  /** Null where the storage did not say. */
  declare expiresAt: string | null;
  /** Who the user is there. */
  declare originUserId: string | null;
  /** Whose turn it is to refresh, until when. */
  declare leaseToken: string | null;
  declare leaseUntil: string | null;
}
