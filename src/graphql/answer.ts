/** Answers parsed documents of clients. */
import {
  getVariableValues,
  GraphQLError,
  type DocumentNode,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
  type OperationDefinitionNode,
} from 'graphql';
import type { Context } from '../context.js';
import { ApiError, InvalidQuery } from '../contract/errors.js';
import { formatError, type ErrorOptions } from './errors.js';
import { executeWithinBudget } from './execute-within-budget.js';
import { limitListedIds } from './listed-ids.js';
import { schema } from './schema.js';
import { validateDocument } from './validate-document.js';

/** The most errors about variables in one response. Each of them quotes the value. */
export const MAX_VARIABLE_ERRORS = 10;

const { status: REFUSED } = new InvalidQuery('');

export interface Asked {
  document: DocumentNode;
  operation: OperationDefinitionNode | undefined;
  operationName: string | null | undefined;
  variables: { readonly [name: string]: unknown };
}

interface DocumentAnswer {
  /** Undefined: 200. */
  status: number | undefined;
  result: FormattedExecutionResult;
}

/**
 * Validates a document and runs its operation.
 * @returns undefined if it is valid, but has no operation of this name
 */
export async function answerTo(
  { document, operation, operationName, variables }: Asked,
  context: Context,
  options: ErrorOptions,
): Promise<DocumentAnswer | undefined> {
  // One fault can fail the same field of thousands of rows. It is logged once.
  const logged = new Set<string>();
  const format = (error: Error) => {
    const log = logged.has(error.message) ? null : context.log;
    logged.add(error.message);
    return error instanceof GraphQLError
      ? formatError(options, error.toJSON(), error.originalError ?? error, log)
      : formatError(options, { message: '' }, error, log);
  };
  const refusal = (errors: readonly GraphQLFormattedError[]) => ({
    status: REFUSED,
    result: { errors },
  });
  const invalid = validateDocument(document, options);
  if (invalid.length > 0)
    return refusal(
      invalid.map((error) => formatError(options, error, new InvalidQuery(error.message))),
    );
  if (!operation) return undefined;
  if (operation.operation === 'subscription')
    return refusal([format(new InvalidQuery('Subscriptions are answered at /graphql/stream.'))]);
  const { coerced, errors: invalidVariables } = getVariableValues(
    schema,
    operation.variableDefinitions ?? [],
    variables,
    { maxErrors: MAX_VARIABLE_ERRORS },
  );
  if (invalidVariables) return refusal(invalidVariables.map(format));
  try {
    limitListedIds(document, operation, coerced);
    const request = { document, operationName, variables, coerced };
    const run = () => executeWithinBudget(request, context);
    const { data = null, errors } = await context.inTurn(run);
    return { status: undefined, result: { ...(errors && { errors: errors.map(format) }), data } };
  } catch (error) {
    if (error instanceof ApiError) return refusal([format(error)]);
    throw error;
  }
}
