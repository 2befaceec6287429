/** Makes the statements that read lists of parents, whole or by pages. */
import type { Knex } from 'knex';
import type { Model, QueryBuilder } from 'objection';
import { LIMIT, type Database } from '../database/index.js';
import type { Record } from '../models/record.js';
import type { User } from '../models/user.js';
import { parameter, selectOnly, type Columns } from '../policies/prepared-read.js';
import type { Bound } from './page.js';

export interface Source<M extends Record> {
  /** The rows of all parents that the caller can see. */
  rows: (db: Knex, user: User) => QueryBuilder<M>;
  columns: (db: Database) => Promise<Columns>;
  /** The foreign key of the parent. */
  parent: string;
  parentOf: (row: M) => number | null;
  /** The columns of the total order. The last one is the key. */
  order: readonly string[];
  /** The type of the first of several columns of the order. Absent: text. */
  first?: 'text' | 'number';
  /** A further condition. Its `?` get the values that each read gives by these names. */
  filter?: { text: (db: Database) => string; parameters: readonly string[] };
  /** SQL for the size of a row, if rows can have long texts. It names columns without a table. */
  bytes?: string;
}

/**
 * What one statement reads.
 * - `one`: all rows of one parent, or its first page
 * - `one after`, `one before`, `one between`: the rows of one parent on one side of a cursor, or
 *   between two
 * - `many`: all rows of several parents
 * - `many pages`: the first page of each of several parents
 */
export type Rows = 'one' | 'one after' | 'one before' | 'one between' | 'many' | 'many pages';
/** The direction of reading. A page from the end is read against the order of the list. */
type Direction = 'asc' | 'desc';
export type Shape = `${Rows} ${Direction}`;

/** The rows of a group in order, for each parent one more than the size of the page. */
export async function partsOf<M extends Record>(
  source: Source<M>,
  db: Database,
  user: User,
  shape: Shape,
): Promise<{ query: QueryBuilder<M>; columns: Columns }> {
  const { rows, parent, bytes, filter } = source;
  const [wanted, direction] = splitShape(shape);
  const order = { columns: source.order, direction };
  const columns = await source.columns(db);
  const query = rows(db.read, user);
  if (wanted.startsWith('many')) query.whereRaw(db.reads.isOneOf(parent), [PARENTS]);
  else query.whereRaw(`${parent} = ?`, [PARENT]);
  if (filter) query.whereRaw(filter.text(db), filter.parameters.map(parameter));
  if (wanted === 'one after' || wanted === 'one between') bounded(query, source.order, 'after');
  if (wanted === 'one before' || wanted === 'one between') bounded(query, source.order, 'before');
  const ordered =
    wanted === 'many pages'
      ? pagesOf(query, { parent, order, columns })
      : { query: sorted(query, order), columns };
  ordered.query.limit(LIMIT);
  return bytes === undefined ? ordered : upToBytes(ordered, { order, bytes });
}

function splitShape(shape: Shape): [Rows, Direction] {
  const direction = shape.endsWith(' asc') ? 'asc' : 'desc';
  // Cast: the rest of the text.
  return [shape.slice(0, -direction.length - 1) as Rows, direction];
}

function bounded<M extends Model>(
  query: QueryBuilder<M>,
  order: readonly string[],
  bound: Bound,
): void {
  query.whereRaw(
    `(${order.join(', ')}) ${bound === 'after' ? '>' : '<'} (${order.map(() => '?').join(', ')})`,
    order.map((_, index) => parameter(`${bound}${index}`)),
  );
}

interface Order {
  columns: readonly string[];
  direction: Direction;
}

const inSql = ({ columns, direction }: Order): string =>
  columns.map((column) => `${column} ${direction}`).join(', ');

const PARENT = parameter('parent');
const PARENTS = parameter('parents');

const sorted = <M extends Model>(query: QueryBuilder<M>, { columns, direction }: Order) => {
  for (const column of columns) query.orderBy(column, direction);
  return query;
};

/** The first rows of each parent. */
function pagesOf<M extends Model>(
  query: QueryBuilder<M>,
  { parent, order, columns }: { parent: string; order: Order; columns: Columns },
) {
  const position = `row_number() over (partition by ${parent} order by ${inSql(order)})`;
  const numbered = wrap(query, { ...columns, position });
  return {
    query: numbered.query.whereRaw('position <= ?', [parameter('pageSize')]).orderBy('position'),
    columns: namesOf(columns, numbered.columns),
  };
}

/** The rows up to the one that exceeds the number of bytes. `bytes` is the sum up to each row. */
function upToBytes<M extends Model>(
  from: { query: QueryBuilder<M>; columns: Columns },
  { order, bytes }: { order: Order; bytes: string },
) {
  const read = wrap(from.query, from.columns);
  const sum = `sum(${bytes}) over (order by ${inSql(order)})`;
  const summed = wrap(read.query, { ...read.columns, bytes: sum });
  summed.query.whereRaw(`bytes - ${bytes} <= ?`, [parameter('bytes')]);
  return { query: sorted(summed.query, order), columns: summed.columns };
}

/** A query that reads from another query, as if that were the table. */
function wrap<M extends Model>(query: QueryBuilder<M>, columns: Columns) {
  const model = query.modelClass();
  const { tableName } = model;
  // Cast: the compiler does not resolve the query builder of a generic model.
  const outer = model
    .query(query.knex())
    .from(selectOnly(query, columns).as(tableName)) as unknown as QueryBuilder<M>;
  return {
    query: outer,
    columns: Object.fromEntries<string>(
      Object.keys(columns).map((name) => [name, `${tableName}.${name}`]),
    ),
  };
}

const namesOf = (wanted: Columns, columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([name]) => name in wanted));
