/** Signing in on the pages of the service, and the rights of a session. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, startBeside, TEST_SECRET_KEY, type App } from '../../support/app.js';
import { errorBody } from '../../support/expected.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../../support/jest.js';
import { listen } from '../../support/stream.js';
import type { Person } from '../../support/factories.js';
import { importDirectory } from '../../../src/actions/people/directory/import-directory.js';
import { hashToken } from '../../../src/secrets/keys-and-tokens.js';
import { hashPassword } from '../../../src/secrets/passwords.js';
import { PASSWORD, signable } from './support/applications.js';
import { Visitor } from '../../support/browser-visitor.js';

let app: App;
let person: Person;
beforeAll(async () => {
  app = await startApp();
  person = await signable(app, { firstName: 'Ida', lastName: '<i>Ott</i>' });
});
afterAll(() => app.stop());

const COOKIE = 'moorage_session';
const signedIn = async (): Promise<Visitor> => {
  const visitor = new Visitor(app);
  expect((await visitor.signIn(person.login, PASSWORD)).status).toBe(303);
  return visitor;
};
const me = async (visitor: Visitor, headers: { [name: string]: string } = {}) =>
  JSON.parse((await visitor.get('/api/v3/users/me', headers)).text).id as number;
const rows = () => app.running.services.db.read('sessions').where({ user_id: person.id });
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

describe('the pages', () => {
  test('have labels for assistive tools, security headers and no inline scripts', async () => {
    const { status, text, headers } = await new Visitor(app).get('/login');
    expect(status).toBe(200);
    for (const part of [
      '<html lang="en">',
      '<title>Sign in – Moorage</title>',
      '<h1>Sign in</h1>',
      '<label for="login">Login</label>\n<input id="login"',
      '<label for="password">Password</label>\n<input id="password"',
      'type="password"',
      'autocomplete="current-password"',
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/<script|<style| style=| on\w+=|Sign in with/);
    expect(
      Object.fromEntries(
        [
          'content-security-policy',
          'cache-control',
          'referrer-policy',
          'x-content-type-options',
          'content-type',
        ].map((name) => [name, headers.get(name)]),
      ),
    ).toEqual({
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8',
    });
    expect((await app.get('/assets/pages.css')).headers.get('content-type')).toBe(
      'text/css; charset=utf-8',
    );
  });

  test('repeat the input escaped, and name the error first', async () => {
    const { status, text } = await new Visitor(app).signIn('"><script>alert(1)</script>', 'wrong');
    expect(status).toBe(422);
    expect(text).toContain('<p class="problem" role="alert">Login or password is wrong.</p>');
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect((await (await signedIn()).get('/login')).text).toContain(
      'Signed in as Ida &lt;i&gt;Ott&lt;/i&gt;',
    );
  });

  test('answer invalid requests with a client error, and log no server error', async () => {
    const form = {
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const mistakes: [number, () => ReturnType<App['request']>][] = [
      ...[
        '/oauth_clients/%zz/callback',
        '/oauth_clients/%E0%A4%A/ensure_connection',
        '/oauth/interactions/%zz',
      ].map((path): [number, () => ReturnType<App['request']>] => [404, () => app.get(path)]),
      [
        400,
        () => app.request('POST', '/login', { headers: form, body: `login=${'x'.repeat(20_000)}` }),
      ],
      [400, () => app.request('POST', '/login', { headers: form, body: 'a=1&'.repeat(2_000) })],
      [
        400,
        () =>
          app.request('POST', '/oauth/interactions/abc', {
            headers: form,
            body: `decision=${'x'.repeat(2_000)}`,
          }),
      ],
      [
        400,
        () =>
          app.request('POST', '/login', {
            headers: { ...form, 'content-encoding': 'gzip' },
            body: 'not gzip',
          }),
      ],
      [
        400,
        () =>
          app.request('POST', '/login', {
            headers: { ...form, 'content-encoding': 'unknown' },
            body: 'login=a',
          }),
      ],
      [
        400,
        () =>
          app.request('POST', '/login', {
            headers: {
              ...form,
              'content-type': 'application/x-www-form-urlencoded; charset=utf-7',
            },
            body: 'login=a',
          }),
      ],
    ];
    const from = app.logLines.length;
    for (const [index, [status, send]] of mistakes.entries()) {
      const answer = await send();
      expect({
        index,
        status: answer.status,
        type: answer.headers.get('content-type'),
        title: /<h1>(.*)<\/h1>/.exec(answer.text)?.[1],
      }).toEqual({ index, status, type: 'text/html; charset=utf-8', title: 'That did not work' });
    }
    // Text that a database cannot store causes no failure either.
    expect(
      (await app.request('POST', '/login', { headers: form, body: 'login=%00&password=%00' }))
        .status,
    ).toBe(422);
    const visitor = await signedIn();
    const paths = {
      '/oauth_clients/%00/ensure_connection': 404,
      '/oauth_clients/%00/callback?state=x&code=y': 404,
      '/oauth/interactions/%00': 400,
      '/oauth/authorize?client_id=%00': 400,
    };
    for (const [path, status] of Object.entries(paths))
      expect({ path, status: (await visitor.get(path)).status }).toEqual({ path, status });
    expect(
      app.logLines
        .slice(from)
        .filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
    ).toEqual([]);
  });
});

describe('signing in', () => {
  test('sets a cookie for eight hours, of which the database has only a hash', async () => {
    const visitor = new Visitor(app);
    const { headers } = await visitor.signIn(person.login, PASSWORD);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^moorage_session=[\w-]{43}; Max-Age=28800; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
      ),
      expect.stringMatching(/^moorage_device=/),
    ]);
    const { value } = visitor.cookies.get(COOKIE)!;
    expect((await rows()).map(({ token_hash: hash }) => hash)).toContain(hashToken(value));
    expect(await me(visitor)).toBe(person.id);
  });

  test('over https uses a cookie that no other host can set', async () => {
    const secure = await startBeside(app, { BASE_URL: 'https://moorage.example.test' });
    try {
      const { headers } = await new Visitor(secure).signIn(person.login, PASSWORD);
      expect(headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^__Host-moorage_session=[\w-]{43}; Max-Age=28800; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
        ),
        expect.stringMatching(
          /^__Host-moorage_device=1\.[\w.-]+; Max-Age=34560000; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
        ),
      ]);
    } finally {
      await secure.stop();
    }
  });

  test('does not reuse an existing session, and ends it', async () => {
    const planted = await signedIn();
    const value = planted.cookies.get(COOKIE)!.value;
    const victim = new Visitor(app);
    victim.cookies.set(COOKIE, { value, path: '/' });
    await victim.signIn(person.login, PASSWORD);
    expect(victim.cookies.get(COOKIE)!.value).not.toBe(value);
    expect(await me(planted)).not.toBe(person.id);
    const chosen = new Visitor(app);
    chosen.cookies.set(COOKIE, { value: 'chosen-by-an-attacker', path: '/' });
    await chosen.signIn(person.login, PASSWORD);
    expect(chosen.cookies.get(COOKIE)!.value).toMatch(/^[\w-]{43}$/);
  });

  test('tells a page of the service as JSON who is signed in, how to sign in, and what was wrong', async () => {
    const visitor = new Visitor(app);
    const json = { accept: 'application/json' };
    const ways = { person: null, people: [], provider: null, mailsPasswords: false };
    const answers = [
      await visitor.get('/login', json),
      await visitor.post('/login', { login: person.login, password: 'wrong' }, json),
      await visitor.post('/login', { login: person.login, password: PASSWORD }, json),
      await visitor.get('/login', json),
    ];
    expect(
      answers.map(({ status, headers, text }) => [
        status,
        headers.get('cache-control'),
        headers.get('vary'),
        JSON.parse(text),
      ]),
    ).toEqual([
      [200, 'no-store', 'Accept', ways],
      [422, 'no-store', 'Accept', { ...ways, wrong: 'Login or password is wrong.' }],
      [200, 'no-store', 'Accept', { person: person.id }],
      [200, 'no-store', 'Accept', { person: person.id }],
    ]);
    expect(await me(visitor)).toBe(person.id);
    const stranger = new Visitor(app);
    const foreign = { ...json, 'sec-fetch-site': 'cross-site' };
    const form = { login: person.login, password: PASSWORD };
    expect((await stranger.post('/login', form, foreign)).status).toBe(403);
    expect(stranger.cookies.has(COOKIE)).toBe(false);
  });

  test('redirects only to pages of this service', async () => {
    for (const good of ['/api/v3/users/me', '/graphql?query=%7B__typename%7D#x'])
      expect((await new Visitor(app).signIn(person.login, PASSWORD, good)).location).toBe(good);
    for (const bad of [
      '//evil.example.test',
      '/\\evil.example.test',
      'https://evil.example.test',
      'javascript:alert(1)',
      '/%0d%0aSet-Cookie:x=1\r\n',
      '\\\\evil',
      '/\t/evil.example.test',
      'evil',
      '',
      `${app.url}.evil.example.test`,
    ]) {
      const { status, location } = await new Visitor(app).signIn(person.login, PASSWORD, bad);
      expect({ bad, status, location }).toEqual({ bad, status: 303, location: '/' });
      expect(
        (await (await signedIn()).get(`/login?return_to=${encodeURIComponent(bad)}`)).location,
      ).toBeUndefined();
    }
    expect(app.logLines.join('')).toContain('a return address that is not ours was ignored');
  });

  test('lasts until the user signs out, is locked, or the session expires', async () => {
    const visitor = await signedIn();
    const stolen = visitor.cookies.get(COOKIE)!;
    const out = await visitor.post('/logout', {});
    expect({
      status: out.status,
      location: out.location,
      cookies: [...visitor.cookies.keys()],
    }).toEqual({ status: 303, location: '/login', cookies: ['moorage_device'] });
    visitor.cookies.set(COOKIE, stolen);
    expect((await visitor.get('/api/v3/users/me')).status).toBe(401);

    const leaving = await signable(app);
    const theirs = new Visitor(app);
    await theirs.signIn(leaving.login, PASSWORD);
    expect(await me(theirs)).toBe(leaving.id);
    await app.running.services.db
      .write('users')
      .where({ id: leaving.id })
      .update({ status: 'locked' });
    await sleep(1_100);
    expect((await theirs.get('/api/v3/users/me')).status).toBe(401);
    expect((await new Visitor(app).signIn(leaving.login, PASSWORD)).status).toBe(422);

    const old = await signedIn();
    await app.running.services.db
      .write('sessions')
      .where({ token_hash: hashToken(old.cookies.get(COOKIE)!.value) })
      .update({ expires_at: '2020-01-01T00:00:00.000Z' });
    expect((await old.get('/api/v3/users/me')).status).toBe(401);
  });

  test('cannot be done by forms of other sites', async () => {
    const visitor = await signedIn();
    const before = (await rows()).length;
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ]) {
      for (const path of ['/logout', '/login']) {
        const { status, text } = await visitor.post(
          path,
          { login: person.login, password: PASSWORD },
          headers,
        );
        expect({ status, said: text.includes('This form was not sent from here') }).toEqual({
          status: 403,
          said: true,
        });
      }
    }
    // An older browser without fetch metadata: the origin decides.
    const bare = (origin?: string) =>
      app.request('POST', '/logout', {
        headers: {
          cookie: visitor.header('/'),
          'content-type': 'application/x-www-form-urlencoded',
          ...(origin !== undefined && { origin }),
        },
        body: '',
      });
    for (const origin of [
      undefined,
      'null',
      'https://evil.example.test',
      `${app.url}.evil.example.test`,
    ])
      expect((await bare(origin)).status).toBe(403);
    expect((await rows()).length).toBe(before);
    expect((await bare(app.url)).status).toBe(303);
    expect(app.logLines.join('')).toContain('a form of another site was refused');
  });
});

test('an imported new password ends the sessions of the old one; the same password ends none', async () => {
  const other = await signable(app);
  const visitor = new Visitor(app);
  await visitor.signIn(other.login, PASSWORD);
  const take = (password: string) =>
    importDirectory(app.running.services, async function* () {
      yield Buffer.from(
        JSON.stringify({
          users: [{ login: other.login, firstName: 'Ida', lastName: 'Ott', password }],
        }),
      );
    });
  await take(PASSWORD);
  expect(await me(visitor)).toBe(other.id);
  await take('a new battery staple');
  expect(await me(visitor)).not.toBe(other.id);
  expect((await visitor.signIn(other.login, PASSWORD)).status).toBe(422);
  expect((await visitor.signIn(other.login, 'a new battery staple')).status).toBe(303);
  expect(await me(visitor)).toBe(other.id);
});

describe('a session in the API', () => {
  const refused = errorBody(
    'Unauthenticated',
    'Your session is not accepted for this request because it does not come from a page of this service. Send a token or an API key instead.',
  );
  const create = (visitor: Visitor, headers: { [name: string]: string }) =>
    app.request('POST', '/graphql', {
      json: { query: 'mutation { createApiKey(input: { name: "k" }) { key } }' },
      headers: { cookie: visitor.header('/graphql'), ...headers },
    });

  test('can read like any credential, over REST, GraphQL and event streams; an API key takes precedence', async () => {
    const visitor = await signedIn();
    const other = await app.given.user();
    expect(await me(visitor, { 'sec-fetch-site': 'cross-site' })).toBe(person.id);
    expect(await me(visitor, { authorization: `Bearer ${other.key}` })).toBe(other.id);
    expect(
      (await visitor.get('/api/v3/users/me', { authorization: 'Bearer wrong-wrong-wrong-wrong' }))
        .status,
    ).toBe(401);
    const query = await visitor.get('/graphql?query=%7Bviewer%7Blogin%7D%7D', {
      accept: 'application/json',
      'apollo-require-preflight': '1',
    });
    expect(JSON.parse(query.text)).toEqual({ data: { viewer: { login: person.login } } });
    const project = await app.given.project();
    await app.given.membership(person, project, ['view_meetings', 'edit_meetings']);
    const meeting = await app.given.meeting(project, person);
    const cookie = visitor.header('/graphql');
    await expect(
      listen(app, undefined, { variables: { containerId: meeting.globalId }, headers: { cookie } }),
    ).rejects.toThrow();
    const listener = await listen(app, undefined, {
      variables: { containerId: meeting.globalId },
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    await app.upload(meeting.attachments, { as: person });
    expect((await listener.next(1))[0].data.attachmentChanged.containerId).toBe(meeting.globalId);
    await visitor.post('/logout', {});
    await listener.end();
  });

  test('can write only from pages of this service', async () => {
    const visitor = await signedIn();
    const project = await app.given.project();
    await app.given.membership(person, project, ['view_meetings', 'edit_meetings']);
    const meeting = await app.given.meeting(project, person);
    const attachment = await app.given.attachment({ container: meeting, author: person });
    const remove = (headers: { [name: string]: string }) =>
      app.request('DELETE', `/api/v3/attachments/${attachment.id}`, {
        headers: { cookie: visitor.header('/api'), ...headers },
      });
    const complete = (path: string, headers: { [name: string]: string }) =>
      app.request('GET', path, { headers: { cookie: visitor.header('/api'), ...headers } });
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: app.url },
      { 'sec-fetch-site': 'none' },
      {},
      { origin: 'https://evil.example.test' },
    ] as { [name: string]: string }[]) {
      for (const answer of [
        await remove(headers),
        await complete(`/api/v3/attachments/${attachment.id}/uploaded`, headers),
      ])
        expect({ headers, status: answer.status, body: answer.body }).toEqual({
          headers,
          status: 401,
          body: refused,
        });
      // Paths are matched in any case, with or without a slash at the end.
      for (const path of [
        `/api/v3/attachments/${attachment.id}/UPLOADED/`,
        `/API/v3/Attachments/${attachment.id}/Uploaded?x=1`,
      ]) {
        const { status } = await fetch(app.url + path, {
          headers: { cookie: visitor.header('/api'), ...headers },
        });
        expect({ path, status }).toEqual({ path, status: 401 });
      }
      const { status, body } = await create(visitor, headers);
      expect({ status, code: body.errors[0].extensions.code }).toEqual({
        status: 401,
        code: 'UNAUTHENTICATED',
      });
    }
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { origin: app.url },
      { 'x-requested-with': 'XMLHttpRequest' },
    ] as { [name: string]: string }[]) {
      expect(
        (await complete(`/api/v3/attachments/${attachment.id}/uploaded`, headers)).status,
      ).toBe(404);
    }
    expect((await remove({ 'sec-fetch-site': 'same-origin' })).status).toBe(204);
    expect(
      (await create(visitor, { 'sec-fetch-site': 'same-origin' })).body.data.createApiKey.key,
    ).toMatch(/^mrg-/);
  });

  const ENDED = 'Your session has ended. Sign in again.';
  const ended = () => {
    const visitor = new Visitor(app);
    visitor.cookies.set(COOKIE, { value: 'gone', path: '/' });
    return visitor;
  };

  test('that has ended answers 401 over REST, GraphQL and event streams, and opens no dialog', async () => {
    const query = encodeURIComponent('{ viewer { login } }');
    const stream = encodeURIComponent('subscription { attachmentChanged { event } }');
    const hal = errorBody('Unauthenticated', ENDED);
    const refused = {
      errors: [
        {
          message: ENDED,
          extensions: {
            code: 'UNAUTHENTICATED',
            errorIdentifier: 'urn:service-org:api:v3:errors:Unauthenticated',
            status: 401,
          },
        },
      ],
    };
    const api = { accept: 'application/json', 'apollo-require-preflight': '1' };
    for (const [path, headers, body] of [
      ['/api/v3', {}, hal],
      ['/api/v3/users/me', {}, hal],
      ['/api/v3/nowhere', {}, hal],
      [`/graphql?query=${query}`, api, refused],
      [`/graphql/stream?query=${stream}`, { accept: 'text/event-stream' }, refused],
    ] as const) {
      const answer = await ended().get(path, headers);
      expect([path, answer.status, JSON.parse(answer.text)]).toEqual([path, 401, body]);
      expect(answer.headers.get('www-authenticate')).toBe('Session realm="Moorage API"');
    }
    const written = await app.request('POST', '/graphql', {
      json: { query: '{ viewer { login } }' },
      headers: { cookie: `${COOKIE}=gone` },
    });
    expect([written.status, written.body]).toEqual([401, refused]);
  });

  test('serves only the person whom the page shows, over REST, GraphQL and event streams', async () => {
    const visitor = await signedIn();
    const other = await app.given.user();
    const shown = (id: number) => ({ 'x-signed-in-as': String(id) });
    const refused = errorBody('Unauthenticated', ENDED);
    expect(await me(visitor, shown(person.id))).toBe(person.id);
    for (const one of [visitor, new Visitor(app)]) {
      const answer = await one.get('/api/v3/users/me', shown(other.id));
      expect([answer.status, JSON.parse(answer.text)]).toEqual([401, refused]);
      expect(answer.headers.get('www-authenticate')).toBe('Session realm="Moorage API"');
    }
    const headers = { 'sec-fetch-site': 'same-origin', ...shown(other.id) };
    const written = await create(visitor, headers);
    expect([written.status, written.body.errors[0].message]).toEqual([401, ENDED]);
    const stream = encodeURIComponent('subscription { attachmentChanged { event } }');
    const streamed = await visitor.get(`/graphql/stream?query=${stream}`, {
      accept: 'text/event-stream',
      ...headers,
    });
    expect(streamed.status).toBe(401);
    expect(await me(visitor, { authorization: `Bearer ${person.key}`, ...shown(other.id) })).toBe(
      person.id,
    );
  });

  test('that has ended changes nothing for credentials in the header, and for other addresses', async () => {
    expect(await me(ended(), { authorization: `Bearer ${person.key}` })).toBe(person.id);
    for (const [path, status] of [
      ['/', 200],
      ['/health/live', 200],
      ['/metrics', 403],
      ['/assets/pages.css', 200],
      ['/assets/icon.svg', 200],
      ['/.well-known/oauth-authorization-server', 200],
      ['/nowhere', 404],
    ] as const)
      expect([path, (await ended().get(path)).status]).toEqual([path, status]);
    expect(JSON.parse((await new Visitor(app).get('/api/v3/users/me')).text).name).toBe(
      'Anonymous',
    );
  });

  test('that has ended is forgotten by the pages, which lead to the sign-in page', async () => {
    const cleared = `${COOKIE}=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax`;
    for (const path of ['/graphql', '/api/docs', '/oauth_clients/x/ensure_connection']) {
      const visitor = ended();
      const { status, location } = await visitor.get(path, { accept: 'text/html' });
      expect([status, location, visitor.lines]).toEqual([
        303,
        `/login?return_to=${encodeURIComponent(path)}`,
        [cleared],
      ]);
      expect((await visitor.get('/api/v3/users/me')).status).toBe(200);
    }
    const visitor = ended();
    expect((await visitor.get('/login')).status).toBe(200);
    expect(visitor.lines).toEqual([cleared]);
    for (const path of ['/graphql', '/api/docs'])
      expect((await (await signedIn()).get(path, { accept: 'text/html' })).status).toBe(200);
  });

  test('costs no SQL statement if there is none', async () => {
    const headers = { authorization: `Bearer ${person.key}` };
    await app.get('/api/v3', undefined, { headers });
    expect(
      (await app.statements(() => app.get('/api/v3', undefined, { headers }))).filter((sql) =>
        /sessions|oauth_artifacts/.test(sql),
      ),
    ).toEqual([]);
  });
});

describe('a password that is replaced during a sign-in', () => {
  test('no longer signs in', async () => {
    const changing = await signable(app);
    const { db } = app.running.services;
    const other = await hashPassword('another');
    const replacing = await db.write.transaction();
    await replacing('users').where({ id: changing.id }).update({ password_hash: other });
    const visitor = new Visitor(app);
    const asked = visitor.signIn(changing.login, PASSWORD);
    await sleep(500);
    await replacing.commit();
    expect((await asked).status).toBe(422);
    expect(visitor.cookies.has(COOKIE)).toBe(false);
    expect(await db.read('sessions').where({ user_id: changing.id })).toEqual([]);
  });
});

describe('guessing', () => {
  let proxied: App;
  beforeAll(async () => {
    proxied = await startBeside(app, { TRUST_PROXY: 'loopback' });
  });
  afterAll(() => proxied?.stop());
  const failures = () => app.running.services.db.write('sign_in_failures');
  beforeEach(() => failures().delete());

  /** Sends the form from an address, as a proxy reports it. */
  const from = (address: string, visitor: Visitor, login: string, password: string) =>
    visitor.post('/login', { login, password }, { 'x-forwarded-for': address });
  const stranger = () => new Visitor(proxied);
  /** The statuses of one guess more than the limit. */
  async function guesses(address: string, login: string, count = 11): Promise<number[]> {
    const statuses = [];
    for (let index = 0; index < count; index += 1)
      statuses.push((await from(address, stranger(), login, `guess ${index}`)).status);
    return statuses;
  }
  const tenRefused = [...Array.from({ length: 10 }, () => 422), 429];

  test('ends after ten wrong passwords for a login, in every process, whether the login exists or not', async () => {
    const victim = await signable(app);
    const beside = await startBeside(app);
    try {
      for (const login of [victim.login, 'no-such-login']) {
        const answers = await Promise.all(
          Array.from({ length: 12 }, (_, index) =>
            new Visitor(index % 2 ? app : beside).signIn(login, `guess ${index}`),
          ),
        );
        const statuses = answers.map(({ status }) => status).sort();
        expect(statuses).toEqual([...tenRefused, 429]);
        const late = await new Visitor(app).signIn(login.toUpperCase(), PASSWORD);
        expect({ status: late.status, wait: Number(late.headers.get('retry-after')) }).toEqual({
          status: 429,
          wait: expect.any(Number),
        });
        expect(Number(late.headers.get('retry-after'))).toBeLessThanOrEqual(900);
        expect(late.text).toContain(
          'There were too many wrong passwords. Try again in 15 minutes.',
        );
      }
      expect((await new Visitor(app).signIn(victim.login, PASSWORD)).status).toBe(429);
      await failures().update({ expires_at: '2020-01-01T00:00:00.000Z' });
      expect((await new Visitor(app).signIn(victim.login, PASSWORD)).status).toBe(303);
      // A successful sign-in resets the count.
      for (let wrong = 0; wrong < 9; wrong += 1)
        await new Visitor(app).signIn(victim.login, 'typo');
      expect((await new Visitor(app).signIn(victim.login, PASSWORD)).status).toBe(303);
      expect((await new Visitor(app).signIn(victim.login, 'typo')).status).toBe(422);
    } finally {
      await beside.stop();
    }
  }, 60_000);

  test('in one network leaves the login open for all others', async () => {
    const victim = await signable(app);
    for (const [guessing, same, other] of [
      ['192.0.2.1', '::ffff:192.0.2.254', '192.0.3.1'],
      ['2001:db8:1:200::1', '2001:db8:1:2ff:ffff::1', '2001:db8:1:300::1'],
    ] as const) {
      expect(await guesses(guessing, victim.login)).toEqual(tenRefused);
      expect((await from(same, stranger(), victim.login, PASSWORD)).status).toBe(429);
      expect((await from(other, stranger(), victim.login, PASSWORD)).status).toBe(303);
    }
  }, 60_000);

  test('does not become another network by a port or by text that is no address', async () => {
    const victim = await signable(app);
    for (const addresses of [
      ['192.0.2.1:4711', '192.0.2.2:4712', '[::ffff:192.0.2.3]:1', '192.0.2.4'],
      ['[2001:db8::1]:4711', '[2001:db8::2]:4712', '[2001:db8::3]', '2001:db8::4'],
      ['nonsense', '192.0.2.999', 'fe80::1%one', 'fe80::1%two'],
    ]) {
      for (let guess = 0; guess < 10; guess += 1) {
        const address = addresses[guess % addresses.length]!;
        expect((await from(address, stranger(), victim.login, 'typo')).status).toBe(422);
      }
      for (const address of addresses)
        expect((await from(address, stranger(), victim.login, PASSWORD)).status).toBe(429);
    }
  }, 60_000);

  test('by strangers in the same network never locks out a browser that has signed in before', async () => {
    const victim = await signable(app);
    const other = await signable(app);
    const owner = stranger();
    const address = '198.51.100.7';
    expect((await from(address, owner, victim.login, PASSWORD)).status).toBe(303);
    await owner.post('/logout', {});
    for (let index = 0; index < 6; index += 1)
      await guesses(address, index === 0 ? victim.login : `spray-${index}`, 10);
    expect((await from(address, stranger(), victim.login, PASSWORD)).status).toBe(429);
    // Its own counter has its own limit, and is that of this login only.
    expect((await from(address, owner, other.login, PASSWORD)).status).toBe(429);
    const wrong = async (count: number) => {
      const statuses = [];
      for (let index = 0; index < count; index += 1)
        statuses.push((await from(address, owner, victim.login, 'typo')).status);
      return statuses;
    };
    expect(await wrong(9)).toEqual(Array.from({ length: 9 }, () => 422));
    expect((await from(address, owner, victim.login.toUpperCase(), PASSWORD)).status).toBe(422);
    expect((await from('203.0.113.9', owner, victim.login, PASSWORD)).status).toBe(429);
    await failures().update({ expires_at: '2020-01-01T00:00:00.000Z' });
    expect((await from(address, owner, victim.login, PASSWORD)).status).toBe(303);
  }, 60_000);

  test('in all browsers that have signed in before ends after fifty wrong passwords for a login', async () => {
    const victim = await signable(app);
    const browsers = Array.from({ length: 6 }, stranger);
    const enter = (browser: Visitor, password: string) =>
      from('198.51.100.7', browser, victim.login, password);
    // A right password does not count: the second time each browser has its cookie.
    for (const browser of [...browsers, ...browsers])
      expect((await enter(browser, PASSWORD)).status).toBe(303);
    const statuses: number[] = [];
    for (let guess = 0; guess < 9; guess += 1)
      for (const browser of browsers) statuses.push((await enter(browser, 'typo')).status);
    expect(statuses).toEqual([
      ...Array.from({ length: 50 }, () => 422),
      ...Array.from({ length: 4 }, () => 429),
    ]);
    expect((await enter(stranger(), PASSWORD)).status).toBe(303);
  }, 60_000);

  test('with an altered, foreign or expired cookie of a browser counts like a stranger', async () => {
    const victim = await signable(app);
    const owner = stranger();
    await from('198.51.100.7', owner, victim.login, PASSWORD);
    const { value, path } = owner.cookies.get('moorage_device')!;
    const { keyring } = app.running.services;
    const sealed = (change: object) =>
      keyring.seal(
        JSON.stringify({ ...JSON.parse(keyring.open(value, 'device cookie')), ...change }),
        'device cookie',
      );
    const address = '203.0.113.20';
    await guesses(address, victim.login);
    for (const cookie of [
      value.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      keyring.seal(keyring.open(value, 'device cookie'), 'openid sign-in'),
      sealed({ until: Date.now() - 1 }),
      sealed({ logins: [] }),
      'nonsense',
    ]) {
      const visitor = stranger();
      visitor.cookies.set('moorage_device', { value: cookie, path });
      expect((await from(address, visitor, victim.login, PASSWORD)).status).toBe(429);
    }
    expect((await from(address, owner, victim.login, PASSWORD)).status).toBe(303);
  }, 60_000);

  test('never locks out a browser that has signed in before a rotation of SECRET_KEY', async () => {
    const victim = await signable(app);
    const owner = new Visitor(app);
    await owner.signIn(victim.login, PASSWORD);
    const rotated = await startBeside(app, {
      SECRET_KEY: 'cd'.repeat(32),
      SECRET_KEY_PREVIOUS: TEST_SECRET_KEY,
    });
    try {
      for (let guess = 0; guess < 10; guess += 1)
        await new Visitor(rotated).signIn(victim.login, 'typo');
      expect((await new Visitor(rotated).signIn(victim.login, PASSWORD)).status).toBe(429);
      const later = new Visitor(rotated);
      later.cookies.set('moorage_device', owner.cookies.get('moorage_device')!);
      expect((await later.signIn(victim.login, PASSWORD)).status).toBe(303);
    } finally {
      await rotated.stop();
    }
  }, 60_000);

  test('is not possible with the cookie of a browser, which is for this service only and outlives the session', async () => {
    const people = [await signable(app), await signable(app)] as const;
    const visitor = new Visitor(app);
    for (const { login } of people) await visitor.signIn(login, PASSWORD);
    expect(visitor.lines.filter((line) => line.startsWith('moorage_device=')).at(-1)).toMatch(
      /^moorage_device=1\.[\w.-]+; Max-Age=34560000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    await visitor.post('/logout', {});
    // Both logins are remembered; the cookie shows neither.
    for (const { login } of people) {
      await guesses('127.0.0.1', login);
      expect((await new Visitor(app).signIn(login, PASSWORD)).status).toBe(429);
      expect((await visitor.signIn(login, PASSWORD)).status).toBe(303);
    }
    expect((await new Visitor(app).get('/api/v3/users/me')).text).toContain('Anonymous');
    const alone = new Visitor(app);
    alone.cookies.set('moorage_device', visitor.cookies.get('moorage_device')!);
    expect((await alone.get('/api/v3/users/me')).text).toContain('Anonymous');
  }, 60_000);

  test('gets the same answers whether the login exists, is locked, has no password, or is unknown', async () => {
    const known = await signable(app);
    const locked = await signable(app, { status: 'locked' });
    const without = await app.given.user();
    const answersFor = async (login: string, index: number) => {
      const seen = [];
      for (let guess = 0; guess < 11; guess += 1) {
        const password = guess === 10 ? PASSWORD : 'wrong';
        const answer = await from(`198.18.${index}.1`, stranger(), login, password);
        const headers = Object.fromEntries(answer.headers);
        // These differ between any two answers.
        for (const name of ['date', 'x-request-id', 'etag', 'retry-after', 'content-length'])
          delete headers[name];
        seen.push({ ...answer, headers, text: answer.text.replaceAll(login, 'LOGIN') });
      }
      return seen;
    };
    const [first, ...others] = await Promise.all(
      [known.login, locked.login, without.login, 'unknown-login'].map(answersFor),
    );
    for (const other of others) expect(other).toEqual(first);
  }, 60_000);

  test('of many logins from one network ends after fifty attempts', async () => {
    const statuses = new Map<number, number>();
    for (let index = 0; index < 52; index += 1) {
      const { status } = await from(`192.0.2.${index}`, stranger(), `spray-${index}`, 'Password1!');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 422: 50, 429: 2 });
    // One row for the network, and one for each login that was tried.
    expect(await failures()).toHaveLength(51);
    expect(JSON.stringify(await failures())).not.toMatch(/spray|192\.0/);
  }, 60_000);

  test('of a login above its limit leaves its network open for other logins', async () => {
    const [victim, neighbour] = [await signable(app), await signable(app)];
    const statuses = await guesses('192.0.2.1', victim.login, 60);
    expect(statuses.filter((status) => status === 422)).toHaveLength(10);
    expect((await from('192.0.2.1', stranger(), neighbour.login, PASSWORD)).status).toBe(303);
    // The ten wrong passwords do count for the network.
    for (let login = 0; login < 40; login += 1)
      expect((await guesses('192.0.2.1', `other-${login}`, 1))[0]).toBe(422);
    expect((await from('192.0.2.1', stranger(), neighbour.login, PASSWORD)).status).toBe(429);
  }, 60_000);

  test('uses one row id for each login and address, however many attempts follow', async () => {
    for (let index = 0; index < 12; index += 1)
      await new Visitor(app).signIn('guessed-for-long', `guess ${index}`);
    await new Visitor(app).signIn('guessed-once', 'guess');
    const ids = (await failures().orderBy('id').pluck('id')) as number[];
    expect(ids).toEqual([ids[0], ids[0]! + 1, ids[0]! + 2]);
  }, 60_000);
});
