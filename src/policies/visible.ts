/** To see is a query: every read for a user starts here, so lists and single reads cannot disagree. */
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import { Activity } from '../models/activity.js';
import { ApiKey } from '../models/api-key.js';
import { columnOf, containerKinds, containerTypes, namedContainers, plainContainers, type ContainerType } from '../contract/container-kinds.js';
import { Attachment } from '../models/attachment.js';
import type { ContainerRecord } from '../models/container.js';
import { ProjectStorage } from '../models/project-storage.js';
import { FileLink } from '../models/file-link.js';
import { Project } from '../models/project.js';
import { ANONYMOUS, NON_MEMBER } from '../models/role.js';
import { Storage } from '../models/storage.js';
import { User } from '../models/user.js';
import type { WorkPackage } from '../models/work-package.js';
import { containers, internalComments, storages, type Permission } from './permissions.js';

type Rows<M extends { QueryBuilderType: unknown }> = M['QueryBuilderType'];

export const visible = {
  /**
   * Attachments of containers that the user sees, the user's own unclaimed ones, of prepared uploads the user's own, and for
   * administrators everything in quarantine.
   */
  attachments: (user: User, db: Knex): Rows<Attachment> => scoped(attachmentRows(db), attachmentScope(user), user),

  /** Containers of one kind that the user sees; activities carry the project of their work package. */
  containers: (type: ContainerType, user: User, db: Knex): Rows<ContainerRecord> => scoped(containerRows(type, db), containerScopes[type](user), user),

  /** Public projects, the user's own, and for administrators all. */
  projects: (user: User, db: Knex): Rows<Project> => scoped(Project.query(db), projectScope(user), user),

  /** Those that projects use whose files the user sees; all for administrators and whoever administers the files of a project. */
  storages: (user: User, db: Knex): Rows<Storage> => scoped(Storage.query(db), storageScope(user), user),

  /** Of these, those whose files the user sees. */
  storagesWithFiles: (user: User, db: Knex): Rows<Storage> => scoped(Storage.query(db), filesScope(user), user),

  /** Those of projects whose files the user sees or administers. */
  projectStorages: (user: User, db: Knex): Rows<ProjectStorage> => scoped(ProjectStorage.query(db), projectStorageScope(user), user),

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
  fileLinksOf: ({ id, projectId }: WorkPackage, db: Knex): Rows<FileLink> => FileLink.query(db)
    .select('file_links.*', FileLink.raw('cast(? as integer) as project_id', projectId)).where('file_links.work_package_id', id)
    .whereRaw('file_links.storage_id in (select project_storages.storage_id from project_storages where project_storages.project_id = ?)', [projectId]),

  /** The user's own. */
  apiKeys: ({ id, anonymous }: User, db: Knex): Rows<ApiKey> => ApiKey.query(db).where('user_id', anonymous ? 0 : id),

  /** Everybody for signed-in people; for visitors those who belong to, wrote or linked something in, or gave a storage to a public project. */
  users: (user: User, db: Knex): Rows<User> => (user.anonymous ? scoped(User.query(db), publicUsers(user), user) : User.query(db)),
};

/** All rows of a kind, with `project_id` in each. */
export const containerRows = (type: ContainerType, db: Knex): QueryBuilder<ContainerRecord> =>
  type === 'Activity'
    ? Activity.query(db).join('work_packages', 'work_packages.id', 'activities.work_package_id').select('activities.*', 'work_packages.project_id') as unknown as QueryBuilder<ContainerRecord>
    : containers[type].model.query(db);

/** Stands for the user's key among the bindings of a scope that is made once for many users. */
const CALLER = Symbol('caller');

/** A piece of SQL with its positional bindings. */
export interface Condition {
  sql: string;
  bindings: readonly (string | typeof CALLER)[];
}

/** Whom a scope is made for: the SQL is the same for all of a kind. */
type CallerKind = 'admin' | 'visitor' | 'person';
const kindOf = ({ admin, anonymous }: User): CallerKind => (admin ? 'admin' : anonymous ? 'visitor' : 'person');

