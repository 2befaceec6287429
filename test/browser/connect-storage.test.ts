/** A user connects to a storage of another site in a real browser: sign-in here, sign-in and consent there, and back. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { Person, StorageHandle } from '../support/factories.js';
import { startCloudDrive, type CloudDrive } from '../support/fakes/cloud-drive.js';
import { startFileServer, type FileServer } from '../../demo/servers/file-server.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';

/** The same machine under another host name, so browsers see another site. */
const elsewhere = (url: string) => url.replace('127.0.0.1', 'localhost');

describeBrowser('a user', () => {
  let app: App;
  let browser: Browser;
  let server: FileServer;
  let drive: CloudDrive;
  let person: Person;
  let files: StorageHandle;
  let drawings: StorageHandle;
  let context: BrowserContext;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    [browser, server, drive] = await Promise.all([
      startBrowser(),
      startFileServer(),
      startCloudDrive(),
    ]);
    app = await startApp({
      CLOUD_DRIVE_LOGIN_URL: elsewhere(drive.loginUrl),
      CLOUD_DRIVE_API_URL: elsewhere(drive.apiUrl),
    });
    server.user('mia', { displayName: 'Mia Ray', password: 'password there' });
    server.setClient({
      id: 'file-client',
      secret: 'file-secret',
      redirectUri: `${app.url}/oauth_clients/file-client/callback`,
    });
    drive.user('mia', {
      displayName: 'Mia Ray',
      email: 'mia@example.test',
      password: 'password there',
    });
    drive.setClient({
      id: 'drive-client',
      secret: 'drive-secret',
      redirectUri: `${app.url}/oauth_clients/drive-client/callback`,
    });
    const project = await app.given.project();
    person = await app.given.member(project, ['view_work_packages', 'view_file_links'], {
      password: 'password here',
    });
    files = await app.given.storage({
      name: 'Site files',
      origin: elsewhere(server.url),
      client: { id: 'file-client', secret: 'file-secret' },
    });
    drawings = await app.given.storage({
      type: 'CloudDrive',
      name: 'Drawings',
      tenantId: drive.tenantId,
      driveId: drive.driveId,
      client: { id: 'drive-client', secret: 'drive-secret' },
    });
    for (const storage of [files, drawings]) await app.given.projectStorage(project, storage);
    context = await browser.newContext();
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([app?.stop(), server?.close(), drive?.close()]);
  });

  const authorizeUrl = async (storage: StorageHandle): Promise<string> => {
    const { body } = await app.get(storage.path, person);
    expect(body._links.authorizationState.title).toBe('Authorization failed');
    return `${body._links.authorize.href}&destination_url=${encodeURIComponent(`${app.url}/api/v3/users/me`)}`;
  };
  const stateOf = async (storage: StorageHandle) =>
    (await app.get(storage.path, person)).body._links.authorizationState.title;

  test('signs in here, consents at the file server, and is connected', async () => {
    await page.goto(await authorizeUrl(files));
    await page.getByLabel('Login').fill(person.login);
    await page.getByLabel('Password').fill('password here');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Account name').fill('mia');
    await page.getByLabel('Password').fill('password there');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'Grant access' }).click();
    await page.waitForURL(`${app.url}/api/v3/users/me`);
    // The session belongs to the same user.
    expect(JSON.parse(await page.locator('body').innerText())).toMatchObject({
      _type: 'User',
      id: person.id,
    });
    expect(await stateOf(files)).toBe('Connected');
  });

  test('who is signed in consents at the cloud drive, and is connected', async () => {
    await page.goto(await authorizeUrl(drawings));
    await page.getByLabel('Email').fill('mia@example.test');
    await page.getByLabel('Password').fill('password there');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.waitForURL(`${app.url}/api/v3/users/me`);
    expect(await stateOf(drawings)).toBe('Connected');
    // The provider checked PKCE, and all requests fit the published description.
    expect(drive.violations.filter((violation) => !violation.includes('/favicon.ico'))).toEqual([]);
  });

  test('who refuses consent sees the reason, and is not connected', async () => {
    await app.running.services.db.write('storage_tokens').delete();
    await page.goto(await authorizeUrl(drawings));
    await page.getByLabel('Email').fill('mia@example.test');
    await page.getByLabel('Password').fill('password there');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'You are not connected' }).waitFor();
    expect(await page.locator('main').innerText()).toContain('did not let you connect');
    expect(await stateOf(drawings)).toBe('Authorization failed');
  });

  test('sees no page of ours that violates its own content security policy', () => {
    // Chromium reports the missing favicon and the error status of the page.
    expect(problems.filter((text) => /Content Security Policy|Refused to/i.test(text))).toEqual([]);
  });
});
