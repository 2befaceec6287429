/** Opens SQLite: one connection that writes, and a read-only pool. */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import knex, { type Knex } from 'knex';
import type { Database, DatabaseAddress } from './database.js';
import {
  ACQUIRE_TIMEOUT_MS,
  asKnexClient,
  keepFirstError,
  SqliteClient,
  SqliteTransaction,
  STATEMENT_MS,
  type Connection,
  type KnexTransaction,
  type Query,
} from './knex-internals.js';
import { untilEnded } from './cancelling.js';
import { sqlitePhrases } from './phrases.js';
import { finalizeStatements, forgetStatement, withStatement } from './sqlite-statements.js';
import { Statements, type Dialect, type Done, type Row, type Statement } from './statements.js';
import { sqliteSearch } from './text-search.js';
import { notAcquired, unavailable } from './unavailable.js';

export function openSqlite(
  { file, alone = false }: Extract<DatabaseAddress, { client: 'sqlite' }>,
  log: Knex.Logger,
): Database {
  const filename = resolve(file);
  const open = (pool: { min: number; max: number }, ...pragmas: string[]) =>
    knex({
      client: asKnexClient(PreparingClient),
      connection: { filename },
      useNullAsDefault: true,
      log,
      acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
      // Keeps the values of a query out of the log.
      compileSqlOnError: false,
      pool: {
        ...pool,
        afterCreate: (
          connection: NewConnection,
          done: (error: Error | null, connection: unknown) => void,
        ) =>
          setUp(
            connection,
            [
              'busy_timeout=5000',
              // Before the first access to the file.
              ...(alone ? ['locking_mode=EXCLUSIVE'] : []),
              'journal_mode=WAL',
              'synchronous=NORMAL',
              'foreign_keys=ON',
              ...pragmas,
            ],
            (error) => done(error, connection),
          ),
      },
    });
  // A confirmed change must survive a power cut, like the file that it belongs to.
  const write = open({ min: 1, max: 1 }, 'synchronous=FULL');
  const read = alone ? write : open({ min: 0, max: 4 }, 'query_only=ON');
  return {
    client: 'sqlite',
    read,
    write,
    snapshot: (work) => write.transaction(work),
    statements: new Statements({ read, write }, dialect),
    phrases: sqlitePhrases,
    search: sqliteSearch,
    byCodePoint: (column) => column,
    lockRows: (query) => query,
    skipLocked: '',
    waitLocked: '',
    allowIdleTransaction: async () => undefined,
    close: async () => {
      await read.destroy();
      await write.destroy();
    },
  };
}

/**
 * Makes an empty database and its folder. SQLite would make it without access for the group. It gives the modes of
 * this file to `-wal` and `-shm`. A file that exists is not opened: closing it would end the locks
 * of this process.
 */
function makeFile(filename: string): void {
  try {
    mkdirSync(dirname(filename), { recursive: true });
    closeSync(openSync(filename, 'ax'));
  } catch {
    // It exists, or SQLite reports at its first statement that it cannot be made.
  }
}

interface NewConnection {
  exec(sql: string, done: (error: Error | null) => void): void;
}

/**
 * Runs the pragmas of a new connection, and repeats them while the file is busy.
 * The first connection switches the file to WAL mode. SQLite refuses others in that moment at once
 * and ignores their busy time-out.
 */
function setUp(
  connection: NewConnection,
  pragmas: readonly string[],
  done: (error: Error | null) => void,
): void {
  // Before the time-out of knex, which does not say that the file is busy.
  const deadline = Date.now() + ACQUIRE_TIMEOUT_MS / 2;
  const attempt = () =>
    connection.exec(pragmas.map((pragma) => `PRAGMA ${pragma};`).join(' '), (error) => {
      if (isBusy(error) && Date.now() < deadline) setTimeout(attempt, 20);
      else done(error);
    });
  attempt();
}

class ImmediateTransaction extends SqliteTransaction {
  begin(connection: unknown) {
    return this.query(connection, 'BEGIN IMMEDIATE;');
  }

  override query(...args: Parameters<KnexTransaction['query']>): unknown {
    keepFirstError(this, args);
    return super.query(...args);
  }
}

/**
 * Another process has the lock, or the disk accepts no writes.
 * SQLite reports a file that it cannot open (`CANTOPEN`) only at the first statement.
 */
const isUnavailable = (error: unknown) =>
  isBusy(error) || /^SQLITE_(INTERRUPT|FULL|IOERR|READONLY|CANTOPEN)/.test(codeOf(error));

export const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

const codeOf = (error: unknown) => (error as { code?: string } | null)?.code ?? '';

