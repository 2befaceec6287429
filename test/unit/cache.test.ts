/** The cache of permissions, sessions and names, with a short lifetime. */
import { Cache } from '../../src/concurrency/cache.js';
import { deferred } from '../../src/concurrency/deferred.js';
import { afterEach, beforeEach, expect, test } from '../support/jest.js';

/** The clock of the cache. */
let now = 0;
const clock = performance.now.bind(performance);
beforeEach(() => {
  now = 1_000;
  performance.now = () => now;
});
afterEach(() => {
  performance.now = clock;
});

const value = (text: string) => () => Promise.resolve(text);

test('an answer expires one lifetime after its read began, even if the read was slow', async () => {
  const cache = new Cache<string, string>(1_000);
  const read = deferred<string>();
  const first = cache.get('key', () => read.promise);
  now += 900;
  read.resolve('old');
  expect(await first).toBe('old');
  expect(cache.get('key', value('new'))).toBe('old');
  now += 101;
  expect(await cache.get('key', value('new'))).toBe('new');
});

test('a row that was read elsewhere expires one lifetime after its read began', () => {
  const cache = new Cache<number, string>(1_000);
  const start = now;
  now += 900;
  cache.put(1, 'row', start);
  expect(cache.peek(1)).toBe('row');
  now += 101;
  expect(cache.peek(1)).toBeUndefined();
});

test('concurrent callers share one read', async () => {
  const cache = new Cache<string, string>();
  let reads = 0;
  const load = () => Promise.resolve(`read ${(reads += 1)}`);
  expect(await Promise.all([cache.get('key', load), cache.get('key', load)])).toEqual([
    'read 1',
    'read 1',
  ]);
});

test('a read that began before the cache was cleared does not enter it', async () => {
  const cache = new Cache<string, string>();
  const read = deferred<string>();
  const before = cache.get('key', () => read.promise);
  const start = now;
  cache.clear();
  const after = cache.get('key', value('new'));
  read.resolve('old');
  expect([await before, await after, cache.peek('key')]).toEqual(['old', 'new', 'new']);
  cache.put('row', 'old', start);
  expect(cache.peek('row')).toBeUndefined();
  now += 1;
  cache.put('row', 'new', now);
  expect(cache.peek('row')).toBe('new');
});

test('a failed read is not cached', async () => {
  const cache = new Cache<string, string>();
  await expect(cache.get('key', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await cache.get('key', value('yes'))).toBe('yes');
});

test('an absent value is cached like any other', async () => {
  const cache = new Cache<string, string | undefined>();
  expect(await cache.get('key', () => Promise.resolve(undefined))).toBeUndefined();
  expect(cache.get('key', value('new'))).toBeUndefined();
});
