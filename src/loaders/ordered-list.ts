/**
 * Reads pages of long lists that can be filtered and sorted.
 *
 * A list begins with the first of its `starts` that has few rows, and filters these. If all starts
 * have many rows, many rows usually match. Then the next rows in the order contain a whole page.
 * If they do not, larger starts are tried before all rows are read.
 */
import type { Knex } from 'knex';
import { InvalidQuery } from '../contract/errors.js';
import { MAX_ID } from '../contract/ids.js';
import { isStorableText } from '../contract/text-rules.js';
import type { Client } from '../concurrency/client.js';
import type { Database, Sql } from '../database/index.js';
import type { Record } from '../models/record.js';
import { cursorOf, FEW_ROWS } from './page.js';

/** Counts and numbered pages end here. A list with more rows cannot be sorted by every column. */
export const MANY = 10_000;
/** A start with more rows is not used at first. */
const FEW = 10_000;
/** So many rows are read in the order of the list before larger starts are tried. */
const NEXT_ROWS = [1_000, 10_000];
/** If such a part of these rows matches, the whole list is counted without a start. */
const DENSE = 0.1;
/** A start with more rows is never used. */
const LARGEST_START = 30_000;
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
  /** Starts that are slow to find. They are tried only if the next rows in the order contain no whole page. */
  slowStarts?: readonly (readonly Sql[])[];
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

/** What searches of rows need of a request. */
export interface Searching {
  db: Database;
  client?: Client | undefined;
}

interface Needs extends Searching {
  largeAnswer: () => Promise<void>;
  search: <T>(read: () => Promise<T>) => Promise<T>;
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
    ...(after ? [beyond(list, positionOf(list, after, 'after'), 'after')] : []),
    ...(before ? [beyond(list, positionOf(list, before, 'before'), 'before')] : []),
  ];
  if (size > FEW_ROWS) await needs.largeAnswer();
  const reading = { bounds, isBackward, size, skipped };
  const { rows, conditions } = await needs.search(() => readRows(needs, list, reading));
  const hasMore = rows.length > size;
  const positions = new Map(rows.slice(0, size));
  const nodes = [...positions.keys()];
  if (isBackward) nodes.reverse();
  return {
    nodes,
    hasNextPage: Boolean(before) || (!isBackward && hasMore),
    hasPreviousPage: Boolean(after) || skipped > 0 || (isBackward && hasMore),
    cursorOf: (row) => cursorOf(positions.get(row) ?? []),
    total: () =>
      needs.search(async () => {
        const count = await countAll(needs, list.model.tableName, await conditions());
        return { count: Math.min(count, MANY), isAtLeast: count > MANY };
      }),
  };
}

interface Columns {
  [name: string]: string | number;
}

/** The values of the order, which cursors consist of. */
type Position = readonly (string | number)[];

const nameOf = (index: number) => `position${index}`;

/** Plans for unknown values of such queries are bad. So PostgreSQL plans them each time. */
const UNPREPARED = { prepare: false };

interface Reading {
  /** Behind and before the cursors. */
  bounds: readonly Sql[];
  isBackward: boolean;
  size: number;
  skipped: number;
}

interface Found<M> {
  /** The rows of the page and the one behind it, with their positions. */
  rows: [M, Position][];
  /** Finds conditions of all rows of the list that are fast to count. */
  conditions: () => Promise<readonly Sql[]>;
}

/** @throws InvalidQuery if too many rows are to be sorted */
async function readRows<M extends Record>(
  needs: Searching,
  list: OrderedList<M>,
  { bounds, isBackward, size, skipped }: Reading,
): Promise<Found<M>> {
  const { db, client } = needs;
  const { model, filters, starts, slowStarts = [], order } = list;
  const table = model.tableName;
  const positions = order.map(({ sql }, index) => db.read.raw(`${sql} as ${nameOf(index)}`));
  const inOrder = (query: Knex.QueryBuilder) => {
    for (const { sql, descends } of order)
      query.orderByRaw(`${sql} ${descends === isBackward ? 'asc' : 'desc'}`);
    return query.select(`${table}.*`).options(UNPREPARED);
  };
  const matching = (conditions: readonly Sql[]) =>
    inOrder(whereAll(db.read(table), [...conditions, ...bounds]));
  /** The next so many rows, and of these the ones that match. */
  const matchingOfNext = (count: number) =>
    inOrder(whereAll(db.read.from(matching([]).limit(count).as(table)), filters));
  const read = async (query: Knex.QueryBuilder): Promise<Found<M>['rows']> => {
    if (skipped >= MANY) return [];
    const rows = (await query
      .queryContext({ client })
      .select(positions)
      .limit(size + 1)
      .offset(skipped)) as Columns[];
    return rows.map((row) => [
      model.fromDatabaseJson(row),
      order.map((_, index) => row[nameOf(index)] ?? ''),
    ]);
  };
  const readAll = async (conditions: readonly Sql[]): Promise<Found<M>> => ({
    rows: await read(matching(conditions)),
    conditions: () => Promise.resolve(conditions),
  });

  const few = await startOf(needs, list, starts, FEW);
  if (few) return readAll(few);
  const isIndexed = order.every((column) => column.isIndexed);
  const larger = async () =>
    (await startOf(needs, list, [...slowStarts, ...starts], isIndexed ? LARGEST_START : MANY)) ??
    filters;
  if (isIndexed) {
    if (starts.length + slowStarts.length === 0) return readAll(filters);
    for (const count of NEXT_ROWS) {
      const rows = await read(matchingOfNext(count));
      const most = count * DENSE;
      if (rows.length > size)
        return {
          rows,
          conditions: async () =>
            (await countTo(needs, matchingOfNext(count), most)) < most ? larger() : filters,
        };
      // If so few match, more rows will hardly contain a page. The index of several words probably helps.
      if (slowStarts.length > 0 && skipped === 0 && rows.length * 10 < size) break;
    }
  }
  const all = await larger();
  if (!isIndexed && (await countAll(needs, table, all)) > MANY)
    throw new InvalidQuery(
      'This order is only for lists of up to 10,000 rows. Filter the list, or sort it otherwise.',
      'orderBy',
    );
  return readAll(all);
}

