/** The arguments of lists. */
import { ArgsType, Field, Int, registerEnumType, type ClassType } from 'type-graphql';
import { withCommas } from '../contract/words.js';
import { LONG, PAGES, WHOLE, type Limits } from '../lists/list.js';
import type { Paging } from '../lists/page.js';
import { MAX_ROWS } from '../loaders/document-budget.js';

const NO_CURSOR = 'Error: INVALID_QUERY if it is not a cursor of this list.';

const wholeWords = {
  first:
    'Maximum number of rows, 0 or more. Default: all rows. ' +
    'The first list of a document may have any length. ' +
    `Its other lists may return ${withCommas(MAX_ROWS)} rows together. ` +
    'Error: INVALID_QUERY for a negative number, or if the lists are too long.',
  after: `Cursor of the last row of the previous page: \`pageInfo.endCursor\`. ${NO_CURSOR}`,
  last:
    'Maximum number of rows from the end of the list, or from those before `before`. ' +
    'The rows stay in the order of the list. ' +
    'Error: INVALID_QUERY for a negative number, or together with `first`.',
  before: `Cursor of the first row of the following page: \`pageInfo.startCursor\`. ${NO_CURSOR}`,
};

const limitedWords = ({ most, usual }: Limits): typeof wholeWords => ({
  first:
    `Number of rows from the start, 0 to ${most}. Default: ${usual}. ` +
    'Error: INVALID_QUERY for another number, or together with `last`.',
  after: 'Returns only rows after this cursor. Error: INVALID_QUERY if it is not one of this list.',
  last: `Number of rows from the end, 0 to ${most}. Error: INVALID_QUERY for another number.`,
  before:
    'Returns only rows before this cursor. Error: INVALID_QUERY if it is not one of this list.',
});

const pageWords = ({ counted }: Limits): string =>
  'Number of the page, from 1, with `first` rows on each page. It replaces cursors. ' +
  (counted === undefined ? '' : `Pages end after ${withCommas(counted)} rows, cursors do not. `) +
  'Error: INVALID_QUERY for a number below 1, without `first`, or together with a cursor.';

function argumentsOf(limits: Limits): ClassType<Omit<Paging, 'page'>> {
  const words = limits.most === undefined ? wholeWords : limitedWords(limits);

  @ArgsType()
  class CursorArgs {
    @Field(() => Int, { nullable: true, description: words.first })
    first?: number | null;

    @Field(() => String, { nullable: true, description: words.after })
    after?: string | null;

    @Field(() => Int, { nullable: true, description: words.last })
    last?: number | null;

    @Field(() => String, { nullable: true, description: words.before })
    before?: string | null;
  }
  return CursorArgs;
}

function numbered(limits: Limits): ClassType<Paging> {
  @ArgsType()
  class PagedArgs extends argumentsOf(limits) {
    @Field(() => Int, { nullable: true, description: pageWords(limits) })
    page?: number | null;
  }
  return PagedArgs;
}

/** Lists that have no numbered pages. */
export class PagingArgs extends argumentsOf(WHOLE) {}
export class PagedArgs extends numbered(WHOLE) {}
export class LimitedPagedArgs extends numbered(PAGES) {}
export class LongListArgs extends numbered(LONG) {}
for (const type of [PagingArgs, PagedArgs, LimitedPagedArgs, LongListArgs]) ArgsType()(type);

/** The enum of an order: each column in both directions. */
export const ordersOf = (columns: readonly string[]): { [name: string]: string } =>
  Object.fromEntries(
    columns.flatMap((column) => ['Asc', 'Desc'].map((way) => [column + way, column + way])),
  );

export const describedOrders = (orders: { [name: string]: string }) =>
  Object.fromEntries(
    Object.keys(orders).map((name) => [
      name,
      {
        description: `By ${name.replace(/(Asc|Desc)$/, '')}, ${
          name.endsWith('Asc') ? 'ascending' : 'descending'
        }.`,
      },
    ]),
  );

/** The column and the direction of an order. Cast: the enum has no other columns. */
export const orderOf = <Column extends string>(name: string) => ({
  by: name.replace(/(Asc|Desc)$/, '') as Column,
  descends: name.endsWith('Desc'),
});

/** The arguments of a list that is sorted by creation only, with an enum of its own. */
export interface CreationOrderArgs extends LimitedPagedArgs {
  orderBy: string;
}

/**
 * @param name of the enum
 * @param usual the order without an argument
 */
export function creationOrderArgs(
  name: string,
  { list, usual }: { list: string; usual: 'idAsc' | 'idDesc' },
): ClassType<CreationOrderArgs> {
  const Orders = ordersOf(['id']);
  registerEnumType(Orders, {
    name,
    description: `Order of ${list}.`,
    valuesConfig: describedOrders(Orders),
  });

  @ArgsType()
  class SortedArgs extends LimitedPagedArgs {
    @Field(() => Orders, { defaultValue: usual, description: 'Order of the list.' })
    orderBy!: string;
  }
  return SortedArgs;
}

export const directionOf = ({ orderBy }: CreationOrderArgs): 'asc' | 'desc' =>
  orderBy === 'idDesc' ? 'desc' : 'asc';
