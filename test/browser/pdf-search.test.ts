/** The search in the viewer of PDFs: all pages, drawn or not. */
import type { Browser, Page } from 'playwright-core';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import { eventually } from '../support/direct-upload.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, hasFocus, isTooWide, openAs } from '../support/pages.js';

const RIGHTS = ['view_work_packages', 'edit_work_packages', 'add_work_package_attachments'];
const PAGES = 120;

/** What some pages say beside their number. */
const SENTENCES: { [page: number]: string } = {
  3: 'The quay wall leans. The QUAY <i>wall</i> is old.',
  40: 'Die Süd-<br>mauer aus Ziegeln. Übergröße der Fußleiste.',
  77: '<span lang="ar" dir="rtl">تقرير فحص الميناء الجنوبي</span>',
  118: 'Behind the quay<br>wall is clay. A well-known office.',
};

describeBrowser('the search in a PDF', () => {
  let app: App;
  let browser: Browser;
  let mia: Person;
  let page: Page;
  let workPackage: ContainerHandle;
  let file: { id: number };
  const field = () => page.getByRole('searchbox', { name: 'Search in this file' });
  const told = () => page.locator('.pdf-search output').innerText();
  const says = (words: string) => eventually(told, (now) => now === words);
  /** The words that are marked: of the hit that is shown, or of all hits on pages that are drawn. */
  const marked = (name: 'pdf-hit' | 'pdf-hit-now') =>
    page.evaluate<string>(`[...(CSS.highlights.get('${name}') ?? [])].map(String).join('')`);
  const shows = (words: string) =>
    eventually(
      () => marked('pdf-hit-now'),
      (now) => now.normalize('NFKC') === words,
    );
  /** The page with the shown hit, if the hit is inside of the window. */
  const pageOfHit = () =>
    page.evaluate<number | undefined>(`(() => {
      const [hit] = CSS.highlights.get('pdf-hit-now') ?? [];
      if (!hit) return undefined;
      const { top, bottom } = hit.getBoundingClientRect();
      const sheet = hit.startContainer.parentElement.closest('.page');
      const isSeen = top > 60 && bottom < innerHeight;
      return isSeen ? [...sheet.parentElement.children].indexOf(sheet) + 1 : undefined;
    })()`);
  const isAt = (number: number) => eventually(pageOfHit, (now) => now === number);
  const open = async () => {
    await page.goto(`/work_packages/${workPackage.id}?file=${file.id}`);
    await page.locator('.page-text span').first().waitFor({ state: 'attached' });
  };
  /** A PDF with a page for each text. */
  const pdfOf = async (texts: string[]) => {
    const printer = await browser.newPage();
    await printer.setContent(
      `<style>section { break-after: page }</style>${texts.map((text) => `<section>${text}</section>`).join('')}`,
    );
    const content = await printer.pdf();
    await printer.close();
    return content;
  };
  const upload = async (fileName: string, content: Buffer) =>
    (await app.upload(workPackage.attachments, { as: mia, fileName, content })).body as {
      id: number;
    };

  beforeAll(async () => {
    browser = await startBrowser();
    app = await startApp({ BACKGROUND_WORK: 'true' });
    const project = await app.given.project({ name: 'North quay repair' });
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
    await app.given.membership(mia, project, RIGHTS);
    workPackage = await app.given.workPackage(project, mia, 'Survey of the quay wall');
    const texts = Array.from(
      { length: PAGES },
      (_, index) => `<p>Sheet number ${index + 1}.</p><p>${SENTENCES[index + 1] ?? ''}</p>`,
    );
    file = await upload('survey.pdf', await pdfOf(texts));
    page = await openAs(browser, app, mia, '/recent');
    await open();
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  afterEach(() => {
    expect(complaintsOf(page)).toEqual([]);
  });

  test('all pages are searched; Enter and Shift+Enter lead through the hits, around the end', async () => {
    await field().fill('quay wall');
    await says('1 of 3');
    await shows('quay wall');
    await isAt(3);
    expect(await marked('pdf-hit')).toBe('quay wallQUAY wall');
    await field().press('Enter');
    await says('2 of 3');
    await shows('QUAY wall');
    await field().press('Enter');
    await says('3 of 3');
    await isAt(118);
    await field().press('Enter');
    await says('1 of 3');
    await isAt(3);
    await field().press('Shift+Enter');
    await says('3 of 3');
    await isAt(118);
    await page.getByRole('button', { name: 'Previous hit' }).click();
    await says('2 of 3');
    await page.getByRole('button', { name: 'Next hit' }).click();
    await says('3 of 3');
    await isAt(118);
    expect(await accessibilityOf(page)).toEqual([]);
  });

  test('pages that one has left keep no drawing in memory', async () => {
    const widths = () =>
      page.evaluate<number[]>(
        `[...document.querySelectorAll('.page canvas')].map((one) => one.width)`,
      );
    const drawn = await eventually(widths, (all) => all[117]! > 1 && all[0] === 1);
    expect(drawn.filter((width) => width > 1).length).toBeLessThan(8);
  });

  test.each([
    ['südmauer', 'Südmauer', 40],
    ['ubergrosse', 'Übergröße', 40],
    ['FUSSLEISTE', 'Fußleiste', 40],
    ['فحص الميناء', 'فحص الميناء', 77],
    ['well-known', 'well-known', 118],
    ['sheet number 99', 'Sheet number 99', 99],
  ])(
    '%s is found whatever its accents, its case and the ends of lines',
    async (typed, words, number) => {
      await field().fill(typed);
      await says('1 of 1');
      await shows(words);
      await isAt(number);
    },
  );

  test('the search begins at the page that one looks at', async () => {
    await field().fill('');
    await page.locator('.page').nth(59).scrollIntoViewIfNeeded();
    await field().fill('sheet');
    await eventually(told, (now) => /^(59|60) of 120$/.test(now));
  });

  test('words that are nowhere are told, and mark nothing', async () => {
    await field().fill('submarine');
    await says('Nothing found');
    expect(await marked('pdf-hit')).toBe('');
    expect(await page.getByRole('button', { name: 'Next hit' }).isDisabled()).toBe(true);
    await field().fill('(.*) [a-z]+');
    await says('Nothing found');
    await field().fill('');
    await says('');
    expect(await accessibilityOf(page)).toEqual([]);
  });

  test('a file without words says so', async () => {
    const { id } = await upload(
      'scan.pdf',
      await pdfOf(['<svg><rect width="9" height="9"/></svg>']),
    );
    await page.goto(`/work_packages/${workPackage.id}?file=${id}`);
    await field().fill('quay');
    await says('This file has no words that can be searched.');
    await app.request('DELETE', `/api/v3/attachments/${id}`, { as: mia });
    await open();
  });

  test('Ctrl+F and / lead to the field, Escape leaves it, and a second Escape closes the viewer', async () => {
    await page.keyboard.press('Control+f');
    expect(await hasFocus(field())).toBe(true);
    await field().pressSequentially('quay/wall');
    expect(await field().inputValue()).toBe('quay/wall');
    await field().press('Escape');
    expect(await hasFocus(page.locator('.pages'))).toBe(true);
    await page.keyboard.press('/');
    expect(await hasFocus(field())).toBe(true);
    expect(await field().inputValue()).toBe('quay/wall');
    await field().press('Escape');
    await page.keyboard.press('Escape');
    await page.locator('.viewer').waitFor({ state: 'detached' });
  });

  test('somebody who writes in the details is not led away', async () => {
    await open();
    await page.keyboard.press('i');
    const details = page.getByRole('complementary');
    await details.getByRole('button', { name: 'Edit the description' }).click();
    const description = details.getByLabel('Description', { exact: true });
    await description.pressSequentially('50 m/s');
    await description.press('Control+f');
    expect(await hasFocus(description)).toBe(true);
    expect(await description.inputValue()).toBe('50 m/s');
  });

  test.each([
    ['light', 1440],
    ['dark', 390],
    ['light', 320],
  ] as const)('no barrier: %s, %d px', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: width === 320 ? 256 : 844 });
    await open();
    await field().fill('sheet');
    await says('1 of 120');
    await isAt(1);
    expect(await accessibilityOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    expect(await page.getByRole('button', { name: 'Next hit' }).isVisible()).toBe(true);
  });
});
