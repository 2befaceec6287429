/** Starts the server: composes the services, the Express application and the background work. */
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import cors from 'cors';
import express, {
  Router,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { Logger } from 'pino';
import { loadShedding } from './http/load-shedding.js';
import type { Identities } from './auth/identify.js';
import { attemptOf } from './auth/password-sign-in.js';
import { AuthorizationServer } from './auth/provider/index.js';
import type { Config } from './config.js';
import type { MaybePromise } from './concurrency/maybe-promise.js';
import { Client } from './concurrency/client.js';
import type { Caller } from './concurrency/slots.js';
import { FILE_HEADERS, UPLOAD_HEADERS } from './contract/exposed-headers.js';
import { clientNetwork } from './contract/client-network.js';
import { version } from './contract/version.js';
import { makeContext, type Context, type RequestParts, type Services } from './context.js';
import { migrate } from './database/migrations.js';
import { Overloaded, type ApiError } from './contract/errors.js';
import { demandAdmin } from './policies/can.js';
import { refusalBody } from './graphql/errors.js';
import { graphqlRouter } from './graphql/apollo.js';
import { healthEndpoints, type HealthOptions } from './http/health.js';
import { closeWithin, listen } from './http/listen.js';
import { createHttpServer, type HttpServerOptions } from './http/server.js';
import { logRequests } from './observability/log.js';
import { countRequests, metricsEndpoint } from './observability/metrics.js';
import type { User } from './models/user.js';
import { apiDocs } from './pages/api-docs.js';
import { AUDIT_EXPORT, auditExport } from './pages/audit-export.js';
import { applicationPages } from './pages/application.js';
import { pageAssets } from './pages/assets.js';
import { connectionPages } from './pages/connection.js';
import { consentPages } from './pages/consent.js';
import { explorer } from './pages/explorer.js';
import { renderFailure } from './pages/failure.js';
import { frontPage } from './pages/front.js';
import { setupPages } from './pages/setup.js';
import { passwordLinkPages } from './pages/password-link.js';
import { unsubscribePages } from './pages/unsubscribe.js';
import { signInPages } from './pages/sign-in/index.js';
import { workPackagePages } from './pages/work-package.js';
import { plainWrongAddress } from './pages/wrong-address.js';
import { errorBody, errorHandler, unknownPath } from './rest/represent/errors.js';
import { restRouter } from './rest/index.js';
import { previews } from './rest/routes/previews.js';
import { makeStore, openServices } from './services.js';
import { announceUploads, uploadsRouter } from './tus/router.js';
import { backlogOf } from './workers/backlog.js';
import { startBackground } from './workers/background-jobs.js';

export interface Running {
  services: Services;
  /** The address on which the server listens, e.g. `http://127.0.0.1:8080`. */
  address: string;
  /** The public address: `BASE_URL`, else `address`. */
  baseUrl: string;
  /**
   * Drains, stops accepting requests, waits for requests in flight (at most `SHUTDOWN_SECONDS`),
   * then closes everything.
   */
  stop(): Promise<void>;
}

/** Silent connections are closed after this time, so that a client cannot block an upload slot. */
const IDLE_MS = 120_000;
/** Larger headers get 431. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Migrates, then serves until `stop`. */
export async function startServer(
  config: Config,
  log?: Logger,
  listening: Partial<HttpServerOptions> = {},
): Promise<Running> {
  const services = openServices(config, log);
  try {
    const migrations = await migrate(services.db);
    if (migrations.length > 0) services.log.info({ migrations }, 'migrated');
    // Reads the columns of all tables now, so that the first request does not wait for them.
    await services.db.statements.columnsOf('users');
    await makeStore(services);
    await services.blobs.check();
    return await serve(config, services, listening);
  } catch (error) {
    await services.close();
    throw error;
  }
}

async function serve(
  config: Config,
  services: ReturnType<typeof openServices>,
  listening: Partial<HttpServerOptions>,
): Promise<Running> {
  const { base } = services;
  let stopping: Promise<void> | undefined;
  const isStopping = () => stopping !== undefined;
  const { app, stop: stopApp } = await buildApp(
    config,
    services,
    services.identities,
    base,
    isStopping,
  );
  const bodyOf = (error: ApiError, address = '') =>
    (/^\/graphql([/?]|$)/i.test(address) ? refusalBody : errorBody)(config.profile, error);
  const server = createHttpServer(app, bodyOf, isStopping, {
    maxHeaderSize: MAX_HEADER_BYTES,
    requestTimeout: 0,
    headersTimeout: 30_000,
    keepAliveTimeout: 65_000,
    fileSeconds: config.uploadStallSeconds,
    answerSeconds: config.downloadStallSeconds,
    ...listening,
  });
  server.setTimeout(IDLE_MS);
  const address = await listen(server, config);
  base.url ||= address;
  services.log.info(
    { version, address, database: config.database.client, profile: config.profile.name },
    'listening',
  );

  services.metrics.watch(backlogOf(services), (error) =>
    services.log.error({ err: error }, 'what waits could not be counted'),
  );
  const metricsServer = await serveMetrics(services, config);
  const background = config.backgroundWork ? startBackground(services) : undefined;
  if (background) {
    services.wake = background.wake;
    services.scanner
      ?.check()
      .catch((err: unknown) =>
        services.log.warn({ err }, 'files wait until the virus scanner answers'),
      );
  }

  const stop = () =>
    (stopping ??= (async () => {
      if (config.drainSeconds > 0) services.log.info({ seconds: config.drainSeconds }, 'draining');
      await sleep(config.drainSeconds * 1000);
      // This ends subscriptions, which would never finish.
      await services.events.close();
      const ended = background?.stop();
      const timeout = sleep(config.shutdownSeconds * 1000, undefined, { ref: false });
      await closeWithin(server, config.shutdownSeconds * 1000);
      if (metricsServer) await closeWithin(metricsServer, 0);
      await stopApp();
      // A copy in the blob store cannot be cancelled. Its lease expires, then another process
      // continues.
      await Promise.race([ended, timeout]);
      await services.close();
      services.log.info('stopped');
      services.log.flush();
    })());
  return { services, address, baseUrl: base.url, stop };
}

/** An address with an access of its own works also beside a session that has ended. */
const userOf = (req: Request, identities: Identities) =>
  req.baseUrl === '/api/v3' && 'access' in req.query
    ? identities.reader(req)
    : identities.caller(req);

/** The addresses of routers, for the metrics. */
const mounts = [
  '/api/v3',
  '/uploads',
  '/graphql',
  '/graphql/stream',
  '/login',
  '/logout',
  '/password',
  '/setup',
  '/oauth/interactions',
  '/oauth_clients',
  '/previews',
];

async function buildApp(
  config: Config,
  services: Services,
  identities: Identities,
  base: { url: string },
  isStopping: () => boolean,
): Promise<{ app: Express; stop: () => Promise<void> }> {
  const app = express();
  app
    .disable('x-powered-by')
    .disable('etag')
    .set('trust proxy', config.trustProxy)
    .set('query parser', 'simple');
  app.use(logRequests(services.log), countRequests(services.metrics, mounts));
  app.use(announceUploads(config));
  if (config.corsOrigins.length > 0)
    app.use(
      cors({
        origin: [...config.corsOrigins],
        exposedHeaders: [
          'X-Request-Id',
          'Location',
          'WWW-Authenticate',
          'Retry-After',
          ...FILE_HEADERS,
          ...UPLOAD_HEADERS,
        ],
        maxAge: 600,
      }),
    );
  const identify = identifyWith(config, services, base, (req) => userOf(req, identities));
  const identifyForMetrics = identifyWith(config, services, base, (req) => identities.reader(req));
  const enter = inSequence(loadShedding(config.busyRequests), identify);
  const contextOf = async (req: Request) => {
    const user = await identities.caller(req);
    return makeContext(services, user, { caller: callerOf(req, user) });
  };
  const graphql = await graphqlRouter(
    { profile: config.profile, introspection: config.introspection, log: services.log, contextOf },
    enter,
  );
  app.use('/api/v3', restRouter(config.profile, enter));
  app.use(uploadsRouter(config, enter));
  app.use('/previews', enter, previews);
  app.get(AUDIT_EXPORT, enter, auditExport);
  app.use(
    healthEndpoints({ checks: readinessOf(services), isStopping, log: services.log }),
    explorer(services.sessions),
  );
  if (config.metricsPort === undefined)
    app.get('/metrics', identifyForMetrics, metricsForAdmins, metricsEndpoint(services.metrics));
  const { pages, wrongAddress } = config.web ? applicationPages(services) : plainPages(services);
  const authorization = new AuthorizationServer({ ...services, renderFailure });
  app.use(
    authorization.router,
    consentPages({ ...services, authorization }),
    signInPages(services),
    passwordLinkPages(services),
    unsubscribePages(services),
    setupPages(services),
    connectionPages(services),
    pageAssets,
    pages,
  );
  app.use('/graphql', graphql.router);
  app.use(apiDocs(services.sessions));
  app.use(wrongAddress, unknownPath, errorHandler(config.profile));
  return { app, stop: graphql.stop };
}

/** The pages of a service without the web application. */
const plainPages = (services: Services) => ({
  pages: Router().use(workPackagePages(services)).get('/', frontPage),
  wrongAddress: plainWrongAddress,
});

const inSequence =
  (first: RequestHandler, second: RequestHandler): RequestHandler =>
  (req, res, next) =>
    first(req, res, (error?: unknown) =>
      error === undefined ? void second(req, res, next) : next(error),
    );

/**
 * The owner of a request's slots. Each network of anonymous callers has its own slots, so that one
 * network cannot use up those of the others.
 */
const callerOf = (req: Request, { anonymous, id }: User): Caller =>
  anonymous ? clientNetwork(req.ip ?? '') : id;

/**
 * Calls `callback` once: when the answer is complete, or when its client leaves.
 * @throws Overloaded if the client has left already, so that nothing more is done for it
 */
const whenAnswered = (res: Response) => (callback: () => void) => {
  if (res.closed) {
    callback();
    throw new Overloaded();
  }
  let called = false;
  const once = () => {
    if (!called) callback();
    called = true;
  };
  res.once('prefinish', once).once('close', once);
};

function clientOf(res: Response): Client {
  const client = new Client();
  res.once('close', () => {
    if (!res.writableFinished) client.leave();
  });
  return client;
}

/** Middleware that puts the request's context into `res.locals`. */
const identifyWith =
  (
    { profile }: Config,
    services: Services,
    base: { url: string },
    userOf: (req: Request) => MaybePromise<User>,
  ): RequestHandler =>
  (req, res, next) => {
    const proceed = (user: User) => {
      const context = makeContext(services, user, {
        log: res.locals['log'] as Logger,
        waits: res.locals['waits'] as RequestParts['waits'],
        caller: callerOf(req, user),
        origin: req.headers.origin,
        address: req.ip,
        attemptOf: (login) => attemptOf(services, req, login),
        whenAnswered: whenAnswered(res),
        client: clientOf(res),
      });
      // Rows are not kept while the client takes the answer.
      res.once('prefinish', () => context.forgetLoaded());
      res.locals['context'] = context;
      next();
    };
    Object.assign(res.locals, { profile, baseUrl: base.url });
    try {
      const user = userOf(req);
      if (user instanceof Promise) user.then(proceed).catch(next);
      else proceed(user);
    } catch (error) {
      next(error);
    }
  };

const readinessOf = ({ db, blobs }: Services): HealthOptions['checks'] => ({
  database: async () => void (await db.read.raw('select 1')),
  blobs: () => blobs.check(),
});

const metricsForAdmins: RequestHandler = (_req, res, next) => {
  demandAdmin(res.locals['context'] as Context);
  next();
};

/** Serves `/metrics` on a separate port, without authentication. */
async function serveMetrics(
  services: Services,
  { host, metricsPort, profile }: Config,
): Promise<Server | undefined> {
  if (metricsPort === undefined) return undefined;
  const app = express()
    .disable('x-powered-by')
    .get('/metrics', metricsEndpoint(services.metrics))
    .use(unknownPath, errorHandler(profile));
  const server = createServer(app);
  services.log.info({ address: await listen(server, { host, port: metricsPort }) }, 'metrics');
  return server;
}
