/** An empty database for a run: a file, or a database of a PostgreSQL server. */
import { join } from 'node:path';
import pg from 'pg';

interface Places {
  /** For files of SQLite. */
  folder: string;
  /** Address of the database `postgres` of the server. */
  postgresUrl: string;
}

/** @returns a value of `DATABASE_URL` */
export async function freshDatabase(
  database: 'sqlite' | 'postgres',
  name: string,
  { folder, postgresUrl }: Places,
): Promise<string> {
  if (database === 'sqlite') return `sqlite:${join(folder, `${name}.sqlite3`)}`;
  const admin = new pg.Client({ connectionString: postgresUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return postgresUrl.replace(/\/postgres$/, `/${name}`);
}
