/** The operations on file links and on the files of storages. */
import type { Profile } from '../src/contract/profiles.js';
import { freshHeaders, headerRefs } from './headers.js';
import {
  bodyFaults,
  redirect303,
  filterParameter,
  hal,
  idOf,
  needlessBody,
  operation,
  pageParameters,
  queryParameter,
} from './operation-parts.js';
import { newFileLinks, newFolder, newUpload } from './requests.js';

const tag = 'File links';
const storagesTag = 'Storages';

export const fileLinkPaths = ({
  deletedFileLinkStatus,
  hidesFileLinks,
  wholeFileLinks,
  newestFileLinksFirst,
}: Profile) => {
  const gone = {
    [deletedFileLinkStatus]: {
      description: 'The link is removed. The file stays in the storage.',
      headers: headerRefs('X-Request-Id'),
    },
  };
  const single = (operationId: string, more: string) => ({
    get: operation({
      operationId: `view${operationId}`,
      tag,
      summary: 'View a file link',
      graphql: 'fileLink',
      outbound: true,
      description: `Asks the storage about the file. Needs the permission view file links${more}.`,
      answers: hal(200, 'FileLink', 'The file link.'),
      refusals: ['NotFound'],
    }),
    delete: operation({
      operationId: `delete${operationId}`,
      tag,
      summary: 'Remove a file link',
      graphql: 'deleteFileLink',
      description: `Needs the permission manage file links${more}.`,
      answers: gone,
      refusals: [...needlessBody, 'MissingPermission', 'NotFound'],
    }),
  });
  return {
    '/work_packages/{id}/file_links': {
      parameters: [idOf('work package')],
      get: operation({
        operationId: 'listFileLinks',
        tag,
        summary: 'List the file links of a work package',
        graphql: 'workPackage',
        outbound: true,
        description:
          `${newestFileLinksFirst ? 'Newest' : 'Oldest'} first. Asks each storage once about all ` +
          'its files. Needs the permission view file ' +
          `links.${wholeFileLinks ? ' The default page is the largest.' : ''}`,
        parameters: [
          ...pageParameters(wholeFileLinks ? 1000 : 20),
          filterParameter('`storage` with the operator `=` and ids of storages.'),
        ],
        answers: hal(200, 'FileLinkCollection', 'A page of file links.'),
        refusals: [
          'InvalidQuery',
          ...(hidesFileLinks ? [] : ['MissingPermission' as const]),
          'NotFound',
        ],
      }),
      post: operation({
        operationId: 'createFileLinks',
        tag,
        summary: 'Link files to a work package',
        graphql: 'createFileLinks',
        outbound: true,
        description:
          'Up to twenty: all of them are created, or none. The answer has existing links ' +
          'as they are. Needs the permission manage file links.',
        body: newFileLinks,
        answers: hal(201, 'NewFileLinks', 'One file link for each element, in the same order.'),
        refusals: [...bodyFaults, 'MissingPermission', 'NotFound', 'MissingOrMisformatted'],
      }),
    },
    '/work_packages/{workPackageId}/file_links/{id}': {
      parameters: [{ ...idOf('work package'), name: 'workPackageId' }, idOf('file link')],
      ...single('WorkPackageFileLink', '. The link must belong to the work package'),
    },
    '/file_links': {
      post: operation({
        operationId: 'createUnclaimedFileLinks',
        tag,
        summary: 'Create file links without a work package',
        graphql: 'createFileLinks',
        outbound: true,
        description:
          'The same user adds them to a work package later. Otherwise they expire. ' +
          'Needs the permission manage file links in a project of the storage.',
        body: newFileLinks,
        answers: hal(
          201,
          'UnclaimedFileLinks',
          'One file link for each element, in the same order.',
        ),
        refusals: [...bodyFaults, 'MissingPermission', 'MissingOrMisformatted'],
      }),
    },
    '/file_links/{id}': { parameters: [idOf('file link')], ...single('FileLink', '') },
    '/file_links/{id}/open': {
      parameters: [
        idOf('file link'),
        queryParameter('location', 'Whether to open the folder of the file instead.', {
          type: 'boolean',
          default: false,
        }),
      ],
      get: operation({
        operationId: 'openFileLink',
        tag,
        summary: 'Open the file of a link',
        graphql: 'fileLink',
        outbound: true,
        description:
          'Redirects a browser to the file in the storage. Needs the permission view file links.',
        answers: redirect303('The address on the storage.'),
        refusals: ['NotFound'],
      }),
    },
    '/file_links/{id}/download': {
      parameters: [idOf('file link')],
      get: operation({
        operationId: 'downloadFileLink',
        tag,
        summary: 'Download the file of a link',
        graphql: 'fileLink',
        outbound: true,
        description: 'Redirects to a new address each time. Needs the permission view file links.',
        answers: redirect303('The download address on the storage.'),
        refusals: ['NotFound'],
      }),
    },
    '/storages/{id}/files': {
      parameters: [idOf('storage')],
      get: operation({
        operationId: 'listStorageFiles',
        tag: storagesTag,
        summary: 'List the files of a folder',
        graphql: 'storage',
        outbound: true,
        description:
          'As the user sees it in the storage. Needs the permission view file links in a ' +
          'project that uses the storage. A folder that does not exist answers 404. A ' +
          'parent that is not a directory answers 400.',
        parameters: [
          queryParameter(
            'parent',
            'Id of the folder, or its path, which begins with `/`. Without it, the root.',
            { type: 'string' },
          ),
        ],
        answers: hal(200, 'StorageFiles', 'The folder and its files.'),
        refusals: ['InvalidQuery', 'MissingPermission', 'NotFound'],
      }),
    },
    '/storages/{id}/files/{fileId}': {
      parameters: [
        idOf('storage'),
        {
          name: 'fileId',
          in: 'path',
          required: true,
          description: 'Id of the file in the storage.',
          schema: { type: 'string' },
        },
      ],
      get: operation({
        operationId: 'viewStorageFile',
        tag: storagesTag,
        summary: 'View a file of a storage',
        graphql: 'storage',
        outbound: true,
        description:
          'As the user sees it in the storage. Needs the permission view file links in a ' +
          'project that uses the storage.',
        answers: hal(200, 'StorageFile', 'The file.'),
        refusals: ['MissingPermission', 'NotFound'],
      }),
    },
    '/storages/{id}/files/prepare_upload': {
      parameters: [idOf('storage')],
      post: operation({
        operationId: 'prepareStorageUpload',
        tag: storagesTag,
        summary: 'Prepare an upload to a storage',
        graphql: 'prepareStorageUpload',
        outbound: true,
        description:
          'The client then sends the file to the storage itself. Needs the permission ' +
          'manage file links in the project.',
        body: newUpload,
        answers: hal(
          201,
          'UploadLink',
          'Where to send the file. It cannot be read again.',
          freshHeaders,
        ),
        refusals: [
          ...bodyFaults,
          'InvalidBodyOrParent',
          'MissingPermission',
          'NotFound',
          'PropertyConstraintViolation',
        ],
      }),
    },
    '/storages/{id}/folders': {
      parameters: [idOf('storage')],
      post: operation({
        operationId: 'createStorageFolder',
        tag: storagesTag,
        summary: 'Create a folder in a storage',
        graphql: 'createStorageFolder',
        outbound: true,
        description:
          'The user creates it in the storage. Needs the permission manage file links in ' +
          'a project of the storage.',
        body: newFolder,
        answers: hal(201, 'StorageFile', 'The folder.'),
        refusals: [
          ...bodyFaults,
          'InvalidBodyOrParent',
          'MissingPermission',
          'NotFound',
          'PropertyConstraintViolation',
        ],
      }),
    },
  };
};
