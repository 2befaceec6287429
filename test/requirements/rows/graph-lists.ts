/** D2: the lists of projects, storages, people and files, and what clients change there. */
import { matrix, section, type Row } from '../row.js';
import {
  attachmentLists,
  companionApp,
  memberships,
  relay,
  projectLists,
  storageLists,
  updatedAttachments,
  viewerFiles,
  workPackageDetails,
  workPackagesOverRest,
} from '../proofs.js';

export const graphListRows: Row[] = section('D2', [
  [
    'oauthApplications',
    'All applications, for administrators only',
    'resolvers/oauth.ts',
    [...storageLists('oauthApplications lists all'), ...matrix(['list applications'])],
  ],
  [
    'connections of a storage',
    'Administrators see all, others their own, without tokens',
    'policies/storage-scopes.ts',
    storageLists('connections of a storage are', 'a connection is found by its id only'),
  ],
  [
    'connections of the viewer',
    'Those with storages that are visible',
    'policies/storage-scopes.ts',
    storageLists('connections of the viewer lead'),
  ],
  [
    'uses of a storage',
    'Those that the caller sees',
    'resolvers/storage.ts',
    [
      ...storageLists('projectStorages of a storage has'),
      ...matrix(['list uses of a storage'], ['project storage']),
    ],
  ],
  [
    'recentAttachments',
    "The viewer's latest files that are still visible",
    'resolvers/viewer-files.ts',
    viewerFiles('recentAttachments has the own', '%s is refused to everybody else'),
  ],
  [
    'pendingUploads',
    "The viewer's uploads that are prepared and not completed",
    'resolvers/viewer-files.ts',
    viewerFiles('pendingUploads has the own'),
  ],
  [
    'expiry of forms',
    'Is shown with the form and with the pending upload',
    'contract/unclaimed-until.ts',
    viewerFiles('says when it expires', 'has no form that expires'),
  ],
  [
    'contents of projects',
    'Sorted lists, empty without the permission',
    'lists/containers.ts',
    [
      ...projectLists('are empty without the permission', 'are sorted by %s, then by id'),
      ...matrix(['list contents']),
    ],
  ],
  [
    'attachments of a container',
    'Are filtered by type, author, state and name, and sorted',
    'lists/attachments.ts',
    attachmentLists(
      'filtered by › %j',
      '%s, pages from both ends',
      'are read in one statement',
      'refuses › %j',
    ),
  ],
  [
    'updateAttachment',
    'Changes the description, for those who may delete the file',
    'actions/files/attachments/update-attachment.ts',
    [
      ...updatedAttachments(
        'null and an empty text remove',
        'an editor changes the description',
        'the history of a work package records',
        'is refused as at the upload',
        'a webhook for changed attachments',
      ),
      ...matrix(['update attachment']),
    ],
  ],
  [
    'memberships',
    'Those of projects of which the client is a member; an id that is not visible matches nothing',
    'actions/containers/lists/list-memberships.ts',
    [
      ...memberships('%s is refused with 400', 'members see the memberships', 'filters narrow'),
      ...matrix(['list memberships']),
    ],
  ],
  [
    'memberships left out',
    'The operator "!" leaves out what the filter selects',
    'actions/containers/lists/list-memberships.ts',
    memberships('leaves out what the filter selects'),
  ],
  [
    'size of pages',
    'At most 200 rows and by default 20, on every list',
    'lists/page.ts',
    relay('a page has at most 200 rows'),
  ],
  [
    'details of work packages',
    'Description, status, type, assignee and responsible, written and read over both; lockVersion counts their changes',
    'actions/containers/changes/validate-details.ts',
    workPackageDetails(
      'each detail is written over REST',
      'all details are written over GraphQL',
      'a new work package has the default',
    ),
  ],
  [
    'people of work packages',
    'Active members of the project; all else is refused with 422',
    'actions/containers/changes/validate-details.ts',
    workPackageDetails('%s is refused with 422'),
  ],
  [
    'work packages over REST',
    'Filters, orders and the form, in both profiles',
    'rest/request/work-package-query.ts',
    workPackagesOverRest(
      'all or the open ones come without',
      'they are sorted in both',
      'a number finds every',
      'a caller who may view them but',
      'an unknown status is refused',
      'a file is found in every storage',
      'a storage is named by its id or',
      'a search for %s finds',
      'page 1,000,000,000',
      'without members names what is missing',
      'leads to the creation only for',
      'is refused as the creation is',
    ),
  ],
  [
    "screens of a file server's companion app",
    'Search, link, unlink, form, creation, dashboard, previews and pictures, by the rules of the app itself',
    'rest/represent/container.ts',
    companionApp(
      'searches, picks a work package',
      'links files to what the search finds',
      'sees the pictures of people',
      'previews links',
      'chooses a project, fills in',
      'sees on the dashboard',
      'is told what is wrong',
    ),
  ],
  [
    'roles',
    'Those that members can have, for members and administrators',
    'policies/visible.ts',
    memberships('roles are shown to members'),
  ],
]);
