/** D1: the two profiles. */
import { section, type Row } from '../row.js';
import {
  attachments,
  badMultipart,
  config,
  connections,
  dialects,
  directUpload,
  fileLinks,
  openApi,
  projectStorages,
  resources,
  singleSignOn,
  storageFiles,
  storages,
} from '../proofs.js';

const dialect = attachments('the openproject profile answers 201');
const listed = fileLinks('the list shows every link');
const single = fileLinks('a link is read');

export const dialectRows: Row[] = [
  ...section('D1', [
    [
      'URN word',
      'service-org or openproject-org',
      'contract/profiles.ts',
      [...openApi('uses only the URNs'), ...dialect, ...listed],
    ],
    [
      'storage types',
      'Each profile has names of its own',
      'contract/profiles.ts',
      storages('a new self-hosted file', 'a new cloud drive'),
    ],
    [
      'C1',
      'Adding answers 200 or 201',
      'contract/profiles.ts',
      [...dialect, ...openApi('uses only the URNs')],
    ],
    ['C8', 'Removing a file link answers 200 or 204', 'contract/profiles.ts', single],
    [
      'C7',
      'Lists of file links are paginated in both',
      'rest/routes/file-links.ts',
      [...listed, ...fileLinks('pages are numbered from 1')],
    ],
    [
      'C10',
      'Setting client credentials answers with the storage, or with them',
      'contract/profiles.ts',
      storages('client credentials replace earlier'),
    ],
    [
      'C6',
      'Without view_file_links: 403, or an empty list. GraphQL always refuses',
      'rest/routes/file-links.ts',
      fileLinks('a list without the permission'),
    ],
    [
      'C20',
      'One identifier for all failures of storages, or several',
      'contract/errors.ts',
      [
        ...fileLinks('an error of the storage'),
        ...storageFiles('a failing storage answers 500'),
        ...storages('open of a cloud drive'),
      ],
    ],
    [
      'C28',
      'The first of several violations, or MultipleErrors',
      'rest/represent/errors.ts',
      [
        ...dialect,
        ...attachments('several errors answer the first'),
        ...storages('a taken host and a taken'),
        ...directUpload('the openproject profile answers MultipleErrors'),
      ],
    ],
    [
      'C29, C30',
      'One identifier for all violations, or names for missing and misformatted members',
      'contract/errors.ts',
      fileLinks('missing, empty, malformed or too'),
    ],
    [
      'self link of a file link',
      'Below its work package, or short',
      'rest/represent/file-link.ts',
      [...listed, ...fileLinks('a link is created')],
    ],
    [
      'C38',
      'An empty password is refused, or unsets it',
      'actions/storages/validate-storage.ts',
      storages('hasApplicationPassword is true for a password'),
    ],
    [
      'digest',
      'sha256 or md5 by default',
      'config.ts',
      [
        ...config('the digest algorithm follows'),
        ...dialect,
        ...directUpload('the openproject profile answers MultipleErrors'),
      ],
    ],
    [
      'order of file links',
      'The oldest first, or the newest',
      'contract/profiles.ts',
      fileLinks('pages are numbered from 1'),
    ],
    [
      'list of storages',
      'In pages, or all at once',
      'contract/profiles.ts',
      storages('the openproject profile answers all storages'),
    ],
    [
      'root without credentials',
      'Links the anonymous user, or nobody',
      'contract/profiles.ts',
      resources('the root names the anonymous user'),
    ],
    [
      'location of a file',
      'As text, or percent-encoded',
      'contract/profiles.ts',
      storageFiles('a folder is listed in full'),
    ],
    [
      'invalid filters',
      'A message for each mistake, or one for all',
      'contract/profiles.ts',
      projectStorages('the openproject profile has one message'),
    ],
    [
      'deleting a file link',
      'Requires to see it, or only to manage the links of a visible work package',
      'policies/find.ts',
      dialects('a link is deleted by whoever'),
    ],
    [
      'file links without a work package',
      'Require manage_file_links, or the permissions to view file links',
      'policies/permissions.ts',
      dialects('a link without a work package'),
    ],
    [
      'files of a storage without a token',
      'A failed outbound request, or 401 that says what to do',
      'actions/storage-access/ask-storage.ts',
      [...storageFiles('a caller without a token'), ...singleSignOn('somebody without a usable')],
    ],
    [
      'C2, C3',
      'A missing part of an upload is an invalid body, or a blank file',
      'rest/request/upload-form.ts',
      dialects('a missing part of an upload'),
    ],
    [
      'members of folders and uploads',
      'An absent one is blank, or makes the body invalid',
      'rest/routes/file-links.ts',
      dialects('absent members of a folder'),
    ],
    [
      'members without a value',
      'Are null, or left out of files, origins and the single sign-on of storages',
      'rest/represent/known.ts',
      [
        ...storageFiles('a folder is listed in full'),
        ...storages('a new self-hosted file'),
        ...openApi('rejects every unknown member'),
      ],
    ],
    [
      'tokenExchangeScope',
      'Is kept, and shown in the openproject profile only',
      'rest/represent/storage.ts',
      storages('the scope of token exchanges'),
    ],
    [
      'scope of an exchange',
      'Is sent to the OpenID provider, and belongs to the key of a cached token',
      'auth/openid/tokens.ts',
      singleSignOn('the scope of the storage is sent'),
    ],
    [
      'links of a project to its storages',
      'For users who can view file links there',
      'rest/routes/people.ts',
      projectStorages('a project links to its storages'),
    ],
    [
      'page of a project storage',
      'Connects first, and then opens the storage',
      'actions/connections/open-with-connection.ts',
      connections('the page of a project storage'),
    ],
    [
      'first requests with single sign-on',
      'Ask once who the user is, and once more after a failure; the answer is remembered',
      'actions/storage-access/sign-on-user.ts',
      singleSignOn('the very first requests', 'the id of the user is remembered'),
    ],
    [
      "a cloud drive's application",
      'Every storage has one, or only those that receive codes',
      'actions/storages/own-application.ts',
      storages('a new cloud drive'),
    ],
    [
      'attachments of comments',
      'Adding requires to see the comment, or to write comments',
      'policies/can.ts',
      dialects('a file is added to a comment'),
    ],
    [
      'input of both',
      'URNs of either are understood in both',
      'rest/represent/urns.ts',
      storages('URNs of both profiles', 'the type cannot be'),
    ],
    [
      'output of one',
      'Answers contain only the words of the configured profile',
      'rest/represent/urns.ts',
      [...openApi('uses only the URNs'), ...storages('URNs of both profiles')],
    ],
    [
      'storageUrl',
      'Is compared by host, port and path, in any spelling and encoding',
      'actions/project-storages/list-project-storages.ts',
      [...fileLinks('a storage is found'), ...projectStorages('URLs match in any scheme')],
    ],
    [
      'httpd/unix-directory',
      'Is the type of folders',
      'actions/file-links/validate-origin.ts',
      fileLinks('every property is stored'),
    ],
    [
      'an empty body',
      'An empty body with a JSON type is accepted if no body is required',
      'rest/routes/file-links.ts',
      [...single, ...storages('a deletion removes its OAuth')],
    ],
    [
      'a trailing slash',
      'Is accepted',
      'rest/index.ts',
      [...resources('a trailing slash'), ...storages('administrators get all storages')],
    ],
    ['no Accept', 'Means any', 'rest/request/body.ts', badMultipart('%s is returned unchanged')],
    [
      'whole first page',
      'File links come at once in the openproject profile',
      'rest/routes/file-links.ts',
      fileLinks('pages are numbered from 1'),
    ],
  ]),
];
