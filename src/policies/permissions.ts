/** Interface section 5 as data: which permission each deed asks for. */
import type { ModelClass } from 'objection';
import { Activity } from '../models/activity.js';
import type { ContainerRecord, ContainerType } from '../models/container.js';
import { Meeting } from '../models/meeting.js';
import { Post } from '../models/post.js';
import { WikiPage } from '../models/wiki-page.js';
import { WorkPackage } from '../models/work-package.js';

export const permissions = [
  'view_work_packages', 'add_work_packages', 'edit_work_packages', 'add_work_package_attachments', 'view_internal_comments',
  'add_work_package_comments', 'view_meetings', 'edit_meetings', 'view_messages', 'edit_messages', 'view_wiki_pages',
  'edit_wiki_pages', 'view_file_links', 'manage_file_links', 'manage_files_in_project',
] as const;
export type Permission = (typeof permissions)[number];

interface Rule {
  model: ModelClass<ContainerRecord>;
  /** All of these to see it. */
  view: readonly Permission[];
  /** One of these to make one in a project. */
  create: readonly Permission[];
  /** One of these to attach files to it. */
  add: readonly Permission[];
  /** One of these to prepare direct uploads for it; absent: those of `add`. */
  prepare?: readonly Permission[];
  /** One of these to change or delete it, and to delete its attachments. */
  edit: readonly Permission[];
  /** One of these suffices for what the user wrote. */
  editOwn?: readonly Permission[];
}

export const containers: Record<ContainerType, Rule> = {
  WorkPackage: { model: table(WorkPackage), view: ['view_work_packages'], create: ['add_work_packages'], add: ['edit_work_packages', 'add_work_packages', 'add_work_package_attachments'], edit: ['edit_work_packages'] },
  // Internal comments are seen with `internalComments` besides; their add and edit rules then need no mention of it.
  Activity: { model: table(Activity), view: ['view_work_packages'], create: ['add_work_package_comments'], add: ['view_work_packages'], prepare: ['add_work_package_comments'], edit: ['edit_work_packages'], editOwn: ['add_work_package_comments'] },
  Meeting: { model: table(Meeting), view: ['view_meetings'], create: ['edit_meetings'], add: ['edit_meetings'], edit: ['edit_meetings'] },
  Post: { model: table(Post), view: ['view_messages'], create: ['edit_messages'], add: ['edit_messages'], edit: ['edit_messages'] },
  WikiPage: { model: table(WikiPage), view: ['view_wiki_pages'], create: ['edit_wiki_pages'], add: ['edit_wiki_pages'], edit: ['edit_wiki_pages'] },
};

export const internalComments: Permission = 'view_internal_comments';

/** One of these in any project lets a user upload before the container exists. */
export const unclaimedUpload: readonly Permission[] = [
  'edit_work_packages', 'add_work_packages', 'edit_messages', 'edit_wiki_pages', 'edit_meetings', 'add_work_package_attachments',
];

/** What has to do with storages. Making, changing and deleting them is for administrators. */
export const storages = {
  /** All of these in a project that uses the storage, to see it and its files. */
  view: ['view_work_packages', 'view_file_links'],
  /** To make links, folders and uploads; in a project that uses the storage. */
  manage: 'manage_file_links',
  /** To give a project a storage and take it away; anywhere, to see all storages, without their files. */
  administer: 'manage_files_in_project',
} as const satisfies { view: readonly Permission[]; manage: Permission; administer: Permission };

/** A union of model classes does not type `.query()` (TypeScript error 2684), the common ancestor does. */
function table(model: unknown): ModelClass<ContainerRecord> {
  return model as ModelClass<ContainerRecord>;
}
