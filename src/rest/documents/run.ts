/** The bridge: every REST operation runs a document against the schema, in process. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { validate, type DocumentNode } from 'graphql';
import type { Context } from '../../context.js';
import { compile, type Executable, type Variables } from '../../graphql/execute.js';
import { schema } from '../../graphql/schema.js';

const executables = new Map<DocumentNode, Executable>();

/** Runs a document. @throws the error of the action or policy that refused */
export async function run<Result, Input>(
  context: Context,
  document: TypedDocumentNode<Result, Input>,
  variables: Input,
): Promise<Result> {
  const { data, errors } = await executable(document)(context, variables as Variables);
  if (errors?.length) throw errors[0]!.originalError ?? errors[0];
  return data as Result;
}

/** Validates and compiles documents ahead of the first request; a document that does not fit the schema stops the start. */
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
