/** Creates, changes and deletes storages. Only administrators can do that. */
import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { createStorage } from '../actions/storages/settings/create-storage.js';
import { deleteStorage } from '../actions/storages/settings/delete-storage.js';
import { updateStorage } from '../actions/storages/settings/update-storage.js';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
import { AuthenticationMethod, Storage, StorageType, type OwnColumns } from '../models/storage.js';
import { ownMemberNames, ownMembers } from '../storages/types.js';
import { ADMINS } from './schema-phrases.js';

// The table of storage types adds members to the class.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
interface StorageDetails extends Partial<OwnColumns> {}

@InputType({ description: 'The members of a storage that administrators set.' })
class StorageDetails {
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
      'Audience of the tokens for the storage, with `OAUTH2_SSO`; at most 255 characters. ' +
      '`__op-idp__` passes on the token of the sign-in without an exchange. Null unsets it. ' +
      'Ignored for storages without their own address.',
  })
  storageAudience?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Scope to ask for when a token is exchanged for the storage, with `OAUTH2_SSO`; ' +
      'at most 255 characters. Several are separated by blanks. Null unsets it. ' +
      'Ignored for storages without their own address.',
  })
  tokenExchangeScope?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Password with which the service manages project folders. The service checks it. ' +
      'Null unsets it. Ignored for storages without their own address.',
  })
  applicationPassword?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the application may manage the folders of projects in a cloud drive. ' +
      'Null means false. Ignored for storages with an application password.',
  })
  automaticallyManagedFolders?: boolean | null;
}

for (const name of ownMemberNames)
  Field(() => String, {
    nullable: true,
    description: ownMembers[name].input ?? ownMembers[name].description,
  })(StorageDetails.prototype, name);

@InputType({
  description:
    'A new storage. Members that do not belong to its type are ignored. ' +
    'Defaults: `name` is the name of the type, `authenticationMethod` is `TWO_WAY_OAUTH2`. ' +
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

@ObjectType({ description: 'The result of `createStorage`.', simpleResolvers: true })
export class CreateStoragePayload {
  @Field(() => Storage, { description: 'The new storage.' })
  storage!: Storage;

  @Field(() => String, {
    nullable: true,
    description:
      'The secret of the OAuth application of the storage. It cannot be read again. ' +
      'Null if the storage has no application.',
  })
  clientSecret?: string;
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

@Resolver()
export class StorageMutationsResolver {
  @Mutation(() => CreateStoragePayload, {
    description:
      'Creates a storage, and an OAuth application with which the storage can call this service. ' +
      'In the profile openproject, cloud drives have no application. ' +
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
}
