/** `/graphql/stream`: subscriptions over server-sent events, one connection each (graphql-sse, distinct connections mode). */
import { Router, type RequestHandler } from 'express';
import { createSourceEventStream, execute, getOperationAST, GraphQLError, parse, validate, type DocumentNode, type ExecutionResult, type ValidationRule } from 'graphql';
import type { OperationArgs } from 'graphql-sse';
import { createHandler } from 'graphql-sse/lib/use/express';
import { mapIterator } from '../async-iterator.js';
import type { Context } from '../context.js';
import { InvalidQuery, NotAcceptable, ServiceUnavailable } from '../errors.js';
import { schema } from '../schema.js';
import { formatError, type ErrorOptions } from './errors.js';

export interface StreamOptions extends ErrorOptions {
  validationRules: readonly ValidationRule[];
  maxTokens: number;
  /** The context of a caller as of now. @throws Unauthenticated once the credentials are no longer good */
  contextOf(authorization: string | undefined): Promise<Context>;
}

/** A stream on which nothing happens ends at the latest so long after its key was revoked. */
const RECHECK_MS = 10_000;
/** As many streams at once are served by one process. */
const MAX_STREAMS = 1_000;

/** What graphql-sse takes as a context; ours is made anew for each event. */
type Caller = { authorization: string | undefined };

export function streamRouter(options: StreamOptions): RequestHandler {
  let open = 0;
  const handle = createHandler<Caller>({
    // Without a token there is no mode in which streams are made ahead and kept in memory.
    authenticate: () => null,
    onSubscribe: async (req, { query, operationName, variables }) => {
      const prepared = prepare(options, query, operationName);
      if ('refused' in prepared) return failed(options, prepared.refused);
      return { schema, document: prepared.document, operationName, variableValues: variables, contextValue: { authorization: req.raw.headers.authorization } };
    },
    subscribe: (args) => subscribe(options, args),
    execute: () => failed(options, [new InvalidQuery('This address takes subscriptions only; queries and mutations go to /graphql.')]),
  });
  return Router().all('/', async (req, res, next) => {
    try {
      if (req.headers.accept !== 'text/event-stream') throw new NotAcceptable('Subscriptions are answered as text/event-stream: name it in the Accept header.');
      if (open >= MAX_STREAMS) throw new ServiceUnavailable();
      // Wrong credentials are refused before a stream is opened.
      await options.contextOf(req.headers.authorization);
      open += 1;
      res.once('close', () => { open -= 1; });
      await handle(req, res);
    } catch (error) {
      next(error);
    }
  });
}

function prepare({ validationRules, maxTokens }: StreamOptions, query: string, operationName: string | undefined): { document: DocumentNode } | { refused: readonly unknown[] } {
  try {
    const document = parse(query, { maxTokens });
    const mistakes = [...validate(schema, document), ...validate(schema, document, validationRules)];
    if (mistakes.length > 0) return { refused: mistakes.map(({ message }) => new InvalidQuery(message)) };
    return getOperationAST(document, operationName) ? { document } : { refused: [new InvalidQuery('The document has no operation of that name.')] };
  } catch (error) {
    return { refused: [new InvalidQuery((error as Error).message)] };
  }
}

async function subscribe(options: StreamOptions, args: OperationArgs<Caller>): Promise<AsyncGenerator<ExecutionResult, void> | ExecutionResult> {
  const { authorization } = args.contextValue;
  const source = await createSourceEventStream({ ...args, contextValue: await options.contextOf(authorization) });
  if (!(Symbol.asyncIterator in source)) return failed(options, source.errors ?? []);
  const events = source[Symbol.asyncIterator]();
  // Each event is told with what the caller may see by then.
  const results = mapIterator(events, async (rootValue) => {
    const result = await execute({ ...args, rootValue, contextValue: await options.contextOf(authorization) });
    return result.errors ? { ...result, ...failed(options, result.errors) } : result;
  });
  const recheck = setInterval(() => {
    options.contextOf(authorization).catch(() => events.return?.());
  }, RECHECK_MS).unref();
  return ending(results, () => clearInterval(recheck), (error) => failed(options, [error]));
}

/** Notes the end of an iterator; an error becomes its last value. */
function ending(results: AsyncGenerator<ExecutionResult, void>, ended: () => void, last: (error: unknown) => ExecutionResult): AsyncGenerator<ExecutionResult, void> {
  let over = false;
  const iterator = {
    async next(): Promise<IteratorResult<ExecutionResult, void>> {
      if (over) return { done: true, value: undefined };
      try {
        const result = await results.next();
        if (result.done) ended();
        return result;
      } catch (error) {
        over = true;
        ended();
        return { done: false, value: last(error) };
      }
    },
    return() {
      ended();
      return results.return();
    },
    throw(error: unknown) {
      ended();
      return results.throw(error);
    },
    [Symbol.asyncIterator]: (): AsyncGenerator<ExecutionResult, void> => iterator as unknown as AsyncGenerator<ExecutionResult, void>,
  };
  return iterator[Symbol.asyncIterator]();
}

/** The same errors as over `/graphql`. */
function failed(options: StreamOptions, errors: readonly unknown[]): ExecutionResult {
  return {
    errors: errors.map((thrown) => {
      const error = thrown instanceof GraphQLError ? thrown : new GraphQLError((thrown as Error).message, { originalError: thrown as Error });
      return formatError(options, error.toJSON(), error.originalError ?? error) as unknown as GraphQLError;
    }),
  };
}
