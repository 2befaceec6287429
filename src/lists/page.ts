/** Pages of lists: their arguments and their rows. */
import { InvalidQuery } from '../contract/errors.js';
import type { MaybePromise } from '../concurrency/maybe-promise.js';

export interface Total {
  count: number;
  /** Whether the list has more rows. */
  isAtLeast: boolean;
}

export interface Page<M> {
  /** In the order of the list. */
  nodes: M[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  cursorOf: (row: M) => string;
  /** The number of all rows of the list. */
  total: () => MaybePromise<Total>;
}

/** The arguments of Relay, and the number of the page. */
export interface Paging {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  page?: number | null;
}

export interface PageArguments {
  /** The size of the page. Absent means all rows. */
  size?: number | undefined;
  /** Whether the page is at the end of the rows, not at their begin. */
  fromEnd: boolean;
  /** Cursor of the last row before the page. */
  after?: string | undefined;
  /** Cursor of the first row behind the page. */
  before?: string | undefined;
  /** The number of rows before the page. */
  skipped: number;
}

/**
 * @param limits absent: pages of any size, and without a size all rows
 * @throws InvalidQuery for sizes and numbers that do not go together, or are outside of the limits
 */
export function pageArguments(
  { first, after, last, before, page }: Paging,
  { most = Infinity, usual }: { most?: number; usual?: number } = {},
): PageArguments {
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
  for (const [name, size] of Object.entries({ first, last }))
    if (typeof size === 'number' && size > most)
      throw new InvalidQuery(`The argument "${name}" is a number from 0 to ${most}.`, name);
  const size = first ?? last ?? usual;
  return {
    size,
    fromEnd: typeof last === 'number',
    after: after ?? undefined,
    before: before ?? undefined,
    skipped: ((page ?? 1) - 1) * (size ?? 0),
  };
}

/** @param rows in the direction of reading, one more than the size if further ones exist */
export function pageFrom<M>(
  rows: M[],
  { size, fromEnd, after, before, skipped }: PageArguments,
  { cursorOf, total }: Pick<Page<M>, 'cursorOf' | 'total'>,
): Page<M> {
  const hasMore = size !== undefined && rows.length > size;
  const nodes = hasMore ? rows.slice(0, size) : rows;
  return {
    nodes: fromEnd ? nodes.toReversed() : nodes,
    hasNextPage: before !== undefined || (hasMore && !fromEnd),
    hasPreviousPage: after !== undefined || skipped > 0 || (hasMore && fromEnd),
    cursorOf,
    total,
  };
}
