/** Administrators import a directory file on its page. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PASSWORD, signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { Person } from '../support/factories.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '../support/jest.js';
import {
  accessibilityOf,
  complaintsOf,
  drop,
  hasFocus,
  isTooWide,
  openAs,
} from '../support/pages.js';

const plain = (text: string): string =>
  text
    .replace(/[\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const person = (login: string, members: object = {}) => ({
  login,
  firstName: 'P',
  lastName: login,
  ...members,
});
/** Every 33rd one has no first name. */
const peopleWithMistakes = {
  users: Array.from({ length: 10_000 }, (_, index) =>
    person(`p${index}`, index % 33 === 0 && index < 9_900 ? { firstName: '' } : {}),
  ),
};

describeBrowser('the import of a directory file', () => {
  let app: App;
  let browser: Browser;
  let ada: Person;
  let folder: string;
  let page: Page;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'moorage-import-'));
    [browser, app] = await Promise.all([startBrowser(), startApp()]);
    ada = await signable(app, { firstName: 'Ada', lastName: 'Moor', admin: true });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    await page?.context().close();
  });

  const visit = async (options?: BrowserContextOptions): Promise<void> => {
    page = await openAs(
      browser,
      app,
      ada,
      `/login?return_to=${encodeURIComponent('/administration/import')}`,
      options,
    );
    await page.locator('input[type=file]').waitFor({ state: 'attached' });
  };
  /** Writes a file on the disk, as a person has it. */
  function write(name: string, content: object | string): string {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }
  const choose = (name: string, content: object | string) =>
    page.getByLabel('Choose a file').setInputFiles(write(name, content));
  const heading = (text: string | RegExp) => page.getByRole('heading', { level: 2, name: text });
  const figures = async () => plain(await page.locator('.figures').innerText());
  const refusal = async (text: string) => {
    await page.getByRole('alert').getByText(text).waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
  };
  const importButton = () => page.getByRole('button', { name: 'Import', exact: true });
  const logins = async (): Promise<string[]> =>
    (await app.running.services.db.read('users').select('login')).map(({ login }) => login);

  test('a file is checked, and imported when somebody says so, by keyboard', async () => {
    await visit();
    await page.goto('/administration');
    const link = page.getByRole('link', { name: 'Import' });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor();
    expect([await accessibilityOf(page), await isTooWide(page)]).toEqual([[], false]);
    const chooser = page.waitForEvent('filechooser');
    await page.getByLabel('Choose a file').focus();
    await page.keyboard.press('Space');
    const file = write('quay.json', {
      roles: [{ name: 'Reader', permissions: ['view_work_packages'] }],
      users: [person('kim'), person('lee')],
      projects: [
        { identifier: 'quay', name: 'Quay', memberships: [{ user: 'kim', roles: ['Reader'] }] },
      ],
    });
    await (await chooser).setFiles(file);
    const report = heading('quay.json can be imported');
    await report.waitFor();
    expect(await hasFocus(report)).toBe(true);
    expect(await figures()).toBe('Will be added 5 Will be changed 0 Will end 0');
    const region = page.getByRole('region', { name: 'quay.json can be imported' });
    expect((await region.getByRole('listitem').allInnerTexts()).map(plain)).toEqual([
      'Roles Reader 1',
      'People kim, lee 2',
      'Projects quay 1',
      'Memberships 1',
    ]);
    expect([await accessibilityOf(page), await isTooWide(page)]).toEqual([[], false]);
    expect(await logins()).not.toContain('kim');
    await page.keyboard.press('Tab');
    expect(await hasFocus(importButton())).toBe(true);
    await page.keyboard.press('Enter');
    const done = heading('quay.json is imported');
    await done.waitFor();
    expect(await hasFocus(done)).toBe(true);
    expect(await figures()).toBe('Added 5 Changed 0 Ended 0');
    expect([await importButton().count(), await accessibilityOf(page)]).toEqual([0, []]);
    expect(await logins()).toEqual(expect.arrayContaining(['kim', 'lee']));
    await page.getByLabel('Choose a file').setInputFiles(file);
    await heading('quay.json changes nothing').waitFor();
    await page.getByText('All that it names is here already.').waitFor();
    expect(await importButton().count()).toBe(0);
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('table').getByText('Directory imported').waitFor();
    expect(complaintsOf(page)).toEqual([]);
  }, 60_000);

  test('what changes and what ends is told apart, and a file can be dropped', async () => {
    await app.given.user({ login: 'ned', firstName: 'Ned', lastName: 'N' });
    await app.given.user({ login: 'ola', firstName: 'Ola', lastName: 'O' });
    await visit();
    const content = JSON.stringify({
      users: [person('ned', { status: 'locked' }), person('ola')],
    });
    await drop(page, [
      { name: 'a.json', type: 'application/json', content },
      { name: 'b.json', type: 'application/json', content },
    ]);
    await page.locator('.message').getByText('Choose a single file.').waitFor();
    await drop(page, [{ name: 'people.json', type: 'application/json', content }]);
    await heading('people.json can be imported').waitFor();
    expect(await figures()).toBe('Will be added 0 Will be changed 2 Will end 1');
    await page.getByText('People are locked, and members leave projects.').waitFor();
    await importButton().click();
    await heading('people.json is imported').waitFor();
    expect(await figures()).toBe('Added 0 Changed 2 Ended 1');
    const [ned] = await app.running.services.db.read('users').where({ login: 'ned' });
    expect(ned.status).toBe('locked');
    expect(complaintsOf(page)).toEqual([]);
  }, 60_000);

  test('ten thousand rows with three hundred bad ones: each has its place, and nothing is imported', async () => {
    await visit();
    const before = await logins();
    await choose('people.json', peopleWithMistakes);
    const report = heading('300 mistakes in people.json');
    await report.waitFor();
    expect(await hasFocus(report)).toBe(true);
    await page.getByText('Nothing is imported. Repair the file, then choose it again.').waitFor();
    const group = page.getByRole('listitem').filter({ hasText: '300 times' });
    expect(plain(await group.innerText())).toMatch(
      / users\[0\]\.firstName, users\[33\]\.firstName, users\[66\]\.firstName …$/,
    );
    const rows = page.getByRole('table', { name: 'All mistakes' }).locator('tbody tr');
    expect(await rows.count()).toBe(100);
    expect([await accessibilityOf(page), await isTooWide(page)]).toEqual([[], false]);
    await page.getByRole('button', { name: 'Show all 300' }).click();
    expect(await rows.count()).toBe(300);
    expect(plain(await rows.last().innerText())).toMatch(/^users\[9867\]\.firstName /);
    const [list] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the list' }).click(),
    ]);
    expect(list.suggestedFilename()).toBe('people.json.mistakes.txt');
    const lines = readFileSync(await list.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect([lines.length, lines[1]]).toEqual([
      300,
      expect.stringMatching(/^users\[33\]\.firstName: \S/),
    ]);
    expect([await importButton().count(), await logins()]).toEqual([0, before]);
    await choose('people.json', { users: peopleWithMistakes.users.slice(1, 33) });
    await heading('people.json can be imported').waitFor();
    expect(await figures()).toBe('Will be added 32 Will be changed 0 Will end 0');
    expect(complaintsOf(page)).toEqual([]);
  }, 90_000);

  test('more mistakes than are listed say so, and a file that is no JSON is one mistake', async () => {
    await visit();
    await choose('many.json', {
      users: Array.from({ length: 1_200 }, (_, index) => person(`m${index}`, { firstName: '' })),
    });
    await heading('1,200 mistakes in many.json').waitFor();
    await page.getByText('The first 1,000 of 1,200 are listed.').waitFor();
    await choose('notes.json', 'Dear Ada, {"users": [');
    await heading('1 mistake in notes.json').waitFor();
    const row = page.getByRole('table', { name: 'All mistakes' }).locator('tbody tr');
    expect(plain(await row.innerText())).toMatch(/^The whole file \S/);
    await choose('empty.json', '');
    await heading('1 mistake in empty.json').waitFor();
    expect([await accessibilityOf(page), complaintsOf(page)]).toEqual([[], []]);
  }, 60_000);

  test('each refusal has words: the size, the passwords, the last administrator', async () => {
    await visit();
    await choose('large.json', ' '.repeat(17 * 1024 * 1024));
    await refusal('File is too large (maximum size is 16777216 Bytes).');
    const password = 'a very long password';
    await choose('secrets.json', {
      users: Array.from({ length: 101 }, (_, index) => person(`s${index}`, { password })),
    });
    await refusal('The file has too many passwords (maximum is 100).');
    await choose('lock.json', { users: [person(ada.login, { status: 'locked' })] });
    await refusal('There must be an administrator who is not locked.');
    expect([await importButton().count(), complaintsOf(page)]).toEqual([0, []]);
  }, 60_000);

  test('a file that changes after the check is not imported', async () => {
    await visit();
    await choose('late.json', { users: [person('late')] });
    await heading('late.json can be imported').waitFor();
    write('late.json', { users: [person('late'), person('later')] });
    await importButton().click();
    await refusal('The file cannot be read. If it has changed since, choose it again.');
    expect(await logins()).not.toContain('late');
  }, 60_000);

  test('without an answer, the page says what is known, and checks again', async () => {
    await visit();
    await page.route('**/graphql', (route) => route.abort());
    await choose('tide.json', { users: [person('tide')] });
    await refusal('The service cannot be reached.');
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Check it again' }).click();
    await heading('tide.json can be imported').waitFor();
    // The service gets the file, and its answer is lost.
    const network = await page.context().newCDPSession(page);
    network.on('Fetch.requestPaused', ({ requestId }) => {
      void network.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' });
    });
    const patterns = [{ urlPattern: '*/graphql', requestStage: 'Response' as const }];
    await network.send('Fetch.enable', { patterns });
    await importButton().click();
    await refusal('No answer came. The file may be imported.');
    await network.detach();
    await page.getByRole('button', { name: 'Check it again' }).click();
    await heading('tide.json changes nothing').waitFor();
  }, 60_000);

  test('an import goes on when the person leaves the page, and tells when it is done', async () => {
    await visit();
    await choose('away.json', { users: [person('away')] });
    await heading('away.json can be imported').waitFor();
    let goOn: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => (goOn = resolve));
    await page.route('**/graphql', async (route) => {
      if (route.request().headers()['content-type']?.startsWith('multipart/')) await waits;
      await route.continue();
    });
    await importButton().click();
    await page.getByText('It goes on if you leave this page.').waitFor();
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await page.getByRole('table', { name: 'People' }).waitFor();
    goOn();
    await page.locator('.message').getByText('away.json is imported').waitFor();
    await page.getByRole('table', { name: 'People' }).getByText('away', { exact: true }).waitFor();
    expect(complaintsOf(page)).toEqual([]);
  }, 60_000);

  test('who is signed out meanwhile signs in and goes on', async () => {
    await visit();
    await page.context().clearCookies({ name: 'moorage_session' });
    await choose('out.json', { users: [person('out')] });
    const dialog = page.getByRole('dialog', { name: 'You were signed out' });
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('alert').getByText('You are no longer signed in here.').waitFor();
    await page.getByRole('button', { name: 'Check it again' }).click();
    await heading('out.json can be imported').waitFor();
  }, 60_000);

  test.each([
    ['light', 360, 'de'],
    ['dark', 1_440, 'ar'],
    ['dark', 360, 'ar'],
  ] as const)(
    'the page has no fault of accessibility, %s, %s px wide, in the language %s',
    async (colorScheme, width, language) => {
      await visit({ colorScheme, viewport: { width, height: 800 } });
      await page
        .context()
        .addCookies([{ name: 'moorage_language', value: language, url: app.url }]);
      await page.reload();
      const file = page.locator('input[type=file]');
      await file.waitFor({ state: 'attached' });
      const checked = async () => [await accessibilityOf(page), await isTooWide(page)];
      expect(await checked()).toEqual([[], false]);
      const long = 'eine-datei-mit-einem-wirklich-langen-namen-ohne-leerzeichen-2026.json';
      for (const content of [
        peopleWithMistakes,
        { users: [person('kim', { status: 'locked' }), ...peopleWithMistakes.users.slice(1, 33)] },
      ]) {
        await file.setInputFiles(write(long, content));
        await page.locator('.import-report h2').waitFor();
        await page.locator('.turning').waitFor({ state: 'detached' });
        expect(await checked()).toEqual([[], false]);
      }
      expect(complaintsOf(page)).toEqual([]);
    },
    90_000,
  );
});
