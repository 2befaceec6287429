/** Section 4.5. */ import { matrix, section, type Row } from '../row.js';
import { fileLinkClaims, graphStorages, storageFiles, storages } from '../proofs.js';
const created = storages('a new self-hosted file');
const known = storages('client credentials replace earlier');
const noUrl = storages('a missing origin, or one that is not the URL');
const notOne = storages('an invalid type, method');
export const storageEndpointRows: Row[] = [
  ...section('4.5', [
    [
      'list',
      'GET those that the caller sees',
      'rest/routes/storages.ts',
      storages('administrators get all storages', 'administrators, users with view_file_links'),
    ],
    [
      'list filters',
      'Only the empty filter is accepted',
      'rest/routes/storages.ts',
      storages('a text for a page means the first one'),
    ],
    [
      'create',
      'POST one: 201',
      'rest/routes/storages.ts',
      [...created, ...storages('a new cloud drive')],
    ],
    ['view', 'GET one', 'rest/routes/storages.ts', created],
    ['update', 'PATCH one', 'rest/routes/storages.ts', storages('a changed name is shown')],
    [
      'delete',
      'DELETE one: 204',
      'rest/routes/storages.ts',
      storages('a deletion removes its OAuth'),
    ],
    ['files', 'GET a folder', 'rest/routes/file-links.ts', storageFiles('a folder is listed')],
    [
      'files, root',
      'Without a parent, the root',
      'rest/routes/file-links.ts',
      storageFiles('a missing parent and slashes'),
    ],
    [
      'prepare upload',
      'POST for an address: 201',
      'rest/routes/file-links.ts',
      storageFiles('get a URL of the storage'),
    ],
    [
      'prepare upload, body',
      'Project, file name and parent, all needed',
      'actions/storages/files/prepare-storage-upload.ts',
      storageFiles('answer 403 without the permission, 404 for an unknown'),
    ],
    [
      'create folder',
      'POST below a parent: 201',
      'rest/routes/file-links.ts',
      storageFiles('are created with parents'),
    ],
    [
      'create folder, parent',
      'Needed',
      'actions/storages/files/create-storage-folder.ts',
      storageFiles('with a taken or missing'),
    ],
    ['client credentials', 'POST them: 201', 'rest/routes/storages.ts', known],
    [
      'body name',
      'Optional',
      'actions/storages/settings/validate-storage.ts',
      storages('a name is unique and has 1 to 255'),
    ],
    [
      'body storageAudience',
      'Optional',
      'actions/storages/settings/validate-storage.ts',
      [...created, ...storages('missing members stay, null')],
    ],
    [
      'body applicationPassword, text',
      'Sets it, once the server has accepted it',
      'actions/storages/settings/validate-storage.ts',
      storages(
        'hasApplicationPassword is true for a password',
        'a password that the server',
        'the password is checked',
      ),
    ],
    [
      'body applicationPassword, null',
      'Unsets it',
      'actions/storages/settings/update-storage.ts',
      storages('hasApplicationPassword is true for a password', 'the password is checked'),
    ],
    [
      'body applicationPassword, managed folders',
      'Projects have managed folders only with one',
      'actions/storages/projects/create-project-storage.ts',
      graphStorages('a folder must match'),
    ],
    [
      'body applicationPassword, cloud drive',
      'Ignored',
      'actions/storages/settings/validate-storage.ts',
      storages('a new cloud drive'),
    ],
    [
      'body origin',
      'Needed: the address of the server',
      'actions/storages/settings/validate-storage.ts',
      noUrl,
    ],
    ['body type', 'Needed: one of two', 'rest/represent/urns.ts', notOne],
    [
      'body authenticationMethod',
      'Optional: one of two',
      'rest/represent/urns.ts',
      [...notOne, ...storages('URNs of both profiles')],
    ],
    [
      'rule 1',
      'A storage has an OAuth application, whose secret is shown once',
      'actions/storages/settings/create-storage.ts',
      created,
    ],
    [
      'rule 2',
      'New client credentials replace old ones',
      'actions/storages/settings/set-client-credentials.ts',
      [...known, ...storages('replaced client credentials end')],
    ],
    [
      'rule 3',
      'Reading asks the storage',
      'actions/storages/settings/probe-storage.ts',
      storages("the authorization state is the caller's"),
    ],
    [
      'rule 4',
      'Members that the service sets cannot be changed',
      'actions/storages/settings/update-storage.ts',
      storages('missing members stay, null'),
    ],
    [
      'rule 5',
      'With a storage go its application, its client and its file links',
      'actions/storages/settings/delete-storage.ts',
      [
        ...storages('a deletion removes its OAuth'),
        ...fileLinkClaims('deleting the storage, or removing'),
      ],
    ],
    [
      'rule 6',
      'A parent that is no folder is 400',
      'actions/storages/access/outbound-error.ts',
      storageFiles('a file as parent answers 400'),
    ],
    [
      'rule 7',
      'The list is paginated',
      'rest/request/page-and-filters.ts',
      storages('the pages are complete', 'page sizes above 1000'),
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
