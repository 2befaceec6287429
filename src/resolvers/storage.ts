/** Storages: reading for everybody who sees them, the rest for administrators. */
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
import { isAddressed, isConfigured } from '../actions/storage-access/is-configured.js';
import { openStorage } from '../actions/storages/open-storage.js';
import { rotateApplicationSecret } from '../actions/storages/rotate-application-secret.js';
import { setClientCredentials } from '../actions/storages/set-client-credentials.js';
import { updateStorage } from '../actions/storages/update-storage.js';
import { isSwitchedOff } from '../actions/storage-access/switched-off.js';
import { answersOf } from '../actions/storage-access/shared-answers.js';
import { authorizationStates } from '../actions/storage-access/authorization-state.js';
import type { Context } from '../context.js';
import { NotFound } from '../contract/errors.js';
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
import { connection, counted, PagedArgs } from './paging.js';

// Its columns come from the table of storage types.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface StorageDetails extends Partial<OwnColumns> {}

@InputType({ description: 'What an administrator says about a storage.' })
export class StorageDetails {
  @Field(() => String, { nullable: true, description: 'Its name, unique, 1 to 255 characters.' })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Address of a self-hosted file server: https, or http on this machine.',
  })
  origin?: string | null;

  @Field(() => AuthenticationMethod, {
    nullable: true,
    description: 'How people are known to a self-hosted file server.',
  })
  authenticationMethod?: AuthenticationMethod | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Audience that tokens for the storage must have, with OAuth2SSO; `__op-idp__` for the sign-in token as it is.',
  })
  storageAudience?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Application password of a self-hosted file server: a string sets it, null unsets it.',
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
    'A storage to make. Members that do not belong to its type are ignored. Without a name it gets that of its type; a self-hosted file server needs an origin, and its method is TwoWayOAuth2 unless given.',
})
export class CreateStorageInput extends StorageDetails {
  @Field(() => StorageType, {
    nullable: true,
    description:
      'What it is. Required: without it the answer is a PropertyConstraintViolation on `type`.',
  })
  type?: StorageType | null;
}

@InputType({
  description:
    'Changes of a storage. Absent members stay as they are. Members that do not belong to its type are ignored. A changed origin or tenant drops every secret of the storage.',
})
export class UpdateStorageInput extends StorageDetails {
  @Field(() => ID, { description: 'Its id, in either form.' })
  id!: string;

  @Field(() => StorageType, {
    nullable: true,
    description: 'Accepted as it is; it cannot be changed.',
  })
  type?: StorageType | null;
}

@InputType({ description: 'The storage to delete.' })
export class DeleteStorageInput {
  @Field(() => ID, { description: 'Its id, in either form.' })
  id!: string;
}

@InputType({ description: 'The storage whose OAuth application is to have another secret.' })
export class RotateOAuthApplicationSecretInput {
  @Field(() => ID, { description: 'Id of the storage, in either form.' })
  storageId!: string;
}

@InputType({
  description:
    'What this service is to present to a storage. It replaces what was set, and ends the connections of users.',
})
export class SetOAuthClientCredentialsInput {
  @Field(() => ID, { description: 'Id of the storage, in either form.' })
  storageId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The identifier that the storage gave. Required.',
  })
  clientId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The secret that the storage gave. Required; never shown again.',
  })
  clientSecret?: string | null;
}

@ObjectType({ description: 'Answer of createStorage.', simpleResolvers: true })
export class CreateStoragePayload {
  @Field(() => Storage, { description: 'The storage.' })
  storage!: Storage;

  @Field(() => String, {
    description: 'The secret of its OAuth application. It is shown this once.',
  })
  clientSecret!: string;
}

@ObjectType({ description: 'Answer of updateStorage.', simpleResolvers: true })
export class UpdateStoragePayload {
  @Field(() => Storage, { description: 'The storage.' })
  storage!: Storage;
}

@ObjectType({ description: 'Answer of deleteStorage.', simpleResolvers: true })
export class DeleteStoragePayload {
  @Field(() => ID, { description: 'Global id of the storage that is gone.' })
  deletedStorageId!: string;
}

@ObjectType({ description: 'Answer of setOAuthClientCredentials.', simpleResolvers: true })
export class SetOAuthClientCredentialsPayload {
  @Field(() => Storage, { description: 'The storage.' })
  storage!: Storage;

  @Field(() => OAuthClientCredentials, { description: 'The credentials, without the secret.' })
  oauthClientCredentials!: OAuthClientCredentials;
}

