/** OAuth records of storages, for administrators; for everybody else they do not exist. */
import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context.js';
import { NotFound } from '../contract/errors.js';
import { idOf } from '../contract/ids.js';
import { OAuthApplication } from '../models/oauth-application.js';
import { OAuthClientCredentials } from '../models/oauth-client-credentials.js';
import { Storage } from '../models/storage.js';
import { User } from '../models/user.js';
import { find } from '../policies/find.js';
import { storageOf } from '../actions/file-links/open-file-link.js';

@Resolver(() => OAuthApplication)
export class OAuthApplicationResolver {
  @Query(() => OAuthApplication, {
    description:
      "One client of this service's authorization server. For administrators; NOT_FOUND for everybody else.",
  })
  async oauthApplication(
    @Arg('id', () => ID, { description: 'Its id, in either form.' }) id: string,
    @Ctx() context: Context,
  ): Promise<OAuthApplication> {
    const found = await find.oauthApplication(context, idOf('OAuthApplication', id));
    if (!found) throw new NotFound();
    return found;
  }

  @FieldResolver(() => User, { description: 'For whom its client credentials tokens act.' })
  owner(@Root() { ownerId }: OAuthApplication, @Ctx() { loaders }: Context): User | Promise<User> {
    return loaders.users.load(ownerId);
  }

  @FieldResolver(() => Storage, { nullable: true, description: 'The storage that it belongs to.' })
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
    description:
      'What this service presents to one storage. For administrators; NOT_FOUND for everybody else.',
  })
  async oauthClientCredentials(
    @Arg('id', () => ID, { description: 'Their id, in either form.' }) id: string,
    @Ctx() context: Context,
  ): Promise<OAuthClientCredentials> {
    const found = await find.oauthClientCredentials(context, idOf('OAuthClientCredentials', id));
    if (!found) throw new NotFound();
    return found;
  }

  @FieldResolver(() => Storage, { description: 'The storage that they are for.' })
  integration(
    @Root() { storageId }: OAuthClientCredentials,
    @Ctx() context: Context,
  ): Promise<Storage> {
    return storageOf(context, { storageId });
  }
}
