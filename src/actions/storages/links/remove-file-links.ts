/** Removes file links of any work packages within a transaction. The files stay in the storage. */
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import type { Services } from '../../../context.js';
import { chunks } from '../../../database/batches.js';
import { recordEvents } from '../../../events/record.js';
import type { Change } from '../../../models/activity.js';
import { FileLinkEvent } from '../../../models/event.js';
import { FileLink } from '../../../models/file-link.js';
import { recordWorkPackageChanges } from '../../base/history/record-change.js';

interface Removal {
  /** The author in the histories of the work packages. Without it, the histories get no entry. */
  authorId?: number;
  /** Why the service removes them itself. */
  reason?: string;
  now: string;
}

/** Locks links in the order of their ids, as every transaction does. */
export const lockFileLinks = async (
  { db }: Pick<Services, 'db'>,
  links: QueryBuilder<FileLink>,
): Promise<FileLink[]> => db.lockRows(links.orderBy('id'));

/** @param links locked rows */
export async function removeFileLinks(
  { db }: Pick<Services, 'db'>,
  trx: Knex,
  links: readonly FileLink[],
  { authorId, reason, now }: Removal,
): Promise<void> {
  for (const batch of chunks(links)) {
    const ids = batch.map(({ id }) => id);
    await FileLink.query(trx).delete().whereIn('id', ids);
  }
  if (authorId !== undefined)
    await recordWorkPackageChanges(db, trx, changesOf(links), authorId, now);
  await recordEvents(
    db,
    trx,
    links.map((fileLink) => ({ kind: FileLinkEvent.DELETED, fileLink, reason })),
    now,
  );
}

/** The changes of each work package, by its id. */
function changesOf(links: readonly FileLink[]): Map<number, Change[]> {
  const changes = new Map<number, Change[]>();
  for (const { workPackageId, originName } of links) {
    if (workPackageId === null) continue;
    const change: Change = {
      action: 'fileLinkRemoved',
      fileName: originName,
      attachmentDatabaseId: null,
    };
    const known = changes.get(workPackageId);
    if (known) known.push(change);
    else changes.set(workPackageId, [change]);
  }
  return changes;
}
