/**
 * Writes the generated files: the schema, .env.example, and all files in folders with the name `generated`.
 * `--check` only compares.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import { buildSchema, parse, type DocumentNode } from 'graphql';
import { containerKinds } from '../src/contract/container-kinds.js';
import { errorCodes } from '../src/contract/error-codes.js';
import { profiles, type Profile } from '../src/contract/profiles.js';
import { printedSchema } from '../src/graphql/schema.js';
import { ownMemberNames } from '../src/storages/types.js';
import { apolloCache } from './apollo-cache.js';
import { documentTexts } from './document-texts.js';
import { errorsPage } from './errors-page.js';
import { interfacePage } from './interface-page.js';
import { licencesPage } from './licences-page.js';
import { memberPickers } from './member-pickers.js';
import { permissionsPage } from './permissions-page.js';
import { envExample, settingsPage } from './settings-page.js';

const root = new URL('../', import.meta.url);
const restFolder = new URL('src/rest/documents/', root);

/** What words of documents stand for, because it comes from tables. */
const standIns = {
  '...StorageOwnMembers': ownMemberNames.join('\n'),
  '...NamesOfContainers': Object.entries(containerKinds)
    .flatMap(([type, kind]) =>
      'nameColumn' in kind ? [`... on ${type} { title: ${kind.nameColumn} }`] : [],
    )
    .join('\n'),
};

const documentIn = (name: string): DocumentNode =>
  parse(
    Object.entries(standIns).reduce(
      (text, [word, meaning]) => text.replace(word, meaning),
      readFileSync(new URL(name, restFolder), 'utf8'),
    ),
  );

const restDocuments = readdirSync(restFolder)
  .filter((name) => name.endsWith('.graphql'))
  .sort()
  .map((name) => ({ location: name, document: documentIn(name) }));

const FROM_DOCUMENTS =
  '/* Generated from schema.graphql and the .graphql files of `documents`: npm run generate */';

async function typedDocuments(schemaText: string): Promise<string> {
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
      ByteCount: 'number',
      DateTime: 'string',
      Upload: 'import("../../http/incoming-file.js").IncomingFile',
    },
  } as const;
  const text = await codegen({
    filename: 'documents.ts',
    schema: parse(schemaText),
    schemaAst: buildSchema(schemaText),
    documents: restDocuments,
    config,
    plugins: [{ operations: {} }, { documents: {} }],
    pluginMap: { operations, documents: typedDocumentNode },
  });
  return `${FROM_DOCUMENTS}\n${text}`;
}

const errorCodeType = (): string =>
  [
    '/* Generated from src/contract/error-codes.ts: npm run generate */',
    '/** The codes of the errors of the service. Later versions can have more. */',
    'export type ErrorCode =',
    ...Object.entries(errorCodes).map(([code, meaning]) => `  /** ${meaning} */\n  | '${code}'`),
  ].join('\n') + ';\n';

const checking = process.argv.includes('--check');
let stale = 0;
function report(url: URL): void {
  console.error(`${fileURLToPath(url)} is stale: run npm run generate`);
  stale += 1;
}

function write(path: string, text: string): void {
  const url = new URL(path, root);
  if (existsSync(url) && readFileSync(url, 'utf8') === text) return;
  if (checking) return report(url);
  mkdirSync(new URL('./', url), { recursive: true });
  writeFileSync(url, text);
}

/** The folders `generated` with the names of their files. */
const folders = new Map<string, string[]>();

/** @param place of the folder `generated` */
function generated(place: string, name: string, text: string): void {
  const folder = `${place}/generated/`;
  folders.set(folder, [...(folders.get(folder) ?? []), name]);
  write(folder + name, text);
}

const readdirIfAny = (folder: URL): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** Removes files that an earlier version wrote. */
function removeOthers(): void {
  for (const [folder, names] of folders)
    for (const name of readdirIfAny(new URL(folder, root))) {
      if (names.includes(name)) continue;
      const url = new URL(folder + name, root);
      if (checking) report(url);
      else rmSync(url, { recursive: true });
    }
}

const schemaText = printedSchema();
write('schema.graphql', schemaText);
write('.env.example', envExample());
generated('src/rest', 'documents.ts', await typedDocuments(schemaText));
generated(
  'src/rest',
  'members.ts',
  `${FROM_DOCUMENTS}\n${memberPickers(
    restDocuments.map(({ document }) => document),
    buildSchema(schemaText),
  )}`,
);
generated('client/src', 'apollo.ts', apolloCache(schemaText));
generated('client/src', 'error-codes.ts', errorCodeType());
for (const [place, library] of [
  ['client/src', '../document.js'],
  ['web/src', 'moorage-client'],
  // Its documents are in its own script, which only administrators load.
  ['web/src/administration', 'moorage-client'],
] as const) {
  const documents = new URL(`${place}/documents/`, root);
  generated(place, 'documents.ts', await documentTexts(schemaText, documents, library));
}
generated(
  'examples/own-documents',
  'documents.ts',
  execFileSync(process.execPath, ['examples/own-documents/generate.mjs', 'schema.graphql'], {
    cwd: root,
    encoding: 'utf8',
  }),
);
generated('docs/reference', 'interface.md', interfacePage());
generated('docs/reference', 'licences.md', licencesPage(root));
generated('docs/reference', 'settings.md', settingsPage());
generated('docs/reference', 'errors.md', errorsPage());
generated('docs/reference', 'permissions.md', permissionsPage());

// Imported here, because it uses the documents that were just written.
const { openApi } = await import('../openapi/index.js');
/** JSON with a line for each operation and each schema: half as long as with a line for each member. */
const inLines = (value: unknown, depth: number): string =>
  depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)
    ? JSON.stringify(value)
    : `{\n${Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${JSON.stringify(name)}:${inLines(member, depth - 1)}`)
        .join(',\n')}\n}`;
const described = (profile: Profile): string => `${inLines(openApi(profile), 3)}\n`;
for (const profile of Object.values(profiles))
  generated('openapi', `${profile.name}.json`, described(profile));
removeOthers();

process.exit(stale === 0 ? 0 : 1);
