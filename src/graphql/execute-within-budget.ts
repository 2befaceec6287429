/** Runs documents of clients within a budget. */
import {
  execute,
  getOperationAST,
  GraphQLError,
  type DocumentNode,
  type ExecutionResult,
} from 'graphql';
import type { Context } from '../context.js';
import { ApiError } from '../contract/errors.js';
import { DocumentBudget, type Limits } from '../loaders/document-budget.js';
import { countedSchema } from './counted-schema.js';
import { planFor, type Variables } from './execute.js';

interface ClientDocument {
  document: DocumentNode;
  operationName?: string | null | undefined;
  /** As the client sent them. graphql-js coerces them itself. */
  variables: Variables;
  /** For plans. Events have none. */
  coerced?: Variables;
  /** The event of a subscription. */
  event?: unknown;
}

/** Limits of the answer to one event. They are small, because many streams can get each event. */
const EVENT: Limits = { rows: 200, fields: 2_000, bytes: 512 * 1024 };

/**
 * Runs a valid document. The context gets a new budget.
 * @throws InvalidQuery if a query or the answer to an event costs more than the budget
 */
export async function executeWithinBudget(
  request: ClientDocument,
  context: Context,
): Promise<ExecutionResult> {
  const { document, operationName, coerced } = request;
  const operation = getOperationAST(document, operationName)?.operation;
  if (operation === 'mutation') context.client = undefined;
  // It may have left while the document waited for its turn.
  context.client?.demand();
  const plan = operation === 'query' ? planFor(document, operationName) : undefined;
  if (!plan || !coerced) return interpretWithinBudget(request, context, operation === 'mutation');
  const budget = (context.budget = new DocumentBudget());
  try {
    const data = await plan(context, coerced);
    budget.demand();
    return { data };
  } catch {
    context.client?.demand();
    budget.demand();
    // graphql-js finds all errors and the values that become null. Rows are not read again.
    return interpretWithinBudget(request, context, false);
  }
}

async function interpretWithinBudget(
  { document, operationName, variables, event }: ClientDocument,
  context: Context,
  isMutation: boolean,
): Promise<ExecutionResult> {
  const budget = (context.budget = new DocumentBudget(event === undefined ? undefined : EVENT));
  const result = execute({
    schema: countedSchema(),
    document,
    operationName,
    variableValues: variables,
    rootValue: event,
    contextValue: context,
  });
  try {
    // After a refusal the execution never ends.
    const answered = await Promise.race([result, budget.refused]);
    context.client?.demand();
    budget.demand();
    return answered;
  } catch (error) {
    if (!isMutation || !(error instanceof ApiError)) throw error;
    // The mutation has changed something. So its answer has the error, and the request does not
    // count as refused.
    return {
      data: null,
      errors: [new GraphQLError(error.message, { originalError: error })],
    };
  }
}
