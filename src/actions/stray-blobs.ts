/** Keys that no row names any more, and to which somebody may still write: a process that was taken for dead, a copy whose client has gone. */
import type { Knex } from 'knex';
import type { Services } from '../context.js';

const TABLE = 'stray_blobs';
/** Longer than any call to a store takes, and than an upload goes on that has lost its row. */
const WRITTEN_WITHIN_MS = 30 * 60_000;
/** As many keys are read at once. */
const BATCH = 200;

/** Has a key removed once more later: within the transaction in which its row goes, or takes another key. */
export async function noteStray(trx: Knex, blobKey: string, { clock }: Pick<Services, 'clock'>): Promise<void> {
  await trx(TABLE).insert({ blob_key: blobKey, remove_after: new Date(clock().getTime() + WRITTEN_WITHIN_MS).toISOString() }).onConflict('blob_key').merge();
}

/** @returns how many were there */
export async function removeStrays({ db, blobs, clock }: Pick<Services, 'db' | 'blobs' | 'clock'>, { dryRun = false, signal }: { dryRun?: boolean | undefined; signal?: AbortSignal | undefined } = {}): Promise<number> {
  const due = () => db.read(TABLE).where('remove_after', '<=', clock().toISOString()).orderBy('remove_after').pluck('blob_key');
  let found = 0;
  for (;;) {
    const keys = await (dryRun ? due() : due().limit(BATCH)) as string[];
    for (const key of keys) {
      if (signal?.aborted) return found;
      if (await blobs.stat(key)) found += 1;
      if (dryRun) continue;
      await blobs.remove(key);
      await db.write(TABLE).delete().where('blob_key', key);
    }
    if (dryRun || keys.length < BATCH) return found;
  }
}
