/** The health report of both types, with each possible fault. */
import { startApp, type App } from '../support/app.js';
import { environmentOf, run } from '../support/cli.js';
import { TEST_SECRET_KEY } from '../support/app.js';
import type { NewStorage, Person, StorageHandle } from '../support/factories.js';
import { startCloudDrive, type CloudDrive } from '../support/fakes/cloud-drive.js';
import { startFileServer, type FileServer } from '../../demo/servers/file-server.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from '../support/jest.js';

const HEALTH =
  'query($id: ID!) { storage(id: $id) { health { checks { check code status hint } checkedAt } } }';
const nothing = () => undefined;
const client = { id: 'our-client', secret: 'planted-secret' };

interface Line {
  check: string;
  code: string;
  status: string;
  hint: string;
}

let app: App;
let drive: CloudDrive;
let server: FileServer;
let admin: Person;
beforeAll(async () => {
  drive = await startCloudDrive();
  drive.user('ada', {
    displayName: 'Ada Admin',
    email: 'ada@example.test',
    password: 'planted-password',
  });
  drive.file('/notes.txt');
  app = await startApp({
    CLOUD_DRIVE_LOGIN_URL: drive.loginUrl,
    CLOUD_DRIVE_API_URL: drive.apiUrl,
    STORAGE_TIMEOUT_MS: '5000',
    STORAGE_CONNECT_TIMEOUT_MS: '2000',
  });
  admin = await app.given.user({ admin: true });
});
beforeEach(async () => {
  server = await startFileServer();
  server.user('ada', { displayName: 'Ada Admin', password: 'planted-password' });
  server.teamFolder({ password: 'planted-app-password' });
  server.setClient({ ...client, redirectUri: 'http://127.0.0.1/unused' });
});
afterEach(async () => {
  await server.close();
  Object.assign(drive, { appCanRead: true, emptyForMissingScope: false, secretExpired: false });
  drive.repair();
  drive.setClient(client);
  await app.running.services.db.write('storages').delete();
  expect(drive.violations).toEqual([]);
  expect(
    app.logLines.filter(
      (line) => line.includes('planted-') || (JSON.parse(line) as { level: number }).level >= 50,
    ),
  ).toEqual([]);
});
afterAll(async () => {
  await app.stop();
  await drive.close();
});

async function checksOf(storage: StorageHandle, as = admin): Promise<Line[]> {
  const { data, errors } = await app.graphql(HEALTH, { id: storage.id }, as);
  expect(errors).toBeUndefined();
  expect(data.storage.health.checkedAt).toMatch(/^\d{4}-.*Z$/);
  expect(JSON.stringify(data)).not.toContain('planted-');
  return data.storage.health.checks;
}
/** Check, code and status of each line of the report. */
const summary = (lines: Line[]) => lines.map(({ code, status }) => `${code} ${status}`);
const failed = (lines: Line[]) =>
  lines.filter(({ status }) => status === 'FAILED').map(({ check, code }) => `${check}: ${code}`);

