/** The operations on storages, on the projects that use them, and on their OAuth records. */
import type { Profile } from '../../contract/profiles.js';
import {
  bodyFaults,
  elsewhere,
  filterParameter,
  hal,
  idOf,
  needlessBody,
  noContent,
  operation,
  pageParameters,
} from './operations.js';
import { freshHeaders } from './headers.js';
import { clientCredentials, newStorage, storageChanges } from './requests.js';

const tag = 'Storages';
const SEEN =
  'for those who may view file links in a project that uses it, who manage the files of any project, and administrators (interface section 5)';

export const storagePaths = ({ answersCredentials }: Profile) => ({
  '/storages': {
    get: operation({
      operationId: 'listStorages',
      tag,
      summary: 'List storages',
      graphql: 'storages',
      outbound: true,
      description: `Newest first, ${SEEN}. Every storage is asked for its authorization state, all at once.`,
      parameters: [
        ...pageParameters(),
        filterParameter('No filter is supported: the empty array is accepted.'),
      ],
      answers: hal(200, 'StorageCollection', 'A page of them.'),
      refusals: ['InvalidQuery'],
    }),
    post: operation({
      operationId: 'createStorage',
      tag,
      summary: 'Create a storage',
      graphql: 'createStorage',
      outbound: true,
      description:
        'For administrators (interface 4.5). The origin is asked whether it is what it is said to be. Makes the OAuth application with which the storage may call this service.',
      body: newStorage,
      answers: hal(
        201,
        'NewStorage',
        'The storage, with the secret of its OAuth application.',
        freshHeaders,
      ),
      refusals: [...bodyFaults, 'MissingPermission', 'PropertyConstraintViolation'],
    }),
  },
  '/storages/{id}': {
    parameters: [idOf('storage')],
    get: operation({
      operationId: 'viewStorage',
      tag,
      summary: 'View a storage',
      graphql: 'storage',
      outbound: true,
      description: `It is asked for its authorization state (interface 4.5); ${SEEN}.`,
      answers: hal(200, 'Storage', 'The storage.'),
      refusals: ['NotFound'],
    }),
    patch: operation({
      operationId: 'updateStorage',
      tag,
      summary: 'Update a storage',
      graphql: 'updateStorage',
      outbound: true,
      description:
        'For administrators (interface 4.5). Absent members stay as they are; the type cannot change. A changed origin or tenant drops every secret of the storage.',
      body: storageChanges,
      answers: hal(200, 'Storage', 'The storage.'),
      refusals: [
        ...bodyFaults,
        'MissingPermission',
        'NotFound',
        'UpdateConflict',
        'PropertyConstraintViolation',
      ],
    }),
    delete: operation({
      operationId: 'deleteStorage',
      tag,
      summary: 'Delete a storage',
      graphql: 'deleteStorage',
      description:
        'For administrators (interface 4.5). Its OAuth records, the connections of users and its file links go with it.',
      answers: noContent('It is gone.'),
      refusals: [...needlessBody, 'MissingPermission', 'NotFound'],
    }),
  },
  '/storages/{id}/open': {
    parameters: [idOf('storage')],
    get: operation({
      operationId: 'openStorage',
      tag,
      summary: 'Open a storage',
      graphql: 'storage',
      outbound: true,
      description: `Where the user browses it (interface 2.8); ${SEEN}.`,
      answers: elsewhere('The address on the storage.'),
      refusals: ['NotFound'],
    }),
  },
  '/storages/{id}/oauth_client_credentials': {
    parameters: [idOf('storage')],
    post: operation({
      operationId: 'createOAuthClientCredentials',
      tag,
      summary: 'Set the OAuth client credentials of a storage',
      graphql: 'setOAuthClientCredentials',
      outbound: true,
      description:
        'For administrators (interface 4.5). What was set is replaced, and the connections of users that were made with it end.',
      body: clientCredentials,
      answers: answersCredentials
        ? hal(201, 'OAuthClientCredentials', 'The credentials, without the secret.')
        : hal(201, 'Storage', 'The storage.'),
      refusals: [
        ...bodyFaults,
        'MissingPermission',
        'NotFound',
        'UpdateConflict',
        'PropertyConstraintViolation',
      ],
    }),
  },
  '/oauth_applications/{id}': {
    parameters: [idOf('OAuth application')],
    get: operation({
      operationId: 'viewOAuthApplication',
      tag,
      summary: 'View an OAuth application',
      graphql: 'oauthApplication',
      description: 'For administrators (interface 2.8); for everybody else it does not exist.',
      answers: hal(200, 'OAuthApplication', 'The application, without its secret.'),
      refusals: ['NotFound'],
    }),
  },
  '/oauth_client_credentials/{id}': {
    parameters: [idOf('OAuth client credentials')],
    get: operation({
      operationId: 'viewOAuthClientCredentials',
      tag,
      summary: 'View OAuth client credentials',
      graphql: 'oauthClientCredentials',
      description: 'For administrators (interface 2.8); for everybody else they do not exist.',
      answers: hal(200, 'OAuthClientCredentials', 'The credentials, without the secret.'),
      refusals: ['NotFound'],
    }),
  },
  '/project_storages': {
    get: operation({
      operationId: 'listProjectStorages',
      tag,
      summary: 'List the storages of projects',
      graphql: 'projectStorages',
      description:
        'Newest first, unpaginated, of projects in which the client may view file links or manage files (interface 2.8).',
      parameters: [
        filterParameter(
          '`projectId`, `storageId` and `storageUrl`, each with the operator `=`. A project that does not exist is an error; a storage that does not exist has none.',
        ),
      ],
      answers: hal(200, 'ProjectStorageCollection', 'All of them.'),
      refusals: ['InvalidQuery'],
    }),
  },
  '/project_storages/{id}': {
    parameters: [idOf('project storage')],
    get: operation({
      operationId: 'viewProjectStorage',
      tag,
      summary: 'View a storage of a project',
      graphql: 'projectStorage',
      description:
        'For those who may view file links or manage files in the project (interface section 5).',
      answers: hal(200, 'ProjectStorage', 'The project storage.'),
      refusals: ['NotFound'],
    }),
  },
  '/project_storages/{id}/open': {
    parameters: [idOf('project storage')],
    get: operation({
      operationId: 'openProjectStorage',
      tag,
      summary: 'Open a storage of a project',
      graphql: 'projectStorage',
      outbound: true,
      description:
        'Where the user browses the folder of the project, or the storage where it has none (interface section 4.5).',
      answers: elsewhere('The address on the storage.'),
      refusals: ['NotFound'],
    }),
  },
});
