/** Objects of any type by their global ids. */
import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { findOwnApplication } from '../actions/storages/settings/own-application.js';
import type { Context } from '../context.js';
import { InvalidQuery } from '../contract/errors.js';
import { parseGlobalId } from '../contract/ids.js';
import { MAX_NODES } from '../contract/limits.js';
import { Node } from '../models/node.js';
import type { Record } from '../models/record.js';
import { find } from '../policies/find.js';
import { findAuthorization, findSession } from '../policies/own-access.js';
import { counted } from './counted.js';

@Resolver()
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description: 'Returns any object by its global id. Null if it is missing or not visible.',
  })
  async node(
    @Arg('id', () => ID, { description: 'Global id of the object.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Record | null> {
    const parsed = parseGlobalId(id);
    return (parsed && (await finds.get(parsed.type)?.(context, parsed.id))) ?? null;
  }

  @Query(() => [Node], {
    nullable: 'items',
    description:
      'Returns any objects by their global ids, in the order of the ids. ' +
      'Null for each one that is missing or not visible. ' +
      `Error: INVALID_QUERY for more than ${MAX_NODES} ids.`,
  })
  nodes(
    @Arg('ids', () => [ID], { description: `At most ${MAX_NODES} global ids.` }) ids: string[],
    @Ctx() context: Context,
  ): Promise<(Record | null)[]> {
    if (ids.length > MAX_NODES)
      throw new InvalidQuery(`The argument "ids" has more than ${MAX_NODES} ids.`, 'ids');
    return counted(
      context,
      () => nodesOf(context, ids),
      (nodes) => nodes.length,
    );
  }
}

/** As `Find`, but it may need more of the context than the reader. */
interface FindNode {
  (context: Context, id: number): Promise<Record | undefined>;
  many(context: Context, ids: readonly number[]): Promise<Record[]>;
}

const finds = new Map<string, FindNode>(
  Object.entries<FindNode>({
    Attachment: find.attachment,
    Project: find.project,
    User: find.user,
    Membership: find.membership,
    Notification: find.notification,
    Role: find.anyRole,
    StorageAccount: find.storageAccount,
    Status: find.status,
    Type: find.type,
    Storage: find.storage,
    FileLink: find.fileLink,
    ProjectStorage: find.projectStorage,
    OAuthApplication: findOwnApplication,
    OAuthClientCredentials: find.oauthClientCredentials,
    Webhook: find.webhook,
    WebhookDelivery: find.webhookDelivery,
    ApiKey: find.apiKey,
    Session: findSession,
    Authorization: findAuthorization,
    AuditEvent: find.auditEvent,
    ...find.containers,
  }),
);

/** Reads the rows of each type in one statement. */
async function nodesOf(context: Context, ids: readonly string[]): Promise<(Record | null)[]> {
  const wanted = new Map<string, Set<number>>();
  const parsed = ids.map(parseGlobalId);
  for (const one of parsed)
    if (one) wanted.set(one.type, (wanted.get(one.type) ?? new Set()).add(one.id));
  const found = new Map<string, Record>();
  await Promise.all(
    [...wanted].map(async ([type, keys]) => {
      const rows = await finds.get(type)?.many(context, [...keys]);
      for (const row of rows ?? []) found.set(`${type}:${row.id}`, row);
    }),
  );
  return parsed.map((one) => (one && found.get(`${one.type}:${one.id}`)) ?? null);
}
