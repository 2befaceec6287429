/** A list of many storages, and the log lines if some fail. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type App } from '../support/app.js';
import { errorBody } from '../support/expected.js';
import type { Person, StorageHandle } from '../support/factories.js';
import { serveFake, type FakeServer } from '../../demo/servers/http-server.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';

const COUNT = 130;
const AT_ONCE = 50;

let app: App;
let server: FakeServer;
let person: Person;
const storages: StorageHandle[] = [];
let asking = 0;
let most = 0;
beforeAll(async () => {
  let full = () => {};
  const filled = new Promise<void>((resolve) => {
    full = resolve;
  });
  // One file server under many paths. It answers only after the allowed number of requests has arrived, and after a pause for further ones.
  server = await serveFake(async (_request, res) => {
    most = Math.max(most, (asking += 1));
    if (asking === AT_ONCE) void sleep(300).then(full);
    await filled;
    asking -= 1;
    res
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ocs: { meta: { statuscode: 100 }, data: { id: 'mia' } } }));
  });
  app = await startApp({ STORAGE_TIMEOUT_MS: '20000' });
  person = await app.given.user({ admin: true });
  for (let index = 1; index <= COUNT; index += 1) {
    const storage = await app.given.storage({
      origin: `${server.url}/s${index}`,
      client: { id: 'client', secret: 'secret' },
    });
    await app.given.storageTokens(person, storage, { accessToken: 'token' });
    storages.push(storage);
  }
});
afterAll(async () => {
  await app.stop();
  await server.close();
});

test('sends fifty requests at a time, one for each storage, and reads the credentials and tokens with one query each', async () => {
  let body: any;
  const statements = await app.statements(async () => {
    ({ body } = await app.get('/api/v3/storages?pageSize=-1', person));
  });
  expect(
    body._embedded.elements.map(({ id, _links }: any) => [id, _links.authorizationState.title]),
  ).toEqual(storages.map(({ id }) => [id, 'Connected']).reverse());
  expect(new Set(server.requests.map(({ path }) => path)).size).toBe(COUNT);
  expect([server.requests.length, most]).toEqual([COUNT, AT_ONCE]);
  for (const table of ['oauth_client_credentials', 'storage_tokens'])
    expect(
      statements.filter(
        (sql) => sql.startsWith('select') && new RegExp(`from [\`"]${table}[\`"]`).test(sql),
      ),
    ).toHaveLength(1);
});

test('a failed storage is logged as a warning of one line, without a stack', async () => {
  const [storage] = storages as [StorageHandle];
  server.fault({ status: 500 });
  const from = app.logLines.length;
  const rest = await app.get(`${storage.path}/files`, person);
  const message = 'An outbound request to another resource has failed with status code 500.';
  expect({ status: rest.status, body: rest.body }).toEqual({
    status: 500,
    body: errorBody('OutboundRequest:NotFound', message),
  });
  const { errors } = await app.graphql(
    'query($id: ID!) { storage(id: $id) { files { parent { name } } } }',
    { id: storage.globalId },
    person,
  );
  expect(errors).toEqual([expect.objectContaining({ message, path: ['storage', 'files'] })]);
  await app.get(storage.path, person);
  const lines = app.logLines
    .slice(from)
    .map(
      (line) => JSON.parse(line) as { level: number; msg: string; reason?: string; err?: unknown },
    )
    .filter(({ msg }) => msg !== 'request');
  expect(lines.map(({ level, msg, reason, err }) => ({ level, msg, reason, err }))).toEqual([
    { level: 40, msg: 'a request failed', reason: message, err: undefined },
    { level: 40, msg: 'a GraphQL field failed', reason: message, err: undefined },
    {
      level: 40,
      msg: 'a storage could not be asked',
      reason: expect.stringContaining('500'),
      err: undefined,
    },
  ]);
});
