/** To see is a query: every read for a user starts here, so lists and single reads cannot disagree. */
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
import type { ContainerRecord } from '../models/container.js';
import { ProjectStorage } from '../models/project-storage.js';
import { FileLink } from '../models/file-link.js';
import { Project } from '../models/project.js';
import { ANONYMOUS, NON_MEMBER } from '../models/role.js';
import { Storage } from '../models/storage.js';
import { User } from '../models/user.js';
import type { WorkPackage } from '../models/work-package.js';
import { containers, storages } from './permissions.js';
import {
  all,
  any,
  everything,
  granted,
  grantedAnywhere,
  heldByName,
  internalOrReader,
  scope,
  scoped,
  sql,
  CALLER,
  type CallerKind,
  type Condition,
} from './sql-conditions.js';

type Rows<M extends { QueryBuilderType: unknown }> = M['QueryBuilderType'];

export const visible = {
  /**
   * Attachments of containers that the user sees, the user's own unclaimed ones, of prepared uploads the user's own, and for
   * administrators everything in quarantine.
   */
  attachments: (user: User, db: Knex): Rows<Attachment> =>
    scoped(attachmentRows(db), attachmentScope(user), user),

  /** Containers of one kind that the user sees; activities carry the project of their work package. */
  containers: (type: ContainerType, user: User, db: Knex): Rows<ContainerRecord> =>
    scoped(containerRows(type, db), containerScopes[type](user), user),

  /** Public projects, the user's own, and for administrators all. */
  projects: (user: User, db: Knex): Rows<Project> =>
    scoped(Project.query(db), projectScope(user), user),

  /** Those that projects use whose files the user sees; all for administrators and whoever administers the files of a project. */
  storages: (user: User, db: Knex): Rows<Storage> =>
    scoped(Storage.query(db), storageScope(user), user),

  /** Of these, those whose files the user sees. */
  storagesWithFiles: (user: User, db: Knex): Rows<Storage> =>
    scoped(Storage.query(db), filesScope(user), user),

  /** Those of projects whose files the user sees or administers. */
  projectStorages: (user: User, db: Knex): Rows<ProjectStorage> =>
    scoped(ProjectStorage.query(db), projectStorageScope(user), user),

  /**
   * Those of work packages whose file links the user sees, to storages that the project uses still, and the user's own unclaimed
   * ones to storages that the user sees; with the project of each, null for an unclaimed one.
   */
  fileLinks: (user: User, db: Knex): Rows<FileLink> =>
    scoped(fileLinkRows(db), fileLinkScope(user), user),

  /**
   * The same of one work package, for whoever was found to see it and its file links: with nothing left to decide but whether
   * its project uses the storage still, PostgreSQL plans for 1 ms instead of 14.
   */
  fileLinksOf: ({ id, projectId }: WorkPackage, db: Knex): Rows<FileLink> =>
    FileLink.query(db)
      .select('file_links.*', FileLink.raw('cast(? as integer) as project_id', projectId))
      .where('file_links.work_package_id', id)
      .whereRaw(
        'file_links.storage_id in (select project_storages.storage_id from project_storages where project_storages.project_id = ?)',
        [projectId],
      ),

  /** The user's own. */
  apiKeys: ({ id, anonymous }: User, db: Knex): Rows<ApiKey> =>
    ApiKey.query(db).where('user_id', anonymous ? 0 : id),

  /** Everybody for signed-in people; for visitors those who belong to, wrote or linked something in, or gave a storage to a public project. */
  users: (user: User, db: Knex): Rows<User> =>
    user.anonymous ? scoped(User.query(db), publicUsers(user), user) : User.query(db),
};

/** All rows of a kind, with `project_id` in each. */
export const containerRows = (type: ContainerType, db: Knex): QueryBuilder<ContainerRecord> =>
  type === 'Activity'
    ? (Activity.query(db)
        .join('work_packages', 'work_packages.id', 'activities.work_package_id')
        .select(
          'activities.*',
          'work_packages.project_id',
        ) as unknown as QueryBuilder<ContainerRecord>)
    : containers[type].model.query(db);

/** Sight of the rows of a container's table. */
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
) as { [type in ContainerType]: (user: User) => Condition };

/** Attachments with whatever they belong to: an activity's project is that of its work package. */
const attachmentRows = (db: Knex): QueryBuilder<Attachment> => {
  const rows = Attachment.query(db)
    .select('attachments.*')
    .leftJoin('activities', 'activities.id', 'attachments.activity_id')
    .joinRaw(
      'left join work_packages on work_packages.id = coalesce(attachments.work_package_id, activities.work_package_id)',
    );
  for (const type of plainContainers) {
    const { tableName } = containers[type].model;
    rows.leftJoin(tableName, `${tableName}.id`, `attachments.${columnOf(type)}`);
  }
  return rows;
};

const attachmentScope = scope((kind) => {
  const tables = namedContainers.map((type) => ({
    table: containers[type].model.tableName,
    view: containers[type].view[0],
  }));
  const project = `coalesce(${tables.map(({ table }) => `${table}.project_id`).join(', ')})`;
  const wanted = {
    expression: `case ${tables.map(({ table, view }) => `when ${table}.id is not null then '${view}'`).join(' ')} end`,
  };
  // A visitor owns nothing: everybody would.
  const own = kind === 'anonymous' ? sql('1 = 0') : sql('attachments.author_id = ?', CALLER);
  const seen = all(
    sql(`${project} is not null`),
    granted(kind, wanted, project),
    any(sql('activities.id is null'), internalOrReader(kind)),
  );
  return all(
    sql("attachments.phase = 'kept'"),
    any(sql("attachments.status <> 'prepared'"), own),
    any(
      all(sql(`${project} is null`), own),
      seen,
      ...(kind === 'admin' ? [sql("attachments.status = 'quarantined'")] : []),
    ),
  );
});

