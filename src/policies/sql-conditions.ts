/** Builds SQL conditions for the permissions of the caller. */
import { ANONYMOUS, NON_MEMBER } from '../models/role.js';
import type { User } from '../models/user.js';
import { Parameter, type Sql } from '../database/index.js';
import { internalComments, type Permission } from './permissions.js';

/** Stands for the key of the caller: a condition is built once for many users. */
export const CALLER_ID = new Parameter('caller');

/**
 * Kinds of callers. All callers of a kind share one SQL text, so databases can prepare it.
 */
export type CallerKind = 'admin' | 'anonymous' | 'person';
export const kindOf = ({ admin, anonymous }: User): CallerKind =>
  admin ? 'admin' : anonymous ? 'anonymous' : 'person';

/** Builds a condition once for each kind of caller. */
export const scope = (make: (kind: CallerKind) => Sql) => {
  const made = { admin: make('admin'), anonymous: make('anonymous'), person: make('person') };
  return (user: User) => made[kindOf(user)];
};

/** The condition for one user. */
export const bind = ({ text, values }: Sql, user: User): Sql => ({
  text,
  values: values.map((value) => (value === CALLER_ID ? user.id : value)),
});

/** A query builder of Objection or knex. */
interface Filterable<Q> {
  whereRaw(sql: string, bindings: string[]): Q;
}

/** Cast: query builders pass values on, but they declare only those of the database. */
const where = <Q extends Filterable<Q>>(query: Q, { text, values }: Sql): Q =>
  query.whereRaw(text, [...values] as string[]);

export const scoped = <Q extends Filterable<Q>>(query: Q, condition: Sql, user: User): Q =>
  where(query, bind(condition, user));

export const sql = (text: string, ...values: unknown[]): Sql => ({ text, values });
export const all = (...parts: Sql[]): Sql => joined(parts, ' and ');
export const any = (...parts: Sql[]): Sql => joined(parts, ' or ');
const joined = (parts: Sql[], word: string): Sql => ({
  text: `(${parts.map((part) => part.text).join(word)})`,
  values: parts.flatMap((part) => part.values),
});
export const everything = sql('1 = 1');

/** The name of a permission, or an SQL expression that yields one. */
type PermissionSql = { permission: Permission } | { expression: string };

/**
 * Reads the value in a subquery. For `exists`, PostgreSQL can build a hash of all public projects
 * in each statement. The alias is necessary, because `column` can belong to `projects` itself.
 */
const isPublicProject = (column: string) =>
  `(select this_project.public from projects as this_project where this_project.id = ${column})`;

/**
 * A role with a given name (the binding) has the permission.
 * @param permission SQL of the permission's name; also in the functions below
 */
export const heldByName = (permission: string) =>
  'exists (select 1 from roles join role_permissions on role_permissions.role_id = roles.id' +
  ` where roles.name = ? and role_permissions.permission = ${permission})`;

/** Memberships of the caller (the last binding) with a role that has the permission. */
const membershipsWith = (permission: string) =>
  'memberships join membership_roles on membership_roles.membership_id = memberships.id' +
  ' join role_permissions on role_permissions.role_id = membership_roles.role_id' +
  ` and role_permissions.permission = ${permission}` +
  ' where memberships.user_id = ?';

/** Memberships of the caller (the binding) in the project that `column` refers to. */
const membershipsIn = (column: string) =>
  `memberships where memberships.user_id = ? and memberships.project_id = ${column}`;

/**
 * The caller has the permission in the project that `column` refers to.
 * Members have it by their roles there. In public projects, signed-in users without a membership
 * have it by the role `Non member`, anonymous users by `Anonymous`.
 */
export function granted(kind: CallerKind, wanted: PermissionSql, column: string): Sql {
  if (kind === 'admin') return everything;
  const permission = 'permission' in wanted ? '?' : wanted.expression;
  const named = 'permission' in wanted ? [wanted.permission] : [];
  const isPublic = isPublicProject(column);
  const byName = heldByName(permission);
  if (kind === 'anonymous') return sql(`(${isPublic} and ${byName})`, ANONYMOUS, ...named);
  return sql(
    `(exists (select 1 from ${membershipsWith(permission)} and memberships.project_id = ${column})` +
      ` or (${isPublic} and not exists (select 1 from ${membershipsIn(column)}) and ${byName}))`,
    ...named,
    CALLER_ID,
    CALLER_ID,
    NON_MEMBER,
    ...named,
  );
}

/**
 * Another person than the caller has all the permissions in a project, as SQL without bindings.
 * @param person SQL of the person's key
 */
export function heldBy(person: string, needed: readonly Permission[], project: string): string {
  const { text, values } = all(
    ...needed.map((permission) => granted('person', { permission }, project)),
  );
  let index = 0;
  return text.replaceAll('?', () => {
    const value = values[index++];
    return value === CALLER_ID ? person : `'${String(value)}'`;
  });
}

/**
 * Selects the ids of the projects in which the caller has the permission. Some come more than once.
 * It is faster than to ask `granted` about each project. Administrators have all permissions.
 */
export function grantedProjects(kind: 'anonymous' | 'person', permission: Permission): Sql {
  const open = `select projects.id from projects where projects.public = true and ${heldByName('?')}`;
  if (kind === 'anonymous') return sql(open, ANONYMOUS, permission);
  return sql(
    `select memberships.project_id as id from ${membershipsWith('?')}` +
      ` union all ${open} and not exists (select 1 from ${membershipsIn('projects.id')})`,
    permission,
    CALLER_ID,
    NON_MEMBER,
    permission,
    CALLER_ID,
  );
}

/** The caller has the permission in any project: by a membership or in a public project. */
export function grantedAnywhere(kind: CallerKind, permission: Permission): Sql {
  if (kind === 'admin') return everything;
  const projects = grantedProjects(kind, permission);
  return sql(`exists (${projects.text})`, ...projects.values);
}

/**
 * Selects the projects in which the caller can have a permission. Lists filter by them first.
 * Otherwise the database reads the rows of all projects. Undefined: all projects.
 */
export function reachableProjects(user: User): Sql | undefined {
  const kind = kindOf(user);
  return kind === 'admin' ? undefined : bind(reachable[kind], user);
}

const PUBLIC = 'select projects.id from projects where projects.public = true';
const reachable = {
  anonymous: sql(PUBLIC),
  person: sql(
    'select memberships.project_id from memberships where memberships.user_id = ?' +
      ` union all ${PUBLIC}`,
    CALLER_ID,
  ),
};

/** Limits a list to the projects that the caller can reach. */
export function whereReachable<Q extends Filterable<Q>>(query: Q, column: string, user: User): Q {
  const projects = reachableProjects(user);
  return projects
    ? where(query, { text: `${column} in (${projects.text})`, values: projects.values })
    : query;
}

/** The user has one of the permissions in the project that `column` refers to. */
export const grantedAny = (user: User, wanted: readonly Permission[], column: string): Sql =>
  any(...wanted.map((permission) => granted(kindOf(user), { permission }, column)));

/** The user has one of the permissions in any project. */
export const grantedSomewhere = (user: User, wanted: readonly Permission[]): Sql =>
  any(...wanted.map((permission) => grantedAnywhere(kindOf(user), permission)));

/** The activity is not internal, or the caller can read internal comments of its project. */
export const internalOrReader = (kind: CallerKind): Sql =>
  any(
    sql('activities.internal = false'),
    granted(kind, { permission: internalComments }, 'work_packages.project_id'),
  );
