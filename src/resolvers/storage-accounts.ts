/** The connections of people with storages in the graph. */
import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { QueryBuilder } from 'objection';
import type { Context } from '../context.js';
import { listOf } from '../lists/by-creation.js';
import { StorageAccountConnection } from '../models/relay-connection.js';
import { StorageAccount } from '../models/storage-account.js';
import { Storage } from '../models/storage.js';
import { User } from '../models/user.js';
import { demandAdmin, demandOwn } from '../policies/can.js';
import { visible } from '../policies/visible.js';
import { ADMINS } from './schema-phrases.js';
import { connection } from './connections.js';
import { creationOrderArgs, directionOf, type CreationOrderArgs } from './list-arguments.js';

const SortedConnections = creationOrderArgs('ConnectionOrder', {
  list: 'connections with storages',
  usual: 'idDesc',
});

@Resolver(() => StorageAccount)
export class StorageAccountResolver {
  @FieldResolver(() => User, { description: 'The person.' })
  user(@Root() { userId }: StorageAccount, @Ctx() { loaders }: Context): User | Promise<User> {
    return loaders.users.load(userId);
  }

  @FieldResolver(() => Storage, {
    nullable: true,
    description: 'The storage. Null if the caller cannot see it any more.',
  })
  async storage(
    @Root() { storageId }: StorageAccount,
    @Ctx() { loaders }: Context,
  ): Promise<Storage | null> {
    return (await loaders.storages.load(storageId)) ?? null;
  }
}

@Resolver(() => Storage)
export class StorageConnectionsResolver {
  @FieldResolver(() => StorageAccountConnection, {
    description:
      'The connections of people with the storage. ' +
      'Administrators see all, others only their own.',
  })
  connections(
    @Root() { id }: Storage,
    @Args(() => SortedConnections) args: CreationOrderArgs,
    @Ctx() context: Context,
  ) {
    return connectionList(context, args, (rows) => rows.where('storage_tokens.storage_id', id));
  }
}

@Resolver(() => User)
export class UserConnectionsResolver {
  @FieldResolver(() => StorageAccountConnection, {
    description:
      "The caller's own connections with storages, and for administrators those of " +
      `everybody. Errors: for another user ${ADMINS}; MISSING_PERMISSION for anonymous callers.`,
  })
  connections(
    @Root() user: User,
    @Args(() => SortedConnections) args: CreationOrderArgs,
    @Ctx() context: Context,
  ) {
    if (context.user.id === user.id) demandOwn(context, user);
    else demandAdmin(context);
    return connectionList(context, args, (rows) => rows.where('storage_tokens.user_id', user.id));
  }
}

const connectionList = (
  context: Context,
  args: CreationOrderArgs,
  narrow: (rows: QueryBuilder<StorageAccount>) => QueryBuilder<StorageAccount>,
) =>
  connection(
    context,
    args,
    listOf(() => narrow(visible.storageAccounts(context.user, context.db.read)), directionOf(args)),
  );
