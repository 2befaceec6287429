/** What a list of files shows that was not there at the first look: further pages, news, and missed changes. */
import type { Browser, Page } from 'playwright-core';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, expect, test } from '../support/jest.js';
import { complaintsOf, openAs } from '../support/pages.js';

const RIGHTS = ['view_work_packages', 'edit_work_packages', 'add_work_package_attachments'];

describeBrowser('lists of files that are not read at once', () => {
  let app: App;
  let browser: Browser;
  let mia: Person;
  let rob: Person;
  let page: Page;
  let project: { id: number };
  const tile = (name: string) => page.locator('.file').getByRole('button', { name, exact: true });

  beforeAll(async () => {
    browser = await startBrowser();
    app = await startApp({ BACKGROUND_WORK: 'true' });
    project = await app.given.project();
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
    rob = await app.given.user({ firstName: 'Rob', lastName: 'Ott' });
    for (const one of [mia, rob]) await app.given.membership(one, project, RIGHTS);
    page = await openAs(browser, app, mia, '/projects');
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  afterEach(() => expect(complaintsOf(page)).toEqual([]));

  test('all files of a long list can be selected, up to 1,000', async () => {
    const many = await app.given.workPackage(project, mia, 'Many sheets');
    const add = async (count: number) => {
      for (let number = 0; number < count; number += 1) {
        const fileName = `sheet ${number}.txt`;
        await app.given.attachment({ container: many, author: mia, fileName, blob: false });
      }
    };
    await add(1_000);
    const open = async () => {
      await page.goto(`/work_packages/${many.id}`);
      await page.getByRole('radio', { name: 'List' }).check();
      await page.getByRole('checkbox', { name: 'Select all' }).check();
    };
    const bar = (name: string) => page.getByRole('group', { name, exact: true });
    await open();
    await bar('100 selected').waitFor();
    await page.getByRole('button', { name: 'Select all 1,000' }).click();
    await bar('1,000 selected').waitFor();
    await add(1);
    await open();
    await bar('100 selected').getByText('These are the 100 that are shown, of 1,001').waitFor();
    expect(await page.getByRole('button', { name: /^Select all/ }).count()).toBe(0);
  });

  test('the files that a notification tells of are outlined behind its link', async () => {
    const wall = await app.given.workPackage(project, mia, 'Quay wall');
    const old = { container: wall, author: rob, fileName: 'old.txt', content: 'old' };
    await app.given.attachment(old);
    await app.upload(wall.attachments, { as: rob, fileName: 'survey.txt' });
    await page.goto('/notifications');
    // The first visit of this page: only the notification tells what is new.
    await page.locator('main').getByRole('link', { name: 'Quay wall' }).click();
    await tile('survey.txt').waitFor();
    const news = page.locator('.file').filter({ has: page.getByText('New', { exact: true }) });
    await news.waitFor();
    expect(await news.locator('.open-file').innerText()).toContain('survey.txt');
  });

  test('a file that comes between the first look and the first message is shown', async () => {
    const gap = await app.given.workPackage(project, mia, 'Gap');
    let letStart = (): void => undefined;
    const started = new Promise<void>((resolve) => (letStart = resolve));
    await page.route('**/graphql/stream', async (route) => {
      await started;
      await route.continue();
    });
    await page.goto(`/work_packages/${gap.id}`);
    await page.getByText('No attachments yet').waitFor();
    await app.upload(gap.attachments, { as: rob, fileName: 'between.txt' });
    letStart();
    await tile('between.txt').waitFor();
    await page.unroute('**/graphql/stream');
  });
});
