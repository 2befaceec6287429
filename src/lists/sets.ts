/** Sets of keys, as conditions for columns that refer to them. */
import { MAX_COUNTED } from '../contract/limits.js';
import type { Sql } from '../database/index.js';
import { sql } from './conditions.js';
import type { Searching } from './needs.js';
import { gatheredKeys } from './searched.js';

/** A condition for a column that refers to rows of the set. */
export interface InSet {
  (column: string): Sql;
  /** Absent: too many to be found. */
  keys?: readonly number[];
}

/** Found once here, because each statement of a list needs them. */
export async function foundSet(needs: Searching, keys: Sql): Promise<InSet> {
  const found = await gatheredKeys(needs, [keys], MAX_COUNTED);
  if (found === undefined) return within(keys);
  const isIn = (column: string) => sql(needs.db.phrases.isOneOf(column), [found]);
  return Object.assign(isIn, { keys: [...new Set(String(found).match(/\d+/g)?.map(Number))] });
}

export const within =
  ({ text, values }: Sql): InSet =>
  (column) =>
    sql(`${column} in (${text})`, values);
