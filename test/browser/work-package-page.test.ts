/** The page of a work package: what it is about, and what people say. */
import type { Browser, Page } from 'playwright-core';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, expect, test } from '../support/jest.js';
import {
  accessibilityOf,
  complaintsOf,
  drop,
  isTooWide,
  openAs,
  pasteInto,
} from '../support/pages.js';

const RIGHTS = [
  'view_work_packages',
  'add_work_package_attachments',
  'add_work_package_comments',
  'view_internal_comments',
];
const LONG = [
  'The quay wall between bollards B11 and B14 moves. The survey found the head 38 mm out of line.',
  '1. Close the joints\n2. Set nine ground anchors',
  ...Array.from({ length: 12 }, (_, day) => `Divers are booked for day ${day + 1} at low water.`),
  '[The survey](https://survey.example)',
].join('\n\n');

let app: App;
let browser: Browser;
let project: { id: number; name: string };
let mia: Person;
let rob: Person;
let ada: Person;
let page: Page;

const about = () => page.getByRole('region', { name: 'Description' });
const showAll = () => page.getByRole('button', { name: 'Show all' });
const lines = () =>
  page.locator('#description').evaluate((one) => {
    const lineHeight = parseFloat((globalThis as any).getComputedStyle(one).lineHeight);
    return one.clientHeight / lineHeight;
  });

async function show(
  width: number,
  details: { descriptionText?: string; assigneeId?: number } = {},
) {
  const workPackage = await app.given.workPackage(project, rob, 'Repair the quay wall', {
    ...details,
  });
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`/work_packages/${workPackage.id}`);
  await page.getByRole('heading', { name: 'Attachments' }).waitFor();
  return workPackage;
}