describe('a self-hosted file server', () => {
  const given = (changes: NewStorage = {}) =>
    app.given.storage({
      origin: server.url,
      client,
      applicationPassword: 'planted-app-password',
      ...changes,
    });
  const connect = (storage: StorageHandle) =>
    app.given.storageTokens(admin, storage, server.grant('ada'));

  test('that is ready passes all checks in order', async () => {
    const storage = await given();
    await connect(storage);
    expect(summary(await checksOf(storage))).toEqual([
      'host OK',
      'tls SKIPPED',
      'clock OK',
      'version OK',
      'companion_app OK',
      'client OK',
      'application_password OK',
      'openid SKIPPED',
      'client_secret OK',
      'connection OK',
      'team_folder_app OK',
      'folder_access OK',
      'team_folder OK',
      'folders_linked OK',
      'folders_exist OK',
      'folder_people OK',
      'folders_unexpected OK',
    ]);
    // The check has refreshed the token, and the new one is kept.
    expect(summary(await checksOf(storage))).toContain('connection OK');
  });

  test('reports checks that need a connection of the administrator as skipped', async () => {
    const lines = await checksOf(await given());
    expect(summary(lines)).toEqual([
      'host OK',
      'tls SKIPPED',
      'clock OK',
      'version OK',
      'companion_app OK',
      'client OK',
      'application_password OK',
      'openid SKIPPED',
      'client_secret SKIPPED',
      'connection SKIPPED',
      'team_folder_app OK',
      'folder_access OK',
      'team_folder OK',
      'folders_linked OK',
      'folders_exist OK',
      'folder_people OK',
      'folders_unexpected OK',
    ]);
  });

  test.each<[string, string, NewStorage, () => void]>([
    ['nothing listens', 'host: host_refused', { origin: 'http://127.0.0.1:9' }, nothing],
    ['the name is unknown', 'host: host_not_found', { origin: 'https://nowhere.invalid' }, nothing],
    [
      'the address is forbidden',
      'host: host_address_refused',
      { origin: 'http://169.254.169.254' },
      nothing,
    ],
    ['it is silent', 'host: host_timeout', {}, () => server.fault('silence')],
    [
      'another service answers',
      'version: version_unknown',
      {},
      () =>
        server.fault({
          status: 200,
          headers: { 'content-type': 'text/html' },
          body: '<h1>Welcome</h1>',
        }),
    ],
    [
      'a path is missing from the origin',
      'version: version_unknown',
      {},
      () => server.fault({ status: 404 }),
    ],
    [
      'it is in maintenance mode',
      'version: version_maintenance',
      {},
      () => {
        server.maintenance = true;
      },
    ],
    [
      'it is outdated',
      'version: version_outdated',
      {},
      () =>
        server.fault(
          {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: '{"installed":true,"maintenance":false,"versionstring":"28.0.4"}',
          },
          ({ path }) => path === '/status.php',
        ),
    ],
    [
      'the companion app is missing',
      'companion_app: companion_app_missing',
      {},
      () => {
        server.appEnabled = false;
      },
    ],
    [
      'the companion app is outdated',
      'companion_app: companion_app_outdated',
      {},
      () => {
        server.appVersion = '2.9.1';
      },
    ],
    ['there are no client credentials', 'client: client_missing', { client: undefined }, nothing],
    [
      'the client is refused',
      'client: client_refused',
      { client: { id: 'another', secret: 'x' } },
      nothing,
    ],
    [
      'the application password is wrong',
      'application_password: application_password_wrong',
      { applicationPassword: 'planted-wrong' },
      nothing,
    ],
    [
      'team folders are switched off',
      'team_folder_app: team_folder_app_missing',
      {},
      () => {
        server.groupFoldersEnabled = false;
      },
    ],
    [
      'the team folder is gone',
      'team_folder: team_folder_missing',
      {},
      () => server.teamFolder({ password: 'planted-app-password' }).drop(),
    ],
    [
      'the service may not manage the group',
      'folder_access: folder_access_refused',
      {},
      () => server.fault({ status: 403 }, ({ path }) => path.includes('/cloud/groups/')),
    ],
  ])('if %s', async (_what, expected, changes, arrange) => {
    const storage = await given(changes);
    arrange();
    const lines = await checksOf(storage);
    expect(failed(lines)).toEqual([expected]);
    // The hint, and no check that depends on the failed one.
    expect(lines.find(({ status }) => status === 'FAILED')!.hint).toMatch(/^[A-Z].{20,}\.$/);
  });

  test('says which folders of projects are missing, and what else lies there', async () => {
    const team = server.teamFolder({ password: 'planted-app-password' });
    const storage = await given();
    const hints = async () =>
      (await checksOf(storage)).slice(-4).map(({ code, hint }) => `${code}: ${hint}`);
    const project = await app.given.project({ name: 'Bridge' });
    const { id } = await app.given.projectStorage(project, storage, { mode: 'automatic' });
    expect(await hints()).toEqual([
      'folders_linked_missing: 0 of 1 projects have a folder. Run `moorage folders sync`, and look at the messages of the projects.',
      'folders_exist: All folders of projects are there.',
      'folder_people: All people with rights are in the group OpenProject.',
      'folders_unexpected: The team folder has nothing else.',
    ]);
    await app.running.services.db
      .write('project_storages')
      .where({ id })
      .update({ managed_folder_id: '999' });
    team.add('Holidays');
    expect(await hints()).toEqual([
      'folders_linked: 1 of 1 projects have a folder.',
      `folders_exist_missing: Folders were removed or moved away: "Bridge (${project.id})". ` +
        'Restore them, or run `moorage folders sync` to make new ones.',
      'folder_people: All people with rights are in the group OpenProject.',
      'folders_unexpected: Warning: no project has these in the team folder: "Holidays".',
    ]);
  });

  test('says who has rights in a folder, and is not in the group', async () => {
    const team = server.teamFolder({ password: 'planted-app-password' });
    const storage = await given();
    await app.given.storageTokens(admin, storage, {
      ...server.grant('ada'),
      originUserId: 'ada',
    });
    const project = await app.given.project({ name: 'Bridge' });
    await app.given.projectStorage(project, storage, { mode: 'automatic' });
    const lines = await checksOf(storage);
    expect(lines.find(({ check }) => check === 'folder_people')).toEqual({
      check: 'folder_people',
      code: 'folder_people_missing',
      status: 'FAILED',
      hint:
        'These people are not in the group OpenProject, so they reach no folder: "ada". ' +
        'Run `moorage folders sync`, and look at the messages of the projects.',
    });
    expect(team.members()).toEqual(['OpenProject']);
  });

  test.each([
    [600_000, '10 minutes ahead'],
    [-600_000, '10 minutes behind'],
    [86_400_000, '24 hours ahead'],
    [-864_000_000, '10 days behind'],
  ])('whose clock differs by %i ms is reported', async (ms, distance) => {
    const storage = await given({ applicationPassword: null });
    server.fault(
      {
        status: 200,
        headers: {
          'content-type': 'application/json',
          date: new Date(Date.now() + ms).toUTCString(),
        },
        body: JSON.stringify({ versionstring: '34.0.1', maintenance: false }),
      },
      ({ path }) => path === '/status.php',
    );
    const lines = await checksOf(storage);
    expect(failed(lines)).toEqual(['clock: clock_differs']);
    expect(lines.find(({ check }) => check === 'clock')!.hint).toBe(
      `The clock of ${new URL(server.url).host} is ${distance} compared with the clock of this ` +
        'service. Compare both with a third one, and let both machines take their time from the ' +
        'network.',
    );
  });

  test('with a wrong certificate is reachable, but not secure', async () => {
    const lines = await checksOf(await given({ origin: server.url.replace('http:', 'https:') }));
    expect(summary(lines).slice(0, 3)).toEqual(['host OK', 'tls_refused FAILED', 'clock SKIPPED']);
  });

  test('distinguishes a wrong client secret from an ended connection, and keeps the connection', async () => {
    const storage = await given({ applicationPassword: null });
    await connect(storage);
    server.setClient({ ...client, secret: 'another', redirectUri: 'http://127.0.0.1/unused' });
    expect(failed(await checksOf(storage))).toEqual(['client_secret: client_secret_wrong']);
    expect(await app.running.services.db.read('storage_tokens')).toHaveLength(1);
    server.setClient({ ...client, redirectUri: 'http://127.0.0.1/unused' });
    expect(failed(await checksOf(storage))).toEqual([]);
    server.revokeGrant('ada');
    expect(summary(await checksOf(storage)).slice(-2)).toEqual([
      'client_secret SKIPPED',
      'connection SKIPPED',
    ]);
  });

  test('reports a wrong client secret without a connection of the administrator', async () => {
    const storage = await given({ applicationPassword: null });
    const other = await app.given.user();
    server.user('bob', { displayName: 'Bob', password: 'planted-bob' });
    await app.given.storageTokens(other, storage, server.grant('bob'));
    const secretOf = async () =>
      (await checksOf(storage)).find(({ check }) => check === 'client_secret');
    expect(await secretOf()).toMatchObject({ code: 'client_secret', status: 'OK' });
    server.setClient({ ...client, secret: 'another', redirectUri: 'http://127.0.0.1/unused' });
    expect(await secretOf()).toMatchObject({ code: 'client_secret_wrong', status: 'FAILED' });
    expect(await app.running.services.db.read('storage_tokens')).toHaveLength(1);
    server.setClient({ ...client, redirectUri: 'http://127.0.0.1/unused' });
    expect(await secretOf()).toMatchObject({ code: 'client_secret', status: 'OK' });
  });

  test('reports a wrong client secret without anybody being connected, if the server tells', async () => {
    const storage = await given({ applicationPassword: null });
    const secretOf = async () =>
      (await checksOf(storage)).find(({ check }) => check === 'client_secret');
    const asksToken = ({ path }: { path: string }) => path.endsWith('/oauth2/api/v1/token');
    // This server refuses an unknown token before it looks at the client.
    expect(await secretOf()).toMatchObject({ status: 'SKIPPED' });
    server.fault(
      {
        status: 400,
        headers: { 'content-type': 'application/json' },
        body: '{"error":"invalid_client"}',
      },
      asksToken,
    );
    expect(await secretOf()).toMatchObject({ code: 'client_secret_wrong', status: 'FAILED' });
    server.repair();
    server.forget();
    await secretOf();
    const asked = server.requests.filter(asksToken);
    expect(asked).toHaveLength(1);
    expect(new URLSearchParams(asked[0]!.body.toString()).get('grant_type')).toBe('refresh_token');
  });

  test('with single sign-on reports whether a provider and an audience are set', async () => {
    const storage = await given({
      authenticationMethod: 'OAuth2SSO',
      client: undefined as never,
      applicationPassword: null,
    });
    expect(failed(await checksOf(storage))).toEqual(['openid: openid_missing']);
  });

  test('is checked for administrators only', async () => {
    const storage = await given();
    const project = await app.given.project();
    await app.given.projectStorage(project, storage);
    const person = await app.given.member(project, ['view_work_packages', 'view_file_links']);
    const { errors } = await app.graphql(HEALTH, { id: storage.id }, person);
    expect(errors![0]!.extensions).toMatchObject({ code: 'MISSING_PERMISSION', status: 403 });
    expect(server.requests).toEqual([]);
  });
});

