/** Arguments and answers of every connection field. */
import { ArgsType, Field, FieldResolver, Int, Resolver, Root, type ClassType } from 'type-graphql';
import type { Context } from '../context.js';
import {
  cursorOf,
  pageArguments,
  type Page,
  type PageArguments,
  type Position,
} from '../loaders/page.js';
import {
  ActivityConnection,
  AttachmentConnection,
  ConnectionOf,
  FileLinkConnection,
  ProjectStorageConnection,
  StorageConnection,
  WebhookConnection,
  WebhookDeliveryConnection,
} from '../models/connection.js';

@ArgsType()
export class PagingArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'How many rows at most; absent means all of them.',
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the last row of the page before.',
  })
  after?: string | null;
}

@ArgsType()
export class PagedArgs extends PagingArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'Page number, from 1, of pages of `first` rows; instead of `after`.',
  })
  page?: number | null;
}

/** Reads a page and answers it as a connection. @throws InvalidQuery where the document has read enough */
export async function connection<T>(
  context: Context,
  args: PagingArgs,
  load: (page: PageArguments) => Promise<Page<T>>,
  positionOf: (node: T) => Position,
): Promise<ConnectionOf<T>> {
  const page = pageArguments(args);
  const { nodes, hasNextPage, total } = await counted(
    context,
    () => load(page),
    (read) => read.nodes.length,
  );
  const before = ((page.page ?? 1) - 1) * (page.first ?? 0);
  return new ConnectionOf(
    nodes,
    hasNextPage,
    page.after !== undefined || before > 0,
    (node) => cursorOf(positionOf(node)),
    total,
  );
}

/** Reads a list whose rows count among those that a document may read. @throws InvalidQuery where it has read enough */
export async function counted<T>(
  { rowBudget }: Context,
  read: () => Promise<T>,
  rowsOf: (list: T) => number,
): Promise<T> {
  rowBudget?.demand();
  const list = await read();
  const rows = rowsOf(list);
  rowBudget?.take(rows);
  return list;
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

export const countResolvers = [
  AttachmentConnection,
  ActivityConnection,
  StorageConnection,
  ProjectStorageConnection,
  FileLinkConnection,
  WebhookConnection,
  WebhookDeliveryConnection,
].map(counting);
