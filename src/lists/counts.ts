/** Counts the rows of lists. */
import { selectOnly } from '../database/columns.js';
import type { Record } from '../models/record.js';
import type { Shape } from './list.js';
import { UNPREPARED, type Reading } from './rows.js';
import { statementOf } from './statement.js';

/** @param parent absent for a list without parents */
export async function countOne<M extends Record>(
  reading: Reading<M>,
  parent?: number,
): Promise<number> {
  const [row] = await countRows(reading, { parent }, 'count one');
  return Number(row?.total ?? 0);
}

/** Counts the lists of several parents. */
export async function countMany<M extends Record>(
  reading: Reading<M>,
  parents: readonly number[],
): Promise<number[]> {
  // With one value, PostgreSQL also finds the rows of joined tables by it.
  if (parents.length === 1) return [await countOne(reading, parents[0])];
  const { listOf } = reading.needs.db.phrases;
  const rows = await countRows(reading, { parents: listOf([...parents]) }, 'count many');
  const totals = new Map(rows.map(({ parent, total }) => [parent, Number(total)]));
  return parents.map((parent) => totals.get(parent) ?? 0);
}

interface Count {
  total: number;
  parent: number;
}

/** PostgreSQL plans counts for their values: with one plan for any values it would read all rows. */
async function countRows<M extends Record>(
  { needs, list, values }: Reading<M>,
  of: { parent?: number | undefined; parents?: unknown },
  shape: Shape,
): Promise<Count[]> {
  const given: { [name: string]: unknown } = { ...values, ...of };
  const { query, columns } = await statementOf(list, needs, shape, (name) => given[name]);
  return (await selectOnly(query, columns)
    .toKnexQuery()
    .queryContext({ client: needs.client })
    .options(UNPREPARED)) as Count[];
}
