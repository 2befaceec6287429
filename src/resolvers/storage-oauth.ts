/** The OAuth records of a storage. Only administrators can see and change them. */
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { hasOwnApplication } from '../actions/storages/settings/own-application.js';
import { rotateApplicationSecret } from '../actions/storages/settings/rotate-application-secret.js';
import { setClientCredentials } from '../actions/storages/settings/set-client-credentials.js';
import type { Context } from '../context.js';
import { idOf } from '../contract/ids.js';
import { OAuthApplication } from '../models/oauth-application.js';
import { OAuthClientCredentials } from '../models/oauth-client-credentials.js';
import { Storage } from '../models/storage.js';
import { ADMINS } from './schema-phrases.js';

@InputType({ description: 'The storage whose OAuth application gets a new secret.' })
export class RotateOAuthApplicationSecretInput {
  @Field(() => ID, { description: 'Global id or integer id of the storage.' })
  storageId!: string;
}

@InputType({
  description:
    'Client credentials of this service at a storage. They replace earlier ones. ' +
    'All users must connect to the storage again.',
})
export class SetOAuthClientCredentialsInput {
  @Field(() => ID, { description: 'Global id or integer id of the storage.' })
  storageId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Required. Client id that the storage issued, at most 255 characters.',
  })
  clientId?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Required. Client secret that the storage issued, at most 4,000 characters. ' +
      'It cannot be read again.',
  })
  clientSecret?: string | null;
}

@ObjectType({ description: 'The result of `setOAuthClientCredentials`.', simpleResolvers: true })
export class SetOAuthClientCredentialsPayload {
  @Field(() => Storage, { description: 'The storage.' })
  storage!: Storage;

  @Field(() => OAuthClientCredentials, {
    description: 'The new client credentials, without the secret.',
  })
  oauthClientCredentials!: OAuthClientCredentials;
}

@ObjectType({ description: 'The result of `rotateOAuthApplicationSecret`.', simpleResolvers: true })
export class RotateOAuthApplicationSecretPayload {
  @Field(() => OAuthApplication, {
    description: 'The OAuth application of the storage.',
  })
  oauthApplication!: OAuthApplication;

  @Field(() => String, { description: 'The new secret. It cannot be read again.' })
  clientSecret!: string;
}

@Resolver(() => Storage)
export class StorageOAuthResolver {
  @Mutation(() => SetOAuthClientCredentialsPayload, {
    description:
      'Sets the client credentials of this service at a storage. ' +
      `Errors: NOT_FOUND if the storage is missing or not visible; ${ADMINS}; ` +
      'PROPERTY_CONSTRAINT_VIOLATION for invalid input; ' +
      'UPDATE_CONFLICT if the storage got another host at the same time; ' +
      'MISSING_ENTERPRISE_TOKEN if the type of storage is disabled.',
  })
  async setOAuthClientCredentials(
    @Arg('input', () => SetOAuthClientCredentialsInput, { description: 'The credentials.' })
    { storageId, ...input }: SetOAuthClientCredentialsInput,
    @Ctx() context: Context,
  ): Promise<SetOAuthClientCredentialsPayload> {
    const { storage, credentials } = await setClientCredentials(
      context,
      idOf('Storage', storageId),
      input,
    );
    return { storage, oauthClientCredentials: credentials };
  }

  @Mutation(() => RotateOAuthApplicationSecretPayload, {
    description:
      'Replaces the secret of the OAuth application of a storage. ' +
      'All tokens that the application has received become invalid. ' +
      `Errors: NOT_FOUND if the storage is missing or not visible; ${ADMINS}.`,
  })
  rotateOAuthApplicationSecret(
    @Arg('input', () => RotateOAuthApplicationSecretInput, { description: 'The storage.' })
    { storageId }: RotateOAuthApplicationSecretInput,
    @Ctx() context: Context,
  ): Promise<RotateOAuthApplicationSecretPayload> {
    return rotateApplicationSecret(context, idOf('Storage', storageId));
  }

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
    if (!context.user.admin || !hasOwnApplication(context, type)) return null;
    return (await context.loaders.oauthApplications.load(id)) ?? null;
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may see the OAuth records of the storage.',
  })
  viewerCanSeeOAuthRecords(@Ctx() { user }: Context): boolean {
    return user.admin;
  }

  @FieldResolver(() => OAuthClientCredentials, {
    nullable: true,
    description:
      'The client credentials of this service at the storage. ' +
      'Null if none are set, or if the caller is not an administrator.',
  })
  async oauthClientCredentials(
    @Root() { id }: Storage,
    @Ctx() { user, loaders }: Context,
  ): Promise<OAuthClientCredentials | null> {
    return user.admin ? ((await loaders.clientCredentials.load(id)) ?? null) : null;
  }
}
