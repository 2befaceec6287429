/**
 * `/graphql/stream`: subscriptions over server-sent events, one connection each.
 * Protocol: graphql-sse, distinct connections mode.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { createSourceEventStream, GraphQLError, type ExecutionResult } from 'graphql';
import type { OperationArgs } from 'graphql-sse';
import { createHandler } from 'graphql-sse/lib/use/express';
import { mapIterator } from '../concurrency/map-iterator.js';
import type { Context } from '../context.js';
import { ApiError, InvalidQuery } from '../contract/errors.js';
import { Slots } from '../concurrency/slots.js';
import { schema } from './schema.js';
import { MAX_VARIABLE_ERRORS } from './answer.js';
import { formatError, type ErrorOptions } from './errors.js';
import { executeWithinBudget } from './execute-within-budget.js';
import { checkRequest, prepareDocument } from './subscription-request.js';
import { endWithError } from './subscription-results.js';

export interface StreamOptions extends ErrorOptions {
  /** The context of a caller as of now. @throws Unauthenticated if the credentials are invalid */
  contextOf(req: Request): Promise<Context>;
}

/**
 * How often the credentials of an open stream are checked. Otherwise a stream would stay open after
 * its credentials are revoked, until its next event.
 */
const RECHECK_MS = 1_000;
/** How often the output buffer of a slow client is checked. */
const DRAIN_CHECK_MS = 50;
/** Open streams of one process: in total, and of one user. */
const MAX_STREAMS = { total: 1_000, perUser: 100 };

/** The context value for graphql-sse. Resolvers get a new `Context` for each event. */
type Caller = { req: Request; res: Response };

export function streamRouter(options: StreamOptions): RequestHandler {
  const streams = new Slots(
    MAX_STREAMS,
    'Too many subscriptions are open. Close some of them, or try again shortly.',
  );
  const handle = createHandler<Caller>({
    // null switches off the single connection mode, which would keep streams in memory.
    authenticate: () => null,
    onSubscribe: async (req, { query, operationName, variables }) => {
      const prepared = prepareDocument(options, query, operationName, variables);
      // graphql-sse recognises a result by its member `data`.
      if ('errors' in prepared) return { data: null, ...errorResult(options, prepared.errors) };
      return {
        schema,
        document: prepared.document,
        operationName,
        variableValues: variables,
        contextValue: { req: req.raw, res: req.context.res },
      };
    },
    subscribe: (args) => subscribe(options, args),
    execute: () =>
      errorResult(options, [
        new InvalidQuery(
          'This address takes subscriptions only; queries and mutations go to /graphql.',
        ),
      ]),
  });
  return Router().all('/', async (req, res, next) => {
    try {
      checkRequest(req);
      // Before the stream begins, so that invalid credentials get 401.
      const { caller } = await options.contextOf(req);
      // The event `close` is over: nothing would release the slot.
      if (res.closed) return;
      res.once('close', streams.acquire(caller));
      await handle(req, res);
    } catch (error) {
      // A client that left during a write causes an error, which is no fault of the server.
      if (!req.socket.destroyed) next(error);
    }
  });
}

async function subscribe(
  options: StreamOptions,
  args: OperationArgs<Caller>,
): Promise<AsyncGenerator<ExecutionResult, void> | ExecutionResult> {
  const { req, res } = args.contextValue;
  const first = await options.contextOf(req);
  const renew = () => options.contextOf(req);
  const source = await createSourceEventStream({
    ...args,
    contextValue: Object.assign(first, { renew }),
    options: { maxCoercionErrors: MAX_VARIABLE_ERRORS },
  });
  if (!(Symbol.asyncIterator in source)) return errorResult(options, source.errors ?? []);
  const events = source[Symbol.asyncIterator]();
  // Each event is executed with the present permissions of the caller.
  const results = mapIterator(events, async (rootValue) => {
    // graphql-sse would buffer without limit for a slow client. The feed has a limit.
    while (res.writableLength > 0 && !res.destroyed) await sleep(DRAIN_CHECK_MS);
    const result = await answerEvent(args, rootValue, await renew());
    return result.errors ? { ...result, ...errorResult(options, result.errors) } : result;
  });
  let lostAccess: unknown;
  const recheck = setInterval(() => {
    renew().catch((error: unknown) => {
      // During a database outage nothing is known about the credentials.
      if (!(error instanceof ApiError) || error.isFault) return;
      lostAccess = error;
      return events.return?.();
    });
  }, RECHECK_MS).unref();
  return endWithError(results, {
    onEnd: () => clearInterval(recheck),
    error: () => lostAccess,
    errorResult: (error) => errorResult(options, [error]),
  });
}

/** The answer to one event. An answer that costs too much is an error; the stream goes on. */
async function answerEvent(
  { document, operationName, variableValues }: OperationArgs<Caller>,
  event: unknown,
  context: Context,
): Promise<ExecutionResult> {
  const request = { document, operationName, variables: variableValues ?? {}, event };
  return executeWithinBudget(request, context).catch((error: unknown) => {
    if (!(error instanceof InvalidQuery)) throw error;
    return { data: null, errors: [new GraphQLError(error.message, { originalError: error })] };
  });
}

/** The same errors as over `/graphql`. */
function errorResult(options: StreamOptions, errors: readonly unknown[]): ExecutionResult {
  return {
    errors: errors.map((thrown) => {
      const error =
        thrown instanceof GraphQLError
          ? thrown
          : new GraphQLError((thrown as Error).message, { originalError: thrown as Error });
      // Cast: graphql-sse writes the error as JSON, but its types require the class.
      return formatError(options, error.toJSON(), error.originalError ?? error) as GraphQLError;
    }),
  };
}
