/** E-mails in the pages: the choice in the account, a lost password, an invitation, the end of e-mails. */
import type { Browser, Page } from 'playwright-core';
import { PASSWORD, signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, isTooWide, openAs } from '../support/pages.js';
import { startSmtp, type Smtp } from '../support/smtp.js';

describeBrowser('e-mails', () => {
  let smtp: Smtp;
  let app: App;
  let browser: Browser;
  let mia: Person;
  beforeAll(async () => {
    smtp = await startSmtp();
    [browser, app] = await Promise.all([
      startBrowser(),
      startApp({
        SMTP_URL: smtp.url,
        MAIL_FROM: 'files@example.test',
        MAIL_DELAY_SECONDS: '0',
        BACKGROUND_WORK: 'true',
      }),
    ]);
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray', email: 'mia@example.test' });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await smtp?.stop();
  });

  const linkIn = (text: string, path: string): string => {
    const { pathname, search } = new URL(new RegExp(`http\\S+${path}\\S+`).exec(text)![0]);
    return pathname + search;
  };
  const looksRight = async (page: Page): Promise<void> => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityOf(page)).toEqual([]);
    }
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await isTooWide(page)).toBe(false);
    }
  };

  test('a person chooses when e-mails come, and stops them by the address in one', async () => {
    const page = await openAs(browser, app, mia, '/account');
    const choice = page.getByRole('group', { name: 'E-mails about new files' });
    const pressed = () => choice.getByRole('button', { pressed: true }).allTextContents();
    await choice.waitFor();
    expect(await pressed()).toEqual(['At once']);
    await choice.getByRole('button', { name: 'Once a day' }).press('Enter');
    await page.locator('.message').getByText('Your choice is saved.').waitFor();
    expect(await pressed()).toEqual(['Once a day']);
    await looksRight(page);
    await choice.getByRole('button', { name: 'At once' }).click();
    await choice.getByRole('button', { name: 'At once', pressed: true }).waitFor();

    const project = await app.given.project();
    await app.given.membership(mia, project, ['view_work_packages']);
    const kai = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
    const work = await app.given.workPackage(project, mia, 'Lay cable');
    await app.upload(work.attachments, { as: kai, fileName: 'plan.pdf' });
    const [mail] = await smtp.messages(1);
    await page.goto(linkIn(mail!.text, '/work_packages/'));
    await page.getByRole('heading', { name: 'Lay cable', level: 1 }).waitFor();

    const stranger = await (await browser.newContext({ baseURL: app.url })).newPage();
    await stranger.goto(linkIn(mail!.text, '/unsubscribe'));
    await stranger.getByText('no e-mails about notifications to mia@example.test').waitFor();
    await looksRight(stranger);
    await stranger.getByRole('button', { name: 'No more e-mails' }).click();
    await stranger
      .getByRole('heading', { name: 'There will be no more of these e-mails' })
      .waitFor();
    await looksRight(stranger);
    await stranger.context().close();
    await page.goto('/account');
    await choice.getByRole('button', { name: 'Never', pressed: true }).waitFor();
    expect(complaintsOf(page)).toEqual([]);
    await page.context().close();
  }, 60_000);

  test('who has lost a password gets a link from the sign-in page, and sets another one', async () => {
    smtp.received.length = 0;
    const page = await (await browser.newContext({ baseURL: app.url })).newPage();
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Login or e-mail address').fill('mia@example.test');
    await looksRight(page);
    await page.getByLabel('Login or e-mail address').press('Enter');
    await page.getByRole('heading', { name: 'Look into your e-mails' }).waitFor();
    await looksRight(page);
    const [mail] = await smtp.messages(1);
    await page.goto(linkIn(mail!.text, '/password'));
    await page.getByLabel('Password', { exact: true }).fill(`${PASSWORD} again`);
    await page.getByLabel('The same password again').fill(`${PASSWORD} again`);
    await page.getByRole('button', { name: 'Set the password and sign in' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto('/account');
    await page.getByText('mia@example.test').first().waitFor();
    await page.context().close();
  }, 60_000);

  test('a new person is invited, and the page says so', async () => {
    smtp.received.length = 0;
    const ada = await signable(app, { admin: true });
    const page = await openAs(browser, app, ada, '/administration/people/new');
    const form = page.getByRole('form', { name: 'New person' });
    await form.getByLabel('First name').fill('Kim');
    await form.getByLabel('Login').fill('kim');
    await form.getByLabel('E-mail').fill('kim@example.test');
    await form.getByRole('button', { name: 'Create' }).click();
    await page
      .getByText('An e-mail with an address to set a password is on its way to kim@example.test.')
      .waitFor();
    const [mail] = await smtp.messages(1);
    expect(mail!.to).toEqual(['kim@example.test']);
    await looksRight(page);
    expect(complaintsOf(page)).toEqual([]);
    await page.context().close();
  }, 60_000);
});
