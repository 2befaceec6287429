/** Storages in the graph. Only administrators can change them. */
import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { createStorage } from '../actions/storages/create-storage.js';
import { deleteStorage } from '../actions/storages/delete-storage.js';
import { checkStorageHealth } from '../actions/storages/check-storage-health.js';
import { connectionAddress } from '../actions/connections/connection-address.js';
import { isConfigured } from '../actions/storage-access/is-configured.js';
import { openStorage } from '../actions/storages/open-storage.js';
import { rotateApplicationSecret } from '../actions/storages/rotate-application-secret.js';
import { setClientCredentials } from '../actions/storages/set-client-credentials.js';
import { updateStorage } from '../actions/storages/update-storage.js';
import { isSwitchedOff } from '../actions/storage-access/switched-off.js';
import { authorizationStates } from '../actions/storage-access/authorization-state.js';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
import { byCreation } from '../loaders/page.js';
import { StorageConnection } from '../models/connection.js';
import { OAuthApplication } from '../models/oauth-application.js';
import { OAuthClientCredentials } from '../models/oauth-client-credentials.js';
import { Project } from '../models/project.js';
import { StorageHealth } from '../models/storage-health.js';
import {
  AuthenticationMethod,
  AuthorizationState,
  Storage,
  StorageType,
  type OwnColumns,
} from '../models/storage.js';
import { ownMemberNames, ownMembers } from '../storages/types.js';
import { find } from '../policies/find.js';
import { visible } from '../policies/visible.js';
import { found } from './found.js';
import { connection, counted, PagedArgs } from './paging.js';
import { askOnce } from './shared-requests.js';

const ADMINS = 'MISSING_PERMISSION unless the caller is an administrator';

// The table of storage types adds members to the class.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface StorageDetails extends Partial<OwnColumns> {}

@InputType({ description: 'The members of a storage that administrators set.' })
export class StorageDetails {
  @Field(() => String, {
    nullable: true,
    description: 'Name of the storage, unique, 1 to 255 characters.',
  })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Address of the storage, at most 255 characters. It may have a path. ' +
      'It must be https, or http on the machine of the service. ' +
      'The service checks that a storage of the type answers there. ' +
      'Ignored for storages without their own address.',
  })
  origin?: string | null;

  @Field(() => AuthenticationMethod, {
    nullable: true,
    description:
      'How users sign in to the storage. Ignored for storages without their own address.',
  })
  authenticationMethod?: AuthenticationMethod | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Audience of the tokens for the storage, with `OAuth2SSO`; at most 255 characters. ' +
      '`__op-idp__` passes on the token of the sign-in without an exchange. Null unsets it. ' +
      'Ignored for storages without their own address.',
  })
  storageAudience?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Password with which the service manages project folders. The service checks it. ' +
      'Null unsets it. Ignored for storages without their own address.',
  })
  applicationPassword?: string | null;
}

for (const name of ownMemberNames)
  Field(() => String, {
    nullable: true,
    description: ownMembers[name].input ?? ownMembers[name].description,
  })(StorageDetails.prototype, name);

@InputType({
  description:
    'A new storage. Members that do not belong to its type are ignored. ' +
    'Defaults: `name` is the name of the type, `authenticationMethod` is `TwoWayOAuth2`. ' +
    'A self-hosted file server needs an `origin`.',
})
export class CreateStorageInput extends StorageDetails {
  @Field(() => StorageType, {
    nullable: true,
    description: 'Required. Type of the storage. It cannot be changed later.',
  })
  type?: StorageType | null;
}

@InputType({
  description:
    'Changes of a storage. Omitted members stay unchanged. ' +
    'Members that do not belong to its type are ignored. ' +
    'A new origin or tenant deletes every secret of the storage: its client credentials, ' +
    'the connections of users, the application password and the secret of its OAuth application.',
})
export class UpdateStorageInput extends StorageDetails {
  @Field(() => ID, { description: 'Global id or integer id of the storage.' })
  id!: string;

