/** The only file that knows which database driver it is: pools, pragmas, locks and migrations. */
import { mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { ServiceUnavailable } from '../contract/errors.js';

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

interface Lockable {
  forUpdate(): unknown;
  forNoKeyUpdate(): unknown;
}

export interface Listening {
  close(): Promise<void>;
}

const require = createRequire(import.meta.url);
const ACQUIRE_TIMEOUT_MS = 10_000;
/** A server that is gone without a word is noticed after so long without traffic; left to itself, the system waits two hours. */
const ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
/** Whoever only listens sends nothing, so it asks. */
const ASK_MS = 30_000;

/** Opens the pools. On SQLite the folder of the file is made if it is missing. */
export function openDatabase(config: Config['database'], logger: Logger): Database {
  const log = { debug: () => undefined, deprecate: () => undefined, warn: (message: unknown) => logger.warn({ from: 'knex' }, String(message)), error: (message: unknown) => logger.error({ from: 'knex' }, String(message)) };
  return config.client === 'sqlite' ? openSqlite(config.file, log) : openPostgres(config.url, log);
}

/** knex would write its warnings to standard output. */
type KnexLog = Knex.Logger;

function openPostgres(url: string, log: KnexLog): Database {
  // bigint columns hold byte counts below 2^53
  pg.types.setTypeParser(20, Number);
  const pool = knex({ client: PostgresClient as unknown as typeof Knex.Client, connection: { connectionString: url, application_name: 'moorage', ...ALIVE }, pool: { min: 0, max: 10, afterCreate: setUpPostgres }, acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS, compileSqlOnError: false, log });
  return {
    client: 'postgres', read: pool, write: pool,
    lockRows: (query, { keys = false } = {}) => (keys ? query.forUpdate() : query.forNoKeyUpdate()) as typeof query,
    skipLocked: 'for update skip locked',
    waitLocked: 'for update',
    unhurried: async (trx) => void await trx.raw('set local idle_in_transaction_session_timeout = 0'),
    notify: async (trx, channel, payload) => void await trx.raw('select pg_notify(?, ?)', [channel, payload]),
    listen: (channel, hear, lost) => listenOn(url, channel, hear, lost),
    close: () => pool.destroy(),
  };
}

/** A transaction that says nothing for so long is over. */
const IDLE_TRANSACTION_MS = 60_000;

/**
 * A host that is gone without a word holds its locks until the database server notices, which left to itself takes two hours.
 * Nobody waits longer for a lock than for a connection. Statements about sight look costly to PostgreSQL, which would compile them
 * for a second (`jit`) to run for milliseconds.
 */
const PER_CONNECTION = [
  `lock_timeout = ${ACQUIRE_TIMEOUT_MS}`, 'jit = off', `idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`,
  'tcp_keepalives_idle = 10', 'tcp_keepalives_interval = 10', 'tcp_keepalives_count = 3',
].map((setting) => `set ${setting}`).join('; ');

function setUpPostgres(connection: { query(sql: string, done: (error: Error | null) => void): void }, done: (error: Error | null, connection: unknown) => void) {
  connection.query(PER_CONNECTION, (error) => done(error, connection));
}

async function listenOn(url: string, channel: string, hear: (payload: string) => void, lost: () => void): Promise<Listening> {
  const client = new pg.Client({ connectionString: url, application_name: 'moorage events', ...ALIVE, connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS, query_timeout: ACQUIRE_TIMEOUT_MS });
  let state: 'starting' | 'listening' | 'over' = 'starting';
  const asking = setInterval(() => client.query('select 1').catch(() => broke()), ASK_MS).unref();
  const end = () => {
    state = 'over';
    clearInterval(asking);
    return client.end().catch(() => undefined);
  };
  const broke = () => {
    if (state === 'over') return;
    // Who waits for the start is told by its failure.
    const tell = state === 'listening';
    void end();
    if (tell) lost();
  };
  client.on('notification', ({ payload }) => hear(payload ?? ''));
  client.on('error', broke);
  client.on('end', broke);
  try {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    // The same packet may hold the answer and a farewell.
    if (state !== 'starting') throw new Error('Connection terminated');
  } catch (error) {
    await end();
    throw new DatabaseUnavailable(error);
  }
  state = 'listening';
  return { close: end };
}

function openSqlite(file: string, log: KnexLog): Database {
  const filename = resolve(file);
  mkdirSync(dirname(filename), { recursive: true });
  const open = (pool: { min: number; max: number }, ...pragmas: string[]) => knex({
    client: SqliteWithStatements as unknown as typeof Knex.Client,
    connection: { filename },
    useNullAsDefault: true,
    log,
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    // Values are no business of the log.
    compileSqlOnError: false,
    pool: {
      ...pool,
      afterCreate: (connection: Executing, done: (error: Error | null, connection: unknown) => void) =>
        setUp(connection, ['busy_timeout=5000', 'journal_mode=WAL', 'synchronous=NORMAL', 'foreign_keys=ON', ...pragmas], (error) => done(error, connection)),
    },
  });
  // What was confirmed survives a power cut, as the bytes of a file do.
  const write = open({ min: 1, max: 1 }, 'synchronous=FULL');
  const read = open({ min: 0, max: 4 }, 'query_only=ON');
  return { client: 'sqlite', read, write, lockRows: (query) => query, skipLocked: '', waitLocked: '', unhurried: async () => undefined, close: async () => { await read.destroy(); await write.destroy(); } };
}

interface Executing {
  exec(sql: string, done: (error: Error | null) => void): void;
}

/** The first who opens a file turns it to WAL, and whoever opens it in that moment is refused at once, whatever the busy time-out. */
function setUp(connection: Executing, pragmas: readonly string[], done: (error: Error | null) => void): void {
  const deadline = Date.now() + ACQUIRE_TIMEOUT_MS;
  const attempt = () => connection.exec(pragmas.map((pragma) => `PRAGMA ${pragma};`).join(' '), (error) => {
    if (isBusy(error) && Date.now() < deadline) setTimeout(attempt, 20);
    else done(error);
  });
  attempt();
}

// knex offers no hook for the BEGIN statement. A plain BEGIN takes the write lock only at the first write, and the
// upgrade of a stale snapshot fails at once with SQLITE_BUSY, whatever the busy time-out. These are private paths of knex: it is pinned exactly.
const SqliteClient = require('knex/lib/dialects/sqlite3/index.js') as new (...args: unknown[]) => { acquireConnection(): Promise<unknown>; _query(connection: Connection, query: Query): Promise<Query>; destroyRawConnection(connection: Connection): Promise<void> };
const PgClient = require('knex/lib/dialects/postgres/index.js') as new (...args: unknown[]) => { acquireConnection(): Promise<unknown>; _query(connection: unknown, query: Query): Promise<Query> };
interface KnexTransaction {
  _rejecter(error: unknown): void;
  query(connection: unknown, sql: string, status?: number, value?: unknown): unknown;
}
const SqliteTransaction = require('knex/lib/dialects/sqlite3/execution/sqlite-transaction.js') as new (...args: unknown[]) => KnexTransaction;
const PgTransaction = require('knex/lib/dialects/postgres/execution/pg-transaction.js') as new (...args: unknown[]) => KnexTransaction;

class ImmediateTransaction extends SqliteTransaction {
  begin(connection: unknown) {
    return this.query(connection, 'BEGIN IMMEDIATE;');
  }

  override query(...args: Parameters<KnexTransaction['query']>): unknown {
    keepFirst(this, args);
    return super.query(...args);
  }
}

class PostgresTransaction extends PgTransaction {
  override query(...args: Parameters<KnexTransaction['query']>): unknown {
    keepFirst(this, args);
    return super.query(...args);
  }
}

const ROLLED_BACK = 2;

/** What ended a transaction is told, not that it cannot be rolled back either: a broken connection cannot, and SQLite may have done so already. */
function keepFirst(transaction: KnexTransaction, [, , status, first]: Parameters<KnexTransaction['query']>): void {
  if (status !== ROLLED_BACK || first === undefined) return;
  const reject = transaction._rejecter;
  transaction._rejecter = () => reject(first);
}

/** The database cannot be reached, or somebody holds its lock: nobody's fault who asked, and worth another try. The cause is for the operator. */
class DatabaseUnavailable extends ServiceUnavailable {
  constructor(cause: unknown) {
    super();
    this.cause = cause;
    // knex puts the text of the query, bindings included, in front of the message of every error that passes.
    Object.defineProperty(this, 'message', { get: () => 'The database cannot be used at the moment. Try again shortly.', set() {} });
  }
}

const unavailable = (isSo: (error: unknown) => boolean) => (error: unknown): never => {
  throw isSo(error) ? new DatabaseUnavailable(error) : error;
};

/** knex reports here what failed to connect, and a pool in which no connection became free in time. */
const notAcquired = unavailable(() => true);

class PostgresClient extends PgClient {
  transaction(...args: unknown[]) {
    return new PostgresTransaction(this, ...args);
  }

  override acquireConnection(): Promise<unknown> {
    return super.acquireConnection().catch(notAcquired);
  }

  override _query(connection: unknown, query: Query): Promise<Query> {
    return super._query(connection, query).catch(unavailable(isAway));
  }
}

/** A lock that did not come in time or never could, a server that stops, starts, is full or takes no writes, a disk that is full, a connection that broke (PostgreSQL, appendix A). */
const isAway = (error: unknown) => {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return /^(55P03|40P01|40001|57P0[1-3]|25P03|53100|53300|25006|08\w{3}|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/.test(code)
    || /^(Connection terminated|Client (was closed|has encountered a connection error))/.test(message);
};

/** The same of SQLite; a file that cannot be opened is met at its first statement. */
const takesNothing = (error: unknown) => isBusy(error) || /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test((error as { code?: string } | null)?.code ?? '');

const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test((error as { code?: string } | null)?.code ?? '');

interface Statement {
  all(bindings: unknown[], done: (this: unknown, error: Error | null, rows: unknown) => void): void;
  run(bindings: unknown[], done: (this: unknown, error: Error | null, rows: unknown) => void): void;
  finalize(): void;
}
interface Connection {
  prepare(sql: string, done: (error: Error | null) => void): Statement;
}
interface Query {
  sql: string;
  bindings: unknown[];
  method?: string;
  returning?: unknown;
  response?: unknown;
  context?: unknown;
}

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
    if (!query.sql || !reusable.test(query.sql)) return super._query(connection, query).catch(unavailable(takesNothing));
    const changesOnly = query.method === 'del' || query.method === 'counter' || ((query.method === 'insert' || query.method === 'update') && !query.returning);
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
      withStatement(connection, query.sql, reject, (statement) => (changesOnly ? statement.run(query.bindings ?? [], done) : statement.all(query.bindings ?? [], done)));
    }).catch(unavailable(takesNothing));
  }

  /** A connection with open statements cannot be closed. */
  override async destroyRawConnection(connection: Connection): Promise<void> {
    for (const statement of preparedOn.get(connection)?.values() ?? []) statement.finalize();
    await super.destroyRawConnection(connection);
  }
}

