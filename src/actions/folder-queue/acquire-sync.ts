/** Acquires the lease of a storage whose folders are to be synchronised. */
import type { Services } from '../../context.js';
import { FolderSync } from '../../models/folder-sync.js';
import { leaseEnd, newToken } from '../leases/lease.js';

/** Everything is synchronised at least so often. */
export const REPEAT_MS = 3_600_000;

type Dependencies = Pick<Services, 'db' | 'clock' | 'settings'>;

const FREE = '(lease_until is null or lease_until <= ?)';
/** A row whose lease has run out belongs to a process that died: its work begins again. */
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

/**
 * Renews the lease until `end` is called. `signal` aborts when the lease is lost, and with `parent`.
 */
export function holdSync(
  services: Dependencies & Pick<Services, 'log'>,
  { id, leaseToken }: FolderSync,
  parent: AbortSignal,
): { signal: AbortSignal; end(): void } {
  const { db, log, settings } = services;
  const controller = new AbortController();
  const stop = () => controller.abort(parent.reason);
  if (parent.aborted) stop();
  else parent.addEventListener('abort', stop, { once: true });
  const renew = async () => {
    try {
      const renewed = await FolderSync.query(db.write)
        .patch({ leaseUntil: leaseEnd(services) })
        .where({ id, lease_token: leaseToken });
      if (renewed === 0) controller.abort(new Error('Another process has taken over.'));
    } catch (error) {
      log.warn({ err: error, folderSync: id }, 'a lease was not renewed');
    }
  };
  const timer = setInterval(() => void renew(), (settings.leaseSeconds * 1000) / 3).unref();
  return {
    signal: controller.signal,
    end() {
      clearInterval(timer);
      parent.removeEventListener('abort', stop);
    },
  };
}
