/** What the page takes for files, how it shows their names, and how it saves them. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '../support/jest.js';
import { answerSameName, complaintsOf, drop, openAs, pasteInto } from '../support/pages.js';
import { describeS3, freshBucket, s3Environment } from '../support/rgw.js';
import { unzipped } from '../support/zip.js';

const RIGHTS = ['view_work_packages', 'edit_work_packages', 'add_work_package_attachments'];
/** What a spreadsheet copies besides a picture of the cells. */
const CELLS = { 'text/plain': '1\t2', 'text/html': '<table><td>1<td>2</table>' };

let app: App;
let browser: Browser;
let project: { id: number; name: string };
let mia: Person;
let page: Page;
let workPackage: ContainerHandle;

async function open(environment: { [name: string]: string }): Promise<void> {
  browser = await startBrowser();
  app = await startApp({ BACKGROUND_WORK: 'true', ...environment });
  project = await app.given.project({ name: 'North quay repair' });
  mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
  await app.given.membership(mia, project, RIGHTS);
  page = await openAs(browser, app, mia, '/projects');
}
const close = async () => {
  await browser?.close();
  await app?.stop();
};
/** A work package of its own for each test, with these files. */
async function show(...files: { fileName: string; content: string; contentType?: string }[]) {
  workPackage = await app.given.workPackage(project, mia);
  for (const file of files)
    await app.given.attachment({ container: workPackage, author: mia, ...file });
  await page.goto(`/work_packages/${workPackage.id}`);
  await page.getByRole('button', { name: 'choose files' }).waitFor();
  if (files.length > 0)
    await page
      .locator('.file')
      .nth(files.length - 1)
      .waitFor();
}
const stored = async () => {
  const { body } = await app.get(workPackage.attachments, mia);
  return body._embedded.elements.map((one: { fileName: string }) => one.fileName).sort();
};
const textFile = (name: string) => ({ name, type: 'text/plain', content: name });
/** Uploads come one after the other, so what came before the last one has been sent as well. */
async function sendLast(): Promise<void> {
  await drop(page, [textFile('last.txt')]);
  await page.locator('.file [title="last.txt"]').waitFor();
}

