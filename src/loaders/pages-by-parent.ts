/** Loads the lists of many parents in one statement, whole or by pages. */
import DataLoader from 'dataloader';
import type { Model } from 'objection';
import type { Values } from '../database/index.js';
import type { Record } from '../models/record.js';
import { PreparedRead } from '../policies/prepared-read.js';
import type { Dependencies } from './dependencies.js';
import { partsOf, type Rows, type Shape, type Source } from './list-statements.js';
import {
  FEW_ROWS,
  MAX_BATCH,
  pageFrom,
  positionOf,
  type Bound,
  type Page,
  type PageArguments,
} from './page.js';

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

/** @param values of the parameters of the filter of the list */
export function connectionLoader<M extends Record>(
  list: List<M>,
  needs: Dependencies,
  values: Values = {},
): DataLoader<PageOf, Page<M>, string> {
  const db = needs.db.read;
  const counts = new DataLoader<number, number>(
    async (parents) => {
      const counted = list.rows(db, needs.user).clearSelect();
      const { filter } = list;
      if (filter)
        counted.whereRaw(
          filter.text(needs.db),
          filter.parameters.map((name) => values[name] as string),
        );
      const rows = await counted
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
        for (const row of await readInTurn(needs, list, group, values)) {
          const rows = rowsOf.get(list.parentOf(row));
          if (!rows) throw new Error(`A row has another ${list.parent} than the query selects.`);
          rows.push(row);
        }
      }
      return pages.map((page) => {
        const rows = found.get(page) ?? [];
        const { size = Infinity, after, before } = page;
        const isWhole = after === undefined && before === undefined && rows.length <= size;
        return pageFrom(rows, page, isWhole ? () => rows.length : () => counts.load(page.parentId));
      });
    },
    {
      cacheKeyFn: (page) => `${page.parentId}:${sizeOf(page)}:${boundsOf(page)}`,
      maxBatchSize: MAX_BATCH,
    },
  );
}

/** Pages that one statement can read. */
type Group = readonly [PageOf, ...PageOf[]];

const sizeOf = ({ size, fromEnd }: PageOf) => `${size ?? ''}${fromEnd ? ' from the end' : ''}`;
const boundsOf = ({ after, before }: PageOf) =>
  after === undefined && before === undefined
    ? ''
    : JSON.stringify([after ?? null, before ?? null]);

/** Groups pages without cursors by their size. A page with a cursor is a separate group. */
function groups(pages: readonly PageOf[]): Group[] {
  const grouped = new Map<string, [PageOf, ...PageOf[]]>();
  for (const page of pages) {
    const bounds = boundsOf(page);
    const key = `${sizeOf(page)}:${bounds && `${page.parentId}:${bounds}`}`;
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
  values: Values,
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
  let rows = mayBeFew(group) ? await read(needs, list, group, few, values) : undefined;
  if (!rows || rows.length === few.rows || bytesOf(rows) > few.bytes) {
    await needs.largeAnswer();
    budget?.demand();
    rows = await read(needs, list, group, most, values);
  }
  budget?.takeReadBytes(bytesOf(rows));
  budget?.takeReadRows(Math.max(0, rows.length - group.length));
  return rows;
}

/** More rows than a table can have: keys are 32-bit integers. */
const NO_LIMIT = 2_147_483_647;

const mayBeFew = (group: Group): boolean =>
  group.length === 1 || group.length * (group[0].size ?? Infinity) <= FEW_ROWS;

/** A row of a list with long texts has the sum of the bytes up to this row. */
const bytesOf = (rows: readonly Model[]): number => {
  const { bytes = 0 } = (rows.at(-1) ?? {}) as { bytes?: number | string };
  return Number(bytes);
};

/** Reads the rows of a group in order. It stops after the row that exceeds the number of bytes. */
function read<M extends Record>(
  needs: Dependencies,
  { read, order, first }: List<M>,
  group: Group,
  limits: Limits,
  filterValues: Values,
): Promise<M[]> {
  const { size = NO_LIMIT - 1, fromEnd, parentId } = group[0];
  const values = {
    ...filterValues,
    parent: parentId,
    parents: needs.db.reads.listOf(group.map((page) => page.parentId)),
    ...positionValues(group[0], { order, first }, 'after'),
    ...positionValues(group[0], { order, first }, 'before'),
    pageSize: size + 1,
    limit: group.length === 1 ? Math.min(limits.rows, size + 1) : limits.rows,
    bytes: limits.bytes,
  };
  return read.rows(needs, values, `${rowsOf(group)} ${fromEnd ? 'desc' : 'asc'}`);
}

/** The values of a cursor, by the names of their parameters. @throws InvalidQuery */
function positionValues(
  page: PageOf,
  { order, first }: Pick<List<Record>, 'order'> & { first: 'text' | 'number' | undefined },
  bound: Bound,
) {
  const { [bound]: cursor } = page;
  const position = cursor === undefined ? [] : positionOf(cursor, order.length, bound, first);
  return Object.fromEntries(position.map((value, index) => [`${bound}${index}`, value]));
}

function rowsOf([{ size, after, before }, ...others]: Group): Rows {
  if (others.length > 0) return size === undefined ? 'many' : 'many pages';
  if (after === undefined) return before === undefined ? 'one' : 'one before';
  return before === undefined ? 'one after' : 'one between';
}
