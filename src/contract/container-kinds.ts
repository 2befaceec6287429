/**
 * The kinds of containers as a table: names and permissions. Activities and work packages have
 * further rules elsewhere.
 * A new plain kind needs a row here, a model with its entry in `models/containers.ts`, and a
 * migration.
 */

/** One row of the table. The name of a kind has at most 20 letters. */
interface ContainerKind {
  /** The name of the kind in sentences. */
  noun: string;
  plural: string;
  /** The heading of the kind's operations in the OpenAPI description. */
  tag: string;
  /** The description of that heading. */
  about: string;
  /** The GraphQL query that reads one container. */
  field: string;
  /** The path of its containers below `/api/v3`. */
  segment: string;
  /** The property of an attachment with the id of its container. Its column is in snake case. */
  foreignKey: string;
  /**
   * The column with the name of a container. HAL documents and rows of directory files call it the
   * same. Absent: its containers have no name.
   */
  nameColumn?: 'subject' | 'title';
  /** The member of a project in a directory file that lists its containers of this kind. */
  importList?: string;
  /** The order of the attachments of a container. */
  order: 'fileName' | 'id';
  /** The permission that is required to see a container and its attachments. */
  view: readonly [permission: string];
  /** One of these permissions is required to create a container in a project. */
  create: readonly string[];
  /** One of these permissions is required to attach files to a container. */
  add: readonly string[];
  /** One of these is required to prepare direct uploads for a container. Absent: those of `add`. */
  prepare?: readonly string[];
  /** One of these is required to change or delete a container, and to delete its attachments. */
  edit: readonly string[];
  /** One of these is enough, instead of `edit`, for a container that the user wrote. */
  editOwn?: readonly string[];
}

export const containerKinds = {
  WorkPackage: {
    noun: 'work package',
    plural: 'work packages',
    tag: 'Work packages',
    about: 'Containers with a history.',
    field: 'workPackage',
    segment: 'work_packages',
    foreignKey: 'workPackageId',
    nameColumn: 'subject',
    importList: 'workPackages',
    order: 'fileName',
    view: ['view_work_packages'],
    create: ['add_work_packages'],
    add: ['edit_work_packages', 'add_work_packages', 'add_work_package_attachments'],
    edit: ['edit_work_packages'],
  },
  // An internal comment also needs `view_internal_comments`.
  Activity: {
    noun: 'activity',
    plural: 'activities',
    tag: 'Activities',
    about: 'Comments and records of changes of work packages.',
    field: 'activity',
    segment: 'activities',
    foreignKey: 'activityId',
    order: 'id',
    view: ['view_work_packages'],
    create: ['add_work_package_comments'],
    add: ['view_work_packages'],
    prepare: ['add_work_package_comments'],
    edit: ['edit_work_packages'],
    editOwn: ['add_work_package_comments'],
  },
  Meeting: {
    noun: 'meeting',
    plural: 'meetings',
    tag: 'Meetings',
    about: 'Containers.',
    field: 'meeting',
    segment: 'meetings',
    foreignKey: 'meetingId',
    nameColumn: 'title',
    importList: 'meetings',
    order: 'fileName',
    view: ['view_meetings'],
    create: ['edit_meetings'],
    add: ['edit_meetings'],
    edit: ['edit_meetings'],
  },
  Post: {
    noun: 'forum post',
    plural: 'forum posts',
    tag: 'Posts',
    about: 'Containers: forum messages.',
    field: 'post',
    segment: 'posts',
    foreignKey: 'postId',
    nameColumn: 'subject',
    importList: 'posts',
    order: 'id',
    view: ['view_messages'],
    create: ['edit_messages'],
    add: ['edit_messages'],
    edit: ['edit_messages'],
  },
  WikiPage: {
    noun: 'wiki page',
    plural: 'wiki pages',
    tag: 'Wiki pages',
    about: 'Containers.',
    field: 'wikiPage',
    segment: 'wiki_pages',
    foreignKey: 'wikiPageId',
    nameColumn: 'title',
    importList: 'wikiPages',
    order: 'id',
    view: ['view_wiki_pages'],
    create: ['edit_wiki_pages'],
    add: ['edit_wiki_pages'],
    edit: ['edit_wiki_pages'],
  },
} as const satisfies { readonly [type: string]: ContainerKind };

type Kinds = typeof containerKinds;
export type ContainerType = keyof Kinds;
/** Kinds whose tables have a project and a name. */
export type NamedContainer = Exclude<ContainerType, 'Activity'>;
/** Named kinds without further columns. */
export type PlainContainer = Exclude<NamedContainer, 'WorkPackage'>;
export type ContainerKey = Kinds[ContainerType]['foreignKey'];
type Rule = 'view' | 'create' | 'add' | 'prepare' | 'edit' | 'editOwn';
type PermissionOf<Kind> = Kind[keyof Kind & Rule] extends readonly (infer Permission)[]
  ? Permission
  : never;
export type ContainerPermission = {
  [type in ContainerType]: PermissionOf<Kinds[type]>;
}[ContainerType];

export const containerTypes = Object.keys(containerKinds) as ContainerType[];
export const namedContainers = containerTypes.filter(
  (type): type is NamedContainer => type !== 'Activity',
);
export const plainContainers = namedContainers.filter(
  (type): type is PlainContainer => type !== 'WorkPackage',
);
/** Every permission that the kinds require, with repetitions. */
export const containerPermissions = containerTypes.flatMap((type) => {
  const {
    view,
    create,
    add,
    prepare = [],
    edit,
    editOwn = [],
  }: ContainerKind = containerKinds[type];
  return [...view, ...create, ...add, ...prepare, ...edit, ...editOwn];
}) as ContainerPermission[];
/** The foreign key in `attachments` for this kind, e.g. `wiki_page_id`. */
export const columnOf = (type: ContainerType): string =>
  containerKinds[type].foreignKey.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
