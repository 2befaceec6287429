/** Which permission each operation asks for, as data. */
import {
  containerKinds,
  containerPermissions,
  containerTypes,
  namedContainers,
  type ContainerPermission,
  type ContainerType,
} from '../contract/container-kinds.js';
import { containerModels } from '../models/containers.js';
import type { ModelClass } from 'objection';
import type { ContainerRecord } from '../models/container.js';

const others = [
  'view_internal_comments',
  'view_file_links',
  'manage_file_links',
  'manage_files_in_project',
] as const;
export type Permission = ContainerPermission | (typeof others)[number];
export const permissions: readonly Permission[] = [
  ...new Set([...containerPermissions, ...others]),
];

interface Rule {
  model: ModelClass<ContainerRecord>;
  /** To see it and its attachments. */
  view: readonly [Permission];
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

export const containers = Object.fromEntries(
  containerTypes.map((type): [ContainerType, Rule] => [
    type,
    { ...containerKinds[type], model: containerModels[type] },
  ]),
) as { [type in ContainerType]: Rule };

export const internalComments: Permission = 'view_internal_comments';

/** One of these in any project lets a user upload before the container exists. */
export const unclaimedUpload: readonly Permission[] = namedContainers.flatMap((type) => [
  ...containerKinds[type].add,
]);

/** What has to do with storages. Making, changing and deleting them is for administrators. */
export const storages = {
  /** All of these in a project that uses the storage, to see it and its files. */
  view: ['view_work_packages', 'view_file_links'],
  /** To make links, folders and uploads; in a project that uses the storage. */
  manage: 'manage_file_links',
  /** To give a project a storage and take it away; anywhere, to see all storages, without their files. */
  administer: 'manage_files_in_project',
} as const satisfies { view: readonly Permission[]; manage: Permission; administer: Permission };
