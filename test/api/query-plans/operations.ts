/** Every list and every single read of both APIs, with ids that all callers can view. */
import { globalId } from '../../../src/contract/ids.js';

export interface Ids {
  project: number;
  /** Of the first work package, meeting, post and wiki page of the project. */
  container: number;
  workPackage: number;
  activity: number;
  attachment: number;
  fileLink: number;
  storage: number;
  projectStorage: number;
  user: number;
  /** Of the member. */
  notification: number;
  membership: number;
  role: number;
  cursors: { file: string; row: string };
}

/** Paths by their template in the description. The first segment says what `{id}` identifies. */
export const restPaths = (ids: Ids): { [template: string]: string[] } => {
  const filter = (name: string, values: unknown[]) =>
    encodeURIComponent(JSON.stringify([{ [name]: { operator: '=', values } }]));
  return {
    '/': ['/'],
    '/configuration': ['/configuration'],
    '/spec.json': ['/spec.json'],
    '/attachments/{id}': [`/attachments/${ids.attachment}`],
    '/attachments/{id}/content': [`/attachments/${ids.attachment}/content`],
    '/attachments/{id}/uploaded': [`/attachments/${ids.attachment}/uploaded`],
    '/work_packages': [
      '/work_packages',
      `/work_packages?filters=${filter('project', [String(ids.project)])}&pageSize=5&offset=2`,
      `/work_packages?filters=${filter('file_link_origin_id', ['112'])}`,
    ],
    '/work_packages/available_projects': ['/work_packages/available_projects'],
    '/projects': ['/projects', `/projects?filters=${filter('storageId', [String(ids.storage)])}`],
    '/projects/{id}/work_packages': [`/projects/${ids.project}/work_packages`],
    '/projects/{id}/types': [`/projects/${ids.project}/types`],
    '/projects/{id}/categories': [`/projects/${ids.project}/categories`],
    '/projects/{id}/available_assignees': [`/projects/${ids.project}/available_assignees`],
    '/notifications': [
      '/notifications',
      `/notifications?filters=${filter('readIAN', ['f'])}`,
      `/notifications?filters=${filter('resourceId', [String(ids.container)])}&groupBy=project`,
    ],
    '/notifications/{id}': [`/notifications/${ids.notification}`],
    '/memberships': [
      '/memberships',
      `/memberships?filters=${filter('project', [String(ids.project)])}`,
      `/memberships?filters=${filter('principal', [String(ids.user)])}`,
    ],
    '/memberships/{id}': [`/memberships/${ids.membership}`],
    '/memberships/schema': ['/memberships/schema'],
    '/roles': ['/roles'],
    '/roles/{id}': [`/roles/${ids.role}`],
    '/statuses': ['/statuses'],
    '/statuses/{id}': ['/statuses/1'],
    '/types': ['/types'],
    '/types/{id}': ['/types/1'],
    '/work_packages/{id}': [`/work_packages/${ids.container}`],
    '/work_packages/{id}/attachments': [`/work_packages/${ids.container}/attachments`],
    '/work_packages/{id}/attachments/archive': [
      `/work_packages/${ids.container}/attachments/archive`,
    ],
    '/work_packages/{id}/activities': [`/work_packages/${ids.container}/activities`],
    '/work_packages/{id}/file_links': [
      `/work_packages/${ids.container}/file_links`,
      `/work_packages/${ids.workPackage}/file_links?pageSize=10&offset=3`,
      `/work_packages/${ids.container}/file_links?filters=${filter('storage', [String(ids.storage)])}`,
    ],
    '/activities/{id}': [`/activities/${ids.activity}`],
    '/activities/{id}/attachments': [`/activities/${ids.activity}/attachments`],
    '/activities/{id}/attachments/archive': [`/activities/${ids.activity}/attachments/archive`],
    '/meetings/{id}': [`/meetings/${ids.container}`],
    '/meetings/{id}/attachments': [`/meetings/${ids.container}/attachments`],
    '/meetings/{id}/attachments/archive': [`/meetings/${ids.container}/attachments/archive`],
    '/posts/{id}': [`/posts/${ids.container}`],
    '/posts/{id}/attachments': [`/posts/${ids.container}/attachments`],
    '/posts/{id}/attachments/archive': [`/posts/${ids.container}/attachments/archive`],
    '/wiki_pages/{id}': [`/wiki_pages/${ids.container}`],
    '/wiki_pages/{id}/attachments': [`/wiki_pages/${ids.container}/attachments`],
    '/wiki_pages/{id}/attachments/archive': [`/wiki_pages/${ids.container}/attachments/archive`],
    '/file_links/{id}': [`/file_links/${ids.fileLink}`],
    '/file_links/{id}/open': [`/file_links/${ids.fileLink}/open`],
    '/file_links/{id}/download': [`/file_links/${ids.fileLink}/download`],
    '/work_packages/{workPackageId}/file_links/{id}': [
      `/work_packages/${ids.container}/file_links/${ids.fileLink}`,
    ],
    '/storages': ['/storages', '/storages?pageSize=5&offset=2'],
    '/storages/{id}': [`/storages/${ids.storage}`],
    '/storages/{id}/open': [`/storages/${ids.storage}/open`],
    '/storages/{id}/files': [`/storages/${ids.storage}/files`],
    '/storages/{id}/files/{fileId}': [`/storages/${ids.storage}/files/1`],
    '/project_storages': [
      '/project_storages',
      `/project_storages?filters=${filter('projectId', [String(ids.project)])}`,
      `/project_storages?filters=${filter('storageId', [String(ids.storage)])}`,
      `/project_storages?filters=${filter('storageUrl', ['https://files-2.example.test'])}`,
    ],
    '/project_storages/{id}': [`/project_storages/${ids.projectStorage}`],
    '/project_storages/{id}/open': [`/project_storages/${ids.projectStorage}/open`],
    '/oauth_applications/{id}': [`/oauth_applications/${ids.storage}`],
    '/oauth_client_credentials/{id}': [`/oauth_client_credentials/${ids.storage}`],
    '/projects/{id}': [`/projects/${ids.project}`],
    '/users/{id}': [`/users/${ids.user}`],
    '/users/{id}/avatar': [`/users/${ids.user}/avatar`],
    '/users/me': ['/users/me'],
  };
};

