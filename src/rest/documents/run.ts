/** Runs the GraphQL documents of the REST operations, in process. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { validate, type DocumentNode } from 'graphql';
import type { Context } from '../../context.js';
import { compile, type Executable, type Variables } from '../../graphql/execute.js';
import { schema } from '../../graphql/schema.js';

const executables = new Map<DocumentNode, Executable>();

/** Runs a document. @throws the first error, such as an ApiError of an action */
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
 * @throws GraphQLError for an invalid document, which stops the start
 */
export function prepare(documents: Iterable<DocumentNode>): void {
  for (const document of documents) executable(document);
}

function executable(document: DocumentNode): Executable {
  let found = executables.get(document);
  if (!found) {
    const [violation] = validate(schema, document);
    if (violation) throw violation;
    found = compile(document);
    executables.set(document, found);
  }
  return found;
}
