/** Opens PostgreSQL: the pool, its time limits, notifications between processes. */
import knex, { type Knex } from 'knex';
import pg from 'pg';
import type { Database, DatabaseAddress, Listening } from './database.js';
import { untilEnded } from './cancelling.js';
import { cancelStatement } from './postgres-cancel.js';
import { postgresPhrases } from './phrases.js';
import { Statements, type Dialect } from './statements.js';
import {
  ACQUIRE_TIMEOUT_MS,
  asKnexClient,
  keepFirstError,
  PgClient,
  PgTransaction,
  STATEMENT_MS,
  type KnexTransaction,
  type Query,
} from './knex-internals.js';
import {
  runPrepared,
  runUnprepared,
  STALE_STATEMENT,
  type PostgresConnection,
  type Result,
} from './postgres-statements.js';
import { postgresSearch } from './text-search.js';
import { DatabaseUnavailable, notAcquired, unavailable } from './unavailable.js';

/**
 * TCP keep-alive, to notice a server that disappeared without closing the connection.
 * By default the operating system waits two hours before it checks.
 */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
/** A listening connection is silent. A query at this interval notices when it is broken. */
const PING_MS = 30_000;

export function openPostgres(
  { url, prepares }: Extract<DatabaseAddress, { client: 'postgres' }>,
  log: Knex.Logger,
): Database {
  // Type 20 is bigint. Its columns hold byte counts below 2^53, so a number is exact.
  pg.types.setTypeParser(20, Number);
  const run = prepares ? runPrepared : runUnprepared;
  const pool = knex({
    client: asKnexClient(prepares ? PreparingClient : PostgresClient),
    connection: { connectionString: url, application_name: 'moorage', ...KEEP_ALIVE },
    pool: { min: 0, max: 10, afterCreate: setUpPostgres },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    compileSqlOnError: false,
    log,
  });
  return {
    client: 'postgres',
    read: pool,
    write: pool,
    snapshot: (work) =>
      pool.transaction(work, { isolationLevel: 'repeatable read', readOnly: true }),
    statements: new Statements({ read: pool, write: pool }, dialectOf(run)),
    phrases: postgresPhrases,
    search: postgresSearch,
    byCodePoint: (column) => `${column} collate "C"`,
    lockRows: (query, { keys = false } = {}) => (keys ? query.forUpdate() : query.forNoKeyUpdate()),
    skipLocked: 'for update skip locked',
    waitLocked: 'for update',
    allowIdleTransaction: async (trx) =>
      void (await trx.raw('set local idle_in_transaction_session_timeout = 0')),
    notifying: (insert, channel) =>
      `with added as (${insert} returning id)` +
      ` select pg_notify('${channel}', id::text) from added`,
    listen: (channel, onMessage, onLost) => listenOn(url, channel, onMessage, onLost),
    close: () => pool.destroy(),
  };
}

/** The server ends a transaction that is idle for this time. */
const IDLE_TRANSACTION_MS = 60_000;

/**
 * Settings of each connection.
 * - `lock_timeout`: a statement waits for a lock as long as a request waits for a connection.
 * - `jit`: visibility conditions look expensive to PostgreSQL. It would compile them for a second
 *   and then run them for milliseconds.
 * - idle time-out, keep-alive: a host that disappears holds its locks until the server notices. By
 *   default that takes two hours.
 */
const PER_CONNECTION = [
  `lock_timeout = ${ACQUIRE_TIMEOUT_MS}`,
  'jit = off',
  `idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`,
  'tcp_keepalives_idle = 10',
  'tcp_keepalives_interval = 10',
  'tcp_keepalives_count = 3',
]
  .map((setting) => `set ${setting}`)
  .join('; ');

function setUpPostgres(
  connection: { query(sql: string, done: (error: Error | null) => void): void },
  done: (error: Error | null, connection: unknown) => void,
) {
  connection.query(PER_CONNECTION, (error) => done(error, connection));
}

