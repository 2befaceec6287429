import type { Access, Destination } from '../adapter.js';
import { openBucket } from './client.js';
import { folderWith } from './files.js';
import { prefixOf } from './keys.js';

export async function uploadLink(
  access: Access,
  parent: string,
  name: string,
): Promise<Destination> {
  const bucket = await openBucket(access);
  const above = prefixOf(parent);
  await folderWith(bucket, above);
  return { href: await bucket.signed('PUT', `${above}${name}`), method: 'put' };
}