const projectScope = scope((kind) => {
  const isPublic = sql('projects.public = true');
  if (kind !== 'person') return kind === 'admin' ? everything : isPublic;
  return any(
    isPublic,
    sql(
      'exists (select 1 from memberships where memberships.project_id = projects.id and memberships.user_id = ?)',
      CALLER,
    ),
  );
});

const seesFiles = (kind: CallerKind, project = 'project_storages.project_id'): Condition =>
  all(...storages.view.map((permission) => granted(kind, { permission }, project)));

/** A project uses the storage whose files the caller sees. The few projects of the caller are tried, not all those of the storage. */
function seesFilesOf(kind: CallerKind): Condition {
  const exists = (
    from: string,
    seen: Condition,
    bindings: Condition['bindings'] = [],
  ): Condition => ({
    sql: `exists (select 1 from ${from} and project_storages.storage_id = storages.id and ${seen.sql})`,
    bindings: [...bindings, ...seen.bindings],
  });
  const inPublic = exists(
    'projects join project_storages on project_storages.project_id = projects.id where projects.public = true',
    seesFiles(kind, 'projects.id'),
  );
  const byName = storages.view.map((permission) =>
    sql(heldByName('?'), kind === 'anonymous' ? ANONYMOUS : NON_MEMBER, permission),
  );
  if (kind === 'anonymous') return all(...byName, inPublic);
  const inOwn = exists(
    'memberships as own join project_storages on project_storages.project_id = own.project_id where own.user_id = ?',
    seesFiles(kind, 'own.project_id'),
    [CALLER],
  );
  return any(inOwn, all(...byName, inPublic));
}

const filesScope = scope((kind) => (kind === 'admin' ? everything : seesFilesOf(kind)));

const seesStorage = (kind: CallerKind): Condition =>
  kind === 'admin'
    ? everything
    : any(grantedAnywhere(kind, storages.administer), seesFilesOf(kind));
const storageScope = scope(seesStorage);

const projectStorageScope = scope((kind) =>
  any(
    seesFiles(kind),
    granted(kind, { permission: storages.administer }, 'project_storages.project_id'),
  ),
);

/**
 * File links with the project of each. As a value of the row, not by a join: rather than judging what a join may yield, PostgreSQL
 * reads all work packages to join one.
 */
const fileLinkRows = (db: Knex): Rows<FileLink> => {
  const project = FileLink.raw(
    '(select work_packages.project_id from work_packages where work_packages.id = file_links.work_package_id) as project_id',
  );
  return FileLink.query(db).from(
    FileLink.query(db).select('file_links.*', project).as('file_links'),
  );
};

const fileLinkScope = scope((kind) => {
  const storage = seesStorage(kind);
  // A link shows its storage, so whoever lost sight of that has lost their unclaimed links to it.
  const own =
    kind === 'anonymous'
      ? sql('1 = 0')
      : all(sql('file_links.work_package_id is null and file_links.creator_id = ?', CALLER), {
          sql: `exists (select 1 from storages where storages.id = file_links.storage_id and ${storage.sql})`,
          bindings: storage.bindings,
        });
  // At most one row; a value for the same reason as that of `isPublicProject`.
  const used = sql(
    '(select project_storages.id from project_storages where project_storages.project_id = file_links.project_id and project_storages.storage_id = file_links.storage_id) is not null',
  );
  return any(
    own,
    all(
      sql('file_links.work_package_id is not null'),
      ...storages.view.map((permission) => granted(kind, { permission }, 'file_links.project_id')),
      used,
    ),
  );
});

const inPublic = (from: string, author: string) =>
  `exists (select 1 from ${from} join projects on projects.id = ${author.split('.')[0]}.project_id where ${author} = users.id and projects.public = true)`;
const publicUsers = scope(() =>
  sql(
    `(users.anonymous = true or ${[
      inPublic('memberships', 'memberships.user_id'),
      ...namedContainers
        .map((type) => containers[type].model.tableName)
        .map((table) => inPublic(table, `${table}.author_id`)),
      inPublic('project_storages', 'project_storages.creator_id'),
      'exists (select 1 from file_links join work_packages on work_packages.id = file_links.work_package_id join projects on projects.id = work_packages.project_id where file_links.creator_id = users.id and projects.public = true)',
      'exists (select 1 from activities join work_packages on work_packages.id = activities.work_package_id join projects on projects.id = work_packages.project_id where activities.author_id = users.id and projects.public = true)',
      ...namedContainers.map((type) => {
        const table = containers[type].model.tableName;
        return `exists (select 1 from attachments join ${table} on ${table}.id = attachments.${columnOf(type)} join projects on projects.id = ${table}.project_id where attachments.author_id = users.id and projects.public = true)`;
      }),
      'exists (select 1 from attachments join activities on activities.id = attachments.activity_id join work_packages on work_packages.id = activities.work_package_id join projects on projects.id = work_packages.project_id where attachments.author_id = users.id and projects.public = true)',
    ].join(' or ')})`,
  ),
);
