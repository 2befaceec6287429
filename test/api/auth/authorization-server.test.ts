/**
 * Tests the OAuth authorization server with an independent client and with the integration app's own forms. One group
 * uses two servers on one database.
 */
import * as oauth from 'openid-client';
import { hashToken } from '../../../src/secrets/keys-and-tokens.js';
import { startApp, startBeside, type App } from '../../support/app.js';
import { errorBody } from '../../support/expected.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import {
  application,
  PASSWORD,
  REDIRECT,
  signable,
  type Application,
} from './support/applications.js';
import { authorize, codeGrant, form, me } from './support/grants.js';
import { Visitor } from '../../support/browser-visitor.js';

let app: App;
let beside: App;
let owner: Person;
let person: Person;
let tool: Application;
beforeAll(async () => {
  app = await startApp();
  beside = await startBeside(app, { BASE_URL: app.url });
  owner = await app.given.user();
  person = await signable(app, { firstName: 'Ida', lastName: 'Ott' });
  tool = await application(app, owner);
});
afterAll(async () => {
  await beside.stop();
  await app.stop();
});

const TOKEN = expect.stringMatching(/^[\w-]{43}$/);
const issued = {
  access_token: TOKEN,
  refresh_token: TOKEN,
  token_type: 'Bearer',
  scope: 'api_v3',
  expires_in: 7200,
  created_at: expect.any(Number),
};

