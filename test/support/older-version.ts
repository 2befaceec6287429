/** Databases as earlier versions left them. */
import { readdirSync } from 'node:fs';
import type { Knex } from 'knex';
import type { Database } from '../../src/database/index.js';

const migrations = new URL('../../migrations/', import.meta.url);

/** Applies the migrations up to a number, as an earlier version did. */
export async function upTo({ write }: Pick<Database, 'write'>, last: string): Promise<void> {
  await write.migrate.latest({
    migrationSource: {
      getMigrations: async () =>
        readdirSync(migrations)
          .filter((name) => name.endsWith('.js') && name.slice(0, 3) <= last)
          .sort(),
      getMigrationName: (name: string) => name,
      getMigration: (name: string) =>
        import(new URL(name, migrations).href) as Promise<Knex.Migration>,
    },
  });
}
