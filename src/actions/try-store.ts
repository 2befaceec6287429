/** Tries whether the store keeps and gives up bytes. */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { Blobs } from '../blobs/index.js';

const SIZE = 1000;

/** Stores, reads and removes a small object under a key of its own. @throws where a step fails; then the object is removed if it can be */
export async function tryStore(blobs: Blobs): Promise<void> {
  await blobs.check();
  const key = `trial-${randomBytes(16).toString('hex')}`;
  const content = randomBytes(SIZE);
  try {
    await blobs.put(key, Readable.from([content]));
    const read = await buffer(await blobs.read(key));
    if (!read.equals(content)) throw new Error('What is read is not what was stored.');
  } catch (error) {
    await blobs.remove(key).catch(() => undefined);
    throw error;
  }
  await blobs.remove(key);
  if (await blobs.stat(key)) throw new Error('What is removed is still there.');
}
