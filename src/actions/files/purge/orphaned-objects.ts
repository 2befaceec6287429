/** Objects that are removed again after six hours: a stalled writer may have written them again. */
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';

export const TABLE = 'stray_blobs';

export interface OrphanedObject {
  blob_key: string;
  remove_after: string;
}

/**
 * Longer than any write that lost its row: a copy of many parts with all its retries, or an upload.
 */
const WRITTEN_WITHIN_MS = 6 * 3_600_000;

/**
 * Schedules a second removal of an object in six hours. Call it in the transaction that deletes
 * the row of the object, or gives the row another key.
 */
export async function scheduleOrphanRemoval(
  trx: Knex,
  blobKey: string,
  { clock }: Pick<Services, 'clock'>,
): Promise<void> {
  await trx(TABLE)
    .insert({
      blob_key: blobKey,
      remove_after: new Date(clock().getTime() + WRITTEN_WITHIN_MS).toISOString(),
    })
    .onConflict('blob_key')
    .merge();
}

/** Keys of pictures begin with this text. */
export const AVATAR_KEYS = 'avatar-';

/**
 * Keeps an object whose removal was scheduled, because a row names its key now.
 * @returns false if the removal is done, or another process cancelled it
 */
export const cancelOrphanRemoval = async (trx: Knex, blobKey: string): Promise<boolean> =>
  (await trx(TABLE).delete().where('blob_key', blobKey)) > 0;

/** Which of the keys are scheduled for removal. */
export const scheduledKeys = (knex: Knex, keys: readonly string[]): Promise<string[]> =>
  knex<OrphanedObject>(TABLE)
    .whereIn('blob_key', [...keys])
    .pluck('blob_key');
