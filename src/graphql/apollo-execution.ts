/** Apollo plugin that validates and runs documents. */
import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import type { Context } from '../context.js';
import { answerTo } from './answer.js';
import type { ErrorOptions } from './errors.js';

export function execution(options: ErrorOptions): ApolloServerPlugin<Context> {
  return {
    async requestDidStart() {
      return {
        async responseForOperation({ document, operation, operationName, request, contextValue }) {
          const asked = { document, operation, operationName, variables: request.variables ?? {} };
          const answer = await answerTo(asked, contextValue, options);
          if (!answer) return null;
          return {
            http: { status: answer.status, headers: new HeaderMap() },
            body: { kind: 'single', singleResult: answer.result },
          };
        },
      };
    },
  };
}
