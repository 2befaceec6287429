/** The operations on storages, their use by projects, and their OAuth records. */
import type { Profile } from '../src/contract/profiles.js';
import {
  bodyFaults,
  redirect303,
  filterParameter,
  hal,
  idOf,
  needlessBody,
  noContent,
  operation,
  pageParameters,
  wholeListParameters,
} from './operation-parts.js';
import { freshHeaders } from './headers.js';
import { clientCredentials, newStorage, storageChanges } from './requests.js';

const tag = 'Storages';
const SEEN =
  'Needs the permission view file links in a project that uses the storage, or ' +
  'manage files in project in any project. Administrators see all.';

export const storagePaths = ({ answersCredentials, wholeStorages }: Profile) => ({
  '/storages': {
    get: operation({
      operationId: 'listStorages',
      tag,
      summary: 'List storages',
      graphql: 'storages',
      outbound: true,
      description:
        'Newest first. Asks all storages for the authorization state, at the same ' +
        `time. ${SEEN}`,
      parameters: [
        ...(wholeStorages ? wholeListParameters : pageParameters()),
        filterParameter('There are no filters. The empty array is accepted.'),
      ],
      answers: hal(
        200,
        'StorageCollection',
        wholeStorages ? 'All storages.' : 'A page of storages.',
      ),
      refusals: ['InvalidQuery'],
    }),
    post: operation({
      operationId: 'createStorage',
      tag,
      summary: 'Create a storage',
      graphql: 'createStorage',
      outbound: true,
      description:
        'For administrators. Checks that there is a file server at the origin. Creates ' +
        'the OAuth application with which the storage may call this service.',
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
      description: `Asks the storage for the authorization state. ${SEEN}`,
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
        'For administrators. Absent members stay as they are. The type cannot change. ' +
        'A new origin or tenant deletes every secret of the storage.',
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
        'For administrators. Also deletes its OAuth records, the connections of users, ' +
        'and its file links.',
      answers: noContent('The storage is deleted.'),
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
      description: `Redirects a browser to the storage. ${SEEN}`,
      answers: redirect303('The address on the storage.'),
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
        'For administrators. Replaces the old credentials. Another client ID ends the connections of ' +
        'users that were made with them.',
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
      description: 'For administrators. Everybody else gets 404.',
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
      description: 'For administrators. Everybody else gets 404.',
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
        'Newest first, on one page. Needs the permission view file links, or manage ' +
        'files in project, in the project.',
      parameters: [
        ...wholeListParameters,
        filterParameter(
          '`projectId`, `storageId` and `storageUrl`, each with the operator `=`. An ' +
            'unknown project is an error. An unknown storage has no projects.',
        ),
      ],
      answers: hal(200, 'ProjectStorageCollection', 'The storages of projects.'),
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
        'Needs the permission view file links, or manage files in project, in the project.',
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
        'Redirects a browser to the folder of the project. Without a folder, to the ' + 'storage.',
      answers: redirect303('The address on the storage.'),
      refusals: ['NotFound'],
    }),
  },
});
