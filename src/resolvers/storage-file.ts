/** The files of storages in the graph: browsing, creating folders, preparing uploads. */
import { Arg, Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import { createStorageFolder } from '../actions/storages/files/create-storage-folder.js';
import { listFiles, nameOfFolder } from '../actions/storages/files/list-files.js';
import { prepareStorageUpload } from '../actions/storages/files/prepare-storage-upload.js';
import { viewFile } from '../actions/storages/files/view-file.js';
import type { Context } from '../context.js';
import { idOf } from '../contract/ids.js';
import { StorageFile, StorageFiles, UploadLink } from '../models/storage-file.js';
import { Storage } from '../models/storage.js';
import { counted } from './counted.js';
import { optionalId } from './id-lists.js';
import { askAlone, askOnce } from './shared-requests.js';
import { NO_TOKEN } from './schema-phrases.js';
import { fieldWeights } from '../contract/field-weights.js';
import { idOfOne, mutation, optional } from './mutation.js';

const parent = optional(
  String,
  'Required. The folder that will contain it: an id, or a path that begins with `/`; ' +
    'at most 4,096 characters.',
);

export const storageFileMutations = [
  mutation('createStorageFolder', {
    forApplications: true,
    description:
      "Creates a folder in a storage, with the caller's account there. " +
      'It needs the permission to manage file links in a project that uses the storage. ' +
      'Errors: NOT_FOUND if the storage is missing or not visible; MISSING_PERMISSION; ' +
      'PROPERTY_CONSTRAINT_VIOLATION for an invalid name, and if the name is taken; ' +
      'INVALID_QUERY if `parent` is a file; ' +
      'MISSING_ENTERPRISE_TOKEN if the type of storage is disabled; ' +
      NO_TOKEN +
      'OUTBOUND_REQUEST_NOT_FOUND for any other failure of the storage.',
    argument: 'The folder.',
    about: 'A new folder in a storage.',
    input: {
      storageId: idOfOne('storage'),
      name: optional(
        String,
        'Required. Name of the folder: 1 to 255 characters, ' +
          'without path separators and control characters.',
      ),
      parent,
    },
    payload: { folder: [StorageFile, 'The new folder.'] },
    run: async ({ storageId, name, parent: folder }, context) => ({
      folder: await createStorageFolder(context, {
        storageId: idOf('Storage', storageId),
        name,
        parent: folder,
      }),
    }),
  }),

  mutation('prepareStorageUpload', {
    forApplications: true,
    description:
      'Returns a one-time address to which the client uploads a file. ' +
      "The upload uses the caller's account at the storage. " +
      'It needs the permission to manage file links in the project. ' +
      'Errors: NOT_FOUND if the storage or the project is missing or not visible; ' +
      'MISSING_PERMISSION; PROPERTY_CONSTRAINT_VIOLATION for invalid input, ' +
      'and if the project does not use the storage; INVALID_QUERY if `parent` is a file; ' +
      'MISSING_ENTERPRISE_TOKEN if the type of storage is disabled; ' +
      NO_TOKEN +
      'OUTBOUND_REQUEST_NOT_FOUND for any other failure of the storage.',
    argument: 'The file.',
    about: 'A file that the client will upload to a storage itself.',
    input: {
      storageId: idOfOne('storage'),
      projectId: optional(
        ID,
        'Required. Global id or integer id of a project that uses the storage.',
      ),
      fileName: optional(
        String,
        'Required. Name of the file: 1 to 255 characters, ' +
          'without path separators and control characters.',
      ),
      parent,
    },
    payload: { uploadLink: [UploadLink, 'The address for the upload, which can be used once.'] },
    run: async ({ storageId, projectId, fileName, parent: folder }, context) => ({
      uploadLink: await prepareStorageUpload(context, {
        storageId: idOf('Storage', storageId),
        projectId: optionalId('Project', projectId),
        name: fileName,
        parent: folder,
      }),
    }),
  }),
];

@Resolver(() => Storage)
export class StorageFileResolver {
  @FieldResolver(() => StorageFiles, {
    nullable: true,
    complexity: fieldWeights.listed,
    description:
      'A folder and its entries as the caller sees them. This field asks the storage. ' +
      'It needs the permission to view file links in a project that uses the storage. ' +
      'Null with an error: MISSING_PERMISSION; NOT_FOUND if the root is missing; ' +
      'INVALID_QUERY if `parent` is a file, a path with `.` or `..`, or too long; ' +
      'MISSING_ENTERPRISE_TOKEN if the type of storage is disabled; ' +
      NO_TOKEN +
      'OUTBOUND_REQUEST_NOT_FOUND for any other failure, ' +
      'such as a missing folder or a caller who is not connected.',
  })
  files(
    @Root() storage: Storage,
    @Arg('parent', () => String, {
      nullable: true,
      description:
        'The folder: an id, or a path that begins with `/`; at most 4,096 characters. ' +
        'Default: the root.',
    })
    parent: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<StorageFiles> {
    const read = () =>
      askAlone(context, storage.id, ['files', storage.id, nameOfFolder(parent)], () =>
        listFiles(context, storage, parent),
      );
    return counted(context, read, ({ files, ancestors }) => files.length + ancestors.length);
  }

  @FieldResolver(() => StorageFile, {
    nullable: true,
    complexity: fieldWeights.asked,
    description:
      'One file or folder as the caller sees it. This field asks the storage. ' +
      'It needs the permission to view file links in a project that uses the storage. ' +
      'Null with an error: MISSING_PERMISSION; ' +
      'MISSING_ENTERPRISE_TOKEN if the type of storage is disabled; ' +
      NO_TOKEN +
      'OUTBOUND_REQUEST_NOT_FOUND for any other failure, such as a missing file.',
  })
  file(
    @Root() storage: Storage,
    @Arg('id', () => String, { description: 'Id of the file in the storage.' }) id: string,
    @Ctx() context: Context,
  ): Promise<StorageFile> {
    return askOnce(context, ['file', storage.id, id], () => viewFile(context, storage, id));
  }
}
