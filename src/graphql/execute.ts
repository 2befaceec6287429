/** Runs documents: by their plans, and by graphql-js where there is no plan. */
import {
  execute,
  getOperationAST,
  getVariableValues,
  type DocumentNode,
  type ExecutionResult,
  type OperationDefinitionNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.js';
import { LeftToGraphqlJs, type PlanAnswer, type Plan, type Variables } from './plan-run.js';
import { planOf, type PlannedOperation } from './query-plan.js';
import { schema } from './schema.js';

export type { Variables } from './plan-run.js';

/** The fields of all plans that are kept. A field takes about half a kilobyte. */
const MAX_PLANNED_FIELDS = 50_000;
const NO_PLAN: Partial<PlannedOperation> = {};
const plans = new LRUCache<OperationDefinitionNode, Partial<PlannedOperation>>({
  maxSize: MAX_PLANNED_FIELDS,
  sizeCalculation: ({ size = 1 }) => size,
});

/** The plan of a valid document, if it has one. */
export function planFor(document: DocumentNode, operationName?: string | null): Plan | undefined {
  const operation = getOperationAST(document, operationName);
  if (!operation) return undefined;
  let planned = plans.get(operation);
  if (!planned) {
    planned = planOf(schema, document, operation) ?? NO_PLAN;
    plans.set(operation, planned);
  }
  return planned.plan;
}

/** Runs a valid document by graphql-js. */
export const interpret = (
  document: DocumentNode,
  contextValue: Context,
  variableValues: Variables,
): ExecutionResult | Promise<ExecutionResult> =>
  execute({ schema, document, contextValue, variableValues });

/**
 * Runs a document of the service itself, which has one operation.
 * @throws the first error of a resolver
 */
export async function dataOf(
  document: DocumentNode,
  context: Context,
  variables: Variables,
): Promise<PlanAnswer> {
  const operation = getOperationAST(document);
  if (operation?.operation === 'mutation') context.client = undefined;
  // It may have left while the document waited for its turn.
  context.client?.demand();
  const plan = planFor(document);
  if (operation && plan) {
    const { coerced, errors } = getVariableValues(
      schema,
      operation.variableDefinitions ?? [],
      variables,
    );
    if (errors?.[0]) throw errors[0];
    try {
      return await plan(context, coerced ?? {});
    } catch (error) {
      // A mutation must not run twice.
      if (operation.operation === 'mutation' || !(error instanceof LeftToGraphqlJs)) throw error;
    }
  }
  const { data, errors } = await interpret(document, context, variables);
  const [error] = errors ?? [];
  if (error) throw error.originalError ?? error;
  return data ?? {};
}
