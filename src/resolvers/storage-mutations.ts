/** Creates, changes and deletes storages. Only administrators can do that. */
import { ID } from 'type-graphql';
import { createStorage } from '../actions/storages/settings/create-storage.js';
import { deleteStorage } from '../actions/storages/settings/delete-storage.js';
import { updateStorage } from '../actions/storages/settings/update-storage.js';
import { globalId, idOf } from '../contract/ids.js';
import { AuthenticationMethod, Storage, StorageType } from '../models/storage.js';
import { ownMemberNames, ownMembers, type OwnMemberName } from '../storages/types.js';
import { idOfOne, mutation, optional } from './mutation.js';
import { ADMINS } from './schema-phrases.js';

/** The members of a storage that administrators set. */
const details = {
  name: optional(String, 'Name of the storage, unique, 1 to 255 characters.'),
  origin: optional(
    String,
    'Address of the storage, at most 255 characters. It may have a path. ' +
      'It must be https, or http on the machine of the service. ' +
      'The service checks that a storage of the type answers there. ' +
      'Ignored for storages without their own address.',
  ),
  authenticationMethod: optional(
    AuthenticationMethod,
    'How users sign in to the storage. Ignored for storages without their own address.',
  ),
  storageAudience: optional(
    String,
    'Audience of the tokens for the storage, with `OAUTH2_SSO`; at most 255 characters. ' +
      '`__op-idp__` passes on the token of the sign-in without an exchange. Null unsets it. ' +
      'Ignored for storages without their own address.',
  ),
  tokenExchangeScope: optional(
    String,
    'Scope to ask for when a token is exchanged for the storage, with `OAUTH2_SSO`; ' +
      'at most 255 characters. Several are separated by blanks. Null unsets it. ' +
      'Ignored for storages without their own address.',
  ),
  applicationPassword: optional(
    String,
    'Password with which the service manages project folders. The service checks it. ' +
      'Null unsets it. Ignored for storages without their own address.',
  ),
  automaticallyManagedFolders: optional(
    Boolean,
    'Whether the application may manage the folders of projects in a cloud drive. ' +
      'Null means false. Ignored for storages with an application password.',
  ),
  ...(Object.fromEntries(
    ownMemberNames.map((name) => [
      name,
      optional(String, ownMembers[name].input ?? ownMembers[name].description),
    ]),
  ) as { [name in OwnMemberName]: ReturnType<typeof optional<StringConstructor>> }),
};

export const storageMutations = [
  mutation('createStorage', {
    description:
      'Creates a storage, and an OAuth application with which the storage can call this service. ' +
      'In the profile openproject, cloud drives have no application. ' +
      `Errors: ${ADMINS}; ` +
      'PROPERTY_CONSTRAINT_VIOLATION for invalid input, a name or host that is taken, ' +
      'and a storage that does not answer as expected; ' +
      'MISSING_ENTERPRISE_TOKEN if the type of storage is disabled.',
    argument: 'The storage.',
    about:
      'A new storage. Members that do not belong to its type are ignored. ' +
      'Defaults: `name` is the name of the type, `authenticationMethod` is `TWO_WAY_OAUTH2`. ' +
      'A self-hosted file server needs an `origin`.',
    input: {
      ...details,
      type: optional(StorageType, 'Required. Type of the storage. It cannot be changed later.'),
    },
    payload: {
      storage: [Storage, 'The new storage.'],
      clientSecret: optional(
        String,
        'The secret of the OAuth application of the storage. It cannot be read again. ' +
          'Null if the storage has no application.',
      ),
    },
    run: (input, context) => createStorage(context, input),
  }),

  mutation('updateStorage', {
    description:
      'Changes a storage. ' +
      `Errors: NOT_FOUND if it is missing or not visible; ${ADMINS}; ` +
      'PROPERTY_CONSTRAINT_VIOLATION as for `createStorage`; ' +
      'UPDATE_CONFLICT if the storage got another host at the same time; ' +
      'MISSING_ENTERPRISE_TOKEN if the type of storage is disabled.',
    argument: 'The changes.',
    about:
      'Changes of a storage. Omitted members stay unchanged. ' +
      'Members that do not belong to its type are ignored. ' +
      'A new origin or tenant deletes every secret of the storage: its client credentials, ' +
      'the connections of users, the application password and the secret of its OAuth application.',
    input: {
      ...details,
      id: idOfOne('storage'),
      type: optional(
        StorageType,
        'The current type. Error: PROPERTY_CONSTRAINT_VIOLATION for another type.',
      ),
    },
    payload: { storage: [Storage, 'The changed storage.'] },
    run: async ({ id, ...input }, context) => ({
      storage: await updateStorage(context, idOf('Storage', id), input),
    }),
  }),

  mutation('deleteStorage', {
    description:
      'Deletes a storage with its project storages, file links, OAuth records and the ' +
      'connections of users. The files stay in the storage. ' +
      `Errors: NOT_FOUND if it is missing or not visible; ${ADMINS}.`,
    argument: 'The storage.',
    about: 'The storage to delete.',
    input: { id: idOfOne('storage') },
    payload: { deletedStorageId: [ID, 'Global id of the deleted storage.'] },
    run: async ({ id }, context) => {
      const deleted = await deleteStorage(context, idOf('Storage', id));
      return { deletedStorageId: globalId('Storage', deleted.id) };
    },
  }),
];
