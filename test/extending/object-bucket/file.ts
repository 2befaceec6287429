import type { Access, FileInfo } from '../adapter.js';
import { failureOf } from '../failure.js';
import { openBucket, type Bucket } from './client.js';
import { fileInfo, folderInfo, keyOf } from './keys.js';
import { list } from './list.js';

export const file = async (access: Access, id: string): Promise<FileInfo> =>
  fileIn(await openBucket(access), keyOf(id));

/** @throws StorageFailure */
export async function fileIn(bucket: Bucket, key: string): Promise<FileInfo> {
  if (key === '' || key.endsWith('/')) return folderIn(bucket, key);
  const { status, headers } = await bucket.send({ method: 'HEAD', key });
  if (status !== 200) throw failureOf(status);
  const [type, size, modified] = ['content-type', 'content-length', 'last-modified'].map(
    (name) => headers[name],
  );
  return fileInfo(key, { type, size, modified });
}

async function folderIn(bucket: Bucket, prefix: string): Promise<FileInfo> {
  if (!(await list(bucket, prefix)).exists) throw failureOf(404);
  return folderInfo(prefix);
}
