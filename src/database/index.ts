/** Opens the database that the configuration names. */
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Database, DatabaseAddress } from './database.js';
import { openPostgres } from './postgres.js';
import { openSqlite } from './sqlite.js';

export type { Database, DatabaseAddress, Listening } from './database.js';
export { MIN_INDEXED, type Groups, type Sql } from './text-search.js';
export { LIMIT, OFFSET, Parameter, type Statement, type Values } from './statements.js';

/** Opens the pools. On SQLite, the first connection creates the file and its folder. */
export function openDatabase(address: DatabaseAddress, logger: Logger): Database {
  // Without this, knex writes its warnings to standard output.
  const log: Knex.Logger = {
    debug: () => undefined,
    deprecate: () => undefined,
    warn: (message: unknown) => logger.warn({ from: 'knex' }, String(message)),
    error: (message: unknown) => logger.error({ from: 'knex' }, String(message)),
  };
  return address.client === 'sqlite' ? openSqlite(address, log) : openPostgres(address, log);
}
