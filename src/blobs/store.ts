/** Our bytes under opaque keys. A capability is the presence of a method. */
import type { Readable } from 'node:stream';
import { ServiceUnavailable } from '../contract/errors.js';

export interface Blobs {
  /** Makes the place of a store that has none, when a server starts: one that is gone later comes back with its bytes. @returns whether there was none */
  create?(): Promise<boolean>;
  /**
   * Stores a body under a key: all of it or, when the body fails, nothing. What it says is durable when the promise resolves.
   * @returns the number of bytes stored
   */
  put(key: string, body: AsyncIterable<Uint8Array>): Promise<{ size: number }>;
  /**
   * Opens the bytes, or the part of them that `range` names (both ends inclusive).
   * @throws BlobMissing
   */
  read(key: string, range?: Range): Promise<BlobStream>;
  /** @returns the size in bytes, or null where there is nothing under the key */
  stat(key: string): Promise<{ size: number } | null>;
  /** Stores the bytes of one key under another as well, replacing what is there. @throws BlobMissing */
  copy(from: string, to: string): Promise<void>;
  /** Removes the bytes; a key that names nothing is fine. */
  remove(key: string): Promise<void>;
  /** Everything that is stored: the finished blobs, or with `staging` the uploads that clients sent past us. */
  list(area?: 'finished' | 'staging'): AsyncIterable<StoredBlob>;
  /** What a process that died in the middle of a `put` or `copy` left behind, and what such a call is writing right now. */
  unfinished(): AsyncIterable<Unfinished>;
  /** Changes nothing. @throws when nothing can be stored at the moment */
  check(): Promise<void>;
  /** A short-lived address at which anybody reads the bytes; absent where the service streams them itself. */
  url?(key: string, serving: Serving): Promise<string>;
  /** A form with which a client stores the bytes under a staging key itself; absent where that is not possible. */
  directUpload?(key: string, limits: UploadLimits): Promise<UploadForm>;
}

export interface BlobStream extends Readable {
  /** Takes the memory of a piece back, for the next one: whoever was given it keeps no part of it. Memory that is new each time costs a fifth of the throughput. */
  recycle?(piece: Buffer): void;
}

export interface Range {
  start: number;
  end: number;
}

export interface StoredBlob {
  key: string;
  size: number;
  modifiedAt: Date;
}

export interface Unfinished {
  /** The key that it was meant for. */
  key: string;
  /** Takes it away; a call that is still writing it fails. */
  remove(): Promise<void>;
}

/** How an address is answered. */
export interface Serving {
  contentType: string;
  /** The whole header `Content-Disposition`. */
  disposition: string;
  /** Life of the address. */
  seconds: number;
}

export interface UploadLimits {
  /** Largest number of bytes. */
  size: number;
  contentType: string;
  /** Life of the form. */
  seconds: number;
}

/** What the client sends: every field as a part of its own, in this order, then the part `file`. */
export interface UploadForm {
  href: string;
  method: 'post';
  fields: { name: string; value: string }[];
}

export class BlobMissing extends Error {
  constructor(readonly key: string) {
    super(`There is no blob ${key}.`);
    this.name = 'BlobMissing';
  }
}

/** The store does not do what it should: nobody's fault who asked, and worth another try. The cause is for the operator. */
export class BlobsUnavailable extends ServiceUnavailable {
  constructor(cause: Error) {
    super('The file storage cannot be used at the moment. Try again shortly.');
    this.cause = cause;
  }
}

/** Keys of direct uploads start with it; a finished blob never does. */
export const STAGING = 'staging/';

/** Keys are lower-case letters, digits, `-` and `/` between segments; anything else is a programming error. */
export function checkedKey(key: string): string {
  if (!/^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*$/.test(key) || key.length > 255)
    throw new Error(`Not a blob key: ${JSON.stringify(key)}`);
  return key;
}
