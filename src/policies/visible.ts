/** Queries for the rows that a user can see. Rows for administrators only are read in find.ts. */
import { administers } from './administers.js';
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import { Activity } from '../models/activity.js';
import { ApiKey } from '../models/api-key.js';
import {
  columnOf,
  containerTypes,
  namedContainers,
  plainContainers,
  type ContainerType,
} from '../contract/container-kinds.js';
import { Attachment } from '../models/attachment.js';
import { DeletedAttachment } from '../models/deleted-attachment.js';
import type { ContainerRecord } from '../models/container.js';
import { Membership } from '../models/membership.js';
import { Notification } from '../models/notification.js';
import { ANONYMOUS, NON_MEMBER, Role } from '../models/role.js';
import { ProjectStorage } from '../models/project-storage.js';
import { FileLink } from '../models/file-link.js';
import { Project } from '../models/project.js';
import { Storage } from '../models/storage.js';
import { StorageAccount } from '../models/storage-account.js';
import { Status } from '../models/status.js';
import { Type } from '../models/type.js';
import { User } from '../models/user.js';
import { WorkPackage } from '../models/work-package.js';
import type { Database, Sql } from '../database/index.js';
import { containers, internalComments, workPackageKinds, type Permission } from './permissions.js';
import { columnsOf, type Columns } from '../database/columns.js';
import { publicUsers } from './public-users.js';
import {
  fileLinkScope,
  filesScope,
  manageableLinkScope,
  projectStorageScope,
  storageAccountScope,
  storageScope,
} from './storage-scopes.js';
import {
  all,
  any,
  everything,
  granted,
  grantedAnywhere,
  internalOrReader,
  scope,
  scoped,
  sql,
  CALLER_ID,
  type CallerKind,
} from './sql-conditions.js';

type Rows<M extends { QueryBuilderType: unknown }> = M['QueryBuilderType'];

export const visible = {
  /**
   * Attachments of visible containers, and the user's own unclaimed ones.
   * Only the author sees a prepared upload. Administrators also see all quarantined files.
   */
  attachments: (user: User, db: Knex): Rows<Attachment> =>
    scoped(attachmentRows(Attachment.query(db)), attachmentScope(user), user),

  /** Deleted attachments that the user may restore: those that the user could delete. */
  deletedAttachments: (user: User, db: Knex): Rows<DeletedAttachment> =>
    scoped(attachmentRows(DeletedAttachment.query(db)), deletedScope(user), user),

  /** Containers of one kind. The project of an activity is that of its work package. */
  containers: (type: ContainerType, user: User, db: Knex): Rows<ContainerRecord> =>
    scoped(containerRows(type, db), containerScopes[type](user), user),

  /** Visible activities. */
  activities: (user: User, db: Knex): Rows<Activity> =>
    scoped(withProjectId(Activity.query(db)), containerScopes.Activity(user), user),

  /** All statuses, for users who can see or create work packages in some project. */
  statuses: (user: User, db: Knex): Rows<Status> => scoped(Status.query(db), kindScope(user), user),

  /** All types, for the same users. */
  types: (user: User, db: Knex): Rows<Type> => scoped(Type.query(db), kindScope(user), user),

  /** Visible work packages. */
  workPackages: (user: User, db: Knex): Rows<WorkPackage> =>
    scoped(WorkPackage.query(db), containerScopes.WorkPackage(user), user),

  /** Public projects and those of the user's memberships; all for administrators. */
  projects: (user: User, db: Knex): Rows<Project> =>
    scoped(Project.query(db), projectScope(user), user),

  /** Memberships in the projects of which the user is a member; all for administrators. */
  memberships: (user: User, db: Knex): Rows<Membership> =>
    scoped(Membership.query(db), membershipScope(user), user),

  /** The roles of members, for members of any project and administrators. */
  roles: (user: User, db: Knex): Rows<Role> => scoped(Role.query(db), roleScope(user), user),

  /**
   * Storages of projects whose storage files the user can see.
   * Administrators see all. So do users who can administer the storages of some project.
   */
  storages: (user: User, db: Knex): Rows<Storage> =>
    scoped(Storage.query(db), storageScope(user), user),

  /** Storages whose files the user can see. */
  storagesWithFiles: (user: User, db: Knex): Rows<Storage> =>
    scoped(Storage.query(db), filesScope(user), user),

  /** The user's own connections with storages; all for administrators. */
  storageAccounts: (user: User, db: Knex): Rows<StorageAccount> =>
    scoped(StorageAccount.query(db), storageAccountScope(user), user),

  /** Entries of projects in which the user can see storage files or administer storages. */
  projectStorages: (user: User, db: Knex): Rows<ProjectStorage> =>
    scoped(ProjectStorage.query(db), projectStorageScope(user), user),

  /**
   * File links of work packages in projects where the user can see file links. The project must
   * still use the storage. Also the user's own unclaimed links to visible storages.
   * Each row has the `project_id` of its work package; null for an unclaimed link.
   */
  fileLinks: (user: User, db: Knex): Rows<FileLink> =>
    scoped(fileLinkRows(db), fileLinkScope(user), user),

  /**
   * File links that the user can delete without seeing file links: those of visible work packages
   * in projects where the user can manage file links. The project must still use the storage.
   */
  manageableFileLinks: (user: User, db: Knex): Rows<FileLink> =>
    scoped(fileLinkRows(db), manageableLinkScope(user), user),

  /**
   * File links of one work package. The caller must check first that the user can see them.
   * This query only checks that the project still uses the storage. So PostgreSQL plans it in 1 ms
   * instead of 14.
   */
  fileLinksOf: (
    workPackageId: number | string,
    projectId: number | string,
    db: Knex,
  ): Rows<FileLink> =>
    FileLink.query(db)
      .where('file_links.work_package_id', workPackageId)
      .whereRaw(
        'file_links.storage_id in (select project_storages.storage_id from project_storages' +
          ' where project_storages.project_id = ?)',
        [projectId],
      ),

  /** The user's own notifications of what is still visible; none for anonymous users. */
  notifications: (user: User, db: Knex): Rows<Notification> =>
    scoped(Notification.query(db), notificationScope(user), user),

  /** The user's own API keys; all of them for administrators; none for anonymous users. */
  apiKeys: (user: User, db: Knex): Rows<ApiKey> =>
    administers(user) ? ApiKey.query(db) : visible.ownApiKeys(user, db),

  ownApiKeys: (user: User, db: Knex): Rows<ApiKey> =>
    ApiKey.query(db).where('user_id', user.anonymous ? 0 : user.id),

  /**
   * Signed-in users see all users. Anonymous users see those who take part in a public project.
   * These are members, authors, assignees, responsible people, creators of file links, and users
   * who added storages.
   */
  users: (user: User, db: Knex): Rows<User> =>
    user.anonymous ? scoped(User.query(db), publicUsers(user), user) : User.query(db),
};

