/** Checks whether the object store works. */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { Blobs } from '../../../blobs/store.js';

const SIZE = 1000;

/**
 * Stores, reads and removes a small object under a random key. Also makes the lists that the
 * cleanup makes.
 * @throws if a step fails, after an attempt to remove the object
 */
export async function tryStore(blobs: Blobs): Promise<void> {
  await blobs.check();
  const key = `trial-${randomBytes(16).toString('hex')}`;
  const content = randomBytes(SIZE);
  try {
    await blobs.put(key, Readable.from([content]));
    const read = await buffer(await blobs.read(key));
    if (!read.equals(content))
      throw new Error('The file that was read differs from the stored file.');
    // In a bucket, each list needs another permission.
    for (const list of [blobs.list('staging'), blobs.unfinished()]) {
      for await (const _one of list) break;
    }
  } catch (error) {
    await blobs.remove(key).catch(() => undefined);
    throw error;
  }
  await blobs.remove(key);
  if (await blobs.stat(key)) throw new Error('What is removed is still there.');
}
