/** Files of folders, and the question about a name that is taken: both files are shown. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '../support/jest.js';
import {
  accessibilityOf,
  answerSameName,
  complaintsOf,
  drop,
  isTooWide,
  keepTrayOpen,
  openAs,
} from '../support/pages.js';

const RIGHTS = ['view_work_packages', 'edit_work_packages', 'add_work_package_attachments'];

describeBrowser('names that are taken', () => {
  let app: App;
  let browser: Browser;
  let project: { id: number };
  let mia: Person;
  let page: Page;
  let here: ContainerHandle;

  beforeAll(async () => {
    browser = await startBrowser();
    app = await startApp({ BACKGROUND_WORK: 'true' });
    project = await app.given.project({ name: 'North quay repair' });
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
    await app.given.membership(mia, project, RIGHTS);
    page = await openAs(browser, app, mia, '/projects');
    await keepTrayOpen(page);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  beforeEach(async () => {
    here = await app.given.workPackage(project, mia, 'Repair the quay wall');
    for (const fileName of ['a.txt', 'b.txt', 'c.txt'])
      await app.given.attachment({ container: here, author: mia, fileName, content: 'old' });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/work_packages/${here.id}`);
    await page.locator('.file').nth(2).waitFor();
  });
  afterEach(() => expect(complaintsOf(page)).toEqual([]));

  const textFile = (name: string, content = 'new content') => ({
    name,
    type: 'text/plain',
    content,
  });
  const dialog = (name: string) => page.getByRole('dialog', { name: `“${name}” is here already` });
  const stored = async (): Promise<[string, number, string][]> => {
    const { body } = await app.get(here.attachments, mia);
    return body._embedded.elements
      .map((one: any) => [one.fileName, one.fileSize, one.description.raw])
      .sort();
  };
  /** Chooses a folder `site` with these paths below it. */
  async function chooseFolder(...paths: string[]): Promise<void> {
    const folder = join(mkdtempSync(join(app.folder, 'chosen ')), 'site');
    for (const path of paths) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), `text of ${path}`);
    }
    await page.locator('main input[webkitdirectory]').setInputFiles(folder);
  }

  test('old and new are side by side, with size, time and person', async () => {
    await drop(page, [textFile('a.txt')]);
    const question = dialog('a.txt');
    const old = question.getByRole('region', { name: 'Here now' });
    await old.getByText(/^3 byte/).waitFor();
    await old.getByText(/^Added .* by Mia Ray$/).waitFor();
    const fresh = question.getByRole('region', { name: 'New, from your computer' });
    await fresh.getByText(/^11 byte/).waitFor();
    await fresh.getByText(/^Changed /).waitFor();
    expect(await question.getByRole('checkbox').count()).toBe(0);
    // Enter alone loses nothing.
    expect(await question.getByRole('radio', { name: 'Keep both' }).isChecked()).toBe(true);
    await page.keyboard.press('Enter');
    await page.locator('.file [title="a (2).txt"]').waitFor();
    expect((await stored()).map(([name]) => name)).toEqual([
      'a (2).txt',
      'a.txt',
      'b.txt',
      'c.txt',
    ]);
  });

  test('three names at once: the number counts the one in question', async () => {
    await drop(
      page,
      ['a.txt', 'b.txt', 'c.txt', 'd.txt'].map((name) => textFile(name)),
    );
    await dialog('a.txt').getByText('1 of 3 names that are taken').waitFor();
    await answerSameName(page, 'Skip');
    await dialog('b.txt').getByText('2 of 3 names that are taken').waitFor();
    await answerSameName(page, 'Replace', 2);
    await page.getByText('All done').waitFor();
    await page.locator('.file [title="d.txt"]').waitFor();
    expect(await stored()).toEqual([
      ['a.txt', 3, ''],
      ['b.txt', 11, ''],
      ['c.txt', 11, ''],
      ['d.txt', 11, ''],
    ]);
  });

  test('files of a folder show their paths, and keep them as descriptions', async () => {
    await chooseFolder('plan.txt', 'deep/b.txt', '.DS_Store', 'deep/Thumbs.db', 'desktop.ini');
    await page.getByText('3 files of the system were left out.').waitFor();
    const question = dialog('site/deep/b.txt');
    await question.waitFor();
    await answerSameName(page, 'Keep both');
    await page.locator('.tray-line [title="site/plan.txt"]').waitFor();
    await page.locator('.tray-line [title="site/deep/b (2).txt"]').waitFor();
    await page.locator('.file [title="b (2).txt"]').waitFor();
    await page.locator('.file [title="plan.txt"]').waitFor();
    await page.getByText('All done').waitFor();
    expect((await stored()).filter(([, , description]) => description !== '')).toEqual([
      ['b (2).txt', expect.any(Number), 'site/deep/'],
      ['plan.txt', expect.any(Number), 'site/'],
    ]);
  });

  test('two files of one folder with the same name: neither replaces the other', async () => {
    await chooseFolder('east/notes.txt', 'west/notes.txt');
    const question = dialog('site/west/notes.txt');
    await question.waitFor();
    expect(await question.getByRole('radio').count()).toBe(2);
    await answerSameName(page, 'Keep both');
    await page.locator('.file [title="notes (2).txt"]').waitFor();
    await page.locator('.file [title="notes.txt"]').waitFor();
    expect((await stored()).filter(([name]) => name.startsWith('notes'))).toEqual([
      ['notes (2).txt', 22, 'site/west/'],
      ['notes.txt', 22, 'site/east/'],
    ]);
  });

  test('somebody who may add but not change cannot replace', async () => {
    const guest = await signable(app, { firstName: 'Ida' });
    await app.given.membership(guest, project, [
      'view_work_packages',
      'add_work_package_attachments',
    ]);
    const view = await openAs(browser, app, guest, `/work_packages/${here.id}`);
    await view.locator('.file').nth(2).waitFor();
    await drop(view, [textFile('a.txt')]);
    const question = view.getByRole('dialog', { name: '“a.txt” is here already' });
    await question.waitFor();
    expect(await question.getByRole('radio', { name: 'Replace' }).count()).toBe(0);
    await answerSameName(view, 'Skip');
    await question.waitFor({ state: 'detached' });
    await view.context().close();
  });

  test.each([
    ['light', 390],
    ['dark', 390],
    ['dark', 1440],
    ['light', 2560],
  ] as const)('no barrier in the question: %s, %d px', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    await drop(
      page,
      ['a.txt', 'b.txt'].map((name) => textFile(name)),
    );
    await dialog('a.txt').waitFor();
    await page.getByText(/^Added .* by Mia Ray$/).waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await answerSameName(page, 'Skip', 2);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
