/** Two equal databases, one for the server and one for the bare program. */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../test/support/postgres.js';
import { seed } from './seed.js';

export type DatabaseKind = 'sqlite' | 'postgres';

export interface Pair {
  ours: string;
  bare: string;
  stop(): Promise<void>;
}

export const makeDatabases = (kind: DatabaseKind, folder: string): Promise<Pair> =>
  kind === 'sqlite' ? sqlitePair(folder) : postgresPair();

async function sqlitePair(folder: string): Promise<Pair> {
  const files = { ours: join(folder, 'ours.sqlite3'), bare: join(folder, 'bare.sqlite3') };
  await seed(`sqlite:${files.ours}`);
  // The last connection that closes moves the write-ahead log into the file.
  if (existsSync(`${files.ours}-wal`)) throw new Error('The seeded database is still open.');
  copyFileSync(files.ours, files.bare);
  return {
    ours: `sqlite:${files.ours}`,
    bare: `sqlite:${files.bare}`,
    stop: async () => undefined,
  };
}

async function postgresPair(): Promise<Pair> {
  const server = await startPostgres();
  try {
    const named = (name: string) =>
      Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    try {
      await admin.query('create database bench_ours');
      await seed(named('bench_ours'));
      await admin.query('create database bench_bare template bench_ours');
    } finally {
      await admin.end();
    }
    return { ours: named('bench_ours'), bare: named('bench_bare'), stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
