/** Visibility and permissions, as a second, small implementation. */
import {
  usedIn,
  type Attachment,
  type Container,
  type FileLink,
  type Model,
  type Person,
  type Project,
  type ProjectStorage,
  type Storage,
} from './model.js';

const views = ['view_work_packages', 'view_meetings', 'view_messages', 'view_wiki_pages'] as const;
const edits = ['edit_work_packages', 'edit_meetings', 'edit_messages', 'edit_wiki_pages'] as const;
const comments = 'add_work_package_comments';
const links = ['view_file_links', 'manage_file_links'] as const;

/** Roles of members. */
export const roles = {
  manager: [
    ...views,
    ...edits,
    ...links,
    comments,
    'add_work_packages',
    'add_work_package_attachments',
    'view_internal_comments',
    'manage_files_in_project',
  ],
  editor: [...views, ...edits, comments, 'add_work_packages', 'view_file_links'],
  author: [
    'view_work_packages',
    'view_meetings',
    'view_wiki_pages',
    comments,
    'add_work_packages',
    'add_work_package_attachments',
    ...links,
  ],
  linker: ['view_work_packages', 'edit_work_packages', ...links],
  insider: ['view_work_packages', 'view_internal_comments', comments],
  reader: [...views, 'view_file_links'],
  librarian: ['manage_files_in_project'],
  blind: [...edits, 'manage_file_links', 'view_internal_comments'],
  guest: [],
} satisfies { [name: string]: readonly string[] };
export type RoleName = keyof typeof roles;

/** Permissions in public projects: of signed-in users who are no members, and of anonymous users. */
export const publicRoles = {
  'Non member': [...views, comments, 'view_file_links'],
  Anonymous: [
    'view_work_packages',
    'view_meetings',
    'edit_meetings',
    'view_messages',
    'view_file_links',
  ],
} as const;

export type Refusal =
  | 'NotFound'
  | 'MissingPermission'
  | 'PropertyConstraintViolation'
  | 'UpdateConflict'
  | 'InvalidRequestBody';

/** Whether the user has one of the permissions in the project. */
export function holds(
  person: Person,
  { members, isPublic }: Project,
  ...oneOf: readonly string[]
): boolean {
  if (person.admin) return true;
  const role = members.get(person);
  const held: readonly string[] = role
    ? roles[role]
    : !isPublic
      ? []
      : publicRoles[person.key ? 'Non member' : 'Anonymous'];
  return oneOf.some((permission) => held.includes(permission));
}

export const holdsSomewhere = (
  { projects }: Model,
  person: Person,
  ...oneOf: readonly string[]
): boolean => projects.some((project) => holds(person, project, ...oneOf));

export const seesProject = (person: Person, { members, isPublic }: Project): boolean =>
  person.admin || isPublic || members.has(person);

/** By kind of container: the permissions of which one is needed to see it, create it, attach to it and change it. */
const table = {
  WorkPackage: {
    view: ['view_work_packages'],
    create: ['add_work_packages'],
    add: ['edit_work_packages', 'add_work_packages', 'add_work_package_attachments'],
    edit: ['edit_work_packages'],
  },
  Activity: {
    view: ['view_work_packages'],
    create: [comments],
    add: ['view_work_packages'],
    edit: ['edit_work_packages'],
  },
  Meeting: {
    view: ['view_meetings'],
    create: ['edit_meetings'],
    add: ['edit_meetings'],
    edit: ['edit_meetings'],
  },
  Post: {
    view: ['view_messages'],
    create: ['edit_messages'],
    add: ['edit_messages'],
    edit: ['edit_messages'],
  },
  WikiPage: {
    view: ['view_wiki_pages'],
    create: ['edit_wiki_pages'],
    add: ['edit_wiki_pages'],
    edit: ['edit_wiki_pages'],
  },
} as const;

/** The anonymous user counts as the author of nothing, because many callers share it. */
const isBy = (person: Person, author: Person): boolean =>
  person.key !== undefined && person === author;

export const sees = (person: Person, { kind, project, internal, gone }: Container): boolean =>
  !gone &&
  holds(person, project, ...table[kind].view) &&
  (!internal || holds(person, project, 'view_internal_comments'));

export const mayCreate = (
  person: Person,
  kind: Container['kind'],
  project: Project,
  internal = false,
): boolean =>
  holds(person, project, ...table[kind].create) &&
  (!internal || holds(person, project, 'view_internal_comments'));

export const mayAttach = (person: Person, { kind, project }: Container): boolean =>
  holds(person, project, ...table[kind].add);