  @Field(() => StorageType, {
    nullable: true,
    description: 'The current type. Error: PROPERTY_CONSTRAINT_VIOLATION for another type.',
  })
  type?: StorageType | null;
}

@InputType({ description: 'The storage to delete.' })
export class DeleteStorageInput {
  @Field(() => ID, { description: 'Global id or integer id of the storage.' })
  id!: string;
}

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

@ObjectType({ description: 'The result of `createStorage`.', simpleResolvers: true })
export class CreateStoragePayload {
  @Field(() => Storage, { description: 'The new storage.' })
  storage!: Storage;

  @Field(() => String, {
    description: 'The secret of the OAuth application of the storage. It cannot be read again.',
  })
  clientSecret!: string;
}

@ObjectType({ description: 'The result of `updateStorage`.', simpleResolvers: true })
export class UpdateStoragePayload {
  @Field(() => Storage, { description: 'The changed storage.' })
  storage!: Storage;
}

@ObjectType({ description: 'The result of `deleteStorage`.', simpleResolvers: true })
export class DeleteStoragePayload {
  @Field(() => ID, { description: 'Global id of the deleted storage.' })
  deletedStorageId!: string;
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
export class StorageResolver {
  @Query(() => Storage, {
    description:
      'Returns one storage. Visible are storages of projects whose file links the caller may ' +
      'view. Users who may administer the storages of any project see all storages. ' +
      'Error: NOT_FOUND if it is missing or not visible.',
  })
  storage(
    @Arg('id', () => ID, { description: 'Global id or integer id of the storage.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Storage> {
    return found(find.storage(context, idOf('Storage', id)));
  }

  @Query(() => StorageConnection, {
    description: 'Returns the storages that the caller sees, newest first.',
  })
  storages(@Args(() => PagedArgs) args: PagedArgs, @Ctx() context: Context) {
    return connection(
      context,
      args,
      (page) =>
        byCreation<Storage>(() => visible.storages(context.user, context.db.read), page, 'desc'),
      ({ id }) => [id],
    );
  }

  @Mutation(() => CreateStoragePayload, {
    description:
      'Creates a storage, and an OAuth application with which the storage can call this service. ' +
      `Errors: ${ADMINS}; ` +
      'PROPERTY_CONSTRAINT_VIOLATION for invalid input, a name or host that is taken, ' +
      'and a storage that does not answer as expected; ' +
      'MISSING_ENTERPRISE_TOKEN if the type of storage is disabled.',
  })
  createStorage(
    @Arg('input', () => CreateStorageInput, { description: 'The storage.' })
    input: CreateStorageInput,
    @Ctx() context: Context,
  ): Promise<CreateStoragePayload> {
    return createStorage(context, input);
  }

  @Mutation(() => UpdateStoragePayload, {
    description:
      'Changes a storage. ' +
      `Errors: NOT_FOUND if it is missing or not visible; ${ADMINS}; ` +
      'PROPERTY_CONSTRAINT_VIOLATION as for `createStorage`; ' +
      'UPDATE_CONFLICT if the storage got another host at the same time; ' +
      'MISSING_ENTERPRISE_TOKEN if the type of storage is disabled.',
  })
  async updateStorage(
    @Arg('input', () => UpdateStorageInput, { description: 'The changes.' })
    { id, ...input }: UpdateStorageInput,
    @Ctx() context: Context,
  ): Promise<UpdateStoragePayload> {
    return { storage: await updateStorage(context, idOf('Storage', id), input) };
  }

  @Mutation(() => DeleteStoragePayload, {
    description:
      'Deletes a storage with its project storages, file links, OAuth records and the ' +
      'connections of users. The files stay in the storage. ' +
      `Errors: NOT_FOUND if it is missing or not visible; ${ADMINS}.`,
  })
  async deleteStorage(
    @Arg('input', () => DeleteStorageInput, { description: 'The storage.' })
    { id }: DeleteStorageInput,
    @Ctx() context: Context,
  ): Promise<DeleteStoragePayload> {
    const deleted = await deleteStorage(context, idOf('Storage', id));
    return { deletedStorageId: globalId('Storage', deleted.id) };
  }

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

  @FieldResolver(() => Boolean, {
    description:
      'Whether the storage has all settings that it needs: its own members and client ' +
      'credentials, or the audience for single sign-on.',
  })
  configured(@Root() storage: Storage, @Ctx() context: Context): Promise<boolean> {
    return isConfigured(context, storage);
  }

  @FieldResolver(() => AuthorizationState, {
    description:
      'Whether the storage accepts the caller. This field asks the storage. ' +
      '`Error` also if the type of storage is disabled.',
  })
  authorizationState(
    @Root() storage: Storage,
    @Ctx() context: Context,
  ): Promise<AuthorizationState> {
    return context.once(authorizationStates).load(storage);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'URL of a page that connects the caller to the storage. This field asks the storage. ' +
      'Null unless `authorizationState` is `FailedAuthorization`, and for storages that are not ' +
      'configured or use single sign-on.',
  })
  authorizeUrl(@Root() storage: Storage, @Ctx() context: Context): Promise<string | null> {
    return connectionAddress(context, storage);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'URL that opens the storage in a browser. A cloud drive is asked for it. ' +
      'Null with an error if it is unknown: MISSING_ENTERPRISE_TOKEN if the type of storage is ' +
      'disabled, OUTBOUND_REQUEST:NOT_FOUND if the storage does not return it.',
  })
  openUrl(@Root() storage: Storage, @Ctx() context: Context): Promise<string> {
    return askOnce(context, ['openUrl', storage.id, ''], () => openStorage(context, storage));
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may change the storage and its OAuth records.',
  })
  viewerCanUpdate(@Ctx() { user }: Context): boolean {
    return user.admin;
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may delete the storage.' })
  viewerCanDelete(@Ctx() { user }: Context): boolean {
    return user.admin;
  }

  @FieldResolver(() => [Project], {
    description:
      'The projects that use the storage and for which the caller may upload files to it ' +
      '(`prepareStorageUpload`). Empty if the type of storage is disabled.',
  })
  async uploadProjects(@Root() { id, type }: Storage, @Ctx() context: Context): Promise<Project[]> {
    if (isSwitchedOff(context, type)) return [];
    return counted(
      context,
      () => context.loaders.uploadProjects.load(id),
      (projects) => projects.length,
    );
  }

  @FieldResolver(() => OAuthApplication, {
    nullable: true,
    description:
      'The OAuth application with which the storage calls this service. ' +
      'Null unless the caller is an administrator.',
  })
  async oauthApplication(
    @Root() { id }: Storage,
    @Ctx() { user, loaders }: Context,
  ): Promise<OAuthApplication | null> {
    return user.admin ? ((await loaders.oauthApplications.load(id)) ?? null) : null;
  }

  @FieldResolver(() => OAuthClientCredentials, {
    nullable: true,
    description:
      'The client credentials of this service at the storage. ' +
      'Null if none are set, and unless the caller is an administrator.',
  })
  async oauthClientCredentials(
    @Root() { id }: Storage,
    @Ctx() { user, loaders }: Context,
  ): Promise<OAuthClientCredentials | null> {
    return user.admin ? ((await loaders.clientCredentials.load(id)) ?? null) : null;
  }

  @FieldResolver(() => StorageHealth, {
    nullable: true,
    description:
      'Whether the storage works and, if not, why. This field asks the storage. ' +
      `Null with an error: ${ADMINS}.`,
  })
  health(@Root() storage: Storage, @Ctx() context: Context): Promise<StorageHealth> {
    return askOnce(context, ['health', storage.id], () => checkStorageHealth(context, storage));
  }
}
