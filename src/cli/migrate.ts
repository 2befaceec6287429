/** `moorage migrate [--status]` */
import { parseArgs } from 'node:util';
import { migrate, migrationStatus } from '../database.js';
import type { Run } from './commands.js';
import { withServices } from './services.js';
import { print } from './usage.js';

export const migrateCommand: Run = async (args) => {
  const { values } = parseArgs({ args, options: { status: { type: 'boolean' }, json: { type: 'boolean' } } });
  await withServices(async ({ db }) => {
    if (values.status) {
      const status = await migrationStatus(db);
      print(values.json, status, () => [...status.applied.map((name) => `applied  ${name}`), ...status.pending.map((name) => `pending  ${name}`)].join('\n'));
      return;
    }
    const applied = await migrate(db);
    print(values.json, { applied }, () => (applied.length > 0 ? applied.map((name) => `applied  ${name}`).join('\n') : 'The database is up to date.'));
  }, { migrated: false });
};
