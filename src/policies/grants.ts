/** What a user may do in a project, remembered for a second: a revoked permission stops working within two (decisions 4). */
import type { Knex } from 'knex';
import { ANONYMOUS, NON_MEMBER } from '../models/role.js';
import type { User } from '../models/user.js';
import { permissions, type Permission } from './permissions.js';
import { granted } from './visible.js';

export type Granted = ReadonlySet<Permission>;

const LIFE_MS = 1_000;
const CAPACITY = 20_000;
const everything: Granted = new Set(permissions);

export class Grants {
  readonly #cache = new Map<string, { granted: Granted; until: number }>();

  constructor(private readonly db: Knex) {}

  /** The user's permissions in a project; at once where they are remembered. */
  in(user: User, projectId: number): Granted | Promise<Granted> {
    if (user.admin) return everything;
    const cached = this.#cache.get(`${user.id}:${projectId}`);
    return cached && cached.until > Date.now() ? cached.granted : this.#load(user, projectId);
  }

  /** Whether the user holds one of the permissions in any project. Not remembered. */
  async anywhere(user: User, wanted: readonly Permission[]): Promise<boolean> {
    if (user.admin) return true;
    const conditions = wanted.map((permission) => granted(user, permission, 'candidates.id'));
    const rows = await this.db('projects as candidates').select('candidates.id').limit(1)
      .whereRaw(conditions.map(({ sql }) => sql).join(' or '), conditions.flatMap(({ bindings }) => [...bindings]));
    return rows.length > 0;
  }

  /** After a change of memberships or roles made by this process. */
  forget() {
    this.#cache.clear();
  }

  async #load(user: User, projectId: number): Promise<Granted> {
    const asked = Date.now();
    const rows = await this.db('role_permissions').distinct('role_permissions.permission').whereIn('role_permissions.role_id', this.#roles(user, projectId)) as { permission: Permission }[];
    const granted: Granted = new Set(rows.map(({ permission }) => permission));
    if (this.#cache.size >= CAPACITY) this.#cache.clear();
    this.#cache.set(`${user.id}:${projectId}`, { granted, until: asked + LIFE_MS });
    return granted;
  }

  #roles(user: User, projectId: number): Knex.QueryBuilder {
    const byName = (name: string) => this.db('roles').select('roles.id').where('roles.name', name)
      .whereExists(this.db('projects').select(this.db.raw('1')).where({ id: projectId, public: true }));
    if (user.anonymous) return byName(ANONYMOUS);
    const membership = this.db('memberships').select(this.db.raw('1')).where({ user_id: user.id, project_id: projectId });
    return this.db('membership_roles').select('membership_roles.role_id')
      .join('memberships', 'memberships.id', 'membership_roles.membership_id')
      .where({ 'memberships.user_id': user.id, 'memberships.project_id': projectId })
      .union(byName(NON_MEMBER).whereNotExists(membership));
  }
}
