/** Runs the GraphQL documents of the REST operations, in process. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { DocumentNode } from 'graphql';
import type { Context } from '../../context.js';
import { dataOf, planFor, type Variables } from '../../graphql/execute.js';

/** Fields of the root are null with an error only, and an error becomes the answer. */
type WithoutErrors<Result> = { [field in keyof Result]: NonNullable<Result[field]> };

/** Runs a document in turn. @throws the first error, such as an ApiError of an action */
export const run = <Result, Input>(
  context: Context,
  document: TypedDocumentNode<Result, Input>,
  variables: Input,
): Promise<WithoutErrors<Result>> =>
  context.inTurn(() => dataOf(document, context, variables as Variables)) as Promise<
    WithoutErrors<Result>
  >;

/** Makes the plans of documents before the first request. `npm run generate` has validated them. */
export function prepare(documents: Iterable<DocumentNode>): void {
  for (const document of documents) planFor(document);
}
