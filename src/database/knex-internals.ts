/** Types for private parts of knex, whose version is therefore pinned exactly. */
import type { Knex } from 'knex';
import type { Client } from '../concurrency/client.js';
// @ts-expect-error It has no types.
import PgTransactionWithoutType from 'knex/lib/dialects/postgres/execution/pg-transaction.js';
// @ts-expect-error It has no types.
import PgClientWithoutType from 'knex/lib/dialects/postgres/index.js';
// @ts-expect-error It has no types.
import SqliteTransactionWithoutType from 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js';
// @ts-expect-error It has no types.
import SqliteClientWithoutType from 'knex/lib/dialects/sqlite3/index.js';

/** A read that takes longer is ended. Changes, imports and migrations have no limit. */
export const STATEMENT_MS = 30_000;

/** How long a request waits for a free connection, and a statement for a lock. */
export const ACQUIRE_TIMEOUT_MS = 10_000;

// knex has no hook for the BEGIN statement. A plain BEGIN takes SQLite's write lock only at the
// first write. If the snapshot is stale then, SQLite fails at once with SQLITE_BUSY and ignores the
// busy time-out.
export const SqliteClient = SqliteClientWithoutType as new (...args: unknown[]) => {
  readonly connectionSettings: { filename: string };
  acquireConnection(): Promise<unknown>;
  acquireRawConnection(): Promise<unknown>;
  _query(connection: Connection, query: Query): Promise<Query>;
  destroyRawConnection(connection: Connection): Promise<void>;
};
export const PgClient = PgClientWithoutType as new (...args: unknown[]) => {
  acquireConnection(): Promise<unknown>;
  _query(connection: unknown, query: Query): Promise<Query>;
};

interface SentQuery {
  __knexUid?: string | undefined;
  sql: string;
  bindings: readonly unknown[];
}

/** What a client of knex offers to run a statement without a query builder. */
export interface RawClient<C> {
  acquireConnection(): Promise<C>;
  releaseConnection(connection: C): unknown;
  positionBindings(sql: string): string;
  emit(event: 'query', query: SentQuery): void;
  emit(event: 'query-response', rows: readonly unknown[], query: SentQuery): void;
}
export interface KnexTransaction {
  _rejecter(error: unknown): void;
  query(connection: unknown, sql: string, status?: number, value?: unknown): unknown;
}
export const SqliteTransaction = SqliteTransactionWithoutType as new (
  ...args: unknown[]
) => KnexTransaction;
export const PgTransaction = PgTransactionWithoutType as new (
  ...args: unknown[]
) => KnexTransaction;

/** Passes a client of our own to knex, whose `Client` type does not describe its private parts. */
export const asKnexClient = (client: typeof SqliteClient | typeof PgClient): typeof Knex.Client =>
  client as unknown as typeof Knex.Client;

const ROLLED_BACK = 2;

/**
 * Makes a transaction reject with the error that ended it.
 * Its ROLLBACK can fail too, if the connection is broken or SQLite has rolled back already. Then knex
 * would reject with that second error.
 */
export function keepFirstError(
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
  __knexUid?: string;
  prepare(sql: string, done: (error: Error | null) => void): Statement;
  /** Ends the running statements. */
  interrupt(): void;
}
export interface Query {
  sql: string;
  bindings?: unknown[];
  method?: string;
  /** Options of the driver, from the method `options` of a builder. */
  options?: object;
  returning?: unknown;
  /** From the method `queryContext` of a builder. */
  queryContext?: { client?: Client | undefined };
  response?: unknown;
  context?: unknown;
}
