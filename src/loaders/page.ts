/** Relay's cursor pages over a list with a total order. */
import type { Model, QueryBuilder } from 'objection';
import { InvalidQuery } from '../contract/errors.js';
import { parseDatabaseId } from '../contract/ids.js';

/** Databases bound the number of values in one statement. */
export const MAX_BATCH = 500;

export interface Page<T> {
  nodes: T[];
  hasNextPage: boolean;
  /** The number of all rows of the list. */
  total: () => number | Promise<number>;
}

export interface PageArguments {
  /** How many at most; absent means all of them. */
  first?: number | undefined;
  /** Cursor of the last row of the page before. */
  after?: string | undefined;
  /** Instead of a cursor: the number of the page, from 1. */
  page?: number | undefined;
}

/** Values of the order's columns, name and id or id alone. */
export type Position = readonly (string | number)[];

export const cursorOf = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** @throws InvalidQuery for anything that `cursorOf` did not make with as many values */
export function positionOf(cursor: string, length: number): Position {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (
      Array.isArray(position) &&
      position.length === length &&
      isKey(position[length - 1]) &&
      (length === 1 || isText(position[0]))
    )
      return position as Position;
  } catch {
    // falls through: not JSON is not a cursor
  }
  throw new InvalidQuery('The argument "after" is not a cursor of this list.', 'after');
}

const isKey = (value: unknown) =>
  typeof value === 'number' && parseDatabaseId(String(value)) !== undefined;
const isText = (value: unknown) => typeof value === 'string' && !value.includes('\0');

/** @throws InvalidQuery for a negative number */
export function pageArguments({
  first,
  after,
  page,
}: {
  first?: number | null;
  after?: string | null;
  page?: number | null;
}): PageArguments {
  if (typeof first === 'number' && first < 0)
    throw new InvalidQuery('The argument "first" is not a count.', 'first');
  if (
    typeof page === 'number' &&
    (page < 1 || typeof first !== 'number' || typeof after === 'string')
  )
    throw new InvalidQuery(
      'The argument "page" is a number from 1 and needs "first" without "after".',
      'page',
    );
  return { first: first ?? undefined, after: after ?? undefined, page: page ?? undefined };
}

/** Splits off the row that was read to learn whether there are more. */
export const pageFrom = <T>(
  rows: T[],
  first: number | undefined,
  total: Page<T>['total'],
): Page<T> =>
  first !== undefined && rows.length > first
    ? { nodes: rows.slice(0, first), hasNextPage: true, total }
    : { nodes: rows, hasNextPage: false, total };

/** So many rows are read at a time, a page of a thousand and the one that follows it: drivers keep each statement's rows a second time until they are handed over. */
const SLICE = 1_001;

/** One page of rows that the caller sees, in the order of their creation. */
export async function byCreation<M extends { id: number }>(
  rows: () => QueryBuilder<Model & M>,
  { first, after, page = 1 }: PageArguments,
  order: 'asc' | 'desc',
): Promise<Page<M>> {
  const key = `${rows().modelClass().tableName}.id`;
  const slice = async (
    limit: number,
    from: number | string | undefined,
    offset: number,
  ): Promise<M[]> => {
    const found = rows().orderBy(key, order).limit(limit);
    if (from !== undefined) found.where(key, order === 'asc' ? '>' : '<', from);
    return await (offset > 0 ? found.offset(offset) : found);
  };
  const before = (page - 1) * (first ?? 0);
  const wanted = first === undefined ? Infinity : first + 1;
  let last = await slice(
    Math.min(wanted, SLICE),
    after === undefined ? undefined : positionOf(after, 1)[0]!,
    before,
  );
  const read = last;
  while (last.length === SLICE && read.length < wanted) {
    last = await slice(Math.min(wanted - read.length, SLICE), read.at(-1)!.id, 0);
    read.push(...last);
  }
  // A last page that is counted from the start tells how many there are.
  const isLast =
    after === undefined &&
    (first === undefined || read.length <= first) &&
    (read.length > 0 || before === 0);
  return pageFrom(read, first, () => (isLast ? before + read.length : rows().resultSize()));
}