/** A scope as SQL, made once for each kind of caller. */
const scope = (make: (kind: CallerKind) => Condition) => {
  const made = { admin: make('admin'), visitor: make('visitor'), person: make('person') };
  return (user: User) => made[kindOf(user)];
};

/** The values of a condition's bindings for a user. */
export const bind = ({ bindings }: Condition, user: User): (string | number)[] => bindings.map((value) => (value === CALLER ? user.id : value));

const scoped = <Q extends { whereRaw(sql: string, bindings: (string | number)[]): unknown }>(query: Q, condition: Condition, user: User): Q =>
  query.whereRaw(condition.sql, bind(condition, user)) as Q;

const sql = (text: string, ...bindings: Condition['bindings']): Condition => ({ sql: text, bindings });
const all = (...parts: Condition[]): Condition => joined(parts, ' and ');
const any = (...parts: Condition[]): Condition => joined(parts, ' or ');
const joined = (parts: Condition[], word: string): Condition => ({ sql: `(${parts.map((part) => part.sql).join(word)})`, bindings: parts.flatMap((part) => part.bindings) });
const everything = sql('1 = 1');

/** SQL text of a permission's name, or of an expression that yields one. */
type PermissionSql = { permission: Permission } | { expression: string };

/**
 * As a value, not with `exists`: that PostgreSQL may answer from a hash of all public projects, made for each statement. By another
 * name, because the column may be that of a row of `projects`.
 */
const isPublicProject = (column: string) => `(select place.public from projects as place where place.id = ${column})`;

/** A role of that name, the binding, holds the permission that `permission` is SQL of. */
const heldByName = (permission: string) => `exists (select 1 from roles join role_permissions on role_permissions.role_id = roles.id where roles.name = ? and role_permissions.permission = ${permission})`;

/** The caller, the last binding, is a member with a role that holds it, in a project that satisfies a condition. */
const heldByMembership = (permission: string, where = '') =>
  'exists (select 1 from memberships join membership_roles on membership_roles.membership_id = memberships.id'
  + ` join role_permissions on role_permissions.role_id = membership_roles.role_id and role_permissions.permission = ${permission}`
  + ` where memberships.user_id = ?${where})`;

/**
 * The caller holds the permission in the project that `column` names: by a role there, or in a public project by the role
 * `Non member` (signed in, not a member) or `Anonymous` (decisions 3).
 */
function granted(kind: CallerKind, wanted: PermissionSql, column: string): Condition {
  if (kind === 'admin') return everything;
  const permission = 'permission' in wanted ? '?' : wanted.expression;
  const named = 'permission' in wanted ? [wanted.permission] : [];
  const isPublic = isPublicProject(column);
  const byName = heldByName(permission);
  if (kind === 'visitor') return sql(`(${isPublic} and ${byName})`, ANONYMOUS, ...named);
  const member = `select 1 from memberships where memberships.user_id = ? and memberships.project_id = ${column}`;
  return sql(
    `(${heldByMembership(permission, ` and memberships.project_id = ${column}`)} or (${isPublic} and not exists (${member}) and ${byName}))`,
    ...named, CALLER, CALLER, NON_MEMBER, ...named,
  );
}

/** The caller holds the permission in any project: by a membership, or because there is a public one where the name of a role suffices. */
function grantedAnywhere(kind: CallerKind, permission: Permission): Condition {
  if (kind === 'admin') return everything;
  const byName = sql(heldByName('?'), kind === 'visitor' ? ANONYMOUS : NON_MEMBER, permission);
  if (kind === 'visitor') return all(byName, sql('exists (select 1 from projects where projects.public = true)'));
  const notMember = sql('exists (select 1 from projects where projects.public = true and not exists (select 1 from memberships where memberships.user_id = ? and memberships.project_id = projects.id))', CALLER);
  return any(sql(heldByMembership('?'), permission, CALLER), all(byName, notMember));
}

/**
 * Projects in which the caller may hold something at all. A list of what projects have starts here; by its order it would pass all
 * projects to find the few of the caller.
 */
