import { RotatingToken } from './rotating-token.js';

/** A user's tokens of a storage. */
export class StorageToken extends RotatingToken {
  static override tableName = 'storage_tokens';

  declare storageId: number;
  declare credentialsId: number;
  /** Who the user is there. */
  declare originUserId: string | null;
}