/** All containers of a kind, visible or not, with the `project_id` of each. */
export const containerRows = (type: ContainerType, db: Knex): QueryBuilder<ContainerRecord> => {
  const { model } = containers[type];
  return type === 'Activity' ? withProjectId(model.query(db)) : model.query(db);
};

/** The columns of `containerRows`. */
export const containerColumns = async (db: Database, type: ContainerType): Promise<Columns> => ({
  ...(await columnsOf(db, containers[type].model.tableName)),
  ...(type === 'Activity' && { project_id: 'work_packages.project_id' }),
});

/** A query builder of Objection. */
interface Joinable<Q> {
  join(table: string, column: string, otherColumn: string): Q;
  select(...columns: string[]): Q;
}

const withProjectId = <Q extends Joinable<Q>>(activities: Q): Q =>
  activities
    .join('work_packages', 'work_packages.id', 'activities.work_package_id')
    .select('activities.*', 'work_packages.project_id');

/** Visibility of the rows in each container's table. */
const containerScopes = Object.fromEntries(
  containerTypes.map((type) => [
    type,
    scope((kind) => {
      const { model, view } = containers[type];
      const project =
        type === 'Activity' ? 'work_packages.project_id' : `${model.tableName}.project_id`;
      return all(
        ...view.map((permission) => granted(kind, { permission }, project)),
        ...(type === 'Activity' ? [internalOrReader(kind)] : []),
      );
    }),
  ]),
) as { [type in ContainerType]: (user: User) => Sql };

const kindScope = scope((kind) =>
  any(...workPackageKinds.map((permission) => grantedAnywhere(kind, permission))),
);

const tableOf = (type: ContainerType): string => containers[type].model.tableName;

/** Attachments joined with their containers. An activity also with its work package. */
const attachmentRows = <M extends Attachment | DeletedAttachment>(
  of: QueryBuilder<M>,
): QueryBuilder<M> => {
  const rows = of
    .select('attachments.*')
    .leftJoin('activities', 'activities.id', 'attachments.activity_id')
    .joinRaw(
      'left join work_packages on work_packages.id' +
        ' = coalesce(attachments.work_package_id, activities.work_package_id)',
    );
  for (const type of plainContainers) {
    const table = tableOf(type);
    rows.leftJoin(table, `${table}.id`, `attachments.${columnOf(type)}`);
  }
  return rows;
};

/** SQL of the project of an attachment's container. */
const projectOfContainer = `coalesce(${namedContainers
  .map((type) => `${tableOf(type)}.project_id`)
  .join(', ')})`;

