/**
 * Interface sections 4.1, 4.2, 5 and 7 with decisions 2, 3 and 4, written out a second time: what every operation answers
 * for every kind of thing to every kind of caller. Imports nothing of the service, so that no mistake of it can repeat itself here.
 */
import {
  fileExclusions,
  fileOperations,
  filesOverOneProtocol,
  fileTables,
  linkers,
  linkKinds,
} from './expected-files.js';

/** `ok`, a refusal by its HTTP status, `out`: answered, but without the thing in the list; or `500`: allowed here, but not at the storage. */
export type Outcome = 'ok' | '403' | '404' | '422' | '500' | 'out';

const view = ['view_work_packages', 'view_meetings', 'view_messages', 'view_wiki_pages'];
const edit = ['edit_work_packages', 'edit_meetings', 'edit_messages', 'edit_wiki_pages'];
const files = ['view_work_packages', 'view_file_links'];
const manage = 'manage_file_links';
const administer = 'manage_files_in_project';
const comment = 'add_work_package_comments';
const internal = 'view_internal_comments';

export interface Caller {
  /** Reads well after "as". */
  name: string;
  project: 'private' | 'public';
  /** Presents no credentials. */
  visitor?: boolean;
  admin?: boolean;
  /** Permissions as a member of the project; absent for somebody who is no member. */
  member?: string[];
  /** Permissions as a member of a project of somebody else's. */
  elsewhere?: string[];
  /** Permissions of the role `Non member` while this caller asks. */
  nonMember?: string[];
  /** Permissions of the role `Anonymous` while this caller asks. */
  anonymous?: string[];
  /** What the caller is the author of; somebody else wrote the rest. */
  wrote?: 'the container' | 'the attachment' | 'both';
  /** Has no account at any storage; visitors have none either. */
  unconnected?: boolean;
}

/** The columns of the tables below. */
export const callers: { readonly [code: string]: Caller } = {
  an: { name: 'visitor of a private project', project: 'private', visitor: true, anonymous: view },
  st: { name: 'stranger', project: 'private', nonMember: view },
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
    name: 'author who may no longer comment',
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
  be: { name: 'editor who may not view', project: 'private', member: edit },
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
  nm: { name: 'non-member of a public project', project: 'public', nonMember: view },
  nb: {
    name: 'non-member of a public project where non-members may nothing',
    project: 'public',
    nonMember: [],
    anonymous: view,
  },
  ne: {
    name: 'non-member of a public project where non-members edit',
    project: 'public',
    nonMember: [...view, ...edit],
  },
  mb: {
    name: 'member without permissions of a public project where non-members edit',
    project: 'public',
    member: [],
    nonMember: [...view, ...edit],
  },
  vs: { name: 'visitor of a public project', project: 'public', visitor: true, anonymous: view },
  vb: {
    name: 'visitor of a public project where visitors may nothing',
    project: 'public',
    visitor: true,
    anonymous: [],
    nonMember: view,
  },
  ve: {
    name: 'visitor of a public project where visitors may everything',
    project: 'public',
    visitor: true,
    anonymous: [
      ...view,
      ...edit,
      'add_work_packages',
      'add_work_package_attachments',
      comment,
      internal,
    ],
  },
  vw: {
    name: 'visitor of a public project where a visitor wrote it all',
    project: 'public',
    visitor: true,
    anonymous: [...view, comment, internal],
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
    nonMember: files,
  },
  na: {
    name: 'non-member of a public project where non-members manage files',
    project: 'public',
    nonMember: [administer],
  },
  mf: {
    name: 'member without permissions of a public project where non-members manage files',
    project: 'public',
    member: [],
    nonMember: [...files, manage, administer],
  },
  vf: {
    name: 'visitor of a public project where visitors view file links',
    project: 'public',
    visitor: true,
    anonymous: files,
  },
  va: {
    name: 'visitor of a public project where visitors manage files',
    project: 'public',
    visitor: true,
    anonymous: [...files, manage, administer],
  },
  ...linkers,
};

