/** Sets of projects as SQL, for lists that span projects. */
import type { Sql } from '../database/index.js';
import type { User } from '../models/user.js';
import type { Permission } from './permissions.js';
import { bind, grantedProjects, kindOf } from './sql-conditions.js';

/**
 * Selects the ids of the projects in which the caller has these permissions.
 * @param which whether all permissions are needed, or one of them
 * @returns undefined if these are all projects
 */
export function projectsGranting(
  user: User,
  permissions: readonly Permission[],
  which: 'all' | 'any' = 'all',
): Sql | undefined {
  const kind = kindOf(user);
  if (kind === 'admin') return undefined;
  const sets = permissions.map((permission) => bind(grantedProjects(kind, permission), user));
  return {
    text: sets
      .map((set) => `select id from (${set.text}) as granting`)
      .join(which === 'all' ? ' intersect ' : ' union '),
    values: sets.flatMap((set) => set.values),
  };
}

/**
 * Selects the ids of the people with whom the caller shares a project, and of the caller.
 * @returns undefined if these are all people
 */
export function knownPeople(user: User): Sql | undefined {
  if (user.admin) return undefined;
  if (user.anonymous) return { text: 'select users.id from users where 1 = 0', values: [] };
  return {
    text:
      'select others.user_id as id from memberships as own join memberships as others' +
      ' on others.project_id = own.project_id where own.user_id = ?' +
      ' union all select users.id from users where users.id = ?',
    values: [user.id, user.id],
  };
}
