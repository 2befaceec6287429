/** Opens the configured blob store. */
import { openDisk } from './disk.js';
import { openS3 } from './s3.js';
import type { S3Options } from './s3/connection.js';
import type { Blobs } from './store.js';

export type BlobStore = { kind: 'disk'; root: string } | ({ kind: 's3' } & S3Options);

export const openBlobs = (store: BlobStore): Blobs =>
  store.kind === 'disk' ? openDisk(store.root) : openS3(store);
