/** Administrators connect a cloud drive by following the page, each step in another browser. A member uses it. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { Person } from '../support/factories.js';
import { startCloudDrive, type CloudDrive } from '../support/fakes/cloud-drive.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, openAs } from '../support/pages.js';

/** The same machine under another host name, so browsers see another site. */
const elsewhere = (url: string) => url.replace('127.0.0.1', 'localhost');
const client = { id: 'client-of-theirs', secret: 'secret-of-theirs' };

describeBrowser('the cloud drive of an administrator', () => {
  let app: App;
  let browser: Browser;
  let drive: CloudDrive;
  let ada: Person;
  let mia: Person;
  beforeAll(async () => {
    [browser, drive] = await Promise.all([startBrowser(), startCloudDrive()]);
    app = await startApp({
      STORAGE_ALLOW_PRIVATE: 'true',
      CLOUD_DRIVE_LOGIN_URL: elsewhere(drive.loginUrl),
      CLOUD_DRIVE_API_URL: elsewhere(drive.apiUrl),
    });
    drive.file('/notes.txt');
    for (const id of ['ada', 'mia'])
      drive.user(id, { displayName: id, email: `${id}@example.test`, password: `${id} there` });
    ada = await signable(app, { firstName: 'Ada', lastName: 'Moor', admin: true });
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
    const quay = await app.given.project({ name: 'North quay repair', identifier: 'north-quay' });
    await app.given.membership(mia, quay, ['view_work_packages', 'view_file_links']);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await drive?.close();
  });

  const visit = (person: Person, path: string, options?: BrowserContextOptions) =>
    openAs(browser, app, person, `/login?return_to=${encodeURIComponent(path)}`, options);
  const pathOf = (page: Page) => new URL(page.url()).pathname;
  /** Leaves the browser for good. */
  async function leave(page: Page): Promise<void> {
    expect(complaintsOf(page)).toEqual([]);
    await page.context().close();
  }
  /** Signs in at the drive, and consents. */
  async function consent(page: Page, name: string): Promise<void> {
    await page.getByRole('link', { name: 'Connect my account' }).click();
    await page.getByLabel('Email').fill(`${name}@example.test`);
    await page.getByLabel('Password').fill(`${name} there`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Accept' }).click();
  }

  test('is connected by following the page, each step in another browser', async () => {
    // Step 1: the type. The address of the page keeps it.
    const first = await visit(ada, '/administration/storages/new');
    await first.getByText('Step 1 of 5.').waitFor();
    await first.getByRole('button', { name: /OneDrive or SharePoint/ }).click();
    await first.getByText('Step 2 of 5.').waitFor();
    const { pathname, search } = new URL(first.url());
    await leave(first);

    // Step 2: name and address. Each refusal stands at its field, and what is right stays.
    const second = await visit(ada, pathname + search, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await second.getByText('Step 2 of 5.').waitFor();
    await second.getByLabel('Name', { exact: true }).fill('Drawings');
    await second.getByLabel('Tenant ID').fill('not-a-tenant');
    await second.getByLabel('Drive ID').fill(drive.driveId);
    await second.getByRole('button', { name: 'Check and continue' }).click();
    await second.locator('[name=tenantId][aria-invalid=true]').waitFor();
    expect(await second.locator('[aria-invalid=true]').count()).toBe(1);
    await second.getByLabel('Tenant ID').fill(drive.tenantId);
    await second.getByRole('button', { name: 'Check and continue' }).click();

    // Step 3: ours, shown once.
    await second.getByText('Step 3 of 5.').waitFor();
    for (const label of ['Our client ID', 'Our client secret']) {
      const text = await second.getByLabel(label).first().inputValue();
      expect(text.length).toBeGreaterThan(20);
      await second.getByRole('button', { name: new RegExp(`^Copy.*${label}`) }).click();
      await second.getByRole('button', { name: new RegExp(`^Copied.*${label}`) }).waitFor();
      expect(await second.evaluate('navigator.clipboard.readText()')).toBe(text);
    }
    const secret = await second.getByLabel('Our client secret').first().inputValue();
    expect(await accessibilityOf(second)).toEqual([]);
    await leave(second);

    // Step 3 again: the secret is gone. Theirs are wrong at first.
    const third = await visit(ada, '/administration/storages');
    await third
      .getByRole('row', { name: /Drawings/ })
      .getByText('Being set up')
      .waitFor();
    await third.getByRole('link', { name: 'Drawings' }).click();
    await third.getByText('Step 3 of 5.').waitFor();
    await third.getByText('The secret was shown once.').waitFor();
    expect(await third.content()).not.toContain(secret);
    const path = pathOf(third);
    drive.setClient({ ...client, redirectUri: `${app.url}/oauth_clients/${client.id}/callback` });
    const theirs = third.getByRole('form', { name: 'Theirs, for us' });
    await theirs.getByLabel('Their client ID').fill(client.id);
    await theirs.getByLabel('Their client secret').fill('mistyped');
    await theirs.getByRole('button').click();
    await third.locator('[name=clientSecret][aria-invalid=true]').waitFor();
    await theirs.getByLabel('Their client secret').fill(client.secret);
    await theirs.getByRole('button').click();
    await third.locator('[name=clientSecret][aria-invalid=true]').waitFor({ state: 'detached' });
    await third.getByText('Step 4 of 5.').waitFor();
    await theirs.getByText(`${app.url}/oauth_clients/${client.id}/callback`).waitFor();
    expect(await third.content()).not.toContain(client.secret);
    await leave(third);

    // Step 4: the own account.
    const fourth = await visit(ada, path);
    await fourth.getByText('Step 4 of 5.').waitFor();
    await consent(fourth, 'ada');
    await fourth.getByText('Step 5 of 5.').waitFor();
    expect(pathOf(fourth)).toBe(path);
    await fourth.getByText('Your account is connected.').waitFor();
    await leave(fourth);

    // Step 5: a project. All checks are fine.
    const fifth = await visit(ada, path);
    await fifth.getByText('Step 5 of 5.').waitFor();
    await fifth.getByText('The storage accepts you.').waitFor();
    expect(await fifth.locator('.checks .bad').count()).toBe(0);
    expect(await accessibilityOf(fifth)).toEqual([]);
    await fifth.getByLabel('Find: Project').fill('quay');
    await fifth
      .getByRole('combobox', { name: 'Project', exact: true })
      .selectOption({ label: 'North quay repair' });
    await fifth.getByRole('button', { name: 'Add the project' }).click();
    await fifth.getByRole('heading', { name: 'Drawings', level: 1 }).waitFor();
    await leave(fifth);
  }, 120_000);

  test('is used by a member of the project, who connects an own account', async () => {
    const page = await visit(mia, '/projects/north-quay/storages');
    const card = page.locator('.card', { hasText: 'Drawings' });
    await card.getByText('You are not connected').waitFor();
    await consent(page, 'mia');
    await page.waitForURL(`${app.url}/projects/north-quay/storages`);
    await card.getByText('Connected', { exact: true }).waitFor();
    await leave(page);

    const list = await visit(ada, '/administration/storages');
    const row = list.getByRole('row', { name: /Drawings/ });
    await row.getByText('Fine').waitFor();
    expect(await row.innerText()).toMatch(/2 people\s+1 project/);
    await leave(list);
    // The drive checked PKCE, and all requests fit the published description.
    expect(drive.violations.filter((violation) => !violation.includes('/favicon.ico'))).toEqual([]);
  }, 60_000);
});
