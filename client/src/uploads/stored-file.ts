/** A file in a storage, and how far its upload is. */

/** A file as its storage names it. */
export interface StoredFile {
  id: string;
  name: string;
}

/** How far an upload to a storage is. */
export interface StorageMemory {
  /** The address that takes the file. */
  link?: { href: string; method: string } | undefined;
  /** The file, when the storage has all of it. */
  stored?: StoredFile;
  /** Whether the last byte has left. */
  isLastSent?: boolean;
  /** Whether an answer was lost, so that the storage perhaps has the file. */
  maybeStored?: boolean | undefined;
}
