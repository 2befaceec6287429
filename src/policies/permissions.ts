/** The permissions that each operation requires, as data. */
import {
  containerKinds,
  containerPermissions,
  containerTypes,
  namedContainers,
  type ContainerPermission,
  type ContainerType,
} from '../contract/container-kinds.js';
import type { Profile } from '../contract/profiles.js';
import { containerModels } from '../models/containers.js';
import type { ModelClass } from 'objection';
import type { ContainerRecord } from '../models/container.js';

/** What people may do with the files in the folder of a project. The storage enforces it. */
export const folderPermissions = [
  'read_files',
  'write_files',
  'create_files',
  'delete_files',
  'share_files',
] as const;
export type FolderPermission = (typeof folderPermissions)[number];

const others = [
  'view_internal_comments',
  'view_file_links',
  'manage_file_links',
  'manage_files_in_project',
  ...folderPermissions,
] as const;
export type Permission = ContainerPermission | (typeof others)[number];
export const permissions: readonly Permission[] = [
  ...new Set([...containerPermissions, ...others]),
];

interface Rule {
  model: ModelClass<ContainerRecord>;
  /** Seeing it requires this. */
  view: readonly [Permission];
  /** Creating one in a project requires one of these. */
  create: readonly Permission[];
  /** Attaching files to it requires one of these. */
  add: readonly Permission[];
  /** Preparing direct uploads for it requires one of these. Absent means those of `add`. */
  prepare?: readonly Permission[];
  /** Changing or deleting it, and deleting its attachments, requires one of these. */
  edit: readonly Permission[];
  /** For rows that the user wrote, one of these is enough. */
  editOwn?: readonly Permission[];
}

export const containers = Object.fromEntries(
  containerTypes.map((type): [ContainerType, Rule] => [
    type,
    { ...containerKinds[type], model: containerModels[type] },
  ]),
) as { [type in ContainerType]: Rule };

/** Seeing statuses and types requires one of these in any project. */
export const workPackageKinds: readonly Permission[] = [
  ...containers.WorkPackage.view,
  ...containers.WorkPackage.create,
];

export const internalComments: Permission = 'view_internal_comments';

/** Opening the folder of a project requires this if the service manages it. */
export const readFiles: Permission = 'read_files';

/** Uploading before the container exists requires one of these in any project. */
export const unclaimedUpload: readonly Permission[] = namedContainers.flatMap((type) => [
  ...containerKinds[type].add,
]);

/** Permissions for storages. Only administrators create, change and delete storages. */
export const storages = {
  /** Seeing a storage and its files requires all of these in a project that uses it. */
  view: ['view_work_packages', 'view_file_links'],
  /** Creates links, folders and uploads. Required in a project that uses the storage. */
  manage: 'manage_file_links',
  /**
   * Adds storages to a project and removes them.
   * In any project, it also shows all storages, without their files.
   */
  administer: 'manage_files_in_project',
} as const satisfies { view: readonly Permission[]; manage: Permission; administer: Permission };

/** Creating file links without a work package requires all of these in a project of the storage. */
export const unclaimedLink = ({ viewersLinkUnclaimed }: Profile): readonly Permission[] =>
  viewersLinkUnclaimed ? storages.view : [storages.manage];
