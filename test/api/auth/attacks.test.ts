/** Attacks on the OAuth authorization server: they are refused and logged, and no secret leaks. */
import * as oauth from 'openid-client';
import { startApp, startBeside, type App } from '../../support/app.js';
import type { Person } from '../../support/factories.js';
import {
  OUR_CLIENT,
  startIdentityProvider,
  type IdentityProvider,
} from '../../support/fakes/identity-provider.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import {
  application,
  PASSWORD,
  REDIRECT,
  signable,
  type Application,
} from './support/applications.js';
import { authorize, form, me } from './support/grants.js';
import { Visitor } from '../../support/browser-visitor.js';

let app: App;
let beside: App;
let provider: IdentityProvider;
let person: Person;
let tool: Application;
let open: Application;
beforeAll(async () => {
  provider = await startIdentityProvider();
  app = await startApp({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: OUR_CLIENT.id,
    OIDC_CLIENT_SECRET: OUR_CLIENT.secret,
  });
  beside = await startBeside(app, { BASE_URL: app.url });
  person = await signable(app, { email: 'planted@example.test' });
  tool = await application(app, person);
  open = await application(app, person, {
    confidential: false,
    redirectUris: ['http://127.0.0.1/callback', 'com.example.tool:/callback'],
  });
});
afterAll(async () => {
  await beside?.stop();
  await app?.stop();
  await provider?.close();
});

const VERIFIER = 'v'.repeat(64);
const pathOf = (members: { [name: string]: string | undefined }) =>
  `/oauth/authorize?${new URLSearchParams(Object.entries({ client_id: tool.clientId, redirect_uri: REDIRECT, response_type: 'code', state: 'a-state', ...members }).filter((pair): pair is [string, string] => pair[1] !== undefined))}`;
const withPkce = async (members: { [name: string]: string | undefined } = {}) =>
  pathOf({
    code_challenge: await oauth.calculatePKCECodeChallenge(VERIFIER),
    code_challenge_method: 'S256',
    ...members,
  });
const signedIn = async () => {
  const visitor = new Visitor(app);
  await visitor.signIn(person.login, PASSWORD);
  return visitor;
};
const secret = () => ({ client_id: tool.clientId, client_secret: tool.secret });
const codeOf = (answer: URL) => answer.searchParams.get('code')!;
const code = async (path?: string) =>
  codeOf(await authorize(new Visitor(app), person, path ?? (await withPkce())));
const redeem = (given: string, members: { [name: string]: string } = {}, at = app) =>
  form(at, '/oauth/token', {
    grant_type: 'authorization_code',
    code: given,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    ...secret(),
    ...members,
  });
const noted = async (work: () => Promise<unknown>): Promise<string> => {
  const from = app.logLines.length;
  await work();
  return app.logLines
    .slice(from)
    .filter((line) => line.includes('"level":40'))
    .join('');
};
const invalidGrant = { error: 'invalid_grant', error_description: 'grant request is invalid' };

