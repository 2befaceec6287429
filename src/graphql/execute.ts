/** Runs documents against the schema: compiled where they are known, by graphql-js where they cannot be compiled. */
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
 * Makes a document executable; it must have been validated. What stands in it becomes code: one of a client must be compilable
 * besides. The compiled form answers like graphql-js (asserted by a test), but may tell more errors below the same null.
 */
export function compile(document: DocumentNode, operationName?: string): Executable {
  if (!conditional(document)) {
    const compiled = compileQuery(schema, document, operationName);
    if (isCompiledQuery(compiled))
      return (context, variables) =>
        compiled.query(undefined, context, Object.assign(Object.create(null), variables));
  }
  return interpret(document, operationName);
}

/** The same by graphql-js. */
export const interpret =
  (document: DocumentNode, operationName?: string): Executable =>
  (contextValue, variableValues) =>
    execute({ schema, document, contextValue, variableValues, operationName });

/** graphql-jit mishandles `@skip` and `@include` inside fragments that are used twice. */
function conditional(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive: () => {
      found = true;
    },
  });
  return found;
}
