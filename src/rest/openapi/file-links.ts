/** The operations on file links and on the files of storages. */
import type { Profile } from '../../contract/profiles.js';
import { named } from './headers.js';
import { freshHeaders } from './headers.js';
import {
  bodyFaults,
  elsewhere,
  filterParameter,
  hal,
  idOf,
  needlessBody,
  operation,
  pageParameters,
} from './operations.js';
import { newFileLinks, newFolder, newUpload } from './requests.js';

const tag = 'File links';
const files = 'Storages';

export const fileLinkPaths = ({
  deletedFileLinkStatus,
  hidesFileLinks,
  wholeFileLinks,
}: Profile) => {
  const gone = {
    [deletedFileLinkStatus]: {
      description: 'The link is gone; the file is where it was.',
      headers: named('X-Request-Id'),
    },
  };
  const single = (operationId: string, more: string) => ({
    get: operation({
      operationId: `view${operationId}`,
      tag,
      summary: 'View a file link',
      graphql: 'fileLink',
      outbound: true,
      description: `The storage is asked about the file (interface 4.4). It asks for: view file links${more}.`,
      answers: hal(200, 'FileLink', 'The file link.'),
      refusals: ['NotFound'],
    }),
    delete: operation({
      operationId: `delete${operationId}`,
      tag,
      summary: 'Remove a file link',
      graphql: 'deleteFileLink',
      description: `It asks for: manage file links (interface 4.4 and section 5)${more}.`,
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
        description: `Oldest first, each with what its storage says now (interface 4.4): every storage is asked once for all of its files. It asks for: view file links.${wholeFileLinks ? ' The default page is the largest.' : ''}`,
        parameters: [
          ...pageParameters(wholeFileLinks ? 1000 : 20),
          filterParameter('`storage` with the operator `=` and ids of storages.'),
        ],
        answers: hal(200, 'FileLinkCollection', 'A page of them.'),
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
          'Up to twenty, all of them or none (interface 4.4). A link that is there already is answered as it is. It asks for: manage file links.',
        body: newFileLinks,
        answers: hal(201, 'NewFileLinks', 'One for each element, in their order.'),
        refusals: [...bodyFaults, 'MissingPermission', 'NotFound', 'MissingOrMisformatted'],
      }),
    },
    '/work_packages/{workPackageId}/file_links/{id}': {
      parameters: [{ ...idOf('work package'), name: 'workPackageId' }, idOf('file link')],
      ...single('WorkPackageFileLink', "; the link must be that work package's"),
    },
    '/file_links': {
      post: operation({
        operationId: 'createUnclaimedFileLinks',
        tag,
        summary: 'Link files to nothing yet',
        graphql: 'createFileLinks',
        outbound: true,
        description:
          'To be claimed by a work package of the same user; they expire. It asks for: manage file links in a project of the storage.',
        body: newFileLinks,
        answers: hal(201, 'UnclaimedFileLinks', 'One for each element, in their order.'),
        refusals: [...bodyFaults, 'MissingPermission', 'MissingOrMisformatted'],
      }),
    },
    '/file_links/{id}': { parameters: [idOf('file link')], ...single('FileLink', '') },
    '/file_links/{id}/open': {
      parameters: [
        idOf('file link'),
        {
          name: 'location',
          in: 'query',
          description: 'The folder that the file is in, instead of the file.',
          schema: { type: 'boolean', default: false },
        },
      ],
      get: operation({
        operationId: 'openFileLink',
        tag,
        summary: 'Open the file of a link',
        graphql: 'fileLink',
        outbound: true,
        description: 'In the storage (interface 4.4). It asks for: view file links.',
        answers: elsewhere('The address on the storage.'),
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
        description: 'A fresh address each time (interface 4.4). It asks for: view file links.',
        answers: elsewhere('The download address on the storage.'),
        refusals: ['NotFound'],
      }),
    },
    '/storages/{id}/files': {
      parameters: [idOf('storage')],
      get: operation({
        operationId: 'listStorageFiles',
        tag: files,
        summary: 'List the files of a folder',
        graphql: 'storage',
        outbound: true,
        description:
          'As the user sees it in the storage (interface 4.5). It asks for: view file links in a project that uses the storage. A document root that does not exist is 404; a parent that is no directory 400.',
        parameters: [
          {
            name: 'parent',
            in: 'query',
            description: 'Id of the folder, or its path beginning with `/`; absent is the root.',
            schema: { type: 'string' },
          },
        ],
        answers: hal(200, 'StorageFiles', 'The folder with what is in it.'),
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
        tag: files,
        summary: 'View a file of a storage',
        graphql: 'storage',
        outbound: true,
        description:
          'As the user sees it in the storage (interface 2.9). It asks for: view file links in a project that uses the storage.',
        answers: hal(200, 'StorageFile', 'The file.'),
        refusals: ['MissingPermission', 'NotFound'],
      }),
    },
    '/storages/{id}/files/prepare_upload': {
      parameters: [idOf('storage')],
      post: operation({
        operationId: 'prepareStorageUpload',
        tag: files,
        summary: 'Prepare an upload to a storage',
        graphql: 'prepareStorageUpload',
        outbound: true,
        description:
          'The client sends the file to the destination, past this service (interface 4.5). It asks for: manage file links in the project.',
        body: newUpload,
        answers: hal(201, 'UploadLink', 'Where to send it; told once.', freshHeaders),
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
        tag: files,
        summary: 'Create a folder in a storage',
        graphql: 'createStorageFolder',
        outbound: true,
        description:
          'As the user (interface 4.5). It asks for: manage file links in a project of the storage.',
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