describe('codes', () => {
  test('work once: a second use is refused, logged, and revokes the tokens of the first use', async () => {
    const given = await code();
    const first = await redeem(given);
    expect(first.status).toBe(200);
    let second: Awaited<ReturnType<typeof redeem>>;
    const lines = await noted(async () => {
      second = await redeem(given);
    });
    expect({ status: second!.status, body: second!.body }).toEqual({
      status: 400,
      body: invalidGrant,
    });
    expect(lines).toContain('the authorization server refused a request');
    expect(lines).not.toContain(given);
    expect(
      (
        await form(app, '/oauth/token', {
          grant_type: 'refresh_token',
          refresh_token: first.body.refresh_token,
          ...secret(),
        })
      ).body,
    ).toEqual(invalidGrant);
    expect(
      (await form(app, '/oauth/introspect', { token: first.body.access_token, ...secret() })).body,
    ).toEqual({ active: false });
  });

  test('used twice concurrently give tokens to at most one client, and these are revoked', async () => {
    const winners: unknown[] = [];
    // If the second request arrives before the tokens are saved, no client gets any.
    for (let round = 0; round < 5 || (winners.length === 0 && round < 40); round += 1) {
      const given = await code();
      const answers = await Promise.all([
        redeem(given),
        redeem(given, {}, beside),
        redeem(given),
        redeem(given, {}, beside),
      ]);
      const won = answers.filter(({ status }) => status === 200);
      expect(won.length).toBeLessThanOrEqual(1);
      expect(
        answers.filter((answer) => !won.includes(answer)).map(({ status, body }) => [status, body]),
      ).toEqual(Array.from({ length: 4 - won.length }, () => [400, invalidGrant]));
      for (const { body } of won) expect((await me(app, body.access_token)).status).toBe(401);
      winners.push(...won);
    }
    expect(winners).not.toEqual([]);
  });

  test('are bound to their client, redirect URI and code verifier', async () => {
    const other = await application(app, person);
    const refusals = [
      await redeem(await code(), { client_id: other.clientId, client_secret: other.secret }),
      await redeem(await code(), { redirect_uri: `${REDIRECT}/` }),
      await redeem(await code(), { code_verifier: 'w'.repeat(64) }),
      await redeem(await code(), { code_verifier: '' }),
      // A verifier for a code that was requested without a challenge: an attacker removed the
      // challenge.
      await redeem(await code(pathOf({}))),
      await redeem('no-such-code'),
    ];
    expect(refusals.map(({ status, body }) => [status, body])).toEqual(
      refusals.map(() => [400, invalidGrant]),
    );
    expect((await redeem(await code(), { client_secret: 'wrong' })).body).toEqual({
      error: 'invalid_client',
      error_description: 'client authentication failed',
    });
    const { db } = app.running.services;
    const [{ client_secret_hash: hash }] = await db
      .read('oauth_applications')
      .where({ id: tool.id });
    expect((await redeem(await code(), { client_secret: hash })).status).toBe(401);
  });

  test('expire after a minute', async () => {
    const given = await code();
    await app.running.services.db
      .write('oauth_artifacts')
      .where({ kind: 'AuthorizationCode' })
      .update({ expires_at: '2020-01-01T00:00:00.000Z' });
    expect((await redeem(given)).body).toEqual(invalidGrant);
  });
});

const LOOPBACK = 'http://127.0.0.1:51234/callback';

