/** Types own documents with GraphQL Code Generator: node generate.mjs ../../schema.graphql > generated/documents.ts */
import { readFileSync } from 'node:fs';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import { buildSchema, parse } from 'graphql';

const [schemaFile = ''] = process.argv.slice(2);
const schema = readFileSync(schemaFile, 'utf8');
const documents = readFileSync(new URL('files.graphql', import.meta.url), 'utf8');

process.stdout.write(
  await codegen({
    filename: 'documents.ts',
    schema: parse(schema),
    schemaAst: buildSchema(schema),
    documents: [{ location: 'files.graphql', document: parse(documents) }],
    // `string` needs no graphql at run time.
    config: {
      documentMode: 'string',
      useTypeImports: true,
      skipTypename: true,
      onlyOperationTypes: true,
      scalars: { ID: 'string', ByteCount: 'number', DateTime: 'string' },
    },
    plugins: [{ operations: {} }, { documents: {} }],
    pluginMap: { operations, documents: typedDocumentNode },
  }),
);
