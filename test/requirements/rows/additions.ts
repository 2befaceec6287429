/** D2: additions to the interface. */
import { matrix, section, type Row } from '../row.js';
import {
  attachments,
  claims,
  companionApp,
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
  workPackageLists,
} from '../proofs.js';

const shown = resources('is shown in full');
const links = [...resources('all its GET links'), ...projectStorages('all GET links resolve')];

export const additionRows: Row[] = [
  ...section('D2', [
    [
      '/activities/{id}/attachments',
      'Lists, adds and prepares like the others',
      'rest/represent/paths.ts',
      [
        ...attachments('the list is an unpaginated', 'a valid two-part upload'),
        ...directUpload('preparing answers 201 with the full'),
      ],
    ],
    [
      '/file_links/{id}',
      'Views and removes',
      'rest/routes/file-links.ts',
      fileLinks('a link is read'),
    ],
    [
      '/work_packages/{wp}/file_links/{id}',
      'The same, 404 below another work package',
      'rest/routes/file-links.ts',
      fileLinks('a link is read', 'a hidden link answers 404'),
    ],
    [
      'PATCH /storages/{id}',
      'Leaves absent members as they are',
      'actions/storages/update-storage.ts',
      storages('a changed name is shown', 'missing members stay, null'),
    ],
    [
      'type of a storage',
      'Never changes: 422',
      'actions/storages/update-storage.ts',
      storages('the type cannot be'),
    ],
    [
      'POST /storages/{id}/folders',
      'Takes three names of the parent',
      'rest/routes/file-links.ts',
      storageFiles('are created with parents'),
    ],
    [
      'name of a folder',
      'A taken one is 422',
      'actions/storage-access/outbound-error.ts',
      storageFiles('with a taken or missing'),
    ],
    [
      'POST /storages/{id}/oauth_client_credentials',
      'Needs id and secret: 422',
      'actions/storages/set-client-credentials.ts',
      storages('a missing client id'),
    ],
    [
      'GET /storages/{id}/open',
      'Leads to the storage: 303',
      'rest/routes/storages.ts',
      storages('open redirects to the storage', 'open of a cloud drive'),
    ],
    [
      'GET /storages/{id}/files/{fileId}',
      'Shows a file',
      'rest/routes/file-links.ts',
      storageFiles('a file is found'),
    ],
    [
      'GET /project_storages',
      'Lists them',
      'rest/routes/storages.ts',
      projectStorages('administrators see all project', 'other users see those'),
    ],
    [
      'GET /project_storages, filters',
      'By project, storage and address',
      'rest/request/page-and-filters.ts',
      projectStorages(
        'by project and by storage',
        'several filters must all match',
        'URLs match in any scheme',
        'an invalid URL, filter',
      ),
    ],
    [
      'GET /project_storages/{id}',
      'Shows one',
      'rest/routes/storages.ts',
      projectStorages('a project storage is shown'),
    ],
    [
      'GET /project_storages/{id}/open',
      'Leads to its folder: 303',
      'rest/routes/storages.ts',
      projectStorages('open redirects to the folder'),
    ],
    [
      'project storages in the graph',
      "Are made and removed there, by managers of the project's files",
      'resolvers/project-storage.ts',
      [
        ...graphStorages('with or without a folder', 'only users who manage'),
        ...projectStorages('only GET is offered'),
        ...matrix(['create project storage', 'delete project storage']),
      ],
    ],
    [
      'GET /oauth_applications/{id}',
      'For administrators, else 404',
      'rest/routes/storages.ts',
      storages('only administrators see the OAuth'),
    ],
    [
      'GET /oauth_client_credentials/{id}',
      'For administrators, else 404',
      'rest/routes/storages.ts',
      storages('only administrators see the OAuth'),
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
      [
        ...resources('the configuration is visible'),
        ...attachments('the maximum size is configurable'),
      ],
    ],
    [
      'GET /configuration, prepareAttachment',
      'There only with direct upload',
      'rest/routes/root.ts',
      directUpload('the configuration links to prepare', 'with files on the local'),
    ],
    [
      'GET /users/{id}',
      'Shows a user',
      'rest/routes/people.ts',
      resources('users see each other', 'anonymous users see only the users'),
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
      resources('activities are listed oldest'),
    ],
    [
      'links of containers',
      'Only those that the caller can use',
      'rest/represent/container.ts',
      [...shown, ...directUpload('if direct upload is configured')],
    ],
    [
      'targets',
      'Every link leads somewhere',
      'rest/represent/paths.ts',
      [
        ...links,
        ...walker('every GET link that %s sees'),
        ...matrix(['view container', 'view attachment', 'view storage', 'view file link']),
      ],
    ],
    [
      'POST /work_packages',
      'Claims attachments',
      'rest/routes/containers.ts',
      claims("the user's unclaimed attachments", 'a user who can only create', 'the same id twice'),
    ],
    [
      'POST /projects/{id}/work_packages',
      'Claims attachments',
      'rest/routes/containers.ts',
      claims('the path of the project'),
    ],
    [
      'PATCH /work_packages/{id}',
      'Accepts the complete new set',
      'rest/routes/containers.ts',
      claims('the array is the complete', 'a request without attachments', 'a set with an invalid'),
    ],
    [
      'claims of file links',
      'Accepts the complete new set',
      'actions/file-links/claim-file-links.ts',
      [
        ...fileLinkClaims('a new work package claims', 'sets the complete new'),
        ...matrix(['claim own file link on create', 'claim own file link on update']),
      ],
    ],
    [
      'POST /work_packages/{id}/activities',
      'Claims the attachments in the text and in the links',
      'actions/containers/comment-text.ts',
      claims("the user's unclaimed uploads", 'attachments in _links'),
    ],
    [
      'claims in the graph',
      'Containers of all five kinds claim attachments',
      'resolvers/containers.ts',
      [
        ...graphContainers('is created with the attachments', 'is created, changed and deleted'),
        ...matrix(['claim own on create', 'claim own on update']),
      ],
    ],
    [
      'announced digest',
      'Is verified; one that does not fit removes the attachment',
      'actions/uploads/finalize-upload.ts',
      directUpload('%s that matches is verified', '%s that does not match'),
    ],
    [
      'lists of work packages',
      'Show everybody what single reads show, and are refused without the permission anywhere',
      'loaders/work-package-list.ts',
      workPackageLists('everybody sees what their projects', 'never finds a work package'),
    ],
    [
      'search for work packages',
      'A number, or every word of subject, project, type or status, without case and accents',
      'loaders/work-package-search.ts',
      workPackageLists('for %j finds %j', 'for a number finds', 'finds a new subject'),
    ],
    [
      'filters and order of lists',
      'Narrow the list together; an id that is not visible is refused',
      'actions/lists/list-work-packages.ts',
      [
        ...workPackageLists('by project, status, type', 'with %s are refused', 'by file link'),
        ...companionApp('with %s are refused with 400'),
      ],
    ],
    [
      'pages of lists',
      'The same rows forwards, backwards and by number; totals up to 10,000',
      'loaders/ordered-list.ts',
      workPackageLists('%s has the same rows', 'numbered pages and totals'),
    ],
    [
      'form of a new work package',
      'Fills in defaults, keeps a foreign type with its error, and stores nothing',
      'actions/containers/work-package-form.ts',
      companionApp('is told what is wrong', 'chooses a project, fills in the form'),
    ],
    [
      'available projects',
      'Only for those who can create a work package somewhere',
      'rest/routes/lists.ts',
      companionApp('without the permission to create anywhere', 'of projects apply all filters'),
    ],
  ]),
];