const reachable = scope((kind) => {
  if (kind === 'admin') return everything;
  const open = 'select projects.id from projects where projects.public = true';
  return kind === 'visitor' ? sql(open) : sql(`select memberships.project_id from memberships where memberships.user_id = ? union all ${open}`, CALLER);
});

/** Limits a list to the projects that the caller can reach. */
export function whereReachable<Q extends { whereRaw(sql: string, bindings: (string | number)[]): unknown }>(query: Q, column: string, user: User): Q {
  if (user.admin) return query;
  const projects = reachable(user);
  return query.whereRaw(`${column} in (${projects.sql})`, bind(projects, user)) as Q;
}

/** The user holds one of the permissions in the project that `column` names. */
export const grantedAny = (user: User, wanted: readonly Permission[], column: string): Condition =>
  any(...wanted.map((permission) => granted(kindOf(user), { permission }, column)));

/** The user holds one of the permissions in any project. */
export const grantedSomewhere = (user: User, wanted: readonly Permission[]): Condition =>
  any(...wanted.map((permission) => grantedAnywhere(kindOf(user), permission)));

const internalOrReader = (kind: CallerKind): Condition =>
  any(sql('activities.internal = false'), granted(kind, { permission: internalComments }, 'work_packages.project_id'));

/** Sight of the rows of a container's table. */
const containerScopes = Object.fromEntries(containerTypes.map((type) => [type, scope((kind) => {
  const { model, view } = containers[type];
  const project = type === 'Activity' ? 'work_packages.project_id' : `${model.tableName}.project_id`;
  return all(...view.map((permission) => granted(kind, { permission }, project)), ...(type === 'Activity' ? [internalOrReader(kind)] : []));
})])) as { [type in ContainerType]: (user: User) => Condition };

/** Attachments with whatever they belong to: an activity's project is that of its work package. */
const attachmentRows = (db: Knex): QueryBuilder<Attachment> => {
  const rows = Attachment.query(db).select('attachments.*')
    .leftJoin('activities', 'activities.id', 'attachments.activity_id')
    .joinRaw('left join work_packages on work_packages.id = coalesce(attachments.work_package_id, activities.work_package_id)');
  for (const { table, type } of plainContainers.map((type) => ({ type, table: containerKinds[type].table }))) rows.leftJoin(table, `${table}.id`, `attachments.${columnOf(type)}`);
  return rows as unknown as QueryBuilder<Attachment>;
};

const attachmentScope = scope((kind) => {
  const tables = containerTypes.filter((type) => type !== 'Activity').map((type) => ({ table: containers[type].model.tableName, view: containers[type].view[0]! }));
  const project = `coalesce(${tables.map(({ table }) => `${table}.project_id`).join(', ')})`;
  const wanted = { expression: `case ${tables.map(({ table, view }) => `when ${table}.id is not null then '${view}'`).join(' ')} end` };
  // A visitor owns nothing: everybody would.
  const own = kind === 'visitor' ? sql('1 = 0') : sql('attachments.author_id = ?', CALLER);
  const seen = all(sql(`${project} is not null`), granted(kind, wanted, project), any(sql('activities.id is null'), internalOrReader(kind)));
  return all(
    sql("attachments.phase = 'kept'"),
    any(sql("attachments.status <> 'prepared'"), own),
    any(all(sql(`${project} is null`), own), seen, ...(kind === 'admin' ? [sql("attachments.status = 'quarantined'")] : [])),
  );
});

const projectScope = scope((kind) => {
  const isPublic = sql('projects.public = true');
  if (kind !== 'person') return kind === 'admin' ? everything : isPublic;
  return any(isPublic, sql('exists (select 1 from memberships where memberships.project_id = projects.id and memberships.user_id = ?)', CALLER));
});

const seesFiles = (kind: CallerKind, project = 'project_storages.project_id'): Condition => all(...storages.view.map((permission) => granted(kind, { permission }, project)));

