/** Parts of knex that it does not export, with their types. Its version is pinned exactly. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** How long a request waits for a free connection, and a statement for a lock. */
export const ACQUIRE_TIMEOUT_MS = 10_000;

// knex offers no hook for the BEGIN statement. A plain BEGIN takes the write lock only at the first write, and the
// upgrade of a stale snapshot fails at once with SQLITE_BUSY, whatever the busy time-out. These are private paths of knex: it is pinned exactly.
export const SqliteClient = require('knex/lib/dialects/sqlite3/index.js') as new (
  ...args: unknown[]
) => {
  acquireConnection(): Promise<unknown>;
  _query(connection: Connection, query: Query): Promise<Query>;
  destroyRawConnection(connection: Connection): Promise<void>;
};
export const PgClient = require('knex/lib/dialects/postgres/index.js') as new (
  ...args: unknown[]
) => {
  acquireConnection(): Promise<unknown>;
  _query(connection: unknown, query: Query): Promise<Query>;
};
export interface KnexTransaction {
  _rejecter(error: unknown): void;
  query(connection: unknown, sql: string, status?: number, value?: unknown): unknown;
}
export const SqliteTransaction =
  require('knex/lib/dialects/sqlite3/execution/sqlite-transaction.js') as new (
    ...args: unknown[]
  ) => KnexTransaction;
export const PgTransaction =
  require('knex/lib/dialects/postgres/execution/pg-transaction.js') as new (
    ...args: unknown[]
  ) => KnexTransaction;

const ROLLED_BACK = 2;

/** What ended a transaction is told, not that it cannot be rolled back either: a broken connection cannot, and SQLite may have done so already. */
export function keepFirst(
  transaction: KnexTransaction,
  [, , status, first]: Parameters<KnexTransaction['query']>,
): void {
  if (status !== ROLLED_BACK || first === undefined) return;
  const reject = transaction._rejecter;
  transaction._rejecter = () => reject(first);
}

export interface Statement {
  all(bindings: unknown[], done: (this: unknown, error: Error | null, rows: unknown) => void): void;
  run(bindings: unknown[], done: (this: unknown, error: Error | null, rows: unknown) => void): void;
  finalize(): void;
}
export interface Connection {
  prepare(sql: string, done: (error: Error | null) => void): Statement;
}
export interface Query {
  sql: string;
  bindings: unknown[];
  method?: string;
  returning?: unknown;
  response?: unknown;
  context?: unknown;
}
