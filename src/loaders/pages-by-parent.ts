/** Loads the lists of many parents in one statement, whole or by pages. */
import DataLoader from 'dataloader';
import type { Knex } from 'knex';
import type { Model, QueryBuilder } from 'objection';
import { LIMIT, type Database } from '../database/index.js';
import type { Record } from '../models/record.js';
import type { User } from '../models/user.js';
import { parameter, PreparedRead, selectOnly, type Columns } from '../policies/prepared-read.js';
import type { Dependencies } from './dependencies.js';
import {
  FEW_ROWS,
  MAX_BATCH,
  pageFrom,
  positionOf,
  type Page,
  type PageArguments,
} from './page.js';

interface Source<M extends Record> {
  /** The rows of all parents that the caller can see. */
  rows: (db: Knex, user: User) => QueryBuilder<M>;
  columns: (db: Database) => Promise<Columns>;
  /** The foreign key of the parent. */
  parent: string;
  parentOf: (row: M) => number | null;
  /** The columns of the total order. The last one is the key. */
  order: readonly string[];
  /** SQL for the size of a row, if rows can have long texts. It names columns without a table. */
  bytes?: string;
}

/**
 * What one statement reads.
 * - `one`: all rows of one parent, or its first page
 * - `one after`: the rows of one parent after a cursor
 * - `many`: all rows of several parents
 * - `many pages`: the first page of each of several parents
 */
type Shape = 'one' | 'one after' | 'many' | 'many pages';

export interface List<M extends Record> extends Source<M> {
  read: PreparedRead<M, Shape>;
}

/**
 * Describes a list, with its prepared read. Call it once for the process, not for each request: the
 * list keeps the SQL that it makes at the first read.
 */
export const list = <M extends Record>(source: Source<M>): List<M> => ({
  ...source,
  read: new PreparedRead<M, Shape>((db, user, shape) => partsOf(source, db, user, shape)),
});

export interface PageOf extends PageArguments {
  parentId: number;
}

export function connectionLoader<M extends Record>(
  list: List<M>,
  needs: Dependencies,
): DataLoader<PageOf, Page<M>, string> {
  const db = needs.db.read;
  const counts = new DataLoader<number, number>(
    async (parents) => {
      const rows = await list
        .rows(db, needs.user)
        .clearSelect()
        .whereIn(list.parent, [...parents])
        .groupBy(list.parent)
        .select(`${list.parent} as parent`)
        .count('* as total')
        .castTo<{ parent: number; total: number }[]>();
      const totals = new Map(rows.map(({ parent, total }) => [parent, total]));
      return parents.map((parent) => totals.get(parent) ?? 0);
    },
    { maxBatchSize: MAX_BATCH },
  );

  return new DataLoader<PageOf, Page<M>, string>(
    async (pages) => {
      const found = new Map<PageOf, M[]>();
      // Groups are read one after the other, so that the budget is checked between them.
      for (const group of groups(pages)) {
        const rowsOf = new Map<number | null, M[]>();
        for (const page of group) {
          const rows: M[] = [];
          found.set(page, rows);
          rowsOf.set(page.parentId, rows);
        }
        for (const row of await readInTurn(needs, list, group)) {
          const rows = rowsOf.get(list.parentOf(row));
          if (!rows) throw new Error(`A row has another ${list.parent} than the query selects.`);
          rows.push(row);
        }
      }
      return pages.map((page) => {
        const rows = found.get(page) ?? [];
        const { first = Infinity, after } = page;
        const isWhole = after === undefined && rows.length <= first;
        return pageFrom(
          rows,
          page.first,
          isWhole ? () => rows.length : () => counts.load(page.parentId),
        );
      });
    },
    {
      cacheKeyFn: ({ parentId, first, after }) => `${parentId}:${first ?? ''}:${after ?? ''}`,
      maxBatchSize: MAX_BATCH,
    },
  );
}

/** Pages that one statement can read. */
type Group = readonly [PageOf, ...PageOf[]];

/** Groups first pages by their size. A page after a cursor is a separate group. */
function groups(pages: readonly PageOf[]): Group[] {
  const grouped = new Map<string, [PageOf, ...PageOf[]]>();
  for (const page of pages) {
    const { first, after, parentId } = page;
    const key = `${first ?? ''}:${after === undefined ? '' : `${parentId}:${after}`}`;
    const group = grouped.get(key);
    if (group) group.push(page);
    else grouped.set(key, [page]);
  }
  return [...grouped.values()];
}

/** Limits of the rows that one statement reads. */
interface Limits {
  rows: number;
  bytes: number;
}

/** A list with more bytes of texts counts as a large answer, which waits for its turn. */
const FEW_BYTES = 256 * 1024;

/**
 * Reads the rows of a group. If they are many, it waits for the caller's turn, without keeping the
 * rows that it has already read.
 * @throws Overloaded
 * @throws InvalidQuery if the rows exceed a limit
 */
