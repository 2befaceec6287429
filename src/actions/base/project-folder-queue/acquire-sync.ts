/** The queue of storages whose folders are to be synchronised. */
import type { Services } from '../../../context.js';
import { FolderSync } from '../../../models/folder-sync.js';
import { holdLease, leaseEnd, type HeldLease } from '../leases/lease.js';
import { acquire, later, lease, leased, type Queue, type QueueNeeds } from '../leases/queue.js';

/** Everything is synchronised at least so often. */
export const REPEAT_MS = 3_600_000;

const FREE = '(lease_until is null or lease_until <= ?)';

const syncs: Queue<FolderSync> = {
  model: FolderSync,
  // A row whose lease has run out belongs to a process that died, or was postponed. It begins again.
  waiting: `(due_at <= ? or lease_until is not null) and ${FREE}`,
  since: 'due_at',
  // Changes that come from now on make the row due again, and are not lost.
  lease: (services) => ({
    dueAt: later(services.clock(), REPEAT_MS),
    leaseUntil: leaseEnd(services),
  }),
};

/** @returns the row that waits longest, leased to the caller; undefined if none waits */
export const acquireSync = (services: QueueNeeds) => acquire(services, syncs);

/** The same for one storage, whether it is due or not. @returns undefined while it is leased */
export const acquireSyncOf = (services: QueueNeeds, storageId: number) =>
  lease(services, syncs, {
    text: `storage_id = ? and ${FREE}`,
    values: [storageId, services.clock().toISOString()],
  });

/** Renews the lease until `stop` is called. */
export const holdSync = (
  services: QueueNeeds & Pick<Services, 'log'>,
  sync: FolderSync,
  parent: AbortSignal,
): HeldLease =>
  holdLease(
    services,
    {
      row: { folderSync: sync.id },
      token: sync.leaseToken,
      renew: (leaseUntil) => leased(FolderSync, services.db.write, sync).patch({ leaseUntil }),
    },
    parent,
  );
