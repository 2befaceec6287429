/** Arguments and answers of every connection field. */
import { ArgsType, Field, FieldResolver, Int, Resolver, Root, type ClassType } from 'type-graphql';
import type { Context } from '../context.js';
import { cursorOf, pageArguments, type Page, type PageArguments, type Position } from '../loaders/page.js';
import { ActivityConnection, AttachmentConnection, ConnectionOf, FileLinkConnection, ProjectStorageConnection, StorageConnection, WebhookConnection, WebhookDeliveryConnection } from '../models/connection.js';

@ArgsType()
export class PagingArgs {
  @Field(() => Int, { nullable: true, description: 'How many rows at most; absent means all of them.' })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last row of the page before.' })
  after?: string | null;
}

@ArgsType()
export class PagedArgs extends PagingArgs {
  @Field(() => Int, { nullable: true, description: 'Page number, from 1, of pages of `first` rows; instead of `after`.' })
  page?: number | null;
}

/** Reads a page and answers it as a connection. @throws InvalidQuery where the document has read enough */
export async function connection<T>({ rowBudget }: Context, args: PagingArgs, load: (page: PageArguments) => Promise<Page<T>>, positionOf: (node: T) => Position): Promise<ConnectionOf<T>> {
  const page = pageArguments(args);
  rowBudget?.demand();
  const { nodes, hasNextPage, total } = await load(page);
  rowBudget?.take(nodes.length);
  return new ConnectionOf(nodes, hasNextPage, page.after !== undefined, (node) => cursorOf(positionOf(node)), total);
}

const counting = (connectionType: ClassType<object>) => {
  @Resolver(() => connectionType)
  class CountResolver {
    @FieldResolver(() => Int, { description: 'The number of rows of the whole list.' })
    totalCount(@Root() { total }: ConnectionOf<unknown>): number | Promise<number> {
      return total();
    }
  }
  return CountResolver;
};

export const countResolvers = [AttachmentConnection, ActivityConnection, StorageConnection, ProjectStorageConnection, FileLinkConnection, WebhookConnection, WebhookDeliveryConnection].map(counting);
