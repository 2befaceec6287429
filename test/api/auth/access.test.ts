/** People see and end what acts in their name: sessions, applications, connections. Administrators help. */
import { startApp, startBeside, type App } from '../../support/app.js';
import { Visitor } from '../../support/browser-visitor.js';
import { until } from '../../support/cli.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';
import { application, PASSWORD, signable, type Application } from './support/applications.js';
import { codeGrant, me } from './support/grants.js';

let app: App;
let beside: App;
let ada: Person;
let tool: Application;
beforeAll(async () => {
  app = await startApp();
  beside = await startBeside(app);
  ada = await app.given.user({ admin: true });
  tool = await application(app, ada);
});
afterAll(async () => {
  await beside?.stop();
  await app.stop();
});

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const EDGE =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0';

async function browser(person: Person, userAgent = FIREFOX): Promise<Visitor> {
  const visitor = new Visitor(app);
  const form = { login: person.login, password: PASSWORD };
  const { status } = await visitor.post('/login', form, { 'user-agent': userAgent });
  expect(status).toBe(303);
  return visitor;
}
const inBrowser = async (visitor: Visitor, query: string, variables: object = {}, site = app) =>
  (
    await site.request('POST', '/graphql', {
      json: { query, variables },
      headers: { cookie: visitor.header('/graphql'), 'sec-fetch-site': 'same-origin' },
    })
  ).body;
const statusOf = async (visitor: Visitor, site = app) =>
  (
    await site.request('GET', '/api/v3/users/me', {
      headers: { cookie: visitor.header('/api/v3'), 'sec-fetch-site': 'same-origin' },
    })
  ).status;
const SESSIONS =
  '{ viewer { sessions { totalCount nodes { id browser system network current lastUsedAt createdAt expiresAt user { login } } } } }';
const document = (name: string, selection: string, member = 'id') =>
  `mutation ($id: ID!) { ${name}(input: { ${member}: $id }) { ${selection} } }`;
const END = document('endSession', 'endedSessionId user { login }');
const refusalOf = ({ errors }: any) => errors?.[0].extensions.code;
const audited = async (kind: string) =>
  (
    await app.graphql(
      'query ($kinds: [AuditKind!]) { auditEvents(filter: { kinds: $kinds }, first: 1) { nodes { actor { login } subjectId subjectName before } } }',
      { kinds: [kind] },
      ada,
    )
  ).data.auditEvents.nodes[0];

test('a person sees the browsers in which they are signed in, newest first', async () => {
  const person = await signable(app);
  const laptop = await browser(person);
  const other = await browser(person, EDGE);
  await browser(await signable(app));
  await until(async () => {
    const { data } = await inBrowser(laptop, SESSIONS);
    return data.viewer.sessions.nodes[1].lastUsedAt !== null;
  }, 'the use is noted');
  const { data, errors } = await inBrowser(laptop, SESSIONS);
  expect(errors).toBeUndefined();
  const [newest, own] = data.viewer.sessions.nodes;
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  const common = {
    id: expect.any(String),
    network: expect.stringMatching(/^(127\.0\.0\.0|::)$/),
    createdAt: time,
    expiresAt: time,
    user: { login: person.login },
  };
  expect(data.viewer.sessions.totalCount).toBe(2);
  expect(newest).toEqual({
    ...common,
    browser: 'Edge',
    system: 'Windows',
    current: false,
    lastUsedAt: null,
  });
  expect(own).toEqual({
    ...common,
    browser: 'Firefox',
    system: 'Linux',
    current: true,
    lastUsedAt: expect.stringMatching(/T\d\d:\d\d:00\.000Z$/),
  });
  expect(JSON.stringify(data)).not.toContain(other.cookies.get('moorage_session')!.value);
});

test('an unknown browser has no name, however long its own is', async () => {
  const person = await signable(app);
  await browser(person, `<b>nothing known</b> ${'x'.repeat(5_000)}`);
  const { data } = await app.graphql(
    '{ viewer { sessions { nodes { browser system } } } }',
    {},
    person,
  );
  expect(data.viewer.sessions.nodes).toEqual([{ browser: null, system: null }]);
});

test('a session is ended from another browser; every process refuses it', async () => {
  const person = await signable(app);
  const [laptop, phone] = [await browser(person), await browser(person)];
  expect([await statusOf(laptop), await statusOf(laptop, beside)]).toEqual([200, 200]);
  const { data } = await inBrowser(phone, SESSIONS);
  const { id } = data.viewer.sessions.nodes.find(({ current }: any) => !current);
  expect((await inBrowser(phone, END, { id })).data).toEqual({
    endSession: { endedSessionId: id, user: { login: person.login } },
  });
  expect(await statusOf(laptop)).toBe(401);
  await until(async () => (await statusOf(laptop, beside)) === 401, 'the session has ended');
  expect(await statusOf(phone)).toBe(200);
  expect(refusalOf(await inBrowser(phone, END, { id }))).toBe('NOT_FOUND');
  expect(await audited('SESSION_ENDED')).toEqual({
    actor: { login: person.login },
    subjectId: id,
    subjectName: null,
    before: JSON.stringify({ userId: person.id, browser: 'Firefox', system: 'Linux' }),
  });
});

