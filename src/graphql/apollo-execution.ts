/** Apollo plugin that validates and runs documents. */
import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import {
  getVariableValues,
  GraphQLError,
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
} from 'graphql';
import type { Context } from '../context.js';
import { ApiError, InvalidQuery } from '../contract/errors.js';
import { formatError, type ErrorOptions } from './errors.js';
import { executeWithinBudget } from './execute-within-budget.js';
import { schema } from './schema.js';
import { validateDocument } from './validate-document.js';

/** Errors about variables in one response. Each of them quotes the value. */
export const MAX_VARIABLE_ERRORS = 10;

export function execution(options: ErrorOptions): ApolloServerPlugin<Context> {
  return {
    async requestDidStart() {
      return {
        async responseForOperation({ document, operation, operationName, request, contextValue }) {
          // One fault can fail the same field of thousands of rows.
          const logged = new Set<string>();
          const format = (error: Error) => {
            const log = logged.has(error.message) ? null : contextValue.log;
            logged.add(error.message);
            return error instanceof GraphQLError
              ? formatError(options, error.toJSON(), error.originalError ?? error, log)
              : formatError(options, { message: '' }, error, log);
          };
          const invalid = validateDocument(document, options);
          if (invalid.length > 0)
            return refusal(
              invalid.map((error) => formatError(options, error, new InvalidQuery(error.message))),
            );
          if (!operation) return null;
          if (operation.operation === 'subscription')
            return refusal([
              format(new InvalidQuery('Subscriptions are answered at /graphql/stream.')),
            ]);
          const { coerced, errors } = getVariableValues(
            schema,
            operation.variableDefinitions ?? [],
            request.variables ?? {},
            { maxErrors: MAX_VARIABLE_ERRORS },
          );
          if (errors) return refusal(errors.map(format));
          try {
            const request = { document, operationName, variables: coerced };
            return success(await executeWithinBudget(request, contextValue), format);
          } catch (error) {
            if (error instanceof ApiError) return refusal([format(error)]);
            throw error;
          }
        },
      };
    },
  };
}

const success = (
  { data, errors }: ExecutionResult,
  format: (error: Error) => GraphQLFormattedError,
) => response(undefined, { ...(errors && { errors: errors.map(format) }), data: data ?? null });

const refusal = (errors: readonly GraphQLFormattedError[]) => response(400, { errors });

const response = (status: number | undefined, singleResult: FormattedExecutionResult) => ({
  http: { status, headers: new HeaderMap() },
  body: { kind: 'single' as const, singleResult },
});
