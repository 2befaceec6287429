/** Runs validated documents; plain ones are compiled from their second time on. */
import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import {
  getVariableValues,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLFormattedError,
} from 'graphql';
import type { Context } from '../context.js';
import { compile, interpret, type Executable } from './execute.js';
import { InvalidQuery } from '../contract/errors.js';
import { schema } from './schema.js';
import { isCompilable } from './compilable.js';
import { formatError, type ErrorOptions } from './errors.js';

/** Documents that come again are worth compiling, as long as they are kept; the first time they are interpreted. */
export function compiledExecution(options: ErrorOptions): ApolloServerPlugin<Context> {
  const seen = new WeakMap<DocumentNode, Executable | 'once' | 'never'>();
  const executable = (document: DocumentNode, operationName: string | undefined): Executable => {
    const known = seen.get(document);
    if (typeof known === 'function') return known;
    const found =
      known === undefined
        ? 'once'
        : known === 'once' && isCompilable(document)
          ? compile(document)
          : 'never';
    if (found !== known) seen.set(document, found);
    return typeof found === 'function' ? found : interpret(document, operationName);
  };
  return {
    async requestDidStart() {
      return {
        async responseForOperation({ document, operation, operationName, request, contextValue }) {
          if (!operation) return null;
          if (operation.operation === 'subscription')
            return refusal(
              formatError(
                options,
                { message: '' },
                new InvalidQuery('Subscriptions are answered at /graphql/stream.'),
                contextValue.log,
              ),
              new InvalidQuery().status,
            );
          // By graphql-js in either case: compiled documents forget the defaults of input members and refuse in other words.
          const { coerced, errors: unfit } = getVariableValues(
            schema,
            operation.variableDefinitions ?? [],
            request.variables ?? {},
            { maxErrors: MOST_UNFIT },
          );
          const result: ExecutionResult = unfit
            ? { errors: unfit }
            : await executable(document, operationName ?? undefined)(contextValue, coerced);
          // As one refusal; what a mutation did is told, with an error for each list.
          const refused =
            operation.operation === 'query' ? contextValue.rowBudget?.refusal : undefined;
          if (refused)
            return refusal(
              formatError(options, { message: '' }, refused, contextValue.log),
              refused.status,
            );
          const errors = result.errors?.map((error) =>
            formatError(options, error.toJSON(), error.originalError ?? error, contextValue.log),
          );
          // Without data the variables did not fit: nothing ran.
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

/** As many values of variables that do not fit are told; each quotes what was sent. */
export const MOST_UNFIT = 10;

const refusal = (error: GraphQLFormattedError, status: number) => ({
  http: { status, headers: new HeaderMap() },
  body: { kind: 'single' as const, singleResult: { errors: [error] } },
});
