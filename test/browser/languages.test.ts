/** The pages in other languages: chosen by the browser or by the person, and from right to left. */
import type { Browser, Page } from 'playwright-core';
import { PASSWORD, signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, isTooWide, openAs } from '../support/pages.js';

const RIGHTS = ['view_work_packages', 'edit_work_packages', 'add_work_package_attachments'];
const WIDTHS = [390, 1440, 2560];

describeBrowser('the languages of the pages', () => {
  let app: App;
  let browser: Browser;
  let mia: Person;
  let wall: ContainerHandle;

  beforeAll(async () => {
    [browser, app] = await Promise.all([startBrowser(), startApp()]);
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
    const quay = await app.given.project({ name: 'Quay', identifier: 'quay' });
    await app.given.membership(mia, quay, RIGHTS);
    wall = await app.given.workPackage(quay, mia, 'Repair the wall');
    await app.given.attachment({ container: wall, author: mia, fileName: 'تقرير.docx' });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const open = async (locale: string, path: string): Promise<Page> => {
    const context = await browser.newContext({ baseURL: app.url, locale });
    const page = await context.newPage();
    await page.goto(path);
    return page;
  };
  const written = (page: Page) =>
    page.evaluate<string[]>(
      '[document.documentElement.lang, getComputedStyle(document.body).direction]',
    );
  const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText();

  test.each([
    ['en-GB', ['en', 'ltr'], 'Sign in'],
    ['de-AT', ['de', 'ltr'], 'Anmelden'],
    ['ar-EG', ['ar', 'rtl'], 'تسجيل الدخول'],
    // Nobody has written this one.
    ['fi-FI', ['en', 'ltr'], 'Sign in'],
  ])('a browser in %s gets the sign-in page in its language', async (locale, direction, title) => {
    const page = await open(locale, '/login');
    expect([await written(page), await heading(page)]).toEqual([direction, title]);
    expect(await accessibilityOf(page)).toEqual([]);
    await page.context().close();
  });

  test('a wrong password and a wrong address are told in German', async () => {
    const page = await open('de-DE', '/login');
    await page.getByLabel('Anmeldename').fill(mia.login);
    await page.getByLabel('Passwort').fill('wrong');
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    expect(await page.getByRole('alert').innerText()).toBe('Anmeldename oder Passwort ist falsch.');
    await page.goto('/nothing/here');
    await page.getByRole('heading', { name: 'Unter dieser Adresse gibt es nichts' }).waitFor();
    expect(await written(page)).toEqual(['de', 'ltr']);
    await page.context().close();
  });

  test('the language that is chosen on the sign-in page stays after it, and beats the browser', async () => {
    const page = await open('en-GB', '/login?return_to=%2Fprojects');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    expect(new URL(page.url()).search).toBe('?return_to=%2Fprojects');
    await page.getByLabel('Anmeldename').fill(mia.login);
    await page.getByLabel('Passwort').fill(PASSWORD);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Projekte' }).waitFor();
    expect(await written(page)).toEqual(['de', 'ltr']);
    await page.context().close();
  });

  test('a language that nobody speaks is refused, and nothing is remembered', async () => {
    const page = await open('de-DE', '/login');
    const answer = await page.request.post('/login/language', {
      headers: {
        'accept-language': 'de',
        accept: 'text/html',
        origin: app.url,
        'sec-fetch-site': 'same-origin',
      },
      form: { language: 'tlh' },
    });
    expect([answer.status(), await answer.text()]).toEqual([
      400,
      expect.stringContaining('Das hat nicht geklappt'),
    ]);
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual([]);
    await page.context().close();
  });

  test('the person chooses a language in the menu, and what the page knows stays', async () => {
    const page = await openAs(browser, app, mia, `/login?return_to=%2Fwp%2F${wall.id}`);
    await page.getByRole('heading', { name: 'Repair the wall' }).waitFor();
    await page.getByLabel('Signed in as Mia Ray').click();
    await page.getByRole('button', { name: 'العربية' }).click();
    await page.getByRole('heading', { name: 'المرفقات' }).first().waitFor();
    expect(await written(page)).toEqual(['ar', 'rtl']);
    expect(await page.getByRole('heading', { name: 'Repair the wall' }).isVisible()).toBe(true);
    await page.reload();
    await page.getByRole('heading', { name: 'المرفقات' }).first().waitFor();
    expect(complaintsOf(page)).toEqual([]);
    await page.context().close();
  });

  test.each(['light', 'dark'] as const)(
    'pages in German and Arabic fit, and have nothing that axe finds, in the %s scheme',
    async (colorScheme) => {
      const found: string[] = [];
      for (const [language, signIn] of [
        ['de', 'Deutsch'],
        ['ar', 'العربية'],
      ] as const) {
        const page = await openAs(browser, app, mia, '/login', { colorScheme });
        await page.getByLabel('Signed in as Mia Ray').click();
        await page.getByRole('button', { name: signIn }).click();
        for (const path of ['/', '/search?q=wall', '/projects/quay', '/recent', `/wp/${wall.id}`])
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 900 });
            await page.goto(path);
            await page.getByRole('heading', { level: 1 }).waitFor();
            await page.locator('main .turning').first().waitFor({ state: 'detached' });
            const where = `${language} ${path} at ${width}`;
            if (await isTooWide(page)) found.push(`${where}: too wide`);
            found.push(...(await accessibilityOf(page)).map((one) => `${where}: ${one}`));
          }
        await page.context().close();
      }
      expect(found).toEqual([]);
    },
    240_000,
  );
});
