/** Runs something with the configured services and closes them. */
import { pino } from 'pino';
import { readConfig, type Config } from '../config.js';
import { migrate, openDatabase, type Database } from '../database.js';
import { openServices } from '../services.js';

type Services = ReturnType<typeof openServices>;

const openLog = () => pino({ level: 'warn' }, pino.destination(2));

export async function withServices<T>(use: (services: Services) => Promise<T>, { migrated = true } = {}): Promise<T> {
  const services = openServices(readConfig(process.env), openLog());
  try {
    if (migrated) await migrate(services.db);
    return await use(services);
  } finally {
    await services.close();
  }
}

/** The database alone: nothing else is opened or made, no key either. */
export async function withDatabase<T>({ database }: Config, use: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(database, openLog());
  try {
    return await use(db);
  } finally {
    await db.close();
  }
}
