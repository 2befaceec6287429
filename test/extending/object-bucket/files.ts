import type { Access, Folder } from '../adapter.js';
import { failureOf, StorageFailure } from '../failure.js';
import { openBucket, type Bucket } from './client.js';
import { folderInfo, prefixesAbove, prefixOf } from './keys.js';
import { list, type Listed } from './list.js';

export async function files(access: Access, parent = '/'): Promise<Folder> {
  const prefix = prefixOf(parent);
  const found = await folderWith(await openBucket(access), prefix);
  return {
    parent: folderInfo(prefix),
    ancestors: prefixesAbove(prefix).map(folderInfo),
    files: found.files,
    truncated: false,
  };
}

/** @throws StorageFailure `notFound`, or `notDirectory` for a file */
export async function folderWith(bucket: Bucket, prefix: string): Promise<Listed> {
  const found = await list(bucket, prefix);
  if (found.exists) return found;
  const { status } = await bucket.send({ method: 'HEAD', key: prefix.replace(/\/$/, '') });
  if (status === 200) throw new StorageFailure('notDirectory', 400, 'It is not a folder.');
  throw failureOf(404);
}
