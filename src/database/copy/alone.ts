/** Demands that no other process of the service uses a database. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Database } from '../database.js';
import { ACQUIRE_TIMEOUT_MS } from '../knex-internals.js';
import { MIGRATION_LOCK } from '../migrations.js';
import { isBusy } from '../sqlite.js';

const AGAIN_MS = 200;

/**
 * Keeps other processes out while `work` runs. An SQLite database must be opened with `alone`.
 * A server that starts on PostgreSQL meanwhile waits, as it does for migrations.
 */
export async function keepOthersOut<T>(db: Database, work: () => Promise<T>): Promise<T> {
  if (db.client === 'sqlite') {
    await demandAlone(db);
    return work();
  }
  return db.write.transaction(async (trx) => {
    await db.allowIdleTransaction(trx);
    const { rows } = await trx.raw<{ rows: { locked: boolean }[] }>(
      'select pg_try_advisory_xact_lock(?) as locked',
      [MIGRATION_LOCK],
    );
    if (!rows[0]?.locked) throw inUse('it is migrated or copied at the moment');
    await demandAlone({ ...db, write: trx, read: trx });
    return work();
  });
}

/**
 * Waits some seconds: a process that was stopped or killed can be connected for a moment.
 * @throws Error if other processes are connected, or if a lease is not over
 */
export async function demandAlone(db: Database): Promise<void> {
  if (db.client === 'sqlite') {
    try {
      await db.write.raw('select 1');
    } catch (error) {
      throw isBusy((error as Error).cause) ? inUse('another process has the file open') : error;
    }
    return;
  }
  for (const end = Date.now() + ACQUIRE_TIMEOUT_MS; ; await sleep(AGAIN_MS)) {
    const reason = await whyInUse(db.write);
    if (reason === undefined) return;
    if (Date.now() > end) throw inUse(reason);
  }
}

async function whyInUse(db: Knex): Promise<string | undefined> {
  // A transaction remembers what it has seen of the activity.
  await db.raw('select pg_stat_clear_snapshot()');
  const { rows: others } = await db.raw<{ rows: { pid: number; host: string | null }[] }>(
    `select pid, host(client_addr) as host from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
      and application_name in ('moorage', 'moorage events') order by pid`,
  );
  if (others[0]) {
    const { pid, host } = others[0];
    return `a process of Moorage is connected (${others.length} connections, the first from ${host ?? 'this host'} with the backend ${pid})`;
  }
  // Poolers can hide connections.
  const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(
    `select table_name as name from information_schema.columns
      where table_schema = current_schema() and column_name in ('lease_token', 'lease_until')
      group by table_name having count(*) = 2`,
  );
  for (const { name } of tables) {
    const held: { until: string }[] = await db(name)
      .select('lease_until as until')
      .whereNotNull('lease_token')
      .where('lease_until', '>', new Date().toISOString())
      .limit(1);
    if (held[0]) return `a process works on ${name} until ${held[0].until}`;
  }
  return undefined;
}

const inUse = (reason: string) =>
  new Error(`The database is in use: ${reason}. Stop all processes first.`);
