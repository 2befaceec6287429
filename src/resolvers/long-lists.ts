/** The arguments and results of lists that can be searched and sorted. */
import { ArgsType, Field, FieldResolver, Int, Resolver, Root, type ClassType } from 'type-graphql';
import type { Context } from '../context.js';
import { fieldWeights } from '../contract/field-weights.js';
import { withCommas } from '../contract/words.js';
import { MANY, readOrdered, type OrderedList } from '../loaders/ordered-list.js';
import {
  BoundedConnectionOf,
  NotificationConnection,
  containerConnections,
  ProjectConnection,
  UserConnection,
  WorkPackageConnection,
} from '../models/relay-connection.js';
import type { Record } from '../models/record.js';
import { demandPage, LimitedArgs } from './limited-lists.js';
import { counted } from './paging.js';

@ArgsType()
export class LongListArgs extends LimitedArgs {
  @Field(() => Int, {
    nullable: true,
    description:
      'Number of the page, from 1, with `first` rows on each page. It replaces cursors. ' +
      `Pages end after ${withCommas(MANY)} rows, cursors do not. ` +
      'Error: INVALID_QUERY for a number below 1, without `first`, or together with a cursor.',
  })
  page?: number | null;
}

/** Reads a page of a list. @throws InvalidQuery */
export async function longList<M extends Record>(
  context: Context,
  args: LongListArgs,
  listOf: () => OrderedList<M> | Promise<OrderedList<M>>,
): Promise<BoundedConnectionOf<M>> {
  demandPage(context, args);
  const search = <T>(read: () => Promise<T>): Promise<T> =>
    context.budget ? context.budget.search(read) : read();
  const page = await counted(
    context,
    () =>
      search(async () => {
        context.client?.demand();
        return readOrdered(context, await listOf(), args);
      }),
    ({ nodes }) => nodes.length,
  );
  return new BoundedConnectionOf({ ...page, total: () => search(page.total) });
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
