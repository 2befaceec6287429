/** Section 4.5. */
import { matrix, section, type Row } from '../row.js';
import { fileLinkClaims, graphStorages, storageFiles, storages } from '../proofs.js';

const created = storages('T167, T168');
const known = storages('T184, T185, C10');
const noUrl = storages('T171');
const notOne = storages('what is no type, no method');

export const storageEndpointRows: Row[] = [
  ...section('4.5', [
    [
      'list',
      'GET those that the caller sees',
      'rest/routes/storages.ts',
      storages('T165, C40', 'T166, T175'),
    ],
    [
      'list filters',
      'Only the empty filter is accepted',
      'rest/routes/storages.ts',
      storages('what is no whole number'),
    ],
    ['create', 'POST one: 201', 'rest/routes/storages.ts', [...created, ...storages('T194')]],
    ['view', 'GET one', 'rest/routes/storages.ts', created],
    ['update', 'PATCH one', 'rest/routes/storages.ts', storages('T180: a changed name')],
    ['delete', 'DELETE one: 204', 'rest/routes/storages.ts', storages('T182')],
    ['files', 'GET a folder', 'rest/routes/file-links.ts', storageFiles('T187, 2.9')],
    [
      'files, root',
      'Without a parent, the root',
      'rest/routes/file-links.ts',
      storageFiles('C17: the root'),
    ],
    [
      'prepare upload',
      'POST for an address: 201',
      'rest/routes/file-links.ts',
      storageFiles('T191: an address'),
    ],
    [
      'prepare upload, body',
      'Project, file name and parent, all needed',
      'actions/storage-files/prepare-storage-upload.ts',
      storageFiles('T191: 403 without'),
    ],
    [
      'create folder',
      'POST below a parent: 201',
      'rest/routes/file-links.ts',
      storageFiles('T192: are made'),
    ],
    [
      'create folder, parent',
      'Needed',
      'actions/storage-files/create-storage-folder.ts',
      storageFiles('T192: a taken name'),
    ],
    ['client credentials', 'POST them: 201', 'rest/routes/storages.ts', known],
    [
      'body name',
      'Optional',
      'actions/storages/validate-storage.ts',
      storages('a name is unique and has 1 to 255'),
    ],
    [
      'body storageAudience',
      'Optional',
      'actions/storages/validate-storage.ts',
      [...created, ...storages('an absent member stays')],
    ],
    [
      'body applicationPassword, text',
      'Sets it, once the server has accepted it',
      'actions/storages/validate-storage.ts',
      storages('T170, C38', 'T173: a password', 'T181, T173'),
    ],
    [
      'body applicationPassword, null',
      'Unsets it',
      'actions/storages/update-storage.ts',
      storages('T170, C38', 'T181, T173'),
    ],
    [
      'body applicationPassword, managed folders',
      'Projects have managed folders only with one',
      'actions/project-storages/create-project-storage.ts',
      graphStorages('a folder must fit its mode'),
    ],
    [
      'body applicationPassword, cloud drive',
      'Ignored',
      'actions/storages/validate-storage.ts',
      storages('T194'),
    ],
    [
      'body origin',
      'Needed: the address of the server',
      'actions/storages/validate-storage.ts',
      noUrl,
    ],
    ['body type', 'Needed: one of two', 'rest/represent/urns.ts', notOne],
    [
      'body authenticationMethod',
      'Optional: one of two',
      'rest/represent/urns.ts',
      [...notOne, ...storages('the words of both')],
    ],
    [
      'rule 1',
      'A storage has an OAuth application, whose secret is shown once',
      'actions/storages/create-storage.ts',
      created,
    ],
    [
      'rule 2',
      'New client credentials replace old ones',
      'actions/storages/set-client-credentials.ts',
      [...known, ...storages('T185: replaced')],
    ],
    ['rule 3', 'Reading asks the storage', 'actions/storages/probe-storage.ts', storages('T178')],
    [
      'rule 4',
      'Members that the service sets cannot be changed',
      'actions/storages/update-storage.ts',
      storages('an absent member stays'),
    ],
    [
      'rule 5',
      'With a storage go its application, its client and its file links',
      'actions/storages/delete-storage.ts',
      [...storages('T182'), ...fileLinkClaims('with its storage, or with')],
    ],
    [
      'rule 6',
      'A parent that is no folder is 400',
      'actions/storage-access/outbound-error.ts',
      storageFiles('C18, 4.5 rule 6'),
    ],
    [
      'rule 7',
      'The list is paginated',
      'rest/request/query.ts',
      storages('T205: pages follow', 'T204'),
    ],
    [
      'permissions',
      'Each of them for every kind of caller',
      'policies/can.ts',
      matrix([
        'list storages',
        'view storage',
        'create storage',
        'update storage',
        'delete storage',
        'set client credentials',
        'browse files',
        'create folder',
        'prepare storage upload',
      ]),
    ],
  ]),
];
