/** A lock, and another password, end what a person has opened. After the lock, nothing of it works. */
import { Readable } from 'node:stream';
import { importDirectory } from '../../../src/actions/people/directory/import-directory.js';
import { startApp, type App } from '../../support/app.js';
import { Visitor } from '../../support/browser-visitor.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';
import { listen } from '../../support/stream.js';
import { application, PASSWORD, signable, type Application } from './support/applications.js';
import { codeGrant, form, me } from './support/grants.js';

let app: App;
let tool: Application;
beforeAll(async () => {
  app = await startApp();
  tool = await application(app, await app.given.user({ admin: true }));
});
afterAll(() => app.stop());

const imported = ({ login }: Person, members: object) =>
  importDirectory(app.running.services, () =>
    Readable.from([
      JSON.stringify({ users: [{ login, firstName: 'Mia', lastName: 'Ray', ...members }] }),
    ]),
  );

const refreshed = (token: string) =>
  form(app, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: tool.clientId,
    client_secret: tool.secret,
  });

test.each([
  [
    'a lock that is taken back',
    async (person: Person) => {
      await imported(person, { status: 'locked' });
      await imported(person, { status: 'active' });
    },
  ],
  ['another password', (person: Person) => imported(person, { password: 'battery staple' })],
])('sessions, tokens and subscriptions end with %s, and API keys stay', async (_how, change) => {
  const person = await signable(app);
  const visitor = new Visitor(app);
  await visitor.signIn(person.login, PASSWORD);
  const { body: tokens } = await codeGrant(app, tool, person);
  const others = await signable(app);
  const theirs = (await codeGrant(app, tool, others)).body.access_token;
  const query = 'subscription { notificationReceived { id } }';
  const streams = [
    await listen(app, { ...person, key: tokens.access_token }, { query }),
    await listen(app, undefined, {
      query,
      headers: { cookie: visitor.header('/'), 'sec-fetch-site': 'same-origin' },
    }),
  ];
  const answers = async () => ({
    session: (await visitor.get('/api/v3/users/me')).status,
    token: (await me(app, tokens.access_token)).status,
    key: (await me(app, person.key)).status,
    'token of another person': (await me(app, theirs)).status,
  });
  expect(await answers()).toEqual({
    session: 200,
    token: 200,
    key: 200,
    'token of another person': 200,
  });
  await change(person);
  expect(await answers()).toEqual({
    session: 401,
    token: 401,
    key: 200,
    'token of another person': 200,
  });
  expect((await refreshed(tokens.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
  for (const stream of streams) await stream.end();
});

test('a sign-in and a refresh that wait for a lock open nothing', async () => {
  const person = await signable(app);
  const { body: tokens } = await codeGrant(app, tool, person);
  const visitor = new Visitor(app);
  const waiting: Promise<unknown>[] = [];
  await app.running.services.db.write.transaction(async (trx) => {
    await trx('users').where({ id: person.id }).update({ status: 'locked' });
    waiting.push(
      visitor.signIn(person.login, PASSWORD),
      refreshed(tokens.refresh_token).then(({ body }) => (tokens.access_token = body.access_token)),
    );
    // They have checked that the person is active, and wait for the row.
    await new Promise((resolve) => setTimeout(resolve, 500));
  });
  await Promise.all(waiting);
  await imported(person, { status: 'active' });
  expect([...visitor.cookies.keys()]).not.toContain('moorage_session');
  if (tokens.access_token) expect((await me(app, tokens.access_token)).status).toBe(401);
});
