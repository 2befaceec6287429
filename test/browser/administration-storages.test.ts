/** Administrators connect a storage by following the page, and repair what is wrong at the field that says so. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startFileServer, type FileServer } from '../../demo/servers/file-server.js';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { Visitor } from '../support/browser-visitor.js';
import { PASSWORD } from '../api/auth/support/applications.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, isTooWide, openAs } from '../support/pages.js';

/** The same machine under another host name, so browsers see another site. */
const elsewhere = (url: string) => url.replace('127.0.0.1', 'localhost');

describeBrowser('the storages of an administrator', () => {
  let app: App;
  let browser: Browser;
  let server: FileServer;
  let ada: Person;
  beforeAll(async () => {
    [browser, server, app] = await Promise.all([
      startBrowser(),
      startFileServer(),
      startApp({ BACKGROUND_WORK: 'true', STORAGE_ALLOW_PRIVATE: 'true' }),
    ]);
    ada = await signable(app, { firstName: 'Ada', lastName: 'Moor', admin: true });
    server.user('ada', { displayName: 'Ada Moor', password: 'password there' });
    server.setClient({
      id: 'client-of-ours',
      secret: 'secret-of-theirs',
      redirectUri: `${app.url}/oauth_clients/client-of-ours/callback`,
    });
    await app.given.project({ name: 'North quay repair', identifier: 'north-quay' });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await server?.close();
  });

  const visit = (path: string, options?: BrowserContextOptions) =>
    openAs(browser, app, ada, `/login?return_to=${encodeURIComponent(path)}`, options);
  const pathOf = (page: Page) => new URL(page.url()).pathname;

  test('connects one by following the page, in three browsers', async () => {
    // The first browser: what nobody has yet, type and address.
    const first = await visit('/administration', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await first.getByText('No storage yet').waitFor();
    expect(await accessibilityOf(first)).toEqual([]);
    await first.getByRole('main').getByRole('link', { name: 'Add a storage' }).first().click();
    await first.getByRole('button', { name: /Nextcloud/ }).click();
    await first.reload();
    await first.getByLabel('Name', { exact: true }).fill('Site files');
    await first.getByLabel('Address of the server').fill('https://nowhere.invalid');
    await first.getByRole('button', { name: 'Check and continue' }).click();
    const address = first.getByLabel('Address of the server');
    await first.locator('[name=origin][aria-invalid=true]').waitFor();
    expect(
      await address.evaluate((one) => one === (globalThis as any).document.activeElement),
    ).toBe(true);
    await address.fill(elsewhere(server.url));
    await first.getByRole('button', { name: 'Check and continue' }).click();
    const secret = await first.getByLabel('Our client secret').first().inputValue();
    expect(secret.length).toBeGreaterThan(20);
    await first.getByRole('button', { name: /^Copy.*Our client secret/ }).click();
    await first.getByRole('button', { name: /^Copied.*Our client secret/ }).waitFor();
    expect(await first.evaluate('navigator.clipboard.readText()')).toBe(secret);
    expect(await accessibilityOf(first)).toEqual([]);
    expect(
      await first.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])',
      ),
    ).not.toContain(secret);
    await first.getByRole('button', { name: 'Both are copied, continue' }).click();
    await first.getByText('The secret was shown once.').waitFor();
    expect(await first.content()).not.toContain(secret);
    const path = pathOf(first);
    expect(path).toMatch(/^\/administration\/storages\/\d+$/);
    expect(complaintsOf(first)).toEqual([]);
    await first.context().close();

    // The second browser: their id and secret.
    const second = await visit('/administration');
    await second.getByText('Being set up').waitFor();
    await second.getByRole('link', { name: 'Site files' }).click();
    await second.getByText('Step 3 of 5.').waitFor();
    await second.getByText('There are no client credentials.').first().waitFor();
    await second.getByLabel('Their client ID').fill('client-of-ours');
    await second.getByLabel('Their client secret').fill('secret-of-theirs');
    await second.getByRole('form', { name: 'Theirs, for us' }).getByRole('button').click();
    await second.getByText('Step 4 of 5.').waitFor();
    expect(await accessibilityOf(second)).toEqual([]);
    await second.context().close();

    // The third browser: the own account, and a project.
    const third = await visit(path);
    await third.getByRole('link', { name: 'Connect my account' }).click();
    await third.getByLabel('Account name').fill('ada');
    await third.getByLabel('Password').fill('password there');
    await third.getByRole('button', { name: 'Log in' }).click();
    await third.getByRole('button', { name: 'Grant access' }).click();
    await third.getByText('Step 5 of 5.').waitFor();
    expect(pathOf(third)).toBe(path);
    await third.getByText('Your account is connected.').waitFor();
    await third.getByLabel('Find: Project').fill('quay');
    await third
      .getByRole('combobox', { name: 'Project', exact: true })
      .selectOption({ label: 'North quay repair' });
    await third.getByRole('button', { name: 'Add the project' }).click();
    await third
      .getByRole('table', { name: 'Projects' })
      .getByRole('link', { name: 'North quay repair' })
      .waitFor();
    await third.getByRole('heading', { name: 'Site files', level: 1 }).waitFor();
    expect(complaintsOf(third)).toEqual([]);
    await third.goto('/administration/storages');
    const row = third.getByRole('row', { name: /Site files/ });
    await row.getByText('Fine').waitFor();
    expect(await row.innerText()).toMatch(/1 person\s+1 project/);
    await third.context().close();
  }, 120_000);

  test.each([
    ['light', 320],
    ['dark', 320],
    ['dark', 1_440],
  ] as const)(
    'has no fault of accessibility, %s, %s px wide',
    async (colorScheme, width) => {
      const page = await visit('/administration/storages', {
        colorScheme,
        viewport: { width, height: 800 },
      });
      await page.getByText('Fine').waitFor();
      expect([await accessibilityOf(page), await isTooWide(page)]).toEqual([[], false]);
      await page.getByRole('link', { name: 'Site files' }).click();
      await page.getByText('The storage accepts you.').waitFor();
      expect([await accessibilityOf(page), await isTooWide(page)]).toEqual([[], false]);
      expect(complaintsOf(page)).toEqual([]);
      await page.context().close();
    },
    60_000,
  );

  test('is hidden from everybody else: no link, no page, no data', async () => {
    const bob = await signable(app, { firstName: 'Bob', lastName: 'Reed' });
    const page = await openAs(browser, app, bob, '/projects');
    await page.getByRole('link', { name: 'Projects' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.postData() ?? request.url()));
    const visitor = new Visitor(app);
    const pages = ['', '/storages', '/storages/new', '/storages/1', '/people', '/people/new'];
    const more = ['/people/1', '/projects/new', '/roles/1', '/webhooks', '/audit', '/quarantine'];
    const last = ['/applications', '/applications/new', '/system', '/usage'];
    for (const path of [...pages, ...more, ...last]) {
      const address = `/administration${path}`;
      expect((await page.goto(address))?.status()).toBe(404);
      await page.getByText('There is nothing at this address').waitFor();
      expect((await visitor.get(address)).location).toBe(
        `/login?return_to=${encodeURIComponent(address)}`,
      );
    }
    expect(asked.filter((text) => /Administered|\/administration-/.test(text))).toEqual([]);
    await visitor.signIn(bob.login, PASSWORD);
    expect((await visitor.get('/administration/audit.ndjson')).status).toBe(403);
    await page.context().close();
  }, 60_000);
});
