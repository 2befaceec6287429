/** The rows that name one object: a file and its copies. */
import type { Knex } from 'knex';
import type { Database } from '../../../database/index.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';

/** Locks all of them, in the order of their ids. Nobody can make a copy until the locks end. */
export async function lockRowsOf(
  { lockRows }: Pick<Database, 'lockRows'>,
  trx: Knex,
  blobKey: string,
): Promise<Attachment[]> {
  const rowsOf = () => Attachment.query(trx).where('blob_key', blobKey).orderBy('id');
  for (;;) {
    const locked = await lockRows(rowsOf());
    // A new statement sees copies that were committed while the locks were awaited.
    if ((await rowsOf().select('id')).length === locked.length) return locked;
  }
}

/** Whether a finished row names an object, in whatever phase. */
export const isNamed = async (knex: Knex, blobKey: string): Promise<boolean> =>
  (
    await Attachment.query(knex)
      .select('id')
      .where('blob_key', blobKey)
      .whereNot('status', AttachmentStatus.PREPARED)
      .limit(1)
  ).length > 0;

/** Whether other rows than this one name its object. */
export const isShared = async (
  knex: Knex,
  { id, blobKey }: Pick<Attachment, 'id' | 'blobKey'>,
): Promise<boolean> =>
  (await Attachment.query(knex).select('id').where('blob_key', blobKey).whereNot('id', id).limit(1))
    .length > 0;
