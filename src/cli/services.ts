/** Opens the configured services for a command, and closes them afterwards. */
import { pino } from 'pino';
import { COMMAND } from '../audit/record.js';
import type { Config } from '../config.js';
import { limitFileAccess } from '../config/file-access.js';
import { openDatabase, type Database } from '../database/index.js';
import { migrate } from '../database/migrations.js';
import { openServices } from '../services.js';
import { readConfigWithDrive } from './demo-drive.js';

type Services = ReturnType<typeof openServices>;

/** The level `info`, which is for servers, becomes `warn`: a command prints a result. */
const openLog = ({ logLevel }: Config) =>
  pino({ level: logLevel === 'info' ? 'warn' : logLevel }, pino.destination(2));

/** For actions that the audit records. */
export const byCommand = <S extends object>(services: S) => ({ ...services, actor: COMMAND });

export async function withServices<T>(
  use: (services: Services) => Promise<T>,
  { migrated = true } = {},
): Promise<T> {
  const config = readConfigWithDrive();
  const services = openServices(config, openLog(config));
  try {
    if (migrated) await migrate(services.db);
    return await use(services);
  } finally {
    await services.close();
  }
}

/** Opens only the database. Nothing is created, also no secret key. */
export async function withDatabase<T>(
  config: Config,
  use: (db: Database) => Promise<T>,
): Promise<T> {
  limitFileAccess(config);
  const db = openDatabase(config.database, openLog(config));
  try {
    return await use(db);
  } finally {
    await db.close();
  }
}
