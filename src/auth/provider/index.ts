/** The OAuth 2 authorization server at `/oauth/…`, with its metadata at `/.well-known/…`. */
import { timingSafeEqual } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type Provider from 'oidc-provider';
import type { errors as Errors, KoaContextWithOIDC } from 'oidc-provider';
import type { Logger } from 'pino';
import { retryHeaders } from '../../contract/error-answers.js';
import { ServiceUnavailable } from '../../contract/errors.js';
import { API_SCOPE, OAuthApplication } from '../../models/oauth-application.js';
import { hashToken } from '../../secrets/keys-and-tokens.js';
import { configurationOf, paths } from './configuration.js';
import { loadLibrary, type Library } from './library.js';
import { describe } from './metadata.js';
import type { ProviderNeeds } from './needs.js';

/** An authorization request that waits for a person to consent. */
export interface Interaction {
  application: OAuthApplication;
  redirectUri: string;
  /** The session in which it began. */
  sessionId: number;
  userId: number;
}

export class AuthorizationServer {
  #started:
    | Promise<{
        provider: Provider;
        serve: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
      }>
    | undefined;

  constructor(private readonly needs: ProviderNeeds) {}

  /** The endpoints. The pages for people are in `pages/consent.ts`. */
  get router(): Router {
    const metadata: RequestHandler = (_req, res) => void res.json(describe(this.needs.base.url));
    // One route for each address, because the metrics count requests by route.
    return Router()
      .get('/.well-known/oauth-authorization-server', metadata)
      .get('/.well-known/openid-configuration', metadata)
      .get(paths.authorize, ignoreOpenId, this.#serve)
      .get(`${paths.authorize}/:uid`, ignoreOpenId, this.#serve)
      .post(paths.token, this.#serve)
      .post(paths.introspect, this.#serve)
      .post(paths.revoke, (req, res, next) => this.#serve(withQueryAsBody(req), res, next));
  }

  /** @returns undefined when the browser's session has no such interaction, or it is over */
  async interaction(req: Request, res: Response): Promise<Interaction | undefined> {
    const { provider } = await this.#ready();
    const found = await provider.interactionDetails(req, res).catch(ignoreLost);
    const application =
      found &&
      (await OAuthApplication.query(this.needs.db.read).findOne({
        client_id: String(found.params['client_id']),
      }));
    const { uid, accountId } = found?.session ?? {};
    // The library reads the cookie only. The address must name the same interaction.
    if (!found || !application || uid === undefined || found.uid !== req.params['uid'])
      return undefined;
    return {
      application,
      redirectUri: String(found.params['redirect_uri']),
      sessionId: Number(uid),
      userId: Number(accountId),
    };
  }

  /** Lets the application act for the user. */
  async allow(
    req: Request,
    res: Response,
    { application: { clientId }, userId }: Interaction,
  ): Promise<void> {
    const { provider } = await this.#ready();
    const grant = new provider.Grant({ accountId: String(userId), clientId });
    grant.addOIDCScope(API_SCOPE);
    await provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } });
  }

  async deny(req: Request, res: Response): Promise<void> {
    const { provider } = await this.#ready();
    await provider.interactionFinished(
      req,
      res,
      { error: 'access_denied', error_description: 'the person did not consent' },
      { mergeWithLastSubmission: false },
    );
  }

  readonly #serve: RequestHandler = async (req, res) => {
    const { host, protocol } = new URL(this.needs.base.url);
    // The library builds addresses from these headers. What the client sent must not count.
    Object.assign(req.headers, {
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol.slice(0, -1),
    });
    res.set({
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    });
    // The library allows every origin (CORS) unless the response already has a CORS header.
    res.set('Access-Control-Expose-Headers', 'WWW-Authenticate');
    const { serve } = await this.#ready();
    await serve(req, res);
  };

  /** The library starts with the first request, because only then is our address known. */
  #ready() {
    this.#started ??= loadLibrary().then((library) => {
      const provider = this.#makeProvider(library);
      return { provider, serve: provider.callback() };
    });
    return this.#started;
  }

  #makeProvider(library: Library): Provider {
    const { base, log, clock } = this.needs;
    const provider = new library.Provider(base.url, configurationOf(this.needs, library));
    provider.proxy = true;
    provider.Client.prototype.compareClientSecret = function (secret: string) {
      return (
        this.clientSecret !== undefined &&
        timingSafeEqual(Buffer.from(hashToken(secret)), Buffer.from(this.clientSecret))
      );
    };
    provider.use(async (ctx, next) => {
      const createdAt = Math.floor(clock().getTime() / 1000);
      await next();
      // The library gives every interaction cookies. One without a session was not stored.
      if (isWithoutSession(ctx)) ctx.res.removeHeader('Set-Cookie');
      if (isIssued(ctx.body)) ctx.body = { ...ctx.body, created_at: createdAt };
      else correctError(ctx);
      if (ctx.status === unavailable.status) ctx.set(retryHeaders(unavailable));
    });
    const events: EventEmitter = provider;
    events.on('error', (error: Error, ctx?: { req: IncomingMessage }) => {
      // Koa also reports the connection of a browser that went away.
      if (ctx?.req.socket.errored !== error)
        log.error({ err: error }, 'the authorization server failed');
    });
    events.on('server_error', (_, error: Error) =>
      log.error({ err: error }, 'the authorization server failed'),
    );
    for (const event of [
      'authorization.error',
      'grant.error',
      'introspection.error',
      'revocation.error',
    ])
      events.on(event, logRefusal(log, event));
    return provider;
  }
}

