/** The web application in a browser: people who are signed in, and what every page must keep to. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { PASSWORD } from '../api/auth/support/applications.js';
import type { App } from './app.js';
import type { Person } from './factories.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Errors of the pages and violations of the content security policy since the last question. */
const complaints = new WeakMap<Page, string[]>();
export const complaintsOf = (page: Page): string[] => complaints.get(page)?.splice(0) ?? [];

/** Opens an address as a person, who signs in on the sign-in page. */
export async function openAs(
  browser: Browser,
  app: App,
  person: Person,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: app.url,
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  const page = await context.newPage();

  const heard: string[] = [];
  complaints.set(page, heard);
  page.on('pageerror', (error) => void heard.push(String(error)));
  await page.exposeFunction('complain', (text: string) => void heard.push(text));
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    complain(event.violatedDirective + ' ' + event.blockedURI))`);
  await page.goto(path);
  await page.getByLabel('Login').fill(person.login);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
  return page;
}

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** What axe finds against WCAG 2.2 AA, one line each. */
export async function accessibilityOf(page: Page): Promise<string[]> {
  // Colours on their way between two states are not the colours of either.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime))
    .map((one) => one.finished))`);
  await page.evaluate(axe);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run({ runOnly: ${JSON.stringify(tags)} })`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** A small picture: one red pixel. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);

/** Drops files on a part of the page, as from a file manager. */
export async function drop(
  page: Page,
  files: { name: string; type: string; content: string }[],
  onto = 'main',
): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`((files) => {
    const transfer = new DataTransfer();
    for (const { name, type, content } of files)
      transfer.items.add(new File([content], name, { type }));
    return transfer;
  })(${JSON.stringify(files)})`);
  await page.dispatchEvent(onto, 'dragover', { dataTransfer });
  await page.dispatchEvent(onto, 'drop', { dataTransfer });
}

/** Pastes pictures. The browser gives all of them the same name. */
export const paste = (page: Page, contents: string[]): Promise<void> =>
  page.evaluate(`((contents) => {
    const clipboardData = new DataTransfer();
    for (const content of contents)
      clipboardData.items.add(new File([content], 'image.png', { type: 'image/png' }));
    dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  })(${JSON.stringify(contents)})`);

/** Pastes into the element with the focus what a program has copied: texts by type, and a picture. */
export const pasteInto = (
  page: Page,
  texts: { [type: string]: string },
  picture?: string,
): Promise<void> =>
  page.evaluate(`((texts, picture) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(texts)) clipboardData.setData(type, text);
    if (picture)
      clipboardData.items.add(new File([picture], 'image.png', { type: 'image/png' }));
    const event = { clipboardData, bubbles: true, cancelable: true };
    (document.activeElement ?? document.body).dispatchEvent(new ClipboardEvent('paste', event));
  })(${JSON.stringify(texts)}, ${JSON.stringify(picture)})`);

export const hasFocus = (element: Locator): Promise<boolean> =>
  element.evaluate((one) => one === (globalThis as any).document.activeElement);

export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > innerWidth');

/** Answers the question about a name that is taken. */
export async function answerSameName(
  page: Page,
  answer: 'Replace' | 'Keep both' | 'Skip',
  forAll?: number,
): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: answer }).check();
  if (forAll !== undefined)
    await dialog.getByRole('checkbox', { name: `Do this for all ${forAll}` }).check();
  await dialog.getByRole('button', { name: answer }).click();
}

/** A person who keeps the uploads open: their lines show from the first file on. */
export const keepTrayOpen = (page: Page): Promise<void> =>
  page.evaluate(`sessionStorage.setItem('moorage tray', 'yes')`);
