/** How the pages look that the service writes itself: for everybody, in both colour schemes, on a narrow screen. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { loadDemo } from '../../src/actions/operate/demo/load-demo.js';
import { application, REDIRECT } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describeBrowser('the pages of the service', () => {
  let app: App;
  let browser: Browser;
  let consent: string;
  beforeAll(async () => {
    [browser, app] = await Promise.all([startBrowser(), startApp()]);
    await loadDemo(app.running.services, { read: async () => ({}), write: async () => undefined });
    const owner = await app.given.user();
    const { clientId } = await application(app, owner);
    consent = `/oauth/authorize?${new URLSearchParams({ client_id: clientId, redirect_uri: REDIRECT, response_type: 'code', code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' })}`;
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  /** What axe and the policy complain about, and how much the page is wider than the window. */
  async function problemsOf(page: Page): Promise<unknown> {
    // Not a tag: the policy of the page refuses foreign scripts.
    await page.evaluate(axe);
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    return {
      axe: violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      tooWide: await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      ),
    };
  }

  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [320, 1440])
      test(`have no fault of accessibility, ${colorScheme}, ${width} px wide`, async () => {
        const context = await browser.newContext({
          colorScheme,
          viewport: { width, height: 800 },
        });
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on('console', (message) => {
          if (/Content Security Policy|404/.test(message.text())) complaints.push(message.text());
        });
        const seen: [string, unknown][] = [];
        const look = async () => seen.push([await page.title(), await problemsOf(page)]);
        await page.goto(`${app.url}/login`);
        await look();
        await page.getByLabel('Login').fill('mia');
        await page.getByLabel('Password').fill('wrong');
        await page.keyboard.press('Enter');
        await page.getByRole('alert').waitFor();
        await look();
        await page.goto(`${app.url}/login?return_to=${encodeURIComponent(consent)}`);
        await page.getByRole('button', { name: 'Mia Works in the project Demo' }).click();
        await page.getByRole('button', { name: 'Allow' }).waitFor();
        await look();
        await page.goto(`${app.url}/oauth/interactions/over`);
        await look();
        await page.goto(`${app.url}/login`);
        await page.getByRole('button', { name: 'Sign out' }).waitFor();
        await look();
        const good = { axe: [], tooWide: 0 };
        expect(seen).toEqual([
          ['Sign in – Moorage', good],
          ['Sign in – Moorage', good],
          ['Let A <b>tool</b> & more act for you? – Moorage', good],
          ['This step is over – Moorage', good],
          ['Signed in as Mia Member – Moorage', good],
        ]);
        expect(complaints).toEqual([]);
        await context.close();
      }, 60_000);
});
