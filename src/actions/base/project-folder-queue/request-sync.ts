/**
 * Asks for a synchronisation of the folders of projects, in the transaction of the change.
 * The row is the queue: it cannot get lost, and many changes lead to one synchronisation.
 */
import type { Knex } from 'knex';
import { ProjectFolderMode } from '../../../models/project-storage.js';

/** Changes within this time lead to one synchronisation. */
const COLLECT_MS = 5_000;

/** Which storages a change concerns. */
type Concerned = { storageId: number } | { userId: number } | 'all';

/**
 * Asks for a synchronisation of every storage that a change concerns and that has folders to
 * manage. Call it as the last statement of the transaction: it locks rows of the queue.
 */
export async function requestSync(trx: Knex, concerned: Concerned, now: Date): Promise<void> {
  const dueAt = new Date(now.getTime() + COLLECT_MS).toISOString();
  const at = now.toISOString();
  const managed = await managedStorages(trx, concerned);
  const queue = trx('folder_syncs').select('storage_id');
  // Also storages that have no such project any more: their folders must be hidden.
  if (concerned !== 'all' && 'storageId' in concerned)
    queue.where('storage_id', concerned.storageId);
  if (concerned !== 'all' && 'userId' in concerned) queue.whereIn('storage_id', managed);
  const known: StorageRow[] = await queue;
  const queued = new Set(known.map((row) => row.storage_id));
  const missing = managed.filter((id) => !queued.has(id));
  if (missing.length > 0)
    await trx('folder_syncs')
      .insert(
        missing.map((id) => ({
          storage_id: id,
          due_at: dueAt,
          failures: 0,
          reported: false,
          unknown_people: '{}',
          hidden_folders: '[]',
          foreign_folders: '[]',
          created_at: at,
          updated_at: at,
        })),
      )
      .onConflict('storage_id')
      .ignore();
  const ids = [...queued, ...missing];
  if (ids.length === 0) return;
  // Locked, always in the same order: no process begins before this change is committed.
  const locked: { storage_id: number; due_at: string }[] = await trx('folder_syncs')
    .select('storage_id', 'due_at')
    .whereIn('storage_id', ids)
    .orderBy('storage_id')
    .forUpdate();
  const later = locked.filter((row) => row.due_at > dueAt).map((row) => row.storage_id);
  if (later.length > 0)
    await trx('folder_syncs')
      .update({ due_at: dueAt, updated_at: at })
      .whereIn('storage_id', later)
      .where('due_at', '>', dueAt);
}

/** The storages that a change concerns, with folders to keep or to delete. */
async function managedStorages(trx: Knex, concerned: Concerned): Promise<number[]> {
  const managed: StorageRow[] = await trx('project_storages')
    .select('storage_id')
    .where('project_folder_mode', ProjectFolderMode.AUTOMATIC)
    .union(trx('folder_deletions').select('storage_id'));
  const ids = managed.map((row) => row.storage_id);
  if (concerned === 'all') return ids;
  if ('storageId' in concerned) return ids.filter((id) => id === concerned.storageId);
  const known: StorageRow[] = await trx('storage_tokens')
    .select('storage_id')
    .where('user_id', concerned.userId)
    .union(trx('sign_on_users').select('storage_id').where('user_id', concerned.userId));
  const own = new Set(known.map((row) => row.storage_id));
  return ids.filter((id) => own.has(id));
}

interface StorageRow {
  storage_id: number;
}

/** A person connected to a storage. The storage may know again whom it did not know before. */
export async function personConnected(trx: Knex, storageId: number, now: Date): Promise<void> {
  await requestSync(trx, { storageId }, now);
  await trx('folder_syncs').update({ unknown_people: '{}' }).where('storage_id', storageId);
}
