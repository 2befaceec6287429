/** Makes the documents of REST executable: compiled by graphql-jit, or interpreted by graphql-js. */
import { execute, visit, type DocumentNode, type ExecutionResult } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from '../context.js';
import { schema } from './schema.js';

export type Variables = { readonly [name: string]: unknown };
export type Executable = (
  context: Context,
  variables: Variables,
) => ExecutionResult | Promise<ExecutionResult>;

/**
 * Compiles a valid document. Values in the document become code, so clients' are not compiled.
 * The result equals that of graphql-js. Only its list of errors for one null value can be longer.
 */
export function compile(document: DocumentNode, operationName?: string): Executable {
  if (!hasDirectives(document)) {
    const compiled = compileQuery(schema, document, operationName);
    if (isCompiledQuery(compiled))
      return (context, variables) =>
        compiled.query(undefined, context, Object.assign(Object.create(null), variables));
  }
  return interpret(document, operationName);
}

export const interpret =
  (document: DocumentNode, operationName?: string): Executable =>
  (contextValue, variableValues) =>
    execute({ schema, document, contextValue, variableValues, operationName });

/** graphql-jit mishandles `@skip` and `@include` inside fragments that are used twice. */
function hasDirectives(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive: () => {
      found = true;
    },
  });
  return found;
}
