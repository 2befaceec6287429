/** SQLite: one connection that writes, a pool that only reads, prepared statements. */
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import knex, { type Knex } from 'knex';
import type { Database } from './database.js';
import {
  ACQUIRE_TIMEOUT_MS,
  keepFirst,
  SqliteClient,
  SqliteTransaction,
  type Connection,
  type KnexTransaction,
  type Query,
  type Statement,
} from './knex-internals.js';
import { notAcquired, unavailable } from './unavailable.js';

export function openSqlite(file: string, log: Knex.Logger): Database {
  const filename = resolve(file);
  mkdirSync(dirname(filename), { recursive: true });
  const open = (pool: { min: number; max: number }, ...pragmas: string[]) =>
    knex({
      client: SqliteWithStatements as unknown as typeof Knex.Client,
      connection: { filename },
      useNullAsDefault: true,
      log,
      acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
      // Values are no business of the log.
      compileSqlOnError: false,
      pool: {
        ...pool,
        afterCreate: (
          connection: Executing,
          done: (error: Error | null, connection: unknown) => void,
        ) =>
          setUp(
            connection,
            [
              'busy_timeout=5000',
              'journal_mode=WAL',
              'synchronous=NORMAL',
              'foreign_keys=ON',
              ...pragmas,
            ],
            (error) => done(error, connection),
          ),
      },
    });
  // What was confirmed survives a power cut, as the bytes of a file do.
  const write = open({ min: 1, max: 1 }, 'synchronous=FULL');
  const read = open({ min: 0, max: 4 }, 'query_only=ON');
  return {
    client: 'sqlite',
    read,
    write,
    lockRows: (query) => query,
    skipLocked: '',
    waitLocked: '',
    unhurried: async () => undefined,
    close: async () => {
      await read.destroy();
      await write.destroy();
    },
  };
}

interface Executing {
  exec(sql: string, done: (error: Error | null) => void): void;
}

/** The first who opens a file turns it to WAL, and whoever opens it in that moment is refused at once, whatever the busy time-out. */
function setUp(
  connection: Executing,
  pragmas: readonly string[],
  done: (error: Error | null) => void,
): void {
  const deadline = Date.now() + ACQUIRE_TIMEOUT_MS;
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
    keepFirst(this, args);
    return super.query(...args);
  }
}

/** Somebody else has the lock, or the disk takes no writes. A file that cannot be opened is met at its first statement. */
const takesNothing = (error: unknown) =>
  isBusy(error) ||
  /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test((error as { code?: string } | null)?.code ?? '');

const isBusy = (error: unknown) =>
  /^SQLITE_(BUSY|LOCKED)/.test((error as { code?: string } | null)?.code ?? '');

/** As many statements as one connection keeps prepared. */
const MAX_PREPARED = 200;
const reusable = /^\s*(select|insert|update|delete|with)\b/i;

const preparedOn = new WeakMap<Connection, Map<string, Statement>>();

class SqliteWithStatements extends SqliteClient {
  transaction(...args: unknown[]) {
    return new ImmediateTransaction(this, ...args);
  }

  override acquireConnection(): Promise<unknown> {
    return super.acquireConnection().catch(notAcquired);
  }

  /** knex has SQLite parse and plan the text of every query anew; a statement is prepared once a connection instead. */
  override _query(connection: Connection, query: Query): Promise<Query> {
    if (!query.sql || !reusable.test(query.sql))
      return super._query(connection, query).catch(unavailable(takesNothing));
    const changesOnly =
      query.method === 'del' ||
      query.method === 'counter' ||
      ((query.method === 'insert' || query.method === 'update') && !query.returning);
    return new Promise<Query>((resolve, reject) => {
      const done = function (this: unknown, error: Error | null, response: unknown) {
        if (error) {
          // Until it is reset it counts as being in progress, and what the connection writes after it is never committed.
          forgetStatement(connection, query.sql);
          reject(error);
        }
        // `this` knows the last id and the number of changes.
        else resolve(Object.assign(query, { response, context: this }));
      };
      withStatement(connection, query.sql, reject, (statement) =>
        changesOnly
          ? statement.run(query.bindings ?? [], done)
          : statement.all(query.bindings ?? [], done),
      );
    }).catch(unavailable(takesNothing));
  }

  /** A connection with open statements cannot be closed. */
  override async destroyRawConnection(connection: Connection): Promise<void> {
    for (const statement of preparedOn.get(connection)?.values() ?? []) statement.finalize();
    await super.destroyRawConnection(connection);
  }
}

/** Hands over the prepared statement of a text. One that cannot be prepared never calls back on its own, so it is not used. */
function withStatement(
  connection: Connection,
  sql: string,
  refuse: (error: Error) => void,
  use: (statement: Statement) => void,
): void {
  let prepared = preparedOn.get(connection);
  if (!prepared) preparedOn.set(connection, (prepared = new Map()));
  const known = prepared.get(sql);
  if (known) {
    // The one that was used last stands last.
    prepared.delete(sql);
    prepared.set(sql, known);
    return use(known);
  }
  const statements = prepared;
  const statement = connection.prepare(sql, (error) => {
    if (error) return refuse(error);
    statements.set(sql, statement);
    if (statements.size > MAX_PREPARED) {
      const [oldest, unused] = statements.entries().next().value!;
      unused.finalize();
      statements.delete(oldest);
    }
    use(statement);
  });
}

function forgetStatement(connection: Connection, sql: string): void {
  const statements = preparedOn.get(connection);
  statements?.get(sql)?.finalize();
  statements?.delete(sql);
}
