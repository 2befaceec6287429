/** Sections 2.8 and 2.9. */ import { section, type Row } from '../row.js';
import {
  connections,
  fileLinks,
  projectStorages,
  secrets,
  singleSignOn,
  storageFiles,
  storages,
} from '../proofs.js';
const server = storages('a new self-hosted file');
const drive = storages('a new cloud drive');
const state = storages("the authorization state is the caller's");
const known = storages('client credentials replace earlier');
const folder = storageFiles('a folder is listed');
const upload = storageFiles('get a URL of the storage');
export const storageRows: Row[] = [
  ...section('2.8', [
    ['id', 'Integer that the service gives', 'models/storage.ts', server],
    ['name', 'Its name', 'models/storage.ts', server],
    [
      'name by default',
      'Without one it is called as its type',
      'actions/storages/settings/validate-storage.ts',
      storages('a name is unique and has 1 to 255'),
    ],
    [
      'storageAudience',
      'Self-hosted only: the audience of tokens for it',
      'models/storage.ts',
      [...server, ...drive],
    ],
    [
      'storageAudience is used',
      'Tokens of the OpenID provider are had for it',
      'auth/openid/tokens.ts',
      singleSignOn('another token is exchanged'),
    ],
    ['tenantId', 'Cloud drive only', 'models/storage.ts', [...drive, ...server]],
    [
      'driveId',
      'Cloud drive only, null while it is not known',
      'models/storage.ts',
      [...drive, ...server],
    ],
    [
      'hasApplicationPassword',
      'Self-hosted only: whether there is one',
      'models/storage.ts',
      [...storages('hasApplicationPassword is true for a password'), ...drive],
    ],
    [
      'the password is never shown',
      'Nor logged, nor kept in clear',
      'secrets/keyring.ts',
      [...storages('no answer, log line'), ...secrets('no response, no log line')],
    ],
    ['createdAt', 'Time of its making', 'models/storage.ts', server],
    [
      'updatedAt',
      'Time of its last change',
      'models/storage.ts',
      storages('a changed name is shown'),
    ],
    [
      'configured',
      'Whether the storage has all required settings',
      'resolvers/storage.ts',
      [
        ...known,
        ...storages('a cloud drive is configured', 'without client credentials, and with single'),
      ],
    ],
    [
      'embedded oauthApplication',
      'For administrators',
      'rest/represent/storage.ts',
      [...server, ...storages('only administrators see the OAuth')],
    ],
    [
      'embedded oauthClientCredentials',
      'For administrators, once there are some',
      'rest/represent/storage.ts',
      [...known, ...storages('only administrators see the OAuth')],
    ],
    ['link self', 'Own address, titled with the name', 'rest/represent/storage.ts', server],
    ['link type', 'URN of the type', 'rest/represent/urns.ts', [...server, ...drive]],
    [
      'link authenticationMethod',
      'Self-hosted only: one of two',
      'rest/represent/storage.ts',
      [...server, ...drive, ...storages('URNs of both profiles')],
    ],
    [
      'link origin',
      'Address of a self-hosted file server',
      'actions/storages/settings/validate-storage.ts',
      [...server, ...drive],
    ],
    [
      'link open',
      'The start page of the storage',
      'actions/storages/settings/open-storage.ts',
      [...server, ...storages('open redirects to the storage')],
    ],
    [
      'link authorizationState',
      'URN of the state',
      'actions/storages/access/authorization-state.ts',
      state,
    ],
    [
      'state Connected',
      'The storage answers to the caller',
      'actions/storages/access/authorization-state.ts',
      [...state, ...connections('Connected without an authorize link')],
    ],
    [
      'state FailedAuthorization',
      'The storage does not know the caller',
      'actions/storages/access/authorization-state.ts',
      [...state, ...connections('FailedAuthorization with the address')],
    ],
    [
      'state Error',
      'The storage did not answer',
      'actions/storages/access/authorization-state.ts',
      [...state, ...connections('Error without an authorize link')],
    ],
    [
      'link authorize',
      'Starts the connection; present only if authorization failed',
      'resolvers/storage.ts',
      [...state, ...connections('leads to the storage with a state')],
    ],
    [
      'link oauthApplication',
      'For administrators only',
      'rest/represent/storage.ts',
      storages('only administrators see the OAuth'),
    ],
    [
      'link oauthClientCredentials',
      'For administrators only; null without client credentials',
      'rest/represent/storage.ts',
      [...server, ...known, ...storages('only administrators see the OAuth')],
    ],
    [
      'link prepareUpload',
      'Templates of uploads, one for each project in which the caller can upload',
      'rest/represent/storage.ts',
      [...storages('prepareUpload has one entry'), ...storageFiles('a disabled cloud drive')],
    ],
    [
      'link projectStorages',
      'The projects that use it',
      'rest/represent/storage.ts',
      projectStorages('all GET links resolve'),
    ],
    [
      'OAuthApplication members',
      'id, name, client, times, scopes',
      'rest/represent/storage.ts',
      server,
    ],
    [
      'OAuthApplication clientSecret',
      'Shown in the answer that makes the storage and never again',
      'rest/routes/storages.ts',
      server,
    ],
    [
      'OAuthApplication links',
      'Own address, owner, storage, redirect addresses',
      'rest/represent/storage.ts',
      [...server, ...drive],
    ],
    [
      'OAuthClientCredentials members',
      'id, client, times, own address and storage',
      'rest/represent/storage.ts',
      known,
    ],
    [
      'OAuthClientCredentials secret',
      'Never shown',
      'rest/represent/storage.ts',
      [...known, ...storages('no answer, log line')],
    ],
  ]),
  ...section('2.9', [
    ['StorageFile members', 'The same metadata as in file links', 'models/storage-file.ts', folder],
    [
      'StorageFile location',
      'Where the file is in the storage',
      'models/storage-file.ts',
      [...folder, ...storageFiles('1,000 entries')],
    ],
    ['StorageFile link self', 'A placeholder', 'rest/represent/file-link.ts', folder],
    ['StorageFiles files', 'The content of the folder', 'rest/routes/file-links.ts', folder],
    [
      'StorageFiles of a large folder',
      'The first 10,000 by name; the graph says so',
      'storages/first-by-name.ts',
      storageFiles('of a folder with more than 10,000'),
    ],
    ['StorageFiles parent', 'The folder', 'rest/routes/file-links.ts', folder],
    [
      'StorageFiles ancestors',
      'The parent folders; empty for the root',
      'rest/routes/file-links.ts',
      [...folder, ...storageFiles('a missing parent and slashes')],
    ],
    ['StorageFiles link self', 'A placeholder', 'rest/routes/file-links.ts', folder],
    ['UploadLink link self', 'A placeholder', 'rest/routes/file-links.ts', upload],
    [
      'UploadLink link destination',
      'Where to upload',
      'actions/storages/files/prepare-storage-upload.ts',
      upload,
    ],
    [
      'the same origin data',
      'In links and in folders',
      'models/storage-file.ts',
      [...folder, ...fileLinks('the list shows every link')],
    ],
  ]),
];