/**
 * Parameters of OpenID Connect. This server does not know them, so it ignores them (RFC 6749
 * section 3.1). The library would refuse them when the scope `openid` is missing.
 */
const OPENID_PARAMETERS = [
  'acr_values',
  'claims',
  'claims_locales',
  'id_token_hint',
  'max_age',
  'nonce',
];

const ignoreOpenId: RequestHandler = (req, _res, next) => {
  const [path, query] = req.url.split(/\?(.*)/s, 2) as [string, string?];
  const parameters = new URLSearchParams(query);
  if (OPENID_PARAMETERS.some((name) => parameters.has(name))) {
    for (const name of OPENID_PARAMETERS) parameters.delete(name);
    req.url = `${path}?${parameters.toString()}`;
  }
  next();
};

type Correction = [status: number, error: string];

/**
 * The library answers these errors as `invalid_request`.
 * This table has the status and code of RFC 6749 section 5.2, by the description of the error.
 */
const corrections: { readonly [description: string]: Correction | undefined } = {
  'requested grant type is not allowed for this client': [400, 'unauthorized_client'],
  'no client authentication mechanism provided': [401, 'invalid_client'],
};

function correctError(ctx: Pick<KoaContextWithOIDC, 'status' | 'body' | 'set'>): void {
  const { error_description: description } = (ctx.body ?? {}) as { error_description?: string };
  const correction = description === undefined ? undefined : corrections[description];
  if (!correction) return;
  const [status, error] = correction;
  ctx.status = status;
  ctx.body = { error, error_description: description };
  if (status === 401) ctx.set('WWW-Authenticate', 'Basic realm="oauth"');
}

type Answered = { body: unknown; oidc?: KoaContextWithOIDC['oidc'] };

const isWithoutSession = ({ oidc }: Answered): boolean => {
  const interaction = oidc?.entities.Interaction;
  return interaction !== undefined && interaction.session === undefined;
};

const unavailable = new ServiceUnavailable();

const isIssued = (body: unknown): body is { access_token: string } =>
  typeof body === 'object' && body !== null && 'access_token' in body;

/** The library throws when an interaction is over. */
function ignoreLost(error: Errors.OIDCProviderError): undefined {
  if (error.error !== 'invalid_request') throw error;
}

/** Logs codes and descriptions only: the presented credentials stay out of the log. */
const logRefusal =
  (log: Logger, event: string) =>
  (
    ctx: KoaContextWithOIDC,
    { error, error_detail: detail, error_description: description }: Errors.OIDCProviderError,
  ) =>
    log.warn(
      {
        event,
        error,
        detail: detail ?? description,
        client: ctx.oidc.client?.clientId,
        address: (ctx.req as Request).ip,
      },
      'the authorization server refused a request',
    );

/**
 * Some clients send the token to revoke as a query parameter, with an empty body.
 * The library reads only the body.
 */
function withQueryAsBody(req: Request): Request {
  const { token } = req.query;
  if (
    typeof token !== 'string' ||
    Number(req.headers['content-length'] ?? 0) > 0 ||
    req.headers['transfer-encoding'] !== undefined
  )
    return req;
  const body = Buffer.from(new URLSearchParams({ token }).toString());
  const { method, url, originalUrl, socket } = req;
  const headers: IncomingMessage['headers'] = {
    ...req.headers,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  };
  // The library needs these members and a stream. A true IncomingMessage needs a connection.
  return Object.assign(Readable.from([body], { objectMode: false }), {
    method,
    url,
    originalUrl,
    socket,
    headers,
  }) as unknown as Request;
}
