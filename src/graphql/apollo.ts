/** `/graphql`: Apollo parses, limits and validates documents. `apollo-execution.ts` runs them. */
import { isUtf8 } from 'node:buffer';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import { ApolloArmor } from '@escape.tech/graphql-armor';
import express, { Router, type RequestHandler } from 'express';
import { countFromHere } from '../http/load-shedding.js';
import type { Context } from '../context.js';
import { MAX_BODY } from '../http/body-errors.js';
import { RowBudget } from '../loaders/row-budget.js';
import { schema } from './schema.js';
import { Documents } from './documents.js';
import { formatError, refuse, type ErrorOptions } from './errors.js';
import { compiledExecution } from './apollo-execution.js';
import { uploadForm } from './multipart-request.js';
import { streamRouter, type StreamOptions } from './subscriptions.js';

export interface GraphqlOptions extends ErrorOptions {
  contextOf: StreamOptions['contextOf'];
}

/** Limits of one document. Introspection is exempt from them. */
const limits = { depth: 12, aliases: 30, tokens: 4_000, directives: 20 };

/** The router of `/graphql`. `identify` puts the context into `res.locals`. */
export async function graphqlRouter(
  options: GraphqlOptions,
  identify: RequestHandler,
): Promise<{ router: Router; stop: () => Promise<void> }> {
  const limited = protection(options);
  const server = new ApolloServer<Context>({
    schema,
    introspection: options.introspection,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stringifyResult: (value) => JSON.stringify(value),
    allowBatchedHttpRequests: false,
    parseOptions: { maxTokens: limits.tokens },
    stopOnTerminationSignals: false,
    formatError: (formatted, error) => formatError(options, formatted, unwrapResolverError(error)),
    ...limited,
    documentStore: new Documents(),
    logger: silent,
  });
  await server.start();
  const middleware = expressMiddleware(server, {
    context: async ({ res }) =>
      Object.assign(res.locals['context'] as Context, { rowBudget: new RowBudget() }),
  });
  const router = Router();
  const json = express.json({ limit: MAX_BODY, verify: requireUtf8 });
  router.use(
    '/stream',
    json,
    streamRouter({
      ...options,
      validationRules: limited.validationRules,
      maxTokens: limits.tokens,
    }),
    refuse(options),
  );
  router.use(
    noSubpaths,
    noCaching,
    json,
    identify,
    uploadForm,
    countFromHere,
    emptyBody,
    cookielessQuery,
    middleware,
    refuse(options),
  );
  return { router, stop: () => server.stop() };
}

function protection(options: GraphqlOptions) {
  const armor = new ApolloArmor({
    maxDepth: { n: limits.depth },
    maxAliases: { n: limits.aliases },
    // `RowBudget` counts the rows that are read. A cost computed from the document limits nothing.
    costLimit: { enabled: false },
    // graphql-js counts the tokens. The parser of the armor answers syntax errors with 500.
    maxTokens: { enabled: false },
    maxDirectives: { n: limits.directives },
    // `formatError` removes suggestions, from errors about variables too.
    blockFieldSuggestion: { enabled: false },
  }).protect();
  return {
    validationRules: armor.validationRules,
    plugins: [
      ...armor.plugins,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      compiledExecution(options),
    ] as ApolloServerPlugin<Context>[],
  };
}

/**
 * body-parser would silently replace broken characters.
 * It gives every error thrown here a status of its own, so this is a plain Error.
 */
function requireUtf8(_req: unknown, _res: unknown, bytes: Buffer, charset: string): void {
  if (charset === 'utf-8' && !isUtf8(bytes))
    throw new Error('The request body is not valid UTF-8.');
}

/** Paths below `/graphql` belong to other routers. */
const noSubpaths: RequestHandler = ({ path }, _res, next) =>
  path === '/' ? next() : next('router');

/** No caching, as over REST. `Vary`, because browsers get the explorer at the same address. */
const noCaching: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'private, no-cache').vary('Accept');
  next();
};

/**
 * Adds the header that Apollo requires against cross-site requests.
 * Without a cookie there is no session that another site could abuse.
 */
const cookielessQuery: RequestHandler = ({ method, headers }, _res, next) => {
  if (method === 'GET' && headers.cookie === undefined)
    headers['apollo-require-preflight'] ||= 'no cookie';
  next();
};

/** Apollo reads the body even of GET requests, which have none. */
const emptyBody: RequestHandler = (req, _res, next) => {
  req.body ??= {};
  next();
};

const silent = { debug() {}, info() {}, warn() {}, error() {} };
