/** The queue of pictures that the directory file names. */
import type { Knex } from 'knex';
import { DirectoryAvatar } from '../../../models/directory-avatar.js';
import { acquire, later, type Queue, type QueueNeeds } from '../../base/leases/queue.js';

/** Must be longer than the time-out of an attempt. */
const LEASE_MS = 60_000;

export const downloads: Queue<DirectoryAvatar> = {
  model: DirectoryAvatar,
  waiting: 'due_at is not null and due_at <= ?',
  since: 'due_at',
  lease: ({ clock }) => ({ dueAt: later(clock(), LEASE_MS) }),
};

export const acquireDownload = (services: QueueNeeds) => acquire(services, downloads);

/** Ends a download that waits or runs, because a person has changed the picture. */
export async function endDownload(trx: Knex, userId: number): Promise<void> {
  await DirectoryAvatar.query(trx)
    .patch({ dueAt: null, leaseToken: null })
    .where({ user_id: userId })
    .whereNotNull('due_at');
}
