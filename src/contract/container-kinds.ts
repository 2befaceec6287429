/** The kinds of containers: everything that differs between them, once. A new plain kind is a row here, a model and a migration. */

export const containerKinds = {
  WorkPackage: {
    noun: 'work package',
    plural: 'work packages',
    tag: 'Work packages',
    about: 'Containers with a history.',
    field: 'workPackage',
    segment: 'work_packages',
    table: 'work_packages',
    foreignKey: 'workPackageId',
    nameColumn: 'subject',
    importList: 'workPackages',
    order: 'fileName',
    view: ['view_work_packages'],
    create: ['add_work_packages'],
    add: ['edit_work_packages', 'add_work_packages', 'add_work_package_attachments'],
    edit: ['edit_work_packages'],
  },
  // Internal comments are seen with `view_internal_comments` besides.
  Activity: {
    noun: 'activity',
    plural: 'activities',
    tag: 'Activities',
    about: 'Comments and records of changes of work packages.',
    field: 'activity',
    segment: 'activities',
    table: 'activities',
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
    table: 'meetings',
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
    table: 'posts',
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
    table: 'wiki_pages',
    foreignKey: 'wikiPageId',
    nameColumn: 'title',
    importList: 'wikiPages',
    order: 'id',
    view: ['view_wiki_pages'],
    create: ['edit_wiki_pages'],
    add: ['edit_wiki_pages'],
    edit: ['edit_wiki_pages'],
  },
} as const;

type Kinds = typeof containerKinds;
export type ContainerType = keyof Kinds;
/** Kinds that belong to a project and have a name. */
export type NamedContainer = Exclude<ContainerType, 'Activity'>;
/** Of these, those that have nothing else. */
export type PlainContainer = Exclude<NamedContainer, 'WorkPackage'>;
export type ContainerKey = Kinds[ContainerType]['foreignKey'];
export type ContainerPermission = Kinds[ContainerType]['view' | 'create' | 'add' | 'edit'][number];

export const containerTypes = Object.keys(containerKinds) as ContainerType[];
export const namedContainers = containerTypes.filter(
  (type): type is NamedContainer => type !== 'Activity',
);
export const plainContainers = namedContainers.filter(
  (type): type is PlainContainer => type !== 'WorkPackage',
);
/** The column of `attachments` that names a container of this kind, e.g. `wiki_page_id`. */
export const columnOf = (type: ContainerType): string =>
  containerKinds[type].foreignKey.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
