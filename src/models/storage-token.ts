/** Users' tokens of storages. */
import { RotatingToken } from './rotating-token.js';

export class StorageToken extends RotatingToken {
  static override tableName = 'storage_tokens';

  declare storageId: number;
  declare credentialsId: number;
  /** Id of the user in the storage. */
  declare originUserId: string | null;
}
