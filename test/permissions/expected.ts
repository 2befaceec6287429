/**
 * The permission matrix as data: the expected outcome of each operation, for each kind of record and each caller.
 * It imports nothing from `src`, so a mistake there cannot repeat itself here.
 */
import {
  administrationOperations,
  administrationOverOneProtocol,
  administrationTables,
  endings,
} from './expected-administration.js';
import {
  attachmentExclusions,
  attachmentOperations,
  attachmentsOverOneProtocol,
  attachmentTables,
} from './expected-attachments.js';
import {
  fileExclusions,
  fileOperations,
  filesOverOneProtocol,
  isFileOperation,
  fileTables,
  linkers,
  linkKinds,
} from './expected-files.js';
import {
  accountKinds,
  listExclusions,
  listOperations,
  listsOverOneProtocol,
  listTables,
} from './expected-lists.js';
import {
  notificationExclusions,
  notificationKinds,
  notificationOperations,
  notificationsOverOneProtocol,
  notificationTables,
} from './expected-notifications.js';

/**
 * - `ok`: allowed.
 * - `400`, `403`, `404`, `422`: refused with this HTTP status.
 * - `out`: the list is returned without the record.
 * - `500`: allowed here, but the storage does not know the user.
 */
export type Outcome = 'ok' | '400' | '403' | '404' | '422' | '500' | 'out';

const view = ['view_work_packages', 'view_meetings', 'view_messages', 'view_wiki_pages'];
const edit = ['edit_work_packages', 'edit_meetings', 'edit_messages', 'edit_wiki_pages'];
const files = ['view_work_packages', 'view_file_links'];
const manage = 'manage_file_links';
const administer = 'manage_files_in_project';
const comment = 'add_work_package_comments';
const internal = 'view_internal_comments';

export interface Caller {
  /** Used in titles: "as viewer". */
  name: string;
  project: 'private' | 'public';
  /** Sends no credentials. */
  isAnonymous?: boolean;
  admin?: boolean;
  /** Permissions as a member of the project. Absent if the caller is no member. */
  member?: string[];
  /** Permissions as a member of another project. */
  elsewhere?: string[];
  /** Permissions of the role `Non member` during the tests of this caller. */
  nonMemberRole?: string[];
  /** Permissions of the role `Anonymous` during the tests of this caller. */
  anonymousRole?: string[];
  /** The records of which the caller is the author. Another user is the author of the others. */
  wrote?: 'the container' | 'the attachment' | 'both';
  /** Has no account at any storage. Anonymous users never have one. */
  unconnected?: boolean;
  /** Sends an access token of an application, not an API key. */
  isApplication?: boolean;
}

/** The callers, by the codes in the columns of the tables. */
export const callers: { readonly [code: string]: Caller } = {
  an: {
    name: 'anonymous user in a private project',
    project: 'private',
    isAnonymous: true,
    anonymousRole: view,
  },
  st: { name: 'non-member of a private project', project: 'private', nonMemberRole: view },
  el: {
    name: 'editor of another project',
    project: 'private',
    elsewhere: [
      ...view,
      ...edit,
      'add_work_packages',
      'add_work_package_attachments',
      comment,
      internal,
    ],
  },
  bm: { name: 'member without permissions', project: 'private', member: [] },
  vi: { name: 'viewer', project: 'private', member: view },
  ed: { name: 'editor', project: 'private', member: [...view, ...edit] },
  au: { name: 'author', project: 'private', member: [...view, comment, internal], wrote: 'both' },
  la: {
    name: 'author who can no longer comment',
    project: 'private',
    member: [...view, internal],
    wrote: 'both',
  },
  de: { name: 'author who left the project', project: 'private', wrote: 'both' },
  up: {
    name: 'author of the attachment only',
    project: 'private',
    member: [...view, comment, internal],
    wrote: 'the attachment',
  },
  wr: {
    name: 'author of the container only',
    project: 'private',
    member: [...view, comment, internal],
    wrote: 'the container',
  },
  co: { name: 'commenter', project: 'private', member: [...view, comment] },
  ic: { name: 'internal commenter', project: 'private', member: [...view, comment, internal] },
  ad: { name: 'admin', project: 'private', admin: true },
  ir: {
    name: 'internal-comment reader',
    project: 'private',
    member: ['view_work_packages', internal],
  },
  ib: {
    name: 'internal-comment reader without work packages',
    project: 'private',
    member: [internal],
  },
  ie: {
    name: 'editor who reads internal comments',
    project: 'private',
    member: [...view, ...edit, internal],
  },
  be: { name: 'editor without view permissions', project: 'private', member: edit },
  ap: { name: 'adder', project: 'private', member: [...view, 'add_work_packages'] },
  at: { name: 'attacher', project: 'private', member: [...view, 'add_work_package_attachments'] },
  mk: {
    name: 'editor of meetings only',
    project: 'private',
    member: ['view_meetings', 'edit_meetings'],
  },
  fk: {
    name: 'editor of messages only',
    project: 'private',
    member: ['view_messages', 'edit_messages'],
  },
  wk: {
    name: 'editor of wiki pages only',
    project: 'private',
    member: ['view_wiki_pages', 'edit_wiki_pages'],
  },
  pk: {
    name: 'editor of work packages only',
    project: 'private',
    member: ['view_work_packages', 'edit_work_packages'],
  },
  nm: { name: 'non-member of a public project', project: 'public', nonMemberRole: view },
  nb: {
    name: 'non-member of a public project where non-members have no permissions',
    project: 'public',
    nonMemberRole: [],
    anonymousRole: view,
  },
  ne: {
    name: 'non-member of a public project where non-members edit',
    project: 'public',
    nonMemberRole: [...view, ...edit],
  },
  mb: {
    name: 'member without permissions of a public project where non-members edit',
    project: 'public',
    member: [],
    nonMemberRole: [...view, ...edit],
  },
  vs: {
    name: 'anonymous user in a public project',
    project: 'public',
    isAnonymous: true,
    anonymousRole: view,
  },
  vb: {
    name: 'anonymous user in a public project where anonymous users have no permissions',
    project: 'public',
    isAnonymous: true,
    anonymousRole: [],
    nonMemberRole: view,
  },
  ve: {
    name: 'anonymous user in a public project where anonymous users have all permissions',
    project: 'public',
    isAnonymous: true,
    anonymousRole: [
      ...view,
      ...edit,
      'add_work_packages',
      'add_work_package_attachments',
      comment,
      internal,
    ],
  },
  vw: {
    name: 'anonymous user in a public project where an anonymous user is the author of all records',
    project: 'public',
    isAnonymous: true,
    anonymousRole: [...view, comment, internal],
    wrote: 'both',
  },
  fv: { name: 'viewer of file links', project: 'private', member: files },
  fo: {
    name: 'viewer of file links without work packages',
    project: 'private',
    member: ['view_file_links'],
  },
  fm: { name: 'manager of file links', project: 'private', member: [...files, manage] },
  fa: { name: 'manager of project files', project: 'private', member: [administer] },
  fe: {
    name: 'manager of files of another project',
    project: 'private',
    elsewhere: [...files, manage, administer],
  },
  fw: {
    name: 'manager of file links of another project',
    project: 'private',
    elsewhere: [...files, manage],
  },
  fn: {
    name: 'non-member of a public project where non-members view file links',
    project: 'public',
    nonMemberRole: files,
  },
  na: {
    name: 'non-member of a public project where non-members manage files',
    project: 'public',
    nonMemberRole: [administer],
  },
  mf: {
    name: 'member without permissions of a public project where non-members manage files',
    project: 'public',
    member: [],
    nonMemberRole: [...files, manage, administer],
  },
  vf: {
    name: 'anonymous user in a public project where anonymous users view file links',
    project: 'public',
    isAnonymous: true,
    anonymousRole: files,
  },
  va: {
    name: 'anonymous user in a public project where anonymous users manage files',
    project: 'public',
    isAnonymous: true,
    anonymousRole: [...files, manage, administer],
  },
  ...linkers,
  to: {
    name: "application with an admin's access token",
    project: 'private',
    admin: true,
    isApplication: true,
  },
};