/** Only its author can complete an upload, so anonymous users cannot prepare one. Comments need another permission. */
export const mayPrepare = (person: Person, { kind, project }: Container): boolean =>
  person.key !== undefined &&
  holds(person, project, ...(kind === 'Activity' ? [comments] : table[kind].add));

const editsOwn = (person: Person, { kind, project }: Container, ...authors: Person[]): boolean =>
  kind === 'Activity' &&
  authors.some((author) => isBy(person, author)) &&
  holds(person, project, comments);

export const mayEdit = (person: Person, container: Container): boolean =>
  holds(person, container.project, ...table[container.kind].edit) ||
  editsOwn(person, container, container.author);

/** Whether the user has one of them in any project. */
export const mayUpload = (model: Model, person: Person): boolean =>
  person.key !== undefined &&
  holdsSomewhere(model, person, ...edits, 'add_work_packages', 'add_work_package_attachments');

/** Only their author sees unclaimed and prepared attachments. Administrators do not. */
export function seesAttachment(
  person: Person,
  { gone, container, author, status }: Attachment,
): boolean {
  if (gone || (container && !sees(person, container))) return false;
  return container && status === 'uploaded' ? true : isBy(person, author);
}

export const mayDelete = (person: Person, { container, author, status }: Attachment): boolean =>
  !container ||
  status === 'prepared' ||
  mayEdit(person, container) ||
  editsOwn(person, container, author);

/** Those who may delete it where it was. The trash is empty for all others. */
export const mayRestore = (person: Person, attachment: Attachment): boolean =>
  attachment.trash !== undefined &&
  attachment.container !== undefined &&
  sees(person, attachment.container) &&
  mayDelete(person, attachment);

/** Only its author can go on with a resumable upload, and ask how far it is. */
export const hasUpload = (person: Person, attachment: Attachment): boolean =>
  attachment.received !== undefined &&
  seesAttachment(person, attachment) &&
  isBy(person, attachment.author);

/** Only the same user can claim a file, and only once. The container's own files may be named again. */
export const mayName = (
  person: Person,
  { gone, container, author }: Attachment,
  claimer?: Container,
): boolean => !gone && (container ? container === claimer : isBy(person, author));

const viewsLinks = (person: Person, project: Project): boolean =>
  holds(person, project, 'view_work_packages') && holds(person, project, 'view_file_links');

/** Permissions to see storages. */
export const seesStorage = (model: Model, person: Person, storage: Storage): boolean =>
  !storage.gone &&
  (holdsSomewhere(model, person, 'manage_files_in_project') ||
    model.projects.some(
      (project) => usedIn(model, project, storage) && viewsLinks(person, project),
    ));

export const seesProjectStorage = (person: Person, { gone, project }: ProjectStorage): boolean =>
  !gone && (viewsLinks(person, project) || holds(person, project, 'manage_files_in_project'));

export const seesFileLinks = (person: Person, { project }: Container): boolean =>
  viewsLinks(person, project);
export const managesFileLinks = (person: Person, { project }: { project: Project }): boolean =>
  holds(person, project, 'manage_file_links');

export function seesLink(
  model: Model,
  person: Person,
  { gone, container, creator, storage }: FileLink,
): boolean {
  if (gone) return false;
  return container
    ? sees(person, container) &&
        viewsLinks(person, container.project) &&
        usedIn(model, container.project, storage)
    : isBy(person, creator) && seesStorage(model, person, storage);
}

/** Only their creator can remove unclaimed links. */
export const mayRemoveLink = (person: Person, { container }: FileLink): boolean =>
  !container || managesFileLinks(person, container);

/** Whether an element may name the storage: the project uses it. Without a project: it is visible, and used where the user manages links. */
export const mayLinkTo = (
  model: Model,
  person: Person,
  storage: Storage,
  project: Project | undefined,
): boolean =>
  project
    ? usedIn(model, project, storage)
    : seesStorage(model, person, storage) &&
      model.projects.some(
        (one) => holds(person, one, 'manage_file_links') && usedIn(model, one, storage),
      );

export const mayNameLink = (
  person: Person,
  { gone, container, creator }: FileLink,
  claimer?: Container,
): boolean => !gone && (container ? container === claimer : isBy(person, creator));

/** The expected error: 404 before 403. */
export const refusalOf = (seen: boolean, allowed: boolean, sound = true): Refusal | undefined =>
  !seen
    ? 'NotFound'
    : !allowed
      ? 'MissingPermission'
      : sound
        ? undefined
        : 'PropertyConstraintViolation';
