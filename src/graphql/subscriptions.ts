/** `/graphql/stream`: subscriptions over server-sent events, one connection each (graphql-sse, distinct connections mode). */
import { setTimeout as sleep } from 'node:timers/promises';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import {
  createSourceEventStream,
  execute,
  getOperationAST,
  GraphQLError,
  parse,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type ValidationRule,
} from 'graphql';
import type { OperationArgs } from 'graphql-sse';
import { createHandler } from 'graphql-sse/lib/use/express';
import { mapIterator } from '../concurrency/map-iterator.js';
import type { Context } from '../context.js';
import {
  ApiError,
  InvalidQuery,
  InvalidRequestBody,
  MethodNotAllowed,
  NotAcceptable,
  TypeNotSupported,
  Unauthenticated,
} from '../contract/errors.js';
import { Slots } from '../concurrency/slots.js';
import { RowBudget } from '../loaders/row-budget.js';
import { schema } from './schema.js';
import { MOST_UNFIT } from './apollo-execution.js';
import { formatError, parseFault, type ErrorOptions } from './errors.js';

export interface StreamOptions extends ErrorOptions {
  validationRules: readonly ValidationRule[];
  maxTokens: number;
  /** The context of a caller as of now. @throws Unauthenticated once the credentials are no longer good */
  contextOf(req: Request): Promise<Context>;
}

/** A stream on which nothing happens ends at the latest so long after its key was revoked. */
const RECHECK_MS = 1_000;
/** A client that does not take what it was sent is looked at again after so long. */
const TAKEN_MS = 50;
/** Streams that one process serves at once, and of them to one caller. */
const MOST = { total: 1_000, perUser: 100 };

/** What graphql-sse takes as a context; ours is made anew for each event. */
type Caller = { req: Request; res: Response };

export function streamRouter(options: StreamOptions): RequestHandler {
  const streams = new Slots(
    MOST,
    'Too many subscriptions are open. Close some of them, or try again shortly.',
  );
  const handle = createHandler<Caller>({
    // Without a token there is no mode in which streams are made ahead and kept in memory.
    authenticate: () => null,
    onSubscribe: async (req, { query, operationName, variables }) => {
      const prepared = prepare(options, query, operationName);
      // graphql-sse knows a result by its data.
      if ('refused' in prepared) return { data: null, ...failed(options, prepared.refused) };
      return {
        schema,
        document: prepared.document,
        operationName,
        variableValues: variables,
        contextValue: { req: req.raw, res: req.raw.res! },
      };
    },
    subscribe: (args) => subscribe(options, args),
    execute: () =>
      failed(options, [
        new InvalidQuery(
          'This address takes subscriptions only; queries and mutations go to /graphql.',
        ),
      ]),
  });
  return Router().all('/', async (req, res, next) => {
    try {
      checkRequest(req);
      // Wrong credentials are refused before a stream is opened.
      const { user } = await options.contextOf(req);
      // Whoever left meanwhile closes nothing any more.
      if (res.closed) return;
      res.once('close', streams.acquire(user.id));
      await handle(req, res);
    } catch (error) {
      // Whoever left while something was written is told nothing, and it is nobody's fault.
      if (!req.socket.destroyed) next(error);
    }
  });
}

function checkRequest(req: Request): void {
  if (req.method !== 'GET' && req.method !== 'POST') throw new MethodNotAllowed();
  if (req.headers.accept !== 'text/event-stream')
    throw new NotAcceptable(
      'Subscriptions are answered as text/event-stream: name it in the Accept header.',
    );
  // A body that express did not read, graphql-sse would, without a limit.
  if (req.method === 'POST' && !req.is('application/json'))
    throw new TypeNotSupported('A subscription is sent as application/json.');
  req.body ??= {};
  checkParameters(req);
}

/** What graphql-sse would refuse without a code, and with the words of the parser. */
function checkParameters({ method, url, body }: Request): void {
  const { query, variables, extensions } =
    method === 'GET' ? parametersOf(url) : (body as Parameters);
  if (typeof query !== 'string')
    throw new InvalidRequestBody('The parameter query is missing or no text.');
  for (const [name, value] of Object.entries({ variables, extensions })) {
    if ((value ?? null) !== null && (typeof value !== 'object' || Array.isArray(value)))
      throw new InvalidRequestBody(`The parameter ${name} is not a JSON object.`);
  }
}

type Parameters = { query?: unknown; variables?: unknown; extensions?: unknown };