async function readInTurn<M extends Record>(
  needs: Dependencies,
  list: List<M>,
  group: Group,
): Promise<M[]> {
  const { budget } = needs;
  budget?.demand();
  // One row more is read for each page: it shows whether there is a next page.
  const most: Limits = budget
    ? { rows: budget.mostRows + group.length, bytes: budget.mostBytes }
    : { rows: NO_LIMIT, bytes: Number.MAX_SAFE_INTEGER };
  const few: Limits = {
    // A read that reaches this number shows that the group has more than a few rows.
    rows: Math.min(most.rows, FEW_ROWS + group.length + 1),
    bytes: Math.min(most.bytes, FEW_BYTES),
  };
  let rows = mayBeFew(group) ? await read(needs, list, group, few) : undefined;
  if (!rows || rows.length === few.rows || bytesOf(rows) > few.bytes) {
    await needs.largeAnswer();
    budget?.demand();
    rows = await read(needs, list, group, most);
  }
  budget?.takeReadBytes(bytesOf(rows));
  budget?.takeReadRows(Math.max(0, rows.length - group.length));
  return rows;
}

/** More rows than a table can have: keys are 32-bit integers. */
const NO_LIMIT = 2_147_483_647;

const mayBeFew = (group: Group): boolean =>
  group.length === 1 || group.length * (group[0].first ?? Infinity) <= FEW_ROWS;

/** A row of a list with long texts has the sum of the bytes up to this row. */
const bytesOf = (rows: readonly Model[]): number => {
  const { bytes = 0 } = (rows.at(-1) ?? {}) as { bytes?: number | string };
  return Number(bytes);
};

/** Reads the rows of a group in order. It stops after the row that exceeds the number of bytes. */
function read<M extends Record>(
  needs: Dependencies,
  { read, order }: List<M>,
  group: Group,
  limits: Limits,
): Promise<M[]> {
  const { first = NO_LIMIT - 1, after, parentId } = group[0];
  const position = after === undefined ? [] : positionOf(after, order.length);
  const values = {
    parent: parentId,
    parents: needs.db.reads.listOf(group.map((page) => page.parentId)),
    ...Object.fromEntries(position.map((value, index) => [`position${index}`, value])),
    pageSize: first + 1,
    limit: group.length === 1 ? Math.min(limits.rows, first + 1) : limits.rows,
    bytes: limits.bytes,
  };
  if (group.length === 1)
    return read.rows(needs, values, after === undefined ? 'one' : 'one after');
  return read.rows(needs, values, group[0].first === undefined ? 'many' : 'many pages');
}

/** The rows of a group in order, for each parent one more than the size of the page. */
async function partsOf<M extends Record>(
  source: Source<M>,
  db: Database,
  user: User,
  shape: Shape,
): Promise<{ query: QueryBuilder<M>; columns: Columns }> {
  const { rows, parent, order, bytes } = source;
  const columns = await source.columns(db);
  const query = rows(db.read, user);
  if (shape === 'one' || shape === 'one after') query.whereRaw(`${parent} = ?`, [PARENT]);
  else query.whereRaw(db.reads.isOneOf(parent), [PARENTS]);
  if (shape === 'one after')
    query.whereRaw(
      `(${order.join(', ')}) > (${order.map(() => '?').join(', ')})`,
      order.map((_, index) => parameter(`position${index}`)),
    );
  const ordered =
    shape === 'many pages'
      ? pagesOf(query, { parent, order, columns })
      : { query: sorted(query, order), columns };
  ordered.query.limit(LIMIT);
  return bytes === undefined ? ordered : upToBytes(ordered, { order, bytes });
}

const PARENT = parameter('parent');
const PARENTS = parameter('parents');

const sorted = <M extends Model>(query: QueryBuilder<M>, order: readonly string[]) => {
  for (const column of order) query.orderBy(column);
  return query;
};

/** The first rows of each parent. */
function pagesOf<M extends Model>(
  query: QueryBuilder<M>,
  { parent, order, columns }: { parent: string; order: readonly string[]; columns: Columns },
) {
  const position = `row_number() over (partition by ${parent} order by ${order.join(', ')})`;
  const numbered = wrap(query, { ...columns, position });
  return {
    query: numbered.query.whereRaw('position <= ?', [parameter('pageSize')]).orderBy('position'),
    columns: namesOf(columns, numbered.columns),
  };
}

/** The rows up to the one that exceeds the number of bytes. `bytes` is the sum up to each row. */
function upToBytes<M extends Model>(
  from: { query: QueryBuilder<M>; columns: Columns },
  { order, bytes }: { order: readonly string[]; bytes: string },
) {
  const read = wrap(from.query, from.columns);
  const sum = `sum(${bytes}) over (order by ${order.join(', ')})`;
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
