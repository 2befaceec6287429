/** Writes the generated files: the schema, the typed documents of the REST layer, pages below docs/reference, and .env.example. `--check` only compares. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import { buildSchema, Kind, parse, type DocumentNode, type FragmentDefinitionNode } from 'graphql';
import { profiles, type Profile } from '../src/contract/profiles.js';
import { printedSchema } from '../src/graphql/schema.js';
import { ownMemberNames } from '../src/storages/types.js';
import { apolloCache } from './apollo-cache.js';
import { documentTexts } from './document-texts.js';
import { errorsPage } from './errors-page.js';
import { interfacePage } from './interface-page.js';
import { licencesPage } from './licences-page.js';
import { permissionsPage } from './permissions-page.js';
import { envExample, settingsPage } from './settings-page.js';

const root = new URL('../', import.meta.url);
const restFolder = new URL('src/rest/documents/', root);

/** Reads a document. Its word `...StorageOwnMembers` stands for the own members of all types of storages. */
const documentIn = (name: string): DocumentNode =>
  parse(
    readFileSync(new URL(name, restFolder), 'utf8').replace(
      '...StorageOwnMembers',
      ownMemberNames.join('\n'),
    ),
  );

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
  const documents = names.map((name) => ({ location: name, document: documentIn(name) }));
  const text = await codegen({
    filename: 'documents.ts',
    schema: parse(schemaText),
    schemaAst: buildSchema(schemaText),
    documents,
    config,
    plugins: [{ operations: {} }, { documents: {} }],
    pluginMap: { operations, documents: typedDocumentNode },
  });
  return [
    '/* Generated from schema.graphql and the .graphql files beside this one: npm run generate */',
    text,
    memberPickers(documents.map(({ document }) => document)),
  ].join('\n');
}

/**
 * A function for each fragment `XMembers`, which picks its members from a result that has more.
 * Naming the members is 50 times as fast as a rest element, which matters for long lists.
 */
const memberPickers = (documents: DocumentNode[]): string =>
  documents
    .flatMap(({ definitions }) => definitions)
    .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
    .filter(({ name }) => name.value.endsWith('Members'))
    .map(memberPicker)
    .join('\n');

function memberPicker({ name: { value: fragment }, selectionSet }: FragmentDefinitionNode): string {
  const members = selectionSet.selections.map((selection) => {
    if (selection.kind !== Kind.FIELD) throw new Error(`${fragment} must list its members itself.`);
    const { value } = selection.alias ?? selection.name;
    return `${value}: of.${value}`;
  });
  const type = `${fragment}Fragment`;
  const picker = `${fragment[0]!.toLowerCase()}${fragment.slice(1)}`;
  return `export const ${picker} = (of: ${type}): ${type} => ({ ${members.join(', ')} });\n`;
}

const checking = process.argv.includes('--check');
let stale = 0;
function generated(path: string, text: string): void {
  const url = new URL(path, root);
  if (existsSync(url) && readFileSync(url, 'utf8') === text) return;
  if (checking) {
    console.error(`${fileURLToPath(url)} is stale: run npm run generate`);
    stale += 1;
  } else writeFileSync(url, text);
}

const schemaText = printedSchema();
generated('schema.graphql', schemaText);
generated('src/rest/documents/index.ts', await typedDocuments(schemaText));
generated('client/src/apollo.ts', apolloCache(schemaText));
for (const [folder, library] of [
  ['client/src/documents/', '../document.js'],
  ['web/src/documents/', 'moorage-client'],
] as const)
  if (existsSync(new URL(folder, root)))
    generated(`${folder}index.ts`, await documentTexts(schemaText, new URL(folder, root), library));
generated('docs/reference/interface.md', interfacePage());
generated('docs/reference/licences.md', licencesPage(root));
generated('docs/reference/settings.md', settingsPage());
generated('.env.example', envExample());
generated('docs/reference/errors.md', errorsPage());
generated('docs/reference/permissions.md', permissionsPage());

// Imported here, because it uses the documents that were just written.
const { openApi } = await import('../openapi/index.js');
const described = (profile: Profile): string => `${JSON.stringify(openApi(profile), null, 2)}\n`;
for (const profile of Object.values(profiles))
  generated(`openapi/generated/${profile.name}.json`, described(profile));

process.exit(stale === 0 ? 0 : 1);
