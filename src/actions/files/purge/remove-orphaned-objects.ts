/** Removes orphaned objects whose time has come, with the previews that were made of them. */
import type { Services } from '../../../context.js';
import { TABLE, type OrphanedObject } from './orphaned-objects.js';
import { removePreview } from './remove-preview.js';

/** A key that could not be removed waits this long, so it does not delay the others. */
const RETRY_MS = 3_600_000;
/** After this number of failures, the store counts as unavailable. */
const MAX_FAILURES = 3;
/** Keys per statement. */
const ORPHANS_AT_ONCE = 200;

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
        await removePreview({ db, blobs, clock }, key);
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