describeBrowser('a page with files', () => {
  beforeAll(() => open({ ATTACHMENT_ALLOWLIST: 'text/*,image/*' }), 180_000);
  afterAll(close);
  afterEach(() => expect(complaintsOf(page)).toEqual([]));

  test('text that is copied with a picture of it stays text, in fields and on the page', async () => {
    await show({ fileName: 'plan.txt', content: 'x' });
    await page.getByRole('searchbox').first().focus();
    await pasteInto(page, CELLS, 'cells');
    await page.locator('.file .name').first().click();
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Edit the description' }).click();
    const description = page.getByRole('textbox', { name: 'Description' });
    await description.focus();
    await pasteInto(page, CELLS, 'cells');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.evaluate('document.activeElement.blur()');
    await pasteInto(page, CELLS, 'cells');
    await sendLast();
    expect(await stored()).toEqual(['last.txt', 'plan.txt']);
  });

  test('a picture alone is attached, also from a field, but never from behind a dialog', async () => {
    await show(textFileOf('plan.txt'));
    await page.getByRole('searchbox').first().focus();
    await pasteInto(page, {}, 'a picture');
    await page.locator('.file [title^="Pasted"]').waitFor();
    await drop(page, [textFile('plan.txt')]);
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await pasteInto(page, {}, 'another picture');
    await drop(page, [textFile('behind.txt')]);
    await answerSameName(page, 'Skip');
    await sendLast();
    expect(await stored()).toEqual([expect.stringMatching(/^Pasted/), 'last.txt', 'plan.txt']);
  });

  test('a picture of the page that is dragged is no new file', async () => {
    await show(textFileOf('plan.txt'));
    await page.dispatchEvent('main', 'dragstart');
    await drop(page, [textFile('dragged.txt')]);
    await page.dispatchEvent('main', 'dragend');
    await sendLast();
    expect(await stored()).toEqual(['last.txt', 'plan.txt']);
  });

  test('files of the system stay outside, and a sentence counts them', async () => {
    await show();
    const names = ['.DS_Store', 'Thumbs.db', 'desktop.ini', '~$offer.docx', '._plan.txt'];
    await drop(page, [...names, 'offer.txt'].map(textFile));
    await page.getByText('5 files of the system were left out.').waitFor();
    await page.locator('.file [title="offer.txt"]').waitFor();
    expect(await stored()).toEqual(['offer.txt']);
  });

  test('the service decides about types: the page sends, and shows what it hears', async () => {
    await show();
    // Windows calls a CSV file so.
    await drop(page, [
      { name: 'list.csv', type: 'application/vnd.ms-excel', content: 'a;b\n1;2\n' },
    ]);
    await page.locator('.file [title="list.csv"]').waitFor();
    await drop(page, [{ name: 'plan.pdf', type: 'application/pdf', content: '%PDF-1.7\n%âã\n' }]);
    await page.getByText('not allowed', { exact: false }).first().waitFor();
    expect(await stored()).toEqual(['list.csv']);
  });

  test('two spellings of one name are the same name', async () => {
    await show(textFileOf('Pr\u00fcfung.txt'));
    await drop(page, [textFile('Pru\u0308fung.txt')]);
    await answerSameName(page, 'Keep both');
    await page.locator('.file').nth(1).waitFor();
    expect(await stored()).toEqual(['Pru\u0308fung (2).txt', 'Pr\u00fcfung.txt']);
  });

  test('invisible characters of a name are marks, and letters are never cut', async () => {
    await show(
      { fileName: 'Invoice\u202efdp.exe', content: 'x' },
      textFileOf('A long name with a family 👨‍👩‍👧 abcd.txt'),
      textFileOf('تقرير الفحص النهائي.txt'),
    );
    const pieces = await page
      .locator('.file .name')
      .evaluateAll((found) =>
        found.map((one) => [
          one.getAttribute('title'),
          ...[...one.querySelectorAll('[aria-hidden]')].map(({ textContent }) => textContent),
        ]),
      );
    expect(pieces.sort()).toEqual([
      ['A long name with a family 👨‍👩‍👧 abcd.txt', 'A long name with a family 👨‍👩‍👧', ' abcd.txt'],
      ['Invoice\ufffdfdp.exe', 'Invoic', 'e\ufffdfdp.exe'],
      ['تقرير الفحص النهائي.txt', 'تقرير الفحص النهائي', '.txt'],
    ]);
    await page.locator('.file .name', { hasText: 'Invoice' }).click();
    await page.getByRole('heading', { level: 2, name: 'Invoice\ufffdfdp.exe' }).waitFor();
    expect(await page.evaluate('document.body.textContent.includes("\\u202e")')).toBe(false);
  });

  test('a short name is in one piece, without a gap before its extension', async () => {
    await show(textFileOf('t.csv'));
    const name = page.locator('.file .name');
    const whole = name.locator('[aria-hidden]', { hasText: 't.csv' });
    expect((await whole.boundingBox())!.x).toBe((await name.boundingBox())!.x);
  });

  test('several files are saved as one archive, and the page stays', async () => {
    await show(textFileOf('a.txt'), textFileOf('b.txt'), textFileOf('c.txt'));
    for (const name of ['a.txt', 'c.txt'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(await unzipped(readFileSync(await download.path()))).toEqual([
      ['a.txt', 'a.txt'],
      ['c.txt', 'c.txt'],
    ]);
    expect(new URL(page.url()).pathname).toBe(`/work_packages/${workPackage.id}`);
  });
});

const textFileOf = (fileName: string) => ({ fileName, content: fileName });

describeS3('with an object store', () => {
  describeBrowser('a page with files', () => {
    beforeAll(async () => open(s3Environment(await freshBucket())), 180_000);
    afterAll(close);
    beforeEach(() =>
      show({ fileName: 'plan.pdf', content: '%PDF-1.7', contentType: 'application/pdf' }),
    );

    test('saves a PDF under its name, and stays', async () => {
      await page.locator('.file .name').first().click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download' }).first().click(),
      ]);
      expect([download.suggestedFilename(), readFileSync(await download.path(), 'utf8')]).toEqual([
        'plan.pdf',
        '%PDF-1.7',
      ]);
      expect(new URL(page.url()).pathname).toBe(`/work_packages/${workPackage.id}`);
    });
  });
});
