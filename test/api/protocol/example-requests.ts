/** The requests of the examples, one per operation, in an order in which a client can send them. */
import type { Example } from '../../../openapi/examples.js';
import type { Profile } from '../../../src/contract/profiles.js';
import { storageUrn } from '../../../src/rest/represent/urns.js';
import { storageTypes } from '../../../src/storages/types.js';

interface ExampleRequests {
  readonly [operationId: string]: Example['request'];
}

const filters = (name: string, value: string): string =>
  encodeURIComponent(JSON.stringify([{ [name]: { operator: '=', values: [value] } }]));
const search = (words: string): string =>
  encodeURIComponent(JSON.stringify([{ typeahead: { operator: '**', values: [words] } }]));
const sorted = (column: string, direction: string): string =>
  encodeURIComponent(JSON.stringify([[column, direction]]));
const form = (fileName: string, file: string) => ({ metadata: { fileName }, file });

const service: ExampleRequests = {
  viewRoot: { path: '/' },
  viewConfiguration: { path: '/configuration' },
  viewDescription: { path: '/spec.json' },
  viewMe: { path: '/users/me' },
  renderMarkdown: { path: '/render/markdown', body: '*Three* rooms' },
  viewUser: { path: '/users/3' },
  viewUserAvatar: { path: '/users/4/avatar' },
  viewProject: { path: '/projects/1' },
};

const attachments: ExampleRequests = {
  createAttachment: {
    path: '/attachments',
    body: {
      metadata: { fileName: 'plan.txt', description: { raw: 'The ground floor' } },
      file: 'Three rooms and a kitchen.',
    },
  },
  viewAttachment: { path: '/attachments/1' },
  downloadAttachment: { path: '/attachments/1/content' },
};

const workPackages: ExampleRequests = {
  createWorkPackage: {
    path: '/work_packages',
    body: {
      subject: 'Order bricks',
      _links: {
        project: { href: '/api/v3/projects/1' },
        attachments: [{ href: '/api/v3/attachments/1' }],
      },
    },
  },
  createProjectWorkPackage: {
    path: '/projects/1/work_packages',
    body: { subject: 'Order wood' },
  },
  addWorkPackageAttachment: {
    path: '/work_packages/2/attachments',
    body: form('offer.txt', 'Forty boards.'),
  },
  listWorkPackageAttachments: { path: '/work_packages/2/attachments' },
  archiveWorkPackageAttachments: { path: '/work_packages/2/attachments/archive' },
  viewWorkPackage: { path: '/work_packages/1' },
  updateWorkPackage: {
    path: '/work_packages/1',
    body: { subject: 'Order more bricks', lockVersion: 0 },
  },
};

const lists: ExampleRequests = {
  listWorkPackages: {
    path: `/work_packages?filters=${search('brick')}&sortBy=${sorted('updatedAt', 'desc')}`,
  },
  listProjectWorkPackages: { path: '/projects/1/work_packages?pageSize=1' },
  listAvailableProjects: { path: '/work_packages/available_projects' },
  checkWorkPackage: { path: '/work_packages/form', body: {} },
  checkProjectWorkPackage: {
    path: '/projects/1/work_packages/form',
    body: { subject: 'Order nails', _links: { type: { href: null }, status: { href: null } } },
  },
  listProjects: { path: `/projects?filters=${search('hou')}` },
  listProjectCategories: { path: '/projects/1/categories' },
  listProjectTypes: { path: '/projects/1/types' },
  listAvailableAssignees: { path: '/projects/1/available_assignees' },
  listMemberships: { path: `/memberships?filters=${filters('project', '1')}` },
  viewMembershipSchema: { path: '/memberships/schema' },
  viewMembership: { path: '/memberships/1' },
  listRoles: { path: '/roles' },
  viewRole: { path: '/roles/1' },
  listStatuses: { path: '/statuses' },
  viewStatus: { path: '/statuses/1' },
  listTypes: { path: '/types' },
  viewType: { path: '/types/1' },
};

const activities: ExampleRequests = {
  createComment: {
    path: '/work_packages/2/activities',
    body: { comment: { raw: 'The *offer* is good.' }, internal: false },
  },
  addActivityAttachment: {
    path: '/activities/3/attachments',
    body: form('answer.txt', 'We take it.'),
  },
  listActivityAttachments: { path: '/activities/3/attachments' },
  archiveActivityAttachments: { path: '/activities/3/attachments/archive' },
  viewActivity: { path: '/activities/3' },
  updateComment: { path: '/activities/3', body: { comment: 'The offer is *very* good.' } },
  listActivities: { path: '/work_packages/1/activities' },
};

const notifications: ExampleRequests = {
  listNotifications: { path: '/notifications?groupBy=reason' },
  viewNotification: { path: '/notifications/1' },
  markNotificationRead: { path: '/notifications/1/read_ian' },
  markNotificationUnread: { path: '/notifications/1/unread_ian' },
  markNotificationsRead: {
    path: `/notifications/read_ian?filters=${filters('resourceId', '1')}`,
  },
  markNotificationsUnread: { path: '/notifications/unread_ian' },
};

