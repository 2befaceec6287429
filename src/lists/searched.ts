/**
 * Reads pages of long lists that can be filtered and sorted.
 *
 * A list begins with the first of its `starts` that has few rows, and filters these. If all starts
 * have many rows, many rows usually match. Then the next rows in the order contain a whole page.
 * If they do not, larger starts are tried before all rows are read.
 */
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import { MAX_COUNTED } from '../contract/limits.js';
import { InvalidQuery } from '../contract/errors.js';
import type { Sql } from '../database/index.js';
import type { Record } from '../models/record.js';
import { cursorOf } from './cursor.js';
import type { List } from './list.js';
import type { Needs, Searching } from './needs.js';
import { pageFrom, type Page, type PageArguments, type Total } from './page.js';
import { boundsOf, directionOf, FEW_ROWS, rowsBetween, run, UNPREPARED } from './rows.js';
import { betweenBounds, from, orderOf, statementOf, whereAll } from './statement.js';

/** A start with more rows is not used at first. */
export const FEW = 10_000;
/** So many rows are read in the order of the list before larger starts are tried. */
const NEXT_ROWS = 1_000;
/** If such a part of these rows matches, the whole list is counted without a start. */
const DENSE = 0.1;
/** A start with more rows is never used. */
const LARGEST_START = 30_000;

/** @throws InvalidQuery if too many rows are to be sorted */
export async function searchedPage<M extends Record>(
  needs: Needs,
  list: List<M>,
  wanted: PageArguments,
): Promise<Page<M>> {
  const bounds = boundsOf(list, wanted);
  const { size = Infinity } = wanted;
  if (size > FEW_ROWS) await needs.largeAnswer();
  const { rows, total } = await needs.search(() => readRows(needs, list, { wanted, bounds, size }));
  return pageFrom(rows, wanted, {
    cursorOf: (row) => cursorOf(list, row),
    total: () => needs.search(total),
  });
}

interface Found<M> {
  /** The rows of the page and the one behind it, in the direction of reading. */
  rows: M[];
  total: () => Promise<Total>;
}

interface Reading {
  wanted: PageArguments;
  /** Values of the cursors. */
  bounds: { [name: string]: unknown };
  size: number;
}

/** @throws InvalidQuery if too many rows are to be sorted */
async function readRows<M extends Record>(
  needs: Needs,
  list: List<M>,
  { wanted, bounds, size }: Reading,
): Promise<Found<M>> {
  const { db, user } = needs;
  const { fromEnd, skipped } = wanted;
  const { starts = [], slowStarts = [], ranges, order } = list;
  // A query in a promise would run.
  const matching = (conditions: readonly Sql[], limit: number, offset = 0) => {
    const values = { ...bounds, limit, offset };
    return statementOf(
      { ...list, filters: () => conditions },
      { db, user },
      `${rowsBetween(values)} ${directionOf(wanted)}`,
      (name) => values[name as keyof typeof values],
    );
  };
  const none = () => undefined;
  const filters = list.filters?.(db, none) ?? [];
  const total = async (conditions: readonly Sql[]): Promise<Total> => {
    const rows = whereAll(list.rows(db.read, user, none), conditions);
    const count = await countTo(needs, rows, MAX_COUNTED + 1);
    return { count: Math.min(count, MAX_COUNTED), isAtLeast: count > MAX_COUNTED };
  };
  const read = (query: QueryBuilder<M>): Promise<M[]> =>
    skipped >= MAX_COUNTED ? Promise.resolve([]) : run(needs, list, query, UNPREPARED);
  const readAll = async (conditions: readonly Sql[]): Promise<Found<M>> => {
    const { query } = await matching(conditions, size + 1, skipped);
    return { rows: await read(query), total: () => total(conditions) };
  };

  const few = await startOf(needs, list, starts, FEW);
  if (few) return readAll([few, ...filters]);
  const isIndexed = order.every((column) => column.isIndexed);
  const larger = async () => {
    const most = isIndexed ? LARGEST_START : MAX_COUNTED;
    const start = await startOf(needs, list, [...slowStarts, ...starts], most);
    return start ? [start, ...filters] : filters;
  };
  if (isIndexed) {
    if (starts.length + slowStarts.length === 0) return readAll(filters);
    const { query: next } = await matching(
      ranges ? [nextIn(list, ranges, { wanted, bounds, size })] : [],
      NEXT_ROWS,
    );
    /** The next so many rows, and of these the ones that match. */
    const nextRows = () => whereAll(from(next, next), filters).orderByRaw(orderOf(list, fromEnd));
    const rows = await read(
      nextRows()
        .limit(size + 1)
        .offset(skipped),
    );
    if (rows.length > size)
      return {
        rows,
        total: async () => {
          const most = NEXT_ROWS * DENSE;
          const isDense = (await countTo(needs, nextRows(), most)) >= most;
          return total(isDense ? filters : await larger());
        },
      };
  }
  const all = await larger();
  if (!isIndexed && (await total(all)).isAtLeast)
    throw new InvalidQuery(
      'This order is only for lists of up to 10,000 rows. Filter the list, or sort it otherwise.',
      'orderBy',
    );
  return readAll(all);
}

/** A condition: the keys of the next rows in some ranges. */
function nextIn<M extends Record>(
  list: List<M>,
  ranges: readonly Sql[],
  { wanted: { fromEnd }, bounds }: Reading,
): Sql {
  const between = betweenBounds(list, rowsBetween(bounds), (name) => bounds[name]);
  const conditions = between.map(({ text }) => ` and ${text}`).join('');
  const order = orderOf(list, fromEnd);
  const direction = order.endsWith('asc') ? 'asc' : 'desc';
  const parts = ranges.map(
    ({ text }) =>
      `select id from (${text}${conditions} order by ${order} limit ${NEXT_ROWS}) as part`,
  );
  return {
    text:
      `${keyOf(list)} in (select id from (${parts.join(' union all ')}) as parts` +
      ` order by id ${direction} limit ${NEXT_ROWS})`,
    values: ranges.flatMap(({ values }) => [...values, ...between.flatMap((one) => one.values)]),
  };
}

const keyOf = ({ order }: Pick<List<never>, 'order'>): string => order.at(-1)?.sql ?? '';

/** A condition: the keys of the first start that has at most so many. */
async function startOf<M extends Record>(
  needs: Searching,
  list: List<M>,
  starts: readonly (readonly Sql[])[],
  most: number,
): Promise<Sql | undefined> {
  for (const parts of starts) {
    const keys = await gatheredKeys(needs, parts, most, UNPREPARED);
    if (keys !== undefined) return { text: needs.db.phrases.isOneOf(keyOf(list)), values: [keys] };
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
    ` select case when count(*) <= ${most} then ${db.phrases.gathered('id')} end as ids from found`;
  const [found] = (await db.read
    .select('ids')
    .from(db.read.raw(`(${gathered}) as gathered`, values as Knex.RawBinding[]))
    .queryContext({ client })
    .options(options)) as { ids: unknown }[];
  return found?.ids ?? undefined;
}

/** The number of rows of a query, at most `most`. */
async function countTo<M extends Record>(
  { db, client }: Searching,
  rows: QueryBuilder<M>,
  most: number,
): Promise<number> {
  const counted = rows.clearOrder().clearSelect().select(db.read.raw('1')).limit(most);
  const [found] = (await db.read
    .count({ total: '*' })
    .from(counted.toKnexQuery().as('counted'))
    .queryContext({ client })
    .options(UNPREPARED)) as { total: number }[];
  return found?.total ?? 0;
}