describe('an independent client', () => {
  let config: oauth.Configuration;
  beforeAll(async () => {
    config = await oauth.discovery(new URL(app.url), tool.clientId, tool.secret, undefined, {
      algorithm: 'oauth2',
      execute: [oauth.allowInsecureRequests],
    });
  });

  test('discovers the authorization server', async () => {
    const { body } = await app.get('/.well-known/oauth-authorization-server');
    expect(body).toEqual({
      issuer: app.url,
      authorization_endpoint: `${app.url}/oauth/authorize`,
      token_endpoint: `${app.url}/oauth/token`,
      revocation_endpoint: `${app.url}/oauth/revoke`,
      introspection_endpoint: `${app.url}/oauth/introspect`,
      scopes_supported: ['api_v3'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'none',
      ],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
    });
    expect((await app.get('/.well-known/openid-configuration')).body).toEqual(body);
    expect(config.serverMetadata().token_endpoint).toBe(`${app.url}/oauth/token`);
  });

  test('gets a token by code and PKCE, then uses, refreshes, introspects and revokes it', async () => {
    const verifier = oauth.randomPKCECodeVerifier();
    const state = oauth.randomState();
    const url = oauth.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      scope: 'api_v3',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const answer = await authorize(new Visitor(app), person, `${url.pathname}${url.search}`);
    const tokens = await oauth.authorizationCodeGrant(config, answer, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    expect({ ...tokens, token_type: 'Bearer' }).toEqual(issued);
    expect(Math.abs(Number(tokens['created_at']) * 1000 - Date.now())).toBeLessThan(60_000);
    expect((await me(app, tokens.access_token)).body).toMatchObject({
      id: person.id,
      firstName: 'Ida',
      lastName: 'Ott',
    });

    const refreshed = await oauth.refreshTokenGrant(config, tokens.refresh_token!);
    expect({ ...refreshed, token_type: 'Bearer' }).toEqual(issued);
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect((await me(app, refreshed.access_token)).status).toBe(200);
    expect(await oauth.tokenIntrospection(config, refreshed.access_token)).toEqual({
      active: true,
      sub: String(person.id),
      client_id: tool.clientId,
      scope: 'api_v3',
      token_type: 'Bearer',
      iss: app.url,
      iat: expect.any(Number),
      exp: expect.any(Number),
    });

    await oauth.tokenRevocation(config, refreshed.refresh_token!);
    expect(await oauth.tokenIntrospection(config, refreshed.access_token)).toEqual({
      active: false,
    });
    await expect(oauth.refreshTokenGrant(config, refreshed.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await until(async () => (await me(app, refreshed.access_token)).status === 401);
  });

  test('that refreshes concurrently gets new tokens once, and keeps them', async () => {
    const { access_token: access, refresh_token: refresh } = (await codeGrant(app, tool, person))
      .body;
    const client = { client_id: tool.clientId, client_secret: tool.secret };
    const attempt = (server: App) =>
      form(server, '/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: refresh,
        ...client,
      });
    const answers = await Promise.all([app, beside, app, beside].map(attempt));
    // Some time later, it refreshes again.
    answers.push(await attempt(app));
    const [won, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(
      answers.filter((answer) => answer !== won).map(({ status, body }) => [status, body.error]),
    ).toEqual(Array.from({ length: 4 }, () => [400, 'invalid_grant']));
    for (const token of [access, won!.body.access_token])
      expect((await me(beside, token)).status).toBe(200);
    expect((await form(app, '/oauth/introspect', { token: refresh, ...client })).body).toEqual({
      active: false,
    });
    const next = await oauth.refreshTokenGrant(config, won!.body.refresh_token);
    expect(
      (await form(app, '/oauth/introspect', { token: next.refresh_token!, ...client })).body,
    ).toMatchObject({ active: true });
  });

  test('that got no answer to a refresh can repeat it soon afterwards', async () => {
    const { refresh_token: refresh } = (await codeGrant(app, tool, person)).body;
    const client = { client_id: tool.clientId, client_secret: tool.secret };
    const attempt = (server: App) =>
      form(server, '/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: refresh,
        ...client,
      });
    const { db } = app.running.services;
    const age = (ms: number) =>
      db
        .write('oauth_artifacts')
        .where({ key_hash: hashToken(refresh) })
        .update({ consumed_at: new Date(Date.now() - ms).toISOString() });
    const first = await attempt(app);
    expect(first.status).toBe(200);
    await age(3_000);
    expect((await attempt(app)).body.error).toBe('invalid_grant');
    // As if the first answer had never been saved.
    await db
      .write('oauth_artifacts')
      .where({ key_hash: hashToken(first.body.refresh_token) })
      .delete();
    const answers = await Promise.all([app, beside, app, beside].map(attempt));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    const { refresh_token: good } = answers.find(({ status }) => status === 200)!.body;
    // As if the first request were still running and saved its tokens now: another one has replaced
    // it.
    await db
      .write('oauth_artifacts')
      .where({ key_hash: hashToken(refresh) })
      .update({ consumed_at: null });
    expect((await attempt(app)).body.error).toBe('invalid_grant');
    const next = await oauth.refreshTokenGrant(config, good);
    expect((await me(app, next.access_token)).status).toBe(200);
  });

  test('that reuses a refresh token later loses the grant and all its tokens', async () => {
    const { access_token: access, refresh_token: refresh } = (await codeGrant(app, tool, person))
      .body;
    const next = await oauth.refreshTokenGrant(config, refresh);
    await app.running.services.db
      .write('oauth_artifacts')
      .where({ key_hash: hashToken(refresh) })
      .update({ consumed_at: new Date(Date.now() - 11_000).toISOString() });
    await expect(oauth.refreshTokenGrant(config, refresh)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(oauth.refreshTokenGrant(config, next.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    for (const token of [access, next.access_token])
      await until(async () => (await me(app, token)).status === 401);
  });

  test('that requests no scope gets api_v3, and no other scope', async () => {
    expect((await codeGrant(app, tool, person)).body.scope).toBe('api_v3');
    const refused = await new Visitor(app).get(
      `/oauth/authorize?${new URLSearchParams({ client_id: tool.clientId, redirect_uri: REDIRECT, response_type: 'code', scope: 'api_v3 admin', state: 's' })}`,
    );
    expect(refused.location ?? 'no redirect').toMatch(/[?&]error=invalid_scope(&|$)/);
  });
});

describe('the integration app of a file server', () => {
  test('connects, refreshes and disconnects with its own forms', async () => {
    const first = await codeGrant(app, tool, person);
    expect({ status: first.status, body: first.body }).toEqual({ status: 200, body: issued });
    const refreshed = await form(app, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: first.body.refresh_token,
      client_id: tool.clientId,
      client_secret: tool.secret,
    });
    expect({ status: refreshed.status, body: refreshed.body }).toEqual({
      status: 200,
      body: issued,
    });
    const revoked = await app.request(
      'POST',
      `/oauth/revoke?token=${refreshed.body.access_token}`,
      {
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from(`${tool.clientId}:${tool.secret}`).toString('base64')}`,
        },
        body: '',
      },
    );
    expect({ status: revoked.status, text: revoked.text }).toEqual({ status: 200, text: '' });
    // Revoking it also revokes its refresh token.
    const again = await form(app, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: refreshed.body.refresh_token,
      client_id: tool.clientId,
      client_secret: tool.secret,
    });
    expect({ status: again.status, body: again.body }).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'grant request is invalid' },
    });
    await until(async () => (await me(app, refreshed.body.access_token)).status === 401);
  });
});

test.each(['SelfHostedFileServer', 'CloudDrive'] as const)(
  'the application of a storage (%s) gets no token for itself, with Basic or form authentication',
  async (type) => {
    const creator = await app.given.user({ admin: true });
    const { clientId, clientSecret } = (await app.given.storage({ type, creator })).application;
    const basic = {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    };
    const inForm = { client_id: clientId, client_secret: clientSecret };
    const grant = { grant_type: 'client_credentials' };
    for (const { status, body } of [
      await form(app, '/oauth/token', grant, basic),
      await form(app, '/oauth/token', { ...grant, scope: 'api_v3', ...inForm }),
    ])
      expect({ status, body }).toEqual({
        status: 400,
        body: {
          error: 'unauthorized_client',
          error_description: 'requested grant type is not allowed for this client',
        },
      });
    const { db } = app.running.services;
    expect(await db.read('oauth_artifacts').where({ client_id: clientId })).toEqual([]);
  },
);

describe('tokens', () => {
  test('work over REST and GraphQL; a wrong token answers 401, a missing scope 403', async () => {
    const { access_token: token } = (await codeGrant(app, tool, person)).body;
    const viewer = async (bearer: string) =>
      app.request('POST', '/graphql', {
        json: { query: '{ viewer { login } }' },
        headers: { authorization: `Bearer ${bearer}` },
      });
    expect((await viewer(token)).body.data).toEqual({ viewer: { login: person.login } });
    expect((await viewer(`${token}x`)).status).toBe(401);
    // Tokens are not API keys.
    expect(
      (
        await app.get('/api/v3/users/me', undefined, {
          headers: { authorization: `Basic ${Buffer.from(`apikey:${token}`).toString('base64')}` },
        })
      ).status,
    ).toBe(401);

    const { db } = app.running.services;
    const weak = (await codeGrant(app, tool, person)).body.access_token;
    const [row] = await db.write('oauth_artifacts').where({ key_hash: hashToken(weak) });
    await db
      .write('oauth_artifacts')
      .where({ id: row.id })
      .update({ payload: row.payload.replace('api_v3', 'other') });
    const { status, body } = await me(app, weak);
    expect({ status, body }).toEqual({
      status: 403,
      body: errorBody('InsufficientScope', 'The access token does not have the scope api_v3.'),
    });
  });

  test('are revoked with their application', async () => {
    const dying = await application(app, owner);
    const { access_token: token } = (await codeGrant(app, dying, person)).body;
    expect((await me(app, token)).status).toBe(200);
    await app.running.services.db.write('oauth_applications').where({ id: dying.id }).delete();
    await until(async () => (await me(app, token)).status === 401);
  });
});

describe('two servers on one database', () => {
  test('share sign-ins, codes, grants and revocation', async () => {
    const visitor = new Visitor(app);
    const verifier = 'w'.repeat(64);
    const query = new URLSearchParams({
      client_id: tool.clientId,
      redirect_uri: REDIRECT,
      response_type: 'code',
      state: 's',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const signIn = await visitor.follow(await visitor.get(`/oauth/authorize?${query}`));
    // Each further step runs on the other server.
    const other = new Visitor(beside);
    for (const [name, cookie] of visitor.cookies) other.cookies.set(name, cookie);
    const asked = await other.follow(
      await other.post(signIn.path, { login: person.login, password: PASSWORD }),
    );
    const back = await other.follow(await other.post(asked.path, { decision: 'allow' }));
    const code = new URL(back.location!).searchParams.get('code')!;
    const { body } = await form(app, '/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      client_id: tool.clientId,
      client_secret: tool.secret,
      code_verifier: verifier,
    });
    expect(body).toEqual(issued);
    for (const server of [app, beside])
      expect((await me(server, body.access_token)).body.id).toBe(person.id);
    await form(beside, '/oauth/revoke', {
      token: body.access_token,
      client_id: tool.clientId,
      client_secret: tool.secret,
    });
    for (const server of [app, beside])
      await until(async () => (await me(server, body.access_token)).status === 401);
  });
});

describe('behind a proxy that ends TLS', () => {
  test('URLs and cookies use the base URL, whatever host the request names', async () => {
    const secure = await startBeside(app, { BASE_URL: 'https://moorage.example.test' });
    try {
      const visitor = new Visitor(secure);
      const query = new URLSearchParams({
        client_id: tool.clientId,
        redirect_uri: REDIRECT,
        response_type: 'code',
        state: 's',
      });
      const answer = await authorize(visitor, person, `/oauth/authorize?${query}`, 'allow', {
        'x-forwarded-host': 'evil.example.test',
        'x-forwarded-proto': 'http',
      });
      expect(answer.searchParams.get('iss')).toBe('https://moorage.example.test');
      expect([...visitor.cookies.keys()]).toContain('__Host-moorage_session');
      expect(
        visitor.lines.every(
          (line) => /; secure(;|$)/i.test(line) || /expires=Thu, 01 Jan 1970/i.test(line),
        ),
      ).toBe(true);
      const { body } = await form(secure, '/oauth/token', {
        grant_type: 'authorization_code',
        code: answer.searchParams.get('code')!,
        redirect_uri: REDIRECT,
        client_id: tool.clientId,
        client_secret: tool.secret,
      });
      expect(body).toEqual(issued);
    } finally {
      await secure.stop();
    }
  });
});

/** At most two seconds in every process. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 2_000; Date.now() < end;) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  if (!(await holds())) throw new Error('not after two seconds');
}
