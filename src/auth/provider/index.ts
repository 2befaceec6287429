/** Our OAuth 2 authorization server: `/oauth/…` and its description at `/.well-known/…`. */
import { timingSafeEqual } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type Provider from 'oidc-provider';
import type { ClientCredentials, errors as Errors, KoaContextWithOIDC } from 'oidc-provider';
import type { Logger } from 'pino';
import { retryHeaders, ServiceUnavailable } from '../../contract/errors.js';
import { API_SCOPE, OAuthApplication } from '../../models/oauth-application.js';
import { User } from '../../models/user.js';
import { hashToken } from '../../secrets/hashes.js';
import { ACCESS_TOKEN_SECONDS, checkScope, configurationOf, paths } from './configuration.js';
import { library, type Library } from './library.js';
import { describe } from './metadata.js';
import type { Dependencies } from './dependencies.js';

export type { Dependencies } from './dependencies.js';

/** A person between an application's request and the answer to it. */
export interface Interaction {
  prompt: 'login' | 'consent';
  application: OAuthApplication;
  /** Where the answer goes. */
  redirectUri: string;
  /** Whose session it began in; undefined where nobody was signed in. */
  sessionId: number | undefined;
  userId: number | undefined;
}

export class AuthorizationServer {
  #made:
    | Promise<{
        provider: Provider;
        serve: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
      }>
    | undefined;

  constructor(private readonly needs: Dependencies) {}

  /** Serves the endpoints; the pages of an interaction are served elsewhere. */
  get router(): Router {
    const metadata: RequestHandler = (_req, res) => void res.json(describe(this.needs.base.url));
    // A route for each address: they are counted by their routes.
    return Router()
      .get('/.well-known/oauth-authorization-server', metadata)
      .get('/.well-known/openid-configuration', metadata)
      .get(paths.authorize, ignoreOpenId, this.#serve)
      .get(`${paths.authorize}/:uid`, ignoreOpenId, this.#serve)
      .post(paths.token, this.#serve)
      .post(paths.introspect, this.#serve)
      .post(paths.revoke, (req, res, next) => this.#serve(withQueryAsBody(req), res, next));
  }

  /** The interaction of a browser's request, undefined when there is none, any more, for its session. */
  async interaction(req: Request, res: Response): Promise<Interaction | undefined> {
    const { provider } = await this.#ready();
    const found = await provider.interactionDetails(req, res).catch(ignoreLost);
    const application =
      found &&
      (await OAuthApplication.query(this.needs.db.read).findOne({
        client_id: String(found.params['client_id']),
      }));
    // Its address names it as well as its cookie does.
    if (!found || !application || found.uid !== req.params['uid']) return undefined;
    const { uid, accountId } = found.session ?? {};
    return {
      prompt: found.prompt.name as Interaction['prompt'],
      application,
      redirectUri: String(found.params['redirect_uri']),
      sessionId: uid === undefined ? undefined : Number(uid),
      userId: accountId === undefined ? undefined : Number(accountId),
    };
  }

  /** Goes on after the person signed in. */
  async resume(req: Request, res: Response): Promise<void> {
    const { provider } = await this.#ready();
    await provider.interactionFinished(req, res, {});
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
    // All addresses are made from our own, whatever the request says.
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
    // The library leaves CORS alone where a header of it is there; without this it would allow every origin.
    res.set('Access-Control-Expose-Headers', 'WWW-Authenticate');
    const { serve } = await this.#ready();
    await serve(req, res);
  };

  /** Made for the first request: by then our address is known. */
  #ready() {
    this.#made ??= library().then((found) => {
      const provider = this.#make(found);
      return { provider, serve: provider.callback() };
    });
    return this.#made;
  }

  #make(found: Library): Provider {
    const { base, log, clock } = this.needs;
    const provider = new found.Provider(base.url, configurationOf(this.needs, found));
    provider.proxy = true;
    provider.Client.prototype.compareClientSecret = function (secret: string) {
      return (
        this.clientSecret !== undefined &&
        timingSafeEqual(Buffer.from(hashToken(secret)), Buffer.from(this.clientSecret))
      );
    };
    provider.registerGrantType(
      'client_credentials',
      (ctx) => this.#clientCredentials(provider, found, ctx as KoaContextWithOIDC),
      ['scope'],
    );
    provider.use(async (ctx, next) => {
      const createdAt = Math.floor(clock().getTime() / 1000);
      await next();
      if (isIssued(ctx.body)) ctx.body = { ...ctx.body, created_at: createdAt };
      else nameError(ctx);
      if (ctx.status === unavailable.status) ctx.set(retryHeaders(unavailable));
    });
    const events: EventEmitter = provider;
    events.on('error', (error: Error) =>
      log.error({ err: error }, 'the authorization server failed'),
    );
    events.on('server_error', (_, error: Error) =>
      log.error({ err: error }, 'the authorization server failed'),
    );
    for (const event of [
      'authorization.error',
      'grant.error',
      'introspection.error',
      'revocation.error',
    ])
      events.on(event, noteRefusal(log, event));
    return provider;
  }

  /** A token that acts for the owner of the application. */
  async #clientCredentials(
    provider: Provider,
    { errors }: Library,
    ctx: KoaContextWithOIDC,
  ): Promise<void> {
    const { client, params } = ctx.oidc;
    checkScope(errors, params?.['scope']);
    const application = await OAuthApplication.query(this.needs.db.read).findOne({
      client_id: client!.clientId,
    });
    const owner =
      application &&
      (await User.query(this.needs.db.read).findOne({ id: application.ownerId, status: 'active' }));
    if (!owner || !application.scopes.includes(API_SCOPE))
      throw new errors.InvalidGrant('the owner of the application may not act');
    const token: ClientCredentials = new provider.ClientCredentials({
      client: client!,
      scope: API_SCOPE,
    });
    ctx.body = {
      access_token: await token.save(),
      expires_in: ACCESS_TOKEN_SECONDS,
      token_type: 'Bearer',
      scope: API_SCOPE,
    };
  }
}

