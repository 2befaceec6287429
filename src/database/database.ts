/** What SQLite and PostgreSQL both offer to the rest of the service. */
import type { Knex } from 'knex';
import type { Phrases } from './phrases.js';
import type { Statements } from './statements.js';
import type { TextSearch } from './text-search.js';

export interface Database {
  client: 'sqlite' | 'postgres';
  /** For reads. On SQLite a pool of query-only connections beside the writer. */
  read: Knex;
  /** For writes and transactions. On SQLite one connection, with `BEGIN IMMEDIATE`. */
  write: Knex;
  /**
   * Reads with several statements what the database had at one moment. On SQLite, writes wait
   * until `work` ends.
   */
  snapshot<T>(work: (trx: Knex) => Promise<T>): Promise<T>;
  /** Reads that the service repeats for most requests, and writes that it repeats for each upload. */
  statements: Statements;
  phrases: Phrases;
  search: TextSearch;
  /** SQL of a text that is sorted and compared by code point, whatever its column says. */
  byCodePoint(column: string): string;
  /**
   * Locks the selected rows until the transaction ends. SQLite needs no lock, because it has one
   * writer.
   * Other transactions can still write rows that refer to the locked ones.
   * Set `keys` before a deletion: it blocks those writes too.
   */
  lockRows<Q extends Lockable<Q>>(query: Q, options?: { keys?: boolean }): Q;
  /** SQL at the end of a subquery that picks a row: skips rows that another process has locked. */
  skipLocked: string;
  /**
   * Like `skipLocked`, but waits for the other process. Then it picks from the rows that still match.
   */
  waitLocked: string;
  /** Allows a transaction to stay idle for longer than the normal limit. */
  allowIdleTransaction(trx: Knex): Promise<void>;
  /**
   * SQL of an insert that also sends the id of each new row to every process that listens on the
   * channel, after the transaction commits. Absent on SQLite: there is only one process.
   */
  notifying?(insert: string, channel: string): string;
  /** Receives the ids of `notifying` on a separate connection. `onLost` reports its end. */
  listen?(
    channel: string,
    onMessage: (payload: string) => void,
    onLost: () => void,
  ): Promise<Listening>;
  close(): Promise<void>;
}

/** A query builder of Objection or knex. Each method returns a builder of the same type. */
interface Lockable<Q> {
  forUpdate(): Q;
  forNoKeyUpdate(): Q;
}

export interface Listening {
  close(): Promise<void>;
}

export type DatabaseAddress =
  | {
      client: 'sqlite';
      file: string;
      /** Whether no other process may open the file meanwhile. */
      alone?: boolean;
    }
  | {
      client: 'postgres';
      url: string;
      /** Whether connections keep prepared statements. Some poolers do not support them. */
      prepares: boolean;
    };
