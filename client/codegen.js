/** Settings of GraphQL Code Generator, for documents that the client takes. */
import { fileURLToPath } from 'node:url';

export const schema = fileURLToPath(new URL('dist/schema.graphql', import.meta.url));

export const config = {
  // Texts need no graphql at run time.
  documentMode: 'string',
  useTypeImports: true,
  skipTypename: true,
  onlyOperationTypes: true,
  // A file is sent beside the variables. Its place in them is null.
  scalars: { ID: 'string', DateTime: 'string', ByteCount: 'number', Upload: 'null' },
};