const FILES =
  'totalCount pageInfo { hasNextPage } nodes { databaseId fileName author { name } container { databaseId } viewerCanDelete }';
const container = (ids: Ids, { order }: { order: 'file' | 'row' }) =>
  `databaseId project { name } author { name } viewerCanUpdate viewerCanDelete attachments { ${FILES} } some: attachments(first: 10) { ${FILES} } largest: attachments(first: 10, orderBy: FILE_SIZE_DESC) { ${FILES} } found: attachments(first: 10, filter: { search: "drawing", contentTypes: ["image/*"], authorIds: [${ids.user}], statuses: [SCANNED] }) { ${FILES} } others: attachments(first: 10, after: "${ids.cursors[order]}") { ${FILES} } last: attachments(last: 10) { ${FILES} } previous: attachments(last: 10, before: "${ids.cursors[order]}") { ${FILES} }`;

/** An id of each type of nodes. */
const nodeIds = (ids: Ids) => ({
  Activity: ids.activity,
  ApiKey: 1,
  Authorization: 1,
  Attachment: ids.attachment,
  FileLink: ids.fileLink,
  Meeting: ids.container,
  Membership: ids.membership,
  Role: ids.role,
  StorageAccount: 1,
  OAuthApplication: ids.storage,
  OAuthClientCredentials: ids.storage,
  Post: ids.container,
  Project: ids.project,
  ProjectStorage: ids.projectStorage,
  Session: 1,
  Storage: ids.storage,
  User: ids.user,
  Webhook: 1,
  WebhookDelivery: 1,
  WikiPage: ids.container,
  WorkPackage: ids.workPackage,
});