/** The kinds of records, in the rows of the tables. An unclaimed attachment has no container. */
export const kinds = [
  'work package',
  'comment',
  'internal comment',
  // Only the service writes records of changes, as activities of a work package.
  'record of a change',
  'meeting',
  'post',
  'wiki page',
  'own unclaimed',
  "another's unclaimed",
  'own API key',
  "another's API key",
  // The project uses it.
  'storage',
  // No project uses it.
  'unused storage',
  // The use of a storage by the project.
  'project storage',
  ...linkKinds,
  ...accountKinds,
  ...notificationKinds,
] as const;
export type Kind = (typeof kinds)[number];

/** All operations. The requests of each are in `operations.ts`. */
export const operations = [
  'view attachment',
  'download content',
  'delete attachment',
  'update attachment',
  'delete many attachments',
  'copy attachment',
  'list attachments',
  'download archive',
  'list activities',
  'view container',
  'add attachment',
  'create unclaimed attachment',
  'prepare upload',
  'prepare unclaimed upload',
  'complete upload',
  'release attachment',
  'create container',
  'update container',
  'delete container',
  'claim own on create',
  "claim another's on create",
  'claim own on update',
  "claim another's on update",
  'claim claimed on update',
  'view author',
  'view project',
  'list contents',
  'list memberships',
  'create API key',
  'update API key',
  'delete API key',
  'change password',
  'set mail preference',
  'list storages',
  'view storage',
  'open storage',
  'create storage',
  'update storage',
  'delete storage',
  'set client credentials',
  'rotate application secret',
  'view health',
  'list applications',
  'view OAuth application',
  'view client credentials',
  'list project storages',
  'list uses of a storage',
  'view project storage',
  'open project storage',
  'create project storage',
  'update project storage',
  'delete project storage',
  ...attachmentOperations,
  ...fileOperations,
  ...listOperations,
  ...administrationOperations,
  ...endings,
  ...notificationOperations,
] as const;
export type Operation = (typeof operations)[number];

export interface Table {
  operations: readonly Operation[];
  /** A line of caller codes, then a line for each kind. `-` is one of the exclusions below. */
  cells: string;
}

