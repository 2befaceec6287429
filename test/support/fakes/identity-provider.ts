/** An OpenID provider: discovery, keys, a plain sign-in page, codes with PKCE, rotating refresh tokens, token exchange. */
import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
  type KeyObject,
} from 'jose';
import { serveFake, type FakeRequest, type FakeServer } from '../../../demo/servers/http-server.js';

export const OUR_CLIENT = { id: 'moorage', secret: 'the secret of moorage at the provider' };

export interface Identity {
  sub: string;
  preferred_username?: string;
  email?: string;
  email_verified?: boolean;
}

interface Code {
  identity: Identity;
  clientId: string;
  redirectUri: string;
  nonce: string | undefined;
  challenge: string | undefined;
}

export interface IdentityProvider extends FakeServer {
  readonly issuer: string;
  /** Who is signed in by the page, by the name that is typed there. */
  readonly people: Map<string, Identity>;
  /** What `aud` of the access tokens of a sign-in says. */
  audience: string[];
  /** Life of access tokens. */
  seconds: number;
  /** Whether sign-ins bring refresh tokens. */
  refreshable: boolean;
  /** To which audiences tokens may be exchanged. */
  readonly exchangeable: Set<string>;
  /** Refresh tokens that are good. */
  readonly refreshTokens: Map<string, Identity>;
  /** Another signing key; the old one stays in the set where `keep` says so. */
  rotate(options?: { keep?: boolean; alg?: string }): Promise<void>;
  /** A token with these claims beside `iss`, `iat` and `exp`, signed by the current key or as told. */
  mint(claims: JWTPayload, options?: MintOptions): Promise<string>;
  /** The newest key of an algorithm, to mint with. */
  keyOf(alg: string): MintOptions;
  /** What verifies the current key, as others see it. */
  publicJwk(): JWK;
}

export interface MintOptions {
  alg?: string;
  key?: CryptoKey | KeyObject | Uint8Array;
  kid?: string;
  typ?: string;
}