describe.each([
  ['with a secret', () => ({ redirect_uri: REDIRECT, ...secret() })],
  ['without a secret', () => ({ redirect_uri: LOOPBACK, client_id: open.clientId })],
])('PKCE of a client %s', (name, members) => {
  /** Signed in once, for all codes. */
  let visitor: Visitor;
  let challenge: string;
  beforeAll(async () => {
    visitor = new Visitor(app);
    challenge = await oauth.calculatePKCECodeChallenge(VERIFIER);
  });

  /** The path of an authorization request. An undefined member is left out. */
  const requested = (changed: { [name: string]: string | undefined }) =>
    pathOf({
      client_id: members().client_id,
      redirect_uri: members().redirect_uri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...changed,
    });
  const redeemed = async (given: string, verifier: [name: string, value: string][]) => {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: given,
      ...members(),
    });
    for (const [parameter, value] of verifier) body.append(parameter, value);
    const answer = await app.request('POST', '/oauth/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    });
    return [answer.status, answer.body.error];
  };

  test('is never taken away from a code: only the verifier makes it work', async () => {
    const given = codeOf(await authorize(visitor, person, requested({})));
    const downgrades: [parameters: [string, string][], error: string][] = [
      [[], 'invalid_grant'],
      [[['code_verifier', '']], 'invalid_grant'],
      [[['code_verifier', 'w'.repeat(64)]], 'invalid_grant'],
      // As the method `plain` has it.
      [[['code_verifier', challenge]], 'invalid_grant'],
      [
        [
          ['code_verifier', challenge],
          ['code_challenge_method', 'plain'],
        ],
        'invalid_grant',
      ],
      [
        [
          ['code_challenge', ''],
          ['code_challenge_method', ''],
        ],
        'invalid_grant',
      ],
      [[['code_verifier[]', VERIFIER]], 'invalid_grant'],
      [[['code_verifier', VERIFIER.toUpperCase()]], 'invalid_grant'],
      [[['code_verifier', VERIFIER.slice(0, 42)]], 'invalid_request'],
      [[['code_verifier', `${VERIFIER}\0`]], 'invalid_request'],
      [
        [
          ['code_verifier', VERIFIER],
          ['code_verifier', VERIFIER],
        ],
        'invalid_request',
      ],
    ];
    for (const [parameters, error] of downgrades)
      expect({ parameters, answer: await redeemed(given, parameters) }).toEqual({
        parameters,
        answer: [400, error],
      });
    expect(await redeemed(given, [['code_verifier', VERIFIER]])).toEqual([200, undefined]);
  });

  test('has the method S256 only, and no half of it', async () => {
    for (const changed of [
      { code_challenge_method: 'plain', code_challenge: VERIFIER },
      { code_challenge_method: 's256' },
      { code_challenge_method: undefined },
      { code_challenge_method: '' },
      { code_challenge: undefined },
      { code_challenge: '' },
      { code_challenge: challenge.slice(0, 42) },
      { code_challenge: `${challenge}=` },
    ]) {
      const { location } = await visitor.get(requested(changed));
      const { searchParams } = new URL(location!, app.url);
      expect({ changed, error: searchParams.get('error') }).toEqual({
        changed,
        error: 'invalid_request',
      });
    }
    const twice = `${requested({})}&code_challenge=${'w'.repeat(43)}`;
    const { searchParams } = new URL((await visitor.get(twice)).location ?? '', app.url);
    expect([searchParams.get('error'), searchParams.has('code')]).toEqual([
      'invalid_request',
      false,
    ]);
  });

  test('that was taken out of the request is noticed', async () => {
    const without = requested({ code_challenge: undefined, code_challenge_method: undefined });
    if (name === 'without a secret') {
      const { location } = await visitor.get(without);
      expect(new URL(location!).searchParams.get('error')).toBe('invalid_request');
      return;
    }
    const given = codeOf(await authorize(visitor, person, without));
    expect(await redeemed(given, [['code_verifier', VERIFIER]])).toEqual([400, 'invalid_grant']);
    // Companion apps of file servers do not use PKCE.
    expect(await redeemed(given, [])).toEqual([200, undefined]);
  });
});

