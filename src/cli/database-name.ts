/** Names a database in messages. */
import type { DatabaseAddress } from '../database/index.js';

/** The query of a PostgreSQL address is left out: it may have a password. */
export function databaseName(address: DatabaseAddress): string {
  if (address.client === 'sqlite') return `SQLite in ${address.file}`;
  const { host, pathname } = new URL(address.url);
  return `PostgreSQL at ${host}${pathname}`;
}
