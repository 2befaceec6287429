/** Locks a person who gets something new, so that nobody erases or locks the person meanwhile. */
import type { Knex } from 'knex';
import type { Database } from '../../../database/index.js';
import { User } from '../../../models/user.js';

/** @returns false for a person who is locked or erased */
export async function isActive(db: Database, trx: Knex, id: number): Promise<boolean> {
  const [user] = await db.lockRows(User.query(trx).select('id').where({ id, status: 'active' }));
  return user !== undefined;
}
