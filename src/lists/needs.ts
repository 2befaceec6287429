/** The parts of a request that lists need. */
import type { Client } from '../concurrency/client.js';
import type { Database } from '../database/index.js';
import type { DocumentBudget } from '../loaders/document-budget.js';
import type { User } from '../models/user.js';

/** What searches of rows need of a request. */
export interface Searching {
  db: Database;
  /** Ends what is read when it leaves. */
  client?: Client | undefined;
}

export interface Needs extends Searching {
  user: User;
  /** Absent for REST's own documents. */
  budget?: DocumentBudget;
  largeAnswer: () => Promise<void>;
  /** Searches in a turn of the caller. */
  search: <T>(read: () => Promise<T>) => Promise<T>;
}
