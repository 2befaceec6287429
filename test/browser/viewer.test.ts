/** The viewer: one file over the whole page, at an address of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import { eventually } from '../support/direct-upload.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, hasFocus, isTooWide, openAs } from '../support/pages.js';
import { decided, flag } from '../support/pictures.js';

const RIGHTS = ['view_work_packages', 'edit_work_packages', 'add_work_package_attachments'];

describeBrowser('the viewer', () => {
  let app: App;
  let browser: Browser;
  let mia: Person;
  let page: Page;
  let workPackage: ContainerHandle;
  let hidden: { id: number };
  const files: { [name: string]: { id: number } } = {};
  const address = () => `/work_packages/${workPackage.id}`;
  const addressOf = (name: string) => `${address()}?file=${files[name]?.id}`;
  const shown = () => {
    const { pathname, search } = new URL(page.url());
    return pathname + search;
  };
  const viewer = (name: string) => page.getByRole('dialog', { name, exact: true });
  const tile = (name: string) => page.locator('.file').getByRole('button', { name, exact: true });
  const upload = async (fileName: string, content: string | Buffer) => {
    const sent = { as: mia, fileName, content };
    return (await app.upload(workPackage.attachments, sent)).body as { id: number };
  };
  /** Without the marks that keep names apart from the text around them. */
  const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '');
  const isClosed = () => page.locator('.viewer').waitFor({ state: 'detached' });

  beforeAll(async () => {
    browser = await startBrowser();
    app = await startApp({ BACKGROUND_WORK: 'true' });
    const project = await app.given.project({ name: 'North quay repair' });
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
    await app.given.membership(mia, project, RIGHTS);
    workPackage = await app.given.workPackage(project, mia, 'Repair the quay wall, section 4');
    const other = await app.given.workPackage(await app.given.project(), mia, 'Secret');
    hidden = await app.given.attachment({ container: other, author: mia, fileName: 'hidden.txt' });

    const content: { [name: string]: string | Buffer } = {
      'a survey.txt': 'all is well',
      'b wall.jpg': await flag(2400, 1600).jpeg().toBuffer(),
      'c wall.ifc': 'ISO-10303-21;',
      'd nothing.txt': '',
    };
    for (const [fileName, bytes] of Object.entries(content))
      files[fileName] = await upload(fileName, bytes);
    const held = { container: workPackage, author: mia, blob: false };
    for (const [fileName, status] of [
      ['e virus.xlsm', 'quarantined'],
      ['f film.mp4', 'prepared'],
    ] as const)
      files[fileName] = await app.given.attachment({ ...held, fileName, status });
    await decided(app, files['b wall.jpg'] as { id: number }, mia);
    page = await openAs(browser, app, mia, addressOf('a survey.txt'));
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  afterEach(() => {
    expect(complaintsOf(page)).toEqual([]);
  });

  test('a copied link leads through the sign-in to the file, and closes to the page', async () => {
    expect(shown()).toBe(addressOf('a survey.txt'));
    await viewer('a survey.txt').getByText('all is well').waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await isClosed();
    expect(shown()).toBe(address());
    expect(await hasFocus(tile('a survey.txt'))).toBe(true);
  });

  test('a click opens a file, and one Back closes it, however many were looked at', async () => {
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Name, A to Z');
    await tile('b wall.jpg').click();
    await viewer('b wall.jpg').getByText('2 of 5').waitFor();
    expect(shown()).toBe(addressOf('b wall.jpg'));
    await page.keyboard.press('ArrowRight');
    await viewer('c wall.ifc').getByText('3 of 5').waitFor();
    await page.getByRole('button', { name: 'Next file' }).click();
    await viewer('d nothing.txt').getByText('4 of 5').waitFor();
    await page.keyboard.press('ArrowLeft');
    await viewer('c wall.ifc').waitFor();
    expect(shown()).toBe(addressOf('c wall.ifc'));
    await page.goBack();
    await isClosed();
    expect(shown()).toBe(address());
    expect(await hasFocus(tile('c wall.ifc'))).toBe(true);
  });

  test('the buttons beside a picture are above it, and lead to both neighbours', async () => {
    await tile('b wall.jpg').click();
    await viewer('b wall.jpg').getByRole('img', { name: 'b wall.jpg' }).waitFor();
    await page.getByRole('button', { name: 'Previous file' }).click();
    await viewer('a survey.txt').waitFor();
    await page.getByRole('button', { name: 'Next file' }).click();
    await viewer('b wall.jpg').getByRole('img', { name: 'b wall.jpg' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await isClosed();
  });

  test('Space, a finger and the film strip lead to other files; Space presses a button that has the focus', async () => {
    await tile('b wall.jpg').click();
    await viewer('b wall.jpg').getByRole('img', { name: 'b wall.jpg' }).waitFor();
    await page.keyboard.press('Space');
    await viewer('c wall.ifc').waitFor();
    const strip = page.getByRole('list', { name: 'Files of this list' });
    expect(await strip.getByRole('button').count()).toBe(5);
    expect(await strip.locator('[aria-current]').getAttribute('aria-label')).toBe('c wall.ifc');
    await strip.getByRole('button', { name: 'b wall.jpg' }).click();
    await viewer('b wall.jpg').getByRole('img', { name: 'b wall.jpg' }).waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
    const swipe = (from: number, to: number) =>
      page.locator('.picture').evaluate(
        (target, places) => {
          const { Touch, TouchEvent } = globalThis as any;
          for (const [type, clientX] of places) {
            const touch = new Touch({ identifier: 1, target, clientX, clientY: 300 });
            const touches = type === 'touchstart' ? [touch] : [];
            const about = { touches, changedTouches: [touch], bubbles: true };
            target.dispatchEvent(new TouchEvent(type, about));
          }
        },
        [
          ['touchstart', from],
          ['touchend', to],
        ] as [string, number][],
      );
    await swipe(300, 280);
    await swipe(100, 400);
    await viewer('a survey.txt').waitFor();
    await page.keyboard.press('ArrowRight');
    await viewer('b wall.jpg').getByRole('img', { name: 'b wall.jpg' }).waitFor();
    await swipe(400, 100);
    await viewer('c wall.ifc').waitFor();
    await page.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Space');
    await isClosed();
  });

  test('the details tell what happened to the file, by whom, also under its former name', async () => {
    const { id } = await upload('draft.txt', 'first');
    const globalId = Buffer.from(`Attachment:${id}`).toString('base64url');
    const rename = `mutation ($id: ID!) { updateAttachment(input: { id: $id, fileName: "final.txt" }) { attachment { id } } }`;
    expect((await app.graphql(rename, { id: globalId }, mia)).errors).toBeUndefined();
    await page.goto(`${address()}?file=${id}`);
    await viewer('final.txt').waitFor();
    await page.keyboard.press('i');
    const history = page.getByRole('region', { name: 'History' });
    await history.waitFor();
    expect((await history.getByRole('listitem').allInnerTexts()).map(plain)).toEqual([
      expect.stringMatching(/^Mia Ray renamed draft\.txt to final\.txt/),
      expect.stringMatching(/^Mia Ray added draft\.txt/),
    ]);
    expect(await accessibilityOf(page)).toEqual([]);
    await app.request('DELETE', `/api/v3/attachments/${id}`, { as: mia });
    await page.goto(address());
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Name, A to Z');
    await tile('b wall.jpg').waitFor();
  });

  test('two files of one name have a history each', async () => {
    const first = await upload('twin.txt', 'first');
    await app.request('DELETE', `/api/v3/attachments/${first.id}`, { as: mia });
    const second = await upload('twin.txt', 'second');
    const third = await upload('other.txt', 'third');
    const globalId = Buffer.from(`Attachment:${third.id}`).toString('base64url');
    const rename = `mutation ($id: ID!) { updateAttachment(input: { id: $id, fileName: "twin.txt" }) { attachment { id } } }`;
    expect((await app.graphql(rename, { id: globalId }, mia)).errors).toBeUndefined();
    const history = async (id: number) => {
      await page.goto(`${address()}?file=${id}`);
      await viewer('twin.txt').waitFor();
      await page.keyboard.press('i');
      const lines = page.getByRole('region', { name: 'History' }).getByRole('listitem');
      await lines.first().waitFor();
      return (await lines.allInnerTexts()).map((line) =>
        plain(line).replace(/^(.*\.txt) .*/, '$1'),
      );
    };
    expect(await history(second.id)).toEqual(['Mia Ray added twin.txt']);
    expect(await history(third.id)).toEqual([
      'Mia Ray renamed other.txt to twin.txt',
      'Mia Ray added other.txt',
    ]);
    for (const { id } of [second, third])
      await app.request('DELETE', `/api/v3/attachments/${id}`, { as: mia });
    await page.goto(address());
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Name, A to Z');
    await tile('b wall.jpg').waitFor();
  });

  test('the text of a PDF can be selected and searched by the browser', async () => {
    const content = readFileSync(join(import.meta.dirname, '../../demo/files/angebot-ziegel.pdf'));
    const { id } = await upload('offer.pdf', content);
    await page.goto(`${address()}?file=${id}`);
    const texts = viewer('offer.pdf').locator('.page-text');
    await texts.first().locator('span').first().waitFor({ state: 'attached' });
    const selected = await page.evaluate(`(() => {
      getSelection().selectAllChildren(document.querySelector('.page-text'));
      return String(getSelection());
    })()`);
    expect(selected).toMatch(/Angebot/);
    expect(await accessibilityOf(page)).toEqual([]);
    await app.request('DELETE', `/api/v3/attachments/${id}`, { as: mia });
    await page.goto(address());
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Name, A to Z');
    await tile('b wall.jpg').waitFor();
  });

  test('what others have added since the last visit is outlined, once', async () => {
    const rob = await app.given.user({ firstName: 'Rob', lastName: 'Ott' });
    const added = { container: workPackage, author: rob, fileName: 'news.txt', content: 'news' };
    const { id } = await app.given.attachment(added);
    await page.goto(address());
    const news = page.locator('.file').filter({ has: page.getByText('New', { exact: true }) });
    await news.waitFor();
    expect(await news.locator('.open-file').innerText()).toContain('news.txt');
    expect(await accessibilityOf(page)).toEqual([]);
    await page.reload();
    await tile('news.txt').waitFor();
    expect(await news.count()).toBe(0);
    await app.request('DELETE', `/api/v3/attachments/${id}`, { as: mia });
    await page.goto(address());
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Name, A to Z');
    await tile('b wall.jpg').waitFor();
  });

  test('Enter opens, Escape closes, and Forward opens again', async () => {
    await tile('a survey.txt').press('Enter');
    await viewer('a survey.txt').waitFor();
    expect(await page.getByRole('button', { name: 'Previous file' }).count()).toBe(0);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Escape');
    await isClosed();
    expect(shown()).toBe(address());
    await page.goForward();
    await viewer('a survey.txt').waitFor();
    await page.reload();
    await viewer('a survey.txt').getByText('all is well').waitFor();
    await page.keyboard.press('Escape');
    await isClosed();
    expect(shown()).toBe(address());
  });

  test('the last file has none after it', async () => {
    await page.goto(`${address()}`);
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Name, A to Z');
    await tile('e virus.xlsm').click();
    await viewer('e virus.xlsm').getByText('5 of 5').waitFor();
    expect(await page.getByRole('button', { name: 'Next file' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await isClosed();
  });

  test('what is hidden and what is not there look the same, and the page stays usable', async () => {
    const views = [];
    for (const id of [hidden.id, 987_654_321]) {
      await page.goto(`${address()}?file=${id}`);
      await viewer('A file').getByText('This file is not here').waitFor();
      views.push(await page.locator('.viewer').innerText());
    }
    expect(views[1]).toBe(views[0]);
    expect(await accessibilityOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await isClosed();
    expect(shown()).toBe(address());
    await tile('a survey.txt').waitFor();
    await page.goto(`${address()}?file=nonsense`);
    await tile('a survey.txt').waitFor();
    expect(await page.locator('.viewer').count()).toBe(0);
  });

  test('the link of the page is copied, with its key and with its button', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await page.goto(addressOf('a survey.txt'));
    await viewer('a survey.txt').getByText('all is well').waitFor();
    await page.keyboard.press('l');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await copied()).toBe(app.url + addressOf('a survey.txt'));
    await page.goto(addressOf('b wall.jpg'));
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await copied()).toBe(app.url + addressOf('b wall.jpg'));
  });

  test('the details are a drawer; no key acts while somebody writes in it', async () => {
    await page.goto(addressOf('a survey.txt'));
    await viewer('a survey.txt').getByText('all is well').waitFor();
    await page.keyboard.press('i');
    const details = page.getByRole('complementary', { name: 'Details of a survey.txt' });
    await details.getByText('text/plain').waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
    await details.getByRole('button', { name: 'Edit the description' }).click();
    const field = details.getByLabel('Description', { exact: true });
    await field.pressSequentially('dill ');
    await field.press('ArrowLeft');
    expect(await field.inputValue()).toBe('dill ');
    expect(shown()).toBe(addressOf('a survey.txt'));
    await field.press('Escape');
    await details.getByText('No description').waitFor();
    await page.keyboard.press('i');
    await details.waitFor({ state: 'detached' });
  });

  test('the file is downloaded with its key', async () => {
    const download = page.waitForEvent('download');
    await page.keyboard.press('d');
    expect((await download).suggestedFilename()).toBe('a survey.txt');
  });

  test('a picture fits, grows and turns; its original comes when it is needed', async () => {
    await page.goto(addressOf('b wall.jpg'));
    const picture = viewer('b wall.jpg').getByRole('img', { name: 'b wall.jpg' });
    const percent = page.locator('.viewer-zoom output');
    const box = async () => {
      const { width, height } = (await picture.boundingBox()) ?? { width: 0, height: 0 };
      return { width: Math.round(width), height: Math.round(height) };
    };
    const naturalWidth = () => picture.evaluate((one) => (one as any).naturalWidth);
    await eventually(naturalWidth, (width) => width === 1600);
    const fitting = await box();
    expect(fitting.width / fitting.height).toBeCloseTo(1.5, 1);
    expect(fitting.width).toBeLessThanOrEqual(1440);
    const before = await percent.innerText();
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await eventually(naturalWidth, (width) => width === 2400);
    expect((await box()).width).toBeGreaterThan(fitting.width);
    expect(await accessibilityOf(page)).toEqual([]);
    await page.keyboard.press('0');
    await eventually(box, ({ width }) => width === fitting.width);
    expect(await percent.innerText()).toBe(before);
    await page.keyboard.press('r');
    await eventually(box, ({ width, height }) => width < height);
    await page.getByRole('button', { name: 'Larger' }).click();
    await page.getByRole('button', { name: 'Smaller' }).click();
    expect(await accessibilityOf(page)).toEqual([]);
  });

  test.each([
    ['c wall.ifc', 'There is no preview for this kind of file.'],
    ['d nothing.txt', 'This file is empty'],
    ['e virus.xlsm', 'A virus was found in this file'],
    ['f film.mp4', 'Not completely uploaded yet'],
  ])('%s has a view in words, with facts', async (name, words) => {
    await page.goto(addressOf(name));
    await viewer(name).getByText(words).waitFor();
    await viewer(name).getByText('by Mia Ray').waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
  });

  test('separated values are a table with its header above', async () => {
    const rows = Array.from({ length: 60 }, (_, row) => `${row};"Oak; ""old"", \n2 m";${row}.5`);
    const { id } = await upload('beams.csv', ['No;Wood;', ...rows].join('\r\n'));
    await page.goto(`${address()}?file=${id}`);
    const table = viewer('beams.csv').getByRole('table');
    await table.getByRole('cell', { name: 'Oak; "old", 2 m' }).first().waitFor();
    expect(await table.getByRole('row').count()).toBe(61);
    await table.getByRole('cell', { name: '59.5' }).scrollIntoViewIfNeeded();
    const header = table.getByRole('columnheader', { name: 'Wood' });
    const { y } = (await header.boundingBox()) ?? { y: -1 };
    expect(y).toBeGreaterThan(40);
    expect(await accessibilityOf(page)).toEqual([]);
  });

  test('Markdown is shown as what it means, and nothing of it acts', async () => {
    const text =
      '## Method\n\n- first\n- second\n\n<img src=x onerror="complain(1)"><script>complain(2)</script>';
    const { id } = await upload('method.md', text);
    await page.goto(`${address()}?file=${id}`);
    const shownText = viewer('method.md').getByRole('region', { name: 'method.md' });
    await shownText.getByRole('heading', { name: 'Method' }).waitFor();
    expect(await shownText.getByRole('listitem').allInnerTexts()).toEqual(['first', 'second']);
    expect(await shownText.locator('script, [onerror]').count()).toBe(0);
    expect(await accessibilityOf(page)).toEqual([]);
  });

  test('a file beyond the loaded part of the list opens, and arrows load more of it', async () => {
    const long = await app.given.workPackage({ id: workPackage.projectId }, mia, 'Many');
    const ids: number[] = [];
    for (let number = 0; number < 130; number += 1) {
      const file = { container: long, author: mia, fileName: `sheet ${number}.txt` };
      ids.push((await app.given.attachment(file)).id);
    }
    await page.goto(`/work_packages/${long.id}?file=${ids[0]}`);
    await viewer('sheet 0.txt').getByText('some text').waitFor();
    await page.getByText('130', { exact: true }).first().waitFor({ state: 'attached' });
    expect(await viewer('sheet 0.txt').getByText(' of 130').count()).toBe(0);
    await page.keyboard.press('Escape');
    await isClosed();
    await tile('sheet 30.txt').click();
    await viewer('sheet 30.txt').getByText('100 of 130').waitFor();
    await page.getByRole('button', { name: 'Next file' }).click();
    await viewer('sheet 29.txt').getByText('101 of 130').waitFor();
  });

  test('a file that waits for its check says so', async () => {
    const waiting = await startApp({ CLAMD_URL: 'tcp://127.0.0.1:1' });
    const author = await waiting.given.user({ firstName: 'Ada' });
    const reader = await signable(waiting, { firstName: 'Rob', lastName: 'Ott' });
    const project = await waiting.given.project();
    for (const one of [author, reader]) await waiting.given.membership(one, project, RIGHTS);
    const container = await waiting.given.workPackage(project, author, 'Waits');
    const sent = { as: author, fileName: 'wait.txt', content: 'all is well' };
    const { body } = await waiting.upload(container.attachments, sent);
    const path = `/work_packages/${container.id}?file=${body.id}`;
    const view = await openAs(browser, waiting, reader, path);
    const dialog = view.getByRole('dialog', { name: 'wait.txt' });
    await dialog.getByText('Being checked for viruses').waitFor();
    expect(await dialog.getByRole('link', { name: 'Download' }).count()).toBe(0);
    expect(await accessibilityOf(view)).toEqual([]);
    await view.context().close();
    await waiting.stop();
  });

  test('a file that somebody deletes meanwhile says so', async () => {
    const { id } = await upload('x.txt', 'not for long');
    await page.goto(`${address()}?file=${id}`);
    await viewer('x.txt').getByRole('button', { name: 'Details' }).waitFor();
    await app.delete(`/api/v3/attachments/${id}`, mia);
    await viewer('x.txt').getByText('Gone meanwhile').waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await isClosed();
  });

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
    ['light', 320],
  ] as const)('no barrier: %s, %d px', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: width === 320 ? 256 : 844 });
    for (const name of ['a survey.txt', 'b wall.jpg', 'e virus.xlsm']) {
      await page.goto(addressOf(name));
      await viewer(name).getByRole('button', { name: 'Details' }).click();
      await page.getByRole('complementary').waitFor();
      expect(await accessibilityOf(page)).toEqual([]);
      await page.keyboard.press('i');
      expect(await accessibilityOf(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
      expect(await page.getByRole('button', { name: 'Close' }).isVisible()).toBe(true);
    }
  });
});
