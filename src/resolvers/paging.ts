/** The arguments and results of all connection fields. */
import { ArgsType, Field, FieldResolver, Int, Resolver, Root, type ClassType } from 'type-graphql';
import type { Context } from '../context.js';
import { withCommas } from '../contract/words.js';
import {
  cursorOf,
  pageArguments,
  type Page,
  type PageArguments,
  type Position,
} from '../loaders/page.js';
import { MAX_ROWS } from '../loaders/document-budget.js';
import {
  ActivityConnection,
  AttachmentConnection,
  ConnectionOf,
  FileLinkConnection,
  MembershipConnection,
  OAuthApplicationConnection,
  ProjectStorageConnection,
  StorageAccountConnection,
  StorageConnection,
  WebhookConnection,
  WebhookDeliveryConnection,
} from '../models/relay-connection.js';
import { fieldWeights } from '../contract/field-weights.js';

@ArgsType()
export class PagingArgs {
  @Field(() => Int, {
    nullable: true,
    description:
      'Maximum number of rows, 0 or more. Default: all rows. ' +
      'The first list of a document may have any length. ' +
      `Its other lists may return ${withCommas(MAX_ROWS)} rows together. ` +
      'Error: INVALID_QUERY for a negative number, or if the lists are too long.',
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Cursor of the last row of the previous page: `pageInfo.endCursor`. ' +
      'Error: INVALID_QUERY if it is not a cursor of this list.',
  })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Maximum number of rows from the end of the list, or from those before `before`. ' +
      'The rows stay in the order of the list. ' +
      'Error: INVALID_QUERY for a negative number, or together with `first`.',
  })
  last?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Cursor of the first row of the following page: `pageInfo.startCursor`. ' +
      'Error: INVALID_QUERY if it is not a cursor of this list.',
  })
  before?: string | null;
}

@ArgsType()
export class PagedArgs extends PagingArgs {
  @Field(() => Int, {
    nullable: true,
    description:
      'Number of the page, from 1, with `first` rows on each page. It replaces cursors. ' +
      'Error: INVALID_QUERY for a number below 1, without `first`, or together with a cursor.',
  })
  page?: number | null;
}

/**
 * Reads a page of a list.
 * @param positionOf the values of a row by which the list is sorted
 * @throws InvalidQuery for invalid arguments, or if the document exceeds its budget
 */
export async function connection<T>(
  context: Context,
  args: PagingArgs,
  load: (page: PageArguments) => Promise<Page<T>>,
  positionOf: (node: T) => Position,
): Promise<ConnectionOf<T>> {
  const page = pageArguments(args);
  const { nodes, hasMore, total } = await counted(
    context,
    () => load(page),
    (read) => read.nodes.length,
  );
  const skipped = ((page.page ?? 1) - 1) * (page.size ?? 0);
  const isPreceded = page.after !== undefined || skipped > 0;
  const isFollowed = page.before !== undefined;
  return new ConnectionOf(
    nodes,
    isFollowed || (hasMore && !page.fromEnd),
    isPreceded || (hasMore && page.fromEnd === true),
    (node) => cursorOf(positionOf(node)),
    total,
  );
}

/**
 * Reads a list and counts its rows in the budget of the document.
 * @throws InvalidQuery if the document exceeds it
 */
export async function counted<T>(
  { budget }: Context,
  read: () => Promise<T>,
  rowsOf: (list: T) => number,
): Promise<T> {
  budget?.demand();
  const list = await read();
  const rows = rowsOf(list);
  budget?.takeRows(rows);
  return list;
}

const counting = (connectionType: ClassType<object>) => {
  @Resolver(() => connectionType)
  class CountResolver {
    @FieldResolver(() => Int, {
      description: 'Number of rows in the whole list.',
      complexity: fieldWeights.counted,
    })
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
  MembershipConnection,
  OAuthApplicationConnection,
  StorageAccountConnection,
  WebhookConnection,
  WebhookDeliveryConnection,
].map(counting);
