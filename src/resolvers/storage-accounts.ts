/** The connections of people with storages in the graph. */
import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { QueryBuilder } from 'objection';
import { storageOf } from '../actions/file-links/open-file-link.js';
import type { Context } from '../context.js';
import { byCreation, creationList } from '../loaders/page.js';
import { StorageAccountConnection } from '../models/relay-connection.js';
import { StorageAccount } from '../models/storage-account.js';
import { Storage } from '../models/storage.js';
import { User } from '../models/user.js';
import { demandOwn } from '../policies/can.js';
import { visible } from '../policies/visible.js';
import { OWN } from './schema-phrases.js';
import { limitedConnection, LimitedPagedArgs } from './limited-lists.js';

@Resolver(() => StorageAccount)
export class StorageAccountResolver {
  @FieldResolver(() => User, { description: 'The person.' })
  user(@Root() { userId }: StorageAccount, @Ctx() { loaders }: Context): User | Promise<User> {
    return loaders.users.load(userId);
  }

  @FieldResolver(() => Storage, { description: 'The storage.' })
  storage(@Root() account: StorageAccount, @Ctx() context: Context): Promise<Storage> {
    return storageOf(context, account);
  }
}

@Resolver(() => Storage)
export class StorageConnectionsResolver {
  @FieldResolver(() => StorageAccountConnection, {
    description:
      'The connections of people with the storage, newest first. ' +
      'Administrators see all, others only their own.',
  })
  connections(
    @Root() { id }: Storage,
    @Args(() => LimitedPagedArgs) args: LimitedPagedArgs,
    @Ctx() context: Context,
  ) {
    return newestFirst(context, args, (rows) => rows.where('storage_tokens.storage_id', id));
  }
}

@Resolver(() => User)
export class UserConnectionsResolver {
  @FieldResolver(() => StorageAccountConnection, {
    description: `The caller's own connections with visible storages, newest first. ${OWN}`,
  })
  connections(
    @Root() user: User,
    @Args(() => LimitedPagedArgs) args: LimitedPagedArgs,
    @Ctx() context: Context,
  ) {
    demandOwn(context, user);
    return newestFirst(context, args, (rows) => rows.where('storage_tokens.user_id', user.id));
  }
}

const newestFirst = (
  context: Context,
  args: LimitedPagedArgs,
  narrow: (rows: QueryBuilder<StorageAccount>) => QueryBuilder<StorageAccount>,
) =>
  limitedConnection(
    context,
    args,
    (page) =>
      byCreation<StorageAccount>(
        context,
        creationList(() => narrow(visible.storageAccounts(context.user, context.db.read)), 'desc'),
        page,
      ),
    ({ id }) => [id],
  );
