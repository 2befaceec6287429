/** The OAuth records of a storage. Only administrators can see and change them. */
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { hasOwnApplication } from '../actions/storages/settings/own-application.js';
import { rotateApplicationSecret } from '../actions/storages/settings/rotate-application-secret.js';
import { setClientCredentials } from '../actions/storages/settings/set-client-credentials.js';
import type { Context } from '../context.js';
import { idOf } from '../contract/ids.js';
import { OAuthApplication } from '../models/oauth-application.js';
import { OAuthClientCredentials } from '../models/oauth-client-credentials.js';
import { Storage } from '../models/storage.js';
import { can } from '../policies/can.js';
import { ADMINS } from './schema-phrases.js';
import { idOfOne, mutation, optional } from './mutation.js';

export const storageOAuthMutations = [
  mutation('setOAuthClientCredentials', {
    description:
      'Sets the client credentials of this service at a storage. ' +
      `Errors: NOT_FOUND if the storage is missing or not visible; ${ADMINS}; ` +
      'PROPERTY_CONSTRAINT_VIOLATION for invalid input; ' +
      'UPDATE_CONFLICT if the storage got another host at the same time; ' +
      'MISSING_ENTERPRISE_TOKEN if the type of storage is disabled.',
    argument: 'The credentials.',
    about:
      'Client credentials of this service at a storage. They replace earlier ones. ' +
      'All users must connect to the storage again.',
    input: {
      storageId: idOfOne('storage'),
      clientId: optional(
        String,
        'Required. Client id that the storage issued, at most 255 characters.',
      ),
      clientSecret: optional(
        String,
        'Required. Client secret that the storage issued, at most 4,000 characters. ' +
          'It cannot be read again.',
      ),
    },
    payload: {
      storage: [Storage, 'The storage.'],
      oauthClientCredentials: [
        OAuthClientCredentials,
        'The new client credentials, without the secret.',
      ],
    },
    run: async ({ storageId, ...input }, context) => {
      const { storage, credentials } = await setClientCredentials(
        context,
        idOf('Storage', storageId),
        input,
      );
      return { storage, oauthClientCredentials: credentials };
    },
  }),

  mutation('rotateOAuthApplicationSecret', {
    description:
      'Replaces the secret of the OAuth application of a storage. ' +
      'All tokens that the application has received become invalid. ' +
      `Errors: NOT_FOUND if the storage is missing or not visible; ${ADMINS}.`,
    argument: 'The storage.',
    about: 'The storage whose OAuth application gets a new secret.',
    input: { storageId: idOfOne('storage') },
    payload: {
      oauthApplication: [OAuthApplication, 'The OAuth application of the storage.'],
      clientSecret: [String, 'The new secret. It cannot be read again.'],
    },
    run: ({ storageId }, context) => rotateApplicationSecret(context, idOf('Storage', storageId)),
  }),
];

@Resolver(() => Storage)
export class StorageOAuthResolver {
  @FieldResolver(() => OAuthApplication, {
    nullable: true,
    description:
      'The OAuth application with which the storage calls this service. ' +
      'Null unless the caller is an administrator. ' +
      'In the profile openproject, also null for cloud drives.',
  })
  async oauthApplication(
    @Root() { id, type }: Storage,
    @Ctx() context: Context,
  ): Promise<OAuthApplication | null> {
    if (!can.administer(context) || !hasOwnApplication(context, type)) return null;
    return (await context.loaders.oauthApplications.load(id)) ?? null;
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may see the OAuth records of the storage.',
  })
  viewerCanSeeOAuthRecords(@Ctx() context: Context): boolean {
    return can.administer(context);
  }

  @FieldResolver(() => OAuthClientCredentials, {
    nullable: true,
    description:
      'The client credentials of this service at the storage. ' +
      'Null if none are set, or if the caller is not an administrator.',
  })
  async oauthClientCredentials(
    @Root() { id }: Storage,
    @Ctx() context: Context,
  ): Promise<OAuthClientCredentials | null> {
    if (!can.administer(context)) return null;
    return (await context.loaders.clientCredentials.load(id)) ?? null;
  }
}
