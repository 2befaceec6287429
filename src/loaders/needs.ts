/** The parts of a request that loaders need. */
import type { Client } from '../concurrency/client.js';
import type { Cache } from '../concurrency/cache.js';
import type { DocumentBudget } from './document-budget.js';
import type { Database } from '../database/index.js';
import type { Project } from '../models/project.js';
import type { Status } from '../models/status.js';
import type { Type } from '../models/type.js';
import type { User } from '../models/user.js';

export interface LoaderNeeds {
  db: Database;
  user: User;
  /** Absent for REST's own documents. */
  budget?: DocumentBudget;
  client?: Client | undefined;
  largeAnswer: () => Promise<void>;
  caches: {
    users: Cache<string, User>;
    projects: Cache<string, Project>;
    statuses: Cache<string, Status>;
    types: Cache<string, Type>;
  };
}
