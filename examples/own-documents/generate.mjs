/** Types own documents with GraphQL Code Generator: node generate.mjs > generated/documents.ts */
import { readFileSync } from 'node:fs';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import { buildSchema, parse } from 'graphql';
import * as moorage from 'moorage-client/codegen';

const [schemaFile = moorage.schema] = process.argv.slice(2);
const schema = readFileSync(schemaFile, 'utf8');
const documents = readFileSync(new URL('files.graphql', import.meta.url), 'utf8');

process.stdout.write(
  await codegen({
    filename: 'documents.ts',
    schema: parse(schema),
    schemaAst: buildSchema(schema),
    documents: [{ location: 'files.graphql', document: parse(documents) }],
    config: moorage.config,
    plugins: [{ operations: {} }, { documents: {} }],
    pluginMap: { operations, documents: typedDocumentNode },
  }),
);
