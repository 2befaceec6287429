/** Removes orphaned objects again after six hours: a stalled writer may have written them again. */
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';

const TABLE = 'stray_blobs';
interface OrphanedObject {
  blob_key: string;
  remove_after: string;
}

/**
 * Longer than any write that lost its row: a copy of many parts with all its retries, or an upload.
 */
const WRITTEN_WITHIN_MS = 6 * 3_600_000;
/** A key that could not be removed waits this long, so it does not delay the others. */
const RETRY_MS = 3_600_000;
/** After this number of failures, the store counts as unavailable. */
const MAX_FAILURES = 3;
/** Keys per statement. */
const ORPHANS_AT_ONCE = 200;

/**
 * Schedules a second removal of an object in six hours. Call it in the transaction that deletes
 * the row of the object, or gives the row another key.
 */
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

/** Keys of pictures begin with this text. */
export const AVATAR_KEYS = 'avatar-';

/**
 * Keeps an object whose removal was scheduled, because a row names its key now.
 * @returns false if the removal is done, or another process cancelled it
 */
export const cancelOrphanRemoval = async (trx: Knex, blobKey: string): Promise<boolean> =>
  (await trx(TABLE).delete().where('blob_key', blobKey)) > 0;

/** Which of the keys are scheduled for removal. */
export const scheduledKeys = (knex: Knex, keys: readonly string[]): Promise<string[]> =>
  knex<OrphanedObject>(TABLE)
    .whereIn('blob_key', [...keys])
    .pluck('blob_key');

/**
 * Removes the objects whose time has come.
 * @returns the number of objects that existed
 * @throws the first error of the store; failed keys are retried in an hour
 */
export async function removeOrphanedObjects(
  { db, blobs, clock }: Pick<Services, 'db' | 'blobs' | 'clock'>,
  {
    dryRun = false,
    signal,
  }: { dryRun?: boolean | undefined; signal?: AbortSignal | undefined } = {},
): Promise<number> {
  const due = () =>
    db
      .read<OrphanedObject>(TABLE)
      .where('remove_after', '<=', clock().toISOString())
      .orderBy('remove_after')
      .pluck('blob_key');
  let found = 0;
  const failures: unknown[] = [];
  for (;;) {
    const keys = await (dryRun ? due() : due().limit(ORPHANS_AT_ONCE));
    for (const key of keys) {
      if (signal?.aborted) return found;
      // An unavailable store would fail, perhaps after a time-out, for each key.
      if (failures.length >= MAX_FAILURES) throw failures[0];
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
          .update({ remove_after: new Date(clock().getTime() + RETRY_MS).toISOString() });
        continue;
      }
      await db.write(TABLE).delete().where('blob_key', key);
    }
    if (dryRun || keys.length < ORPHANS_AT_ONCE) break;
  }
  if (failures.length > 0) throw failures[0];
  return found;
}
