/** Lists below many parents, whole or by first pages, in one statement. */
import DataLoader from 'dataloader';
import type { Knex } from 'knex';
import type { Model, QueryBuilder } from 'objection';
import { MAX_BATCH, pageFrom, positionOf, type Page, type PageArguments } from './page.js';

export interface List<M extends Model> {
  /** The rows of all parents that the caller may see, with the columns to select. */
  rows: (db: Knex) => QueryBuilder<M>;
  /** The column that names the parent. */
  parent: string;
  parentOf: (row: M) => number;
  /** The columns of the total order; the key is the last one. */
  order: readonly string[];
}

export interface PageOf extends PageArguments {
  parentId: number;
}

export function connectionLoader<M extends Model>(
  list: List<M>,
  db: Knex,
): DataLoader<PageOf, Page<M>, string> {
  const counts = new DataLoader<number, number>(
    async (parents) => {
      const rows = (await list
        .rows(db)
        .clearSelect()
        .whereIn(list.parent, [...parents])
        .groupBy(list.parent)
        .select(`${list.parent} as parent`)
        .count('* as total')) as unknown as { parent: number; total: number }[];
      const totals = new Map(rows.map(({ parent, total }) => [parent, Number(total)]));
      return parents.map((parent) => totals.get(parent) ?? 0);
    },
    { maxBatchSize: MAX_BATCH },
  );

  return new DataLoader<PageOf, Page<M>, string>(
    async (pages) => {
      const found = new Map(pages.map((page) => [page, [] as M[]]));
      await Promise.all(
        [...groups(pages).values()].map(async (group) => {
          const byParent = new Map(group.map((page) => [page.parentId, page]));
          for (const row of await read(list, group, db))
            found.get(byParent.get(list.parentOf(row))!)!.push(row);
        }),
      );
      return pages.map((page) => {
        const rows = found.get(page)!;
        const whole = page.first === undefined && page.after === undefined;
        return pageFrom(
          rows,
          page.first,
          whole ? () => rows.length : () => counts.load(page.parentId),
        );
      });
    },
    {
      cacheKeyFn: ({ parentId, first, after }) => `${parentId}:${first ?? ''}:${after ?? ''}`,
      maxBatchSize: MAX_BATCH,
    },
  );
}

/** Pages that one statement can answer: of the same size from the start; what comes after a cursor is a page of its own. */
function groups(pages: readonly PageOf[]): Map<string, PageOf[]> {
  const grouped = new Map<string, PageOf[]>();
  for (const page of pages) {
    const key = `${page.first ?? ''}:${page.after === undefined ? '' : `${page.parentId}:${page.after}`}`;
    grouped.set(key, [...(grouped.get(key) ?? []), page]);
  }
  return grouped;
}

/** The rows of a group in order; of each parent one more than a page holds. */
async function read<M extends Model>(
  { rows, parent, order }: List<M>,
  group: readonly PageOf[],
  db: Knex,
): Promise<M[]> {
  const { first, after, parentId } = group[0]!;
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
    if (first !== undefined) query.limit(first + 1);
    for (const column of order) query.orderBy(column);
    return query;
  }
  const model = query.modelClass();
  query.select(
    model.raw(
      `row_number() over (partition by ${parent} order by ${order.join(', ')}) as position`,
    ),
  );
  return model
    .query(db)
    .from(query.as(model.tableName))
    .where('position', '<=', first + 1)
    .orderBy('position') as unknown as Promise<M[]>;
}