@ObjectType({ description: 'Answer of rotateOAuthApplicationSecret.', simpleResolvers: true })
export class RotateOAuthApplicationSecretPayload {
  @Field(() => OAuthApplication, { description: 'The application.' })
  oauthApplication!: OAuthApplication;

  @Field(() => String, { description: 'Its new secret. It is shown this once.' })
  clientSecret!: string;
}

@Resolver(() => Storage)
export class StorageResolver {
  @Query(() => Storage, {
    description: 'One storage. NOT_FOUND where it is missing or not visible.',
  })
  async storage(
    @Arg('id', () => ID, { description: 'Its id, in either form.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Storage> {
    const storage = await find.storage(context, idOf('Storage', id));
    if (!storage) throw new NotFound();
    return storage;
  }

  @Query(() => StorageConnection, {
    description: 'The storages that the caller sees, newest first.',
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
      'Makes a storage, and the OAuth application with which it may call this service. For administrators.',
  })
  createStorage(
    @Arg('input', () => CreateStorageInput, { description: 'The storage.' })
    input: CreateStorageInput,
    @Ctx() context: Context,
  ): Promise<CreateStoragePayload> {
    return createStorage(context, input);
  }

  @Mutation(() => UpdateStoragePayload, { description: 'Changes a storage. For administrators.' })
  async updateStorage(
    @Arg('input', () => UpdateStorageInput, { description: 'The changes.' })
    { id, ...input }: UpdateStorageInput,
    @Ctx() context: Context,
  ): Promise<UpdateStoragePayload> {
    return { storage: await updateStorage(context, idOf('Storage', id), input) };
  }

  @Mutation(() => DeleteStoragePayload, {
    description:
      'Deletes a storage with its OAuth records, the connections of users and its file links. For administrators.',
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
    description: 'Sets what this service presents to a storage. For administrators.',
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
      'Gives the OAuth application of a storage another secret, and ends what it was issued with the old one. For administrators.',
  })
  rotateOAuthApplicationSecret(
    @Arg('input', () => RotateOAuthApplicationSecretInput, { description: 'The storage.' })
    { storageId }: RotateOAuthApplicationSecretInput,
    @Ctx() context: Context,
  ): Promise<RotateOAuthApplicationSecretPayload> {
    return rotateApplicationSecret(context, idOf('Storage', storageId));
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether everything is set that it needs to be used.',
  })
  configured(@Root() storage: Storage, @Ctx() context: Context): Promise<boolean> {
    return isConfigured(context, storage);
  }

  @FieldResolver(() => AuthorizationState, {
    description: 'Whether the storage accepts the caller. Asks the storage.',
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
      'Where a browser starts to connect the caller to the storage; null unless that is possible and the state is FailedAuthorization. Asks the storage.',
  })
  async authorizeUrl(@Root() storage: Storage, @Ctx() context: Context): Promise<string | null> {
    const { loaders, base } = context;
    if (storage.authenticationMethod === AuthenticationMethod.OAuth2SSO || !isAddressed(storage))
      return null;
    const [state, credentials] = await Promise.all([
      context.once(authorizationStates).load(storage),
      loaders.clientCredentials.load(storage.id),
    ]);
    return credentials && state === AuthorizationState.FailedAuthorization
      ? `${base.url}/oauth_clients/${encodeURIComponent(credentials.clientId)}/ensure_connection?storage_id=${storage.id}`
      : null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Where people browse it; null with an error where it is not known. That of a cloud drive is asked of it, as the caller.',
  })
  openUrl(@Root() storage: Storage, @Ctx() context: Context): Promise<string> {
    return context
      .once(answersOf)
      .share(['openUrl', storage.id, ''], () => openStorage(context, storage));
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may change it and its OAuth records.',
  })
  viewerCanUpdate(@Ctx() { user }: Context): boolean {
    return user.admin;
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may delete it.' })
  viewerCanDelete(@Ctx() { user }: Context): boolean {
    return user.admin;
  }

  @FieldResolver(() => [Project], {
    description:
      'The projects for which the caller may upload to it; none where its type is switched off.',
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
    description: 'With what it may call this service; null unless the caller is an administrator.',
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
      'What this service presents to it; null when nothing is set, or the caller is no administrator.',
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
      'Whether it works and, if not, why. Asks the storage. For administrators: MISSING_PERMISSION for everybody else.',
  })
  health(@Root() storage: Storage, @Ctx() context: Context): Promise<StorageHealth> {
    return context
      .once(answersOf)
      .share(['health', storage.id], () => checkStorageHealth(context, storage));
  }
}