/** A connection of the pool runs one statement at a time. */
const ending = (connection: Connection) => ({
  cancel: () => connection.interrupt(),
  mostMs: STATEMENT_MS,
});

const reusable = /^\s*(select|insert|update|delete|with)\b/i;

class PreparingClient extends SqliteClient {
  transaction(...args: unknown[]) {
    return new ImmediateTransaction(this, ...args);
  }

  override acquireRawConnection(): Promise<unknown> {
    makeFile(this.connectionSettings.filename);
    return super.acquireRawConnection();
  }

  override acquireConnection(): Promise<unknown> {
    return super.acquireConnection().catch(notAcquired);
  }

  /**
   * Prepares each statement once per connection.
   * knex would let SQLite parse and plan the text again for every query.
   */
  override _query(connection: Connection, query: Query): Promise<Query> {
    if (!query.sql || !reusable.test(query.sql))
      return super._query(connection, query).catch(unavailable(isUnavailable));
    const changesOnly =
      query.method === 'del' ||
      query.method === 'counter' ||
      ((query.method === 'insert' || query.method === 'update') && !query.returning);
    const run = () =>
      new Promise<Query>((resolve, reject) => {
        const done = function (this: unknown, error: Error | null, response: unknown) {
          if (error) {
            // Until its reset, the failed statement counts as running. SQLite then never commits the
            // later writes of the connection.
            forgetStatement(connection, query.sql);
            reject(error);
          }
          // `this` has the last inserted id and the number of changes.
          else resolve(Object.assign(query, { response, context: this }));
        };
        withStatement(connection, query.sql, reject, (statement) =>
          changesOnly
            ? statement.run(query.bindings ?? [], done)
            : statement.all(query.bindings ?? [], done),
        );
      }).catch(unavailable(isUnavailable));
    const { queryContext } = query;
    return queryContext
      ? untilEnded({ client: queryContext.client, ...ending(connection) }, run)
      : run();
  }

  /** Finalizes the statements first: SQLite does not close a connection with open ones. */
  override async destroyRawConnection(connection: Connection): Promise<void> {
    finalizeStatements(connection);
    await super.destroyRawConnection(connection);
  }
}

const BEGIN = { text: 'BEGIN IMMEDIATE', values: [] };
const COMMIT = { text: 'COMMIT', values: [] };
const ROLLBACK = { text: 'ROLLBACK', values: [] };

const dialect: Dialect<Connection> = {
  columns:
    '(select tables.name as "table", columns.name as "column" from sqlite_master as tables' +
    " join pragma_table_info(tables.name) as columns where tables.type = 'table')",
  /**
   * The rows of a read are one JSON text. For other rows, the driver makes each value on the main
   * thread. A list of 100 attachments then takes twice as long.
   */
  textOf: (sql, columns) =>
    columns
      ? `select json_group_array(json_array(${columns.map((name) => `"${name}"`).join(', ')}))` +
        ` as found from (${sql})`
      : sql,
  async run(connection, statements, inTransaction, report) {
    const send = async (statement: Statement) => {
      const reportResult = report(statement);
      const done = await run(connection, statement);
      reportResult(done);
      return done;
    };
    // SQLite makes a single statement a transaction.
    const begins = !inTransaction && statements.length > 1;
    if (begins) await send(BEGIN);
    try {
      const results: Done[] = [];
      for (const statement of statements) results.push(await send(statement));
      if (begins) await send(COMMIT);
      return results;
    } catch (error) {
      // It fails if SQLite has rolled back already.
      if (begins) await send(ROLLBACK).catch(() => undefined);
      throw error;
    }
  },
  ending,
};

const returnsRows = /\breturning\b|^\s*select\b/i;

const run = (connection: Connection, { text, values, columns }: Statement): Promise<Done> =>
  new Promise<Done>((resolve, reject) => {
    withStatement(connection, text, reject, (statement) => {
      const done = function (this: unknown, error: Error | null, found: unknown) {
        if (error) {
          // As in `_query`: otherwise it counts as running.
          forgetStatement(connection, text);
          return reject(error);
        }
        if (!found)
          // `this` has the number of changes.
          return resolve({ count: (this as { changes: number }).changes, rows: [] });
        const rows = columns
          ? (JSON.parse((found as [{ found: string }])[0].found) as Row[])
          : (found as object[]).map((row) => Object.values(row) as Row);
        resolve({ count: rows.length, rows });
      };
      statement[returnsRows.test(text) ? 'all' : 'run']([...values], done);
    });
  }).catch(unavailable(isUnavailable));
