/** Keys that no row names any more, and to which somebody may still write: a process that was taken for dead, a copy whose client has gone. */
import type { Knex } from 'knex';
import type { Services } from '../../context.js';

const TABLE = 'stray_blobs';
/** Longer than a store takes for a copy of many parts, each of which it is asked for again, and than an upload goes on that has lost its row. */
const WRITTEN_WITHIN_MS = 6 * 3_600_000;
/** One that could not be removed waits for so long, and holds up nobody. */
const AGAIN_MS = 3_600_000;
const MOST_FAILURES = 3;
/** As many keys are read at once. */
const BATCH = 200;

/** Has a key removed once more, six hours later: within the transaction in which its row goes, or takes another key. */
export async function scheduleOrphanRemoval(
  trx: Knex,
  blobKey: string,
  { clock }: Pick<Services, 'clock'>,
): Promise<void> {
  await trx(TABLE)
    .insert({
      blob_key: blobKey,
      remove_after: new Date(clock().getTime() + WRITTEN_WITHIN_MS).toISOString(),
    })
    .onConflict('blob_key')
    .merge();
}

/** @returns how many were there. @throws what the first of those threw that could not be removed; they wait for an hour */
export async function removeOrphanedObjects(
  { db, blobs, clock }: Pick<Services, 'db' | 'blobs' | 'clock'>,
  {
    dryRun = false,
    signal,
  }: { dryRun?: boolean | undefined; signal?: AbortSignal | undefined } = {},
): Promise<number> {
  const due = () =>
    db
      .read(TABLE)
      .where('remove_after', '<=', clock().toISOString())
      .orderBy('remove_after')
      .pluck('blob_key');
  let found = 0;
  const failures: unknown[] = [];
  for (;;) {
    const keys = (await (dryRun ? due() : due().limit(BATCH))) as string[];
    for (const key of keys) {
      if (signal?.aborted) return found;
      // A store that is away keeps nobody waiting for each of them.
      if (failures.length >= MOST_FAILURES) throw failures[0];
      try {
        if (await blobs.stat(key)) found += 1;
        if (dryRun) continue;
        await blobs.remove(key);
      } catch (error) {
        if (dryRun) throw error;
        failures.push(error);
        await db
          .write(TABLE)
          .where('blob_key', key)
          .update({ remove_after: new Date(clock().getTime() + AGAIN_MS).toISOString() });
        continue;
      }
      await db.write(TABLE).delete().where('blob_key', key);
    }
    if (dryRun || keys.length < BATCH) break;
  }
  if (failures.length > 0) throw failures[0];
  return found;
}
