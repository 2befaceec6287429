/** If the type cloud drive is switched off, users cannot connect to cloud drives and projects cannot add them. */
import { startApp, startBeside, type App } from '../support/app.js';
import type { Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { Visitor } from '../support/browser-visitor.js';
import { cloudDriveRemote, connected, type Remote } from './remotes.js';

const MESSAGE = 'The request can not be handled due to invalid or missing Enterprise token.';

let remote: Remote;
let app: App;
let without: App;
beforeAll(async () => {
  remote = await cloudDriveRemote();
  app = await startApp(remote.environment);
  // The same address, because the codes of a drive are only for that address.
  without = await startBeside(app, {
    ...remote.environment,
    BASE_URL: app.url,
    CLOUD_DRIVE_ENABLED: 'false',
  });
});
afterAll(async () => {
  await without?.stop();
  await app?.stop();
  await remote?.close();
});

test('no user is sent to a drive or connected; the drive gets no request and no token is stored', async () => {
  const { storage, person } = await connected(app, remote, { tokens: false });
  const [browser, late] = [new Visitor(app), new Visitor(without)];
  for (const one of [browser, late]) await one.signIn(person.login, 'planted-password');
  const ensure = `/oauth_clients/client-id-of-ours/ensure_connection?storage_id=${storage.id}`;
  const refused = async (path: string) => {
    const { status, text } = await late.get(path);
    expect([status, text.includes('That did not work'), text.includes(MESSAGE)]).toEqual([
      500,
      true,
      true,
    ]);
  };
  await refused(ensure);
  const { location } = await browser.get(ensure);
  // The session belongs to the browser and works in every process.
  await app.running.services.db.write('connection_attempts').update({
    session_id: (await app.running.services.db.read('sessions').max({ id: 'id' }))[0]!['id'],
  });
  const query = new URLSearchParams({
    state: new URL(location!).searchParams.get('state')!,
    code: remote.code(location!),
  });
  remote.server.forget();
  await refused(`/oauth_clients/client-id-of-ours/callback?${query}`);
  expect(remote.server.requests).toEqual([]);
  expect(
    await app.running.services.db.read('storage_tokens').where({ storage_id: storage.id }),
  ).toEqual([]);

  // There is no link to connect.
  const ways = async (at: App) =>
    (await at.graphql('{ projectStorages { nodes { openWithConnectionUrl } } }', {}, person)).data
      .projectStorages.nodes;
  expect([await ways(app), await ways(without)]).toEqual([
    [{ openWithConnectionUrl: expect.stringContaining('/ensure_connection?') }],
    [{ openWithConnectionUrl: null }],
  ]);

  const stranger: Person = await app.given.user({ password: 'planted-other' });
  const elsewhere = new Visitor(without);
  await elsewhere.signIn(stranger.login, 'planted-other');
  expect((await elsewhere.get(ensure)).status).toBe(404);
});

test('no project gets a drive, and only users with the permission see the reason', async () => {
  const drive = await app.given.storage({ type: 'CloudDrive' });
  const project = await app.given.project();
  const create = async (as: Person, at = without) =>
    await at.graphql(
      'mutation ($input: CreateProjectStorageInput!) { createProjectStorage(input: $input) { projectStorage { projectFolderMode } } }',
      { input: { projectId: String(project.id), storageId: drive.globalId } },
      as,
    );
  const manager = await app.given.member(project, ['manage_files_in_project']);
  expect((await create(manager)).errors).toMatchObject([
    {
      message: MESSAGE,
      extensions: {
        status: 500,
        errorIdentifier: 'urn:service-org:api:v3:errors:MissingEnterpriseToken',
      },
    },
  ]);
  expect((await create(await app.given.user())).errors).toMatchObject([
    { extensions: { status: 404 } },
  ]);
  expect(
    await app.running.services.db.read('project_storages').where({ storage_id: drive.id }),
  ).toEqual([]);
  expect((await create(manager, app)).errors).toBeUndefined();
});