/** The rows. Unclaimed attachments are those of no container; `attachment` and `itself` read well in a sentence. */
export const kinds = {
  'work package': { itself: 'a work package', attachment: 'attachment of a work package' },
  comment: { itself: 'a comment', attachment: 'attachment of a comment' },
  'internal comment': {
    itself: 'an internal comment',
    attachment: 'attachment of an internal comment',
  },
  'record of a change': {
    itself: 'a record of a change',
    attachment: 'attachment of a record of a change',
  },
  meeting: { itself: 'a meeting', attachment: 'attachment of a meeting' },
  post: { itself: 'a post', attachment: 'attachment of a post' },
  'wiki page': { itself: 'a wiki page', attachment: 'attachment of a wiki page' },
  'own unclaimed': { itself: 'no container', attachment: 'unclaimed attachment of their own' },
  "another's unclaimed": {
    itself: 'no container',
    attachment: 'unclaimed attachment of somebody else',
  },
  'own API key': { itself: 'an API key of their own', attachment: '' },
  "another's API key": { itself: 'an API key of somebody else', attachment: '' },
  storage: { itself: 'a storage that the project uses', attachment: '' },
  'unused storage': { itself: 'a storage that no project uses', attachment: '' },
  'project storage': { itself: 'a storage of the project', attachment: '' },
  ...linkKinds,
} as const;
export type Kind = keyof typeof kinds;

/** `%` stands for the kind as it reads in a sentence. */
export const operations = {
  'view attachment': { title: 'GET %', about: 'attachment' },
  'download content': { title: 'GET content of the %', about: 'attachment' },
  'delete attachment': { title: 'DELETE %', about: 'attachment' },
  'list attachments': { title: 'GET attachments of %', about: 'itself' },
  'list activities': { title: 'GET activities with %', about: 'itself' },
  'view container': { title: 'GET %', about: 'itself' },
  'add attachment': { title: 'POST attachment to %', about: 'itself' },
  'create unclaimed attachment': { title: 'POST attachment to %', about: 'itself' },
  'prepare upload': { title: 'POST prepare for %', about: 'itself' },
  'prepare unclaimed upload': { title: 'POST prepare for %', about: 'itself' },
  'complete upload': { title: 'GET uploaded of a prepared %', about: 'attachment' },
  'release attachment': { title: 'releaseAttachment of a quarantined %', about: 'attachment' },
  'create container': { title: 'POST %', about: 'itself' },
  'update container': { title: 'PATCH %', about: 'itself' },
  'delete container': { title: 'DELETE %', about: 'itself' },
  'claim own on create': { title: 'POST % that claims an own attachment', about: 'itself' },
  "claim another's on create": {
    title: "POST % that claims somebody else's attachment",
    about: 'itself',
  },
  'claim own on update': { title: 'PATCH % that claims an own attachment', about: 'itself' },
  "claim another's on update": {
    title: "PATCH % that claims somebody else's attachment",
    about: 'itself',
  },
  'claim claimed on update': {
    title: 'PATCH % that claims an own attachment of another container',
    about: 'itself',
  },
  'view author': { title: 'GET author of the %', about: 'attachment' },
  'view project': { title: 'GET project of %', about: 'itself' },
  'create API key': { title: 'createApiKey for %', about: 'itself' },
  'update API key': { title: 'updateApiKey of %', about: 'itself' },
  'delete API key': { title: 'deleteApiKey of %', about: 'itself' },
  'list storages': { title: 'GET storages with %', about: 'itself' },
  'view storage': { title: 'GET %', about: 'itself' },
  'open storage': { title: 'GET open of %', about: 'itself' },
  'create storage': { title: 'POST %', about: 'itself' },
  'update storage': { title: 'PATCH %', about: 'itself' },
  'delete storage': { title: 'DELETE %', about: 'itself' },
  'set client credentials': { title: 'POST client credentials of %', about: 'itself' },
  'rotate application secret': { title: 'rotateOAuthApplicationSecret of %', about: 'itself' },
  'view health': { title: 'health of %', about: 'itself' },
  'view OAuth application': { title: 'GET OAuth application of %', about: 'itself' },
  'view client credentials': { title: 'GET client credentials of %', about: 'itself' },
  'list project storages': { title: 'GET project storages with %', about: 'itself' },
  'view project storage': { title: 'GET %', about: 'itself' },
  'open project storage': { title: 'GET open of %', about: 'itself' },
  'create project storage': { title: 'createProjectStorage of %', about: 'itself' },
  'update project storage': { title: 'updateProjectStorage of %', about: 'itself' },
  'delete project storage': { title: 'deleteProjectStorage of %', about: 'itself' },
  ...fileOperations,
} as const satisfies { [name: string]: { title: string; about: 'itself' | 'attachment' } };
export type Operation = keyof typeof operations;