const otherContainers: ExampleRequests = {
  viewMeeting: { path: '/meetings/1' },
  addMeetingAttachment: { path: '/meetings/1/attachments', body: form('agenda.txt', 'Bricks.') },
  listMeetingAttachments: { path: '/meetings/1/attachments' },
  archiveMeetingAttachments: { path: '/meetings/1/attachments/archive' },
  viewPost: { path: '/posts/1' },
  addPostAttachment: { path: '/posts/1/attachments', body: form('quote.txt', 'Wood floats.') },
  listPostAttachments: { path: '/posts/1/attachments' },
  archivePostAttachments: { path: '/posts/1/attachments/archive' },
  viewWikiPage: { path: '/wiki_pages/1' },
  addWikiPageAttachment: { path: '/wiki_pages/1/attachments', body: form('list.txt', 'Nails') },
  listWikiPageAttachments: { path: '/wiki_pages/1/attachments' },
  archiveWikiPageAttachments: { path: '/wiki_pages/1/attachments/archive' },
};

const storages = (profile: Profile): ExampleRequests => ({
  listStorages: { path: '/storages?offset=1&pageSize=20' },
  createStorage: {
    path: '/storages',
    body: {
      name: 'Archive',
      _links: {
        type: {
          href: storageUrn(profile, storageTypes.SelfHostedFileServer.names[profile.name]),
        },
        origin: { href: 'https://archive.example.org' },
      },
    },
  },
  viewStorage: { path: '/storages/1' },
  updateStorage: { path: '/storages/2', body: { name: 'Old plans' } },
  openStorage: { path: '/storages/1/open' },
  createOAuthClientCredentials: {
    path: '/storages/2/oauth_client_credentials',
    body: { clientId: 'moorage', clientSecret: 'the secret that the file server shows' },
  },
  viewOAuthApplication: { path: '/oauth_applications/1' },
  viewOAuthClientCredentials: { path: '/oauth_client_credentials/1' },
  listProjectStorages: { path: `/project_storages?filters=${filters('projectId', '1')}` },
  viewProjectStorage: { path: '/project_storages/1' },
  openProjectStorage: { path: '/project_storages/1/open' },
});

const newFileLink = {
  _embedded: {
    elements: [
      {
        originData: { id: '5', name: 'house.txt', mimeType: 'text/plain' },
        _links: { storage: { href: '/api/v3/storages/1' } },
      },
    ],
  },
};

const files: ExampleRequests = {
  createFileLinks: { path: '/work_packages/1/file_links', body: newFileLink },
  listFileLinks: { path: `/work_packages/1/file_links?filters=${filters('storage', '1')}` },
  viewWorkPackageFileLink: { path: '/work_packages/1/file_links/1' },
  viewFileLink: { path: '/file_links/1' },
  openFileLink: { path: '/file_links/1/open?location=true' },
  downloadFileLink: { path: '/file_links/1/download' },
  createUnclaimedFileLinks: { path: '/file_links', body: newFileLink },
  deleteWorkPackageFileLink: { path: '/work_packages/1/file_links/1' },
  deleteFileLink: { path: '/file_links/2' },
  listStorageFiles: { path: '/storages/1/files?parent=/Plans' },
  viewStorageFile: { path: '/storages/1/files/5' },
  createStorageFolder: {
    path: '/storages/1/folders',
    body: { name: 'Drafts', parentId: '/Plans' },
  },
  prepareStorageUpload: {
    path: '/storages/1/files/prepare_upload',
    body: { projectId: 1, fileName: 'garden.txt', parent: '/Plans' },
  },
};

const deletions: ExampleRequests = {
  deleteAttachment: { path: '/attachments/1' },
  deleteStorage: { path: '/storages/2' },
};

const preparation = {
  metadata: { fileName: 'photo.jpg', fileSize: 2_000_000, contentType: 'image/jpeg' },
};

/** These need a store with direct uploads. */
export const directUploads: ExampleRequests = {
  prepareAttachment: { path: '/attachments/prepare', body: preparation },
  prepareWorkPackageAttachment: {
    path: '/work_packages/1/attachments/prepare',
    body: preparation,
  },
  prepareActivityAttachment: { path: '/activities/3/attachments/prepare', body: preparation },
  prepareMeetingAttachment: { path: '/meetings/1/attachments/prepare', body: preparation },
  preparePostAttachment: { path: '/posts/1/attachments/prepare', body: preparation },
  prepareWikiPageAttachment: { path: '/wiki_pages/1/attachments/prepare', body: preparation },
  completeAttachmentUpload: { path: '/attachments/7/uploaded' },
};

export const exampleRequests = (profile: Profile): ExampleRequests => ({
  ...service,
  ...attachments,
  ...workPackages,
  ...lists,
  ...activities,
  ...notifications,
  ...otherContainers,
  ...storages(profile),
  ...files,
  ...deletions,
  ...directUploads,
});