export const tables: Table[] = [
  {
    // Requires the view permission of the container. Internal comments require view_internal_comments too.
    // Only the author can read an unclaimed attachment. An invisible attachment answers 404.
    operations: ['view attachment', 'download content', 'view small picture'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  404 ok  404 ok  ok  404 404 404 ok  ok  404 ok  404 ok  404 ok  ok
      comment             | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  404 ok  404 ok  ok  404 404 404 ok  ok  404 ok  404 ok  404 ok  ok
      internal comment    | 404 404 404 404 404 404 ok  ok  404 ok  ok  404 ok  ok  ok  404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 ok  ok
      meeting             | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  404 404 ok  404 ok  ok  ok  404 404 404 ok  404 ok  404 ok  404 ok  ok
      post                | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  404 404 ok  404 ok  ok  404 ok  404 404 ok  404 ok  404 ok  404 ok  ok
      wiki page           | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  404 404 ok  404 ok  ok  404 404 ok  404 ok  404 ok  404 ok  404 ok  ok
      own unclaimed       | 404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  404 404 404 404
      another's unclaimed | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // Requires the view permission of the kind.
    operations: ['list attachments', 'download archive', 'view container'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  404 ok  404 ok  ok  404 404 404 ok  ok  404 ok  404 ok  404 ok  ok
      comment             | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  404 ok  404 ok  ok  404 404 404 ok  ok  404 ok  404 ok  404 ok  ok
      internal comment    | 404 404 404 404 404 404 ok  ok  404 ok  ok  404 ok  ok  ok  404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 ok  ok
      record of a change  | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  404 ok  404 ok  ok  404 404 404 ok  ok  404 ok  404 ok  404 ok  ok
      meeting             | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  404 404 ok  404 ok  ok  ok  404 404 404 ok  404 ok  404 ok  404 ok  ok
      post                | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  404 404 ok  404 ok  ok  404 ok  404 404 ok  404 ok  404 ok  404 ok  ok
      wiki page           | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  404 404 ok  404 ok  ok  404 404 ok  404 ok  404 ok  404 ok  404 ok  ok`,
  },
  {
    // Requires a visible work package. The list omits activities that the caller cannot read.
    operations: ['list activities'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      comment             | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  404 ok  404 ok  ok  404 404 404 ok  ok  404 ok  404 ok  404 ok  ok
      internal comment    | 404 404 404 404 out out ok  ok  404 ok  ok  out ok  ok  ok  404 ok  404 out out 404 404 404 out out 404 out 404 out 404 ok  ok
      record of a change  | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  404 ok  404 ok  ok  404 404 404 ok  ok  404 ok  404 ok  404 ok  ok`,
  },
  {
    // Requires the edit permission of the container. Unclaimed attachments: only the author.
    // Activities: add_work_package_comments for own comments and attachments, otherwise edit_work_packages.
    operations: [
      'delete attachment',
      'update attachment',
      'replace attachment',
      'delete many attachments',
    ],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  403 404 ok  404 403 403 404 404 404 ok  403 404 ok  404 403 404 ok  403
      comment             | 404 404 404 404 403 ok  ok  403 404 ok  ok  403 403 ok  403 404 ok  404 403 403 404 404 404 ok  403 404 ok  404 403 404 ok  403
      internal comment    | 404 404 404 404 404 404 ok  403 404 ok  ok  404 403 ok  403 404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 ok  403
      meeting             | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 ok  404 404 404 403 404 ok  404 403 404 ok  403
      post                | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 404 ok  404 404 403 404 ok  404 403 404 ok  403
      wiki page           | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 404 404 ok  404 403 404 ok  404 403 404 ok  403
      own unclaimed       | 404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  404 404 404 404
      another's unclaimed | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // To the container in which it is. Requires what "add attachment" requires.
    operations: ['copy attachment'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  403 404 ok  404 ok  ok  404 404 404 ok  403 404 ok  404 403 404 ok  403
      comment             | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  404 ok  404 ok  ok  404 404 404 ok  ok  404 ok  404 ok  404 ok  ok
      internal comment    | 404 404 404 404 404 404 ok  ok  404 ok  ok  404 ok  ok  ok  404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 ok  ok
      meeting             | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 ok  404 404 404 403 404 ok  404 403 404 ok  403
      post                | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 404 ok  404 404 403 404 ok  404 403 404 ok  403
      wiki page           | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 404 404 ok  404 403 404 ok  404 403 404 ok  403`,
  },
  {
    // Work packages: one of three permissions. Activities: the view permission. Others: the edit permission.
    // 403 if the container is visible, otherwise 404.
    operations: ['add attachment'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  403 404 ok  404 ok  ok  404 404 404 ok  403 404 ok  404 403 404 ok  403
      comment             | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  404 ok  404 ok  ok  404 404 404 ok  ok  404 ok  404 ok  404 ok  ok
      internal comment    | 404 404 404 404 404 404 ok  ok  404 ok  ok  404 ok  ok  ok  404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 ok  ok
      record of a change  | 404 404 404 404 403 403 403 403 404 403 403 403 403 403 403 404 403 404 403 403 404 404 404 403 403 404 403 404 403 404 403 403
      meeting             | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 ok  404 404 404 403 404 ok  404 403 404 ok  403
      post                | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 404 ok  404 404 403 404 ok  404 403 404 ok  403
      wiki page           | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 404 404 ok  404 403 404 ok  404 403 404 ok  403`,
  },
  {
    // Requires one of six permissions in any project, otherwise 403. Anonymous users always get 403.
    operations: ['create unclaimed attachment'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      own unclaimed       | 403 403 ok  403 403 ok  403 403 403 403 403 403 403 ok  403 403 ok  ok  ok  ok  ok  ok  ok  ok  403 403 ok  403 403 403 403 403`,
  },
  {
    // Like "add attachment", but activities require add_work_package_comments.
    // Anonymous users always get 403: only the user who prepared an upload can complete it.
    operations: ['prepare upload', 'begin resumable upload'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  403 404 ok  404 ok  ok  404 404 404 ok  403 404 ok  404 403 404 403 403
      comment             | 404 404 404 404 403 403 ok  403 404 ok  ok  ok  ok  ok  403 404 403 404 403 403 404 404 404 403 403 404 403 404 403 404 403 403
      internal comment    | 404 404 404 404 404 404 ok  403 404 ok  ok  404 ok  ok  403 404 403 404 404 404 404 404 404 404 404 404 404 404 404 404 403 403
      record of a change  | 404 404 404 404 403 403 403 403 404 403 403 403 403 403 403 404 403 404 403 403 404 404 404 403 403 404 403 404 403 404 403 403
      meeting             | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 ok  404 404 404 403 404 ok  404 403 404 403 403
      post                | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 404 ok  404 404 403 404 ok  404 403 404 403 403
      wiki page           | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 404 404 ok  404 403 404 ok  404 403 404 403 403`,
  },
  {
    // Like "create unclaimed attachment".
    operations: ['prepare unclaimed upload', 'begin unclaimed resumable upload'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      own unclaimed       | 403 403 ok  403 403 ok  403 403 403 403 403 403 403 ok  403 403 ok  ok  ok  ok  ok  ok  ok  ok  403 403 ok  403 403 403 403 403`,
  },
  {
    // Only the user who prepared the upload, who must still see the container. Others get 404.
    operations: [
      'complete upload',
      'ask for resumable upload',
      'go on with resumable upload',
      'end resumable upload',
    ],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 404 404 404 ok  ok  404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404
      comment             | 404 404 404 404 404 404 ok  ok  404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404
      internal comment    | 404 404 404 404 404 404 ok  ok  404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404
      meeting             | 404 404 404 404 404 404 ok  ok  404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404
      post                | 404 404 404 404 404 404 ok  ok  404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404
      wiki page           | 404 404 404 404 404 404 ok  ok  404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404
      own unclaimed       | 404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  404 404 404 404
      another's unclaimed | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // Only administrators, who see all quarantined files.
    operations: ['release attachment'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 404 403 403 403 403 404 403 403 403 403 ok  403 404 403 404 403 403 404 404 404 403 403 404 403 404 403 404 403 403
      comment             | 404 404 404 404 403 403 403 403 404 403 403 403 403 ok  403 404 403 404 403 403 404 404 404 403 403 404 403 404 403 404 403 403
      internal comment    | 404 404 404 404 404 404 403 403 404 403 403 404 403 ok  403 404 403 404 404 404 404 404 404 404 404 404 404 404 404 404 403 403
      meeting             | 404 404 404 404 403 403 403 403 404 403 403 403 403 ok  404 404 403 404 403 403 403 404 404 404 403 404 403 404 403 404 403 403
      post                | 404 404 404 404 403 403 403 403 404 403 403 403 403 ok  404 404 403 404 403 403 404 403 404 404 403 404 403 404 403 404 403 403
      wiki page           | 404 404 404 404 403 403 403 403 404 403 403 403 403 ok  404 404 403 404 403 403 404 404 403 404 403 404 403 404 403 404 403 403
      own unclaimed       | 404 403 403 403 403 403 403 403 403 403 403 403 403 ok  403 403 403 403 403 403 403 403 403 403 403 403 403 403 404 404 404 404
      another's unclaimed | 404 404 404 404 404 404 404 404 404 404 404 404 404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // Requires the edit permission. Own comments: add_work_package_comments. Nobody can change a record of a change.
    operations: ['update container', 'delete container'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  403 404 ok  404 403 403 404 404 404 ok  403 404 ok  404 403 404 ok  403
      comment             | 404 404 404 404 403 ok  ok  403 404 403 ok  403 403 ok  403 404 ok  404 403 403 404 404 404 ok  403 404 ok  404 403 404 ok  403
      internal comment    | 404 404 404 404 404 404 ok  403 404 403 ok  404 403 ok  403 404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 ok  403
      record of a change  | 404 404 404 404 403 403 403 403 404 403 403 403 403 403 403 404 403 404 403 403 404 404 404 403 403 404 403 404 403 404 403 403
      meeting             | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 ok  404 404 404 403 404 ok  404 403 404 ok  403
      post                | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 404 ok  404 404 403 404 ok  404 403 404 ok  403
      wiki page           | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 404 404 ok  404 403 404 ok  404 403 404 ok  403`,
  },
  {
    // Requires the create permission of the kind, in a visible project or work package.
    // Internal comments require view_internal_comments too.
    operations: ['create container'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 403 403 403 403 403 404 403 403 403 403 ok  403 403 403 403 ok  403 403 403 403 403 403 403 403 403 403 403 ok  403
      comment             | 404 404 404 404 403 403 ok  403 404 ok  ok  ok  ok  ok  403 404 403 404 403 403 404 404 404 403 403 404 403 404 403 404 ok  ok
      internal comment    | 404 404 404 404 403 403 ok  403 404 ok  ok  403 ok  ok  403 404 403 404 403 403 404 404 404 403 403 404 403 404 403 404 ok  ok
      meeting             | 404 404 404 403 403 ok  403 403 404 403 403 403 403 ok  403 403 ok  ok  403 403 ok  403 403 403 403 403 ok  403 403 403 ok  403
      post                | 404 404 404 403 403 ok  403 403 404 403 403 403 403 ok  403 403 ok  ok  403 403 403 ok  403 403 403 403 ok  403 403 403 ok  403
      wiki page           | 404 404 404 403 403 ok  403 403 404 403 403 403 403 ok  403 403 ok  ok  403 403 403 403 ok  403 403 403 ok  403 403 403 ok  403`,
  },
  {
    // The same user must upload and claim. Anonymous users own no unclaimed attachments.
    operations: ['claim own on create'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 403 403 403 403 403 404 403 403 403 403 ok  403 403 403 403 ok  403 403 403 403 403 403 403 403 403 403 403 422 403
      comment             | 404 404 404 404 403 403 ok  403 404 ok  ok  ok  ok  ok  403 404 403 404 403 403 404 404 404 403 403 404 403 404 403 404 422 422
      internal comment    | 404 404 404 404 403 403 ok  403 404 ok  ok  403 ok  ok  403 404 403 404 403 403 404 404 404 403 403 404 403 404 403 404 422 422
      meeting             | 404 404 404 403 403 ok  403 403 404 403 403 403 403 ok  403 403 ok  ok  403 403 ok  403 403 403 403 403 ok  403 403 403 422 403
      post                | 404 404 404 403 403 ok  403 403 404 403 403 403 403 ok  403 403 ok  ok  403 403 403 ok  403 403 403 403 ok  403 403 403 422 403
      wiki page           | 404 404 404 403 403 ok  403 403 404 403 403 403 403 ok  403 403 ok  ok  403 403 403 403 ok  403 403 403 ok  403 403 403 422 403`,
  },
  {
    // Like "create container", but 422 instead of success.
    operations: ["claim another's on create"],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 403 403 403 403 403 404 403 403 403 403 422 403 403 403 403 422 403 403 403 403 403 403 403 403 403 403 403 422 403
      comment             | 404 404 404 404 403 403 422 403 404 422 422 422 422 422 403 404 403 404 403 403 404 404 404 403 403 404 403 404 403 404 422 422
      internal comment    | 404 404 404 404 403 403 422 403 404 422 422 403 422 422 403 404 403 404 403 403 404 404 404 403 403 404 403 404 403 404 422 422
      meeting             | 404 404 404 403 403 422 403 403 404 403 403 403 403 422 403 403 422 422 403 403 422 403 403 403 403 403 422 403 403 403 422 403
      post                | 404 404 404 403 403 422 403 403 404 403 403 403 403 422 403 403 422 422 403 403 403 422 403 403 403 403 422 403 403 403 422 403
      wiki page           | 404 404 404 403 403 422 403 403 404 403 403 403 403 422 403 403 422 422 403 403 403 403 422 403 403 403 422 403 403 403 422 403`,
  },
  {
    // Like "update container". Anonymous users own no unclaimed attachments.
    operations: ['claim own on update'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  403 404 ok  404 403 403 404 404 404 ok  403 404 ok  404 403 404 422 403
      comment             | 404 404 404 404 403 ok  ok  403 404 403 ok  403 403 ok  403 404 ok  404 403 403 404 404 404 ok  403 404 ok  404 403 404 422 403
      internal comment    | 404 404 404 404 404 404 ok  403 404 403 ok  404 403 ok  403 404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 422 403
      record of a change  | 404 404 404 404 403 403 403 403 404 403 403 403 403 403 403 404 403 404 403 403 404 404 404 403 403 404 403 404 403 404 403 403
      meeting             | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 ok  404 404 404 403 404 ok  404 403 404 422 403
      post                | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 404 ok  404 404 403 404 ok  404 403 404 422 403
      wiki page           | 404 404 404 404 403 ok  403 403 404 403 403 403 403 ok  404 404 ok  404 403 403 404 404 ok  404 403 404 ok  404 403 404 422 403`,
  },
  {
    // Like "update container", but 422 instead of success. An attachment can be claimed once only.
    operations: ["claim another's on update", 'claim claimed on update'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 404 403 422 403 403 404 403 403 403 403 422 403 404 422 404 403 403 404 404 404 422 403 404 422 404 403 404 422 403
      comment             | 404 404 404 404 403 422 422 403 404 403 422 403 403 422 403 404 422 404 403 403 404 404 404 422 403 404 422 404 403 404 422 403
      internal comment    | 404 404 404 404 404 404 422 403 404 403 422 404 403 422 403 404 422 404 404 404 404 404 404 404 404 404 404 404 404 404 422 403
      record of a change  | 404 404 404 404 403 403 403 403 404 403 403 403 403 403 403 404 403 404 403 403 404 404 404 403 403 404 403 404 403 404 403 403
      meeting             | 404 404 404 404 403 422 403 403 404 403 403 403 403 422 404 404 422 404 403 403 422 404 404 404 403 404 422 404 403 404 422 403
      post                | 404 404 404 404 403 422 403 403 404 403 403 403 403 422 404 404 422 404 403 403 404 422 404 404 403 404 422 404 403 404 422 403
      wiki page           | 404 404 404 404 403 422 403 403 404 403 403 403 403 422 404 404 422 404 403 403 404 404 422 404 403 404 422 404 403 404 422 403`,
  },
  {
    // Signed-in users see all users. Anonymous users see members and authors of public projects, and the anonymous user.
    operations: ['view author'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok
      comment             | 404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok
      internal comment    | 404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok
      meeting             | 404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok
      post                | 404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok
      wiki page           | 404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok
      own unclaimed       | ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok
      another's unclaimed | 404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  404 404 404 404`,
  },
  {
    // Members and administrators. A public project is visible to all.
    operations: ['view project'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 ok  ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok
      comment             | 404 404 404 ok  ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok
      internal comment    | 404 404 404 ok  ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok
      record of a change  | 404 404 404 ok  ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok
      meeting             | 404 404 404 ok  ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok
      post                | 404 404 404 ok  ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok
      wiki page           | 404 404 404 ok  ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok`,
  },
  {
    // The list of the project contains what the caller can view. An invisible project answers 404.
    operations: ['list contents'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | 404 404 404 out ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  out ok  out ok  ok  out out out ok  ok  out ok  out ok  out ok  ok
      meeting             | 404 404 404 out ok  ok  ok  ok  404 ok  ok  ok  ok  ok  out out ok  out ok  ok  ok  out out out ok  out ok  out ok  out ok  ok
      post                | 404 404 404 out ok  ok  ok  ok  404 ok  ok  ok  ok  ok  out out ok  out ok  ok  out ok  out out ok  out ok  out ok  out ok  ok
      wiki page           | 404 404 404 out ok  ok  ok  ok  404 ok  ok  ok  ok  ok  out out ok  out ok  ok  out out ok  out ok  out ok  out ok  out ok  ok`,
  },
  {
    // Members of the project and administrators. The list of others does not have its memberships.
    operations: ['list memberships'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      work package        | out out out ok  ok  ok  ok  ok  out ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  out out out ok  out out out out`,
  },
  {
    // Signed-in users create keys, and choose e-mails, for themselves. Anonymous users get 403.
    operations: ['create API key', 'set mail preference'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      own API key         | 403 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  403 403 403 403`,
  },
  {
    // Only a session of a browser changes a password. The callers have keys and tokens.
    operations: ['change password'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      own API key         | 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403`,
  },
  {
    // Only the owner can change a key. Others get 404.
    operations: ['update API key'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      own API key         | -   ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  -   -   -   -
      another's API key   | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // The owner and administrators can end a key. Others get 404.
    operations: ['delete API key'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      own API key         | -   ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  -   -   -   -
      another's API key   | 404 404 404 404 404 404 404 404 404 404 404 404 404 ok  404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // Requires view_work_packages and view_file_links in a project that uses the storage.
    // A user with manage_files_in_project in any project sees all storages. Others get 404.
    operations: ['view storage', 'open storage'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      storage             | 404 404 404 ok  ok  404 ok  ok  ok  404 ok  ok  404 ok  ok
      unused storage      | 404 404 404 ok  404 404 404 ok  ok  404 404 ok  404 404 ok`,
  },
  {
    // The list contains the records that the caller can view.
    operations: ['list storages'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      storage             | out out out ok  ok  out ok  ok  ok  out ok  ok  out ok  ok
      unused storage      | out out out ok  out out out ok  ok  out out ok  out out ok`,
  },
  {
    // Only administrators. Others get 403 for a visible storage, otherwise 404.
    operations: [
      'update storage',
      'delete storage',
      'set client credentials',
      'rotate application secret',
      'view health',
    ],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      storage             | 404 404 404 ok  403 404 403 403 403 404 403 403 404 403 403
      unused storage      | 404 404 404 ok  404 404 404 403 403 404 404 403 404 404 403`,
  },
  {
    // Only administrators. Others get 403.
    operations: ['create storage'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      unused storage      | 403 403 403 ok  403 403 403 403 403 403 403 403 403 403 403`,
  },
  {
    // Only administrators. Others get 404.
    operations: ['view OAuth application', 'view client credentials'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      storage             | 404 404 404 ok  404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // Requires view_work_packages and view_file_links, or manage_files_in_project, in that project.
    operations: ['view project storage', 'open project storage'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      project storage     | 404 404 404 ok  ok  404 ok  ok  404 404 ok  ok  404 ok  ok`,
  },
  {
    // Only administrators. Others get 403.
    operations: ['list applications'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      storage             | 403 403 403 ok  403 403 403 403 403 403 403 403 403 403 403`,
  },
  {
    // The list of a visible storage contains the uses that the caller can view.
    operations: ['list uses of a storage'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      project storage     | 404 404 404 ok  ok  404 ok  ok  out 404 ok  ok  404 ok  ok`,
  },
  {
    // The list contains the records that the caller can view.
    operations: ['list project storages'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      project storage     | out out out ok  ok  out ok  ok  out out ok  ok  out ok  ok`,
  },
  {
    // Requires manage_files_in_project in that project, or an administrator. 404 if the project is not visible.
    operations: ['create project storage'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      project storage     | 404 404 403 ok  403 403 403 ok  404 404 403 ok  403 403 ok`,
  },
  {
    // Requires the same permission. 404 if the project storage is not visible.
    operations: ['update project storage', 'delete project storage'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      project storage     | 404 404 404 ok  403 404 403 ok  404 404 403 ok  404 403 ok`,
  },
  ...attachmentTables,
  ...fileTables,
  ...listTables,
  ...administrationTables,
  ...notificationTables,
];

export interface Exclusion {
  operations: readonly Operation[];
  kinds: readonly Kind[];
  /** Absent: the exclusion is for all callers. */
  callers?: string[];
  reason: string;
}

const keys: Kind[] = ['own API key', "another's API key"];
const unclaimed: Kind[] = ['own unclaimed', "another's unclaimed"];
const inContainers: Kind[] = [
  'work package',
  'comment',
  'internal comment',
  'record of a change',
  'meeting',
  'post',
  'wiki page',
];
const updates: Operation[] = [
  'update container',
  'delete container',
  'claim own on update',
  "claim another's on update",
  'claim claimed on update',
];
const creations: Operation[] = [
  'create container',
  'claim own on create',
  "claim another's on create",
];

const onStorages: Operation[] = [
  'list storages',
  'view storage',
  'open storage',
  'create storage',
  'update storage',
  'delete storage',
  'set client credentials',
  'rotate application secret',
  'view health',
  'list applications',
  'view OAuth application',
  'view client credentials',
];
const onProjectStorages: Operation[] = [
  'list project storages',
  'list uses of a storage',
  'view project storage',
  'open project storage',
  'create project storage',
  'update project storage',
  'delete project storage',
];
const others = operations.filter(
  (operation) =>
    !isFileOperation(operation) && ![...onStorages, ...onProjectStorages].includes(operation),
);
const ofStorages = ['storage', 'unused storage', 'project storage'] as Kind[];
/** Callers that differ only in permissions on files. The representatives stand for all other callers. */
const fileCallers = ['fv', 'fo', 'fm', 'fa', 'fe', 'fw', 'fn', 'na', 'mf', 'vf', 'va'];
const representatives = ['an', 'st', 'ed', 'ad'];

/** Combinations that are impossible, or that repeat others. */
export const exclusions: Exclusion[] = [
  {
    operations: others,
    kinds: ofStorages,
    reason: 'A storage is neither attachment nor container nor API key.',
  },
  {
    operations: [...onStorages, ...onProjectStorages],
    kinds: [...inContainers, ...unclaimed, ...keys],
    reason: 'Attachments, containers and API keys are not storages.',
  },
  {
    operations: onStorages,
    kinds: ['project storage'],
    reason: 'A project storage is not the storage itself.',
  },
  {
    operations: onProjectStorages,
    kinds: ['storage', 'unused storage'],
    reason: 'A storage is not a project storage.',
  },
  {
    operations: ['create storage'],
    kinds: ['storage'],
    reason: 'No project uses a new storage.',
  },
  {
    operations: ['list applications', 'view OAuth application', 'view client credentials'],
    kinds: ['unused storage'],
    reason: 'Only administrators have it, used or unused.',
  },
  {
    operations: others,
    kinds: [...inContainers, ...unclaimed, ...keys],
    callers: fileCallers,
    reason: 'Permissions on files do not matter for attachments. Other callers stand for these.',
  },
  {
    operations: [...onStorages, ...onProjectStorages],
    kinds: ofStorages,
    callers: Object.keys(callers).filter(
      (code) => !fileCallers.includes(code) && !representatives.includes(code),
    ),
    reason: 'Callers without permissions on files behave alike. Representatives stand for them.',
  },
  {
    operations: [
      'view attachment',
      'download content',
      'delete attachment',
      'update attachment',
      'delete many attachments',
      'copy attachment',
      'complete upload',
      'release attachment',
      'view author',
    ],
    kinds: ['record of a change'],
    reason: 'A record of a change has no attachments. "add attachment" and the claims are refused.',
  },
  {
    operations: [
      'view attachment',
      'download content',
      'delete attachment',
      'update attachment',
      'delete many attachments',
      'copy attachment',
      'complete upload',
      'release attachment',
      'view author',
    ],
    kinds: keys,
    reason: 'An API key is no attachment, and no answer shows its owner.',
  },
  {
    operations: [
      'list attachments',
      'download archive',
      'view container',
      'add attachment',
      'prepare upload',
      ...updates,
      ...creations,
      'view project',
    ],
    kinds: keys,
    reason: 'An API key is no container.',
  },
  {
    operations: [
      'list attachments',
      'download archive',
      'view container',
      'add attachment',
      'prepare upload',
      ...updates,
      ...creations,
      'view project',
    ],
    kinds: unclaimed,
    reason: 'An unclaimed attachment has no container.',
  },
  {
    operations: ['copy attachment'],
    kinds: unclaimed,
    reason: 'The cells are those of the container in which the attachment is.',
  },
  {
    operations: ['list contents'],
    kinds: ['comment', 'internal comment', 'record of a change', ...unclaimed, ...keys],
    reason: 'A project lists no activities, unclaimed attachments and API keys.',
  },
  {
    operations: ['list memberships'],
    kinds: [...inContainers.filter((kind) => kind !== 'work package'), ...unclaimed, ...keys],
    reason: 'Memberships belong to the project, whatever it contains.',
  },
  {
    operations: ['list activities'],
    kinds: ['work package', 'meeting', 'post', 'wiki page', ...unclaimed, ...keys],
    reason: 'The list of activities contains only activities.',
  },
  {
    operations: creations,
    kinds: ['record of a change'],
    reason: 'Only the service writes records of changes. There is no such operation.',
  },
  {
    operations: ['create unclaimed attachment', 'prepare unclaimed upload'],
    kinds: [...inContainers, ...keys],
    reason: 'With a container, the operation is "add attachment" or "prepare upload".',
  },
  {
    operations: ['create unclaimed attachment', 'prepare unclaimed upload'],
    kinds: ["another's unclaimed"],
    reason: 'A user cannot upload for another user.',
  },
  {
    operations: [
      'create API key',
      'update API key',
      'delete API key',
      'change password',
      'set mail preference',
    ],
    kinds: [...inContainers, ...unclaimed],
    reason: 'Containers and attachments have no API keys.',
  },
  {
    operations: ['create API key', 'change password', 'set mail preference'],
    kinds: ["another's API key"],
    reason: 'A new key always belongs to the caller.',
  },
  {
    operations: ['update API key', 'delete API key'],
    kinds: ['own API key'],
    callers: ['an', 'vs', 'vb', 've', 'vw'],
    reason: 'Anonymous users have no API keys.',
  },
  ...attachmentExclusions({ kinds }),
  ...[fileExclusions, listExclusions, notificationExclusions].flatMap((exclude) =>
    exclude({ operations, kinds, callers: Object.keys(callers) }),
  ),
];

export interface OneProtocol {
  operations: readonly Operation[];
  kinds: readonly Kind[];
  protocol: 'REST' | 'GraphQL';
  reason: string;
}

/** Operations that exist over one protocol only. All others exist over both. */
export const oneProtocol: OneProtocol[] = [
  {
    operations: ['update attachment', 'delete many attachments'],
    kinds: [...inContainers, ...unclaimed],
    protocol: 'GraphQL',
    reason: 'REST has no PATCH of attachments, and no changes of several.',
  },
  {
    operations: ['copy attachment'],
    kinds: inContainers,
    protocol: 'GraphQL',
    reason: 'REST has no such operation.',
  },
  {
    operations: ['list contents'],
    kinds: ['work package', 'meeting', 'post', 'wiki page'],
    protocol: 'GraphQL',
    reason: 'REST lists only work packages, and refuses the list without the permission.',
  },
  {
    operations: ['list applications'],
    kinds: ['storage'],
    protocol: 'GraphQL',
    reason: 'REST has no list of applications.',
  },
  {
    operations: ['list uses of a storage'],
    kinds: ['project storage'],
    protocol: 'GraphQL',
    reason: 'Over REST, it is a filter of "list project storages".',
  },
  {
    operations: ['release attachment'],
    kinds: [...inContainers, ...unclaimed],
    protocol: 'GraphQL',
    reason: 'REST has no operation for quarantined files.',
  },
  {
    operations: ['delete container'],
    kinds: inContainers,
    protocol: 'GraphQL',
    reason: 'REST has no DELETE of containers.',
  },
  {
    operations: creations,
    kinds: ['meeting', 'post', 'wiki page'],
    protocol: 'GraphQL',
    reason: 'REST creates only work packages and comments.',
  },
  {
    operations: updates,
    kinds: ['meeting', 'post', 'wiki page'],
    protocol: 'GraphQL',
    reason: 'REST changes only work packages and comments.',
  },
  {
    operations: [
      'create API key',
      'update API key',
      'delete API key',
      'change password',
      'set mail preference',
    ],
    kinds: keys,
    protocol: 'GraphQL',
    reason: 'REST has no operations for API keys.',
  },
  {
    operations: ['rotate application secret', 'view health'],
    kinds: ['storage', 'unused storage'],
    protocol: 'GraphQL',
    reason: 'REST has neither operation.',
  },
  {
    operations: ['create project storage', 'update project storage', 'delete project storage'],
    kinds: ['project storage'],
    protocol: 'GraphQL',
    reason: 'REST has no operations that write project storages.',
  },
  ...attachmentsOverOneProtocol(kinds),
  ...filesOverOneProtocol,
  ...listsOverOneProtocol,
  ...administrationOverOneProtocol,
  ...notificationsOverOneProtocol,
];

export interface Cell {
  operation: Operation;
  kind: Kind;
  caller: string;
  outcome: Outcome | '-';
}

const listed: Cell[] = tables.flatMap(({ operations: names, cells: text }) => {
  const [head, ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((part) => part.trim()));
  const codes = head!.at(-1)!.split(/ +/);
  return names.flatMap((operation) =>
    rows.flatMap(([kind, row]) =>
      row!
        .split(/ +/)
        .map((outcome, column) => ({ operation, kind, caller: codes[column], outcome }) as Cell),
    ),
  );
});

/** What no application may do. It answers 403, also for records that its user does not see. */
const refusedToApplications: Operation[] = [
  'release attachment',
  'create API key',
  'update API key',
  'delete API key',
  'change password',
  'set mail preference',
  'create storage',
  'update storage',
  'delete storage',
  'set client credentials',
  'rotate application secret',
  'create project storage',
  'update project storage',
  'delete project storage',
  'set picture',
  'remove picture',
  'empty trash',
  'view health',
  'list applications',
  ...administrationOperations,
  ...endings,
];
/** It reads no administration: these records are not there for it. */
const hiddenFromApplications: Operation[] = ['view OAuth application', 'view client credentials'];

/** The cells of all tables. In all else, the application may do what its user may do. */
export const cells: Cell[] = [
  ...listed,
  ...listed
    .filter(({ caller }) => caller === 'ad')
    .map((cell): Cell => ({
      ...cell,
      caller: 'to',
      outcome: refusedToApplications.includes(cell.operation)
        ? '403'
        : hiddenFromApplications.includes(cell.operation)
          ? '404'
          : cell.outcome,
    })),
];

export const isExcluded = ({ operation, kind, caller }: Omit<Cell, 'outcome'>): boolean =>
  exclusions.some(
    (one) =>
      one.operations.includes(operation) &&
      one.kinds.includes(kind) &&
      (one.callers?.includes(caller === 'to' ? 'ad' : caller) ?? true),
  );

export const protocolsOf = (operation: Operation, kind: Kind): ('REST' | 'GraphQL')[] => {
  const only = oneProtocol.find(
    (one) => one.operations.includes(operation) && one.kinds.includes(kind),
  );
  return only ? [only.protocol] : ['REST', 'GraphQL'];
};