describe('authorization requests', () => {
  test('with another redirect URI get an error page and no redirect', async () => {
    for (const uri of [
      `${REDIRECT}/`,
      `${REDIRECT}?x=1`,
      'https://cloud.example.test.evil.test/oauth-redirect',
      'http://cloud.example.test/oauth-redirect',
      'javascript:alert(1)',
      '"><script>alert(1)</script>',
      'https://cloud.example.test/OAUTH-redirect',
      'https://user@cloud.example.test/oauth-redirect',
    ]) {
      let seen: Awaited<ReturnType<Visitor['get']>>;
      const lines = await noted(async () => {
        seen = await new Visitor(app).get(await withPkce({ redirect_uri: uri }));
      });
      expect({
        uri,
        status: seen!.status,
        location: seen!.location,
        title: /<h1>(.*)<\/h1>/.exec(seen!.text)?.[1],
      }).toEqual({
        uri,
        status: 400,
        location: undefined,
        title: 'This request cannot be answered',
      });
      expect(seen!.text).not.toContain('<script');
      expect(seen!.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(lines).toContain('invalid_redirect_uri');
    }
    for (const path of [
      await withPkce({ client_id: 'unknown' }),
      '/oauth/authorize',
      await withPkce({ redirect_uri: undefined, client_id: open.clientId }),
    ])
      expect((await new Visitor(app).get(path)).status).toBe(400);
  });

  test('of public clients need PKCE with SHA-256', async () => {
    const refused = async (members: { [name: string]: string | undefined }) =>
      new URL(
        (
          await new Visitor(app).get(
            pathOf({
              client_id: open.clientId,
              redirect_uri: 'http://127.0.0.1:51234/callback',
              ...members,
            }),
          )
        ).location!,
      ).searchParams;
    expect(Object.fromEntries(await refused({}))).toEqual({
      error: 'invalid_request',
      error_description: expect.stringContaining('PKCE'),
      state: 'a-state',
      iss: app.url,
    });
    expect(
      (await refused({ code_challenge: VERIFIER, code_challenge_method: 'plain' })).get('error'),
    ).toBe('invalid_request');
    expect((await refused({ code_challenge: VERIFIER })).get('error')).toBe('invalid_request');
    const implicit = new URL(
      (await new Visitor(app).get(pathOf({ response_type: 'token' }))).location!,
    );
    expect([implicit.origin, new URLSearchParams(implicit.hash.slice(1)).get('error')]).toEqual([
      new URL(REDIRECT).origin,
      'unsupported_response_type',
    ]);

    const answer = await authorize(
      new Visitor(app),
      person,
      await withPkce({ client_id: open.clientId, redirect_uri: 'http://127.0.0.1:51234/callback' }),
    );
    const redeemed = (members: object) =>
      form(app, '/oauth/token', {
        grant_type: 'authorization_code',
        code: codeOf(answer),
        redirect_uri: 'http://127.0.0.1:51234/callback',
        client_id: open.clientId,
        ...members,
      });
    expect((await redeemed({})).body).toEqual(invalidGrant);
    expect((await redeemed({ code_verifier: VERIFIER })).status).toBe(200);
    const { status, body } = await form(app, '/oauth/token', {
      grant_type: 'client_credentials',
      client_id: open.clientId,
    });
    expect([status, body.error]).toEqual([400, 'unauthorized_client']);
  });

  test('answer the standard error code, and ignore parameters of OpenID Connect', async () => {
    const error = async (members: { [name: string]: string | undefined }) => {
      const { location } = await new Visitor(app).get(await withPkce(members));
      const { searchParams, hash } = new URL(location!, app.url);
      return searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error');
    };
    expect([
      await error({ response_type: 'foo' }),
      await error({ response_type: undefined }),
      await error({ response_mode: 'fragment' }),
      await error({ response_mode: 'query' }),
      await error({ scope: 'openid' }),
    ]).toEqual([
      'unsupported_response_type',
      'invalid_request',
      'invalid_request',
      null,
      'invalid_scope',
    ]);
    const answer = await authorize(
      new Visitor(app),
      person,
      await withPkce({
        acr_values: 'high',
        claims: '{}',
        claims_locales: 'en',
        id_token_hint: 'x',
        login_hint: 'somebody',
        max_age: '60',
        nonce: 'n',
        unheard_of: '1',
      }),
    );
    expect([answer.searchParams.get('state'), (await redeem(codeOf(answer))).status]).toEqual([
      'a-state',
      200,
    ]);
    for (const path of ['/oauth/introspect', '/oauth/revoke', '/oauth/token']) {
      const { status, headers, body } = await form(app, path, {
        token: 'x',
        grant_type: 'client_credentials',
      });
      expect([path, status, headers.get('www-authenticate'), body]).toEqual([
        path,
        401,
        'Basic realm="oauth"',
        {
          error: 'invalid_client',
          error_description: 'no client authentication mechanism provided',
        },
      ]);
    }
  });

  test('need the consent of the same user, on our page, in the browser that started', async () => {
    const asked = async (visitor: Visitor) => {
      await visitor.signIn(person.login, PASSWORD);
      return visitor.follow(await visitor.get(await withPkce()));
    };
    const forged = new Visitor(app);
    const page = await asked(forged);
    expect(page.text).toContain('<h1>Let A &lt;b&gt;tool&lt;/b&gt; &amp; more act for you?</h1>');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' https://cloud.example.test; frame-ancestors 'none'; base-uri 'none'",
    );
    const grants = async () =>
      (await app.running.services.db.read('oauth_artifacts').where({ kind: 'Grant' })).length;
    const before = await grants();
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(
        (await forged.post(page.path, { decision: 'allow' }, { 'sec-fetch-site': site })).status,
      ).toBe(403);

    // Another browser with its own session.
    const stranger = new Visitor(app);
    const other = await signable(app);
    await stranger.signIn(other.login, PASSWORD);
    expect((await stranger.post(page.path, { decision: 'allow' })).status).toBe(400);
    // Even with the cookies of this request.
    for (const [name, cookie] of forged.cookies)
      if (name !== 'moorage_session') stranger.cookies.set(name, cookie);
    expect((await stranger.post(page.path, { decision: 'allow' })).status).toBe(400);

    // Another user signs in at the same browser meanwhile.
    const shared = new Visitor(app);
    const mine = await asked(shared);
    await shared.signIn(other.login, PASSWORD);
    expect((await shared.post(mine.path, { decision: 'allow' })).status).toBe(400);
    const left = new Visitor(app);
    const theirs = await asked(left);
    await left.post('/logout', {});
    expect((await left.post(theirs.path, { decision: 'allow' })).status).toBe(400);

    expect(await grants()).toBe(before);

    const honest = new Visitor(app);
    const denied = await authorize(honest, person, await withPkce(), 'deny');
    expect(Object.fromEntries(denied.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'the person did not consent',
      state: 'a-state',
      iss: app.url,
    });
    // Any answer except "allow" refuses.
    const odd = await asked(honest);
    expect((await honest.follow(await honest.post(odd.path, {}))).location).toContain(
      'error=access_denied',
    );
    // A request that has finished.
    expect((await honest.get(odd.path)).status).toBe(400);
  });

  test('change the session id, so that a planted session is useless', async () => {
    const visitor = new Visitor(app);
    await visitor.signIn(person.login, PASSWORD);
    const before = visitor.cookies.get('moorage_session')!.value;
    await authorize(visitor, person, await withPkce());
    expect(visitor.cookies.get('moorage_session')!.value).not.toBe(before);
    expect(JSON.parse((await visitor.get('/api/v3/users/me')).text).id).toBe(person.id);
  });

  test('leave nothing in the database and the browser before somebody signs in', async () => {
    const { db } = app.running.services;
    const rows = async () =>
      Promise.all(
        ['oauth_artifacts', 'sessions', 'identity_tokens', 'events'].map(async (table) => [
          table,
          await db.read(table).orderBy('id'),
        ]),
      );
    const before = await rows();
    const visitor = new Visitor(app);
    const request = await withPkce({ state: 'a+b %2F"é\\' });
    for (let count = 0; count < 200; count += 1) {
      const { status, location } = await visitor.get(request);
      const [page, returnTo] = location!.split('?return_to=');
      const again = new URL(decodeURIComponent(returnTo!), app.url);
      expect([status, page, again.pathname]).toEqual([303, '/login', '/oauth/authorize']);
      expect(Object.fromEntries(again.searchParams)).toEqual({
        ...Object.fromEntries(new URL(request, app.url).searchParams),
        scope: 'api_v3',
      });
    }
    expect(await rows()).toEqual(before);
    expect([...visitor.cookies]).toEqual([]);
    const answer = await authorize(visitor, person, request);
    expect(answer.searchParams.get('state')).toBe('a+b %2F"é\\');
    expect((await redeem(codeOf(answer))).status).toBe(200);
    expect((await redeem(codeOf(answer))).body.error).toBe('invalid_grant');
  });

  test('of two tabs are both answered after one sign-in', async () => {
    const visitor = new Visitor(app);
    const tabs = [];
    for (const state of ['one', 'two'])
      tabs.push(await visitor.follow(await visitor.get(await withPkce({ state }))));
    for (const [n, { path }] of tabs.entries()) {
      const asked = await visitor.follow(
        await visitor.post(path, { login: person.login, password: PASSWORD }),
      );
      const back = new URL(
        (await visitor.follow(await visitor.post(asked.path, { decision: 'allow' }))).location!,
      );
      expect(back.searchParams.get('state')).toBe(['one', 'two'][n]);
      expect((await redeem(codeOf(back))).status).toBe(200);
    }
  });

  test('that no sign-in can remember are refused at once, without a session', async () => {
    const long = await withPkce({ state: 'x'.repeat(2_500) });
    expect((await new Visitor(app).get(long)).location).toContain('error=invalid_request');
    expect((await authorize(await signedIn(), person, long)).searchParams.has('code')).toBe(true);
    const most = await withPkce({ state: 'x'.repeat(2_000) });
    expect((await authorize(new Visitor(app), person, most)).searchParams.has('code')).toBe(true);
  });

  test('with prompt=none get an error instead of a page', async () => {
    expect((await new Visitor(app).get(await withPkce({ prompt: 'none' }))).location).toContain(
      'error=login_required',
    );
    const visitor = new Visitor(app);
    await visitor.signIn(person.login, PASSWORD);
    expect((await visitor.get(await withPkce({ prompt: 'none' }))).location).toContain(
      'error=consent_required',
    );
  });
});

