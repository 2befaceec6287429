/** The address of a storage is checked while an administrator types it. */
import type { Browser, Page } from 'playwright-core';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, openAs } from '../support/pages.js';

describeBrowser('an address that is being typed', () => {
  let app: App;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [browser, app] = await Promise.all([startBrowser(), startApp()]);
    const ada = await signable(app, { firstName: 'Ada', lastName: 'Moor', admin: true });
    page = await openAs(browser, app, ada, '/projects');
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const FINE = 'The form is right. The service checks it when you send it.';
  const DRIVE_ID = 'b!k-shared-drive-of-the-quay';

  test.each([
    ['SELF_HOSTED_FILE_SERVER', 'Address of the server', 'files.exa', 'It begins with https://.'],
    ['SELF_HOSTED_FILE_SERVER', 'Address of the server', '???', 'This is not an address yet.'],
    ['SELF_HOSTED_FILE_SERVER', 'Address of the server', 'http://files.example.org', /^It must/],
    ['SELF_HOSTED_FILE_SERVER', 'Address of the server', 'http://localhost:8090', FINE],
    ['SELF_HOSTED_FILE_SERVER', 'Address of the server', 'https://a:b@files.org', /^Leave out the/],
    [
      'SELF_HOSTED_FILE_SERVER',
      'Address of the server',
      'https://files.org/?a=1',
      /^Leave out what/,
    ],
    ['SELF_HOSTED_FILE_SERVER', 'Address of the server', ' https://files.org/cloud ', FINE],
    ['CLOUD_DRIVE', 'Tenant ID', '11111111-2222', /^This is not a tenant ID yet/],
    ['CLOUD_DRIVE', 'Tenant ID', '11111111-2222-3333-4444-555555555555', FINE],
    ['CLOUD_DRIVE', 'Tenant ID', 'consumers', FINE],
    ['CLOUD_DRIVE', 'Drive ID', DRIVE_ID.slice(0, 16), /^This is not a drive ID yet/],
    ['CLOUD_DRIVE', 'Drive ID', DRIVE_ID, FINE],
  ])('%s, %s: %s', async (type, label, text, words) => {
    await page.goto(`/administration/storages/new?type=${type}`);
    const field = page.getByLabel(label, { exact: true });
    await field.fill(text);
    // The words stand where a screen reader hears them politely.
    const status = page.getByRole('main').getByRole('status').filter({ hasText: words });
    await status.waitFor();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(0);
  });

  test('asks the service nothing, and leaves the focus and the text alone', async () => {
    await page.goto('/administration/storages/new?type=SELF_HOSTED_FILE_SERVER');
    const field = page.getByLabel('Address of the server');
    await field.waitFor();
    const status = page.getByRole('main').getByRole('status');
    expect(await status.allInnerTexts()).toEqual(['']);
    const asked: string[] = [];
    const note = (request: { postData(): string | null; url(): string }) =>
      void asked.push(request.postData() ?? request.url());
    page.on('request', note);
    await field.pressSequentially('http://files.example.org');
    await status.getByText('It must begin with https://').waitFor();
    // One letter goes in the middle: the caret stays where it was.
    await field.press('Home');
    for (let at = 0; at < 4; at += 1) await field.press('ArrowRight');
    await field.press('s');
    await status.getByText(FINE).waitFor();
    await field.press('t');
    await status.getByText('It must begin with https://').waitFor();
    await field.press('Backspace');
    await status.getByText(FINE).waitFor();
    expect(await field.inputValue()).toBe('https://files.example.org');
    expect(await field.evaluate((one) => one === (globalThis as any).document.activeElement)).toBe(
      true,
    );
    page.off('request', note);
    expect(asked).toEqual([]);
    expect(await accessibilityOf(page)).toEqual([]);

    await field.fill('');
    await status.getByText(FINE).waitFor({ state: 'detached' });
    expect(complaintsOf(page)).toEqual([]);
  }, 60_000);

  test('has words for what the service refuses afterwards', async () => {
    await page.goto('/administration/storages/new?type=SELF_HOSTED_FILE_SERVER');
    const field = page.getByLabel('Address of the server');
    await page.getByLabel('Name', { exact: true }).fill('Site files');
    await field.fill('https://nowhere.invalid');
    await page.getByRole('status').getByText(FINE).waitFor();
    await page.getByRole('button', { name: 'Check and continue' }).click();
    await page.locator('[name=origin][aria-invalid=true]').waitFor();
  }, 60_000);
});
