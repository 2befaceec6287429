/** Configures the OAuth library: codes with PKCE, rotated refresh tokens, and one scope. */
import { createPrivateKey } from 'node:crypto';
import type { Configuration, JWK, KoaContextWithOIDC } from 'oidc-provider';
import { API_SCOPE } from '../../models/oauth-application.js';
import { User } from '../../models/user.js';
import { hashToken } from '../../secrets/keys-and-tokens.js';
import { signInPath } from '../sessions.js';
import { adapters } from './adapter.js';
import type { Library } from './library.js';
import type { ProviderNeeds } from './needs.js';
import { isActiveToken } from './tokens.js';

const ACCESS_TOKEN_SECONDS = 2 * 3600;
const CODE_SECONDS = 60;
/** Lifetime of a refresh token. Each refresh issues a new token, so it counts from the last use. */
const REFRESH_TOKEN_SECONDS = 180 * 86_400;
/** The time that a person has to consent. */
const INTERACTION_SECONDS = 3600;
/** Characters of a request that a sign-in remembers. */
const MAX_REQUEST = 2_500;

export const paths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  introspect: '/oauth/introspect',
  interaction: '/oauth/interactions',
};

export function configurationOf(
  { db, clock, keyring, sessions, renderFailure }: ProviderNeeds,
  { errors, policy }: Library,
): Configuration {
  const cookie = {
    httpOnly: true,
    sameSite: 'lax',
    secure: sessions.secure,
    path: '/',
    signed: false,
  } as const;
  const isActive = async (id: string) =>
    (await User.query(db.read).findOne({ id: Number(id), status: 'active', anonymous: false })) !==
    undefined;
  return {
    adapter: adapters({
      db,
      clock,
      sessions,
      usedTwice: () => new errors.InvalidGrant('already used'),
    }),
    // Nothing that we issue is signed, but the library demands a key.
    jwks: { keys: [signingKey(keyring.derived('oauth signing key'))] },
    clientDefaults: { id_token_signed_response_alg: 'EdDSA' },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientBasedCORS: () => false,
    clockTolerance: 0,
    cookies: {
      names: {
        session: sessions.cookieName,
        interaction: 'moorage_interaction',
        resume: 'moorage_resume',
      },
      long: cookie,
      short: { ...cookie, path: undefined },
    },
    // A sign-out does not disconnect applications.
    expiresWithSession: async () => false,
    extraParams: { scope: checkParameters(errors) },
    features: {
      // No client may use this grant. If it were not enabled, the error would be
      // `unsupported_grant_type`.
      clientCredentials: { enabled: true },
      introspection: {
        enabled: true,
        allowedPolicy: async (_, client, token) =>
          client.clientAuthMethod !== 'none' &&
          token.clientId === client.clientId &&
          isActiveToken(db.read, hashToken(token.jti)),
      },
      revocation: {
        enabled: true,
        allowedPolicy: async (_, client, token) => token.clientId === client.clientId,
      },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    findAccount: async (_, id) =>
      (await isActive(id)) ? { accountId: id, claims: async () => ({ sub: id }) } : undefined,
    interactions: {
      policy: prompts(policy),
      url: (_, { uid, session, params }) =>
        session ? `${paths.interaction}/${uid}` : signInFor(errors, params),
    },
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    pkce: { required: (_, client) => client.clientAuthMethod === 'none' },
    renderError: (ctx, { error, error_description: description }) => {
      ctx.type = 'html';
      ctx.body = renderFailure(ctx.res, error, description ?? '');
    },
    responseTypes: ['code'],
    revokeGrantPolicy: () => true,
    rotateRefreshToken: true,
    routes: {
      authorization: paths.authorize,
      token: paths.token,
      revocation: paths.revoke,
      introspection: paths.introspect,
      jwks: '/oauth/jwks',
    },
    scopes: [API_SCOPE],
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      Grant: REFRESH_TOKEN_SECONDS,
      Interaction: INTERACTION_SECONDS,
      // As long as our own session lives, in seconds.
      Session: (_, { exp }) => Math.max(1, (exp ?? 0) - Math.floor(clock().getTime() / 1000)),
    },
  };
}

/**
 * The address of the sign-in, which leads back to the same request. So the database keeps nothing
 * before somebody is signed in.
 * @throws InvalidRequest if a cookie could not keep the request during a sign-in elsewhere
 */
function signInFor(errors: Library['errors'], params: { [name: string]: unknown }): string {
  const given = Object.entries(params).filter(
    (one): one is [string, string] => typeof one[1] === 'string',
  );
  const request = `${paths.authorize}?${new URLSearchParams(given).toString()}`;
  if (request.length > MAX_REQUEST)
    throw new errors.InvalidRequest(`the request has more than ${MAX_REQUEST} characters`);
  return signInPath(request);
}

/**
 * Sets our scope when the request names none. Refuses every other scope and `response_mode`. The
 * library would check the client's response modes before the response type, with another error.
 */
const checkParameters =
  (errors: Library['errors']) =>
  (ctx: KoaContextWithOIDC): void => {
    const { params } = ctx.oidc;
    if (!params) throw new Error('The library checks parameters that it has not read.');
    checkScope(errors, ctx.query['scope']);
    if ((params['response_mode'] ?? 'query') !== 'query')
      throw new errors.InvalidRequest('the only response_mode is query');
    params['scope'] = API_SCOPE;
  };

function checkScope(errors: Library['errors'], requested: unknown): void {
  if (requested !== undefined && requested !== '' && requested !== API_SCOPE)
    throw new errors.InvalidScope('the only scope is api_v3', String(requested));
}

/**
 * Without a session, an authorization asks for a sign-in. It always asks for consent, even after an
 * earlier one.
 */
function prompts({ base, Check, Prompt }: Library['policy']) {
  const policy = base();
  policy.remove('login');
  policy.add(
    new Prompt(
      { name: 'login', requestable: false },
      new Check(
        'no_session',
        'the person is not signed in',
        'login_required',
        ({ oidc }) => oidc.session?.accountId === undefined,
      ),
    ),
    0,
  );
  return policy;
}

/** @param secret the 32 bytes of an Ed25519 private key (RFC 8410) */
function signingKey(secret: Buffer): JWK {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({
    format: 'jwk',
  });
}
