/** `moorage schema print` */
import { parseArgs } from 'node:util';
import { printedSchema } from '../../graphql/schema.js';
import type { Run } from '../command.js';
import { UsageError } from '../exit-statuses.js';
import { print } from '../output.js';

export const schemaCommand: Run = async (args) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  });
  if (positionals.join(' ') !== 'print') throw new UsageError('schema takes print.');
  print(values.json, { schema: printedSchema() }, () => printedSchema().trimEnd());
};