/** Hands over the prepared statement of a text. One that cannot be prepared never calls back on its own, so it is not used. */
function withStatement(connection: Connection, sql: string, refuse: (error: Error) => void, use: (statement: Statement) => void): void {
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

const MIGRATION_LOCK = 7_034_118_263_017;
const folder = fileURLToPath(new URL('../../migrations/', import.meta.url));

const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => readdirSync(folder).filter((name) => name.endsWith('.js')).sort(),
  getMigrationName: (name) => name,
  getMigration: (name) => import(pathToFileURL(resolve(folder, name)).href) as Promise<Knex.Migration>,
};

/**
 * Brings the schema up to date in one transaction, so that a killed process leaves nothing half done.
 * Processes that start together queue on the write lock (SQLite) or an advisory lock (PostgreSQL).
 * @returns the names of the migrations that were applied now
 */
export async function migrate(database: Database): Promise<string[]> {
  return database.write.transaction(async (trx) => {
    if (database.client === 'postgres') {
      // Another process may be at it for as long as it takes.
      await trx.raw('set local lock_timeout = 0');
      await trx.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
    }
    const [, applied] = await trx.migrate.latest({ migrationSource, disableTransactions: true }) as [number, string[]];
    return applied;
  });
}

/** @returns the names of applied and of pending migrations */
export async function migrationStatus(database: Database): Promise<{ applied: string[]; pending: string[] }> {
  const [applied, pending] = await database.write.migrate.list({ migrationSource }) as [{ name: string }[], string[]];
  return { applied: applied.map(({ name }) => name), pending };
}
