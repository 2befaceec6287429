/** The files of a page as a table and as tiles: order, selection, keys, and what is done with many. */
import type { Browser, Page } from 'playwright-core';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import { eventually } from '../support/direct-upload.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, hasFocus, isTooWide, openAs } from '../support/pages.js';

const RIGHTS = ['view_work_packages', 'edit_work_packages', 'add_work_package_attachments'];
const FILES = [
  ['Anchor plan.txt', 'aaaa'],
  ['bollard.txt', 'bb'],
  ['Crane.txt', 'c'],
  ['ladder 3.txt', 'ddd'],
] as const;

describeBrowser('the table of files', () => {
  let app: App;
  let browser: Browser;
  let project: { id: number; name: string };
  let mia: Person;
  let page: Page;
  let here: ContainerHandle;
  let there: ContainerHandle;

  beforeAll(async () => {
    browser = await startBrowser();
    app = await startApp({ BACKGROUND_WORK: 'true' });
    project = await app.given.project({ name: 'North quay repair' });
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
    await app.given.membership(mia, project, RIGHTS);
    there = await app.given.workPackage(project, mia, 'Anchors, section 4');
    page = await openAs(browser, app, mia, '/projects');
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  beforeEach(async () => {
    here = await app.given.workPackage(project, mia, 'Repair the quay wall');
    for (const [fileName, content] of FILES)
      await app.given.attachment({ container: here, author: mia, fileName, content });
    await page.setViewportSize({ width: 1440, height: 900 });
    await show(page, 'List');
  });
  afterEach(() => expect(complaintsOf(page)).toEqual([]));

  async function show(of: Page, view: 'List' | 'Grid'): Promise<void> {
    await of.goto(`/work_packages/${here.id}`);
    await of.getByRole('radio', { name: view }).check();
    await of
      .locator('.file')
      .nth(FILES.length - 1)
      .waitFor();
  }
  const names = (of = page): Promise<(string | null)[]> =>
    of.locator('.file .name').evaluateAll((found) => found.map((one) => one.getAttribute('title')));
  const stored = async (of: ContainerHandle): Promise<string[]> => {
    const { body } = await app.get(of.attachments, mia);
    return body._embedded.elements.map((one: { fileName: string }) => one.fileName).sort();
  };
  const file = (name: string) => page.locator('.file', { hasText: name });
  const focused = () => page.evaluate('document.activeElement.textContent');
  const picked = () =>
    page
      .locator('.file:has(.pick :checked) .name')
      .evaluateAll((found) => found.map((one) => one.getAttribute('title')));
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  test('the header sorts by name, time and size, in both directions', async () => {
    const header = (name: string) => page.getByRole('columnheader', { name, exact: true });
    expect(await names()).toEqual(FILES.map(([name]) => name).toReversed());
    expect(await header('Added').getAttribute('aria-sort')).toBe('descending');
    await header('Size').getByRole('button').click();
    await page.locator('.file').first().getByText('Anchor plan.txt').first().waitFor();
    expect(await names()).toEqual(['Anchor plan.txt', 'ladder 3.txt', 'bollard.txt', 'Crane.txt']);
    await header('Size').getByRole('button').click();
    await page.locator('.file').first().getByText('Crane.txt').first().waitFor();
    expect(await header('Size').getAttribute('aria-sort')).toBe('ascending');
    expect(await header('Added').getAttribute('aria-sort')).toBeNull();
    await header('Name').getByRole('button').click();
    await page.locator('.file').first().getByText('Anchor plan.txt').first().waitFor();
    // As the service sorts names: by code point.
    expect(await names()).toEqual(['Anchor plan.txt', 'Crane.txt', 'bollard.txt', 'ladder 3.txt']);
  });

  test('a row says who added it, when, and how large it is', async () => {
    const cells = file('bollard.txt').getByRole('gridcell');
    expect(await cells.allInnerTexts()).toEqual([
      '',
      expect.stringContaining('bollard.txt'),
      'Mia Ray',
      expect.stringContaining('minute'),
      expect.stringMatching(/^2 bytes?$/),
      '',
    ]);
  });

  test('arrows, Home, End and letters move through the files', async () => {
    await file('ladder').getByRole('button', { name: 'ladder 3.txt' }).focus();
    await press('ArrowDown');
    expect(await focused()).toContain('Crane.txt');
    await press('End');
    expect(await focused()).toContain('Anchor plan.txt');
    await press('ArrowDown');
    expect(await focused()).toContain('Anchor plan.txt');
    await press('Home');
    expect(await focused()).toContain('ladder 3.txt');
    await press('b', 'o');
    expect(await focused()).toContain('bollard.txt');
    await press('z');
    expect(await focused()).toContain('bollard.txt');
    await press('Enter');
    await page.getByRole('dialog', { name: 'bollard.txt' }).waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toContain('bollard.txt');
  });

  test('Tab passes a list in three steps, however long it is', async () => {
    await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').focus();
    await press('Tab');
    expect(await hasFocus(page.getByRole('checkbox', { name: 'Select ladder 3.txt' }))).toBe(true);
    await press('Tab', 'Tab', 'Tab');
    expect(await page.locator('.files :focus').count()).toBe(0);
  });

  test('Space, Shift and Ctrl+A select, Escape clears', async () => {
    await file('ladder').getByRole('button', { name: 'ladder 3.txt' }).focus();
    await press('ArrowDown', 'Shift+ArrowDown');
    expect(await picked()).toEqual(['Crane.txt', 'bollard.txt']);
    await press('Space');
    expect(await picked()).toEqual(['Crane.txt']);
    await press('Control+a');
    expect((await picked()).length).toBe(4);
    await page.getByText('4 selected').waitFor();
    await press('Escape');
    expect(await picked()).toEqual([]);
    await page.getByRole('checkbox', { name: 'Select ladder 3.txt' }).click();
    await page
      .getByRole('checkbox', { name: 'Select bollard.txt' })
      .click({ modifiers: ['Shift'] });
    expect(await picked()).toEqual(['ladder 3.txt', 'Crane.txt', 'bollard.txt']);
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    expect((await picked()).length).toBe(4);
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    expect(await picked()).toEqual([]);
  });

  test('Ctrl+A outside of the list selects no file', async () => {
    await page.getByRole('searchbox').first().focus();
    await press('Control+a');
    await page.locator('h1').click();
    await press('Control+a');
    expect(await picked()).toEqual([]);
  });

  test('nothing moves when the first file is selected', async () => {
    const box = () => file('Crane.txt').boundingBox();
    const before = await box();
    await page.getByRole('checkbox', { name: 'Select ladder 3.txt' }).check();
    await page.getByText('1 selected').waitFor();
    expect(await box()).toEqual(before);
  });

  test('files move to a work package that is found by its words, and come back', async () => {
    await file('ladder').getByRole('button', { name: 'ladder 3.txt' }).focus();
    await press('Shift+ArrowDown');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 2 files' });
    await dialog.getByRole('searchbox').fill('nothing like it');
    await dialog.getByText('Nothing').waitFor();
    await dialog.getByRole('searchbox').fill('anchors');
    await dialog.getByRole('radio', { name: 'Anchors, section 4' }).check();
    expect(await accessibilityOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Move 2 files' }).click();
    await page.getByText('2 files moved to “Anchors, section 4”').waitFor();
    await file('Crane.txt').waitFor({ state: 'detached' });
    expect(await stored(there)).toEqual(['Crane.txt', 'ladder 3.txt']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await file('Crane.txt').waitFor();
    expect(await stored(there)).toEqual([]);
    expect((await stored(here)).length).toBe(4);
  });

  test('files are copied, and those here stay', async () => {
    await page.getByRole('checkbox', { name: 'Select Crane.txt' }).check();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy 1 file' });
    expect(await dialog.getByRole('radio', { name: /they are here now/ }).isDisabled()).toBe(true);
    // Without a choice nothing happens.
    await dialog.getByRole('button', { name: 'Copy 1 file' }).focus();
    await press('Enter');
    await dialog.getByRole('radio', { name: 'Anchors, section 4' }).check();
    await dialog.getByRole('button', { name: 'Copy 1 file' }).click();
    await page.getByText('1 file copied to “Anchors, section 4”').waitFor();
    expect(await stored(there)).toEqual(['Crane.txt']);
    expect(await stored(here)).toContain('Crane.txt');
    await page.getByText('1 selected').waitFor({ state: 'detached' });
  });

  test('the selection is deleted with Delete, and the keyboard goes on beside it', async () => {
    await page.getByRole('checkbox', { name: 'Select ladder 3.txt' }).check();
    await page.getByRole('checkbox', { name: 'Select Crane.txt' }).check();
    await file('Crane').getByRole('button', { name: 'Crane.txt' }).focus();
    await press('Delete');
    await page.getByText('2 files deleted').waitFor();
    expect(await names()).toEqual(['bollard.txt', 'Anchor plan.txt']);
    expect(await page.locator('.files :focus').count()).toBe(1);
    await page.goto('/recent');
    await eventually(
      () => stored(here),
      ({ length }) => length === 2,
    );
    expect(await stored(here)).toEqual(['Anchor plan.txt', 'bollard.txt']);
  });

  test('several files come as one archive', async () => {
    await file('ladder').getByRole('button', { name: 'ladder 3.txt' }).focus();
    await press('Control+a');
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as ZIP' }).click();
    expect((await saving).suggestedFilename()).toMatch(/\.zip$/);
  });

  test('somebody who may only look can download and copy, and nothing else', async () => {
    const guest = await signable(app, { firstName: 'Ida', lastName: 'Holm' });
    await app.given.membership(guest, project, ['view_work_packages']);
    const view = await openAs(browser, app, guest, `/work_packages/${here.id}`);
    await show(view, 'List');
    await view.getByRole('checkbox', { name: 'Select all' }).check();
    expect(await view.locator('.picked').getByRole('button').allInnerTexts()).toEqual([
      'Download as ZIP',
      'Copy',
      '',
    ]);
    await view.getByRole('button', { name: 'Copy', exact: true }).click();
    const targets = view.getByRole('dialog').getByRole('radio');
    await targets.first().waitFor();
    for (const one of await targets.all()) expect(await one.isDisabled()).toBe(true);
    await view.keyboard.press('Escape');
    await view.getByRole('dialog').waitFor({ state: 'detached' });
    await view.keyboard.press('Delete');
    expect((await names(view)).length).toBe(4);
    await view.context().close();
  });

  test.each([
    ['light', 1440],
    ['dark', 2560],
    ['light', 390],
    ['dark', 390],
    ['light', 320],
  ] as const)('no barrier in the table with a selection: %s, %d px', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    expect(await accessibilityOf(page)).toEqual([]);
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    expect(await accessibilityOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
  });
});
