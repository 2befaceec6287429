/** The page of the account: people see and end all that acts in their name. */
import type { Browser, Page } from 'playwright-core';
import { PASSWORD, signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { Visitor } from '../support/browser-visitor.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, isTooWide, openAs, PICTURE } from '../support/pages.js';

describeBrowser('the page of the account', () => {
  let app: App;
  let browser: Browser;
  let mia: Person;
  let page: Page;
  beforeAll(async () => {
    [browser, app] = await Promise.all([startBrowser(), startApp()]);
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
    page = await openAs(browser, app, mia, '/projects');
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  afterEach(() => expect(complaintsOf(page)).toEqual([]));

  const part = (name: string) => page.getByRole('region', { name, exact: true });
  const open = async () => {
    await page.goto('/account');
    await page.getByRole('heading', { name: 'My account', level: 1 }).waitFor();
  };
  const confirm = async (label: string) =>
    page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click();

  test('the own menu leads there, and each part says when it has nothing', async () => {
    await page.getByLabel('Signed in as Mia Ray').click();
    await page.getByRole('link', { name: 'My account' }).click();
    await part('Profile').getByText(mia.login).waitFor();
    await part('Applications').getByText('No application acts for you.').waitFor();
    await part('Connections to storages').getByText('You are not connected').waitFor();
    await part('Sessions').getByText('this one').waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityOf(page)).toEqual([]);
    }
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await isTooWide(page)).toBe(false);
    }
  });

  test('a new key is shown once, is copied by a button, works, and ends', async () => {
    await open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const keys = part('API keys');
    await keys.getByRole('button', { name: 'New key' }).click();
    await keys.getByLabel('Name of the key').fill('Site camera');
    await keys.getByRole('radio', { name: 'reads', exact: true }).check();
    await keys.getByLabel('When it ends').selectOption('In 30 days');
    expect(await accessibilityOf(page)).toEqual([]);
    await keys.getByRole('button', { name: 'Create the key' }).click();
    const field = keys.getByLabel('Your new key “Site camera”.');
    const value = await field.inputValue();
    await keys.getByRole('button', { name: 'Copy' }).click();
    await keys.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
    expect(await accessibilityOf(page)).toEqual([]);
    const asks = async () =>
      (
        await fetch(`${app.url}/api/v3/users/me`, {
          headers: { authorization: `Basic ${Buffer.from(`apikey:${value}`).toString('base64')}` },
        })
      ).status;
    expect(await asks()).toBe(200);

    await page.reload();
    const row = keys.getByRole('listitem').filter({ hasText: 'Site camera' });
    expect(await row.innerText()).toMatch(/reads, last used .*, ends on /);
    expect(await page.content()).not.toContain(value);
    await row.getByRole('button', { name: 'End the key “Site camera”' }).click();
    await confirm('End');
    await row.waitFor({ state: 'detached' });
    expect(await asks()).toBe(401);
  });

  test('a name that is taken is refused at its field', async () => {
    await open();
    const keys = part('API keys');
    for (const attempt of [1, 2]) {
      await keys.getByRole('button', { name: 'New key' }).click();
      await keys.getByLabel('Name of the key').fill('Export');
      await keys.getByRole('button', { name: 'Create the key' }).click();
      if (attempt === 1) await keys.getByRole('button', { name: 'I have it' }).click();
    }
    await keys.getByRole('alert').waitFor();
    const name = keys.getByLabel('Name of the key');
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await name.evaluate((one) => one === (globalThis as any).document.activeElement)).toBe(
      true,
    );
  });

  test('other sessions are ended one by one and together, and are signed out', async () => {
    const others = [new Visitor(app), new Visitor(app), new Visitor(app)];
    for (const other of others) await other.signIn(mia.login, PASSWORD);
    await open();
    const sessions = part('Sessions');
    const rows = sessions.getByRole('listitem');
    await rows.nth(3).waitFor();
    await sessions
      .getByRole('button', { name: /^End the session of/ })
      .first()
      .click();
    await page.keyboard.press('Escape');
    expect(await rows.count()).toBe(4);
    await sessions
      .getByRole('button', { name: /^End the session of/ })
      .first()
      .click();
    await confirm('End');
    await rows.nth(3).waitFor({ state: 'detached' });
    await sessions.getByRole('button', { name: 'End all others' }).click();
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(await rows.innerText()).toContain('this one');
    await page.reload();
    await page.getByRole('heading', { name: 'My account', level: 1 }).waitFor();
  });

  test('a picture is changed and removed; a file that is none is refused with the reason', async () => {
    await open();
    const profile = part('Profile');
    const choose = profile.getByLabel('Change the picture');
    await choose.setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no') });
    await profile.getByRole('alert').waitFor();
    await choose.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PICTURE });
    await profile.locator('img').waitFor();
    await page.getByRole('banner').locator('img').waitFor();
    await profile.getByRole('button', { name: 'Remove the picture' }).click();
    await profile.locator('img').waitFor({ state: 'detached' });
  });

  test('it speaks the other languages, also from right to left', async () => {
    await open();
    await part('Profile').getByRole('button', { name: 'العربية' }).click();
    await page.getByRole('heading', { name: 'حسابي' }).waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole('button', { name: 'Deutsch' }).first().click();
    await page.getByRole('heading', { name: 'Mein Konto' }).waitFor();
    await page.getByRole('button', { name: 'English' }).first().click();
  });
});