test('nobody else sees or ends a session, but administrators do', async () => {
  const [person, stranger] = [await signable(app), await signable(app)];
  const laptop = await browser(person);
  const theirs = await app.graphql(
    'query ($id: ID!) { user(id: $id) { sessions { nodes { id } } } }',
    { id: String(person.id) },
    ada,
  );
  const [{ id }] = theirs.data.user.sessions.nodes;
  for (const as of [stranger, undefined]) {
    expect(refusalOf(await app.graphql(END, { id }, as))).toBe('NOT_FOUND');
    expect(
      (await app.graphql('query ($id: ID!) { node(id: $id) { id } }', { id }, as)).data,
    ).toEqual({ node: null });
    for (const query of [
      'query ($id: ID!) { user(id: $id) { sessions { totalCount } } }',
      'query ($id: ID!) { user(id: $id) { authorizations { totalCount } } }',
      'query ($id: ID!) { usersSessions(userId: $id) { totalCount } }',
      document('endSessionsOf', 'user { id }', 'userId'),
    ])
      expect([
        query,
        refusalOf(await app.graphql(query, { id: String(person.id) }, as ?? undefined)),
      ]).toEqual([query, as ? 'MISSING_PERMISSION' : expect.any(String)]);
  }
  expect(await statusOf(laptop)).toBe(200);
  expect((await app.graphql(END, { id }, ada)).data.endSession.user).toEqual({
    login: person.login,
  });
  expect(await statusOf(laptop)).toBe(401);
});

test('tokens of applications and limited API keys see no sessions and end none', async () => {
  const person = await signable(app, { admin: true });
  await browser(person);
  const { body } = await codeGrant(app, tool, person);
  const { id } = (await app.graphql('{ viewer { sessions { nodes { id } } } }', {}, person)).data
    .viewer.sessions.nodes[0];
  const keys = await Promise.all(
    ['READ', 'FILES'].map(
      async (access) =>
        (
          await app.graphql(
            'mutation ($access: ApiKeyAccess!) { createApiKey(input: { name: "one", access: $access }) { key } }'.replace(
              'one',
              access,
            ),
            { access },
            person,
          )
        ).data.createApiKey.key,
    ),
  );
  for (const key of [body.access_token, ...keys]) {
    const as = { ...person, key };
    for (const query of [
      '{ viewer { sessions { totalCount } } }',
      '{ viewer { authorizations { totalCount } } }',
    ])
      expect(refusalOf(await app.graphql(query, {}, as))).toBe('MISSING_PERMISSION');
    expect(refusalOf(await app.graphql(END, { id }, as))).toBe('MISSING_PERMISSION');
    expect(
      (await app.graphql('query ($id: ID!) { node(id: $id) { id } }', { id }, as)).data,
    ).toEqual({ node: null });
  }
});

test('administrators end all sessions of a person at once; API keys stay', async () => {
  const person = await signable(app);
  const browsers = [await browser(person), await browser(person, EDGE)];
  const id = String(person.id);
  const list = 'query ($id: ID!) { usersSessions(userId: $id) { totalCount nodes { browser } } }';
  expect((await app.graphql(list, { id }, ada)).data.usersSessions).toEqual({
    totalCount: 2,
    nodes: [{ browser: 'Edge' }, { browser: 'Firefox' }],
  });
  const end = document('endSessionsOf', 'user { login sessions { totalCount } }', 'userId');
  expect((await app.graphql(end, { id }, ada)).data.endSessionsOf.user).toEqual({
    login: person.login,
    sessions: { totalCount: 0 },
  });
  for (const one of browsers) {
    expect(await statusOf(one)).toBe(401);
    await until(async () => (await statusOf(one, beside)) === 401, 'the session has ended');
  }
  expect((await me(app, person.key)).status).toBe(200);
  expect((await audited('SESSIONS_ENDED')).actor).toEqual({ login: ada.login });
  expect(refusalOf(await app.graphql(end, { id: '999999' }, ada))).toBe('NOT_FOUND');
});

test('a person sees each application once, and ends all that it may do', async () => {
  const person = await signable(app);
  const stranger = await signable(app);
  const first = await codeGrant(app, tool, person);
  const second = await codeGrant(app, tool, person);
  const theirs = await codeGrant(app, tool, stranger);
  const list =
    '{ viewer { authorizations { totalCount nodes { id applicationName scopes createdAt lastUsedAt user { login } } } } }';
  const { authorizations } = (await app.graphql(list, {}, person)).data.viewer;
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  expect(authorizations).toEqual({
    totalCount: 1,
    nodes: [
      {
        id: expect.any(String),
        applicationName: tool.name,
        scopes: ['api_v3'],
        createdAt: time,
        lastUsedAt: time,
        user: { login: person.login },
      },
    ],
  });
  const { id } = authorizations.nodes[0];
  const end = document('endAuthorization', 'endedAuthorizationId user { login }');
  expect(refusalOf(await app.graphql(end, { id }, stranger))).toBe('NOT_FOUND');
  expect((await me(app, first.body.access_token)).status).toBe(200);
  expect((await me(beside, first.body.access_token)).status).toBe(200);
  expect((await app.graphql(end, { id }, person)).data.endAuthorization).toEqual({
    endedAuthorizationId: id,
    user: { login: person.login },
  });
  for (const { body } of [first, second]) {
    expect((await me(app, body.access_token)).status).toBe(401);
    await until(
      async () => (await me(beside, body.access_token)).status === 401,
      'the token has ended',
    );
  }
  expect((await me(app, theirs.body.access_token)).status).toBe(200);
  expect((await app.graphql(list, {}, person)).data.viewer.authorizations.totalCount).toBe(0);
  expect(await audited('AUTHORIZATION_ENDED')).toMatchObject({
    actor: { login: person.login },
    subjectId: id,
    subjectName: tool.name,
  });
});