async function listenOn(
  url: string,
  channel: string,
  onMessage: (payload: string) => void,
  onLost: () => void,
): Promise<Listening> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'moorage events',
    ...KEEP_ALIVE,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    query_timeout: ACQUIRE_TIMEOUT_MS,
  });
  let state: 'starting' | 'listening' | 'over' = 'starting';
  const ping = setInterval(
    () => void client.query('select 1').catch(() => onEnd()),
    PING_MS,
  ).unref();
  const end = () => {
    state = 'over';
    clearInterval(ping);
    return client.end().catch(() => undefined);
  };
  const onEnd = () => {
    if (state === 'over') return;
    // While it starts, the rejected promise reports the failure.
    const started = state === 'listening';
    void end();
    if (started) onLost();
  };
  client.on('notification', ({ payload }) => onMessage(payload ?? ''));
  client.on('error', onEnd);
  client.on('end', onEnd);
  try {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    // One packet can contain the answer and the end of the connection.
    if (state !== 'starting') throw new Error('Connection terminated');
  } catch (error) {
    await end();
    throw new DatabaseUnavailable(error);
  }
  state = 'listening';
  return { close: end };
}

class PostgresTransaction extends PgTransaction {
  override query(...args: Parameters<KnexTransaction['query']>): unknown {
    keepFirstError(this, args);
    return super.query(...args);
  }
}

class PostgresClient extends PgClient {
  transaction(...args: unknown[]) {
    return new PostgresTransaction(this, ...args);
  }

  override acquireConnection(): Promise<unknown> {
    return super.acquireConnection().catch(notAcquired);
  }

  override _query(connection: PostgresConnection, query: Query): Promise<Query> {
    const run = () => super._query(connection, query).catch(unavailable(isUnavailable));
    const { queryContext } = query;
    return queryContext
      ? untilEnded({ client: queryContext.client, ...ending(connection) }, run)
      : run();
  }
}

/** Lists of values have another text for each length, so longer ones are not prepared. */
const MAX_VALUES = 50;
const reusable = /^\s*(select|insert|update|delete|with)\b/i;

/**
 * Prepares each statement once per connection. PostgreSQL would plan the text of a query again each
 * time, which takes ten times as long as to run it.
 */
class PreparingClient extends PostgresClient {
  override async _query(connection: PostgresConnection, query: Query): Promise<Query> {
    const { sql, bindings = [], options = {} } = query;
    if (Object.keys(options).length > 0 || bindings.length > MAX_VALUES || !reusable.test(sql))
      return super._query(connection, query);
    const [{ columns, rows, command, rowCount }] = (await runPrepared(connection, [
      { text: sql, values: bindings },
    ]).catch(unavailable(isUnavailable))) as [Result];
    const objects = rows.map((values) => {
      const row: { [column: string]: unknown } = {};
      for (let index = 0; index < values.length; index += 1)
        row[columns[index]?.name ?? ''] = values[index];
      return row;
    });
    return Object.assign(query, { response: { command, rowCount, rows: objects } });
  }
}

const ending = (connection: PostgresConnection) => ({
  cancel: () => cancelStatement(connection),
  mostMs: STATEMENT_MS,
});

const dialectOf = (run: typeof runPrepared): Dialect<PostgresConnection> => ({
  columns:
    '(select table_name as "table", column_name as "column" from information_schema.columns' +
    ' where table_schema = current_schema()) as columns',
  textOf: (sql) => positioned(sql),
  async run(connection, statements, _inTransaction, report) {
    const reports = statements.map(report);
    const results = await run(connection, statements).catch(unavailable(isUnavailable));
    return results.map(({ rowCount, rows }, index) => {
      const done = { count: rowCount, rows };
      reports[index]?.(done);
      return done;
    });
  },
  ending,
});

/** knex writes `?` for each value, PostgreSQL expects `$1`, `$2` and so on. */
function positioned(sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => `$${(count += 1)}`);
}

/**
 * SQLSTATE codes (PostgreSQL manual, appendix A) and system errors after which a later try can
 * succeed.
 */
const TEMPORARY = new RegExp(
  `^(${[
    '55P03', // lock_not_available
    '40P01', // deadlock_detected
    '40001', // serialization_failure
    '57014', // query_canceled
    '57P0[1-3]', // the server stops, has crashed, or starts
    '25P03', // idle_in_transaction_session_timeout
    '53100', // disk_full
    '53300', // too_many_connections
    '25006', // read_only_sql_transaction
    '08\\w{3}', // connection exceptions
    ...STALE_STATEMENT,
    'ECONN\\w+',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENETDOWN',
  ].join('|')})$`,
);
const CONNECTION_LOST =
  /^(Connection terminated|Client (was closed|has encountered a connection error))/;

const isUnavailable = (error: unknown) => {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return TEMPORARY.test(code) || CONNECTION_LOST.test(message);
};
