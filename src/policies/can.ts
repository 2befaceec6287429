/** To do is a predicate about a row that the user has already seen. */
import { ActivityKind, type Activity } from '../models/activity.js';
import type { Attachment } from '../models/attachment.js';
import type { ContainerRecord, ContainerType } from '../models/container.js';
import type { FileLink } from '../models/file-link.js';
import { AttachmentEvent, type Event } from '../models/event.js';
import type { Storage } from '../models/storage.js';
import type { User } from '../models/user.js';
import type { Database } from '../database/index.js';
import { MissingPermission, NotFound } from '../contract/errors.js';
import { after, type MaybePromise } from '../concurrency/maybe-promise.js';
import type { Granted, Grants } from './grants.js';
import {
  containers,
  internalComments,
  storages,
  unclaimedUpload,
  type Permission,
} from './permissions.js';
import { visible } from './visible.js';
import { bind, grantedAny } from './sql-conditions.js';

export interface Actor {
  user: User;
  grants: Grants;
}
interface Reader {
  user: User;
  scanner: object | undefined;
  settings: { scanPolicy: 'open' | 'closed' };
}
type Answer = MaybePromise<boolean>;

export const can = {
  /** Make a container of this kind in a project. */
  create: (actor: Actor, type: ContainerType, projectId: number): Answer =>
    check(actor, projectId, (granted) => holds(granted, containers[type].create)),

  /** Write a comment; an internal one is for those who may read it. */
  comment: (actor: Actor, projectId: number, internal: boolean): Answer =>
    check(
      actor,
      projectId,
      (granted) =>
        holds(granted, containers.Activity.create) && (!internal || granted.has(internalComments)),
    ),

  /** Attach files to a container. Nothing is attached to the record of a change. */
  attach: (actor: Actor, type: ContainerType, row: ContainerRecord): Answer =>
    isSystemActivity(type, row)
      ? false
      : check(actor, row.projectId, (granted) => holds(granted, containers[type].add)),

  /** Prepare a direct upload for a container, and complete it. Visitors cannot: a prepared upload is its preparer's alone. */
  prepareUpload: (actor: Actor, type: ContainerType, row: ContainerRecord): Answer =>
    actor.user.anonymous || isSystemActivity(type, row)
      ? false
      : check(actor, row.projectId, (granted) =>
          holds(granted, containers[type].prepare ?? containers[type].add),
        ),

  /** Change or delete a container. */
  edit: (actor: Actor, type: ContainerType, row: ContainerRecord): Answer =>
    isSystemActivity(type, row)
      ? false
      : check(actor, row.projectId, (granted) => mayEdit(granted, type, owns(actor.user, row))),

  /** Delete an attachment: with the edit permission on its container, or as the author of an unclaimed one. */
  deleteAttachment(
    actor: Actor,
    attachment: Attachment,
    type: ContainerType | undefined,
    row: ContainerRecord | undefined,
  ): Answer {
    if (attachment.status === 'quarantined' && actor.user.admin) return true;
    if (attachment.status === 'prepared' || !type || !row) return owns(actor.user, attachment);
    if (isSystemActivity(type, row)) return false;
    return check(actor, row.projectId, (granted) =>
      mayEdit(granted, type, owns(actor.user, row) || owns(actor.user, attachment)),
    );
  },

  /**
   * Read the content (decisions 3, C39): quarantined files are nobody's, and while scanning is closed a file that waits for its
   * first scan is its author's alone. One that was stored while nothing scanned waits for none.
   */
  download: ({ user, scanner, settings }: Reader, attachment: Attachment): boolean =>
    attachment.status !== 'prepared' &&
    attachment.status !== 'quarantined' &&
    (attachment.status !== 'uploaded' ||
      attachment.leaseUntil === null ||
      !scanner ||
      settings.scanPolicy === 'open' ||
      owns(user, attachment)),

  /** Learn what happened to an attachment or a file link: the rule of its container, or whoever made it alone. */
  learn: (
    actor: Actor,
    { subjectType, containerType, projectId, internal, authorId, kind }: Event,
  ): Answer => {
    if (!containerType || projectId === null || kind === AttachmentEvent.rejected)
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

  /** Give a project a storage, or take it away. */
  administerStorages: (actor: Actor, projectId: number): Answer =>
    check(actor, projectId, (granted) => granted.has(storages.administer)),

  /** Make links, folders and uploads in the storages of a project. */
  manageFileLinks: (actor: Actor, projectId: number): Answer =>
    check(actor, projectId, (granted) => granted.has(storages.manage)),

  /** Browse the files of a storage. Whoever administers files somewhere sees storages without what is in them. */
  browse: async ({ user, db }: { user: User; db: Database }, { id }: Storage): Promise<boolean> =>
    (await visible.storagesWithFiles(user, db.read).findOne('storages.id', id)) !== undefined,

  /** Make folders and uploads in a storage: with the permission in any project that uses it (decisions 3, C21). */
  manageFilesIn: async (
    { user, db }: { user: User; db: Database },
    { id }: Storage,
  ): Promise<boolean> => {
    const condition = grantedAny(user, [storages.manage], 'project_storages.project_id');
    return (
      (
        await db
          .read('project_storages')
          .where('storage_id', id)
          .whereRaw(condition.sql, bind(condition, user))
          .limit(1)
      ).length > 0
    );
  },

  /** See the file links of a work package. */
  viewFileLinks: (actor: Actor, projectId: number): Answer =>
    check(actor, projectId, (granted) =>
      storages.view.every((permission) => granted.has(permission)),
    ),

  /** Remove a file link: with the permission in the project, or as the creator of an unclaimed one. */
  deleteFileLink: (actor: Actor, { projectId, creatorId }: FileLink): Answer =>
    projectId === null
      ? owns(actor.user, { authorId: creatorId })
      : check(actor, projectId, (granted) => granted.has(storages.manage)),

  /** Upload a file that belongs to nobody yet. Visitors cannot: everybody would own it. */
  uploadUnclaimed: async (actor: Actor): Promise<boolean> =>
    !actor.user.anonymous && (await actor.grants.anywhere(actor.user, unclaimedUpload)),
};

/** The only place that knows 404 before 403. */
export async function demand<M>(seen: M | undefined, allowed: (row: M) => Answer): Promise<M> {
  if (!seen) throw new NotFound();
  if (!(await allowed(seen))) throw new MissingPermission();
  return seen;
}

/** @throws MissingPermission for everybody but administrators */
export function demandAdmin({ user }: Pick<Actor, 'user'>): void {
  if (!user.admin) throw new MissingPermission();
}

const check = (actor: Actor, projectId: number, decide: (granted: Granted) => boolean): Answer =>
  after(actor.grants.in(actor.user, projectId), decide);

const holds = (granted: Granted, wanted: readonly Permission[]) =>
  wanted.some((permission) => granted.has(permission));

const mayEdit = (granted: Granted, type: ContainerType, own: boolean) => {
  const { edit, editOwn } = containers[type];
  return holds(granted, edit) || (own && editOwn !== undefined && holds(granted, editOwn));
};

const owns = (user: User, row: { authorId: number }) => !user.anonymous && row.authorId === user.id;

const isSystemActivity = (type: ContainerType, row: ContainerRecord) =>
  type === 'Activity' && (row as Activity).kind === ActivityKind.system;
