/** D1: the two profiles. */
import { section, type Row } from '../row.js';
import {
  attachments,
  badMultipart,
  config,
  directUpload,
  fileLinks,
  openApi,
  projectStorages,
  resources,
  storageFiles,
  storages,
} from '../proofs.js';

const dialect = attachments('the openproject profile answers 201');
const listed = fileLinks('T125, T132');
const single = fileLinks('T155, T156');

export const dialectRows: Row[] = [
  ...section('D1', [
    [
      'URN word',
      'service-org or openproject-org',
      'contract/profiles.ts',
      [...openApi('speaks the words'), ...dialect, ...listed],
    ],
    [
      'storage types',
      'Each profile has names of its own',
      'contract/profiles.ts',
      storages('T167, T168', 'T194'),
    ],
    [
      'C1',
      'Adding answers 200 or 201',
      'contract/profiles.ts',
      [...dialect, ...openApi('speaks the words')],
    ],
    ['C8', 'Removing a file link answers 200 or 204', 'contract/profiles.ts', single],
    [
      'C7',
      'Lists of file links are paginated in both',
      'rest/routes/file-links.ts',
      [...listed, ...fileLinks('C40: pages')],
    ],
    [
      'C10',
      'Setting client credentials answers with the storage, or with them',
      'contract/profiles.ts',
      storages('T184, T185, C10'),
    ],
    [
      'C6',
      'Without view_file_links: 403, or an empty list. GraphQL always refuses',
      'rest/routes/file-links.ts',
      fileLinks('T126, T127'),
    ],
    [
      'C20',
      'One identifier for all failures of storages, or several',
      'contract/errors.ts',
      [...fileLinks('T160'), ...storageFiles('T190'), ...storages('open of a cloud drive')],
    ],
    [
      'C28',
      'The first of several violations, or MultipleErrors',
      'rest/represent/errors.ts',
      [
        ...dialect,
        ...attachments('several violations'),
        ...storages('T172, C28'),
        ...directUpload('T72, T88'),
      ],
    ],
    [
      'C29, C30',
      'One identifier for all violations, or names for missing and misformatted members',
      'contract/errors.ts',
      fileLinks('T147–T150'),
    ],
    [
      'self link of a file link',
      'Below its work package, or short',
      'rest/represent/file-link.ts',
      [...listed, ...fileLinks('T161, T164')],
    ],
    [
      'C38',
      'An empty password is refused, or unsets it',
      'actions/storages/validate-storage.ts',
      storages('T170, C38'),
    ],
    [
      'digest',
      'sha256 or md5 by default',
      'config.ts',
      [...config('the digest algorithm follows'), ...dialect, ...directUpload('T72, T88')],
    ],
    [
      'input of both',
      'URNs of either are understood in both',
      'rest/represent/urns.ts',
      storages('the words of both', 'the type cannot change'),
    ],
    [
      'output of one',
      'Answers contain only the words of the configured profile',
      'rest/represent/urns.ts',
      [...openApi('speaks the words'), ...storages('the words of both')],
    ],
    [
      'storageUrl',
      'Is compared by host, port and path, in any spelling and encoding',
      'actions/project-storages/list-project-storages.ts',
      [...fileLinks('T145, decisions 1'), ...projectStorages('an address fits whatever')],
    ],
    [
      'httpd/unix-directory',
      'Is the type of folders',
      'actions/file-links/validate-origin.ts',
      fileLinks('C11, C12, 2.6'),
    ],
    [
      'an empty body',
      'An empty body with a JSON type is accepted if no body is required',
      'rest/routes/file-links.ts',
      [...single, ...storages('T182')],
    ],
    [
      'a trailing slash',
      'Is accepted',
      'rest/index.ts',
      [...resources('a trailing slash'), ...storages('T165, C40')],
    ],
    [
      'no Accept',
      'Means any',
      'rest/request/body.ts',
      badMultipart('%s comes back as it was sent'),
    ],
    [
      'whole first page',
      'File links come at once in the openproject profile',
      'rest/routes/file-links.ts',
      fileLinks('C40: pages'),
    ],
  ]),
];