/** Parameters of OpenID Connect alone. Here they are unknown, so they are ignored (RFC 6749, 3.1); the library refuses them without the scope `openid`. */
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
  const asked = new URLSearchParams(query);
  if (OPENID_PARAMETERS.some((name) => asked.has(name))) {
    for (const name of OPENID_PARAMETERS) asked.delete(name);
    req.url = `${path}?${asked.toString()}`;
  }
  next();
};

/** What the library calls `invalid_request`, by its description, and what RFC 6749, 5.2 calls it. */
const names: { readonly [description: string]: [status: number, error: string] | undefined } = {
  'requested grant type is not allowed for this client': [400, 'unauthorized_client'],
  'no client authentication mechanism provided': [401, 'invalid_client'],
};

function nameError(ctx: Pick<KoaContextWithOIDC, 'status' | 'body' | 'set'>): void {
  const { error_description: description } = (ctx.body ?? {}) as { error_description?: string };
  const named = description === undefined ? undefined : names[description];
  if (!named) return;
  const [status, error] = named;
  ctx.status = status;
  ctx.body = { error, error_description: description };
  if (status === 401) ctx.set('WWW-Authenticate', 'Basic realm="oauth"');
}

const unavailable = new ServiceUnavailable();

const isIssued = (body: unknown): body is { access_token: string } =>
  typeof body === 'object' && body !== null && 'access_token' in body;

/** The library says that an interaction is over by an error. */
function ignoreLost(error: Errors.OIDCProviderError): undefined {
  if (error.error !== 'invalid_request') throw error;
}

/** Codes and our own words only: what was presented stays out of the log. */
const noteRefusal =
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

/** A client sends the token that it revokes as a query, with an empty body. */
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
  return Object.assign(Readable.from([body], { objectMode: false }), {
    method,
    url,
    originalUrl,
    socket,
    headers,
  }) as unknown as Request;
}
