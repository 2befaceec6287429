/** `moorage migrate [--status]` */
import { readConfig } from '../../config.js';
import { migrate } from '../../database/migrations.js';
import type { Run } from '../command.js';
import { print } from '../output.js';
import { withDatabase } from '../services.js';
import { statusOf } from '../up-to-date.js';

export const migrateCommand: Run<{ status?: true }> = async ({ status: isAsked, json }) => {
  const config = readConfig(process.env);
  if (isAsked) {
    const status = await statusOf(config);
    print(json, status, () =>
      [
        ...status.applied.map((name) => `applied  ${name}`),
        ...status.pending.map((name) => `pending  ${name}`),
      ].join('\n'),
    );
    return;
  }
  const applied = await withDatabase(config, migrate);
  print(json, { applied }, () =>
    applied.length > 0
      ? applied.map((name) => `applied  ${name}`).join('\n')
      : 'The database is up to date.',
  );
};