describeBrowser('the page of a work package', () => {
  beforeAll(async () => {
    browser = await startBrowser();
    app = await startApp();
    project = await app.given.project({ name: 'North quay repair' });
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
    rob = await signable(app, { firstName: 'Rob', lastName: 'Ott' });
    ada = await app.given.member(project, RIGHTS);
    await app.given.membership(mia, project, RIGHTS);
    page = await openAs(browser, app, mia, '/projects');
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  afterEach(() => expect(complaintsOf(page)).toEqual([]));

  test.each([
    [390, 4],
    [1024, 6],
    [1440, 3],
  ])('at %d px, a long description takes %d lines until it is opened', async (width, most) => {
    await show(width, { descriptionText: LONG, assigneeId: mia.id });
    await showAll().waitFor();
    expect(await lines()).toBeGreaterThan(1);
    // Gaps between paragraphs are no lines.
    expect(await lines()).toBeLessThanOrEqual(most + 2);
    expect(await accessibilityOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);

    await showAll().click();
    expect(await lines()).toBeGreaterThan(14);
    await page.getByRole('button', { name: 'Show less' }).click();
    await showAll().waitFor();
  });

  test('a short description has no button, and its list keeps its numbers', async () => {
    await show(1440, { descriptionText: '1. Close the joints\n2. Set the anchors' });
    const first = about().getByRole('listitem').first();
    expect(
      await first.evaluate((one) => (globalThis as any).getComputedStyle(one).listStyleType),
    ).toBe('decimal');
    expect(await showAll().count()).toBe(0);
    expect(await about().locator('dl').innerText()).toMatch(
      /^Assigned to\s+Nobody\s+Opened by\s+Rob Ott/,
    );
  });

  test('a link in the hidden part opens the description when it gets the focus', async () => {
    await show(1440, { descriptionText: LONG });
    await showAll().waitFor();
    await page.getByRole('link', { name: 'The survey' }).focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Show less' }).waitFor();
  });

  test('on a wide screen the description is a column, and nothing without one', async () => {
    await show(2560, { descriptionText: LONG });
    const files = page.locator('.wp-files');
    const left = async () => (await files.boundingBox())!.x;
    expect(await showAll().count()).toBe(0);
    expect(await lines()).toBeGreaterThan(14);
    const beside = await left();
    await show(2560);
    expect(beside - (await left())).toBeGreaterThan(300);
    expect(await isTooWide(page)).toBe(false);
  });

  const activity = () => page.getByRole('region', { name: 'Activity' });
  const field = () => page.getByRole('textbox', { name: 'Write a comment' });
  const send = () => page.getByRole('button', { name: 'Comment', exact: true });
  const comments = () => page.locator('.bubble');
  const tab = (name: string) =>
    page
      .getByRole('navigation', { name: 'Views of this work package' })
      .getByRole('link', { name });

  test('the activity is a column on wide screens, and a tab below', async () => {
    const workPackage = await show(1920, { descriptionText: LONG });
    await app.upload(workPackage.attachments, { as: mia, fileName: 'Survey.txt' });
    await app.upload(workPackage.attachments, { as: mia, fileName: 'Levels.txt' });
    await app.given.comment(workPackage, rob, { text: 'Rungs 4 to 9 are **loose**.' });
    await page.reload();
    await activity().getByText('Mia Ray added Survey.txt and Levels.txt').waitFor();
    await activity().getByText('Rob Ott opened this').waitFor();
    expect(await activity().locator('.bubble strong').innerText()).toBe('loose');
    expect(await tab('Activity').count()).toBe(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityOf(page)).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: null });
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await tab('Activity').click();
      await comments().waitFor();
      expect(await page.getByRole('heading', { name: 'Attachments' }).count()).toBe(0);
      expect(await accessibilityOf(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
      await tab('Files').click();
      await page.getByRole('heading', { name: 'Attachments' }).waitFor();
      expect(await activity().count()).toBe(0);
    }
    for (const width of [320, 2560, 3840]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await isTooWide(page)).toBe(false);
    }
  });

  test('a comment gets what is dropped into it and pasted, and its files open in the viewer', async () => {
    await show(1920);
    expect(await send().getAttribute('aria-disabled')).toBe('true');
    await send().click({ force: true });
    await field().fill('Please close the ladder.');
    await drop(page, [{ name: 'ladder.txt', type: 'text/plain', content: 'rungs' }], '.composer');
    await page.getByRole('button', { name: 'Take out ladder.txt' }).waitFor();
    await field().focus();
    await pasteInto(page, {}, 'a picture');
    await page.getByRole('button', { name: /Take out Pasted .*png/ }).click();
    await send().click();
    const chip = comments().getByRole('button', { name: 'ladder.txt' });
    await chip.waitFor();
    expect(await comments().count()).toBe(1);
    expect(await comments().innerText()).toMatch(/^Please close the ladder\.\s+ladder\.txt/);
    expect(await field().inputValue()).toBe('');
    // Nothing has gone to the attachments of the work package itself.
    const mark = page.locator('.wp-files').getByText('In a comment');
    await mark.waitFor({ state: 'attached' });
    await page.getByRole('radio', { name: 'Here 0' }).check();
    await page.getByText('No file fits these filters.').waitFor();
    await page.getByRole('radio', { name: 'All 1' }).check();
    await mark.waitFor({ state: 'attached' });

    await chip.click();
    const viewer = page.getByRole('dialog', { name: 'ladder.txt' });
    await viewer.getByText('rungs').waitFor();
    expect(new URL(page.url()).searchParams.has('file')).toBe(true);
    await page.goBack();
    await viewer.waitFor({ state: 'detached' });
  });

  test('the files of the page and of its comments are narrowed by place, kind, person and date', async () => {
    const workPackage = await app.given.workPackage(project, rob, 'Narrow the list');
    const comment = await app.given.comment(workPackage, rob);
    const add = (fileName: string, author: Person, more = {}) =>
      app.given.attachment({ author, container: workPackage, fileName, ...more });
    for (let number = 1; number <= 11; number += 1) await add(`note ${number}.txt`, rob);
    await add('plan.docx', mia, {
      contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    });
    await add('old.doc', rob, { contentType: 'application/msword' });
    await add('ladder.png', mia, { container: comment, contentType: 'image/png' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/work_packages/${workPackage.id}`);
    const files = page.locator('.wp-files [data-id]');
    const shows = async (count: number, ...names: string[]) => {
      await files.nth(count - 1).waitFor();
      await files.nth(count).waitFor({ state: 'detached' });
      for (const name of names) await files.filter({ hasText: name }).waitFor();
    };
    const inTurn = (index: number, text: string) =>
      files.nth(index).getByRole('gridcell').filter({ hasText: text }).first().waitFor();
    await shows(14);

    await page.getByRole('radio', { name: 'In comments 1' }).check();
    await shows(1, 'ladder.png');
    await page.getByRole('radio', { name: 'Here 13' }).check();
    await page.getByLabel('Kind of file').selectOption('Documents');
    await shows(2, 'old.doc', 'plan.docx');
    await page.getByLabel('Added by').selectOption('Mia Ray');
    await shows(1, 'plan.docx');
    await page.getByLabel('Added in the time').selectOption('Last 7 days');
    await shows(1, 'plan.docx');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('radio', { name: 'All 14' }).check();
    await shows(14);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await accessibilityOf(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
    }

    await page.getByRole('radio', { name: 'List' }).check();
    await page.getByRole('button', { name: 'Added by' }).click();
    await inTurn(0, 'Mia Ray');
    await inTurn(13, 'Rob Ott');
    await page.getByRole('button', { name: 'Added by' }).click();
    await inTurn(0, 'Rob Ott');
    await inTurn(13, 'Mia Ray');
    await page.getByRole('radio', { name: 'Grid' }).check();
  });

  test('a link to a file of another page leads on to that page', async () => {
    const here = await app.given.workPackage(project, rob, 'Here');
    const there = await app.given.workPackage(project, rob, 'There');
    const comment = await app.given.comment(there, rob);
    const content = 'From afar';
    const file = await app.given.attachment({
      author: rob,
      container: comment,
      fileName: 'far.txt',
      contentType: 'text/plain',
      content,
    });
    await page.goto(`/work_packages/${here.id}?file=${file.id}`);
    await page.getByRole('dialog', { name: 'far.txt' }).getByText(content).waitFor();
    await page.waitForURL(`${app.url}/work_packages/${there.id}?file=${file.id}`);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('heading', { name: 'There', level: 1 }).waitFor();
  });

  test('a comment that is not taken stays in the field, also on another tab and after a reload', async () => {
    await show(1440);
    await tab('Activity').click();
    await field().fill('Do not lose me');
    await page.context().setOffline(true);
    await send().click();
    await page.getByRole('alert').waitFor();
    await page.context().setOffline(false);
    expect(await comments().count()).toBe(0);
    await tab('Files').click();
    await tab('Activity').click();
    expect(await field().inputValue()).toBe('Do not lose me');
    await page.reload();
    expect(await field().inputValue()).toBe('Do not lose me');
    await field().press('Control+Enter');
    await comments().waitFor();
    expect(await field().inputValue()).toBe('');
  });

  test('comments of others come by themselves, and what is new is marked', async () => {
    const workPackage = await show(1440);
    // The stream is open when its own upload is told.
    await app.upload(workPackage.attachments, { as: mia, fileName: 'first.txt' });
    await page.locator('.file').waitFor();
    await app.post(`${workPackage.path}/activities`, ada, { comment: { raw: 'It is safe.' } });
    await tab('Activity 1 new').click();
    await activity().getByText('It is safe.').waitFor();
    await app.post(`${workPackage.path}/activities`, ada, { comment: { raw: 'Thank you.' } });
    const event = activity().locator('.event', { hasText: 'Thank you.' });
    await event.getByText('New', { exact: true }).waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
  });

  test('authors change and delete their comments; others have no menu', async () => {
    const workPackage = await show(1920);
    await app.given.comment(workPackage, rob, { text: 'From Rob' });
    await page.reload();
    await comments().waitFor();
    expect(await page.getByLabel('Menu of the comment by Rob Ott').count()).toBe(0);
    await field().fill('Frm Mia');
    await page.getByRole('checkbox', { name: 'Internal' }).check();
    await send().click();
    const menu = page.getByLabel('Menu of the comment by Mia Ray');
    await menu.click();
    expect(await accessibilityOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const text = page.getByRole('textbox', { name: 'Text of the comment' });
    expect(await text.inputValue()).toBe('Frm Mia');
    await text.fill('From Mia');
    await page.getByRole('button', { name: 'Save' }).click();
    await activity().getByText('From Mia', { exact: true }).waitFor();
    await text.waitFor({ state: 'detached' });
    expect(await activity().locator('.event', { hasText: 'From Mia' }).innerText()).toMatch(
      /Internal/,
    );

    await menu.click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this comment?' });
    expect(await accessibilityOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await comments().count()).toBe(2);
    await menu.click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await comments().allInnerTexts()).toEqual(['From Rob']);
  });

  test('who may only look has no field, and no column where nothing has happened', async () => {
    const quiet = await show(1920);
    const spoken = await app.given.workPackage(project, rob, 'Book the crane');
    await app.given.comment(spoken, rob, { text: 'Booked.' });
    const guest = await signable(app, { firstName: 'Eve', lastName: 'Low' });
    await app.given.membership(guest, project, ['view_work_packages']);
    const other = await openAs(browser, app, guest, `/work_packages/${spoken.id}`, {
      viewport: { width: 1920, height: 900 },
    });
    await other.getByText('Booked.').waitFor();
    expect(await other.getByRole('textbox', { name: 'Write a comment' }).count()).toBe(0);
    await other.goto(`/work_packages/${quiet.id}/activity`);
    await other.getByText('No attachments yet').waitFor();
    await other.getByRole('region', { name: 'Activity' }).waitFor({ state: 'detached' });
    expect(complaintsOf(other)).toEqual([]);
    await other.context().close();
  });
});
