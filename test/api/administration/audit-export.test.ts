/** The audit as lines of JSON, by the service and by the command. */
import { startApp, type App } from '../../support/app.js';
import { endCommands, environmentOf, run } from '../../support/cli.js';
import { errorBody, TIME } from '../../support/expected.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

const PATH = '/administration/audit.ndjson';

let app: App;
let ada: Person;
beforeAll(async () => {
  app = await startApp();
  ada = await app.given.user({ admin: true, firstName: 'Ada', lastName: 'Ray' });
});
afterAll(async () => {
  await endCommands();
  await app.stop();
});

const entriesIn = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('each entry is a line, the oldest first, and the command prints the same', async () => {
  const { data } = await app.graphql(
    'mutation { createApiKey(input: { name: "backup", access: READ }) { key apiKey { id databaseId } } }',
    {},
    ada,
  );
  const { key, apiKey } = data.createApiKey;
  await app.graphql(
    `mutation { deleteApiKey(input: { id: "${apiKey.id}" }) { __typename } }`,
    {},
    ada,
  );
  const { status, headers, text } = await app.get(PATH, ada);
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'application/x-ndjson; charset=utf-8',
    'no-store',
  ]);
  const entry = {
    id: expect.any(Number),
    createdAt: TIME,
    actor: { id: ada.id, name: 'Ada Ray' },
    credential: 'API_KEY',
    credentialId: expect.any(Number),
    address: expect.any(String),
    subject: { id: apiKey.id, name: 'backup' },
  };
  const entries = entriesIn(text);
  expect(entries).toEqual([
    { ...entry, kind: 'API_KEY_CREATED', before: null, after: expect.any(Object) },
    { ...entry, kind: 'API_KEY_DELETED', before: expect.any(Object), after: null },
  ]);
  expect(text).not.toContain(key);
  const printed = await run(['audit'], environmentOf(app));
  expect([printed.status, printed.stderr]).toEqual([0, '']);
  expect(entriesIn(printed.stdout)).toEqual(entries);
});

test('only administrators get it, and no key for files', async () => {
  const filer = await app.graphql(
    'mutation { createApiKey(input: { name: "camera", access: FILES }) { key } }',
    {},
    ada,
  );
  for (const as of [
    await app.given.user(),
    undefined,
    { ...ada, key: filer.data.createApiKey.key as string },
  ]) {
    const { status, body } = await app.get(PATH, as);
    expect([status, body?.errorIdentifier]).toEqual([
      403,
      errorBody('MissingPermission', '').errorIdentifier,
    ]);
  }
});
