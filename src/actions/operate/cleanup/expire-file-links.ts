/** Removes unclaimed file links that have expired. */
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';
import { FileLink } from '../../../models/file-link.js';
import { removeFileLinks } from '../../storages/links/remove-file-links.js';
import { REMOVED_AT_ONCE, type CleanupOptions } from './options.js';

/** Deletes unclaimed file links after `expires_at`. */
export async function expireFileLinks(
  { db, clock }: Services,
  { dryRun, signal }: CleanupOptions = {},
): Promise<number> {
  const due = (knex: Knex) =>
    FileLink.query(knex)
      .whereNull('work_package_id')
      .whereNotNull('expires_at')
      .where('expires_at', '<=', clock().toISOString());
  if (dryRun) return due(db.read).resultSize();
  let expired = 0;
  for (;;) {
    const batch = await due(db.read).select('id').orderBy('expires_at').limit(REMOVED_AT_ONCE);
    if (batch.length === 0 || signal?.aborted) return expired;
    const ids = batch.map(({ id }) => id);
    expired += await db.write.transaction(async (trx) => {
      const links = await db.lockRows(due(trx).whereIn('id', ids).orderBy('id'));
      await removeFileLinks({ db }, trx, links, { reason: 'expired', now: clock().toISOString() });
      return links.length;
    });
  }
}
