/** Holds the rows of attachments and the objects in the store against each other. Right at any time, beside any number of servers. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BlobMissing, type StoredBlob } from '../../blobs/store.js';
import type { Services } from '../../context.js';
import { Attachment, AttachmentStatus } from '../../models/attachment.js';

export interface VerifyOptions {
  /** Whether all bytes are read, and their digests compared; they are unless this is false. */
  digests?: boolean;
  /** Called with each problem as it is found. */
  found(finding: Finding): void;
  /** Called again and again with what was looked at so far. */
  progress?(verified: Verified): void;
}

interface OfRow {
  id: number;
  fileName: string;
  /** Where the bytes are expected. */
  key: string;
}

/** Sizes are bytes, digests hexadecimal. */
type Fault =
  | { problem: 'missing' }
  | { problem: 'size'; expected: number; found: number }
  | { problem: 'digest'; algorithm: string; expected: string; found: string }
  | { problem: 'unreadable'; reason: string };

/** What is wrong with the bytes of a row, or an object that no row names. */
export type Finding = (OfRow & Fault) | { problem: 'unnamed'; key: string; size: number };

/** How many were looked at. */
export interface Verified {
  rows: number;
  objects: number;
}

type Dependencies = Pick<Services, 'db' | 'blobs' | 'clock'>;

/** Questions to the store at the same time. */
const WIDTH = 16;
/** As many rows are read, and as many keys looked for, in one statement. */
const BATCH = 500;
/** An object so new may be on its way out: of a refused upload, or of somebody who tries the store. */
const YOUNG_MS = 60_000;
const SETTLE_MS = 1_000;

/** Memory does not grow with what is stored. @throws where database or store do not answer */
export async function verifyBlobs(
  needs: Dependencies,
  { digests = true, found, progress }: VerifyOptions,
): Promise<Verified> {
  const verified = { rows: 0, objects: 0 };
  await inParallel(keptRows(needs), async (row) => {
    const fault = await faultOf(needs, row, digests);
    if (fault && (await isStill(needs, row)))
      found({ ...fault, id: row.id, fileName: row.fileName, key: row.blobKey });
    verified.rows += 1;
    progress?.(verified);
  });
  for await (const objects of batches(needs.blobs.list('finished'))) {
    for (const { key, size } of await unnamed(needs, objects))
      found({ problem: 'unnamed', key, size });
    verified.objects += objects.length;
    progress?.(verified);
  }
  return verified;
}

type Row = Pick<
  Attachment,
  'id' | 'fileName' | 'fileSize' | 'blobKey' | 'digestAlgorithm' | 'digestHash'
>;

/** Those that people see and whose bytes are complete, oldest first. */
async function* keptRows({ db }: Dependencies): AsyncGenerator<Row> {
  for (let last = 0; ;) {
    const rows = await kept(db.read)
      .select('id', 'file_name', 'file_size', 'blob_key', 'digest_algorithm', 'digest_hash')
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH);
    yield* rows;
    if (rows.length < BATCH) return;
    last = rows.at(-1)!.id;
  }
}

const kept = (knex: Dependencies['db']['read']) =>
  Attachment.query(knex).where('phase', 'kept').whereNot('status', AttachmentStatus.prepared);

/** A store that fails for one object only is tried twice, and fails for good otherwise. */
async function faultOf(
  needs: Dependencies,
  row: Row,
  digests: boolean,
): Promise<Fault | undefined> {
  try {
    return await inspect(needs, row, digests);
  } catch {
    await needs.blobs.check();
  }
  try {
    return await inspect(needs, row, digests);
  } catch (error) {
    return {
      problem: 'unreadable',
      reason: error instanceof Error ? error.message : String(error),
    };
  }
}

async function inspect(
  { blobs }: Dependencies,
  row: Row,
  digests: boolean,
): Promise<Fault | undefined> {
  const stored = await blobs.stat(row.blobKey);
  if (!stored) return { problem: 'missing' };
  if (stored.size !== row.fileSize)
    return { problem: 'size', expected: row.fileSize, found: stored.size };
  if (!digests) return undefined;
  const hash = createHash(row.digestAlgorithm);
  try {
    for await (const chunk of await blobs.read(row.blobKey)) hash.update(chunk as Uint8Array);
  } catch (error) {
    if (error instanceof BlobMissing) return { problem: 'missing' };
    throw error;
  }
  const found = hash.digest('hex');
  return found === row.digestHash
    ? undefined
    : { problem: 'digest', algorithm: row.digestAlgorithm, expected: row.digestHash, found };
}

/** A removal marks its row before the bytes go: a row that is not marked even now should have had them. */
const isStill = async ({ db }: Dependencies, { id, blobKey }: Row): Promise<boolean> =>
  (await kept(db.read).where({ id, blob_key: blobKey }).resultSize()) > 0;

/** Objects that no row names and that stay. A row is there before its object, and goes after it. */
async function unnamed(
  { db, blobs, clock }: Dependencies,
  objects: StoredBlob[],
): Promise<StoredBlob[]> {
  const rows = await Attachment.query(db.read)
    .select('blob_key')
    .whereIn(
      'blob_key',
      objects.map(({ key }) => key),
    );
  const named = new Set(rows.map(({ blobKey }) => blobKey));
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

/** Does something with each item, with so many at the same time; a failure ends it once those in hand are done. */
async function inParallel<T>(
  items: AsyncGenerator<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const outcomes = await Promise.allSettled(
    Array.from({ length: WIDTH }, async () => {
      // One generator for all: what a failing run closes is over for the others.
      for await (const item of items) await work(item);
    }),
  );
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

async function* batches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
