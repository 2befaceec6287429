/** The parts of a request that loaders need. */
import type { Cache } from '../concurrency/cache.js';
import type { Database } from '../database/index.js';
import type { Project } from '../models/project.js';
import type { User } from '../models/user.js';

export interface Dependencies {
  db: Database;
  user: User;
  caches: { users: Cache<number, User>; projects: Cache<number, Project> };
}