/** The containers that the user can see. */
const inVisibleContainer = (kind: CallerKind): Sql => {
  const kinds = namedContainers.map((type) => ({
    table: tableOf(type),
    view: containers[type].view,
  }));
  const permissions = kinds.map(
    // Each named kind requires one permission.
    ({ table, view: [permission] }) => `when ${table}.id is not null then '${permission}'`,
  );
  const wanted = { expression: `case ${permissions.join(' ')} end` };
  return all(
    sql(`${projectOfContainer} is not null`),
    granted(kind, wanted, projectOfContainer),
    any(sql('activities.id is null'), internalOrReader(kind)),
  );
};

/** Anonymous users own nothing, because all of them would share it. */
const ownedBy = (kind: CallerKind, column: string): Sql =>
  kind === 'anonymous' ? sql('1 = 0') : sql(`${column} = ?`, CALLER_ID);

const attachmentScope = scope((kind) => {
  const own = ownedBy(kind, 'attachments.author_id');
  return all(
    sql("attachments.phase = 'kept'"),
    any(sql("attachments.status <> 'prepared'"), own),
    any(
      all(sql(`${projectOfContainer} is null`), own),
      inVisibleContainer(kind),
      ...(kind === 'admin' ? [sql("attachments.status = 'quarantined'")] : []),
    ),
  );
});

/** The same rule as `can.deleteAttachment`. */
const deletedScope = scope((kind) =>
  all(
    sql("attachments.phase = 'deleted'"),
    inVisibleContainer(kind),
    any(
      ...containerTypes.map((type) => {
        const { edit, editOwn = [] } = containers[type];
        const held = (permission: Permission) => granted(kind, { permission }, projectOfContainer);
        const own = any(
          ownedBy(kind, 'attachments.author_id'),
          ownedBy(kind, `${tableOf(type)}.author_id`),
        );
        return all(
          sql(`attachments.${columnOf(type)} is not null`),
          any(...edit.map(held), ...editOwn.map((permission) => all(own, held(permission)))),
        );
      }),
    ),
  ),
);

const projectScope = scope((kind) => {
  const isPublic = sql('projects.public = true');
  if (kind !== 'person') return kind === 'admin' ? everything : isPublic;
  return any(
    isPublic,
    sql(
      'exists (select 1 from memberships' +
        ' where memberships.project_id = projects.id and memberships.user_id = ?)',
      CALLER_ID,
    ),
  );
});

/** An import can make a comment internal, or public, after people were notified of it. */
const isInternalNow =
  '(select activities.internal from activities where activities.id = notifications.activity_id)';

/** Also administrators have only their own. */
export const notificationScope = scope((kind) => {
  if (kind === 'anonymous') return sql('1 = 0');
  const project =
    '(select work_packages.project_id from work_packages' +
    ' where work_packages.id = notifications.work_package_id)';
  return all(
    sql('notifications.user_id = ?', CALLER_ID),
    ...containers.WorkPackage.view.map((permission) => granted(kind, { permission }, project)),
    any(
      sql(`coalesce(${isInternalNow}, notifications.internal) = false`),
      granted(kind, { permission: internalComments }, project),
    ),
  );
});

const membershipScope = scope((kind) =>
  kind === 'admin'
    ? everything
    : kind === 'anonymous'
      ? sql('memberships.id = 0')
      : sql(
          'memberships.project_id in (select own.project_id from memberships as own' +
            ' where own.user_id = ?)',
          CALLER_ID,
        ),
);

const roleScope = scope((kind) => {
  const ofMembers = sql('roles.name <> ? and roles.name <> ?', NON_MEMBER, ANONYMOUS);
  if (kind !== 'person') return kind === 'admin' ? ofMembers : sql('1 = 0');
  return all(
    ofMembers,
    sql('exists (select 1 from memberships where memberships.user_id = ?)', CALLER_ID),
  );
});

/**
 * All file links, visible or not, with the `project_id` of each. It is read in a subquery.
 * With a join, PostgreSQL estimates the result wrongly and reads all work packages to join one.
 */
export const fileLinkRows = (db: Knex): Rows<FileLink> => {
  const project = FileLink.raw(
    '(select work_packages.project_id from work_packages' +
      ' where work_packages.id = file_links.work_package_id) as project_id',
  );
  return FileLink.query(db).from(
    FileLink.query(db).select('file_links.*', project).as('file_links'),
  );
};

/** The columns of file links, with the project of each. */
export const fileLinkColumns = async (db: Database): Promise<Columns> => ({
  ...(await columnsOf(db, FileLink.tableName)),
  project_id: 'file_links.project_id',
});
