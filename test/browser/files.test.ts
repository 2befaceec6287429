/** The files of a work package in a browser: two people, one page. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, expect, test } from '../support/jest.js';
import {
  accessibilityOf,
  answerSameName,
  complaintsOf,
  drop,
  hasFocus,
  isTooWide,
  openAs,
  paste,
  PICTURE,
} from '../support/pages.js';

const RIGHTS = ['view_work_packages', 'edit_work_packages', 'add_work_package_attachments'];

describeBrowser('the files of a work package', () => {
  let app: App;
  let browser: Browser;
  let mia: Person;
  let rob: Person;
  let page: Page;
  let other: Page;
  let workPackage: ContainerHandle;
  const address = () => `/work_packages/${workPackage.id}`;

  beforeAll(async () => {
    browser = await startBrowser();
    app = await startApp({
      ATTACHMENT_MAX_SIZE: '2000000',
      // A page of the application asks several things at once.
      BACKGROUND_WORK: 'true',
    });
    const project = await app.given.project({ name: 'North quay repair' });
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
    rob = await signable(app, { firstName: 'Rob', lastName: 'Ott' });
    await app.given.membership(mia, project, RIGHTS);
    await app.given.membership(rob, project, RIGHTS);
    workPackage = await app.given.workPackage(project, mia, 'Repair the quay wall, section 4');
    page = await openAs(browser, app, mia, address());
    other = await openAs(browser, app, rob, address());
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  afterEach(() => {
    expect([...complaintsOf(page), ...complaintsOf(other)]).toEqual([]);
  });

  const names = async (of: Page) =>
    of.locator('.file .name').evaluateAll((found) => found.map((one) => one.getAttribute('title')));
  const clearFinished = async () => {
    await page.getByRole('button', { name: 'Show the uploads' }).click();
    await page.getByRole('button', { name: 'Clear finished' }).click();
  };
  const stored = async () => {
    const answer = await app.get(workPackage.attachments, mia);
    return answer.body._embedded.elements.map((one: { fileName: string }) => one.fileName).sort();
  };

  test('a deep link survives the sign-in, and the heading says what the page is', async () => {
    expect(new URL(page.url()).pathname).toBe(address());
    await page
      .getByRole('heading', { level: 1, name: 'Repair the quay wall, section 4' })
      .waitFor();
    expect(await page.title()).toBe('Repair the quay wall, section 4 · Moorage');
    await page.getByText('No attachments yet').waitFor();
    expect(await page.getByText('Up to 2 MB each').isVisible()).toBe(true);
  });

  test('a dropped file arrives, and appears in the browser of somebody else', async () => {
    await other.getByText('No attachments yet').waitFor();
    await drop(page, [{ name: 'Survey report.txt', type: 'text/plain', content: 'all is well' }]);
    await page.getByText('All done').waitFor();
    await page.locator('.file').waitFor();
    await other.locator('.file').waitFor();
    expect(await names(page)).toEqual(['Survey report.txt']);
    expect(await names(other)).toEqual(['Survey report.txt']);
    expect(await stored()).toEqual(['Survey report.txt']);
  });

  test('files are chosen, and pasted pictures get a name by time', async () => {
    const input = page.locator('main input[type=file]').first();
    await input.setInputFiles({ name: 'quay.png', mimeType: 'image/png', buffer: PICTURE });
    await page.locator('.file', { hasText: 'quay.png' }).waitFor();
    await paste(page, ['one', 'two']);
    await page.locator('.file').nth(3).waitFor();
    const pasted = (await names(page)).filter((name) => name?.startsWith('Pasted'));
    expect(pasted.length).toBe(2);
    expect(new Set(pasted).size).toBe(2);
  });

  test('a name that is there already asks: keep both, or skip', async () => {
    const again = [{ name: 'Survey report.txt', type: 'text/plain', content: 'second version' }];
    await drop(page, again);
    const dialog = page.getByRole('dialog', { name: '“Survey report.txt” is here already' });
    await dialog.waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
    await answerSameName(page, 'Skip');
    await dialog.waitFor({ state: 'detached' });
    await drop(page, again);
    await dialog.waitFor();
    await answerSameName(page, 'Keep both');
    await page.locator('.file [title="Survey report (2).txt"]').waitFor();
    expect((await stored()).filter((name: string) => name.startsWith('Survey'))).toEqual([
      'Survey report (2).txt',
      'Survey report.txt',
    ]);
  });

  test('a file that is too large is refused before it is sent', async () => {
    const before = await stored();
    await drop(page, [{ name: 'Film.bin', type: '', content: 'x'.repeat(2_000_001) }]);
    await page.getByText('Film.bin has 2 MB. The limit is 2 MB.').waitFor();
    expect(await stored()).toEqual(before);
  });

  test('the details show, and change the description for everybody', async () => {
    await page.getByRole('button', { name: 'Survey report.txt' }).click();
    await page.getByRole('button', { name: 'Details' }).click();
    const details = page.getByRole('complementary', { name: 'Details of Survey report.txt' });
    await details.getByText('No description').waitFor();
    await details.getByRole('button', { name: 'Edit the description' }).click();
    await details.getByLabel('Description', { exact: true }).fill('Damage near the ladder');
    await details.getByRole('button', { name: 'Save' }).click();
    await details.getByText('Damage near the ladder').waitFor();
    const edit = details.getByRole('button', { name: 'Edit the description' });
    expect(await hasFocus(edit)).toBe(true);
    expect(await accessibilityOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
  });

  test('the viewer shows a text in the encoding of Windows', async () => {
    await app.upload(workPackage.attachments, {
      as: mia,
      fileName: 'Sizes.csv',
      content: Buffer.from('Größe;Maß', 'latin1'),
    });
    await page.reload();
    await page.getByRole('button', { name: 'Sizes.csv' }).click();
    const viewer = page.getByRole('dialog', { name: 'Sizes.csv' });
    await viewer.getByRole('columnheader', { name: 'Größe' }).waitFor();
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
  });

  test('a deleted file can come back for ten seconds', async () => {
    const before = await stored();
    await page.getByRole('button', { name: 'Survey report.txt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 file deleted').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 file is back').waitFor();
    await page.locator('.file [title="Survey report.txt"]').waitFor();
    expect(await stored()).toEqual(before);
  });

  test('a deleted file is gone for everybody when the page is left', async () => {
    await page.getByRole('checkbox', { name: 'Select Survey report (2).txt' }).check();
    await page.getByText('1 selected').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 file deleted').waitFor();
    expect(await stored()).toContain('Survey report (2).txt');
    await page.goto('/recent');
    await other.locator('.file [title="Survey report (2).txt"]').waitFor({ state: 'detached' });
    expect(await stored()).not.toContain('Survey report (2).txt');
    await page.goto(address());
    await page.locator('.file').first().waitFor();
  });

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 320],
    ['dark', 320],
  ] as const)('no barrier in grid and list: %s, %d px', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    for (const view of ['List', 'Grid']) {
      await page.getByRole('radio', { name: view }).check();
      expect(await accessibilityOf(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
    }
  });

  test('somebody who may only look is told so', async () => {
    const guest = await signable(app, { firstName: 'Ida' });
    const project = { id: workPackage.projectId };
    await app.given.membership(guest, project, ['view_work_packages']);
    const view = await openAs(browser, app, guest, address());
    await view.getByText('You may look here, but not add files.').waitFor();
    expect(await view.getByRole('button', { name: 'Add files' }).count()).toBe(0);
    await view.context().close();
  });

  test('two hundred and fifty files in folders arrive, every one', async () => {
    const folder = mkdtempSync(join(app.folder, 'sheets '));
    for (const part of ['a', 'b']) {
      mkdirSync(join(folder, part, 'deep'), { recursive: true });
      for (let number = 0; number < 125; number += 1)
        writeFileSync(join(folder, part, 'deep', `sheet ${part}${number}.txt`), `${number}`);
    }
    await page.locator('input[webkitdirectory]').setInputFiles(folder);
    await page.getByText('250 uploads').waitFor();
    await page.getByText('All done').waitFor({ timeout: 180_000 });
    expect((await stored()).filter((name: string) => name.startsWith('sheet')).length).toBe(250);
    await clearFinished();
    await page.locator('.tray').waitFor({ state: 'detached' });
  }, 240_000);
});
