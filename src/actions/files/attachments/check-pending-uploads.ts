/** Limits the uploads of a user that are not finished or that no container has. */
import type { Knex } from 'knex';
import type { Context } from '../../../context.js';
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import { User } from '../../../models/user.js';

/** Same words as in the index `attachments_pending_index`: otherwise SQLite does not use it. */
export const PENDING = "(status = 'prepared' or expires_at is not null)";

/**
 * Call it in the transaction that inserts the row.
 * Locks the user's row, so that two concurrent requests cannot both use the last of the quota.
 * @param bytes size of the new file, or the most that it can have
 * @throws PropertyConstraintViolation
 */
export async function checkPendingUploads(
  { user, db, settings: { pendingUploads, pendingUploadBytes } }: Context,
  trx: Knex,
  bytes: number,
): Promise<void> {
  await db.lockRows(User.query(trx).findById(user.id).select('id'));
  // PostgreSQL returns counts and sums as text, and the sum of no rows is null.
  const pending = (await trx('attachments')
    .where('author_id', user.id)
    .whereNot('phase', 'deleting')
    .whereRaw(PENDING)
    .count('* as uploads')
    .sum('file_size as bytes')
    .first()) as { uploads: number | string; bytes: number | string | null };
  if (Number(pending.uploads) >= pendingUploads)
    throw new PropertyConstraintViolation(
      `Too many uploads are pending (maximum is ${pendingUploads}). ` +
        'Complete or delete some of them first.',
      'base',
    );
  if (Number(pending.bytes) + bytes > pendingUploadBytes)
    throw new PropertyConstraintViolation(
      `The pending uploads are too large together (maximum is ${pendingUploadBytes} Bytes). ` +
        'Complete or delete some of them first.',
      'base',
    );
}
