/** The arguments of lists. */
import { ArgsType, Field, Int, registerEnumType, type ClassType } from 'type-graphql';
import { MAX_COUNTED, MAX_PAGE, USUAL_PAGE } from '../contract/limits.js';
import { constantCase, withCommas } from '../contract/words.js';
import type { Paging } from '../lists/page.js';

const NO_CURSOR = 'Error: INVALID_QUERY if it is not a cursor of this list.';

@ArgsType()
export class PagingArgs implements Omit<Paging, 'page'> {
  @Field(() => Int, {
    nullable: true,
    description:
      `Number of rows from the start, 0 to ${MAX_PAGE}. Default: ${USUAL_PAGE}. ` +
      'Error: INVALID_QUERY for another number, or together with `last`.',
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: `Returns only rows after this cursor: \`pageInfo.endCursor\`. ${NO_CURSOR}`,
  })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      `Number of rows from the end, 0 to ${MAX_PAGE}. The rows stay in the order of the list. ` +
      'Error: INVALID_QUERY for another number.',
  })
  last?: number | null;

  @Field(() => String, {
    nullable: true,
    description: `Returns only rows before this cursor: \`pageInfo.startCursor\`. ${NO_CURSOR}`,
  })
  before?: string | null;
}

@ArgsType()
export class PagedArgs extends PagingArgs implements Paging {
  @Field(() => Int, {
    nullable: true,
    description:
      'Number of the page, from 1, with `first` rows on each page. It replaces cursors. ' +
      `Pages of searched lists end after ${withCommas(MAX_COUNTED)} rows, cursors do not. ` +
      'Error: INVALID_QUERY for a number below 1, without `first`, or together with a cursor.',
  })
  page?: number | null;
}

/** The enum of an order: each column in both directions. */
export const ordersOf = (columns: readonly string[]): { [name: string]: string } =>
  Object.fromEntries(
    columns.flatMap((column) =>
      ['Asc', 'Desc'].map((way) => [constantCase(column + way), column + way]),
    ),
  );

export const describedOrders = (orders: { [name: string]: string }) =>
  Object.fromEntries(
    Object.entries(orders).map(([name, order]) => {
      const { by, descends } = orderOf(order);
      return [name, { description: `By ${by}, ${descends ? 'descending' : 'ascending'}.` }];
    }),
  );

/** The column and the direction of an order. Cast: the enum has no other columns. */
export const orderOf = <Column extends string>(order: string) => ({
  by: order.replace(/(Asc|Desc)$/, '') as Column,
  descends: order.endsWith('Desc'),
});

/** The arguments of a list that is sorted by creation only, with an enum of its own. */
export interface CreationOrderArgs extends PagedArgs {
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
  class SortedArgs extends PagedArgs {
    @Field(() => Orders, { defaultValue: usual, description: 'Order of the list.' })
    orderBy!: string;
  }
  return SortedArgs;
}

export const directionOf = ({ orderBy }: CreationOrderArgs): 'asc' | 'desc' =>
  orderBy === 'idDesc' ? 'desc' : 'asc';
