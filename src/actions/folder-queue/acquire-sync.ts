/** Acquires the lease of a storage whose folders are to be synchronised. */
import type { Services } from '../../context.js';
import { FolderSync } from '../../models/folder-sync.js';
import { leaseEnd, newToken, renewRepeatedly, type HeldLease } from '../leases/lease.js';

/** Everything is synchronised at least so often. */
export const REPEAT_MS = 3_600_000;

type Dependencies = Pick<Services, 'db' | 'clock' | 'settings'>;

const FREE = '(lease_until is null or lease_until <= ?)';
/** A row whose lease has run out belongs to a process that died, or was postponed. It begins again. */
const WAITING = `(due_at <= ? or lease_until is not null) and ${FREE}`;

/** @returns the row that waits longest, leased to the caller; undefined if none waits */
export async function acquireSync(services: Dependencies): Promise<FolderSync | undefined> {
  const { db, clock } = services;
  const now = clock().toISOString();
  const bindings = [now, now];
  const waiting = await FolderSync.query(db.read).select('id').whereRaw(WAITING, bindings).limit(1);
  if (waiting.length === 0) return undefined;
  return leased(
    services,
    `id = (select id from folder_syncs where ${WAITING} order by due_at limit 1 ${db.skipLocked})`,
    bindings,
  );
}

/** The same for one storage, whether it is due or not. @returns undefined while it is leased */
export const acquireSyncOf = (
  services: Dependencies,
  storageId: number,
): Promise<FolderSync | undefined> =>
  leased(services, `storage_id = ? and ${FREE}`, [storageId, services.clock().toISOString()]);

/** Changes that come from now on make the row due again, and are not lost. */
async function leased(
  services: Dependencies,
  condition: string,
  bindings: (string | number)[],
): Promise<FolderSync | undefined> {
  const [row] = await FolderSync.query(services.db.write)
    .patch({
      dueAt: new Date(services.clock().getTime() + REPEAT_MS).toISOString(),
      leaseUntil: leaseEnd(services),
      leaseToken: newToken(),
    })
    .whereRaw(condition, bindings)
    .returning('*');
  return row;
}

/** Renews the lease until `stop` is called. */
export const holdSync = (
  services: Dependencies & Pick<Services, 'log'>,
  { id, leaseToken }: FolderSync,
  parent: AbortSignal,
): HeldLease =>
  renewRepeatedly(
    services,
    { folderSync: id },
    (leaseUntil) =>
      FolderSync.query(services.db.write)
        .patch({ leaseUntil })
        .where({ id, lease_token: leaseToken }),
    parent,
  );
