/** `/graphql`: Apollo parses, limits and validates; known documents then run compiled. */
import { ApolloServer, HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { unwrapResolverError } from '@apollo/server/errors';
import { expressMiddleware } from '@as-integrations/express5';
import { ApolloArmor } from '@escape.tech/graphql-armor';
import busboy from 'busboy';
import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { getVariableValues, type DocumentNode, type ExecutionResult, type GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { challenge } from './auth/identify.js';
import type { Context } from './context.js';
import { ApiError, errorUrn, InvalidQuery, InvalidRequestBody, MethodNotAllowed, NotAcceptable, presentable, TypeNotSupported, Unauthenticated } from './errors.js';
import { compile, interpret, type Executable } from './execute.js';
import { IncomingFile } from './incoming-file.js';
import type { Profile } from './profile.js';
import { schema } from './schema.js';

export interface GatewayOptions {
  profile: Profile;
  introspection: boolean;
  log: Logger;
}

/** Pieces in which a file arrives. */
const CHUNK = 256 * 1024;
/** Limits of one document; introspection is exempt. */
const limits = { depth: 12, aliases: 30, cost: 10_000, tokens: 4_000, directives: 20 };
const MAX_BODY = 1024 * 1024;

/** The router of `/graphql`; `identify` puts the context into `res.locals`. */
export async function graphqlRouter(options: GatewayOptions, identify: RequestHandler): Promise<{ router: Router; stop: () => Promise<void> }> {
  const server = new ApolloServer<Context>({
    schema,
    introspection: options.introspection,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: false,
    parseOptions: { maxTokens: limits.tokens },
    stopOnTerminationSignals: false,
    formatError: (formatted, error) => formatError(options, formatted, unwrapResolverError(error)),
    ...protection(options),
    logger: silent,
  });
  await server.start();
  const middleware = expressMiddleware(server, { context: async ({ res }) => (res as Response).locals['context'] as Context });
  const router = Router();
  router.use(express.json({ limit: MAX_BODY }), identify, uploadForm, emptyBody, middleware, refuse(options));
  return { router, stop: () => server.stop() };
}

function protection(options: GatewayOptions) {
  const armor = new ApolloArmor({
    maxDepth: { n: limits.depth },
    maxAliases: { n: limits.aliases },
    costLimit: { maxCost: limits.cost },
    // The parser of graphql-js counts them; that of the armor answers syntax errors with 500.
    maxTokens: { enabled: false },
    maxDirectives: { n: limits.directives },
    blockFieldSuggestion: { enabled: !options.introspection },
  }).protect();
  return {
    validationRules: armor.validationRules,
    plugins: [...armor.plugins, ApolloServerPluginCacheControlDisabled(), ApolloServerPluginLandingPageDisabled(), compiledExecution(options)] as ApolloServerPlugin<Context>[],
  };
}

/**
 * The form of a request with a file (graphql-multipart-request-spec): operations, map and the file, in this order. One file a
 * request: files of one form arrive one after the other, and a mutation that wants the second first would wait for ever.
 */
const uploadForm: RequestHandler = (req, _res, next) => {
  if (!req.is('multipart/form-data')) return next();
  readForm(req).then((operations) => {
    req.body = operations;
    next();
  }, next);
};

const THREE_PARTS = 'The form must have the parts operations, map and one file, in this order.';

function readForm(req: Request): Promise<object> {
  return new Promise((resolve, reject) => {
    let operations: object | undefined;
    let map: object | undefined;
    let content: Readable | undefined;
    let endForm!: () => void;
    let breakForm!: (error: Error) => void;
    const end = new Promise<void>((yes, no) => { [endForm, breakForm] = [yes, no]; });
    end.catch(() => undefined);

    const parser = parserFor(req);
    const fail = (message: string) => {
      const error = new InvalidRequestBody(message);
      req.unpipe(parser);
      req.resume();
      breakForm(error);
      content?.destroy(error);
      reject(error);
    };
    parser.on('field', (name, value, { valueTruncated }) => {
      const isNext = (name === 'operations' && !operations) || (name === 'map' && operations && !map);
      const parsed = parsedObject(value);
      if (valueTruncated) fail(`The part ${name} is larger than ${MAX_BODY} bytes.`);
      else if (!isNext) fail(THREE_PARTS);
      else if (!parsed || (name === 'map' && Array.isArray(parsed))) fail(`The part ${name} is not a JSON object.`);
      else if (name === 'operations') operations = parsed;
      else map = parsed;
    });
    parser.on('file', (name: string, stream: Readable) => {
      speakable(stream);
      if (!operations || !map || content || Object.keys(map).join() !== name) {
        stream.resume();
        return fail(THREE_PARTS);
      }
      content = stream;
      const file = new IncomingFile(() => {
        if (stream.readableDidRead) throw new InvalidRequestBody('A file can be used once in a request.');
        return stream;
      }, undefined, end);
      if (place(file, operations, Object.values(map)[0])) resolve(operations);
      else fail('The part map must name places of the part operations that are null, such as {"0": ["variables.file"]}.');
    });
    parser.on('partsLimit', () => fail(THREE_PARTS));
    parser.on('error', () => fail(malformed().message));
    parser.on('close', () => (content ? endForm() : fail(THREE_PARTS)));
    req.on('aborted', () => fail('The request was cut off.'));
    req.pipe(parser);
  });
}

const malformed = () => new InvalidRequestBody('The multipart body is malformed or incomplete.');

/** A file whose errors may reach the client: busboy breaks the file of a broken form with words of its own. */
function speakable(stream: Readable): Readable {
  const destroy = stream.destroy.bind(stream);
  stream.destroy = (error) => destroy(error && !(error instanceof ApiError) ? malformed() : error);
  // An error without a listener would end the process.
  return stream.on('error', () => undefined);
}

function parserFor(req: Request) {
  try {
    // One more of each than allowed, so that the extra one is seen and refused.
    return busboy({ headers: req.headers, defParamCharset: 'utf8', highWaterMark: CHUNK, fileHwm: CHUNK, limits: { parts: 4, files: 2, fields: 3, fieldSize: MAX_BODY + 1 } });
  } catch {
    throw new InvalidRequestBody('The Content-Type names no usable multipart boundary.');
  }
}

function parsedObject(text: string | undefined): object | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Puts the file where the map says: own members only, because a path such as `variables.toString.call` would break the process. */
function place(file: IncomingFile, operations: object, paths: unknown): boolean {
  return Array.isArray(paths) && paths.length > 0 && paths.every((path: unknown) => {
    const names = String(path).split('.');
    const last = names.pop()!;
    let parent: unknown = operations;
    for (const name of names) parent = own(parent, name);
    if (own(parent, last) !== null) return false;
    (parent as { [name: string]: unknown })[last] = file;
    return true;
  });
}

const own = (parent: unknown, name: string): unknown =>
  typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name) ? (parent as { [name: string]: unknown })[name] : undefined;

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
        async responseForOperation({ document, operation, operationName, request, contextValue }) {
          if (!operation) return null;
          // By graphql-js in either case: compiled documents forget the defaults of input members and refuse in other words.
          const { coerced, errors: unfit } = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables ?? {}, { maxErrors: 50 });
          const result: ExecutionResult = unfit ? { errors: unfit } : await executable(document, operationName ?? undefined)(contextValue, coerced);
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
  if (error.isFault) requestLog.error({ err: thrown }, 'a GraphQL field failed');
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
  const { status } = (thrown?.extensions?.['http'] ?? {}) as { status?: number };
  const refused = [MethodNotAllowed, NotAcceptable].find((One) => new One().status === status);
  if (refused) return new refused(formatted.message);
  switch (formatted.extensions?.['code']) {
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
const refuse = (options: GatewayOptions): ErrorRequestHandler => (thrown: BodyError, req, res, _next) => {
  const error = thrown.expose ? bodyFault(thrown) : presentable(thrown);
  if (error.isFault) options.log.error({ err: thrown }, 'a GraphQL request failed');
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (error instanceof Unauthenticated) res.setHeader('WWW-Authenticate', challenge(req.headers.authorization));
  res.status(error.status).json({ errors: [{ message: error.message, extensions: extensionsOf(options.profile, error) }] });
};

/** What express.json throws. */
type BodyError = Error & { expose?: boolean; type?: string };

function bodyFault({ type, message }: BodyError): ApiError {
  if (type === 'entity.too.large') return new InvalidRequestBody(`The request body is larger than ${MAX_BODY} bytes.`);
  return type?.endsWith('.unsupported') ? new TypeNotSupported(message) : new InvalidRequestBody(message);
}
