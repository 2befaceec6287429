/**
 * Reads pages of long lists that can be filtered and sorted.
 *
 * A list begins with the first of its `starts` that has few rows, and filters these. If all starts
 * have many rows, so many rows match that reading in the order of the list finds a page soon.
 */
import type { Knex } from 'knex';
import { InvalidQuery } from '../contract/errors.js';
import { MAX_ID } from '../contract/ids.js';
import { isStorableText } from '../contract/text-rules.js';
import type { Database, Sql } from '../database/index.js';
import type { Record } from '../models/record.js';
import { cursorOf, FEW_ROWS } from './page.js';

/** Counts and numbered pages end here. A list with more rows cannot be sorted by every column. */
export const MANY = 10_000;
/** Starts with more rows are not used. */
const FEW = 5_000;
export const MAX_FIRST = 100;
export const DEFAULT_FIRST = 20;

/** One column of the order of a list. */
export interface OrderColumn {
  sql: string;
  descends: boolean;
  /** Whether an index has the column. Otherwise only a list with few rows can be sorted by it. */
  isIndexed: boolean;
  type: 'string' | 'number';
}

export interface OrderedList<M extends Record> {
  model: { new (): M; tableName: string; fromDatabaseJson(row: object): M };
  /** Conditions for the rows. A `+` before a column keeps the database from its index. */
  filters: readonly Sql[];
  /** Each selects the keys of all rows of the list, and of others. Its parts are put together. */
  starts: readonly (readonly Sql[])[];
  /** The total order. The last column is the key. */
  order: readonly OrderColumn[];
}

export interface PageWanted {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  /** Number of the page from 1, with `first` rows each. */
  page?: number | null | undefined;
}

