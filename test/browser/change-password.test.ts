/** People change their password in the pages, by keyboard, on a telephone and in the dark. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PASSWORD, signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { Visitor } from '../support/browser-visitor.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, openAs } from '../support/pages.js';

const NEW = 'another harbour';

describeBrowser('a person who changes the password', () => {
  let app: App;
  let browser: Browser;
  beforeAll(async () => {
    [browser, app] = await Promise.all([startBrowser(), startApp()]);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const someone = () => signable(app, { firstName: 'Mia', lastName: 'Ray' });
  const visit = (person: Person, options?: BrowserContextOptions) =>
    openAs(browser, app, person, '/projects', options);
  const account = (page: Page) => page.getByLabel('Signed in as Mia Ray');
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Change password' });
  const boxOf = (page: Page) => page.getByRole('checkbox', { name: 'End my other sessions' });
  async function fill(page: Page, current: string, next: string, again = next): Promise<void> {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password', { exact: true }).fill(next);
    await page.getByLabel('New password again').fill(again);
  }
  const opened = async (page: Page) => {
    await account(page).click();
    await page.getByRole('button', { name: 'Change password' }).click();
    await dialogOf(page).waitFor();
  };
  const press = (page: Page) =>
    dialogOf(page).getByRole('button', { name: 'Change password' }).click();
  const focused = (page: Page) =>
    page.evaluate<string>(
      'document.activeElement.name || document.activeElement.getAttribute("aria-label")',
    );
  const signsIn = async ({ login }: Person, password: string) =>
    (await new Visitor(app).signIn(login, password)).status === 303;

  test('does it by keyboard, and all other sessions end', async () => {
    const mia = await someone();
    const other = new Visitor(app);
    await other.signIn(mia.login, PASSWORD);
    const page = await visit(mia);
    await account(page).focus();
    await page.keyboard.press('Enter');
    const named = () => page.evaluate<string>('document.activeElement.textContent');
    for (let steps = 0; (await named()) !== 'Change password'; steps += 1) {
      expect(steps).toBeLessThan(10);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await dialogOf(page).waitFor();
    expect(await focused(page)).toBe('currentPassword');
    await page.keyboard.type(PASSWORD);
    for (let field = 0; field < 2; field += 1) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(NEW);
    }
    expect(await boxOf(page).isChecked()).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByText('Your password is changed. Your other sessions have ended.').waitFor();
    expect([await dialogOf(page).count(), await focused(page)]).toEqual([
      0,
      'Signed in as Mia Ray',
    ]);
    await page.goto('/notifications');
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
    expect((await other.get('/api/v3/users/me')).status).toBe(401);
    expect([await signsIn(mia, PASSWORD), await signsIn(mia, NEW)]).toEqual([false, true]);
    expect(complaintsOf(page)).toEqual([]);
    await page.context().close();
  }, 60_000);

  test('keeps the other sessions without the box', async () => {
    const mia = await someone();
    const other = new Visitor(app);
    await other.signIn(mia.login, PASSWORD);
    const page = await visit(mia);
    await opened(page);
    await boxOf(page).uncheck();
    await fill(page, PASSWORD, NEW);
    await press(page);
    await page.getByText('Your password is changed.', { exact: true }).first().waitFor();
    expect((await other.get('/api/v3/users/me')).status).toBe(200);
    await page.context().close();
  }, 60_000);

  test('reads what is wrong at the field, and closes the form with Escape', async () => {
    const mia = await someone();
    const page = await visit(mia);
    await opened(page);
    const problem = page.getByRole('alert');
    for (const [current, next, again, text, field] of [
      ['typo', NEW, NEW, 'The current password is wrong.', 'currentPassword'],
      [
        PASSWORD,
        NEW,
        'another one',
        'The two new passwords differ. Enter the new one again.',
        'again',
      ],
      [
        PASSWORD,
        'x'.repeat(1_025),
        'x'.repeat(1_025),
        'The new password is empty or too long. Enter another one.',
        'newPassword',
      ],
    ] as const) {
      await fill(page, current, next, again);
      await press(page);
      await problem.getByText(text).or(page.getByText(text)).first().waitFor();
      expect({
        field: await focused(page),
        invalid: await page.locator(`[name=${field}]`).getAttribute('aria-invalid'),
        described: await page.evaluate(
          `document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent`,
        ),
      }).toEqual({ field, invalid: 'true', described: text });
    }
    // One wrong password has been counted already.
    for (let wrong = 0; wrong < 10; wrong += 1) {
      await fill(page, `guess ${wrong}`, NEW);
      const answer = page.waitForResponse('**/graphql');
      await press(page);
      await answer;
    }
    await page
      .getByText('There were too many wrong passwords. Wait some minutes, then try again.')
      .waitFor();
    await page.keyboard.press('Escape');
    expect([await dialogOf(page).count(), await focused(page)]).toEqual([
      0,
      'Signed in as Mia Ray',
    ]);
    await page.context().close();
  }, 60_000);

  test('is told when the service does not answer, and when the session has ended', async () => {
    const mia = await someone();
    const page = await visit(mia);
    await opened(page);
    await fill(page, PASSWORD, NEW);
    await page.context().setOffline(true);
    await press(page);
    await page
      .getByText('The service cannot be reached. Check your connection, then try again.')
      .waitFor();
    await page.context().setOffline(false);
    await app.running.services.db.write('sessions').delete().where({ user_id: mia.id });
    app.running.services.sessions.forget();
    await press(page);
    const question = page.getByRole('dialog', { name: 'You were signed out' });
    await question.getByLabel('Password').fill(PASSWORD);
    await question.getByRole('button', { name: 'Sign in', exact: true }).click();
    await question.waitFor({ state: 'detached' });
    await dialogOf(page)
      .getByText('You are no longer signed in here. Sign in, then go on.')
      .waitFor();
    expect(await signsIn(mia, PASSWORD)).toBe(true);
    await page.context().close();
  }, 60_000);

  test('without password is not offered the form', async () => {
    const mia = await someone();
    const page = await visit(mia);
    await app.running.services.db
      .write('users')
      .where({ id: mia.id })
      .update({ password_hash: null, identity: `https://id.example.test ${mia.login}` });
    app.running.services.forgetIdentities();
    await page.goto('/projects');
    await account(page).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(await page.getByRole('button', { name: 'Change password' }).count()).toBe(0);
    await page.context().close();
  }, 60_000);

  test.each([
    ['light', 320],
    ['dark', 320],
    ['light', 1_440],
    ['dark', 1_440],
  ] as const)(
    'has no fault of accessibility, %s, %s px wide',
    async (colorScheme, width) => {
      const page = await visit(await someone(), {
        colorScheme,
        viewport: { width, height: 560 },
      });
      await opened(page);
      await fill(page, 'typo', NEW);
      await press(page);
      await page.getByText('The current password is wrong.').waitFor();
      expect(await accessibilityOf(page)).toEqual([]);
      expect(
        await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        ),
      ).toBe(0);
      expect(complaintsOf(page)).toEqual([]);
      // What is lower than a small window is reached by scrolling the form.
      await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
      await page.context().close();
    },
    60_000,
  );
});