/** Documents by the field of `Query` that they select. */
export const queries = (ids: Ids): { [field: string]: string } => {
  const projectStorage =
    'databaseId project { name } storage { name } creator { name } openWithConnectionUrl';
  const fileLink =
    'databaseId originData(refresh: false) { name } storage { name } container { databaseId } creator { name } viewerCanDelete';
  const links = (args: string) =>
    `fileLinks(first: 10${args}) { totalCount nodes { ${fileLink} } }`;
  const { row } = ids.cursors;
  return {
    activity: `{ activity(id: ${ids.activity}) { ${container(ids, { order: 'row' })} workPackage { databaseId } } }`,
    attachment: `{ attachment(id: ${ids.attachment}) { databaseId author { name } container { databaseId } viewerCanDelete downloadLocation } }`,
    attachments: `{ attachments(first: 10) { ${FILES} } found: attachments(search: "drawing 77") { ${FILES} } rare: attachments(search: "drawing-0000012", orderBy: FILE_NAME_ASC) { ${FILES} } latest: attachments(orderBy: CREATED_AT_DESC, filter: { contentType: "image/*", createdAfter: "2026-05-01T00:00:00Z" }) { ${FILES} } of: attachments(filter: { projectIds: [${ids.project}], authorIds: [${ids.user}], containerTypes: [MEETING] }) { ${FILES} } inWorkPackage: attachments(filter: { workPackageIds: [${ids.container}], contentTypes: ["image/*", "application/pdf"] }, orderBy: AUTHOR_ASC) { ${FILES} } }`,
    configuration: '{ configuration { maximumAttachmentFileSize } }',
    container: `{ container(id: "${Buffer.from(`Meeting:${ids.container}`).toString('base64url')}") { ${container(ids, { order: 'file' })} } }`,
    fileLink: `{ fileLink(id: ${ids.fileLink}) { ${fileLink} } }`,
    fileLinks: `{ fileLinks(first: 10) { totalCount nodes { ${fileLink} } } found: fileLinks(search: "picture 77") { nodes { ${fileLink} } } }`,
    meeting: `{ meeting(id: ${ids.container}) { ${container(ids, { order: 'file' })} } }`,
    node: `{ node(id: "${Buffer.from(`Attachment:${ids.attachment}`).toString('base64url')}") { id } }`,
    // One id of each type: with more of them, PostgreSQL may prefer to read a table of a few pages.
    nodes: `{ nodes(ids: [${Object.entries(nodeIds(ids))
      .map(([type, id]) => `"${globalId(type, id)}"`)
      .join(', ')}]) { id } }`,
    notification: `{ notification(id: ${ids.notification}) { actor { name } activity { databaseId } workPackage { subject } } }`,
    oauthApplication: `{ oauthApplication(id: ${ids.storage}) { name owner { name } integration { name } } }`,
    oauthApplications: `{ oauthApplications(first: 10) { totalCount nodes { name owner { name } integration { name } } } next: oauthApplications(first: 10, after: "${row}") { nodes { name } } }`,
    membership: `{ membership(id: ${ids.membership}) { user { name } project { name } roles { name } } }`,
    memberships: `{ memberships(first: 10) { nodes { user { name } } } of: memberships(filter: { projectIds: [${ids.project}] }) { totalCount nodes { roles { name } } } by: memberships(filter: { userIds: [${ids.user}] }) { totalCount nodes { databaseId } } as: memberships(filter: { projectIds: [${ids.project}], roleIds: [${ids.role}] }) { totalCount nodes { databaseId } } next: memberships(first: 10, after: "${row}") { nodes { databaseId } } }`,
    role: `{ role(id: ${ids.role}) { name } }`,
    roles: '{ roles { name permissions } }',
    publicRoles: '{ publicRoles { name } }',
    oauthClientCredentials: `{ oauthClientCredentials(id: ${ids.storage}) { clientId integration { name } } }`,
    post: `{ post(id: ${ids.container}) { ${container(ids, { order: 'row' })} } }`,
    project: `{ project(id: ${ids.project}) { name viewerCanCreateWorkPackage viewerCanAdministerStorages ${['workPackages', 'meetings', 'posts', 'wikiPages'].map((list) => `${list} { totalCount nodes { databaseId } } ${list}Changed: ${list}(orderBy: UPDATED_AT_DESC) { nodes { databaseId } }`).join(' ')} } }`,
    projectStorage: `{ projectStorage(id: ${ids.projectStorage}) { ${projectStorage} } }`,
    projectStorages: `{ all: projectStorages { totalCount } page: projectStorages(first: 10) { totalCount nodes { ${projectStorage} } } next: projectStorages(first: 10, after: "${row}") { nodes { databaseId } } previous: projectStorages(last: 10, before: "${row}") { nodes { databaseId } }
      of: projectStorages(filter: { projectIds: [${ids.project}] }) { totalCount nodes { databaseId } } at: projectStorages(filter: { storageIds: [${ids.storage}] }, first: 5) { totalCount nodes { databaseId } } under: projectStorages(filter: { storageUrls: ["https://files-2.example.test"] }, first: 5) { totalCount nodes { databaseId } } }`,
    projects:
      '{ projects(first: 10) { totalCount nodes { name parent { name } } } found: projects(filter: { search: "person" }) { nodes { name } } }',
    status: '{ status(id: 1) { name } }',
    statuses: '{ statuses { name } }',
    type: '{ type(id: 1) { name } }',
    types: '{ types { name } }',
    users:
      '{ users(first: 10) { totalCount nodes { name } } found: users(filter: { search: "number 77" }) { nodes { name } } }',
    workPackageForm: `{ workPackageForm(input: { projectId: ${ids.project} }) { violations { message } } }`,
    workPackages: `{ workPackages(first: 10) { totalCount nodes { subject status { name } type { name } assignee { name } } } of: workPackages(filter: { projectIds: [${ids.project}] }) { nodes { subject } } latest: workPackages(orderBy: UPDATED_AT_DESC) { nodes { subject } } }`,
    quarantinedAttachments: `{ quarantinedAttachments(first: 10) { ${FILES} } next: quarantinedAttachments(first: 10, after: "${row}") { ${FILES} } previous: quarantinedAttachments(last: 10, before: "${row}") { ${FILES} } }`,
    storage: `{ storage(id: ${ids.storage}) { name authorizationState authorizeUrl uploadProjects { name } oauthApplication { name } oauthClientCredentials { clientId } projectStorages(first: 10) { totalCount nodes { project { name } } } nextUses: projectStorages(first: 10, after: "${row}") { nodes { databaseId } } connections(first: 10) { totalCount nodes { user { name } } } nextConnections: connections(first: 10, after: "${row}") { nodes { databaseId } } } }`,
    storages: `{ storages(first: 10) { totalCount nodes { name uploadProjects { name } } } next: storages(first: 10, after: "${row}") { nodes { name } } previous: storages(last: 10, before: "${row}") { nodes { name } } }`,
    user: `{ user(id: ${ids.user}) { name } }`,
    viewer: `{ viewer { name apiKeys { name } sessions(first: 10) { totalCount nodes { browser } } authorizations(first: 10) { totalCount nodes { applicationName lastUsedAt } } connections(first: 10) { totalCount nodes { storage { name } } } memberships(first: 10) { totalCount nodes { project { name } } } ${['recentAttachments', 'pendingUploads'].map((list) => `${list}(first: 10) { totalCount nodes { fileName container { databaseId } } } ${list}Next: ${list}(first: 10, after: "${row}") { nodes { databaseId } }`).join(' ')} } }`,
    auditEvents: `{ auditEvents(first: 10) { totalCount nodes { databaseId kind } } last: auditEvents(last: 10) { nodes { databaseId } } of: auditEvents(first: 10, filter: { kinds: [WEBHOOK_CREATED], actorId: ${ids.user} }) { nodes { databaseId } } about: auditEvents(first: 10, filter: { subjectId: "${Buffer.from(`User:${ids.user}`).toString('base64url')}" }) { nodes { databaseId } } }`,
    systemState:
      '{ systemState { version lastBackupAt pendingUploads queues { name waiting oldestSeconds } checks { name detail } } }',
    storageUsage:
      '{ storageUsage { bytes files kinds { kind bytes files } projects(first: 10) { bytes project { name } } } }',
    usersSessions: `{ usersSessions(first: 10) { totalCount nodes { browser user { name } } } of: usersSessions(userId: ${ids.user}) { totalCount nodes { browser } } }`,
    viewerCanViewWorkPackages: '{ viewerCanViewWorkPackages }',
    viewerCanCreateWorkPackages: '{ viewerCanCreateWorkPackages }',
    webhook: `{ webhook(id: 1) { url ${['', ', filter: { state: DEAD }', ', filter: { state: PENDING }'].map((state, n) => `d${n}: deliveries(first: 10${state}) { totalCount nodes { databaseId } } n${n}: deliveries(first: 10, after: "${row}"${state}) { nodes { databaseId } } p${n}: deliveries(last: 10, before: "${row}"${state}) { nodes { databaseId } }`).join(' ')} } }`,
    webhooks: `{ webhooks(first: 10) { totalCount nodes { url } } }`,
    wikiPage: `{ wikiPage(id: ${ids.container}) { ${container(ids, { order: 'row' })} } }`,
    workPackage: `{ workPackage(id: ${ids.workPackage}) { ${container(ids, { order: 'file' })}
      activities(first: 10) { totalCount nodes { databaseId attachments(first: 5) { totalCount nodes { databaseId } } } } next: activities(first: 10, after: "${row}") { nodes { databaseId } } lastActivities: activities(last: 10) { nodes { databaseId } } previousActivities: activities(last: 10, before: "${row}") { nodes { databaseId } }
      ${links('')} nextLinks: ${links(`, after: "${row}"`)} previousLinks: ${links(`, before: "${row}"`)} page: ${links(', page: 3')} of: ${links(`, filter: { storageIds: [${ids.storage}] }`)} } }`,
  };
};

