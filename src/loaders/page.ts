/** Relay's cursor pages of a list with a total order. */
import type { Model, QueryBuilder } from 'objection';
import { InvalidQuery } from '../contract/errors.js';
import { parseDatabaseId } from '../contract/ids.js';
import type { Dependencies } from './dependencies.js';

/** The most keys in one statement. Databases limit the number of values. */
export const MAX_BATCH = 500;

export interface Page<T> {
  nodes: T[];
  hasNextPage: boolean;
  /** The number of all rows of the list. */
  total: () => number | Promise<number>;
}

export interface PageArguments {
  /** The size of the page. Absent means all rows. */
  first?: number | undefined;
  /** Cursor of the last row of the previous page. */
  after?: string | undefined;
  /** Instead of a cursor: the number of the page, from 1. */
  page?: number | undefined;
}

/** Values of the columns of the order: name and id, or id alone. */
export type Position = readonly (string | number)[];

export const cursorOf = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/**
 * Reads a cursor.
 * @param length number of columns in the order
 * @throws InvalidQuery if `cursorOf` did not make it, or made it with another number of values
 */
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
    // The text is no JSON, so it is no cursor.
  }
  throw new InvalidQuery('The argument "after" is not a cursor of this list.', 'after');
}

/** Reads a cursor of a list that is ordered by its key. @throws InvalidQuery */
export const keyOf = (cursor: string): number => Number(positionOf(cursor, 1).at(-1));

const isKey = (value: unknown) =>
  typeof value === 'number' && parseDatabaseId(String(value)) !== undefined;
const isText = (value: unknown) => typeof value === 'string' && !value.includes('\0');

/** @throws InvalidQuery for a negative size, or a page number with a cursor or without a size */
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

/** Makes a page from its rows. One row more than `first` shows that further rows exist. */
export const pageFrom = <T>(
  rows: T[],
  first: number | undefined,
  total: Page<T>['total'],
): Page<T> =>
  first !== undefined && rows.length > first
    ? { nodes: rows.slice(0, first), hasNextPage: true, total }
    : { nodes: rows, hasNextPage: false, total };

/**
 * Rows in one statement: a page of a thousand and one more.
 * Drivers hold the rows of a statement twice in memory, so larger pages need several statements.
 */
const SLICE = 1_001;
/** A list with more rows counts as a large answer, which waits for its turn. */
export const FEW_ROWS = 200;

/** A list in the order of creation, or against it. */
export interface CreationList<M> {
  /**
   * Reads at most `limit` rows. It begins after the row with the key `after`, and skips the first
   * `offset` rows there.
   */
  read(limit: number, after: number | undefined, offset: number): PromiseLike<M[]>;
  total(): Promise<number>;
}

/** The list of the rows of a query. */
export const creationList = <M extends { id: number }>(
  rows: () => QueryBuilder<Model & M>,
  order: 'asc' | 'desc',
): CreationList<M> => ({
  async read(limit, after, offset) {
    const key = `${rows().modelClass().tableName}.id`;
    const found = rows().orderBy(key, order).limit(limit);
    if (after !== undefined) found.where(key, order === 'asc' ? '>' : '<', after);
    return await (offset > 0 ? found.offset(offset) : found);
  },
  total: () => rows().resultSize(),
});

/**
 * Reads one page of a list.
 * @throws InvalidQuery if the rows exceed the budget of the document
 * @throws Overloaded if too many large answers wait for this caller
 */
export function byCreation<M extends { id: number }>(
  needs: Pick<Dependencies, 'budget' | 'largeAnswer'>,
  list: CreationList<M>,
  page: PageArguments,
): Promise<Page<M>> {
  const { budget } = needs;
  if (!budget) return readByCreation(needs, list, page);
  return budget.inTurn(async () => {
    const found = await readByCreation(needs, list, page, budget.mostRows + 1);
    budget.takeReadRows(found.nodes.length);
    return found;
  });
}

async function readByCreation<M extends { id: number }>(
  needs: Pick<Dependencies, 'largeAnswer'>,
  list: CreationList<M>,
  { first, after, page = 1 }: PageArguments,
  most = Infinity,
): Promise<Page<M>> {
  const before = (page - 1) * (first ?? 0);
  const wanted = Math.min(most, first === undefined ? Infinity : first + 1);
  let limit = Math.min(wanted, FEW_ROWS + 1);
  const read = await list.read(limit, after === undefined ? undefined : keyOf(after), before);
  let isFull = read.length === limit;
  if (isFull && limit < wanted) await needs.largeAnswer();
  while (isFull && read.length < wanted) {
    limit = Math.min(wanted - read.length, SLICE);
    const next = await list.read(limit, read.at(-1)?.id, 0);
    read.push(...next);
    isFull = next.length === limit;
  }
  // On a last page that was numbered from the start, the total is known without another query.
  const isLast =
    after === undefined &&
    (first === undefined || read.length <= first) &&
    (read.length > 0 || before === 0);
  return pageFrom(read, first, () => (isLast ? before + read.length : list.total()));
}
