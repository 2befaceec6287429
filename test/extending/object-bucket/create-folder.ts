import type { Access, FileInfo } from '../adapter.js';
import { failureOf } from '../failure.js';
import { openBucket } from './client.js';
import { folderWith } from './files.js';
import { folderInfo, prefixOf } from './keys.js';

const EXISTS = 412;

/** A folder is an empty key with a slash at its end. */
export async function createFolder(
  access: Access,
  parent: string,
  name: string,
): Promise<FileInfo> {
  const bucket = await openBucket(access);
  const above = prefixOf(parent);
  await folderWith(bucket, above);
  const key = `${above}${name}/`;
  const { status } = await bucket.send({ method: 'PUT', key, headers: { 'if-none-match': '*' } });
  if (status !== 200) throw failureOf(status === EXISTS ? 409 : status);
  return folderInfo(key);
}
