/** Runs the statements of lists. */
import type { QueryBuilder } from 'objection';
import type { Values } from '../database/index.js';
import type { Record } from '../models/record.js';
import { keepPosition, positionOf, type Bound } from './cursor.js';
import type { List, Rows, Shape } from './list.js';
import type { Needs, Searching } from './needs.js';
import type { PageArguments } from './page.js';
import { statementOf } from './statement.js';

/** A list with more rows counts as a large answer, which waits for its turn. */
export const FEW_ROWS = 200;
/** A list with more bytes of texts counts as a large answer, too. */
export const FEW_BYTES = 256 * 1024;
/** Plans for unknown values of some queries are bad. So PostgreSQL plans these each time. */
export const UNPREPARED = { prepare: false };

/** A page of the list of one parent. */
export interface Wanted extends PageArguments {
  /** Absent for a list without parents. */
  parent?: number | undefined;
}

/** A list that a request reads. */
export interface Reading<M extends Record> {
  needs: Needs;
  list: List<M>;
  /** Of the parameters of the list. */
  values: Values;
}

/** Reads rows by the fixed SQL of the list, or by a statement that is made now. */
export async function readRows<M extends Record>(
  { needs, list, values }: Reading<M>,
  given: Values,
  shape: Shape,
): Promise<M[]> {
  const all = { ...values, ...given };
  if (list.fixed) return list.fixed.rows(needs, all, shape);
  const { query } = await statementOf(list, needs, shape, (name) => all[name]);
  return run(needs, list, query);
}

/** Runs a statement. It also reads the positions of the rows, if the order has expressions. */
export async function run<M extends Record>(
  { client }: Searching,
  { order }: List<M>,
  query: QueryBuilder<M>,
  options: object = {},
): Promise<M[]> {
  const model = query.modelClass();
  const isSelected = order.some(({ property }) => property === undefined);
  if (isSelected)
    query.select(
      `${model.tableName}.*`,
      ...order.map(({ sql }, index) => model.raw(`${sql} as ${NAME}${index}`)),
    );
  const rows = (await query.toKnexQuery().queryContext({ client }).options(options)) as {
    [column: string]: string;
  }[];
  return rows.map((values) => {
    const row = model.fromDatabaseJson(values);
    if (isSelected)
      keepPosition(
        row,
        order.map((_, index) => values[`${NAME}${index}`] ?? ''),
      );
    return row;
  });
}

const NAME = 'position';

/** A row of a list with long texts has the sum of the bytes up to this row. */
export const bytesOf = (rows: readonly Record[]): number => {
  const { bytes = 0 } = (rows.at(-1) ?? {}) as { bytes?: number | string };
  return Number(bytes);
};

export const directionOf = ({ fromEnd }: Pick<PageArguments, 'fromEnd'>) =>
  fromEnd ? 'backward' : 'forward';

/** The values of both cursors, by the names of their parameters. @throws InvalidQuery */
export const boundsOf = (list: Pick<List<never>, 'order'>, wanted: PageArguments): Values => ({
  ...boundOf(list, wanted, 'after'),
  ...boundOf(list, wanted, 'before'),
});

function boundOf(list: Pick<List<never>, 'order'>, wanted: PageArguments, bound: Bound): Values {
  const { [bound]: cursor } = wanted;
  return cursor === undefined ? {} : boundAt(bound, positionOf(list, cursor, bound));
}

export const boundAt = (bound: Bound, position: readonly unknown[]): Values =>
  Object.fromEntries(position.map((value, index) => [`${bound}${index}`, value]));

export function rowsBetween(bounds: Values): Rows {
  if ('after0' in bounds) return 'before0' in bounds ? 'one between' : 'one after';
  if ('before0' in bounds) return 'one before';
  return Number(bounds['offset']) > 0 ? 'one numbered' : 'one';
}
