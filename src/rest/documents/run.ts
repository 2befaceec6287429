/** Runs the GraphQL documents of the REST operations, in process. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { validate, type DocumentNode } from 'graphql';
import type { Context } from '../../context.js';
import { dataOf, planFor, type Variables } from '../../graphql/execute.js';
import { schema } from '../../graphql/schema.js';

/** Fields of the root are null with an error only, and an error becomes the answer. */
type WithoutErrors<Result> = { [field in keyof Result]: NonNullable<Result[field]> };

/** Runs a document. @throws the first error, such as an ApiError of an action */
export const run = <Result, Input>(
  context: Context,
  document: TypedDocumentNode<Result, Input>,
  variables: Input,
): Promise<WithoutErrors<Result>> =>
  dataOf(document, context, variables as Variables) as Promise<WithoutErrors<Result>>;

/**
 * Validates documents before the first request, and makes their plans.
 * @throws GraphQLError for an invalid document, which stops the start
 */
export function prepare(documents: Iterable<DocumentNode>): void {
  for (const document of documents) {
    const [violation] = validate(schema, document);
    if (violation) throw violation;
    planFor(document);
  }
}
