import type { Access } from '../adapter.js';
import { openBucket } from './client.js';
import { fileIn } from './file.js';
import { keyOf } from './keys.js';

/** Checks first that the file exists, because a signed address says nothing about its key. */
export async function downloadLink(access: Access, id: string): Promise<string> {
  const bucket = await openBucket(access);
  const key = keyOf(id);
  await fileIn(bucket, key);
  return bucket.signed('GET', key);
}
