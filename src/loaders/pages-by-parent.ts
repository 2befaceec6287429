/** Loads the lists of many parents in one statement, whole or by pages. */
import DataLoader from 'dataloader';
import type { Knex } from 'knex';
import type { Model, QueryBuilder } from 'objection';
import type { Dependencies } from './dependencies.js';
import {
  FEW_ROWS,
  MAX_BATCH,
  pageFrom,
  positionOf,
  type Page,
  type PageArguments,
} from './page.js';

export interface List<M extends Model> {
  /** The rows of all parents that the caller can see, with the columns to select. */
  rows: (db: Knex) => QueryBuilder<M>;
  /** The foreign key of the parent. */
  parent: string;
  parentOf: (row: M) => number | null;
  /** The columns of the total order. The last one is the key. */
  order: readonly string[];
  /** SQL for the size of a row, if rows can have long texts. It names columns without a table. */
  bytes?: string;
}

export interface PageOf extends PageArguments {
  parentId: number;
}

export function connectionLoader<M extends Model>(
  list: List<M>,
  needs: Dependencies,
): DataLoader<PageOf, Page<M>, string> {
  const db = needs.db.read;
  const counts = new DataLoader<number, number>(
    async (parents) => {
      const rows = await list
        .rows(db)
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
      // One after the other, so that the budget is checked between them.
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

/** Texts of more bytes make a large answer. */
const FEW_BYTES = 256 * 1024;

/**
 * Reads the rows of a group. If they are many, it waits for the caller's turn, without keeping the
 * rows that it has already read.
 * @throws Overloaded
 * @throws InvalidQuery if the rows exceed a limit
 */
async function readInTurn<M extends Model>(
  needs: Dependencies,
  list: List<M>,
  group: Group,
): Promise<M[]> {
  const { db, budget } = needs;
  budget?.demand();
  // Each page has one row more than its size.
  const most: Limits = budget
    ? { rows: budget.mostRows + group.length, bytes: budget.mostBytes }
    : { rows: Infinity, bytes: Number.MAX_SAFE_INTEGER };
  const few: Limits = {
    // One more than the rows that a group of few can have.
    rows: Math.min(most.rows, FEW_ROWS + group.length + 1),
    bytes: Math.min(most.bytes, FEW_BYTES),
  };
  let rows = mayBeFew(group) ? await read(list, group, db.read, few) : undefined;
  if (!rows || rows.length === few.rows || bytesOf(rows) > few.bytes) {
    await needs.largeAnswer();
    budget?.demand();
    rows = await read(list, group, db.read, most);
  }
  budget?.takeReadBytes(bytesOf(rows));
  budget?.takeReadRows(Math.max(0, rows.length - group.length));
  return rows;
}

const mayBeFew = (group: Group): boolean =>
  group.length === 1 || group.length * (group[0].first ?? Infinity) <= FEW_ROWS;

/** A row of a list with long texts has the sum of the bytes up to this row. */
const bytesOf = (rows: readonly Model[]): number => {
  const { bytes = 0 } = (rows.at(-1) ?? {}) as { bytes?: number | string };
  return Number(bytes);
};

/** Reads the rows of a group in order. It stops after the row that exceeds the number of bytes. */
async function read<M extends Model>(
  list: List<M>,
  group: Group,
  db: Knex,
  limits: Limits,
): Promise<M[]> {
  const query = rowsOf(list, group, db, limits.rows);
  const { bytes, order } = list;
  if (bytes === undefined) return query;
  const model = query.modelClass();
  const sums = model
    .query(db)
    .from(query.as(model.tableName))
    .select('*', model.raw(`sum(${bytes}) over (order by ${order.join(', ')}) as bytes`));
  const found = model
    .query(db)
    .from(sums.as(model.tableName))
    .whereRaw(`bytes - ${bytes} <= ?`, [limits.bytes]);
  for (const column of order) found.orderBy(column);
  return found.castTo<M[]>();
}

/** The rows of a group in order, for each parent one more than the size of the page. */
function rowsOf<M extends Model>(
  { rows, parent, order }: List<M>,
  group: Group,
  db: Knex,
  most: number,
): QueryBuilder<M> {
  const { first, after, parentId } = group[0];
  const query = rows(db);
  if (group.length === 1) query.where(parent, parentId);
  else
    query.whereIn(
      parent,
      group.map((page) => page.parentId),
    );
  if (after !== undefined)
    query.whereRaw(`(${order.join(', ')}) > (${order.map(() => '?').join(', ')})`, [
      ...positionOf(after, order.length),
    ]);
  if (first === undefined || group.length === 1) {
    const limit = Math.min(most, first === undefined ? Infinity : first + 1);
    if (limit < Infinity) query.limit(limit);
    for (const column of order) query.orderBy(column);
    return query;
  }
  const model = query.modelClass();
  query.select(
    model.raw(
      `row_number() over (partition by ${parent} order by ${order.join(', ')}) as position`,
    ),
  );
  const pages = model
    .query(db)
    .from(query.as(model.tableName))
    .where('position', '<=', first + 1)
    .orderBy('position');
  if (most < Infinity) pages.limit(most);
  // Cast: the compiler does not resolve the query builder of a generic model.
  return pages as unknown as QueryBuilder<M>;
}
