/** PostgreSQL: the pool, its time limits, and notifications between processes. */
import knex, { type Knex } from 'knex';
import pg from 'pg';
import type { Database, Listening } from './database.js';
import {
  ACQUIRE_TIMEOUT_MS,
  keepFirst,
  PgClient,
  PgTransaction,
  type KnexTransaction,
  type Query,
} from './knex-internals.js';
import { DatabaseUnavailable, notAcquired, unavailable } from './unavailable.js';

/** A server that is gone without a word is noticed after so long without traffic; left to itself, the system waits two hours. */
const ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
/** Whoever only listens sends nothing, so it asks. */
const ASK_MS = 30_000;

export function openPostgres(url: string, log: Knex.Logger): Database {
  // bigint columns hold byte counts below 2^53
  pg.types.setTypeParser(20, Number);
  const pool = knex({
    client: PostgresClient as unknown as typeof Knex.Client,
    connection: { connectionString: url, application_name: 'moorage', ...ALIVE },
    pool: { min: 0, max: 10, afterCreate: setUpPostgres },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    compileSqlOnError: false,
    log,
  });
  return {
    client: 'postgres',
    read: pool,
    write: pool,
    lockRows: (query, { keys = false } = {}) =>
      (keys ? query.forUpdate() : query.forNoKeyUpdate()) as typeof query,
    skipLocked: 'for update skip locked',
    waitLocked: 'for update',
    unhurried: async (trx) =>
      void (await trx.raw('set local idle_in_transaction_session_timeout = 0')),
    notify: async (trx, channel, payload) =>
      void (await trx.raw('select pg_notify(?, ?)', [channel, payload])),
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
  hear: (payload: string) => void,
  lost: () => void,
): Promise<Listening> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'moorage events',
    ...ALIVE,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    query_timeout: ACQUIRE_TIMEOUT_MS,
  });
  let state: 'starting' | 'listening' | 'over' = 'starting';
  const asking = setInterval(
    () => void client.query('select 1').catch(() => broke()),
    ASK_MS,
  ).unref();
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

class PostgresTransaction extends PgTransaction {
  override query(...args: Parameters<KnexTransaction['query']>): unknown {
    keepFirst(this, args);
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

  override _query(connection: unknown, query: Query): Promise<Query> {
    return super._query(connection, query).catch(unavailable(isAway));
  }
}

/** A lock that did not come in time or never could, a server that stops, starts, is full or takes no writes, a disk that is full, a connection that broke (PostgreSQL, appendix A). */
const isAway = (error: unknown) => {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return (
    /^(55P03|40P01|40001|57P0[1-3]|25P03|53100|53300|25006|08\w{3}|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/.test(
      code,
    ) ||
    /^(Connection terminated|Client (was closed|has encountered a connection error))/.test(message)
  );
};
