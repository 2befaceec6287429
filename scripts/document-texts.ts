/** Writes the typed texts of the GraphQL documents in a folder, for programs without `graphql`. */
import { readdirSync, readFileSync } from 'node:fs';
import { codegen } from '@graphql-codegen/core';
import * as operations from '@graphql-codegen/typescript-operations';
import {
  buildSchema,
  Kind,
  parse,
  print,
  stripIgnoredCharacters,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
} from 'graphql';

const config = {
  useTypeImports: true,
  skipTypename: true,
  enumsAsTypes: true,
  onlyOperationTypes: true,
  inlineFragmentTypes: 'inline',
  // A file is sent beside the variables. Its place in them is null.
  scalars: { ID: 'string', ByteCount: 'number', DateTime: 'string', Upload: 'null' },
} as const;

/**
 * @param library the module that exports `TypedText`
 * @returns TypeScript: the types of the operations, and a `TypedText` for each
 */
export async function documentTexts(
  schemaText: string,
  folder: URL,
  library: string,
): Promise<string> {
  const documents = readdirSync(folder)
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => ({
      location: name,
      document: parse(readFileSync(new URL(name, folder), 'utf8')),
    }));
  const types = await codegen({
    filename: 'index.ts',
    schema: parse(schemaText),
    schemaAst: buildSchema(schemaText),
    documents,
    config,
    plugins: [{ operations: {} }],
    pluginMap: { operations },
  });
  return [
    '/* Generated from schema.graphql and the .graphql files of `documents`: npm run generate */',
    `import { TypedText } from '${library}';`,
    types,
    ...texts(documents.map(({ document }) => document)),
    '',
  ].join('\n');
}

function texts(documents: DocumentNode[]): string[] {
  const definitions = documents.flatMap((document) => document.definitions);
  const fragments = new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  return definitions
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    .map((operation) => typedText(operation, fragments));
}

function typedText(
  operation: OperationDefinitionNode,
  fragments: Map<string, FragmentDefinitionNode>,
): string {
  if (!operation.name) throw new Error('Each operation needs a name.');
  const name = operation.name.value;
  const type =
    name +
    { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }[operation.operation];
  const text = stripIgnoredCharacters(
    [operation, ...used(operation, fragments)].map(print).join('\n'),
  );
  return `export const ${name}Document = /* @__PURE__ */ new TypedText<${type}, ${type}Variables>(${JSON.stringify(text)});`;
}

/** The fragments that an operation uses, also through other fragments. */
function used(
  operation: OperationDefinitionNode,
  fragments: Map<string, FragmentDefinitionNode>,
): Set<FragmentDefinitionNode> {
  const found = new Set<FragmentDefinitionNode>();
  const collect = (node: OperationDefinitionNode | FragmentDefinitionNode) =>
    visit(node, {
      FragmentSpread({ name: { value } }) {
        const fragment = fragments.get(value);
        if (!fragment) throw new Error(`No document has a fragment ${value}.`);
        if (found.has(fragment)) return;
        found.add(fragment);
        collect(fragment);
      },
    });
  collect(operation);
  return found;
}
