/** The order of lists that are sorted by creation only. */
import { ArgsType, Field, registerEnumType, type ClassType } from 'type-graphql';
import { LimitedPagedArgs } from './limited-lists.js';
import { describedOrders, ordersOf } from './long-lists.js';

/** The arguments of such a list, with an enum of its own. */
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