/** The errors of a query for people who may not run it. */
export function errorsOf(field: string, who: string): string[] | undefined {
  if (field === 'notification') return who === 'member' ? undefined : ['NOT_FOUND'];
  if (who === 'admin') return undefined;
  return forAdministrators[field] ?? (who === 'member' ? undefined : forMembers[field]);
}

/** The answer to other users for a query that only administrators can run. */
const forAdministrators: { [field: string]: string[] } = {
  auditEvents: ['MISSING_PERMISSION'],
  publicRoles: ['MISSING_PERMISSION'],
  storageUsage: ['MISSING_PERMISSION'],
  systemState: ['MISSING_PERMISSION'],
  usersSessions: ['MISSING_PERMISSION'],
  oauthApplication: ['NOT_FOUND'],
  oauthApplications: ['MISSING_PERMISSION'],
  oauthClientCredentials: ['NOT_FOUND'],
  quarantinedAttachments: ['MISSING_PERMISSION'],
  webhook: ['NOT_FOUND'],
  workPackageForm: ['MISSING_PERMISSION'],
  webhooks: ['MISSING_PERMISSION'],
};

/** The answer to anonymous users for a query that only members and administrators can run. */
const forMembers: { [field: string]: string[] } = {
  membership: ['NOT_FOUND'],
  role: ['NOT_FOUND'],
  viewer: ['MISSING_PERMISSION'],
};

/**
 * The status by path template. The rows have no files, and no user is connected to the storages, which do not exist.
 */
export function statusOf(template: string, who: string): number {
  if (/\/available_(assignees|projects)$/.test(template)) return who === 'admin' ? 200 : 403;
  if (template === '/notifications') return who === 'anonymous user' ? 403 : 200;
  if (template.startsWith('/notifications/')) return who === 'member' ? 200 : 404;
  if (/^\/(memberships|roles)\/\{id\}$/.test(template)) return who === 'anonymous user' ? 404 : 200;
  if (template.startsWith('/oauth_')) return who === 'admin' ? 200 : 404;
  if (/\/(content|uploaded|avatar)$/.test(template)) return 404;
  if (template.endsWith('/open')) return 303;
  return /\/(download|files|files\/\{fileId\})$/.test(template) ? 500 : 200;
}
