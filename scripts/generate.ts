/** Writes the generated files: schema.graphql, the typed documents of the REST layer, docs/interface.md and docs/licences.md. `--check` only compares. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import { buildSchema, parse } from 'graphql';
import { printedSchema } from '../src/graphql/schema.js';
import { ownMemberNames } from '../src/storages/types.js';
import { interfacePage } from './interface-page.js';
import { licencesPage } from './licences-page.js';

const root = new URL('../', import.meta.url);
const restFolder = new URL('src/rest/documents/', root);

/** What each type of storage has for itself, all in one fragment. */
const storageMembers = `fragment StorageOwnMembers on Storage { ${ownMemberNames.join(' ')} }`;

async function typedDocuments(schemaText: string): Promise<string> {
  const names = readdirSync(restFolder)
    .filter((name) => name.endsWith('.graphql'))
    .sort();
  const config = {
    useTypeImports: true,
    skipTypename: true,
    enumsAsTypes: true,
    onlyOperationTypes: true,
    documentMode: 'documentNode',
    optimizeDocumentNode: true,
    inlineFragmentTypes: 'inline',
    dedupeFragments: true,
    scalars: {
      ID: 'string',
      DateTime: 'string',
      Upload: 'import("../../http/incoming-file.js").IncomingFile',
    },
  } as const;
  const text = await codegen({
    filename: 'documents.ts',
    schema: parse(schemaText),
    schemaAst: buildSchema(schemaText),
    documents: [
      ...names.map((name) => ({
        location: name,
        document: parse(readFileSync(new URL(name, restFolder), 'utf8')),
      })),
      { location: 'types of storages', document: parse(storageMembers) },
    ],
    config,
    plugins: [{ operations: {} }, { documents: {} }],
    pluginMap: { operations, documents: typedDocumentNode },
  });
  return `/* Generated from schema.graphql and the .graphql files beside this one: npm run generate */\n${text}`;
}

const schemaText = printedSchema();
const files = [
  { url: new URL('schema.graphql', root), text: schemaText },
  { url: new URL('index.ts', restFolder), text: await typedDocuments(schemaText) },
  { url: new URL('docs/interface.md', root), text: interfacePage() },
  { url: new URL('docs/licences.md', root), text: licencesPage(root) },
];
let stale = 0;
for (const { url, text } of files) {
  let present = '';
  try {
    present = readFileSync(url, 'utf8');
  } catch {
    // not there yet
  }
  if (present === text) continue;
  if (process.argv.includes('--check')) {
    console.error(`${fileURLToPath(url)} is stale: run npm run generate`);
    stale += 1;
  } else writeFileSync(url, text);
}
process.exit(stale === 0 ? 0 : 1);
