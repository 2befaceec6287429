/**
 * Opens the configured services without migrations, for commands that must not change the schema.
 */
import { existsSync } from 'node:fs';
import { readConfig, type Config } from '../config.js';
import { migrationStatus } from '../database/migrations.js';
import { withDatabase, withServices } from './services.js';

/** @throws when the database is missing or has pending migrations; nothing is created */
export const withMigratedServices: typeof withServices = async (use) => {
  const { pending } = await statusOf(readConfig(process.env));
  if (pending.length > 0)
    throw new Error(
      `The database is not up to date (pending: ${pending.join(', ')}): ` +
        'run `moorage migrate` first.',
    );
  return withServices(use, { migrated: false });
};

/** @throws when the database is missing */
export async function statusOf(config: Config): ReturnType<typeof migrationStatus> {
  demandFile(config);
  return withDatabase(config, migrationStatus);
}

/** Opening an SQLite database creates its file, so check it first. @throws when it is missing */
export function demandFile({ database }: Config): void {
  if (database.client === 'sqlite' && !existsSync(database.file))
    throw new Error(
      `There is no file ${database.file} yet. Run \`moorage migrate\`, or start \`moorage serve\`.`,
    );
}
