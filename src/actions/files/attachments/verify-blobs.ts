/** Compares the rows that name objects with the store. Safe to run beside any servers. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BlobMissing, type StoredBlob } from '../../../blobs/store.js';
import type { Services } from '../../../context.js';
import { Attachment } from '../../../models/attachment.js';
import { User } from '../../../models/user.js';
import { AVATAR_KEYS, scheduledKeys } from '../purge/orphaned-objects.js';
import { keysOfPreviews } from '../purge/remove-preview.js';
import { rowsWithObjects, type NamingRow, type RowInfo } from './rows-with-objects.js';

export interface VerifyOptions {
  /** Whether to read all bytes and compare their digests. Default: true. */
  digests?: boolean;
  /** Called with each problem as soon as it is found. */
  found(finding: Finding): void;
  /** Called repeatedly with the numbers so far. */
  progress?(verified: Verified): void;
}

/** Sizes are in bytes, digests in hexadecimal. */
type Fault =
  | { problem: 'missing' }
  | { problem: 'size'; expected: number; found: number }
  | { problem: 'digest'; algorithm: string; expected: string; found: string }
  | { problem: 'unreadable'; reason: string };

/** A row whose object is missing or wrong, or an object that no row names. */
export type Finding = (RowInfo & Fault) | { problem: 'unnamed'; key: string; size: number };

/** Numbers of verified attachments, pictures of users, and objects. */
export interface Verified {
  rows: number;
  pictures: number;
  objects: number;
}

/** Previews are counted as objects only. */
const counters = { attachment: 'rows', picture: 'pictures', preview: undefined } as const;

type VerificationNeeds = Pick<Services, 'db' | 'blobs' | 'clock'>;

/** Concurrent requests to the store. */
const CONCURRENCY = 16;
/** Keys per statement. */
const VERIFIED_AT_ONCE = 500;
/** A younger object may soon be removed: by a refused upload, or by a check of the store. */
const YOUNG_MS = 60_000;
const SETTLE_MS = 1_000;

/**
 * Verifies all rows, then all objects. Memory use does not grow with their number.
 * @throws if the database or the store is not available
 */
export async function verifyBlobs(
  dependencies: VerificationNeeds,
  { digests = true, found, progress }: VerifyOptions,
): Promise<Verified> {
  const verified = { rows: 0, pictures: 0, objects: 0 };
  await inParallel(rowsWithObjects(dependencies.db.read), async (row) => {
    const fault = await faultOf(dependencies, row, digests);
    if (fault && (await row.isCurrent())) found({ ...fault, ...row.info });
    const counter = counters[row.kind];
    if (counter) verified[counter] += 1;
    progress?.(verified);
  });
  for await (const objects of batches(dependencies.blobs.list('finished'))) {
    for (const { key, size } of await unnamed(dependencies, objects))
      found({ problem: 'unnamed', key, size });
    verified.objects += objects.length;
    progress?.(verified);
  }
  return verified;
}

/** Inspects an object. If that fails while the store works, it tries once more. */
async function faultOf(
  dependencies: VerificationNeeds,
  row: NamingRow,
  digests: boolean,
): Promise<Fault | undefined> {
  try {
    return await inspect(dependencies, row, digests);
  } catch {
    // Throws if the store as a whole is not available.
    await dependencies.blobs.check();
  }
  try {
    return await inspect(dependencies, row, digests);
  } catch (error) {
    return {
      problem: 'unreadable',
      reason: error instanceof Error ? error.message : String(error),
    };
  }
}

async function inspect(
  { blobs }: VerificationNeeds,
  { info: { key }, size, digest }: NamingRow,
  digests: boolean,
): Promise<Fault | undefined> {
  const stored = await blobs.stat(key);
  if (!stored) return { problem: 'missing' };
  if (size !== null && stored.size !== size)
    return { problem: 'size', expected: size, found: stored.size };
  if (!digests || digest === null) return undefined;
  const hash = createHash(digest.algorithm);
  try {
    for await (const chunk of await blobs.read(key)) hash.update(chunk as Uint8Array);
  } catch (error) {
    if (error instanceof BlobMissing) return { problem: 'missing' };
    throw error;
  }
  const found = hash.digest('hex');
  return found === digest.hash
    ? undefined
    : { problem: 'digest', algorithm: digest.algorithm, expected: digest.hash, found };
}

/**
 * The objects that no row names and that are not about to be removed.
 * Every row is inserted before its object and deleted after it.
 */
async function unnamed(
  { db, blobs, clock }: VerificationNeeds,
  objects: StoredBlob[],
): Promise<StoredBlob[]> {
  const keys = objects.map(({ key }) => key);
  const rows = await Attachment.query(db.read).select('blob_key').whereIn('blob_key', keys);
  const users = await User.query(db.read).select('avatar_key').whereIn('avatar_key', keys);
  const named = new Set<string | null>([
    ...rows.map(({ blobKey }) => blobKey),
    ...users.map(({ avatarKey }) => avatarKey),
    ...(await keysOfPreviews(db.read, keys)),
  ]);
  const unnamedKeys = keys.filter((key) => !named.has(key) && key.startsWith(AVATAR_KEYS));
  for (const key of await scheduledKeys(db.read, unnamedKeys)) named.add(key);
  const candidates = objects.filter(({ key }) => !named.has(key));
  if (candidates.some(({ modifiedAt }) => modifiedAt.getTime() > clock().getTime() - YOUNG_MS))
    await sleep(SETTLE_MS);
  const gone = new Set<string>();
  await inParallel(each(candidates), async ({ key }) => {
    if (!(await blobs.stat(key))) gone.add(key);
  });
  return candidates.filter(({ key }) => !gone.has(key));
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/**
 * Works on up to `CONCURRENCY` items at the same time.
 * @throws the first error, after the items in progress are done
 */
async function inParallel<T>(
  items: AsyncGenerator<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const outcomes = await Promise.allSettled(
    Array.from({ length: CONCURRENCY }, async () => {
      // All loops share one generator. A loop that throws closes it, which ends the others too.
      for await (const item of items) await work(item);
    }),
  );
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

async function* batches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < VERIFIED_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
