/** `/graphql`: Apollo parses, limits and validates; known documents then run compiled. */
import { ApolloServer, HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { unwrapResolverError } from '@apollo/server/errors';
import { expressMiddleware } from '@as-integrations/express5';
import { ApolloArmor } from '@escape.tech/graphql-armor';
import express, { Router, type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import type { DocumentNode, ExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql';
import { graphqlUploadExpress } from 'graphql-upload-minimal';
import type { Logger } from 'pino';
import { challenge } from './auth/identify.js';
import type { Context } from './context.js';
import { ApiError, errorUrn, InvalidQuery, InvalidRequestBody, presentable } from './errors.js';
import { compile, interpret, type Executable, type Variables } from './execute.js';
import type { Profile } from './profile.js';
import { schema } from './schema.js';

export interface GatewayOptions {
  profile: Profile;
  introspection: boolean;
  log: Logger;
}

/** Limits of one document; introspection is exempt. */
const limits = { depth: 12, aliases: 30, cost: 10_000, tokens: 4_000, directives: 20 };
const MAX_BODY = '1mb';
/** One file a request: files of one form arrive one after the other, and a mutation that wants the second first would wait for ever. */
const MAX_FILES = 1;

/** The router of `/graphql`; `identify` puts the context into `res.locals`. */
export async function graphqlRouter(options: GatewayOptions, identify: RequestHandler): Promise<{ router: Router; stop: () => Promise<void> }> {
  const server = new ApolloServer<Context>({
    schema,
    introspection: options.introspection,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: false,
    stopOnTerminationSignals: false,
    formatError: (formatted, error) => formatError(options, formatted, unwrapResolverError(error)),
    ...protection(options),
    logger: silent,
  });
  await server.start();
  const middleware = expressMiddleware(server, { context: async ({ res }) => (res as Response).locals['context'] as Context });
  const router = Router();
  router.use(express.json({ limit: MAX_BODY }), identify, graphqlUploadExpress({ maxFiles: MAX_FILES }), emptyBody, middleware, refuse(options));
  return { router, stop: () => server.stop() };
}

function protection(options: GatewayOptions) {
  const armor = new ApolloArmor({
    maxDepth: { n: limits.depth },
    maxAliases: { n: limits.aliases },
    costLimit: { maxCost: limits.cost },
    maxTokens: { n: limits.tokens },
    maxDirectives: { n: limits.directives },
    blockFieldSuggestion: { enabled: !options.introspection },
  }).protect();
  return {
    validationRules: armor.validationRules,
    plugins: [...armor.plugins, ApolloServerPluginCacheControlDisabled(), ApolloServerPluginLandingPageDisabled(), compiledExecution(options)] as ApolloServerPlugin<Context>[],
  };
}

/** Apollo needs a body for its own refusals; GET requests have none. */
const emptyBody: RequestHandler = (req, _res, next) => {
  req.body ??= {};
  next();
};

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Documents that come again are worth compiling; the first time they are interpreted. */
function compiledExecution(options: GatewayOptions): ApolloServerPlugin<Context> {
  const seen = new WeakMap<DocumentNode, Map<string, Executable | 'once'>>();
  const executable = (document: DocumentNode, operationName: string | undefined): Executable => {
    let operations = seen.get(document);
    if (!operations) seen.set(document, (operations = new Map()));
    const key = operationName ?? '';
    const known = operations.get(key);
    if (typeof known === 'function') return known;
    operations.set(key, known === 'once' ? compile(document, operationName) : 'once');
    return known === 'once' ? (operations.get(key) as Executable) : interpret(document, operationName);
  };
  return {
    async requestDidStart() {
      return {
        async responseForOperation({ document, operationName, request, contextValue }) {
          const result: ExecutionResult = await executable(document, operationName ?? undefined)(contextValue, (request.variables ?? {}) as Variables);
          const errors = result.errors?.map((error) => formatError(options, error.toJSON(), error.originalError ?? error, contextValue.log));
          // Without data the variables did not fit: nothing ran.
          const status = 'data' in result ? undefined : 400;
          return { http: { status, headers: new HeaderMap() }, body: { kind: 'single', singleResult: { ...(errors && { errors }), ...('data' in result && { data: result.data ?? null }) } } };
        },
      };
    },
  };
}

/** The same decision as over REST: code, URN, status and attribute (runtime, GraphQL conventions). */
function formatError({ profile, log }: GatewayOptions, formatted: GraphQLFormattedError, thrown: unknown, requestLog: Logger = log): GraphQLFormattedError {
  const error = thrown instanceof ApiError ? thrown : requestFault(formatted, thrown as GraphQLError) ?? presentable(thrown);
  if (error.status >= 500) requestLog.error({ err: thrown }, 'a GraphQL field failed');
  return {
    message: error.message,
    ...(formatted.locations && { locations: formatted.locations }),
    ...(formatted.path && { path: formatted.path }),
    extensions: extensionsOf(profile, error),
  };
}

const extensionsOf = (profile: Profile, error: ApiError) => ({
  code: codeOf(error),
  errorIdentifier: errorUrn(profile.urnWord, error),
  status: error.status,
  ...(error.attribute !== undefined && { attribute: error.attribute }),
  ...(error.violations.length > 1 && { violations: error.violations }),
});

const codeOf = ({ identifier }: ApiError) => identifier.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();

/** What GraphQL itself refuses: a document that does not parse, fit or stay within the limits, and variables that do not fit it. */
function requestFault(formatted: GraphQLFormattedError, thrown: GraphQLError): ApiError | undefined {
  const code = formatted.extensions?.['code'];
  switch (code) {
    case 'GRAPHQL_PARSE_FAILED': case 'GRAPHQL_VALIDATION_FAILED': case 'OPERATION_RESOLUTION_FAILURE': case 'PERSISTED_QUERY_NOT_FOUND': case 'PERSISTED_QUERY_NOT_SUPPORTED':
      return new InvalidQuery(formatted.message);
    case 'BAD_USER_INPUT': case 'BAD_REQUEST':
      return new InvalidRequestBody(formatted.message);
    default:
      // graphql-jit and graphql-js report variables that do not fit without a path and without a cause.
      return formatted.path === undefined && thrown?.name === 'GraphQLError' && !thrown.originalError ? new InvalidRequestBody(formatted.message) : undefined;
  }
}

/** Faults before GraphQL: credentials, body, multipart form. */
const refuse = (options: GatewayOptions): ErrorRequestHandler => (thrown: Error & { status?: number; expose?: boolean }, req, res, _next) => {
  const error = thrown instanceof ApiError ? thrown : thrown.expose && thrown.status && thrown.status < 500 ? new InvalidRequestBody(thrown.message)
    : /couldn't find any files|Malformed|Multipart|Unexpected end|Invalid content-type|Part terminated/i.test(thrown.message) ? new InvalidRequestBody('The multipart body is malformed or incomplete.') : presentable(thrown);
  if (error.status >= 500) options.log.error({ err: thrown }, 'a GraphQL request failed');
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (error.status === 401) res.setHeader('WWW-Authenticate', challenge(req.headers.authorization));
  res.status(error.status).json({ errors: [{ message: error.message, extensions: extensionsOf(options.profile, error) }] });
};
