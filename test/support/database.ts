/** Creates a separate database for each test file. */
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { test } from './jest.js';
import { TEMPLATES } from './postgres.js';

declare const DATABASE: 'sqlite' | 'postgres' | 'none';
export const databaseKind = (): 'sqlite' | 'postgres' =>
  DATABASE === 'postgres' ? 'postgres' : 'sqlite';

/** `test` for one kind of database only. With the other kind it defines no test. */
export const on = (
  kind: 'sqlite' | 'postgres',
): ((name: string, run: () => Promise<void>) => void) =>
  databaseKind() === kind ? (name, run) => test(name, run) : () => undefined;

interface Place {
  /** A value of `DATABASE_URL`. */
  url: string;
  /** For files. */
  folder: string;
}

/** An empty database, by default of the tested kind. */
export const freshDatabase = (kind = databaseKind()): Promise<Place> => makeDatabase('empty', kind);

/**
 * A copy of a database with all migrations, because they take longer than most tests.
 * Without such a database it is empty. The server of the test then applies them.
 */
export const migratedDatabase = (): Promise<Place> => makeDatabase('migrated', databaseKind());

async function makeDatabase(
  template: keyof typeof TEMPLATES,
  kind: 'sqlite' | 'postgres',
): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-test-'));
  if (kind === 'sqlite') {
    const file = join(folder, 'moorage.sqlite3');
    const migrated = process.env['MOORAGE_TEST_SQLITE'];
    if (template === 'migrated' && migrated) copyFileSync(migrated, file);
    return { url: `sqlite:${file}`, folder };
  }
  const server = new URL(process.env['MOORAGE_TEST_POSTGRES']!);
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
  await admin.query(`create database ${name} template ${TEMPLATES[template]}`);
  await admin.end();
  server.pathname = `/${name}`;
  return { url: server.href, folder };
}