describe('a cloud drive', () => {
  const given = (changes: NewStorage = {}) =>
    app.given.storage({
      type: 'CloudDrive',
      tenantId: drive.tenantId,
      driveId: drive.driveId,
      client,
      ...changes,
    });

  test('that is ready passes all checks in order', async () => {
    const storage = await given();
    await app.given.storageTokens(admin, storage, drive.grant('ada'));
    expect(summary(await checksOf(storage))).toEqual([
      'host OK',
      'tls SKIPPED',
      'clock OK',
      'credentials OK',
      'tenant OK',
      'client OK',
      'client_secret OK',
      'drive OK',
      'scope OK',
      'connection OK',
    ]);
  });

  test('whose folders are managed makes and removes a folder', async () => {
    const left = drive.folders().map(({ name }) => name);
    const lines = await checksOf(await given({ foldersAllowed: true }));
    expect(summary(lines).slice(-3)).toEqual([
      'folder_create OK',
      'folder_delete OK',
      'folders_unexpected OK',
    ]);
    expect(drive.folders().map(({ name }) => name)).toEqual(left);
  });

  test.each<[string, string, NewStorage, () => void]>([
    [
      'there are no client credentials',
      'credentials: credentials_missing',
      { client: undefined },
      nothing,
    ],
    ['the tenant is not set', 'tenant: tenant_missing', { tenantId: null }, nothing],
    [
      'the tenant does not exist',
      'tenant: tenant_unknown',
      { tenantId: '11111111-2222-3333-4444-555555555555' },
      nothing,
    ],
    [
      'the client is unknown',
      'client: client_refused',
      { client: { id: '99999999-2222-3333-4444-555555555555', secret: 'x' } },
      nothing,
    ],
    [
      'the secret is wrong',
      'client_secret: client_secret_wrong',
      { client: { ...client, secret: 'planted-wrong' } },
      nothing,
    ],
    [
      'the secret has expired',
      'client_secret: client_secret_expired',
      {},
      () => drive.setClient({ secret: 'expired' }),
    ],
    ['the drive is not set', 'drive: drive_missing', { driveId: null }, nothing],
    [
      'the drive is malformed',
      'drive: drive_malformed',
      { driveId: 'no-drive-at-all-but-long' },
      nothing,
    ],
    [
      'the application cannot see a drive',
      'drive: drive_not_found',
      {},
      () => {
        drive.appCanRead = false;
      },
    ],
    [
      'the application has no permission',
      'drive: drive_forbidden',
      {},
      () =>
        drive.fault(
          { status: 403, headers: { 'content-type': 'application/json' }, body: '{}' },
          ({ path }) => path.startsWith('/v1.0/drives'),
        ),
    ],
    [
      'lists are empty because of a missing scope',
      'scope: scope_missing',
      {},
      () => {
        drive.emptyForMissingScope = true;
      },
    ],
    [
      'the application may not make folders',
      'folder_create: folder_create_refused',
      { foldersAllowed: true },
      () =>
        drive.fault(
          { status: 403, headers: { 'content-type': 'application/json' }, body: '{}' },
          ({ method, path }) => method === 'POST' && path.endsWith('/children'),
        ),
    ],
    [
      'the application may not remove folders',
      'folder_delete: folder_delete_refused',
      { foldersAllowed: true },
      () =>
        drive.fault(
          { status: 403, headers: { 'content-type': 'application/json' }, body: '{}' },
          ({ method }) => method === 'DELETE',
        ),
    ],
    [
      'the tenant does not answer',
      'tenant: tenant_error',
      {},
      () => drive.fault({ status: 503 }, ({ path }) => path.endsWith('/token')),
    ],
  ])('if %s', async (_what, expected, changes, arrange) => {
    const storage = await given(changes);
    arrange();
    const lines = await checksOf(storage);
    expect(failed(lines)).toEqual([expected]);
    expect(lines.find(({ status }) => status === 'FAILED')!.hint).toMatch(/^[A-Z].{20,}\.$/);
  });
});