export interface Table {
  operations: Operation[];
  /** A head of caller codes, then a row for each kind. `-` is a listed exclusion. */
  cells: string;
}

export const tables: Table[] = [
  {
    // Section 5: view permission on the container, internal comments with view_internal_comments besides;
    // without container the author alone, not even an admin. Section 7.6: 404 where it is not visible.
    operations: ['view attachment', 'download content'],
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
    // Section 5: the view permission of the kind.
    operations: ['list attachments', 'view container'],
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
    // Decisions 2 and 3: the list of a visible work package leaves out what its reader may not see.
    operations: ['list activities'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      comment             | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  404 ok  404 ok  ok  404 404 404 ok  ok  404 ok  404 ok  404 ok  ok
      internal comment    | 404 404 404 404 out out ok  ok  404 ok  ok  out ok  ok  ok  404 ok  404 out out 404 404 404 out out 404 out 404 out 404 ok  ok
      record of a change  | 404 404 404 404 ok  ok  ok  ok  404 ok  ok  ok  ok  ok  ok  404 ok  404 ok  ok  404 404 404 ok  ok  404 ok  404 ok  404 ok  ok`,
  },
  {
    // Section 5: edit permission on the container, or author where there is none. Decisions 3: work packages ask edit_work_packages
    // alone; activities: own (comment or attachment) with add_work_package_comments, others' with edit_work_packages.
    operations: ['delete attachment'],
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
    // Section 5 and decisions 3: any of three permissions for work packages, the view permission for activities, else the edit permission.
    // Section 7.3: 403 where the container is visible, otherwise 404.
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
    // Section 5 and decisions 3: any of six permissions in any project; never a visitor. Section 7.2: 403.
    operations: ['create unclaimed attachment'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      own unclaimed       | 403 403 ok  403 403 ok  403 403 403 403 403 403 403 ok  403 403 ok  ok  ok  ok  ok  ok  ok  ok  403 403 ok  403 403 403 403 403`,
  },
  {
    // As adding, but activities ask add_work_package_comments (section 5), and a visitor prepares nothing: only the preparer can complete (section 4.3).
    operations: ['prepare upload'],
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
    // As creating without container.
    operations: ['prepare unclaimed upload'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      own unclaimed       | 403 403 ok  403 403 ok  403 403 403 403 403 403 403 ok  403 403 ok  ok  ok  ok  ok  ok  ok  ok  403 403 ok  403 403 403 403 403`,
  },
  {
    // Section 4.3: the preparer, who must still see the container; 404 for everybody else (section 7.5).
    operations: ['complete upload'],
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
    // Decisions 5: administrators, who see everything in quarantine.
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
    // The edit permission; comments: own with add_work_package_comments, others with edit_work_packages. Nobody changes a record.
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
    // add_work_packages, edit_meetings, edit_messages, edit_wiki_pages in a visible project; add_work_package_comments on a visible
    // work package, for an internal comment view_internal_comments besides.
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
    // Section 4.2 rule 4: upload and claim are by the same user. A visitor owns no unclaimed attachment.
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
    // As creating, and 422 instead of success.
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
    // As updating; a visitor owns no unclaimed attachment.
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
    // As updating, and 422 instead of success. Section 1: once claimed it cannot be claimed again.
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
    // Signed-in people see everybody, visitors those who belong to or wrote in a public project, and the visitor.
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
    // Members, administrators, and everybody where the project is public.
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
    // People make keys for themselves; a visitor is nobody.
    operations: ['create API key'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      own API key         | 403 ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  403 403 403 403`,
  },
  {
    // A key is its owner's alone, and nobody else learns that it exists.
    operations: ['update API key', 'delete API key'],
    cells: `
                          | an  st  el  bm  vi  ed  au  la  de  up  wr  co  ic  ad  ir  ib  ie  be  ap  at  mk  fk  wk  pk  nm  nb  ne  mb  vs  vb  ve  vw
      own API key         | -   ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  -   -   -   -
      another's API key   | 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // Section 5: view work packages and view file links, in a project that uses it; decisions 3: whoever manages files anywhere sees all.
    // Section 7.9: 404 where it is invisible.
    operations: ['view storage', 'open storage'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      storage             | 404 404 404 ok  ok  404 ok  ok  ok  404 ok  ok  404 ok  ok
      unused storage      | 404 404 404 ok  404 404 404 ok  ok  404 404 ok  404 404 ok`,
  },
  {
    // The list has what can be viewed.
    operations: ['list storages'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      storage             | out out out ok  ok  out ok  ok  ok  out ok  ok  out ok  ok
      unused storage      | out out out ok  out out out ok  ok  out out ok  out out ok`,
  },
  {
    // Section 5: administrators. Section 7.9: 403 for others where it is visible, 404 where it is not.
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
    // Decisions 3: administrators, 403 for everybody else.
    operations: ['create storage'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      unused storage      | 403 403 403 ok  403 403 403 403 403 403 403 403 403 403 403`,
  },
  {
    // Section 5 and decisions 2: administrators only, else 404.
    operations: ['view OAuth application', 'view client credentials'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      storage             | 404 404 404 ok  404 404 404 404 404 404 404 404 404 404 404`,
  },
  {
    // As the storage in that project, or manage_files_in_project there: who administers it elsewhere has no say here.
    operations: ['view project storage', 'open project storage'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      project storage     | 404 404 404 ok  ok  404 ok  ok  404 404 ok  ok  404 ok  ok`,
  },
  {
    // The list has what can be viewed.
    operations: ['list project storages'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      project storage     | out out out ok  ok  out ok  ok  out out ok  ok  out ok  ok`,
  },
  {
    // Decisions 2: administrators, or manage_files_in_project in that project. 404 where the project is not visible.
    operations: ['create project storage'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      project storage     | 404 404 403 ok  403 403 403 ok  404 404 403 ok  403 403 ok`,
  },
  {
    // The same; 404 where it is not visible.
    operations: ['update project storage', 'delete project storage'],
    cells: `
                          | an  st  ed  ad  fv  fo  fm  fa  fe  fw  fn  na  mf  vf  va
      project storage     | 404 404 404 ok  403 404 403 ok  404 404 403 ok  404 403 ok`,
  },
  ...fileTables,
];

export interface Exclusion {
  operations: Operation[];
  kinds: Kind[];
  /** Absent: nobody has the cell. */
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
  'view OAuth application',
  'view client credentials',
];
const onProjectStorages: Operation[] = [
  'list project storages',
  'view project storage',
  'open project storage',
  'create project storage',
  'update project storage',
  'delete project storage',
];
const elsewhere = (Object.keys(operations) as Operation[]).filter(
  (operation) =>
    !(operation in fileOperations) && ![...onStorages, ...onProjectStorages].includes(operation),
);
const ofStorages = ['storage', 'unused storage', 'project storage'] as Kind[];
/** Who is told apart by permissions on files, and who stands for everybody else. */
const fileCallers = ['fv', 'fo', 'fm', 'fa', 'fe', 'fw', 'fn', 'na', 'mf', 'vf', 'va'];
const representatives = ['an', 'st', 'ed', 'ad'];

/** Combinations that mean nothing, or nothing new. */
export const exclusions: Exclusion[] = [
  {
    operations: elsewhere,
    kinds: ofStorages,
    reason: 'A storage is neither attachment nor container nor API key.',
  },
  {
    operations: [...onStorages, ...onProjectStorages],
    kinds: [...inContainers, ...unclaimed, ...keys],
    reason: 'No attachment, container or API key is a storage.',
  },
  {
    operations: onStorages,
    kinds: ['project storage'],
    reason: 'A storage of a project is not the storage itself.',
  },
  {
    operations: onProjectStorages,
    kinds: ['storage', 'unused storage'],
    reason: 'A storage is not that of a project yet, whether one uses it or not.',
  },
  {
    operations: ['create storage'],
    kinds: ['storage'],
    reason: 'What is made is used by no project.',
  },
  {
    operations: ['view OAuth application', 'view client credentials'],
    kinds: ['unused storage'],
    reason: 'For administrators alone, whoever uses it.',
  },
  {
    operations: elsewhere,
    kinds: [...inContainers, ...unclaimed, ...keys],
    callers: fileCallers,
    reason:
      'Permissions on files have no say in attachments: these callers are viewers of work packages, or nobody.',
  },
  {
    operations: [...onStorages, ...onProjectStorages],
    kinds: ofStorages,
    callers: Object.keys(callers).filter(
      (code) => !fileCallers.includes(code) && !representatives.includes(code),
    ),
    reason:
      'Without permissions on files all are the same: visitor, stranger and editor stand for them.',
  },
  {
    operations: [
      'view attachment',
      'download content',
      'delete attachment',
      'complete upload',
      'release attachment',
      'view author',
    ],
    kinds: ['record of a change'],
    reason: 'A record of a change has no attachments: "add attachment" and the claims refuse them.',
  },
  {
    operations: [
      'view attachment',
      'download content',
      'delete attachment',
      'complete upload',
      'release attachment',
      'view author',
    ],
    kinds: keys,
    reason: 'An API key is no attachment, and nothing shows whose it is.',
  },
  {
    operations: [
      'list attachments',
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
    operations: ['list activities'],
    kinds: ['work package', 'meeting', 'post', 'wiki page', ...unclaimed, ...keys],
    reason: 'Only activities are in the list of activities.',
  },
  {
    operations: creations,
    kinds: ['record of a change'],
    reason: 'Only the service writes records of changes; no operation does.',
  },
  {
    operations: ['create unclaimed attachment', 'prepare unclaimed upload'],
    kinds: [...inContainers, ...keys],
    reason:
      'It is the operation of attachments without container; with one it is "add attachment" or "prepare upload".',
  },
  {
    operations: ['create unclaimed attachment', 'prepare unclaimed upload'],
    kinds: ["another's unclaimed"],
    reason: 'Nobody uploads in the name of somebody else.',
  },
  {
    operations: ['create API key', 'update API key', 'delete API key'],
    kinds: [...inContainers, ...unclaimed],
    reason: 'Containers and attachments have no API keys.',
  },
  {
    operations: ['create API key'],
    kinds: ["another's API key"],
    reason: "createApiKey names no user: a key is always the caller's own.",
  },
  {
    operations: ['update API key', 'delete API key'],
    kinds: ['own API key'],
    callers: ['an', 'vs', 'vb', 've', 'vw'],
    reason: 'A visitor has no API key.',
  },
  ...fileExclusions({
    operations: Object.keys(operations) as Operation[],
    kinds: Object.keys(kinds) as Kind[],
    callers: Object.keys(callers),
  }),
];

export interface OneProtocol {
  operations: Operation[];
  kinds: Kind[];
  protocol: 'REST' | 'GraphQL';
  reason: string;
}

/** Everything else exists over both. */
export const oneProtocol: OneProtocol[] = [
  {
    operations: ['download content'],
    kinds: [...inContainers, ...unclaimed],
    protocol: 'REST',
    reason: 'Bytes do not travel through GraphQL.',
  },
  {
    operations: ['release attachment'],
    kinds: [...inContainers, ...unclaimed],
    protocol: 'GraphQL',
    reason: 'The interface shows no quarantine.',
  },
  {
    operations: ['delete container'],
    kinds: inContainers,
    protocol: 'GraphQL',
    reason: 'Section 4 and decisions 2 name no DELETE of a container.',
  },
  {
    operations: creations,
    kinds: ['meeting', 'post', 'wiki page'],
    protocol: 'GraphQL',
    reason: 'Over REST only work packages and comments can be made.',
  },
  {
    operations: updates,
    kinds: ['meeting', 'post', 'wiki page'],
    protocol: 'GraphQL',
    reason: 'Over REST only work packages and comments can be changed.',
  },
  {
    operations: ['create API key', 'update API key', 'delete API key'],
    kinds: keys,
    protocol: 'GraphQL',
    reason: 'The interface does not show how keys are made.',
  },
  {
    operations: ['rotate application secret', 'view health'],
    kinds: ['storage', 'unused storage'],
    protocol: 'GraphQL',
    reason: 'The interface shows neither.',
  },
  {
    operations: ['create project storage', 'update project storage', 'delete project storage'],
    kinds: ['project storage'],
    protocol: 'GraphQL',
    reason: 'Decisions 2 make them mutations.',
  },
  ...filesOverOneProtocol,
];

export interface Cell {
  operation: Operation;
  kind: Kind;
  caller: string;
  outcome: Outcome | '-';
}

/** The tables as a list of cells. */
export const cells: Cell[] = tables.flatMap(({ operations: names, cells: text }) => {
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

export const isExcluded = ({ operation, kind, caller }: Omit<Cell, 'outcome'>): boolean =>
  exclusions.some(
    (one) =>
      one.operations.includes(operation) &&
      one.kinds.includes(kind) &&
      (one.callers?.includes(caller) ?? true),
  );

export const protocolsOf = (operation: Operation, kind: Kind): ('REST' | 'GraphQL')[] => {
  const only = oneProtocol.find(
    (one) => one.operations.includes(operation) && one.kinds.includes(kind),
  );
  return only ? [only.protocol] : ['REST', 'GraphQL'];
};
