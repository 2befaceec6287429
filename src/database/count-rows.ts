/** Counts the rows of plain knex queries. */
import type { Knex } from 'knex';

/** Counts the rows of a query without columns. Objection queries have `resultSize()` instead. */
export async function countRows(query: Knex.QueryBuilder): Promise<number> {
  const rows: { total: number }[] = await query.count({ total: '*' });
  return rows[0]?.total ?? 0;
}
