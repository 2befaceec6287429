/** Runs GraphQL documents in process: every REST operation does that. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { validate, type DocumentNode } from 'graphql';
import type { Context } from '../../context.js';
import { compile, type Executable, type Variables } from '../../graphql/execute.js';
import { schema } from '../../graphql/schema.js';

const executables = new Map<DocumentNode, Executable>();

/** Runs a document. @throws the first error of an action or policy */
export async function run<Result, Input>(
  context: Context,
  document: TypedDocumentNode<Result, Input>,
  variables: Input,
): Promise<Result> {
  const { data, errors } = await executable(document)(context, variables as Variables);
  const [error] = errors ?? [];
  if (error) throw error.originalError ?? error;
  return data as Result;
}

/**
 * Validates and compiles documents before the first request.
 * @throws GraphQLError for a document that does not fit the schema, which stops the start
 */
export function prepare(documents: Iterable<DocumentNode>): void {
  for (const document of documents) executable(document);
}

function executable(document: DocumentNode): Executable {
  let found = executables.get(document);
  if (!found) {
    const [mistake] = validate(schema, document);
    if (mistake) throw mistake;
    found = compile(document);
    executables.set(document, found);
  }
  return found;
}
