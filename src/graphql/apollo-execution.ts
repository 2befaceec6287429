/** Apollo plugin that runs valid documents. Repeated documents are compiled. */
import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import {
  getVariableValues,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLFormattedError,
} from 'graphql';
import type { Context } from '../context.js';
import { compile, interpret, type Executable } from './execute.js';
import { InvalidQuery, type ApiError } from '../contract/errors.js';
import { schema } from './schema.js';
import { isCompilable } from './compilable.js';
import { formatError, type ErrorOptions } from './errors.js';

/** Errors about variables in one response. Each of them quotes the value. */
export const MAX_VARIABLE_ERRORS = 10;

export function compiledExecution(options: ErrorOptions): ApolloServerPlugin<Context> {
  const executableOf = compileRepeated();
  const refuse = (error: ApiError, { log }: Context) =>
    refusal(formatError(options, { message: '' }, error, log), error.status);
  return {
    async requestDidStart() {
      return {
        async responseForOperation({ document, operation, operationName, request, contextValue }) {
          if (!operation) return null;
          if (operation.operation === 'subscription')
            return refuse(
              new InvalidQuery('Subscriptions are answered at /graphql/stream.'),
              contextValue,
            );
          // Compiled documents ignore default values of input members, and word their errors
          // differently. So graphql-js reads the variables in both cases.
          const { coerced, errors: variableErrors } = getVariableValues(
            schema,
            operation.variableDefinitions ?? [],
            request.variables ?? {},
            { maxErrors: MAX_VARIABLE_ERRORS },
          );
          const result: ExecutionResult = variableErrors
            ? { errors: variableErrors }
            : await executableOf(document, operationName ?? undefined)(contextValue, coerced);
          // A mutation has changed something, so its result is returned with an error per list.
          const overBudget =
            operation.operation === 'query' ? contextValue.rowBudget?.refusal : undefined;
          if (overBudget) return refuse(overBudget, contextValue);
          const errors = result.errors?.map((error) =>
            formatError(options, error.toJSON(), error.originalError ?? error, contextValue.log),
          );
          // A result without `data` means that nothing ran: the variables are invalid.
          const status = 'data' in result ? undefined : 400;
          return {
            http: { status, headers: new HeaderMap() },
            body: {
              kind: 'single',
              singleResult: {
                ...(errors && { errors }),
                ...('data' in result && { data: result.data ?? null }),
              },
            },
          };
        },
      };
    },
  };
}

/** Interprets a document the first time. Compiles it the second time, if it is compilable. */
function compileRepeated() {
  const seen = new WeakMap<DocumentNode, Executable | 'once' | 'never'>();
  return (document: DocumentNode, operationName: string | undefined): Executable => {
    const known = seen.get(document);
    if (typeof known === 'function') return known;
    const next =
      known === undefined
        ? 'once'
        : known === 'once' && isCompilable(document)
          ? compile(document)
          : 'never';
    if (next !== known) seen.set(document, next);
    return typeof next === 'function' ? next : interpret(document, operationName);
  };
}

const refusal = (error: GraphQLFormattedError, status: number) => ({
  http: { status, headers: new HeaderMap() },
  body: { kind: 'single' as const, singleResult: { errors: [error] } },
});
