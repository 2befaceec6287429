/** Creates a separate database for each test file. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { test } from './jest.js';
import { TEMPLATE } from './postgres.js';

declare const DATABASE: 'sqlite' | 'postgres' | 'none';
export const databaseKind = (): 'sqlite' | 'postgres' =>
  DATABASE === 'postgres' ? 'postgres' : 'sqlite';

/** `test` for one kind of database only. With the other kind it defines no test. */
export const on = (
  kind: 'sqlite' | 'postgres',
): ((name: string, run: () => Promise<void>) => void) =>
  databaseKind() === kind ? (name, run) => test(name, run) : () => undefined;

/** @returns the `DATABASE_URL` of an empty database of the tested kind, and a folder for files */
export async function freshDatabase(): Promise<{ url: string; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-test-'));
  if (databaseKind() === 'sqlite')
    return { url: `sqlite:${join(folder, 'moorage.sqlite3')}`, folder };
  const server = new URL(process.env['MOORAGE_TEST_POSTGRES']!);
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
  await admin.query(`create database ${name} template ${TEMPLATE}`);
  await admin.end();
  server.pathname = `/${name}`;
  return { url: server.href, folder };
}