export interface OrderedPage<M> {
  nodes: M[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  cursorOf: (row: M) => string;
  /** The number of rows, at most `MANY`. */
  total: () => Promise<{ count: number; isAtLeast: boolean }>;
}

interface Needs {
  db: Database;
  largeAnswer: () => Promise<void>;
}

/** @throws InvalidQuery */
export async function readOrdered<M extends Record>(
  needs: Needs,
  list: OrderedList<M>,
  wanted: PageWanted,
): Promise<OrderedPage<M>> {
  const { first, last, after, before, page } = wanted;
  const isBackward = typeof last === 'number';
  const size = last ?? first ?? DEFAULT_FIRST;
  const skipped = ((page ?? 1) - 1) * size;
  const bounds = [
    ...(after ? [beyond(list, after, 'after')] : []),
    ...(before ? [beyond(list, before, 'before')] : []),
  ];
  if (size > FEW_ROWS) await needs.largeAnswer();
  const source = await sourceOf(needs.db, list);
  const rows: M[] = [];
  const positions = new Map<M, readonly (string | number)[]>();
  if (skipped < MANY) {
    const query = whereAll(needs.db.read(list.model.tableName), [...source, ...bounds])
      .select(`${list.model.tableName}.*`, ...positionOf(needs.db, list))
      .limit(size + 1)
      .offset(skipped)
      .options(UNPREPARED);
    for (const { sql, descends } of list.order)
      query.orderByRaw(`${sql} ${descends === isBackward ? 'asc' : 'desc'}`);
    for (const columns of (await query) as Columns[]) {
      const row = list.model.fromDatabaseJson(columns);
      positions.set(
        row,
        list.order.map((_, index) => columns[nameOf(index)] ?? ''),
      );
      rows.push(row);
    }
  }
  const hasMore = rows.length > size;
  const nodes = rows.slice(0, size);
  if (isBackward) nodes.reverse();
  return {
    nodes,
    hasNextPage: Boolean(before) || (!isBackward && hasMore),
    hasPreviousPage: Boolean(after) || skipped > 0 || (isBackward && hasMore),
    cursorOf: (row) => cursorOf(positions.get(row) ?? []),
    total: async () => {
      const count = await countTo(needs.db, list.model.tableName, source);
      return { count: Math.min(count, MANY), isAtLeast: count > MANY };
    },
  };
}

interface Columns {
  [name: string]: string | number;
}

const nameOf = (index: number) => `position${index}`;

/** The values of the order, which cursors consist of. */
const positionOf = <M extends Record>(db: Database, { order }: OrderedList<M>) =>
  order.map(({ sql }, index) => db.read.raw(`${sql} as ${nameOf(index)}`));

/** Plans for unknown values of such queries are bad. So PostgreSQL plans them each time. */
const UNPREPARED = { prepare: false };

/** The conditions of the rows, of which an index finds the first one if it has few rows. */
async function sourceOf<M extends Record>(
  db: Database,
  { model, filters, starts, order }: OrderedList<M>,
): Promise<readonly Sql[]> {
  const few = await fewOf(db, starts);
  if (few)
    return [
      { text: db.reads.isOneOf(`${model.tableName}.id`), values: [db.reads.listOf(few)] },
      ...filters,
    ];
  if (
    order.some(({ isIndexed }) => !isIndexed) &&
    (await countTo(db, model.tableName, filters)) > MANY
  )
    throw new InvalidQuery(
      'This order is only for lists of up to 10,000 rows. Filter the list, or sort it otherwise.',
      'orderBy',
    );
  return filters;
}

/** The keys of the first start that has few of them. */
async function fewOf(
  db: Database,
  starts: readonly (readonly Sql[])[],
): Promise<number[] | undefined> {
  for (const parts of starts) {
    // Each part is cut, so that its read ends soon.
    const text = parts
      .map((part) => `select id from (${part.text} limit ${FEW + 1}) as part`)
      .join(' union all ');
    const values = parts.flatMap((part) => part.values);
    // Too many keys stay in the database: one null stands for them.
    const keysOrNull =
      `with found as materialized (${text} limit ${FEW + 1})` +
      ` select id from found where (select count(*) from found) <= ${FEW}` +
      ' union all select cast(null as integer) from (select count(*) as total from found) as counted' +
      ` where total > ${FEW}`;
    const found = (await db.read
      .select('id')
      .from(db.read.raw(`(${keysOrNull}) as few`, values as Knex.RawBinding[]))
      .options(UNPREPARED)) as { id: number | null }[];
    const keys = found.flatMap(({ id }) => id ?? []);
    if (keys.length === found.length) return keys;
  }
  return undefined;
}

async function countTo(db: Database, table: string, conditions: readonly Sql[]): Promise<number> {
  const rows = whereAll(db.read(table), conditions)
    .select(db.read.raw('1'))
    .limit(MANY + 1)
    .as('counted');
  const [found] = (await db.read.count({ total: '*' }).from(rows).options(UNPREPARED)) as {
    total: number;
  }[];
  return found?.total ?? 0;
}

const whereAll = (query: Knex.QueryBuilder, conditions: readonly Sql[]): Knex.QueryBuilder => {
  for (const { text, values } of conditions) query.whereRaw(text, values as Knex.RawBinding[]);
  return query;
};

/** A condition: the row is behind the cursor, or before it. @throws InvalidQuery */
function beyond<M extends Record>(
  { order }: OrderedList<M>,
  cursor: string,
  argument: 'after' | 'before',
): Sql {
  const position = positionIn(cursor, order, argument);
  const sign = (descends: boolean) => (descends === (argument === 'before') ? '>' : '<');
  if (order.every(({ descends }) => descends === order[0]?.descends))
    return {
      text:
        `(${order.map(({ sql }) => sql).join(', ')})` +
        ` ${sign(order[0]?.descends ?? false)} (${order.map(() => '?').join(', ')})`,
      values: position,
    };
  // (a, b) behind (x, y): a behind x, or a = x and b behind y.
  const cases = order.map(({ sql, descends }, index) => ({
    text: [
      ...order.slice(0, index).map((before) => `${before.sql} = ?`),
      `${sql} ${sign(descends)} ?`,
    ].join(' and '),
    values: position.slice(0, index + 1),
  }));
  return {
    text: `(${cases.map(({ text }) => `(${text})`).join(' or ')})`,
    values: cases.flatMap(({ values }) => values),
  };
}

function positionIn(
  cursor: string,
  order: readonly OrderColumn[],
  argument: string,
): readonly (string | number)[] {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (
      Array.isArray(position) &&
      position.length === order.length &&
      position.every((value, index) => typeof value === order[index]?.type && isStorable(value))
    )
      return position as (string | number)[];
  } catch {
    // The text is no JSON, so it is no cursor.
  }
  throw new InvalidQuery(`The argument "${argument}" is not a cursor of this list.`, argument);
}

const isStorable = (value: string | number): boolean =>
  typeof value === 'string'
    ? isStorableText(value)
    : Number.isInteger(value) && value >= 0 && value <= MAX_ID;
