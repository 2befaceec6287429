/** Empty databases, one for each world. */
import pg from 'pg';
import { startPostgres } from '../../../support/postgres.js';

export interface Databases {
  /** @returns the address of a new one, or undefined for a SQLite file of the world */
  fresh(): Promise<string | undefined>;
  stop(): Promise<void>;
}

/** @param kind sqlite or postgres */
export async function openDatabases(kind: string): Promise<Databases> {
  if (kind === 'sqlite') return { fresh: async () => undefined, stop: async () => undefined };
  if (kind !== 'postgres') throw new Error(`There is no database ${kind}: sqlite or postgres.`);
  const server = await startPostgres();
  let made = 0;
  const fresh = async () => {
    const name = `world_${(made += 1)}`;
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query(`create database ${name}`);
    await admin.end();
    return Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
  };
  return { fresh, stop: () => server.stop() };
}
