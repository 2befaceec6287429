/** The OAuth records of storages in the graph, which only administrators can see. */
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import {
  createApplication,
  deleteApplication,
} from '../actions/people/administration/applications.js';
import { REDIRECT_RULE } from '../actions/people/administration/redirect-uris.js';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
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
import { byDefault, idOfOne, mutation, optional } from './mutation.js';
import { ADMINS } from './schema-phrases.js';

const SortedApplications = creationOrderArgs('OAuthApplicationOrder', {
  list: 'OAuth applications',
  usual: 'idDesc',
});

export const applicationMutations = [
  mutation('createOAuthApplication', {
    description:
      'Creates an OAuth client of this service, which people can let act for them. ' +
      `Errors: ${ADMINS}; PROPERTY_CONSTRAINT_VIOLATION for invalid input.`,
    argument: 'The application.',
    about: 'A new OAuth application.',
    input: {
      name: [String, 'Name on the page where people decide, 1 to 255 characters.'],
      redirectUris: [[String], `Where the browser may return to: ${REDIRECT_RULE}.`],
      confidential: byDefault(
        true,
        Boolean,
        'Whether it can keep a secret. A program on the computer of a person cannot.',
      ),
    },
    payload: {
      oauthApplication: [OAuthApplication, 'The new application.'],
      clientSecret: optional(
        String,
        'Its secret. It cannot be read again. Null unless the application is confidential.',
      ),
    },
    run: async (input, context) => {
      const { application, secret } = await createApplication(context, input);
      return { oauthApplication: application, clientSecret: secret ?? null };
    },
  }),

  mutation('deleteOAuthApplication', {
    description:
      'Deletes an OAuth client of this service, with all its tokens. ' +
      `Errors: ${ADMINS}; NOT_FOUND; PROPERTY_CONSTRAINT_VIOLATION for that of a storage.`,
    argument: 'The application.',
    about: 'The OAuth application to delete.',
    input: { id: idOfOne('application') },
    payload: { deletedOAuthApplicationId: [ID, 'Global id of the deleted application.'] },
    run: async ({ id }, context) => {
      const { id: deleted } = await deleteApplication(context, idOf('OAuthApplication', id));
      return { deletedOAuthApplicationId: globalId('OAuthApplication', deleted) };
    },
  }),
];

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
