/** The pages of lists in the graph. */
import { FieldResolver, Int, Resolver, Root, type ClassType } from 'type-graphql';
import { thenMaybe, type MaybePromise } from '../concurrency/maybe-promise.js';
import type { Context } from '../context.js';
import { fieldWeights } from '../contract/field-weights.js';
import { MAX_COUNTED, MAX_PAGE, USUAL_PAGE } from '../contract/limits.js';
import { withCommas } from '../contract/words.js';
import type { List, Values } from '../lists/list.js';
import { pageArguments, type Page, type Paging } from '../lists/page.js';
import { pagesOf } from '../lists/read.js';
import { searchedPage } from '../lists/searched.js';
import type { Record } from '../models/record.js';
import {
  ActivityConnection,
  AttachmentConnection,
  AuditEventConnection,
  AuthorizationConnection,
  ConnectionOf,
  containerConnections,
  DeletedAttachmentConnection,
  FileLinkConnection,
  MembershipConnection,
  NotificationConnection,
  OAuthApplicationConnection,
  ProjectConnection,
  ProjectStorageConnection,
  SessionConnection,
  StorageAccountConnection,
  StorageConnection,
  UserConnection,
  WebhookConnection,
  WebhookDeliveryConnection,
  WorkPackageConnection,
} from '../models/relay-connection.js';
import { counted } from './counted.js';

/**
 * Reads a page of a list. Lists of many parents are read together.
 * @param values of the parameters of the list
 * @throws InvalidQuery for invalid arguments, or if the document exceeds its budget
 */
export function connection<M extends Record>(
  context: Context,
  args: Paging,
  list: List<M>,
  { parent, values = {} }: { parent?: number; values?: Values } = {},
): Promise<ConnectionOf<M>> {
  const wanted = { ...argumentsOf(context, args), parent };
  return pageOf(context, () => pages(context, list, values)(wanted));
}

/** The same for a list that can be searched. It is made after the arguments are checked. */
export function searchedConnection<M extends Record>(
  context: Context,
  args: Paging,
  listOf: () => List<M> | Promise<List<M>>,
): Promise<ConnectionOf<M>> {
  const wanted = argumentsOf(context, args);
  const { budget, client } = context;
  const search = <T>(read: () => Promise<T>): Promise<T> => (budget ? budget.search(read) : read());
  return pageOf(context, async () => {
    const page = await search(async () => {
      client?.demand();
      return searchedPage(context, await listOf(), wanted);
    });
    return { ...page, total: () => search(async () => page.total()) };
  });
}

/** REST's own documents have pages of any size. @throws InvalidQuery */
const argumentsOf = ({ budget }: Context, args: Paging) =>
  pageArguments(args, budget && { most: MAX_PAGE, usual: USUAL_PAGE });

/** The readers of a request, by their lists and values. */
const readers = () => new Map<unknown, Map<string, unknown>>();

function pages<M extends Record>(context: Context, list: List<M>, values: Values) {
  const known = context.once(readers);
  let ofList = known.get(list);
  if (!ofList) known.set(list, (ofList = new Map()));
  const key = JSON.stringify(values);
  let read = ofList.get(key);
  if (!read) ofList.set(key, (read = pagesOf<M>(context, list, values)));
  // Cast: it was made for this list.
  return read as ReturnType<typeof pagesOf<M>>;
}

async function pageOf<M extends object>(context: Context, read: () => Promise<Page<M>>) {
  return new ConnectionOf(await counted(context, read, ({ nodes }) => nodes.length));
}

/** @param complexity that of a count, or of a search */
const counting = (connectionType: ClassType<object>, complexity: number) => {
  @Resolver(() => connectionType)
  class CountResolver {
    @FieldResolver(() => Int, {
      description:
        'Number of rows in the whole list. ' +
        `Lists that can be searched are counted up to ${withCommas(MAX_COUNTED)}.`,
      complexity,
    })
    totalCount(@Root() connection: ConnectionOf<unknown>): MaybePromise<number> {
      return thenMaybe(connection.total, ({ count }) => count);
    }

    @FieldResolver(() => Boolean, {
      description: 'Whether the list has more rows than `totalCount` says.',
      complexity,
    })
    totalIsAtLeast(@Root() connection: ConnectionOf<unknown>): MaybePromise<boolean> {
      return thenMaybe(connection.total, ({ isAtLeast }) => isAtLeast);
    }
  }
  return CountResolver;
};

export const countResolvers = [
  ...[
    AttachmentConnection,
    DeletedAttachmentConnection,
    ActivityConnection,
    StorageConnection,
    ProjectStorageConnection,
    FileLinkConnection,
    MembershipConnection,
    OAuthApplicationConnection,
    SessionConnection,
    AuthorizationConnection,
    StorageAccountConnection,
    WebhookConnection,
    WebhookDeliveryConnection,
  ].map((type) => counting(type, fieldWeights.counted)),
  ...[
    ProjectConnection,
    WorkPackageConnection,
    UserConnection,
    AuditEventConnection,
    NotificationConnection,
    ...Object.values(containerConnections),
  ].map((type) => counting(type, fieldWeights.searched)),
];
