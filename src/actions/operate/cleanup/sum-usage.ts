/** Adds the changes of the used storage to the sums. Safe in several processes at once. */
import type { Services } from '../../../context.js';
import { countRows } from '../../../database/count-rows.js';
import { USAGE, USAGE_CHANGES, type UsageRow } from '../../../models/storage-usage.js';
import { REMOVED_AT_ONCE, type CleanupOptions } from './options.js';

/** @returns the number of changes */
export async function sumUsage(
  { db }: Pick<Services, 'db'>,
  { dryRun, signal }: CleanupOptions,
): Promise<number> {
  if (dryRun) return countRows(db.read(USAGE_CHANGES));
  for (let summed = 0; ;) {
    const some = signal?.aborted ? 0 : await sumSome(db);
    summed += some;
    if (some < REMOVED_AT_ONCE) return summed;
  }
}

/** Another process that sums waits, and then finds other changes. */
const sumSome = (db: Services['db']): Promise<number> =>
  db.write.transaction(async (trx) => {
    const found: (UsageRow & { id: number })[] = await db.lockRows(
      trx(USAGE_CHANGES)
        .select('id', 'project_id', 'kind', 'bytes', 'files')
        .orderBy('id')
        .limit(REMOVED_AT_ONCE),
    );
    const ids = found.map(({ id }) => id);
    await trx(USAGE_CHANGES).delete().whereIn('id', ids);
    const sums = new Map<string, UsageRow>();
    for (const { project_id, kind, ...change } of found) {
      const key = `${project_id} ${kind}`;
      const { bytes = 0, files = 0 } = sums.get(key) ?? {};
      sums.set(key, {
        project_id,
        kind,
        bytes: bytes + change.bytes,
        files: files + change.files,
      });
    }
    // Always in one order: two processes lock the same sums.
    for (const [, sum] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
      await trx(USAGE)
        .insert(sum)
        .onConflict(['project_id', 'kind'])
        .merge({
          bytes: trx.raw('project_usage.bytes + excluded.bytes'),
          files: trx.raw('project_usage.files + excluded.files'),
        });
    return found.length;
  });
