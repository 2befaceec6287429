/** Each hint of the health report stands at the field that repairs it, and goes when that is done. */
import type { Browser, Page } from 'playwright-core';
import { startFileServer, type FileServer } from '../../demo/servers/file-server.js';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { NewStorage, Person, StorageHandle } from '../support/factories.js';
import { startCloudDrive, type CloudDrive } from '../support/fakes/cloud-drive.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '../support/jest.js';
import { complaintsOf, openAs } from '../support/pages.js';

const HEALTH = 'query($id: ID!) { storage(id: $id) { health { checks { check status hint } } } }';
const client = { id: 'our-client', secret: 'their-secret' };
const nothing = () => undefined;
const json = { 'content-type': 'application/json' };
const isStatus = ({ path }: { path: string }): boolean => path === '/status.php';
/** The answer of a server of this version, whose clock is ahead by so many milliseconds. */
const status = (versionstring: string, ahead = 0) => ({
  status: 200,
  headers: { ...json, date: new Date(Date.now() + ahead).toUTCString() },
  body: JSON.stringify({ installed: true, maintenance: false, versionstring }),
});

/** A fault, the field at which its hint stands, what is wrong, and what repairs it there or elsewhere. */
type Case = [
  what: string,
  field: string,
  changes: () => NewStorage,
  arrange: () => void,
  repair: () => { [field: string]: string } | void | Promise<void>,
  says?: RegExp,
];

