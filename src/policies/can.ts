/** Permission checks for rows that the caller can already read. */
import { actsForAll, administers } from './administers.js';
import { ActivityKind } from '../models/activity.js';
import type { Attachment } from '../models/attachment.js';
import type { ContainerRecord, ContainerType } from '../models/container.js';
import type { FileLink } from '../models/file-link.js';
import { AttachmentEvent, type Event } from '../models/event.js';
import { ProjectFolderMode, type ProjectStorage } from '../models/project-storage.js';
import type { Storage } from '../models/storage.js';
import type { User } from '../models/user.js';
import type { Database } from '../database/index.js';
import { MissingPermission, NotFound } from '../contract/errors.js';
import type { Profile } from '../contract/profiles.js';
import { thenMaybe, type MaybePromise } from '../concurrency/maybe-promise.js';
import type { Granted, Grants } from './grants.js';
import {
  containers,
  internalComments,
  readFiles,
  storages,
  unclaimedLink,
  unclaimedUpload,
  workPackageKinds,
  type Permission,
} from './permissions.js';
import { visible } from './visible.js';
import { grantedAny, scoped } from './sql-conditions.js';

interface Actor {
  user: User;
  grants: Grants;
  settings: { profile: Profile };
}
interface Downloader {
  user: User;
  scanner: object | undefined;
  settings: { scanPolicy: 'open' | 'closed' };
}
type Decision = MaybePromise<boolean>;
/** What the checks read of a container. Only activities have a kind. */
type ContainerRow = Pick<ContainerRecord, 'projectId' | 'authorId'> & { kind?: ActivityKind };

