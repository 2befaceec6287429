/** The interface of a blob store: bytes under opaque keys. Optional methods are capabilities. */
import type { Readable } from 'node:stream';
import { ServiceUnavailable } from '../contract/errors.js';

export interface Blobs {
  /**
   * Creates the folder of the store. Only the start of a server calls it. A folder that disappears
   * later, such as an unmounted volume, is not created again.
   * @returns whether it is new
   */
  create?(): Promise<boolean>;
  /**
   * Stores a body under a key. When the body fails, nothing is stored. The bytes are durable when
   * the promise resolves.
   * @returns the number of bytes stored
   */
  put(key: string, body: AsyncIterable<Uint8Array>): Promise<{ size: number }>;
  /** @returns the memory that `put` holds at most for a body of this size, in bytes */
  memoryOf(size: number): number;
  /**
   * Opens the bytes, or a part of them (both ends of `range` are inclusive).
   * @throws BlobMissing
   */
  read(key: string, range?: Range): Promise<Readable>;
  /**
   * Opens a part of the bytes for a client that may read slowly (both ends are inclusive). Absent:
   * clients read at the store (`url`).
   * @throws BlobMissing
   */
  slices?(key: string, range: Range): Promise<Slices>;
  /** @returns the size in bytes, or null when the key does not exist */
  stat(key: string): Promise<{ size: number } | null>;
  /** Copies the bytes to another key; overwrites. @throws BlobMissing */
  copy(from: string, to: string): Promise<void>;
  /** Removes the bytes. A missing key is no error. */
  remove(key: string): Promise<void>;
  /**
   * Begins a file whose bytes arrive in several requests, under a staging key.
   * @returns what the store needs to go on
   */
  begin(key: string): Promise<string | null>;
  /**
   * Stores the next bytes, from `offset` on. When the body fails, what has arrived stays.
   * @param durable called with the end of the bytes that a crash no longer takes, in order
   * @throws BytesMissing when earlier bytes are lost
   */
  append(
    file: ArrivingFile,
    offset: number,
    body: AsyncIterable<Uint8Array>,
    durable: (end: number) => Promise<void>,
  ): Promise<void>;
  /** Puts the bytes together under the staging key. It can be repeated. @throws BytesMissing */
  finish(file: ArrivingFile): Promise<void>;
  /** Removes what is under a staging key, also bytes that are not put together. */
  discard(key: string): Promise<void>;
  /** Lists the finished blobs, or with `staging` the direct uploads of clients. */
  list(area?: 'finished' | 'staging'): AsyncIterable<StoredBlob>;
  /** Partial results of `put` and `copy`: of processes that died, and of calls in progress. */
  unfinished(): AsyncIterable<Unfinished>;
  /** Checks the store without a change. @throws when nothing can be stored at the moment */
  check(): Promise<void>;
  /** A short-lived public address of the bytes, for requests of one method. Absent: the service streams the bytes itself. */
  url?(key: string, serving: Serving, method?: 'GET' | 'HEAD'): Promise<string>;
  /** The origin of the addresses of `url` and `directUpload`, e.g. `https://store.example.org`. */
  origin?(): Promise<string>;
  /** A form with which a client uploads to a staging key. Absent: there is no direct upload. */
  directUpload?(key: string, limits: UploadLimits): Promise<UploadForm>;
}

/** Size of a slice, in bytes. Only one is in memory for a client that does not keep up. */
export const SLICE_BYTES = 64 * 1024;

/** The bytes of a blob, slice by slice. */
export interface Slices {
  /** @returns undefined at the end */
  next(): Promise<Buffer | undefined>;
  /**
   * Returns a slice for reuse. The caller must not use it afterwards. New buffers each time would
   * lower the throughput by a fifth.
   */
  recycle(slice: Buffer): void;
  /** The client does not keep up: drops what is read ahead. It is read again later. */
  slowDown(): void;
  close(): Promise<void>;
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

/** A file whose bytes arrive in several requests. */
export interface ArrivingFile {
  /** A staging key. */
  key: string;
  /** What `begin` returned. */
  reference: string | null;
  /** Of the whole file, in bytes; at least 1. */
  size: number;
}

/** A partial result of `put` or `copy`. */
export interface Unfinished {
  /** The key under which the bytes would have been stored. */
  key: string;
  /** Removes the partial result. If a `put` or `copy` still writes it, that call fails. */
  remove(): Promise<void>;
}

/** Response headers and lifetime of a public address. */
export interface Serving {
  contentType: string;
  /** The complete header `Content-Disposition`. */
  disposition: string;
  /** Lifetime of the address. */
  seconds: number;
}

export interface UploadLimits {
  /** Largest number of bytes. */
  size: number;
  contentType: string;
  /** Lifetime of the form. */
  seconds: number;
}

/** A multipart form: the client sends the fields in this order, then the part `file`. */
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

/** The store has lost bytes of a file that arrives. */
export class BytesMissing extends Error {
  /** @param from where they begin */
  constructor(readonly from: number) {
    super(`The bytes from ${from} on are missing.`);
    this.name = 'BytesMissing';
  }
}

/** The store has failed. The request was valid and may be repeated. The operator sees the cause. */
export class BlobsUnavailable extends ServiceUnavailable {
  constructor(cause: Error) {
    super('The file storage cannot be used at the moment. Try again shortly.');
    this.cause = cause;
  }
}

/** Keys of direct uploads start with this prefix. Keys of finished blobs never do. */
export const STAGING = 'staging/';

/** Keys have lower-case letters, digits, `-`, and `/` between segments. @throws for other keys */
export function checkedKey(key: string): string {
  if (!/^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*$/.test(key) || key.length > 255)
    throw new Error(`Not a blob key: ${JSON.stringify(key)}`);
  return key;
}