function parametersOf(url: string): Parameters {
  const given = new URLSearchParams(url.split('?')[1]);
  const parsed = (name: string): unknown => {
    try {
      return JSON.parse(given.get(name) || 'null');
    } catch {
      return given.get(name);
    }
  };
  return {
    query: given.get('query'),
    variables: parsed('variables'),
    extensions: parsed('extensions'),
  };
}

function prepare(
  { validationRules, maxTokens }: StreamOptions,
  query: string,
  operationName: string | undefined,
): { document: DocumentNode } | { refused: readonly unknown[] } {
  try {
    const document = parse(query, { maxTokens });
    const mistakes = [
      ...validate(schema, document),
      ...validate(schema, document, validationRules),
    ];
    if (mistakes.length > 0)
      return { refused: mistakes.map(({ message }) => new InvalidQuery(message)) };
    return getOperationAST(document, operationName)
      ? { document }
      : { refused: [new InvalidQuery('The document has no operation of that name.')] };
  } catch (error) {
    return { refused: [new InvalidQuery(parseFault((error as Error).message))] };
  }
}

async function subscribe(
  options: StreamOptions,
  args: OperationArgs<Caller>,
): Promise<AsyncGenerator<ExecutionResult, void> | ExecutionResult> {
  const { req, res } = args.contextValue;
  const first = await options.contextOf(req);
  const renew = async () => {
    const context = await options.contextOf(req);
    // A session that ended would go on as nobody's.
    if (context.user.id !== first.user.id) throw new Unauthenticated('The session has ended.');
    return Object.assign(context, { rowBudget: new RowBudget() });
  };
  const source = await createSourceEventStream({
    ...args,
    contextValue: Object.assign(first, { renew }),
    options: { maxCoercionErrors: MOST_UNFIT },
  });
  if (!(Symbol.asyncIterator in source)) return failed(options, source.errors ?? []);
  const events = source[Symbol.asyncIterator]();
  // Each event is told with what the caller may see by then.
  const results = mapIterator(events, async (rootValue) => {
    // graphql-sse would gather without end what a client does not take; here the feed bounds it.
    while (res.writableLength > 0 && !res.destroyed) await sleep(TAKEN_MS);
    const result = await execute({ ...args, rootValue, contextValue: await renew() });
    return result.errors ? { ...result, ...failed(options, result.errors) } : result;
  });
  let refusal: unknown;
  const recheck = setInterval(() => {
    renew().catch((error: unknown) => {
      // While nobody can be asked, nothing is told either.
      if (!(error instanceof ApiError) || error.isFault) return;
      refusal = error;
      return events.return?.();
    });
  }, RECHECK_MS).unref();
  return ending(results, {
    ended: () => clearInterval(recheck),
    failure: () => refusal,
    last: (error) => failed(options, [error]),
  });
}

interface Ending {
  ended(): void;
  /** Why the source was ended, where that was a failure. */
  failure(): unknown;
  last(error: unknown): ExecutionResult;
}

/** Notes the end of an iterator; a failure becomes its last value. */
function ending(
  results: AsyncGenerator<ExecutionResult, void>,
  { ended, failure, last }: Ending,
): AsyncGenerator<ExecutionResult, void> {
  let over = false;
  const close = (error: unknown): IteratorResult<ExecutionResult, void> => {
    over = true;
    ended();
    return error === undefined
      ? { done: true, value: undefined }
      : { done: false, value: last(error) };
  };
  const iterator = {
    async next(): Promise<IteratorResult<ExecutionResult, void>> {
      if (over) return { done: true, value: undefined };
      try {
        const result = await results.next();
        return result.done ? close(failure()) : result;
      } catch (error) {
        return close(error);
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
    [Symbol.asyncIterator]: (): AsyncGenerator<ExecutionResult, void> =>
      iterator as unknown as AsyncGenerator<ExecutionResult, void>,
  };
  return iterator[Symbol.asyncIterator]();
}

/** The same errors as over `/graphql`. */
function failed(options: StreamOptions, errors: readonly unknown[]): ExecutionResult {
  return {
    errors: errors.map((thrown) => {
      const error =
        thrown instanceof GraphQLError
          ? thrown
          : new GraphQLError((thrown as Error).message, { originalError: thrown as Error });
      return formatError(
        options,
        error.toJSON(),
        error.originalError ?? error,
      ) as unknown as GraphQLError;
    }),
  };
}
