/** Brings the schema of either database up to date. */
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import { demandComplete } from './copy/unfinished.js';
import type { Database } from './database.js';

export const MIGRATION_LOCK = 7_034_118_263_017;
const folder = fileURLToPath(new URL('../../migrations/', import.meta.url));

const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.js'))
      .sort(),
  getMigrationName: (name) => name,
  getMigration: (name) =>
    import(pathToFileURL(resolve(folder, name)).href) as Promise<Knex.Migration>,
};

/**
 * Applies all pending migrations in one transaction, so a killed process leaves no partial schema.
 * Processes that start together wait for the write lock (SQLite) or an advisory lock (PostgreSQL).
 * @returns the names of the applied migrations
 * @throws Error if the database is an unfinished copy
 */
export async function migrate(
  database: Database,
  { unfinishedCopy = false } = {},
): Promise<string[]> {
  return database.write.transaction(async (trx) => {
    if (database.client === 'postgres') {
      // Waits without limit: another process may be in a long migration.
      await trx.raw('set local lock_timeout = 0');
      await trx.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
    }
    if (!unfinishedCopy) await demandComplete(trx);
    const [, applied]: [batch: number, names: string[]] = await trx.migrate.latest({
      migrationSource,
      disableTransactions: true,
    });
    return applied;
  });
}

/**
 * @returns the names of applied and of pending migrations
 * @throws Error if the database is an unfinished copy
 */
export async function migrationStatus(
  database: Database,
): Promise<{ applied: string[]; pending: string[] }> {
  await demandComplete(database.read);
  const [applied, pending]: [{ name: string }[], string[]] = await database.write.migrate.list({
    migrationSource,
  });
  return { applied: applied.map(({ name }) => name), pending };
}
