/** `moorage rotate-key` seals secrets of the old key with the new key. */
import { randomBytes } from 'node:crypto';
import { sealedColumns } from '../../src/actions/operate/secrets/rotate-secrets.js';
import { startApp, startBeside, TEST_SECRET_KEY, type App } from '../support/app.js';
import { endCommands, environmentOf, run } from '../support/cli.js';
import { startFileServer, type FileServer } from '../../demo/servers/file-server.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';

const NEW_KEY = randomBytes(32).toString('hex');

let app: App;
let server: FileServer;
beforeAll(async () => {
  server = await startFileServer();
  server.user('mia');
  server.setClient({ id: 'client', secret: 'planted-secret', redirectUri: 'http://127.0.0.1/' });
  app = await startApp();
});
afterAll(async () => {
  await endCommands();
  await app.stop();
  await server.close();
});

const rotate = async (environment: { [name: string]: string }) => {
  const { status, stdout } = await run(['rotate-key', '--json'], {
    ...environmentOf(app),
    ...environment,
  });
  return { status, ...(JSON.parse(stdout) as object) };
};

test('every sealed column of the schema is sealed with the new key', async () => {
  const { db } = app.running.services;
  const sealed =
    /(access_token|refresh_token|^secret|client_secret|application_password|code_verifier)$/;
  const tables =
    db.client === 'sqlite'
      ? ((await db.read('sqlite_master').where({ type: 'table' }).pluck('name')) as string[])
      : (
          (
            await db.read.raw(
              "select table_name as name from information_schema.tables where table_schema = 'public'",
            )
          ).rows as { name: string }[]
        ).map(({ name }) => name);
  const found = (
    await Promise.all(
      tables.map(async (table) =>
        Object.keys(await db.read(table).columnInfo())
          .filter((column) => sealed.test(column))
          .map((column) => `${table}.${column}`),
      ),
    )
  ).flat();
  expect(sealedColumns.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(
    found.sort(),
  );
});

test('users stay connected, and the old key is not needed any more', async () => {
  const project = await app.given.project();
  const person = await app.given.member(project, ['view_work_packages', 'view_file_links']);
  const storage = await app.given.storage({
    origin: server.url,
    client: { id: 'client', secret: 'planted-secret' },
    applicationPassword: 'planted-password',
  });
  await app.given.projectStorage(project, storage);
  await app.given.storageTokens(person, storage, server.grant('mia'));
  const stateWith = async (environment: { [name: string]: string }) => {
    const beside = await startBeside(app, environment);
    const { body } = await beside.get(storage.path, person);
    await beside.stop();
    return body._links.authorizationState.title;
  };

  expect(await stateWith({ SECRET_KEY: NEW_KEY, SECRET_KEY_PREVIOUS: TEST_SECRET_KEY })).toBe(
    'Connected',
  );
  expect(await rotate({ SECRET_KEY: NEW_KEY, SECRET_KEY_PREVIOUS: TEST_SECRET_KEY })).toEqual({
    status: 0,
    rotated: 4,
    current: 0,
    broken: [],
  });
  expect(await rotate({ SECRET_KEY: NEW_KEY })).toEqual({
    status: 0,
    rotated: 0,
    current: 4,
    broken: [],
  });
  expect(await stateWith({ SECRET_KEY: NEW_KEY })).toBe('Connected');
  // With a wrong key nothing works, but nothing is lost.
  expect(await stateWith({ SECRET_KEY: TEST_SECRET_KEY })).toBe('Error');
});

test('without the new key nothing is sealed, and no key is created', async () => {
  const { SECRET_KEY: _, ...environment } = environmentOf(app);
  const { status, stdout, stderr } = await run(['rotate-key'], {
    ...environment,
    NODE_ENV: 'development',
    SECRET_KEY_PREVIOUS: NEW_KEY,
  });
  expect([status, stdout, stderr]).toEqual([
    78,
    '',
    'The configuration has 1 mistake:\n  SECRET_KEY is needed beside SECRET_KEY_PREVIOUS: the new key, which the servers have\n',
  ]);
});

test('secrets that no key opens are listed, and the exit status reports them', async () => {
  const { status, ...report } = (await rotate({ SECRET_KEY: TEST_SECRET_KEY })) as {
    status: number;
    rotated: number;
    current: number;
    broken: string[];
  };
  expect([status, report.rotated, report.current]).toEqual([1, 0, 0]);
  expect(report.broken.map((place) => place.replace(/ \d+$/, '')).sort()).toEqual([
    'oauth_client_credentials.client_secret',
    'storage_tokens.access_token',
    'storage_tokens.refresh_token',
    'storages.application_password',
  ]);
});
