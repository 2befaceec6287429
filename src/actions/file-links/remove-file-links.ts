/** Removes file links, of however many work packages, within a transaction. The files stay where they are. */
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import type { Services } from '../../context.js';
import { recordEvents } from '../../events/record.js';
import type { Change } from '../../models/activity.js';
import { FileLinkEvent } from '../../models/event.js';
import { FileLink } from '../../models/file-link.js';
import { chunks } from '../../database/batches.js';
import { recordWorkPackageChanges } from '../history/record-change.js';

export interface Removal {
  /** Who is said to have removed them, in the histories of their work packages; absent where the work packages go as well, or where there are none. */
  authorId?: number;
  /** Where the service decided. */
  reason?: string;
  now: string;
}

/** Locks links in the order in which everybody locks them. */
export const lockFileLinks = async (
  { db }: Pick<Services, 'db'>,
  some: QueryBuilder<FileLink>,
): Promise<FileLink[]> => db.lockRows(some.orderBy('id'));

/** @param links locked rows */
export async function removeFileLinks(
  { db }: Pick<Services, 'db'>,
  trx: Knex,
  links: readonly FileLink[],
  { authorId, reason, now }: Removal,
): Promise<void> {
  for (const some of chunks(links))
    await FileLink.query(trx)
      .delete()
      .whereIn(
        'id',
        some.map(({ id }) => id),
      );
  if (authorId !== undefined) await recordWorkPackageChanges(trx, changesOf(links), authorId, now);
  await recordEvents(
    db,
    trx,
    links.map((fileLink) => ({ kind: FileLinkEvent.deleted, fileLink, reason })),
    now,
  );
}

function changesOf(links: readonly FileLink[]): Map<number, Change[]> {
  const changes = new Map<number, Change[]>();
  for (const { workPackageId, originName } of links) {
    if (workPackageId === null) continue;
    const change: Change = { action: 'fileLinkRemoved', fileName: originName };
    const known = changes.get(workPackageId);
    if (known) known.push(change);
    else changes.set(workPackageId, [change]);
  }
  return changes;
}
