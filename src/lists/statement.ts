/** Makes the statements that read the rows of a list. */
import type { Model, QueryBuilder } from 'objection';
import { LIMIT, OFFSET, type Database, type Sql } from '../database/index.js';
import type { Record } from '../models/record.js';
import type { User } from '../models/user.js';
import { columnsOf, parameter, selectOnly, type Columns } from '../database/columns.js';
import { PreparedRead } from '../policies/prepared-read.js';
import type { Bound } from './cursor.js';
import type { Given, List, OrderColumn, Rows, Shape } from './list.js';

/** A list with SQL that is made once. Describe it once for the process, not for each request. */
export const fixed = <M extends Record>(list: List<M>): List<M> => ({
  ...list,
  fixed: new PreparedRead<M, Shape>((db, user, shape) =>
    statementOf(list, { db, user }, shape, (name) =>
      name === 'limit' ? LIMIT : name === 'offset' ? OFFSET : parameter(name),
    ),
  ),
});

/** The rows in the direction of reading. */
export async function statementOf<M extends Record>(
  list: List<M>,
  { db, user }: { db: Database; user: User },
  shape: Shape,
  given: Given,
): Promise<{ query: QueryBuilder<M>; columns: Columns }> {
  const { parent, bytes, filters } = list;
  const query = list.rows(db.read, user, given);
  if (parent)
    if (shape.includes('many'))
      query.whereRaw(db.phrases.isOneOf(parent.column), [given('parents') as string]);
    else query.whereRaw(`${parent.column} = ?`, [given('parent') as string]);
  whereAll(query, filters?.(db, given) ?? []);
  if (shape === 'count one') return { query, columns: { total: 'count(*)' } };
  if (shape === 'count many') {
    const column = parent?.column ?? '';
    return { query: query.groupBy(column), columns: { total: 'count(*)', parent: column } };
  }
  const columns = list.columns
    ? await list.columns(db)
    : await columnsOf(db, query.modelClass().tableName);
  const order = orderOf(list, shape.endsWith('backward'));
  whereAll(query, betweenBounds(list, shape, given));
  const read = shape.includes('many pages')
    ? pagesOf(query, { parent: parent?.column ?? '', order, columns, given })
    : { query: query.orderByRaw(order), columns };
  read.query.limit(given('limit') as number);
  if (shape.includes('numbered')) read.query.offset(given('offset') as number);
  return bytes === undefined ? read : upToBytes(read, { order, bytes, given });
}

/** Conditions: the row is behind the first cursor, and before the second. */
export const betweenBounds = (
  list: Pick<List<never>, 'order'>,
  shape: Shape | Rows,
  given: Given,
): Sql[] => [
  ...(/after|between/.test(shape) ? [beyond(list, 'after', given)] : []),
  ...(/before|between/.test(shape) ? [beyond(list, 'before', given)] : []),
];

export const whereAll = <M extends Model>(
  query: QueryBuilder<M>,
  conditions: readonly Sql[],
): QueryBuilder<M> => {
  for (const { text, values } of conditions) query.whereRaw(text, [...values] as string[]);
  return query;
};

export const orderOf = ({ order }: Pick<List<never>, 'order'>, isBackward: boolean): string =>
  order.map(({ sql, descends }) => `${sql} ${descends === isBackward ? 'asc' : 'desc'}`).join(', ');

/** A condition: the row is behind a position, or before it. */
function beyond({ order }: { order: readonly OrderColumn[] }, bound: Bound, given: Given): Sql {
  const sign = (descends: boolean) => (descends === (bound === 'before') ? '>' : '<');
  const values = order.map((_, index) => given(`${bound}${index}`));
  if (order.every(({ descends }) => descends === order[0]?.descends))
    return {
      text:
        `(${order.map(({ sql }) => sql).join(', ')})` +
        ` ${sign(order[0]?.descends ?? false)} (${order.map(() => '?').join(', ')})`,
      values,
    };
  // (a, b) behind (x, y): a behind x, or a = x and b behind y.
  const cases = order.map(({ sql, descends }, index) => ({
    text: [
      ...order.slice(0, index).map((before) => `${before.sql} = ?`),
      `${sql} ${sign(descends)} ?`,
    ].join(' and '),
    values: values.slice(0, index + 1),
  }));
  return {
    text: `(${cases.map(({ text }) => `(${text})`).join(' or ')})`,
    values: cases.flatMap((one) => one.values),
  };
}

/** The first rows of each parent. */
function pagesOf<M extends Model>(
  query: QueryBuilder<M>,
  {
    parent,
    order,
    columns,
    given,
  }: { parent: string; order: string; columns: Columns; given: Given },
) {
  const position = `row_number() over (partition by ${parent} order by ${order})`;
  const numbered = wrap(query, { ...columns, position });
  numbered.query.whereRaw('position <= ?', [given('pageSize') as string]).orderByRaw('position');
  const { position: _, ...names } = numbered.columns;
  return { query: numbered.query, columns: names };
}

/** The rows up to the one that exceeds the number of bytes. `bytes` is the sum up to each row. */
function upToBytes<M extends Model>(
  from: { query: QueryBuilder<M>; columns: Columns },
  { order, bytes, given }: { order: string; bytes: string; given: Given },
) {
  const read = wrap(from.query, from.columns);
  const summed = wrap(read.query, {
    ...read.columns,
    bytes: `sum(${bytes}) over (order by ${order})`,
  });
  summed.query.whereRaw(`bytes - ${bytes} <= ?`, [given('bytes') as string]).orderByRaw(order);
  return summed;
}

/** A query that reads from another query, as if that were the table. */
function wrap<M extends Model>(query: QueryBuilder<M>, columns: Columns) {
  const { tableName } = query.modelClass();
  return {
    query: from(query, selectOnly(query, columns)),
    columns: Object.fromEntries<string>(
      Object.keys(columns).map((name) => [name, `${tableName}.${name}`]),
    ),
  };
}

export const from = <M extends Model>(query: QueryBuilder<M>, rows: QueryBuilder<M>) => {
  const model = query.modelClass();
  // Cast: the compiler does not resolve the query builder of a generic model.
  return model.query(query.knex()).from(rows.as(model.tableName)) as unknown as QueryBuilder<M>;
};
