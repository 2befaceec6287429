/** `/graphql`: Apollo parses documents. `answer.ts` validates and runs them. */
import { isUtf8 } from 'node:buffer';
import { ApolloServer } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import express, { Router, type RequestHandler } from 'express';
import { countFromHere } from '../http/load-shedding.js';
import type { Context } from '../context.js';
import { BODY } from '../http/body-errors.js';
import { schema } from './schema.js';
import { Documents } from './documents.js';
import { formatError, refuse, type ErrorOptions } from './errors.js';
import { execution } from './apollo-execution.js';
import { countedSchema } from './counted-schema.js';
import { knownDocuments } from './known-documents.js';
import { limitLength, MAX_TOKENS } from './document-limits.js';
import { uploadForm } from './multipart-request.js';
import { streamRouter, type StreamOptions } from './subscriptions.js';

interface GraphqlOptions extends ErrorOptions {
  contextOf: StreamOptions['contextOf'];
}

/** The router of `/graphql`. `identify` puts the context into `res.locals`. */
export async function graphqlRouter(
  options: GraphqlOptions,
  identify: RequestHandler,
): Promise<{ router: Router; stop: () => Promise<void> }> {
  const documents = new Documents();
  const server = new ApolloServer<Context>({
    schema,
    // Validation takes long for some documents within the limits of the parser. The plugin checks
    // their structure first, then it validates.
    dangerouslyDisableValidation: true,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stringifyResult: (value) => JSON.stringify(value),
    allowBatchedHttpRequests: false,
    parseOptions: { maxTokens: MAX_TOKENS },
    stopOnTerminationSignals: false,
    formatError: (formatted, error) => formatError(options, formatted, unwrapResolverError(error)),
    documentStore: documents,
    logger: silent,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      execution(options),
    ],
  });
  await server.start();
  // Makes the schema now, so that the first request does not wait for it.
  countedSchema();
  const middleware = expressMiddleware(server, {
    context: async ({ res }) => res.locals['context'] as Context,
  });
  const router = Router();
  const json = express.json({ ...BODY, verify: requireUtf8 });
  router.use('/stream', json, limitLength, streamRouter(options), refuse(options));
  router.use(
    noSubpaths,
    noCaching,
    json,
    identify,
    uploadForm,
    limitLength,
    countFromHere,
    emptyBody,
    cookielessQuery,
    knownDocuments(documents, options),
    middleware,
    refuse(options),
  );
  return { router, stop: () => server.stop() };
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
