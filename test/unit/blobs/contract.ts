/** The contract of every blob store. */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BlobMissing,
  STAGING,
  type Blobs,
  type StoredBlob,
  type Unfinished,
} from '../../../src/blobs/store.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { send } from './form.js';

export interface BlobSetup {
  blobs: Blobs;
  /** Keys of all stored blobs, finished or not. */
  stored(): Promise<string[]>;
  close(): Promise<void>;
}

let counter = 0;
export const newKey = () => `contract-${(counter += 1)}`;

export async function* chunks(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part as string);
}

export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Repeats the request until it gives a result. */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(50);
  }
  throw new Error('Nothing came within 10 seconds.');
}

const text = async (blobs: Blobs, key: string, range?: { start: number; end: number }) =>
  (await buffer(await blobs.read(key, range))).toString();

/** Optional methods that the store must have. It must not have the others. */
export type Capability = 'url' | 'directUpload';

export function blobContract(
  name: string,
  setUp: () => Promise<BlobSetup>,
  capabilities: Capability[] = [],
) {
  describe(`a blob store: ${name}`, () => {
    let setup: BlobSetup;
    let blobs: Blobs;
    beforeAll(async () => {
      setup = await setUp();
      blobs = setup.blobs;
    });
    afterAll(() => setup.close());
    const listed = async (key: string, area?: 'staging'): Promise<StoredBlob | undefined> =>
      (await collected(blobs.list(area))).find((blob) => blob.key === key);
    const begun = async (key: string): Promise<Unfinished | undefined> =>
      (await collected(blobs.unfinished())).find((one) => one.key === key);

    test('returns the stored bytes and their number', async () => {
      const key = newKey();
      expect(await blobs.put(key, chunks('hello ', 'world'))).toEqual({ size: 11 });
      expect(await text(blobs, key)).toBe('hello world');
      expect(await blobs.stat(key)).toEqual({ size: 11 });
    });

    test('stores an empty body as an empty blob', async () => {
      const key = newKey();
      expect(await blobs.put(key, chunks())).toEqual({ size: 0 });
      expect(await blobs.stat(key)).toEqual({ size: 0 });
      expect(await text(blobs, key)).toBe('');
    });

    test('stores megabytes in pieces of odd sizes unchanged', async () => {
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

    test('reads ranges, with both ends inclusive', async () => {
      const key = newKey();
      await blobs.put(key, chunks('0123456789'));
      expect(await text(blobs, key, { start: 0, end: 0 })).toBe('0');
      expect(await text(blobs, key, { start: 3, end: 6 })).toBe('3456');
      expect(await text(blobs, key, { start: 7, end: 9 })).toBe('789');
    });

    test('leaves nothing when the body fails', async () => {
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

    test('shows nothing under a key before the whole body is stored', async () => {
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

    test('reports a missing blob', async () => {
      await expect(blobs.read(newKey())).rejects.toBeInstanceOf(BlobMissing);
      expect(await blobs.stat(newKey())).toBeNull();
    });

    test('removes a blob, and accepts the removal of a missing one', async () => {
      const key = newKey();
      await blobs.put(key, chunks('x'));
      await blobs.remove(key);
      await blobs.remove(key);
      expect(await blobs.stat(key)).toBeNull();
      expect(await setup.stored()).not.toContain(key);
    });

    test('stores many at the same time', async () => {
      const keys = Array.from({ length: 20 }, newKey);
      await Promise.all(keys.map((key, n) => blobs.put(key, chunks('x'.repeat(n * 1000)))));
      expect(await Promise.all(keys.map(async (key) => (await blobs.stat(key))?.size))).toEqual(
        keys.map((_, n) => n * 1000),
      );
    });

    test.each([
      '../x',
      '/etc/passwd',
      'a/../../b',
      'A',
      '',
      '.',
      '..',
      'a//b',
      'a\0b',
      'a b',
      `${'a'.repeat(256)}`,
      'a/',
      '-a',
      'ä',
    ])('refuses the key %j', async (key) => {
      await expect(blobs.put(key, chunks('x'))).rejects.toThrow('Not a blob key');
      await expect(blobs.read(key)).rejects.toThrow('Not a blob key');
      await expect(blobs.stat(key)).rejects.toThrow('Not a blob key');
      await expect(blobs.remove(key)).rejects.toThrow('Not a blob key');
      await expect(blobs.copy(key, newKey())).rejects.toThrow('Not a blob key');
      const there = newKey();
      await blobs.put(there, chunks('x'));
      await expect(blobs.copy(there, key)).rejects.toThrow('Not a blob key');
      if (blobs.url)
        await expect(
          blobs.url(key, { contentType: 'text/plain', disposition: 'inline', seconds: 60 }),
        ).rejects.toThrow('Not a blob key');
      if (blobs.directUpload)
        await expect(
          blobs.directUpload(STAGING + key, { size: 1, contentType: 'text/plain', seconds: 60 }),
        ).rejects.toThrow('Not a blob key');
    });

    test('is ready', () => expect(blobs.check()).resolves.toBeUndefined());

    describe('copy', () => {
      test('stores the same bytes under another key, and the two are independent', async () => {
        const [from, to] = [newKey(), newKey()];
        await blobs.put(from, chunks('the original'));
        await blobs.copy(from, to);
        expect([await text(blobs, from), await text(blobs, to)]).toEqual([
          'the original',
          'the original',
        ]);
        await blobs.put(from, chunks('something else'));
        expect(await text(blobs, to)).toBe('the original');
        await blobs.remove(from);
        expect(await text(blobs, to)).toBe('the original');
      });

      test('replaces an existing blob, more than once', async () => {
        const [from, to] = [newKey(), newKey()];
        await blobs.put(from, chunks('new'));
        await blobs.put(to, chunks('old and longer'));
        await blobs.copy(from, to);
        await blobs.copy(from, to);
        expect(await text(blobs, to)).toBe('new');
        expect(await collected(blobs.unfinished())).toEqual([]);
      });

      test('of a blob onto itself changes nothing', async () => {
        const key = newKey();
        await blobs.put(key, chunks('the same'));
        await blobs.copy(key, key);
        expect(await text(blobs, key)).toBe('the same');
      });

      test('of a missing blob is an error, and the other key stays as it is', async () => {
        const to = newKey();
        await expect(blobs.copy(newKey(), to)).rejects.toBeInstanceOf(BlobMissing);
        expect(await blobs.stat(to)).toBeNull();
        await blobs.put(to, chunks('kept'));
        const before = await setup.stored();
        await expect(blobs.copy(newKey(), to)).rejects.toBeInstanceOf(BlobMissing);
        expect(await text(blobs, to)).toBe('kept');
        expect(await setup.stored()).toEqual(before);
      });

      test('from a staging key to a finished key works', async () => {
        const [from, to] = [`${STAGING}${newKey()}`, newKey()];
        await blobs.put(from, chunks('sent'));
        await blobs.copy(from, to);
        expect(await text(blobs, to)).toBe('sent');
      });

      test('has the time of the copying, not of its source', async () => {
        const [from, to] = [newKey(), newKey()];
        await blobs.put(from, chunks('x'));
        await sleep(1100);
        await blobs.copy(from, to);
        expect((await listed(to))!.modifiedAt.getTime()).toBeGreaterThan(
          (await listed(from))!.modifiedAt.getTime(),
        );
      });

      test('of an empty blob is an empty blob', async () => {
        const [from, to] = [newKey(), newKey()];
        await blobs.put(from, chunks());
        await blobs.copy(from, to);
        expect(await blobs.stat(to)).toEqual({ size: 0 });
      });
    });

    describe('list', () => {
      test('has every stored blob, with size and time', async () => {
        const key = newKey();
        const before = Date.now();
        await blobs.put(key, chunks('12345'));
        const blob = (await listed(key))!;
        expect(blob).toMatchObject({ key, size: 5 });
        // Stores round to seconds and have their own clocks.
        expect(Math.abs(blob.modifiedAt.getTime() - before)).toBeLessThan(60_000);
        await blobs.remove(key);
        expect(await listed(key)).toBeUndefined();
      });

      test('has each blob once, also if there are many', async () => {
        const keys = Array.from({ length: 30 }, (_, n) => `${'abc'[n % 3]}${newKey()}/part-${n}`);
        await Promise.all(keys.map((key) => blobs.put(key, chunks('x'))));
        const found = (await collected(blobs.list())).map(({ key }) => key);
        expect(found).toEqual(expect.arrayContaining(keys));
        expect(new Set(found).size).toBe(found.length);
      });

      test('keeps staging separate', async () => {
        const key = newKey();
        await blobs.put(key, chunks('finished'));
        await blobs.put(`${STAGING}${key}`, chunks('sent'));
        expect(await listed(key)).toMatchObject({ key, size: 8 });
        expect(await listed(`${STAGING}${key}`)).toBeUndefined();
        expect(await listed(key, 'staging')).toBeUndefined();
        expect(await listed(`${STAGING}${key}`, 'staging')).toMatchObject({
          key: `${STAGING}${key}`,
          size: 4,
        });
      });

      test('has no blob that is still being written', async () => {
        const key = newKey();
        const seen: unknown[] = [];
        async function* slow() {
          yield Buffer.from('half');
          seen.push(await listed(key));
        }
        await blobs.put(key, slow());
        expect(seen).toEqual([undefined]);
      });
    });

    describe('unfinished', () => {
      test.each(['', 'a-b/c-d/', STAGING])(
        'has the blobs being written below "%s", and can remove them',
        async (folder) => {
          const before = await setup.stored();
          const key = folder + newKey();
          async function* slow() {
            for (let n = 0; n < 3; n += 1) yield Buffer.alloc(8 * 1024 * 1024);
            const one = await eventually(() => begun(key));
            await one.remove();
            await one.remove();
            yield Buffer.alloc(8 * 1024 * 1024);
          }
          await expect(blobs.put(key, slow())).rejects.toThrow();
          expect(await begun(key)).toBeUndefined();
          expect(await blobs.stat(key)).toBeNull();
          expect(await setup.stored()).toEqual(before);
        },
      );

      test('does not have finished blobs', async () => {
        await blobs.put(newKey(), chunks(Buffer.alloc(20 * 1024 * 1024)));
        expect(await collected(blobs.unfinished())).toEqual([]);
      });
    });

    test(`has ${capabilities.join(' and ') || 'no capabilities'} as optional methods`, () => {
      expect(
        (['url', 'directUpload'] as const).filter((capability) => blobs[capability] !== undefined),
      ).toEqual(capabilities);
    });

    if (capabilities.includes('url'))
      describe('url', () => {
        const disposition = `attachment; filename="gr__e.txt"; filename*=UTF-8''gr%C3%BC%C3%9Fe%20%E2%82%AC.txt`;

        test('is an address for reading the bytes without credentials, with the given type and name', async () => {
          const key = newKey();
          await blobs.put(key, chunks('hello world'));
          const url = await blobs.url!(key, {
            contentType: 'text/plain; charset=utf-8',
            disposition,
            seconds: 60,
          });
          const answer = await fetch(url);
          expect(await answer.text()).toBe('hello world');
          expect(answer.status).toBe(200);
          expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
          expect(answer.headers.get('content-disposition')).toBe(disposition);
          const part = await fetch(url, { headers: { range: 'bytes=6-8' } });
          expect([part.status, await part.text()]).toEqual([206, 'wor']);
        });

        test('is valid only for this blob and this answer', async () => {
          const [key, other] = [newKey(), newKey()];
          await blobs.put(key, chunks('mine'));
          await blobs.put(other, chunks('other'));
          const url = await blobs.url!(key, {
            contentType: 'text/plain',
            disposition: 'attachment',
            seconds: 60,
          });
          for (const changed of [
            url.replace(key, other),
            url.replace('text%2Fplain', 'text%2Fhtml'),
            url.replace('=attachment', '=inline'),
            url.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000'),
            url.replace(/\?.*/, ''),
          ]) {
            expect(changed).not.toBe(url);
            expect((await fetch(changed)).status).toBe(403);
          }
          expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403);
          expect((await fetch(url)).status).toBe(200);
        });

        test('expires', async () => {
          const key = newKey();
          await blobs.put(key, chunks('x'));
          const url = await blobs.url!(key, {
            contentType: 'text/plain',
            disposition: 'inline',
            seconds: 1,
          });
          await sleep(2500);
          expect((await fetch(url)).status).toBe(403);
        });

        test('of a removed blob answers 404', async () => {
          const key = newKey();
          expect(
            (
              await fetch(
                await blobs.url!(key, {
                  contentType: 'text/plain',
                  disposition: 'inline',
                  seconds: 60,
                }),
              )
            ).status,
          ).toBe(404);
        });
      });

    if (capabilities.includes('directUpload'))
      describe('directUpload', () => {
        test('is a form for storing the bytes without credentials; the key is the first field', async () => {
          const key = `${STAGING}${newKey()}`;
          const form = await blobs.directUpload!(key, {
            size: 11,
            contentType: 'text/plain',
            seconds: 60,
          });
          expect(form).toMatchObject({
            method: 'post',
            href: expect.stringMatching(/^https?:/),
            fields: expect.arrayContaining([{ name: 'Content-Type', value: 'text/plain' }]),
          });
          expect(form.fields[0]).toEqual({ name: 'key', value: key });
          expect((await send(form, 'hello world')).status).toBe(201);
          expect(await text(blobs, key)).toBe('hello world');
          expect(await listed(key, 'staging')).toMatchObject({ size: 11 });
        });

        test('accepts fewer bytes, and an empty file', async () => {
          for (const content of ['hello', '']) {
            const key = `${STAGING}${newKey()}`;
            expect(
              (
                await send(
                  await blobs.directUpload!(key, {
                    size: 11,
                    contentType: 'text/plain',
                    seconds: 60,
                  }),
                  content,
                )
              ).status,
            ).toBe(201);
            expect(await blobs.stat(key)).toEqual({ size: content.length });
          }
        });

        test('is refused for a key of a finished blob', async () => {
          await expect(
            blobs.directUpload!(newKey(), { size: 1, contentType: 'text/plain', seconds: 60 }),
          ).rejects.toThrow('Not a staging key');
        });
      });
  });
}