export const can = {
  /** Set or remove the picture of a user: one's own, or any for administrators. */
  changeAvatar: ({ user }: Actor, { id }: User): Decision =>
    !user.anonymous && (user.admin || user.id === id),

  /** Change the password of a user: one's own, with a session or an API key for everything. */
  changePassword: ({ user }: Pick<Actor, 'user'>, { id }: { id: number }): boolean =>
    user.id === id && actsForAll(user) && user.passwordHash !== null,

  /** Create a container of this kind in a project. */
  create: (actor: Actor, type: ContainerType, projectId: number): Decision =>
    check(actor, projectId, (granted) => holds(granted, containers[type].create)),

  /** Write a comment. An internal one requires the permission to read internal comments too. */
  comment: (actor: Actor, projectId: number, internal: boolean): Decision =>
    check(
      actor,
      projectId,
      (granted) =>
        holds(granted, containers.Activity.create) && (!internal || granted.has(internalComments)),
    ),

  /** Attach files to a container. Records of changes have no attachments. */
  attach: (actor: Actor, type: ContainerType, row: ContainerRow): Decision =>
    isSystemActivity(type, row)
      ? false
      : check(actor, row.projectId, (granted) => holds(granted, attaching(actor, type))),

  /**
   * Prepare a direct upload for a container, and complete it.
   * Anonymous users cannot: a prepared upload belongs to the user who prepared it.
   */
  prepareUpload: (actor: Actor, type: ContainerType, row: ContainerRow): Decision =>
    actor.user.anonymous || isSystemActivity(type, row)
      ? false
      : check(actor, row.projectId, (granted) =>
          holds(granted, containers[type].prepare ?? containers[type].add),
        ),

  /** Change or delete a container. */
  edit: (actor: Actor, type: ContainerType, row: ContainerRow): Decision =>
    isSystemActivity(type, row)
      ? false
      : check(actor, row.projectId, (granted) => mayEdit(granted, type, owns(actor.user, row))),

  /**
   * Delete an attachment. It requires the edit permission for its container.
   * An unclaimed or prepared attachment can be deleted by its author only.
   * An administrator can delete every quarantined attachment. This is not true for an application
   * that acts for the administrator.
   */
  deleteAttachment(
    actor: Actor,
    attachment: Attachment,
    type: ContainerType | undefined,
    row: ContainerRow | undefined,
  ): Decision {
    if (attachment.status === 'quarantined' && can.administer(actor)) return true;
    if (attachment.status === 'prepared' || !type || !row) return owns(actor.user, attachment);
    if (isSystemActivity(type, row)) return false;
    return check(actor, row.projectId, (granted) =>
      mayEdit(granted, type, owns(actor.user, row) || owns(actor.user, attachment)),
    );
  },

  /** Move a file or replace its content, for those who may delete it: it must be whole and clean. */
  exchange: ({ status }: Attachment): boolean => status !== 'prepared' && status !== 'quarantined',

  /** Delete files of some kind of container in a project, at least one's own. */
  deleteFilesIn: (actor: Actor, projectId: number): Decision =>
    check(actor, projectId, (granted) =>
      Object.values(containers).some(
        ({ edit, editOwn = [] }) => holds(granted, edit) || holds(granted, editOwn),
      ),
    ),

  /**
   * Read the content. Nobody can read prepared uploads and quarantined files.
   * With the scan policy `closed`, only the author can read a file that waits for its first scan.
   * A file without a lease was stored while no scanner was configured, so it waits for no scan.
   */
  download: ({ user, scanner, settings }: Downloader, attachment: Attachment): boolean =>
    attachment.status !== 'prepared' &&
    attachment.status !== 'quarantined' &&
    (attachment.status !== 'uploaded' ||
      attachment.leaseUntil === null ||
      !scanner ||
      settings.scanPolicy === 'open' ||
      owns(user, attachment)),

  /**
   * Receive an event of an attachment or file link.
   * The permissions of the container decide. Without a container, only the creator receives it.
   * Only the author receives a rejection.
   */
  receiveEvent: (
    actor: Actor,
    { subjectType, containerType, projectId, internal, authorId, kind }: Event,
  ): Decision => {
    if (!containerType || projectId === null || kind === AttachmentEvent.REJECTED)
      return owns(actor.user, { authorId });
    if (subjectType === 'FileLink') return can.viewFileLinks(actor, projectId);
    return check(
      actor,
      projectId,
      (granted) =>
        containers[containerType].view.every((permission) => granted.has(permission)) &&
        (!internal || granted.has(internalComments)),
    );
  },

  /** What only administrators do. */
  administer: ({ user }: Pick<Actor, 'user'>): boolean => administers(user),

  /** Add storages to a project, or remove them. Applications and limited API keys cannot. */
  administerStorages: (actor: Actor, projectId: number): Decision =>
    !actsForAll(actor.user)
      ? false
      : check(actor, projectId, (granted) => granted.has(storages.administer)),

  /** See what the files of a project use, and what they may. */
  viewStorageUsage: (actor: Actor, projectId: number): Decision =>
    administers(actor.user) || can.administerStorages(actor, projectId),

  /** Open the folder of a project. With the mode `automatic`, the storage enforces the same. */
  openProjectFolder: (
    actor: Actor,
    { projectId, projectFolderMode }: Pick<ProjectStorage, 'projectId' | 'projectFolderMode'>,
  ): Decision =>
    projectFolderMode !== ProjectFolderMode.AUTOMATIC ||
    check(actor, projectId, (granted) => granted.has(readFiles)),

  /** Create links, folders and uploads in the storages of a project. */
  manageFileLinks: (actor: Actor, projectId: number): Decision =>
    check(actor, projectId, (granted) => granted.has(storages.manage)),

  /** Browse the files of a storage. A user can see a storage and still not see its files. */
  browse: async ({ user, db }: { user: User; db: Database }, { id }: Storage): Promise<boolean> =>
    (await visible.storagesWithFiles(user, db.read).findOne('storages.id', id)) !== undefined,

  /** Create folders and uploads in a storage: with the permission in any project that uses it. */
  manageFilesIn: async (
    { user, db }: { user: User; db: Database },
    { id }: Storage,
  ): Promise<boolean> => {
    const condition = grantedAny(user, [storages.manage], 'project_storages.project_id');
    const used = db.read('project_storages').where('storage_id', id);
    const found: unknown[] = await scoped(used, condition, user).limit(1);
    return found.length > 0;
  },

  /** See the work packages of a project. */
  viewWorkPackages: (actor: Actor, projectId: number): Decision =>
    check(actor, projectId, (granted) => holds(granted, containers.WorkPackage.view)),

  /** See the containers of one kind in a project. */
  viewContainers: (actor: Actor, type: ContainerType, projectId: number): Decision =>
    check(actor, projectId, (granted) => holds(granted, containers[type].view)),

  /** See the members of a project: as a member or an administrator. */
  viewMembers: async (
    { user, db }: { user: User; db: Database },
    projectId: number,
  ): Promise<boolean> =>
    user.admin ||
    (await visible.memberships(user, db.read).findOne('memberships.project_id', projectId)) !==
      undefined,

  /** Change any work package of a project. */
  editWorkPackages: (actor: Actor, projectId: number): Decision =>
    check(actor, projectId, (granted) => holds(granted, containers.WorkPackage.edit)),

  /** See statuses and types: to view or to create work packages in any project. */
  viewStatusesAndTypes: ({ user, grants }: Actor): Promise<boolean> =>
    grants.anywhere(user, workPackageKinds),

  /** List work packages: with the permission in any project. */
  viewWorkPackagesAnywhere: ({ user, grants }: Actor): Promise<boolean> =>
    grants.anywhere(user, containers.WorkPackage.view),

  /** Create work packages in any project. */
  createWorkPackagesAnywhere: ({ user, grants }: Actor): Promise<boolean> =>
    grants.anywhere(user, containers.WorkPackage.create),

  /** See the file links of a work package. */
  viewFileLinks: (actor: Actor, projectId: number): Decision =>
    check(actor, projectId, (granted) =>
      storages.view.every((permission) => granted.has(permission)),
    ),

  /** Remove a file link: with the permission in the project; if unclaimed, as its creator. */
  deleteFileLink: (actor: Actor, { projectId, creatorId }: FileLink): Decision =>
    projectId === null
      ? owns(actor.user, { authorId: creatorId })
      : check(actor, projectId, (granted) => granted.has(storages.manage)),

  /** Create file links without a work package. Anonymous users cannot: all of them would own it. */
  linkUnclaimed: async ({ user, grants, settings }: Actor): Promise<boolean> => {
    if (user.anonymous) return false;
    for (const permission of unclaimedLink(settings.profile))
      if (!(await grants.anywhere(user, [permission]))) return false;
    return true;
  },

  /** Upload a file without a container. Anonymous users cannot: all of them would own the file. */
  uploadUnclaimed: async (actor: Actor): Promise<boolean> =>
    !actor.user.anonymous && (await actor.grants.anywhere(actor.user, unclaimedUpload)),
};

