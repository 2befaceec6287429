/** The pages of administrators say since when a storage does not work, and when it last did. */
import type { Browser, Page } from 'playwright-core';
import { startFileServer, type FileServer } from '../../demo/servers/file-server.js';
import { tryStorages } from '../../src/actions/operate/alerts/try-storages.js';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { Person, StorageHandle } from '../support/factories.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, isTooWide, openAs } from '../support/pages.js';

const MINUTE = 60_000;
const client = { id: 'our-client', secret: 'their-secret' };

describeBrowser('a storage that does not answer', () => {
  let app: App;
  let browser: Browser;
  let server: FileServer;
  let ada: Person;
  let storage: StorageHandle;
  let page: Page;
  beforeAll(async () => {
    [browser, server, app] = await Promise.all([
      startBrowser(),
      startFileServer(),
      startApp({ STORAGE_ALLOW_PRIVATE: 'true', STORAGE_TIMEOUT_MS: '5000' }),
    ]);
    server.setClient({ ...client, redirectUri: 'http://127.0.0.1/unused' });
    ada = await signable(app, { firstName: 'Ada', lastName: 'Moor', admin: true });
    page = await openAs(browser, app, ada, '/projects');
  }, 180_000);
  beforeEach(async () => {
    await app.running.services.db.write('storages').delete();
    server.repair();
    storage = await app.given.storage({ name: 'Boats', origin: server.url, client });
    const updated_at = new Date(Date.now() - 60 * MINUTE).toISOString();
    await app.running.services.db.write('storages').update({ updated_at });
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await server?.close();
  });

  /** The service tries the storage, as it did so many minutes ago. */
  async function tryIt(ago: number): Promise<void> {
    const { services } = app.running;
    services.clock = () => new Date(Date.now() - ago * MINUTE);
    await tryStorages(services, new AbortController().signal);
    services.clock = () => new Date();
  }
  const row = () => page.getByRole('row', { name: /Boats/ });
  const textOf = async (text: string, where = page.getByRole('main')) =>
    (await where.getByText(text).innerText()).replace(/\s+/g, ' ');

  test('says both times in the list and on its own page, until it works again', async () => {
    await tryIt(40);
    server.fault('reset');
    await tryIt(30);
    await tryIt(20);
    await page.goto('/administration/storages');
    const both = /^Failing since: (30|31) min ago\. Last worked: 4[01] min ago\.$/;
    expect(await textOf('Failing since:', row())).toMatch(both);
    await row().getByText('To do: Address').waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await isTooWide(page)).toBe(false);
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.getByRole('link', { name: 'Boats' }).click();
    expect(await textOf('Failing since:')).toMatch(both);
    expect(await accessibilityOf(page)).toEqual([]);
    server.repair();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('Failing since:').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Storages' }).first().click();
    await row().getByText('Fine').waitFor();
    expect(await row().getByText('Failing since:').count()).toBe(0);
    expect(complaintsOf(page)).toEqual([]);
  }, 60_000);

  test('says that it has never worked', async () => {
    server.fault('reset');
    await tryIt(8);
    await page.goto(`/administration/storages/${storage.id}`);
    expect(await textOf('Failing since:')).toMatch(
      /^Failing since: [89] min ago\. It has not worked yet\.$/,
    );
  }, 60_000);

  test.each([
    ['Deutsch', /^Gestört seit: vor .+ Zuletzt in Ordnung: vor .+$/],
    ['العربية', /^معطّل منذ: .+ آخر مرة كان سليمًا: .+$/],
  ])(
    'says it in the language of the reader, %s',
    async (language, sentence) => {
      await tryIt(40);
      server.fault('reset');
      await tryIt(30);
      const reader = await openAs(browser, app, ada, '/login');
      await reader.getByLabel('Signed in as Ada Moor').click();
      await reader.getByRole('button', { name: language }).click();
      await reader.goto(`/administration/storages/${storage.id}`);
      const text = await reader.locator('.setup time + time').locator('..').innerText();
      expect(text.replace(/\s+/g, ' ')).toMatch(sentence);
      await reader.context().close();
    },
    60_000,
  );
});