test('doctor checks every storage, prints hints, and fails if a storage is not ready', async () => {
  await app.given.storage({ name: 'Site files', origin: server.url, client });
  await app.given.storage({
    name: 'Drawings',
    origin: 'http://127.0.0.1:9',
    client,
    applicationPassword: 'planted-app-password',
  });
  const environment = {
    ...environmentOf(app),
    SECRET_KEY: TEST_SECRET_KEY,
    STORAGE_TIMEOUT_MS: '1000',
  };
  const { status, stdout, stderr } = await run(['doctor', '--json'], environment);
  const { ok, checks } = JSON.parse(stdout) as {
    ok: boolean;
    checks: { name: string; outcome: string; detail: string }[];
  };
  const of = (name: string) =>
    checks
      .filter((check) => check.name.startsWith(`${name}: `))
      .map((check) => `${check.name.slice(name.length + 2)} ${check.outcome}`);
  expect(of('Site files')).toEqual([
    'host ok',
    'tls skipped',
    'clock ok',
    'version ok',
    'companion_app ok',
    'client ok',
    'application_password skipped',
    'openid skipped',
    'client_secret skipped',
    'connection skipped',
  ]);
  expect(of('Drawings').slice(0, 3)).toEqual(['host failed', 'tls skipped', 'clock skipped']);
  expect([status, ok, stdout.includes('planted-'), stderr.includes('planted-')]).toEqual([
    1,
    false,
    false,
    false,
  ]);
});