/**
 * Checks visibility first, then the permission. All code uses this function for that order.
 * @throws NotFound if the row is missing or invisible
 * @throws MissingPermission if the row is visible but the operation is not allowed
 */
export async function demand<M>(seen: M | undefined, allowed: (row: M) => Decision): Promise<M> {
  if (!seen) throw new NotFound();
  if (!(await allowed(seen))) throw new MissingPermission();
  return seen;
}

/** @throws MissingPermission if the user is no administrator, or acts with less than all permissions */
export function demandAdmin(actor: Pick<Actor, 'user'>): void {
  if (!can.administer(actor)) throw new MissingPermission();
}

/** @throws MissingPermission for an API key that only reads */
export function demandWrites({ user }: Pick<Actor, 'user'>): void {
  if (user.keyAccess === 'read')
    throw new MissingPermission('This API key only reads: sign in, or use another key.');
}

/** For what belongs to one person, and not to administrators either. @throws MissingPermission */
export function demandOwn({ user }: Pick<Actor, 'user'>, { id }: { id: number }): void {
  if (user.anonymous || user.id !== id) throw new MissingPermission();
}

/**
 * For what acts in the name of a person: oneself and administrators, with all permissions.
 * @throws MissingPermission
 */
export function demandAccessOf({ user }: Pick<Actor, 'user'>, { id }: { id: number }): void {
  if (user.anonymous || !actsForAll(user) || (user.id !== id && !user.admin))
    throw new MissingPermission();
}

const check = (actor: Actor, projectId: number, decide: (granted: Granted) => boolean): Decision =>
  thenMaybe(actor.grants.in(actor.user, projectId), decide);

const holds = (granted: Granted, wanted: readonly Permission[]) =>
  wanted.some((permission) => granted.has(permission));

const attaching = ({ settings: { profile } }: Actor, type: ContainerType) => {
  const { add, prepare } = containers[type];
  return (profile.attachesAsPrepares && prepare) || add;
};

const mayEdit = (granted: Granted, type: ContainerType, own: boolean) => {
  const { edit, editOwn } = containers[type];
  return holds(granted, edit) || (own && editOwn !== undefined && holds(granted, editOwn));
};

const owns = (user: User, row: { authorId: number }) => !user.anonymous && row.authorId === user.id;

const isSystemActivity = (type: ContainerType, row: ContainerRow) =>
  type === 'Activity' && row.kind === ActivityKind.SYSTEM;
