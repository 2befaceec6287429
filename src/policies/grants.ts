/** Loads and caches the permissions of users in projects. */
import type { Knex } from 'knex';
import { Cache } from '../concurrency/cache.js';
import { ANONYMOUS, NON_MEMBER } from '../models/role.js';
import type { User } from '../models/user.js';
import { permissions, type Permission } from './permissions.js';
import { grantedSomewhere, scoped } from './sql-conditions.js';

export type Granted = ReadonlySet<Permission>;

const everything: Granted = new Set(permissions);

export class Grants {
  readonly #cache = new Cache<string, Granted>();

  constructor(private readonly db: Knex) {}

  /** The user's permissions in a project. Cached ones are returned at once. */
  in(user: User, projectId: number): Granted | Promise<Granted> {
    return user.admin
      ? everything
      : this.#cache.get(`${user.id}:${projectId}`, () => this.#load(user, projectId));
  }

  /** Whether the user has one of the permissions in any project. Not cached. */
  async anywhere(user: User, wanted: readonly Permission[]): Promise<boolean> {
    if (user.admin) return true;
    const one = this.db.select(this.db.raw('1'));
    const rows: unknown[] = await scoped(one, grantedSomewhere(user, wanted), user);
    return rows.length > 0;
  }

  /** Call it after this process has changed memberships or roles. */
  forget() {
    this.#cache.clear();
  }

  async #load(user: User, projectId: number): Promise<Granted> {
    const rows: { permission: Permission }[] = await this.db('role_permissions')
      .distinct('role_permissions.permission')
      .whereIn('role_permissions.role_id', this.#roles(user, projectId));
    return new Set(rows.map(({ permission }) => permission));
  }

  #roles(user: User, projectId: number): Knex.QueryBuilder {
    const byName = (name: string) =>
      this.db('roles')
        .select('roles.id')
        .where('roles.name', name)
        .whereExists(
          this.db('projects').select(this.db.raw('1')).where({ id: projectId, public: true }),
        );
    if (user.anonymous) return byName(ANONYMOUS);
    const membership = this.db('memberships')
      .select(this.db.raw('1'))
      .where({ user_id: user.id, project_id: projectId });
    return this.db('membership_roles')
      .select('membership_roles.role_id')
      .join('memberships', 'memberships.id', 'membership_roles.membership_id')
      .where({ 'memberships.user_id': user.id, 'memberships.project_id': projectId })
      .union(byName(NON_MEMBER).whereNotExists(membership));
  }
}
