/** To see is a query: every read for a user starts here, so lists and single reads cannot disagree. */
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import { Activity } from '../models/activity.js';
import { Attachment, containerKeys } from '../models/attachment.js';
import type { ContainerRecord, ContainerType } from '../models/container.js';
import { Project } from '../models/project.js';
import { ANONYMOUS, NON_MEMBER } from '../models/role.js';
import { User } from '../models/user.js';
import { containers, internalComments, type Permission } from './permissions.js';

type Rows<M extends { QueryBuilderType: unknown }> = M['QueryBuilderType'];

export const visible = {
  /** Attachments of containers that the user sees, the user's own unclaimed ones, and of prepared uploads the user's own. */
  attachments: (user: User, db: Knex): Rows<Attachment> => scoped(Attachment.query(db), attachmentScope(user)),

  /** Containers of one kind that the user sees; activities carry the project of their work package. */
  containers: (type: ContainerType, user: User, db: Knex): Rows<ContainerRecord> => scoped(containerRows(type, db), containerScope(type, user)),

  /** Public projects, the user's own, and for administrators all. */
  projects: (user: User, db: Knex): Rows<Project> => scoped(Project.query(db), projectScope(user)),

  /** Everybody for signed-in people; for visitors those who belong to, or wrote something in, a public project. */
  users: (user: User, db: Knex): Rows<User> => (user.anonymous ? scoped(User.query(db), publicUsers) : User.query(db)),
};

/** All rows of a kind, with `project_id` in each. */
export const containerRows = (type: ContainerType, db: Knex): QueryBuilder<ContainerRecord> =>
  type === 'Activity'
    ? Activity.query(db).join('work_packages', 'work_packages.id', 'activities.work_package_id').select('activities.*', 'work_packages.project_id') as unknown as QueryBuilder<ContainerRecord>
    : containers[type].model.query(db);

/** A piece of SQL with its positional bindings. */
export interface Condition {
  sql: string;
  bindings: readonly (string | number | boolean)[];
}

const scoped = <Q extends { whereRaw(sql: string, bindings: (string | number | boolean)[]): unknown }>(query: Q, { sql, bindings }: Condition): Q =>
  query.whereRaw(sql, [...bindings]) as Q;

const everything: Condition = { sql: '1 = 1', bindings: [] };
const all = (...parts: Condition[]): Condition => joined(parts, ' and ');
const any = (...parts: Condition[]): Condition => joined(parts, ' or ');
const joined = (parts: Condition[], word: string): Condition => ({ sql: `(${parts.map(({ sql }) => sql).join(word)})`, bindings: parts.flatMap(({ bindings }) => bindings) });

/**
 * The user holds the permission in the project that `column` names: by a role there, or in a public project by the role
 * `Non member` (signed in, not a member) or `Anonymous` (decisions 3).
 */
export function granted(user: User, permission: Permission, column: string): Condition {
  if (user.admin) return everything;
  const isPublic = `exists (select 1 from projects where projects.id = ${column} and projects.public = true)`;
  const byName = 'exists (select 1 from roles join role_permissions on role_permissions.role_id = roles.id where roles.name = ? and role_permissions.permission = ?)';
  if (user.anonymous) return { sql: `(${isPublic} and ${byName})`, bindings: [ANONYMOUS, permission] };
  const member = `select 1 from memberships where memberships.user_id = ? and memberships.project_id = ${column}`;
  return {
    sql: '(exists (select 1 from memberships join membership_roles on membership_roles.membership_id = memberships.id'
      + ' join role_permissions on role_permissions.role_id = membership_roles.role_id and role_permissions.permission = ?'
      + ` where memberships.user_id = ? and memberships.project_id = ${column})`
      + ` or (${isPublic} and not exists (${member}) and ${byName}))`,
    bindings: [permission, user.id, user.id, NON_MEMBER, permission],
  };
}

/** Sight of the rows of a container's table. */
function containerScope(type: ContainerType, user: User): Condition {
  const { model, view } = containers[type];
  const project = type === 'Activity' ? 'work_packages.project_id' : `${model.tableName}.project_id`;
  const sight = view.map((permission) => granted(user, permission, project));
  return type === 'Activity' ? all(...sight, any({ sql: 'activities.internal = false', bindings: [] }, granted(user, internalComments, project))) : all(...sight);
}

function attachmentScope(user: User): Condition {
  const kinds = (Object.keys(containerKeys) as ContainerType[]).map((type): Condition => {
    const table = containers[type].model.tableName;
    const column = `attachments.${columnOf(type)}`;
    const from = type === 'Activity' ? 'activities join work_packages on work_packages.id = activities.work_package_id' : table;
    const { sql, bindings } = containerScope(type, user);
    return { sql: `(${column} is not null and exists (select 1 from ${from} where ${table}.id = ${column} and ${sql}))`, bindings };
  });
  const own: Condition = { sql: 'attachments.author_id = ?', bindings: [user.anonymous ? 0 : user.id] };
  const unclaimed: Condition = { sql: (Object.keys(containerKeys) as ContainerType[]).map((type) => `attachments.${columnOf(type)} is null`).join(' and '), bindings: [] };
  return all(
    { sql: "attachments.phase = 'kept'", bindings: [] },
    any({ sql: "attachments.status <> 'prepared'", bindings: [] }, own),
    any(all(unclaimed, own), ...kinds),
  );
}

/** The column of `attachments` that names a container of this kind, e.g. `wiki_page_id`. */
export const columnOf = (type: ContainerType): string => containerKeys[type].replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function projectScope(user: User): Condition {
  if (user.admin) return everything;
  const isPublic: Condition = { sql: 'projects.public = true', bindings: [] };
  if (user.anonymous) return isPublic;
  return any(isPublic, { sql: 'exists (select 1 from memberships where memberships.project_id = projects.id and memberships.user_id = ?)', bindings: [user.id] });
}

const inPublic = (from: string, author: string) => `exists (select 1 from ${from} join projects on projects.id = ${author.split('.')[0]}.project_id where ${author} = users.id and projects.public = true)`;
const publicUsers: Condition = {
  bindings: [],
  sql: `(users.anonymous = true or ${[
    inPublic('memberships', 'memberships.user_id'),
    ...['work_packages', 'meetings', 'posts', 'wiki_pages'].map((table) => inPublic(table, `${table}.author_id`)),
    'exists (select 1 from activities join work_packages on work_packages.id = activities.work_package_id join projects on projects.id = work_packages.project_id where activities.author_id = users.id and projects.public = true)',
    ...(['WorkPackage', 'Meeting', 'Post', 'WikiPage'] as const).map((type) => {
      const table = containers[type].model.tableName;
      return `exists (select 1 from attachments join ${table} on ${table}.id = attachments.${columnOf(type)} join projects on projects.id = ${table}.project_id where attachments.author_id = users.id and projects.public = true)`;
    }),
    'exists (select 1 from attachments join activities on activities.id = attachments.activity_id join work_packages on work_packages.id = activities.work_package_id join projects on projects.id = work_packages.project_id where attachments.author_id = users.id and projects.public = true)',
  ].join(' or ')})`,
};
