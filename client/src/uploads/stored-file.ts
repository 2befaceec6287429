/** A file in a storage, and how far its upload is. */
import type { PrepareStorageUploadMutation } from '../generated/documents.js';

/** The address that takes a file, and how. */
export type UploadLink = PrepareStorageUploadMutation['prepareStorageUpload']['uploadLink'];

/** A file as its storage names it. */
export interface StoredFile {
  id: string;
  name: string;
}

/** How far an upload to a storage is. */
export interface StorageMemory {
  /** The address that takes the file. */
  link?: UploadLink | undefined;
  /** The file, when the storage has all of it. */
  stored?: StoredFile;
  /** Whether the last byte has left. */
  isLastSent?: boolean;
  /** Whether an answer was lost, so that the storage perhaps has the file. */
  maybeStored?: boolean | undefined;
}
