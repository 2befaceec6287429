/** Files that arrive in several requests. */
import { Record } from './record.js';

export class ResumableUpload extends Record {
  static override tableName = 'resumable_uploads';

  declare attachmentId: number;
  /** The header `Upload-Metadata`, as the client sent it. */
  declare metadata: string;
  /** What the blob store needs to go on. Null if it needs nothing. */
  declare storeReference: string | null;
  /** Bytes that survive a crash. */
  declare receivedBytes: number;
  /** Token of the request that may write. A newer request takes its place. */
  declare writer: string | null;
}
