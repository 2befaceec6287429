/** Two databases with the same rows: as the older commit has made it, and the same migrated to this one. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../test/support/postgres.js';
import type { DatabaseKind } from '../databases.js';
import { seedOlder } from './older.js';
import { addRows, migrateToThis } from './rows.js';

interface Versions {
  older: string;
  newer: string;
  stop(): Promise<void>;
}

export async function makeVersions(
  kind: DatabaseKind,
  folder: string,
  checkout: string,
): Promise<Versions> {
  if (kind === 'sqlite') {
    const [older, newer] = [join(folder, 'older.sqlite3'), join(folder, 'newer.sqlite3')];
    seedOlder(checkout, `sqlite:${older}`);
    await addRows(`sqlite:${older}`);
    copyFileSync(older, newer);
    await migrateToThis(`sqlite:${newer}`);
    return { older: `sqlite:${older}`, newer: `sqlite:${newer}`, stop: async () => undefined };
  }
  const server = await startPostgres();
  try {
    const urlOf = (name: string) => Object.assign(new URL(server.url), { pathname: name }).href;
    await query(server.url, 'create database older');
    seedOlder(checkout, urlOf('older'));
    await addRows(urlOf('older'));
    await query(server.url, 'create database newer template older');
    await migrateToThis(urlOf('newer'));
    return { older: urlOf('older'), newer: urlOf('newer'), stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
