/** `moorage schema print` */
import { printedSchema } from '../../graphql/schema.js';
import type { Run } from '../command.js';
import { print } from '../output.js';

export const schemaCommand: Run = async ({ json }) => {
  print(json, { schema: printedSchema() }, () => printedSchema().trimEnd());
};
