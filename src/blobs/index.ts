/** Our bytes under opaque keys. A capability is the presence of a method. */
import type { Readable } from 'node:stream';
import { openDisk } from './disk.js';

export interface Blobs {
  /**
   * Stores a body under a key: all of it or, when the body fails, nothing. What it says is durable when the promise resolves.
   * @returns the number of bytes stored
   */
  put(key: string, body: AsyncIterable<Uint8Array>): Promise<{ size: number }>;
  /**
   * Opens the bytes, or the part of them that `range` names (both ends inclusive).
   * @throws BlobMissing
   */
  read(key: string, range?: Range): Promise<Readable>;
  /** @returns the size in bytes, or null where there is nothing under the key */
  stat(key: string): Promise<{ size: number } | null>;
  /** Removes the bytes; a key that names nothing is fine. */
  remove(key: string): Promise<void>;
  /** @throws when nothing can be stored at the moment */
  check(): Promise<void>;
}

export interface Range {
  start: number;
  end: number;
}

export class BlobMissing extends Error {
  constructor(key: string) {
    super(`There is no blob ${key}.`);
    this.name = 'BlobMissing';
  }
}

/** Keys are lower-case letters, digits, `-` and `/` between segments; anything else is a programming error. */
export function checkedKey(key: string): string {
  if (!/^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*$/.test(key) || key.length > 255) throw new Error(`Not a blob key: ${JSON.stringify(key)}`);
  return key;
}

export type BlobStore = { kind: 'disk'; root: string };

export const openBlobs = (store: BlobStore): Blobs => openDisk(store.root);
