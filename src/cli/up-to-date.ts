/** Runs something that changes nothing, not even the schema, with the configured services. */
import { migrationStatus } from '../database.js';
import { withServices } from './services.js';

/** @throws where migrations are pending */
export const withMigratedServices: typeof withServices = (use) => withServices(async (services) => {
  const { pending } = await migrationStatus(services.db);
  if (pending.length > 0) throw new Error(`The database is not up to date (pending: ${pending.join(', ')}): run \`moorage migrate\` first.`);
  return use(services);
}, { migrated: false });
