/** D2: additions to the interface. */
import { matrix, section, type Row } from '../row.js';
import {
  attachments,
  claims,
  directUpload,
  fileLinkClaims,
  fileLinks,
  graphContainers,
  graphStorages,
  projectStorages,
  resources,
  storageFiles,
  storages,
  walker,
} from '../proofs.js';

const shown = resources('is shown whole, with the links');
const links = [
  ...resources('a %s › every link that is followed'),
  ...projectStorages('every link that is followed'),
];

export const additionRows: Row[] = [
  ...section('D2', [
    [
      '/activities/{id}/attachments',
      'Lists, adds and prepares like the others',
      'rest/represent/paths.ts',
      [...attachments('T15, T16', 'T22, T23'), ...directUpload('T63–T68')],
    ],
    ['/file_links/{id}', 'Views and removes', 'rest/routes/file-links.ts', fileLinks('T155, T156')],
    [
      '/work_packages/{wp}/file_links/{id}',
      'The same, 404 below another work package',
      'rest/routes/file-links.ts',
      fileLinks('T155, T156', 'T155, T157'),
    ],
    [
      'PATCH /storages/{id}',
      'Leaves absent members as they are',
      'actions/storages/update-storage.ts',
      storages('T180: a changed name', 'an absent member stays'),
    ],
    [
      'type of a storage',
      'Never changes: 422',
      'actions/storages/update-storage.ts',
      storages('the type cannot change'),
    ],
    [
      'POST /storages/{id}/folders',
      'Takes three names of the parent',
      'rest/routes/file-links.ts',
      storageFiles('T192: are made'),
    ],
    [
      'name of a folder',
      'A taken one is 422',
      'actions/storage-access/outbound-error.ts',
      storageFiles('T192: a taken name'),
    ],
    [
      'POST /storages/{id}/oauth_client_credentials',
      'Needs id and secret: 422',
      'actions/storages/set-client-credentials.ts',
      storages('T186'),
    ],
    [
      'GET /storages/{id}/open',
      'Leads to the storage: 303',
      'rest/routes/storages.ts',
      storages('T183', 'open of a cloud drive'),
    ],
    [
      'GET /storages/{id}/files/{fileId}',
      'Shows a file',
      'rest/routes/file-links.ts',
      storageFiles('one file by its id'),
    ],
    [
      'GET /project_storages',
      'Lists them',
      'rest/routes/storages.ts',
      projectStorages('T196: administrators', 'T196: others'),
    ],
    [
      'GET /project_storages, filters',
      'By project, storage and address',
      'rest/request/query.ts',
      projectStorages(
        'T197',
        'several filters are all',
        'an address fits whatever',
        'what is no address',
      ),
    ],
    ['GET /project_storages/{id}', 'Shows one', 'rest/routes/storages.ts', projectStorages('T198')],
    [
      'GET /project_storages/{id}/open',
      'Leads to its folder: 303',
      'rest/routes/storages.ts',
      projectStorages('T199'),
    ],
    [
      'project storages in the graph',
      "Are made and removed there, by managers of the project's files",
      'resolvers/project-storage.ts',
      [
        ...graphStorages('with or without a folder', 'it is taken away by'),
        ...projectStorages('only GET is offered'),
        ...matrix(['create project storage', 'delete project storage']),
      ],
    ],
    [
      'GET /oauth_applications/{id}',
      'For administrators, else 404',
      'rest/routes/storages.ts',
      storages('T176'),
    ],
    [
      'GET /oauth_client_credentials/{id}',
      'For administrators, else 404',
      'rest/routes/storages.ts',
      storages('T176'),
    ],
    [
      'GET /api/v3',
      'Names service and caller',
      'rest/routes/root.ts',
      resources('the root names the caller'),
    ],
    [
      'GET /configuration',
      'Names the maximum size',
      'rest/routes/root.ts',
      [...resources('the configuration tells'), ...attachments('T28–T30')],
    ],
    [
      'GET /configuration, prepareAttachment',
      'There only with direct upload',
      'rest/routes/root.ts',
      directUpload('T98: the configuration', 'T61, T98'),
    ],
    [
      'GET /users/{id}',
      'Shows a user',
      'rest/routes/people.ts',
      resources('people see each other', 'visitors see only those'),
    ],
    [
      'GET /users/me',
      'Shows the caller',
      'rest/routes/people.ts',
      resources('users/me is the caller'),
    ],
    [
      'GET /projects/{id}',
      'Shows the project',
      'rest/routes/people.ts',
      resources('a member sees the project'),
    ],
    ['GET containers', 'Shows each of the five kinds', 'rest/routes/containers.ts', shown],
    [
      'GET /work_packages/{id}/activities',
      'Lists them, oldest first',
      'rest/routes/containers.ts',
      resources('lists activities oldest first'),
    ],
    [
      'links of containers',
      'Only those that the caller can use',
      'rest/represent/container.ts',
      [...shown, ...directUpload('T98: where direct upload')],
    ],
    [
      'targets',
      'Every link leads somewhere',
      'rest/represent/paths.ts',
      [
        ...links,
        ...walker('every link that %s is shown and that is to be got'),
        ...matrix(['view container', 'view attachment', 'view storage', 'view file link']),
      ],
    ],
    [
      'POST /work_packages',
      'Claims attachments',
      'rest/routes/containers.ts',
      claims('T114', 'T119', 'T124'),
    ],
    [
      'POST /projects/{id}/work_packages',
      'Claims attachments',
      'rest/routes/containers.ts',
      claims('own path does the same'),
    ],
    [
      'PATCH /work_packages/{id}',
      'Accepts the complete new set',
      'rest/routes/containers.ts',
      claims('T117', 'T118', 'a refused set'),
    ],
    [
      'claims of file links',
      'Accepts the complete new set',
      'actions/file-links/claim-file-links.ts',
      [
        ...fileLinkClaims('a new work package claims', 'names the complete new set'),
        ...matrix(['claim own file link on create', 'claim own file link on update']),
      ],
    ],
    [
      'POST /work_packages/{id}/activities',
      'Claims the attachments in the text and in the links',
      'actions/containers/comment-text.ts',
      claims('T123', 'attachments in _links'),
    ],
    [
      'claims in the graph',
      'Containers of all five kinds claim attachments',
      'resolvers/containers.ts',
      [
        ...graphContainers(
          'is made with the attachments it claims',
          'is written, changed and deleted',
        ),
        ...matrix(['claim own on create', 'claim own on update']),
      ],
    ],
    [
      'announced digest',
      'Is verified; one that does not fit removes the attachment',
      'actions/uploads/finalize-upload.ts',
      directUpload('that fits is verified', 'T82, decisions 7'),
    ],
  ]),
];
