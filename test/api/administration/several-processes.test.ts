/** Other processes notice within two seconds what was ended, and a killed one leaves nobody half erased. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startFileServer, type FileServer } from '../../../demo/servers/file-server.js';
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import { Random } from '../../long/crash/random.js';
import { startApp, TEST_SECRET_KEY, type App } from '../../support/app.js';
import { Visitor } from '../../support/browser-visitor.js';
import { endCommands, environmentOf, serve } from '../../support/cli.js';
import type { Person, StorageHandle } from '../../support/factories.js';
import { png, SET_AVATAR } from '../../support/images.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';
import { PASSWORD, signable } from '../auth/support/applications.js';

/** "Within two seconds". */
const NOTICED_MS = 2_000;

let app: App;
let server: FileServer;
let storage: StorageHandle;
let ada: Person;
beforeAll(async () => {
  server = await startFileServer();
  server.user('mia');
  server.setClient({ id: 'client', secret: 'secret', redirectUri: 'http://127.0.0.1/' });
  app = await startApp();
  ada = await app.given.user({ admin: true });
  storage = await app.given.storage({
    origin: server.url,
    client: { id: 'client', secret: 'secret' },
  });
});
afterAll(async () => {
  await endCommands();
  await app.stop();
  await server.close();
});

const start = () =>
  serve({ ...environmentOf(app), SECRET_KEY: TEST_SECRET_KEY, BACKGROUND_WORK: 'false' });
const graphql = async (url: string, query: string, variables: object, key: string) => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as { data?: any; errors?: any[] };
};

test('two processes refuse ended sessions and connections within two seconds', async () => {
  const processes = await Promise.all([start(), start()]);
  const urls = processes.map(({ banner }) => banner.address);
  const project = await app.given.project();
  await app.given.projectStorage(project, storage);
  const person = await signable(app);
  await app.given.membership(person, project, ['view_work_packages', 'view_file_links']);
  await app.given.storageTokens(person, storage, server.grant('mia'));
  const visitor = new Visitor(app);
  await visitor.signIn(person.login, PASSWORD);
  const asked = async (url: string) => {
    const session = await fetch(`${url}/api/v3/users/me`, {
      headers: { cookie: visitor.header('/api/v3'), 'sec-fetch-site': 'same-origin' },
    });
    const { data } = await graphql(
      url,
      'query ($id: ID!) { storage(id: $id) { authorizationState } }',
      { id: String(storage.id) },
      person.key,
    );
    return [session.status, data.storage.authorizationState];
  };
  const all = () => Promise.all(urls.map(asked));
  // Both have it in their caches now.
  expect(await all()).toEqual([
    [200, 'CONNECTED'],
    [200, 'CONNECTED'],
  ]);
  const connections = await graphql(
    urls[0]!,
    'query ($id: ID!) { user(id: $id) { connections { nodes { id } } } }',
    { id: String(person.id) },
    ada.key,
  );
  const { errors } = await graphql(
    urls[0]!,
    `mutation ($user: ID!, $connection: ID!) {
      endSessionsOf(input: { userId: $user }) { user { id } }
      endConnection(input: { id: $connection }) { endedConnectionId }
    }`,
    { user: String(person.id), connection: connections.data.user.connections.nodes[0].id },
    ada.key,
  );
  expect(errors).toBeUndefined();
  await sleep(NOTICED_MS);
  expect(await all()).toEqual([
    [401, 'FAILED_AUTHORIZATION'],
    [401, 'FAILED_AUTHORIZATION'],
  ]);
  for (const { command } of processes) {
    command.signal('SIGTERM');
    await command.outcome;
  }
}, 120_000);

const ERASE = 'mutation ($id: ID!) { eraseUser(input: { id: $id }) { user { id } } }';
const OWN = ['sessions', 'api_keys', 'storage_tokens', 'memberships'];

async function lively(): Promise<{ person: Person; picture: string }> {
  const person = await signable(app);
  const project = await app.given.project();
  await app.given.membership(person, project, ['view_work_packages']);
  await app.given.storageTokens(person, storage, { accessToken: 'token' });
  await new Visitor(app).signIn(person.login, PASSWORD);
  await app.graphqlUpload(SET_AVATAR, { id: String(person.id) }, png(), person);
  const [row] = await app.running.services.db.read('users').where({ id: person.id });
  return { person, picture: row.avatar_key };
}

/** The login, whether there is a picture, and the rows of each table. */
async function stateOf({ id }: Person): Promise<unknown[]> {
  const { read } = app.running.services.db;
  const [{ login, avatar_key: key, status }] = await read('users').where({ id });
  const rows = await Promise.all(
    OWN.map(async (table) => (await read(table).where({ user_id: id })).length),
  );
  return [login, status, key !== null, ...rows];
}

const SEED = 44;
test(`a process that is killed while it erases people leaves each as before or erased (seed ${SEED})`, async () => {
  const random = new Random(SEED);
  const everybody: Awaited<ReturnType<typeof lively>>[] = [];
  let erasedByKilled = 0;
  for (let round = 0; round < 5; round += 1) {
    const people = await Promise.all(Array.from({ length: 5 }, lively));
    everybody.push(...people);
    const { command, banner } = await start();
    const confirmed = new Set<number>();
    const requests = people.map(({ person: { id } }) =>
      graphql(banner.address, ERASE, { id: String(id) }, ada.key).then(
        ({ data }) => data?.eraseUser && confirmed.add(id),
        () => undefined,
      ),
    );
    await sleep(random.integer(200));
    command.signal('SIGKILL');
    await Promise.all([command.outcome, ...requests]);
    for (const { person } of people) {
      const state = await stateOf(person);
      const isErased = state[0] !== person.login;
      if (isErased) erasedByKilled += 1;
      expect(state).toEqual(
        isErased
          ? [`deleted-user-${person.id}`, 'locked', false, 0, 0, 0, 0]
          : [person.login, 'active', true, 1, 1, 1, 1],
      );
      if (confirmed.has(person.id)) expect(isErased).toBe(true);
    }
  }
  // Otherwise the moments would prove nothing.
  expect(erasedByKilled).toBeLessThan(everybody.length);
  for (const { person } of everybody)
    if ((await stateOf(person))[0] === person.login)
      expect((await app.graphql(ERASE, { id: String(person.id) }, ada)).errors).toBeUndefined();
  const { services } = app.running;
  await runCleanup({ ...services, clock: () => new Date(Date.now() + 86_400_000) });
  for (const { picture } of everybody) expect(await services.blobs.stat(picture)).toBeNull();
}, 120_000);
