/** The OAuth records of storages in the graph, which only administrators can see. */
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context.js';
import { idOf } from '../contract/ids.js';
import { listOf } from '../lists/by-creation.js';
import { OAuthApplication } from '../models/oauth-application.js';
import { OAuthClientCredentials } from '../models/oauth-client-credentials.js';
import { OAuthApplicationConnection } from '../models/relay-connection.js';
import { Storage } from '../models/storage.js';
import { User } from '../models/user.js';
import { demandAdmin } from '../policies/can.js';
import { find } from '../policies/find.js';
import { storageOf } from '../actions/storages/links/open-file-link.js';
import { findOwnApplication } from '../actions/storages/settings/own-application.js';
import { found } from './found.js';
import { connection } from './connections.js';
import { creationOrderArgs, directionOf, type CreationOrderArgs } from './list-arguments.js';
import { ADMINS } from './schema-phrases.js';

const SortedApplications = creationOrderArgs('OAuthApplicationOrder', {
  list: 'OAuth applications',
  usual: 'idDesc',
});

@Resolver(() => OAuthApplication)
export class OAuthApplicationResolver {
  @Query(() => OAuthApplication, {
    nullable: true,
    description:
      'Returns one OAuth client of this service. Only administrators can see it. ' +
      'Null with the error NOT_FOUND if it is missing, and for all other users.',
  })
  oauthApplication(
    @Arg('id', () => ID, { description: 'Global id or integer id of the application.' }) id: string,
    @Ctx() context: Context,
  ): Promise<OAuthApplication> {
    return found(findOwnApplication(context, idOf('OAuthApplication', id)));
  }

  @Query(() => OAuthApplicationConnection, {
    description:
      'Returns the OAuth clients of this service: the applications that sign in with it. ' +
      `Error: ${ADMINS}.`,
  })
  oauthApplications(
    @Args(() => SortedApplications) args: CreationOrderArgs,
    @Ctx() context: Context,
  ) {
    demandAdmin(context);
    const rows = () => OAuthApplication.query(context.db.read);
    return connection(context, args, listOf(rows, directionOf(args)));
  }

  @FieldResolver(() => User, {
    description: 'The administrator who created the application.',
  })
  owner(@Root() { ownerId }: OAuthApplication, @Ctx() { loaders }: Context): User | Promise<User> {
    return loaders.users.load(ownerId);
  }

  @FieldResolver(() => Storage, {
    nullable: true,
    description: 'The storage of the application. Null if it belongs to no storage.',
  })
  async integration(
    @Root() { storageId }: OAuthApplication,
    @Ctx() { loaders }: Context,
  ): Promise<Storage | null> {
    return storageId === null ? null : ((await loaders.storages.load(storageId)) ?? null);
  }
}

@Resolver(() => OAuthClientCredentials)
export class OAuthClientCredentialsResolver {
  @Query(() => OAuthClientCredentials, {
    nullable: true,
    description:
      'Returns the client credentials of this service at one storage, without the secret. ' +
      'Only administrators can see them. ' +
      'Null with the error NOT_FOUND if they are missing, and for all other users.',
  })
  oauthClientCredentials(
    @Arg('id', () => ID, { description: 'Global id or integer id of the credentials.' }) id: string,
    @Ctx() context: Context,
  ): Promise<OAuthClientCredentials> {
    return found(find.oauthClientCredentials(context, idOf('OAuthClientCredentials', id)));
  }

  @FieldResolver(() => Storage, { description: 'The storage that issued the credentials.' })
  integration(
    @Root() { storageId }: OAuthClientCredentials,
    @Ctx() context: Context,
  ): Promise<Storage> {
    return storageOf(context, { storageId });
  }
}
