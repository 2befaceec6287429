/** The commands by name. */
import { importCommand } from './import.js';
import { migrateCommand } from './migrate.js';
import { schemaCommand } from './schema.js';
import { serveCommand } from './serve.js';
import { tokenCommand } from './token.js';

export { UsageError } from './usage.js';

export interface Command {
  summary: string;
  /** @throws UsageError, ConfigError, or an error whose message is for the operator */
  run(args: string[]): Promise<void>;
}

export const commands: { [name: string]: Command } = {
  serve: serveCommand,
  migrate: migrateCommand,
  import: importCommand,
  token: tokenCommand,
  schema: schemaCommand,
};
