/** What every blob store keeps, whatever it is made of. */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BlobMissing, type Blobs } from '../../src/blobs/index.js';

export interface BlobSetup {
  blobs: Blobs;
  /** Keys of everything that is stored, finished or not. */
  stored(): Promise<string[]>;
  close(): Promise<void>;
}

let counter = 0;
const newKey = () => `contract-${(counter += 1)}`;

async function* chunks(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part as string);
}
const text = async (blobs: Blobs, key: string, range?: { start: number; end: number }) => (await buffer(await blobs.read(key, range))).toString();

export function blobContract(name: string, setUp: () => Promise<BlobSetup>) {
  describe(`a blob store: ${name}`, () => {
    let setup: BlobSetup;
    let blobs: Blobs;
    beforeAll(async () => {
      setup = await setUp();
      blobs = setup.blobs;
    });
    afterAll(() => setup.close());

    test('gives back the bytes it was given, and their number', async () => {
      const key = newKey();
      expect(await blobs.put(key, chunks('hello ', 'world'))).toEqual({ size: 11 });
      expect(await text(blobs, key)).toBe('hello world');
      expect(await blobs.stat(key)).toEqual({ size: 11 });
    });

    test('stores nothing of length zero as an empty blob', async () => {
      const key = newKey();
      expect(await blobs.put(key, chunks())).toEqual({ size: 0 });
      expect(await blobs.stat(key)).toEqual({ size: 0 });
      expect(await text(blobs, key)).toBe('');
    });

    test('keeps megabytes in pieces of odd sizes intact', async () => {
      const key = newKey();
      const hash = createHash('sha256');
      async function* body() {
        for (let n = 0; n < 300; n += 1) {
          const chunk = Buffer.alloc(((n * 7919) % 65_536) + 1, n);
          hash.update(chunk);
          yield chunk;
        }
      }
      const { size } = await blobs.put(key, body());
      const read = await buffer(await blobs.read(key));
      expect(read.byteLength).toBe(size);
      expect(createHash('sha256').update(read).digest('hex')).toBe(hash.digest('hex'));
    });

    test('reads parts, both ends inclusive', async () => {
      const key = newKey();
      await blobs.put(key, chunks('0123456789'));
      expect(await text(blobs, key, { start: 0, end: 0 })).toBe('0');
      expect(await text(blobs, key, { start: 3, end: 6 })).toBe('3456');
      expect(await text(blobs, key, { start: 7, end: 9 })).toBe('789');
    });

    test('leaves nothing behind when the body fails', async () => {
      const before = await setup.stored();
      const key = newKey();
      async function* broken() {
        yield Buffer.alloc(2_000_000);
        throw new Error('the client went away');
      }
      await expect(blobs.put(key, broken())).rejects.toThrow('the client went away');
      expect(await blobs.stat(key)).toBeNull();
      expect(await setup.stored()).toEqual(before);
    });

    test('shows nothing under a key before all of it is stored', async () => {
      const key = newKey();
      const seen: unknown[] = [];
      async function* slow() {
        yield Buffer.from('half');
        seen.push(await blobs.stat(key));
        yield Buffer.from('whole');
      }
      await blobs.put(key, slow());
      expect(seen).toEqual([null]);
      expect(await text(blobs, key)).toBe('halfwhole');
    });

    test('says that a blob is missing', async () => {
      await expect(blobs.read(newKey())).rejects.toBeInstanceOf(BlobMissing);
      expect(await blobs.stat(newKey())).toBeNull();
    });

    test('removes, and does not mind removing nothing', async () => {
      const key = newKey();
      await blobs.put(key, chunks('x'));
      await blobs.remove(key);
      await blobs.remove(key);
      expect(await blobs.stat(key)).toBeNull();
      expect(await setup.stored()).not.toContain(key);
    });

    test('takes many at the same time', async () => {
      const keys = Array.from({ length: 20 }, newKey);
      await Promise.all(keys.map((key, n) => blobs.put(key, chunks('x'.repeat(n * 1000)))));
      expect(await Promise.all(keys.map(async (key) => (await blobs.stat(key))?.size))).toEqual(keys.map((_, n) => n * 1000));
    });

    test.each(['../x', '/etc/passwd', 'a/../../b', 'A', '', '.', '..', 'a//b', 'a\0b', 'a b', `${'a'.repeat(256)}`, 'a/', '-a', 'ä'])('refuses the key %j', async (key) => {
      await expect(blobs.put(key, chunks('x'))).rejects.toThrow('Not a blob key');
      await expect(blobs.read(key)).rejects.toThrow('Not a blob key');
      await expect(blobs.stat(key)).rejects.toThrow('Not a blob key');
      await expect(blobs.remove(key)).rejects.toThrow('Not a blob key');
    });

    test('is ready', () => expect(blobs.check()).resolves.toBeUndefined());
  });
}
