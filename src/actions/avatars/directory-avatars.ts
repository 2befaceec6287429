/**
 * The queue of pictures that the directory file names. A row whose `due_at` has passed is a job.
 * Only the process whose token is in the row can finish it.
 */
import type { Knex } from 'knex';
import type { Services } from '../../context.js';
import { DirectoryAvatar } from '../../models/directory-avatar.js';
import { newToken } from '../leases/lease.js';

/** Must be longer than the time-out of an attempt. */
const LEASE_MS = 60_000;

/**
 * SQL condition for the rows that wait. Its one binding is the present time.
 * It repeats the text of the partial index: SQLite does not recognise equivalent conditions.
 */
export const DOWNLOAD_WAITING = 'due_at is not null and due_at <= ?';

/** @returns the row that waits longest, leased to the caller; undefined if no row waits */
export async function acquireDownload({
  db,
  clock,
}: Pick<Services, 'db' | 'clock'>): Promise<DirectoryAvatar | undefined> {
  const now = clock();
  const bindings = [now.toISOString()];
  // A read first: an empty queue costs no write lock.
  const found = await DirectoryAvatar.query(db.read)
    .select('id')
    .whereRaw(DOWNLOAD_WAITING, bindings)
    .limit(1);
  if (found.length === 0) return undefined;
  const [row] = await DirectoryAvatar.query(db.write)
    .patch({
      dueAt: new Date(now.getTime() + LEASE_MS).toISOString(),
      leaseToken: newToken(),
    })
    .whereRaw(
      `id = (select id from directory_avatars where ${DOWNLOAD_WAITING}` +
        ` order by due_at limit 1 ${db.skipLocked})`,
      bindings,
    )
    .returning('*');
  return row;
}

/** The leased row, while no other process, import or person has taken it over. */
export const leased = (knex: Knex, { id, leaseToken }: DirectoryAvatar) =>
  DirectoryAvatar.query(knex).where({ id, lease_token: leaseToken });

/** Ends a download that waits or runs, because a person has changed the picture. */
export async function endDownload(trx: Knex, userId: number): Promise<void> {
  await DirectoryAvatar.query(trx)
    .patch({ dueAt: null, leaseToken: null })
    .where({ user_id: userId })
    .whereNotNull('due_at');
}
