/** Relay's cursor pages of a list with a total order. */
import type { Model, QueryBuilder } from 'objection';
import { InvalidQuery } from '../contract/errors.js';
import { parseDatabaseId } from '../contract/ids.js';
import type { Dependencies } from './dependencies.js';

/** The most keys in one statement. Databases limit the number of values. */
export const MAX_BATCH = 500;

export interface Page<T> {
  /** In the order of the list. */
  nodes: T[];
  /** Whether more rows follow in the direction of reading. */
  hasMore: boolean;
  /** The number of all rows of the list. */
  total: () => number | Promise<number>;
}

export interface PageArguments {
  /** The size of the page. Absent means all rows. */
  size?: number | undefined;
  /** Whether the page is at the end of the rows, not at their begin. */
  fromEnd?: boolean | undefined;
  /** Cursor of the last row before the page. */
  after?: string | undefined;
  /** Cursor of the first row behind the page. */
  before?: string | undefined;
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
 * @param first type of the first of several columns
 * @throws InvalidQuery if `cursorOf` did not make it, or made it with another number of values
 */
export function positionOf(
  cursor: string,
  length: number,
  argument: Bound,
  first: 'text' | 'number' = 'text',
): Position {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (
      Array.isArray(position) &&
      position.length === length &&
      isKey(position[length - 1]) &&
      (length === 1 || (first === 'number' ? isCount : isText)(position[0]))
    )
      return position as Position;
  } catch {
    // The text is no JSON, so it is no cursor.
  }
  throw new InvalidQuery(`The argument "${argument}" is not a cursor of this list.`, argument);
}

/** The arguments that are cursors. */
export type Bound = 'after' | 'before';

/** Reads a cursor of a list that is ordered by its key. @throws InvalidQuery */
const keyOf = (cursor: string | undefined, argument: Bound): number | undefined =>
  cursor === undefined ? undefined : Number(positionOf(cursor, 1, argument).at(-1));

const isKey = (value: unknown) =>
  typeof value === 'number' && parseDatabaseId(String(value)) !== undefined;
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown) => typeof value === 'string' && !value.includes('\0');

interface Paging {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  page?: number | null;
}

/**
 * @throws InvalidQuery for a negative size, for `first` with `last`, or for a page number with a
 *   cursor or without `first`
 */
export function pageArguments({ first, after, last, before, page }: Paging): PageArguments {
  for (const [name, size] of Object.entries({ first, last }))
    if (typeof size === 'number' && size < 0)
      throw new InvalidQuery(`The argument "${name}" is not a count.`, name);
  if (typeof first === 'number' && typeof last === 'number')
    throw new InvalidQuery('The argument "last" does not go with "first".', 'last');
  if (
    typeof page === 'number' &&
    (page < 1 ||
      typeof first !== 'number' ||
      typeof after === 'string' ||
      typeof before === 'string')
  )
    throw new InvalidQuery(
      'The argument "page" is a number from 1 and needs "first" without cursors.',
      'page',
    );
  return {
    size: first ?? last ?? undefined,
    fromEnd: typeof last === 'number',
    after: after ?? undefined,
    before: before ?? undefined,
    page: page ?? undefined,
  };
}

/**
 * Makes a page from its rows, in the direction of reading. One row more than the size shows that
 * further rows exist.
 */
export function pageFrom<T>(
  rows: T[],
  { size, fromEnd }: PageArguments,
  total: Page<T>['total'],
): Page<T> {
  const hasMore = size !== undefined && rows.length > size;
  const nodes = hasMore ? rows.slice(0, size) : rows;
  return { nodes: fromEnd ? nodes.toReversed() : nodes, hasMore, total };
}

/**
 * Reads the same list against its order.
 * @param demand throws for a text that is no cursor of the list
 */
export const reversed =
  <T>(
    load: (page: PageArguments) => Promise<Page<T>>,
    demand: (cursor: string, argument: Bound) => void,
  ) =>
  async ({ fromEnd = false, after, before, ...page }: PageArguments): Promise<Page<T>> => {
    if (after !== undefined) demand(after, 'after');
    if (before !== undefined) demand(before, 'before');
    const found = await load({ ...page, fromEnd: !fromEnd, after: before, before: after });
    return { ...found, nodes: found.nodes.toReversed() };
  };

/**
 * Rows in one statement: a page of a thousand and one more.
 * Drivers hold the rows of a statement twice in memory, so larger pages need several statements.
 */
const SLICE = 1_001;
/** A list with more rows counts as a large answer, which waits for its turn. */
export const FEW_ROWS = 200;

/** The rows to read of a list: those between two keys, at most `limit` after the first `offset`. */
export interface Part {
  after?: number | undefined;
  before?: number | undefined;
  limit: number;
  offset: number;
  /** Reads from the end of the list. The rows are in the direction of reading. */
  fromEnd: boolean;
}

/** A list in the order of creation, or against it. */
export interface CreationList<M> {
  read(part: Part): PromiseLike<M[]>;
  total(): Promise<number>;
}

/** The keys between which rows are, for a list against the order of creation or in it. */
export const keysBetween = <T>(
  { after, before }: { after?: T; before?: T },
  isReversed: boolean,
) => (isReversed ? { above: before, below: after } : { above: after, below: before });

/** The list of the rows of a query. */
export const creationList = <M extends { id: number }>(
  rows: () => QueryBuilder<Model & M>,
  order: 'asc' | 'desc',
): CreationList<M> => ({
  async read({ limit, offset, fromEnd, ...bounds }) {
    const key = `${rows().modelClass().tableName}.id`;
    const isReversed = order === 'desc';
    const found = rows()
      .orderBy(key, isReversed === fromEnd ? 'asc' : 'desc')
      .limit(limit);
    const { above, below } = keysBetween(bounds, isReversed);
    if (above !== undefined) found.where(key, '>', above);
    if (below !== undefined) found.where(key, '<', below);
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
  asked: PageArguments,
  most = Infinity,
): Promise<Page<M>> {
  const { size, fromEnd = false, page = 1 } = asked;
  const skipped = (page - 1) * (size ?? 0);
  const wanted = Math.min(most, size === undefined ? Infinity : size + 1);
  let limit = Math.min(wanted, FEW_ROWS + 1);
  const bounds = { after: keyOf(asked.after, 'after'), before: keyOf(asked.before, 'before') };
  const read = await list.read({ ...bounds, limit, offset: skipped, fromEnd });
  let isFull = read.length === limit;
  if (isFull && limit < wanted) await needs.largeAnswer();
  while (isFull && read.length < wanted) {
    limit = Math.min(wanted - read.length, SLICE);
    const next = await list.read({
      ...bounds,
      [fromEnd ? 'before' : 'after']: read.at(-1)?.id,
      limit,
      offset: 0,
      fromEnd,
    });
    read.push(...next);
    isFull = next.length === limit;
  }
  // On a page without cursors that has the last rows, the total is known without another query.
  const isLast =
    bounds.after === undefined &&
    bounds.before === undefined &&
    (size === undefined || read.length <= size) &&
    (read.length > 0 || skipped === 0);
  return pageFrom(read, asked, () => (isLast ? skipped + read.length : list.total()));
}
