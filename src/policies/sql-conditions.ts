/** Conditions in SQL: what the caller holds where. The text is the same for all callers of a kind, so that databases can prepare it. */
import { ANONYMOUS, NON_MEMBER } from '../models/role.js';
import type { User } from '../models/user.js';
import { internalComments, type Permission } from './permissions.js';

/** Stands for the user's key among the bindings of a scope that is made once for many users. */
export const CALLER = Symbol('caller');

/** A piece of SQL with its positional bindings. */
export interface Condition {
  sql: string;
  bindings: readonly (string | typeof CALLER)[];
}

/** Whom a scope is made for: the SQL is the same for all of a kind. */
export type CallerKind = 'admin' | 'anonymous' | 'person';
export const kindOf = ({ admin, anonymous }: User): CallerKind =>
  admin ? 'admin' : anonymous ? 'anonymous' : 'person';

/** A scope as SQL, made once for each kind of caller. */
export const scope = (make: (kind: CallerKind) => Condition) => {
  const made = { admin: make('admin'), anonymous: make('anonymous'), person: make('person') };
  return (user: User) => made[kindOf(user)];
};

/** The values of a condition's bindings for a user. */
export const bind = ({ bindings }: Condition, user: User): (string | number)[] =>
  bindings.map((value) => (value === CALLER ? user.id : value));

export const scoped = <Q extends { whereRaw(sql: string, bindings: (string | number)[]): unknown }>(
  query: Q,
  condition: Condition,
  user: User,
): Q => query.whereRaw(condition.sql, bind(condition, user)) as Q;

export const sql = (text: string, ...bindings: Condition['bindings']): Condition => ({
  sql: text,
  bindings,
});
export const all = (...parts: Condition[]): Condition => joined(parts, ' and ');
export const any = (...parts: Condition[]): Condition => joined(parts, ' or ');
const joined = (parts: Condition[], word: string): Condition => ({
  sql: `(${parts.map((part) => part.sql).join(word)})`,
  bindings: parts.flatMap((part) => part.bindings),
});
export const everything = sql('1 = 1');

/** SQL text of a permission's name, or of an expression that yields one. */
type PermissionSql = { permission: Permission } | { expression: string };

/**
 * As a value, not with `exists`: that PostgreSQL may answer from a hash of all public projects, made for each statement. By another
 * name, because the column may be that of a row of `projects`.
 */
const isPublicProject = (column: string) =>
  `(select place.public from projects as place where place.id = ${column})`;

/** A role of that name, the binding, holds the permission that `permission` is SQL of. */
export const heldByName = (permission: string) =>
  `exists (select 1 from roles join role_permissions on role_permissions.role_id = roles.id where roles.name = ? and role_permissions.permission = ${permission})`;

/** The caller, the last binding, is a member with a role that holds it, in a project that satisfies a condition. */
const heldByMembership = (permission: string, where = '') =>
  'exists (select 1 from memberships join membership_roles on membership_roles.membership_id = memberships.id' +
  ` join role_permissions on role_permissions.role_id = membership_roles.role_id and role_permissions.permission = ${permission}` +
  ` where memberships.user_id = ?${where})`;

/**
 * The caller holds the permission in the project that `column` names: by a role there, or in a public project by the role
 * `Non member` (signed in, not a member) or `Anonymous` (decisions 3).
 */
export function granted(kind: CallerKind, wanted: PermissionSql, column: string): Condition {
  if (kind === 'admin') return everything;
  const permission = 'permission' in wanted ? '?' : wanted.expression;
  const named = 'permission' in wanted ? [wanted.permission] : [];
  const isPublic = isPublicProject(column);
  const byName = heldByName(permission);
  if (kind === 'anonymous') return sql(`(${isPublic} and ${byName})`, ANONYMOUS, ...named);
  const member = `select 1 from memberships where memberships.user_id = ? and memberships.project_id = ${column}`;
  return sql(
    `(${heldByMembership(permission, ` and memberships.project_id = ${column}`)} or (${isPublic} and not exists (${member}) and ${byName}))`,
    ...named,
    CALLER,
    CALLER,
    NON_MEMBER,
    ...named,
  );
}

/** The caller holds the permission in any project: by a membership, or because there is a public one where the name of a role suffices. */
export function grantedAnywhere(kind: CallerKind, permission: Permission): Condition {
  if (kind === 'admin') return everything;
  const byName = sql(heldByName('?'), kind === 'anonymous' ? ANONYMOUS : NON_MEMBER, permission);
  if (kind === 'anonymous')
    return all(byName, sql('exists (select 1 from projects where projects.public = true)'));
  const notMember = sql(
    'exists (select 1 from projects where projects.public = true and not exists (select 1 from memberships where memberships.user_id = ? and memberships.project_id = projects.id))',
    CALLER,
  );
  return any(sql(heldByMembership('?'), permission, CALLER), all(byName, notMember));
}

/**
 * Projects in which the caller may hold something at all. A list of what projects have starts here; by its order it would pass all
 * projects to find the few of the caller.
 */
const reachable = scope((kind) => {
  if (kind === 'admin') return everything;
  const open = 'select projects.id from projects where projects.public = true';
  return kind === 'anonymous'
    ? sql(open)
    : sql(
        `select memberships.project_id from memberships where memberships.user_id = ? union all ${open}`,
        CALLER,
      );
});

/** Limits a list to the projects that the caller can reach. */
export function whereReachable<
  Q extends { whereRaw(sql: string, bindings: (string | number)[]): unknown },
>(query: Q, column: string, user: User): Q {
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

export const internalOrReader = (kind: CallerKind): Condition =>
  any(
    sql('activities.internal = false'),
    granted(kind, { permission: internalComments }, 'work_packages.project_id'),
  );