/** Conditions that begin with the keys of the first start that has at most so many. */
async function startOf<M extends Record>(
  needs: Searching,
  { model, filters }: OrderedList<M>,
  starts: OrderedList<M>['starts'],
  most: number,
): Promise<readonly Sql[] | undefined> {
  for (const parts of starts) {
    const keys = await gatheredKeys(needs, parts, most, UNPREPARED);
    if (keys !== undefined)
      return [
        { text: needs.db.reads.isOneOf(`${model.tableName}.id`), values: [keys] },
        ...filters,
      ];
  }
  return undefined;
}

/**
 * The keys that queries select as `id`, put together.
 * @returns one value for `isOneOf`, or undefined if there are more keys than `most`
 */
export async function gatheredKeys(
  { db, client }: Searching,
  parts: readonly Sql[],
  most: number,
  options: object = {},
): Promise<unknown> {
  // Each part is cut, so that its read ends soon.
  const text = parts
    .map((part) => `select id from (${part.text} limit ${most + 1}) as part`)
    .join(' union all ');
  const values = parts.flatMap((part) => part.values);
  const gathered =
    `with found as materialized (${text} limit ${most + 1})` +
    ` select case when count(*) <= ${most} then ${db.reads.gathered('id')} end as ids from found`;
  const [found] = (await db.read
    .select('ids')
    .from(db.read.raw(`(${gathered}) as gathered`, values as Knex.RawBinding[]))
    .queryContext({ client })
    .options(options)) as { ids: unknown }[];
  return found?.ids ?? undefined;
}

/** The number of rows of a query, at most `most`. */
async function countTo(
  { db, client }: Searching,
  rows: Knex.QueryBuilder,
  most: number,
): Promise<number> {
  const counted = rows.limit(most).as('counted');
  const [found] = (await db.read
    .count({ total: '*' })
    .from(counted)
    .queryContext({ client })
    .options(UNPREPARED)) as {
    total: number;
  }[];
  return found?.total ?? 0;
}

/** The number of rows in a table, at most one more than `MANY`. */
const countAll = (needs: Searching, table: string, conditions: readonly Sql[]): Promise<number> => {
  const { read } = needs.db;
  return countTo(needs, whereAll(read(table), conditions).select(read.raw('1')), MANY + 1);
};

const whereAll = (query: Knex.QueryBuilder, conditions: readonly Sql[]): Knex.QueryBuilder => {
  for (const { text, values } of conditions) query.whereRaw(text, values as Knex.RawBinding[]);
  return query;
};

/** A condition: the row is behind a position, or before it. */
function beyond<M extends Record>(
  { order }: OrderedList<M>,
  position: Position,
  argument: 'after' | 'before',
): Sql {
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

/** @throws InvalidQuery */
function positionOf<M extends Record>(
  { order }: OrderedList<M>,
  cursor: string,
  argument: string,
): Position {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (
      Array.isArray(position) &&
      position.length === order.length &&
      position.every((value, index) => typeof value === order[index]?.type && isStorable(value))
    )
      return position as Position;
  } catch {
    // The text is no JSON, so it is no cursor.
  }
  throw new InvalidQuery(`The argument "${argument}" is not a cursor of this list.`, argument);
}

const isStorable = (value: string | number): boolean =>
  typeof value === 'string'
    ? isStorableText(value)
    : Number.isInteger(value) && value >= 0 && value <= MAX_ID;
