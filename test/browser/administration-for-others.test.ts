/** Somebody who is no administrator finds no page, no link and no script of the administration. */
import type { Browser, Page } from 'playwright-core';
import { signedInAddresses } from '../../src/pages/application-addresses.js';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { openAs } from '../support/pages.js';

const addresses = signedInAddresses
  .filter(({ names }) => names === 'Administration')
  .map(({ path }) => path.replace(':id', '1'));

describeBrowser('the administration for others', () => {
  let app: App;
  let browser: Browser;
  let member: Person;
  let ada: Person;
  beforeAll(async () => {
    [browser, app] = await Promise.all([startBrowser(), startApp()]);
    ada = await signable(app, { admin: true });
    member = await signable(app);
    await app.given.membership(member, await app.given.project(), ['view_work_packages']);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  /** The scripts of the administration that a page has asked for. */
  function scriptsOf(page: Page): string[] {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/administration-[^/]*\.js$/.test(request.url())) asked.push(request.url());
    });
    return asked;
  }
  const links = (page: Page) => page.locator('a[href^="/administration"]').count();

  test('a member finds nothing at any address of the administration', async () => {
    const page = await openAs(browser, app, member, '/login');
    const asked = scriptsOf(page);
    await page.goto('/');
    await page.getByRole('link', { name: 'My files' }).first().waitFor();
    expect(await links(page)).toBe(0);
    for (const path of addresses) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
      expect([path, await links(page)]).toEqual([path, 0]);
    }
    expect(asked).toEqual([]);
    await page.context().close();
  }, 120_000);

  test('an administrator finds the link, and the script is loaded', async () => {
    const page = await openAs(browser, app, ada, '/login');
    const asked = scriptsOf(page);
    await page.goto('/');
    await page.getByRole('link', { name: 'Administration' }).first().click();
    await page.getByRole('heading', { name: 'Storages', level: 1 }).waitFor();
    expect(asked).toHaveLength(1);
    await page.context().close();
  }, 60_000);
});