/** A project uses the storage whose files the caller sees. The few projects of the caller are tried, not all those of the storage. */
function seesFilesOf(kind: CallerKind): Condition {
  const exists = (from: string, seen: Condition, bindings: Condition['bindings'] = []): Condition =>
    ({ sql: `exists (select 1 from ${from} and project_storages.storage_id = storages.id and ${seen.sql})`, bindings: [...bindings, ...seen.bindings] });
  const inPublic = exists('projects join project_storages on project_storages.project_id = projects.id where projects.public = true', seesFiles(kind, 'projects.id'));
  const byName = storages.view.map((permission) => sql(heldByName('?'), kind === 'visitor' ? ANONYMOUS : NON_MEMBER, permission));
  if (kind === 'visitor') return all(...byName, inPublic);
  const inOwn = exists('memberships as own join project_storages on project_storages.project_id = own.project_id where own.user_id = ?', seesFiles(kind, 'own.project_id'), [CALLER]);
  return any(inOwn, all(...byName, inPublic));
}

const filesScope = scope((kind) => (kind === 'admin' ? everything : seesFilesOf(kind)));

const seesStorage = (kind: CallerKind): Condition => (kind === 'admin' ? everything : any(grantedAnywhere(kind, storages.administer), seesFilesOf(kind)));
const storageScope = scope(seesStorage);

const projectStorageScope = scope((kind) => any(seesFiles(kind), granted(kind, { permission: storages.administer }, 'project_storages.project_id')));

/**
 * File links with the project of each. As a value of the row, not by a join: rather than judging what a join may yield, PostgreSQL
 * reads all work packages to join one.
 */
const fileLinkRows = (db: Knex): Rows<FileLink> => {
  const project = FileLink.raw('(select work_packages.project_id from work_packages where work_packages.id = file_links.work_package_id) as project_id');
  return FileLink.query(db).from(FileLink.query(db).select('file_links.*', project).as('file_links'));
};

const fileLinkScope = scope((kind) => {
  const storage = seesStorage(kind);
  // A link shows its storage, so whoever lost sight of that has lost their unclaimed links to it.
  const own = kind === 'visitor' ? sql('1 = 0') : all(
    sql('file_links.work_package_id is null and file_links.creator_id = ?', CALLER),
    { sql: `exists (select 1 from storages where storages.id = file_links.storage_id and ${storage.sql})`, bindings: storage.bindings },
  );
  // At most one row; a value for the same reason as that of `isPublicProject`.
  const used = sql('(select project_storages.id from project_storages where project_storages.project_id = file_links.project_id and project_storages.storage_id = file_links.storage_id) is not null');
  return any(own, all(sql('file_links.work_package_id is not null'), ...storages.view.map((permission) => granted(kind, { permission }, 'file_links.project_id')), used));
});

const inPublic = (from: string, author: string) => `exists (select 1 from ${from} join projects on projects.id = ${author.split('.')[0]}.project_id where ${author} = users.id and projects.public = true)`;
const publicUsers = scope(() => sql(
  `(users.anonymous = true or ${[
    inPublic('memberships', 'memberships.user_id'),
    ...namedContainers.map((type) => inPublic(containerKinds[type].table, `${containerKinds[type].table}.author_id`)),
    inPublic('project_storages', 'project_storages.creator_id'),
    'exists (select 1 from file_links join work_packages on work_packages.id = file_links.work_package_id join projects on projects.id = work_packages.project_id where file_links.creator_id = users.id and projects.public = true)',
    'exists (select 1 from activities join work_packages on work_packages.id = activities.work_package_id join projects on projects.id = work_packages.project_id where activities.author_id = users.id and projects.public = true)',
    ...namedContainers.map((type) => {
      const table = containers[type].model.tableName;
      return `exists (select 1 from attachments join ${table} on ${table}.id = attachments.${columnOf(type)} join projects on projects.id = ${table}.project_id where attachments.author_id = users.id and projects.public = true)`;
    }),
    'exists (select 1 from attachments join activities on activities.id = attachments.activity_id join work_packages on work_packages.id = activities.work_package_id join projects on projects.id = work_packages.project_id where attachments.author_id = users.id and projects.public = true)',
  ].join(' or ')})`,
));
