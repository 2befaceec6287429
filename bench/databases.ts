/** A database with the same rows for each measured program. */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../test/support/postgres.js';
import { postmasterOf } from './database-cpu.js';
import { PEER_SCHEMA, type SubjectName } from './programs.js';
import { seed } from './seed.js';

export type DatabaseKind = 'sqlite' | 'postgres';

export interface Databases {
  ours: string;
  bare: string;
  /** Absent on SQLite, which PostGraphile does not know. */
  postgraphile?: string;
  /** The process id of the PostgreSQL server. */
  postmaster?: number;
  /** Removes old versions of rows, as PostgreSQL does by itself outside of benchmarks. */
  vacuum(): Promise<void>;
  stop(): Promise<void>;
}

/** @param fill writes the rows into the database with this address */
export const makeDatabases = (
  kind: DatabaseKind,
  folder: string,
  fill = seed,
): Promise<Databases> =>
  kind === 'sqlite' ? sqliteDatabases(folder, fill) : postgresDatabases(fill);

async function sqliteDatabases(folder: string, fill: typeof seed): Promise<Databases> {
  const files = { ours: join(folder, 'ours.sqlite3'), bare: join(folder, 'bare.sqlite3') };
  await fill(`sqlite:${files.ours}`);
  // The last connection that closes moves the write-ahead log into the file.
  if (existsSync(`${files.ours}-wal`)) throw new Error('The seeded database is still open.');
  copyFileSync(files.ours, files.bare);
  return {
    ours: `sqlite:${files.ours}`,
    bare: `sqlite:${files.bare}`,
    vacuum: async () => undefined,
    stop: async () => undefined,
  };
}

const PEER_TABLES = ['attachments', 'users', 'work_packages', 'projects'];

async function postgresDatabases(fill: typeof seed): Promise<Databases> {
  const server = await startPostgres();
  try {
    const urlOf = (name: SubjectName) =>
      Object.assign(new URL(server.url), { pathname: `/bench_${name}` }).href;
    await query(server.url, 'create database bench_ours');
    await fill(urlOf('ours'));
    for (const name of ['bare', 'postgraphile'] as const)
      await query(server.url, `create database bench_${name} template bench_ours`);
    await query(
      urlOf('postgraphile'),
      `create schema ${PEER_SCHEMA}`,
      // The tables keep their rows, indexes and statistics.
      ...PEER_TABLES.map((table) => `alter table ${table} set schema ${PEER_SCHEMA}`),
      // PostGraphile offers a list only with an index that has all rows.
      `create index on ${PEER_SCHEMA}.attachments (work_package_id)`,
      `analyze ${PEER_SCHEMA}.attachments`,
    );
    return {
      ours: urlOf('ours'),
      bare: urlOf('bare'),
      postgraphile: urlOf('postgraphile'),
      postmaster: await postmasterOf(server.url),
      vacuum: async () => {
        for (const name of ['ours', 'bare', 'postgraphile'] as const)
          await query(urlOf(name), 'vacuum');
      },
      stop: () => server.stop(),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function query(url: string, ...texts: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const text of texts) await client.query(text);
  } finally {
    await client.end();
  }
}