/** @param path of its issuer, such as `/application/o/app/` */
export async function startIdentityProvider(path = ''): Promise<IdentityProvider> {
  const discovery = `${path.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const codes = new Map<string, Code>();
  let keys: { kid: string; alg: string; privateKey: CryptoKey; jwk: JWK }[] = [];
  const rotate = async ({ keep = false, alg = 'RS256' } = {}) => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const kid = randomBytes(4).toString('hex');
    keys = [
      { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig' } },
      ...(keep ? keys : []),
    ];
  };
  await rotate();

  const mint = async (
    claims: JWTPayload,
    { alg = keys[0]!.alg, key = keys[0]!.privateKey, kid = keys[0]!.kid, typ }: MintOptions = {},
  ): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const all = { iss: provider.issuer, iat: now, exp: now + provider.seconds, ...claims };
    if (alg === 'none') return new UnsecuredJWT(all).encode();
    return new SignJWT(all)
      .setProtectedHeader({ alg, kid, ...(typ !== undefined && { typ }) })
      .sign(key);
  };
  const accessToken = (identity: Identity, aud: string[], azp: string) =>
    mint(
      { ...identity, aud, azp, scope: 'openid api_v3', jti: randomBytes(8).toString('hex') },
      { typ: 'at+jwt' },
    );
  const refreshToken = (identity: Identity): string => {
    const token = randomBytes(24).toString('base64url');
    provider.refreshTokens.set(token, identity);
    return token;
  };

  const grants: {
    [type: string]: (form: URLSearchParams, clientId: string) => Promise<object | Refusal>;
  } = {
    authorization_code: async (form, clientId) => {
      const code = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const verified =
        code?.challenge === undefined ||
        createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url') === code.challenge;
      if (
        !code ||
        code.clientId !== clientId ||
        code.redirectUri !== form.get('redirect_uri') ||
        !verified
      )
        return new Refusal('invalid_grant');
      const { identity, nonce } = code;
      return {
        ...(await issue(identity, clientId)),
        id_token: await mint({ ...identity, aud: clientId, ...(nonce !== undefined && { nonce }) }),
      };
    },
    refresh_token: async (form, clientId) => {
      const used = form.get('refresh_token') ?? '';
      const identity = provider.refreshTokens.get(used);
      if (!identity) return new Refusal('invalid_grant');
      provider.refreshTokens.delete(used);
      return issue(identity, clientId);
    },
    'urn:ietf:params:oauth:grant-type:token-exchange': async (form, clientId) => {
      const audience = form.get('audience') ?? '';
      const [, payload = ''] = (form.get('subject_token') ?? '').split('.');
      if (form.get('subject_token_type') !== 'urn:ietf:params:oauth:token-type:access_token')
        return new Refusal('invalid_request');
      if (!provider.exchangeable.has(audience)) return new Refusal('invalid_target');
      const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string };
      return {
        access_token: await accessToken({ sub }, [audience], clientId),
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: provider.seconds,
      };
    },
  };
  const issue = async (identity: Identity, clientId: string) => ({
    access_token: await accessToken(identity, provider.audience, clientId),
    token_type: 'Bearer',
    expires_in: provider.seconds,
    ...(provider.refreshable && { refresh_token: refreshToken(identity) }),
  });

  const answer = async (request: FakeRequest, res: ServerResponse): Promise<void> => {
    const { method, path, query } = request;
    if (path === discovery) {
      return json(res, {
        issuer: provider.issuer,
        authorization_endpoint: `${server.url}/authorize`,
        token_endpoint: `${server.url}/token`,
        jwks_uri: `${server.url}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        scopes_supported: ['openid', 'offline_access'],
      });
    }
    if (path === '/jwks') return json(res, { keys: keys.map(({ jwk }) => jwk) });
    if (path === '/authorize' && method === 'GET') return page(res, query);
    if (path === '/authorize') {
      const form = new URLSearchParams(request.body.toString());
      const identity = provider.people.get(form.get('name') ?? '');
      if (!identity) return page(res, form);
      const code = randomBytes(16).toString('base64url');
      codes.set(code, {
        identity,
        clientId: form.get('client_id')!,
        redirectUri: form.get('redirect_uri')!,
        nonce: form.get('nonce') ?? undefined,
        challenge: form.get('code_challenge') ?? undefined,
      });
      const location = new URL(form.get('redirect_uri')!);
      location.searchParams.set('code', code);
      location.searchParams.set('state', form.get('state') ?? '');
      return void res.writeHead(303, { location: location.href }).end();
    }
    if (path === '/token' && method === 'POST') {
      const form = new URLSearchParams(request.body.toString());
      const clientId = clientOf(request, form);
      if (clientId === undefined) return json(res, { error: 'invalid_client' }, 401);
      const given =
        (await grants[form.get('grant_type') ?? '']?.(form, clientId)) ??
        new Refusal('unsupported_grant_type');
      return given instanceof Refusal ? json(res, { error: given.error }, 400) : json(res, given);
    }
    res.writeHead(404).end();
  };

  const server = await serveFake(answer);
  const provider: IdentityProvider = Object.assign(server, {
    issuer: server.url + path,
    people: new Map<string, Identity>(),
    audience: [OUR_CLIENT.id],
    seconds: 600,
    refreshable: true,
    exchangeable: new Set<string>(),
    refreshTokens: new Map<string, Identity>(),
    rotate,
    mint,
    keyOf: (wanted: string) =>
      keys
        .map(({ kid, alg, privateKey }) => ({ kid, alg, key: privateKey }))
        .find(({ alg }) => alg === wanted)!,
    publicJwk: () => keys[0]!.jwk,
  });
  return provider;
}

class Refusal {
  constructor(readonly error: string) {}
}

function json(res: ServerResponse, body: object, status = 200): void {
  res
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}

/** Who signs in is typed into it. */
function page(res: ServerResponse, members: URLSearchParams): void {
  const escaped = (text: string) =>
    text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  const hidden = [...members]
    .filter(([name]) => name !== 'name')
    .map(
      ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
    )
    .join('');
  res
    .writeHead(200, { 'content-type': 'text/html' })
    .end(
      `<!doctype html><title>Provider</title><form method="post" action="/authorize">${hidden}<label>Name <input name="name" autofocus></label><button>Go</button></form>`,
    );
}

function clientOf({ headers }: FakeRequest, form: URLSearchParams): string | undefined {
  const [, basic] = /^Basic (.+)$/i.exec(headers.authorization ?? '') ?? [];
  const [id, secret] = basic
    ? Buffer.from(basic, 'base64')
        .toString()
        .split(':')
        .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    : [form.get('client_id'), form.get('client_secret')];
  return id === OUR_CLIENT.id && secret === OUR_CLIENT.secret ? id : undefined;
}
