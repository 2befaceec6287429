/** The arguments and results of lists that can be searched and sorted. */
import { ArgsType, Field, FieldResolver, Int, Resolver, Root, type ClassType } from 'type-graphql';
import type { Context } from '../context.js';
import { InvalidQuery } from '../contract/errors.js';
import { fieldWeights } from '../contract/field-weights.js';
import { withCommas } from '../contract/words.js';
import {
  DEFAULT_FIRST,
  MANY,
  MAX_FIRST,
  readOrdered,
  type OrderedList,
} from '../loaders/ordered-list.js';
import { pageArguments } from '../loaders/page.js';
import {
  BoundedConnectionOf,
  NotificationConnection,
  containerConnections,
  ProjectConnection,
  UserConnection,
  WorkPackageConnection,
} from '../models/relay-connection.js';
import type { Record } from '../models/record.js';
import { counted } from './paging.js';

const RANGE = `0 to ${MAX_FIRST}`;

@ArgsType()
export class LongListArgs {
  @Field(() => Int, {
    nullable: true,
    description:
      `Number of rows from the start, ${RANGE}. Default: ${DEFAULT_FIRST}. ` +
      'Error: INVALID_QUERY for another number, or together with `last`.',
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Returns only rows after this cursor. Error: INVALID_QUERY if it is not one of this list.',
  })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: `Number of rows from the end, ${RANGE}. Error: INVALID_QUERY for another number.`,
  })
  last?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Returns only rows before this cursor. Error: INVALID_QUERY if it is not one of this list.',
  })
  before?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of the page, from 1, with `first` rows on each page. It replaces cursors. ' +
      `Pages end after ${withCommas(MANY)} rows, cursors do not. ` +
      'Error: INVALID_QUERY for a number below 1, without `first`, or together with a cursor.',
  })
  page?: number | null;
}

/** @throws InvalidQuery */
function demandPage(args: LongListArgs, most: number): void {
  const { size, fromEnd } = pageArguments(args);
  if (size === undefined || size <= most) return;
  const name = fromEnd ? 'last' : 'first';
  throw new InvalidQuery(`The argument "${name}" is a number from 0 to ${most}.`, name);
}

/** Reads a page of a list. REST's own documents have larger pages. @throws InvalidQuery */
export async function longList<M extends Record>(
  context: Context,
  args: LongListArgs,
  listOf: () => OrderedList<M> | Promise<OrderedList<M>>,
): Promise<BoundedConnectionOf<M>> {
  demandPage(args, context.budget ? MAX_FIRST : Infinity);
  const page = await counted(
    context,
    async () => readOrdered(context, await listOf(), args),
    ({ nodes }) => nodes.length,
  );
  return new BoundedConnectionOf(page);
}

const counting = (connectionType: ClassType<object>) => {
  @Resolver(() => connectionType)
  class CountResolver {
    @FieldResolver(() => Int, {
      description: `Number of rows in the whole list, counted up to ${withCommas(MANY)}.`,
      complexity: fieldWeights.searched,
    })
    totalCount(@Root() connection: BoundedConnectionOf<unknown>): number | Promise<number> {
      return connection.total();
    }

    @FieldResolver(() => Boolean, {
      description: 'Whether the list has more rows than `totalCount` says.',
      complexity: fieldWeights.searched,
    })
    async totalIsAtLeast(@Root() connection: BoundedConnectionOf<unknown>): Promise<boolean> {
      return (await connection.counted()).isAtLeast;
    }
  }
  return CountResolver;
};

export const boundedCountResolvers = [
  ProjectConnection,
  WorkPackageConnection,
  UserConnection,
  NotificationConnection,
  ...Object.values(containerConnections),
].map(counting);

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
