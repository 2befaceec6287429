/** The menu of a file: what a person may do with it, by mouse, finger and keyboard. */
import type { Browser, Page } from 'playwright-core';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, hasFocus, isTooWide, openAs } from '../support/pages.js';

const RIGHTS = ['view_work_packages', 'edit_work_packages', 'add_work_package_attachments'];

describeBrowser('the menu of a file', () => {
  let app: App;
  let browser: Browser;
  let project: { id: number };
  let mia: Person;
  let page: Page;
  let here: ContainerHandle;
  let id: number;

  beforeAll(async () => {
    browser = await startBrowser();
    app = await startApp({ BACKGROUND_WORK: 'true', TRASH_DAYS: '30' });
    project = await app.given.project({ name: 'North quay repair' });
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
    await app.given.membership(mia, project, RIGHTS);
    page = await openAs(browser, app, mia, '/projects');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  beforeEach(async () => {
    here = await app.given.workPackage(project, mia, 'Repair the quay wall');
    const file = { container: here, author: mia, fileName: 'plan.v1.txt', content: 'first' };
    ({ id } = await app.given.attachment(file));
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/work_packages/${here.id}`);
    await more().waitFor();
  });
  afterEach(() => expect(complaintsOf(page)).toEqual([]));

  const more = (of = page) => of.getByRole('button', { name: 'Actions' });
  const menu = (of = page) => of.getByRole('menu', { name: 'Actions for plan.v1.txt' });
  const item = (name: string) => menu().getByRole('menuitem', { name });
  const stored = async () => {
    const { body } = await app.get(here.attachments, mia);
    return body._embedded.elements.map((one: any) => [one.id, one.fileName, one.fileSize]);
  };
  const open = async () => {
    await more().click();
    await menu().waitFor();
  };

  test('it has all that the person may do, and nothing of the page moves', async () => {
    const before = await page.locator('.file').boundingBox();
    await open();
    expect(await menu().getByRole('menuitem').allInnerTexts()).toEqual([
      'Open',
      'Download',
      'Copy link',
      expect.stringContaining('Rename'),
      'Describe',
      'Replace',
      'Move to …',
      expect.stringContaining('Delete'),
    ]);
    expect(await page.locator('.file').boundingBox()).toEqual(before);
    expect(await accessibilityOf(page)).toEqual([]);
    await item('Open').click();
    await page.getByRole('dialog', { name: 'plan.v1.txt' }).waitFor();
  });

  test('keys: the menu key opens it, arrows and letters move, Escape leads back', async () => {
    const name = page.getByRole('button', { name: 'plan.v1.txt' });
    await name.focus();
    await page.keyboard.press('Shift+F10');
    expect(await hasFocus(item('Open'))).toBe(true);
    await page.keyboard.press('ArrowUp');
    expect(await hasFocus(item('Delete'))).toBe(true);
    await page.keyboard.press('m');
    expect(await hasFocus(item('Move to …'))).toBe(true);
    await page.keyboard.press('Escape');
    await menu().waitFor({ state: 'detached' });
    expect(await hasFocus(name)).toBe(true);
  });

  test('a click beside it closes it, and a click with the other button opens it', async () => {
    await page.locator('.file').click({ button: 'right' });
    await menu().waitFor();
    await page.locator('h1').click();
    await menu().waitFor({ state: 'detached' });
  });

  test('the link is that of the file, and opens it', async () => {
    await open();
    await item('Copy link').click();
    await page.getByText('The link to plan.v1.txt is copied').waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(new URL(link).pathname + new URL(link).search).toBe(
      `/work_packages/${here.id}?file=${id}`,
    );
    await page.goto(link);
    await page.getByRole('dialog', { name: 'plan.v1.txt' }).waitFor();
  });

  test('F2 renames in place; a name with a slash is refused, and Escape keeps the old one', async () => {
    await page.getByRole('button', { name: 'plan.v1.txt' }).press('F2');
    const field = page.getByRole('textbox', { name: 'New name' });
    expect(await page.evaluate('getSelection().toString()')).toBe('plan.v1');
    expect(await accessibilityOf(page)).toEqual([]);
    await field.fill('a/b.txt');
    await field.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
    await field.press('Escape');
    const name = page.getByRole('button', { name: 'plan.v1.txt' });
    await name.waitFor();
    expect(await stored()).toEqual([[id, 'plan.v1.txt', 5]]);
    await open();
    await item('Rename').click();
    await field.fill('plan of the wall.txt');
    await field.press('Enter');
    const renamed = page.getByRole('button', { name: 'plan of the wall.txt' });
    await renamed.waitFor();
    expect(await stored()).toEqual([[id, 'plan of the wall.txt', 5]]);
  });

  test('a description is written in a dialog', async () => {
    await open();
    await item('Describe').click();
    const dialog = page.getByRole('dialog', { name: 'Describe “plan.v1.txt”' });
    await dialog.getByRole('textbox').fill('x'.repeat(256));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('textbox').fill('Section 4');
    expect(await accessibilityOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await hasFocus(more())).toBe(true);
    const { body } = await app.get(`/api/v3/attachments/${id}`, mia);
    expect(body.description.raw).toBe('Section 4');
  });

  test('a new content takes the place of the old one, under its name and address', async () => {
    await open();
    const choosing = page.waitForEvent('filechooser');
    await item('Replace').click();
    await (
      await choosing
    ).setFiles({
      name: 'plan final.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('second version'),
    });
    await page.getByText('All done').waitFor();
    await page.locator('.file').getByText('14 byte').waitFor();
    expect(await stored()).toEqual([[id, 'plan.v1.txt', 14]]);
    const { data } = await app.graphql(
      'query ($id: ID!) { container(id: $id) { deletedAttachments { nodes { fileName } } } }',
      { id: here.globalId },
      mia,
    );
    expect(data.container.deletedAttachments.nodes).toEqual([{ fileName: 'plan.v1.txt' }]);
  });

  test('a file is deleted, and comes back', async () => {
    await open();
    await item('Delete').click();
    await page.getByText('1 file deleted').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await more().waitFor();
    expect((await stored()).length).toBe(1);
  });

  test('somebody who may only look can open, download and copy the link', async () => {
    const guest = await signable(app, { firstName: 'Ida' });
    await app.given.membership(guest, project, ['view_work_packages']);
    const view = await openAs(browser, app, guest, `/work_packages/${here.id}`);
    await more(view).click();
    expect(await menu(view).getByRole('menuitem').allInnerTexts()).toEqual([
      'Open',
      'Download',
      'Copy link',
    ]);
    await view.keyboard.press('Escape');
    await view.getByRole('button', { name: 'plan.v1.txt' }).press('F2');
    expect(await view.getByRole('textbox', { name: 'New name' }).count()).toBe(0);
    await view.context().close();
  });

  test.each([
    ['light', 390],
    ['dark', 390],
    ['dark', 1440],
    ['light', 2560],
  ] as const)('no barrier with the menu open: %s, %d px', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    await open();
    expect(await accessibilityOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    const box = (await menu().boundingBox())!;
    expect([box.x >= 0, box.y >= 0, box.y + box.height <= 844]).toEqual([true, true, true]);
  });
});