describe('tokens', () => {
  test('of other clients cannot be introspected or revoked, nor without client authentication', async () => {
    const { body } = await redeem(await code());
    const other = await application(app, person);
    for (const path of ['/oauth/introspect', '/oauth/revoke']) {
      const byOther = await form(app, path, {
        token: body.access_token,
        client_id: other.clientId,
        client_secret: other.secret,
      });
      expect({ path, status: byOther.status, body: byOther.body }).toEqual({
        path,
        status: 200,
        body: path === '/oauth/introspect' ? { active: false } : undefined,
      });
      for (const members of [
        {},
        { client_id: tool.clientId },
        { client_id: tool.clientId, client_secret: 'wrong' },
        { client_id: 'unknown', client_secret: 'wrong' },
      ] as { [name: string]: string }[]) {
        expect(
          (await form(app, path, { token: body.access_token, ...members })).status,
        ).toBeGreaterThanOrEqual(400);
      }
    }
    expect(
      (await form(app, '/oauth/introspect', { token: body.access_token, client_id: open.clientId }))
        .body,
    ).toEqual({ active: false });
    expect((await me(app, body.access_token)).status).toBe(200);
    // Refresh tokens, codes and grants are not access tokens.
    expect((await me(app, body.refresh_token)).status).toBe(401);
  });

  test('are not readable by pages of other origins', async () => {
    const answer = await form(
      app,
      '/oauth/token',
      {
        grant_type: 'authorization_code',
        code: await code(),
        redirect_uri: REDIRECT,
        code_verifier: VERIFIER,
        ...secret(),
      },
      { origin: 'https://evil.example.test' },
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect([
      answer.headers.get('cache-control'),
      answer.headers.get('x-content-type-options'),
    ]).toEqual(['no-store', 'nosniff']);
    expect(
      (
        await app.request('OPTIONS', '/oauth/token', {
          headers: { origin: 'https://evil.example.test', 'access-control-request-method': 'POST' },
        })
      ).headers.get('access-control-allow-origin'),
    ).toBeNull();
  });

  test("are served only at our endpoints; the library's other paths answer 404", async () => {
    for (const path of [
      '/oauth/jwks',
      '/auth',
      '/token',
      '/me',
      '/reg',
      '/session/end',
      '/session/end/confirm',
      '/request',
      '/device',
      '/oauth/register',
      '/oauth/userinfo',
    ]) {
      for (const method of ['GET', 'POST'])
        expect({
          path,
          status: (
            await app.request(method, path, {
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
            })
          ).status,
        }).toEqual({ path, status: 404 });
    }
  });
});

describe('secrets', () => {
  test('are in no log line, page or database column', async () => {
    const planted = new Set<string>([
      PASSWORD,
      tool.secret,
      VERIFIER,
      'a-wrong-password-of-somebody',
      OUR_CLIENT.secret,
    ]);
    const pages: string[] = [];
    const visitor = new Visitor(app);
    pages.push(
      (
        await visitor.signIn('a-wrong-password-of-somebody', 'a-wrong-password-of-somebody')
      ).headers.get('location') ?? '',
    );
    const page = await visitor.follow(await visitor.get(await withPkce()));
    const consent = await visitor.follow(
      await visitor.post(page.path, { login: person.login, password: PASSWORD }),
    );
    for (const [, { value }] of visitor.cookies) planted.add(value);
    pages.push(page.text, consent.text);
    const back = new URL(
      (await visitor.follow(await visitor.post(consent.path, { decision: 'allow' }))).location!,
    );
    for (const [, { value }] of visitor.cookies) planted.add(value);
    const { body } = await redeem(codeOf(back));
    const next = (
      await form(app, '/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: body.refresh_token,
        ...secret(),
      })
    ).body;
    for (const one of [
      codeOf(back),
      body.access_token,
      body.refresh_token,
      next.access_token,
      next.refresh_token,
    ])
      planted.add(one);
    await redeem('a-planted-code');
    await me(app, 'a-planted-wrong-token');
    await form(app, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: next.refresh_token,
      client_id: tool.clientId,
      client_secret: 'a-planted-wrong-secret',
    });
    for (const one of ['a-planted-code', 'a-planted-wrong-token', 'a-planted-wrong-secret'])
      planted.add(one);

    provider.people.set('planted', { sub: 's-planted' });
    await app.running.services.db
      .write('users')
      .where({ id: person.id })
      .update({ identity: `${provider.issuer} s-planted` });
    const begun = new URL((await visitor.get('/login/openid')).location!);
    const answered = await fetch(`${provider.url}/authorize`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams([...begun.searchParams, ['name', 'planted']]),
    });
    const callback = new URL(answered.headers.get('location')!);
    planted.add(codeOf(callback));
    expect((await visitor.get(callback.pathname + callback.search)).status).toBe(303);
    for (const [token] of provider.refreshTokens) planted.add(token);
    const jwt = (await app.running.services.openId!.tokenFor(person, '__op-idp__'))!;
    planted.add(jwt);
    await me(app, jwt);
    await me(app, `${jwt}x`);

    const { db } = app.running.services;
    const tables =
      db.client === 'sqlite'
        ? (
            await db.read.raw<{ name: string }[]>(
              "select name from sqlite_master where type = 'table'",
            )
          ).map(({ name }) => name)
        : (
            await db.read.raw<{ rows: { name: string }[] }>(
              "select table_name as name from information_schema.tables where table_schema = 'public'",
            )
          ).rows.map(({ name }) => name);
    expect(tables).toContain('oauth_artifacts');
    const places: { [name: string]: string } = {
      log: app.logLines.join(''),
      pages: pages.join(''),
    };
    for (const table of tables) places[table] = JSON.stringify(await db.read(table).select());
    // The ids of an interaction are part of its URL, which is logged; without the session they are
    // useless.
    const steps = /\/oauth\/(interactions|authorize)\/[\w-]+/g;
    places['log'] = places['log']!.replaceAll(steps, '');
    places['pages'] = places['pages']!.replaceAll(steps, '').replaceAll(
      /oauth%2Finteractions%2F[\w-]+/g,
      '',
    );
    const found = Object.entries(places).flatMap(([place, text]) =>
      [...planted].filter((one) => text.includes(one)).map((one) => `${place}: ${one}`),
    );
    expect(found).toEqual([]);
  });
});
