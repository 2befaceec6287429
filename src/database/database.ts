/** What both databases offer. */
import type { Knex } from 'knex';

export interface Database {
  client: 'sqlite' | 'postgres';
  /** Reads: on SQLite a pool of query-only connections beside the writer. */
  read: Knex;
  /** Writes and transactions: on SQLite one connection, `BEGIN IMMEDIATE`. */
  write: Knex;
  /**
   * Locks the selected rows until the transaction ends; SQLite's one writer holds them already. Rows that refer to them can still
   * be written, unless `keys` says that they are about to go.
   */
  lockRows<Q extends Lockable>(query: Q, options?: { keys?: boolean }): Q;
  /** SQL at the end of a subquery that picks a row to take: leaves out those that another process is taking. */
  skipLocked: string;
  /** The same, but waits for the other process, and takes what is still there then. */
  waitLocked: string;
  /** Lets a transaction say nothing for longer than others may. */
  unhurried(trx: Knex): Promise<void>;
  /** Tells every process that listens on the channel, once the transaction commits; absent where there is only one. */
  notify?(trx: Knex, channel: string, payload: string): Promise<void>;
  /** Hears what `notify` tells, on a connection of its own; `lost` is called when that breaks. */
  listen?(channel: string, hear: (payload: string) => void, lost: () => void): Promise<Listening>;
  close(): Promise<void>;
}

export interface Lockable {
  forUpdate(): unknown;
  forNoKeyUpdate(): unknown;
}

export interface Listening {
  close(): Promise<void>;
}

export type DatabaseAddress =
  { client: 'sqlite'; file: string } | { client: 'postgres'; url: string };
