/** Runs something that changes nothing, not even the schema, with the configured services. */
import { existsSync } from 'node:fs';
import { readConfig, type Config } from '../config.js';
import { migrationStatus } from '../database/migrations.js';
import { withDatabase, withServices } from './services.js';

/** @throws where the database is missing, or migrations are pending; then nothing was made */
export const withMigratedServices: typeof withServices = async (use) => {
  const { pending } = await statusOf(readConfig(process.env));
  if (pending.length > 0)
    throw new Error(
      `The database is not up to date (pending: ${pending.join(', ')}): run \`moorage migrate\` first.`,
    );
  return withServices(use, { migrated: false });
};

/** @throws where the database is missing */
export async function statusOf(config: Config): ReturnType<typeof migrationStatus> {
  demandFile(config);
  return withDatabase(config, migrationStatus);
}

/** Whoever opens SQLite's file makes it. @throws where there is none */
export function demandFile({ database }: Config): void {
  if (database.client === 'sqlite' && !existsSync(database.file))
    throw new Error(
      `There is no file ${database.file} yet. Run \`moorage migrate\`, or start \`moorage serve\`.`,
    );
}