describeBrowser('the hints of a storage', () => {
  let app: App;
  let browser: Browser;
  let server: FileServer;
  let drive: CloudDrive;
  let ada: Person;
  let page: Page;
  beforeAll(async () => {
    [browser, drive] = await Promise.all([startBrowser(), startCloudDrive()]);
    drive.user('ada', { displayName: 'Ada Moor', email: 'ada@example.test', password: 'there' });
    drive.file('/notes.txt');
    app = await startApp({
      STORAGE_ALLOW_PRIVATE: 'true',
      STORAGE_TIMEOUT_MS: '5000',
      STORAGE_CONNECT_TIMEOUT_MS: '2000',
      CLOUD_DRIVE_LOGIN_URL: drive.loginUrl,
      CLOUD_DRIVE_API_URL: drive.apiUrl,
    });
    ada = await signable(app, { firstName: 'Ada', lastName: 'Moor', admin: true });
    page = await openAs(browser, app, ada, '/projects');
  }, 180_000);
  beforeEach(async () => {
    server = await startFileServer();
    server.user('ada', { displayName: 'Ada Moor', password: 'password there' });
    server.teamFolder({ password: 'app-password' });
    server.setClient({ ...client, redirectUri: 'http://127.0.0.1/unused' });
    drive.setClient(client);
  });
  afterEach(async () => {
    await server.close();
    repairDrive();
    await app.running.services.db.write('storages').delete();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await drive?.close();
  });

  function repairDrive(): void {
    Object.assign(drive, { appCanRead: true, emptyForMissingScope: false });
    drive.repair();
  }
  /** The hint of the only failed check. */
  async function hintOf({ id }: StorageHandle): Promise<string> {
    const { data } = await app.graphql(HEALTH, { id: String(id) }, ada);
    const failed = data.storage.health.checks.filter((one: any) => one.status === 'FAILED');
    expect(failed).toHaveLength(1);
    return failed[0].hint;
  }
  /** What a screen reader says with a field. */
  const describedBy = (field: string): Promise<string> =>
    page.evaluate(
      `document.getElementById(document.querySelector('[name=${field}]')
        .getAttribute('aria-describedby'))?.textContent ?? ''`,
    );

  /** Opens the page of a storage, reads the hint at the field, repairs it, and sees it go. */
  async function follow(
    storage: StorageHandle,
    field: string,
    repair: Case[4],
    says = /\S/,
  ): Promise<void> {
    const hint = await hintOf(storage);
    expect(hint).toMatch(says);
    await page.goto(`/administration/storages/${storage.id}`);
    const wrong = page.locator(`[name=${field}][aria-invalid=true]`);
    await wrong.waitFor();
    expect(await describedBy(field)).toContain(hint);
    expect(await page.locator('form [aria-invalid=true]').count()).toBe(1);
    expect(await wrong.isVisible()).toBe(true);
    const values = await repair();
    if (values) {
      for (const [name, value] of Object.entries(values))
        await page.locator(`[name=${name}]`).fill(value);
      await page
        .locator('form', { has: page.locator(`[name=${field}]`) })
        .locator('.main')
        .click();
    } else await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText(hint).first().waitFor({ state: 'detached' });
    expect(await describedBy(field)).not.toContain(hint);
    expect(complaintsOf(page)).toEqual([]);
  }

  const repaired = (): void => server.repair();
  const selfHosted: Case[] = [
    [
      'nothing listens',
      'origin',
      () => ({ origin: 'http://127.0.0.1:9' }),
      nothing,
      () => ({ origin: server.url.replace('127.0.0.1', 'localhost') }),
    ],
    [
      'its name does not exist',
      'origin',
      () => ({ origin: 'https://nowhere.invalid' }),
      nothing,
      () => ({ origin: server.url.replace('127.0.0.1', 'localhost') }),
      /name of the host could not be resolved/,
    ],
    [
      'it does not answer in time',
      'origin',
      () => ({}),
      () => server.fault('silence'),
      repaired,
      /did not answer in time/,
    ],
    [
      'the certificate is wrong',
      'origin',
      () => ({ origin: server.url.replace('http:', 'https:') }),
      nothing,
      () => ({ origin: server.url.replace('127.0.0.1', 'localhost') }),
    ],
    [
      'another service answers',
      'origin',
      () => ({}),
      () => server.fault({ status: 404 }),
      repaired,
    ],
    [
      'it is in maintenance mode',
      'origin',
      () => ({}),
      () => (server.maintenance = true),
      () => void (server.maintenance = false),
    ],
    [
      'the companion app is missing',
      'origin',
      () => ({}),
      () => (server.appEnabled = false),
      () => void (server.appEnabled = true),
    ],
    [
      'it is outdated',
      'origin',
      () => ({}),
      () => server.fault(status('28.0.4'), isStatus),
      repaired,
    ],
    [
      'its clock differs',
      'origin',
      () => ({ applicationPassword: null }),
      () => server.fault(status('34.0.1', 600_000), isStatus),
      repaired,
    ],
    [
      'the companion app is outdated',
      'origin',
      () => ({}),
      () => (server.appVersion = '2.9.1'),
      () => void (server.appVersion = '3.1.0'),
    ],
    [
      'the team folder is gone',
      'applicationPassword',
      () => ({}),
      () => server.teamFolder({ password: 'app-password' }).drop(),
      () => void server.teamFolder({ password: 'app-password' }),
    ],
    [
      'there are no client credentials',
      'clientId',
      () => ({ client: undefined }),
      nothing,
      () => ({ clientId: client.id, clientSecret: client.secret }),
    ],
    [
      'the client is refused',
      'clientId',
      () => ({ client: { id: 'another', secret: 'x' } }),
      nothing,
      () => ({ clientId: client.id, clientSecret: client.secret }),
    ],
    [
      'the application password is wrong',
      'applicationPassword',
      () => ({ applicationPassword: 'wrong' }),
      nothing,
      () => ({ applicationPassword: 'app-password' }),
    ],
    [
      'team folders are switched off',
      'applicationPassword',
      () => ({}),
      () => (server.groupFoldersEnabled = false),
      () => void (server.groupFoldersEnabled = true),
    ],
    [
      'the service may not manage the group',
      'applicationPassword',
      () => ({}),
      () => server.fault({ status: 403 }, ({ path }) => path.includes('/cloud/groups/')),
      repaired,
    ],
    [
      'the client secret is refused',
      'clientSecret',
      () => ({ applicationPassword: null }),
      () =>
        server.fault(
          { status: 400, headers: json, body: '{"error":"invalid_client"}' },
          ({ path }) => path.endsWith('/oauth2/api/v1/token'),
        ),
      repaired,
    ],
  ];
  test.each(selfHosted)(
    'of a file server, if %s',
    async (_what, field, changes, arrange, repair, says) => {
      const storage = await app.given.storage({
        origin: server.url,
        client,
        applicationPassword: 'app-password',
        ...changes(),
      });
      arrange();
      await follow(storage, field, repair, says);
    },
    60_000,
  );

  test('of a file server in which the folder of a project is missing', async () => {
    const storage = await app.given.storage({
      origin: server.url,
      client,
      applicationPassword: 'app-password',
    });
    const project = await app.given.project({ name: 'Bridge' });
    await app.given.projectStorage(project, storage, { mode: 'automatic' });
    await follow(storage, 'applicationPassword', async () => {
      await app.running.services.db.write('project_storages').delete();
    });
  }, 60_000);

  /** A file server that keeps a folder for one project. */
  async function withFolder(exists: boolean) {
    const storage = await app.given.storage({
      origin: server.url,
      client,
      applicationPassword: 'app-password',
    });
    const project = await app.given.project({ name: 'Bridge' });
    const { id } = await app.given.projectStorage(project, storage, { mode: 'automatic' });
    const folder = () => server.teamFolder().add(`Bridge (${project.id})`);
    const link = (managed_folder_id: number) =>
      app.running.services.db
        .write('project_storages')
        .where({ id })
        .update({ managed_folder_id: String(managed_folder_id) });
    await link(exists ? folder() : 999);
    return { storage, restore: async () => void (await link(folder())) };
  }

  test('of a file server from which the folder of a project was removed', async () => {
    const { storage, restore } = await withFolder(false);
    expect(await hintOf(storage)).toMatch(/^Folders were removed or moved away: "Bridge/);
    await follow(storage, 'applicationPassword', restore);
  }, 60_000);

  test('of a file server in whose group a person is missing', async () => {
    const { storage } = await withFolder(true);
    await app.given.storageTokens(ada, storage, { ...server.grant('ada'), originUserId: 'ada' });
    expect(await hintOf(storage)).toMatch(/^These people are not in the group .+: "ada"\./);
    await follow(storage, 'applicationPassword', () =>
      server.user('ada', { displayName: 'Ada Moor', groups: ['OpenProject'] }),
    );
  }, 60_000);

  const cloud: Case[] = [
    [
      'there are no client credentials',
      'clientId',
      () => ({ client: undefined }),
      nothing,
      () => ({ clientId: client.id, clientSecret: client.secret }),
    ],
    [
      'the tenant does not exist',
      'tenantId',
      () => ({ tenantId: '11111111-2222-3333-4444-555555555555' }),
      nothing,
      () => ({ tenantId: drive.tenantId }),
    ],
    [
      'the secret is wrong',
      'clientSecret',
      () => ({ client: { ...client, secret: 'wrong' } }),
      nothing,
      () => ({ clientId: client.id, clientSecret: client.secret }),
    ],
    [
      'the drive is not set',
      'driveId',
      () => ({ driveId: null }),
      nothing,
      () => ({ driveId: drive.driveId }),
    ],
    [
      'the application cannot see the drive',
      'driveId',
      () => ({}),
      () => (drive.appCanRead = false),
      repairDrive,
    ],
    [
      'a permission of the application is missing',
      'driveId',
      () => ({}),
      () => (drive.emptyForMissingScope = true),
      repairDrive,
    ],
  ];
  test.each(cloud)(
    'of a cloud drive, if %s',
    async (_what, field, changes, arrange, repair) => {
      const storage = await app.given.storage({
        type: 'CloudDrive',
        tenantId: drive.tenantId,
        driveId: drive.driveId,
        client,
        ...changes(),
      });
      arrange();
      await follow(storage, field, repair);
    },
    60_000,
  );

  test.each([
    [
      'make',
      ({ method, path }: { method: string; path: string }) =>
        method === 'POST' && path.endsWith('/children'),
    ],
    ['remove', ({ method }: { method: string }) => method === 'DELETE'],
  ])(
    'of a cloud drive in which the application may not %s folders',
    async (_what, when) => {
      const storage = await app.given.storage({
        type: 'CloudDrive',
        tenantId: drive.tenantId,
        driveId: drive.driveId,
        client,
        foldersAllowed: true,
      });
      drive.fault({ status: 403, headers: json, body: '{}' }, when);
      const hint = await hintOf(storage);
      await page.goto(`/administration/storages/${storage.id}`);
      const form = page.getByRole('form', { name: 'Folders of projects' });
      await form.getByText(hint).waitFor();
      repairDrive();
      await page.getByRole('button', { name: 'Check again' }).click();
      await page.getByText(hint).first().waitFor({ state: 'detached' });
    },
    60_000,
  );

  test('of a storage with single sign-on without a provider', async () => {
    const storage = await app.given.storage({
      origin: server.url,
      authenticationMethod: 'OAuth2SSO',
    });
    const hint = await hintOf(storage);
    await page.goto(`/administration/storages/${storage.id}`);
    await page.locator('[name=storageAudience][aria-invalid=true]').waitFor();
    expect(await describedBy('storageAudience')).toContain(hint);
  }, 60_000);
});
