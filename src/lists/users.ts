/** Lists people: those with whom the caller shares a project, or the members of one project. */
import type { Database, Sql } from '../database/index.js';
import { SYSTEM_LOGIN, User } from '../models/user.js';
import { knownPeople } from '../policies/project-sets.js';
import { idColumn, sorted, type Column, type List } from './list.js';
import { containAll, searchWords } from './search-words.js';

interface UserFilter {
  /** Words of the name or the login. */
  search?: string | null | undefined;
  /** Only the members of this project. The caller must check first that they may be seen. */
  memberOf?: number | undefined;
  isActive?: boolean | undefined;
}

export interface UserOrder {
  by: keyof typeof columns;
  descends: boolean;
}

const columns = {
  id: idColumn('users'),
  name: { sql: 'users.search_text', type: 'text', isIndexed: true },
} satisfies { [name: string]: Column };

export const userOrders = Object.keys(columns) as UserOrder['by'][];

export function userList(
  { db, user }: { db: Database; user: User },
  { search, memberOf, isActive }: UserFilter,
  order: UserOrder,
): List<User> {
  const words = containAll(db, 'users', searchWords(search));
  const people = memberOf === undefined ? knownPeople(user) : membersOf(memberOf);
  return {
    rows: (knex) => User.query(knex),
    filters: () => [
      ...words.filters,
      ...(people ? [{ text: `+users.id in (${people.text})`, values: people.values }] : []),
      ...(isActive === undefined
        ? []
        : [{ text: `users.status ${isActive ? '=' : '<>'} ?`, values: ['active'] }]),
      { text: 'users.anonymous = false and users.login <> ?', values: [SYSTEM_LOGIN] },
    ],
    // First the people whom the caller may see, so that the time of a list does not tell of others.
    starts: [...(people ? [[people]] : []), ...words.starts],
    order: sorted(columns, [order]),
  };
}

const membersOf = (projectId: number): Sql => ({
  text: 'select memberships.user_id as id from memberships where memberships.project_id = ?',
  values: [projectId],
});
