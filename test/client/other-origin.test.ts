/** The package moorage-client in a page of another origin: pictures, downloads and blocked requests. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser, startFrontEnd } from '../support/browser.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { describeS3, freshBucket, s3Environment } from '../support/rgw.js';
import { openPage } from './page.js';

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type FrontEnd = Awaited<ReturnType<typeof startFrontEnd>>;

function pages(store: () => Promise<{ [name: string]: string }>): void {
  let app: App;
  let browser: Browser;
  let frontEnd: FrontEnd;
  let stranger: FrontEnd;
  let person: Person;
  let container: ContainerHandle;
  let page: Page;
  beforeAll(async () => {
    [browser, frontEnd, stranger] = await Promise.all([
      startBrowser(),
      startFrontEnd(),
      startFrontEnd(),
    ]);
    app = await startApp({ CORS_ORIGINS: frontEnd.origin, ...(await store()) });
    const project = await app.given.project();
    person = await app.given.member(project, ['view_work_packages']);
    container = await app.given.workPackage(project, person);
    page = await openPage(browser, frontEnd.origin, { url: app.url, key: person.key });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([frontEnd?.stop(), stranger?.stop(), app?.stop()]);
  });

  const stored = async (fileName: string, contentType: string, content: string | Buffer) => {
    const { id } = await app.given.attachment({
      container,
      author: person,
      fileName,
      contentType,
      content,
    });
    return { id: String(id) };
  };

  test('shows a picture', async () => {
    const picture = await stored('dot.png', 'image/png', PNG);
    const width = await page.evaluate(async (attachment) => {
      const all = globalThis as any;
      const image = new all.Image();
      image.src = (await all.client.contentAddress(attachment)).href;
      await image.decode();
      return image.naturalWidth;
    }, picture);
    expect(width).toBe(1);
  }, 30_000);

  test('saves a file under its name, also one that a browser could show, and stays', async () => {
    const file = await stored('Plan ä.png', 'image/png', PNG);
    const saving = page.waitForEvent('download');
    await page.evaluate((attachment) => (globalThis as any).client.download(attachment), file);
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('Plan ä.png');
    expect(readFileSync(await saved.path()).equals(PNG)).toBe(true);
    expect(page.url()).toBe(`${frontEnd.origin}/`);
  }, 30_000);

  test('is told that a file in quarantine cannot be had', async () => {
    const { id } = await app.given.attachment({ container, author: person, status: 'quarantined' });
    const error = await page.evaluate(
      (attachment) =>
        (globalThis as any).client
          .download(attachment)
          .catch(({ code, status }: { code: string; status: number }) => [code, status]),
      { id: String(id) },
    );
    expect(error).toEqual(['MISSING_PERMISSION', 403]);
  }, 30_000);

  test('is told that the service cannot be reached, or does not take the origin', async () => {
    const blocked = await openPage(browser, stranger.origin, { url: app.url, key: person.key });
    const failureIn = (one: Page) =>
      one.evaluate(() =>
        (globalThis as any).client
          .query('{ viewer { id } }')
          .catch(({ code, message }: { code: string; message: string }) => [code, message]),
      );
    const failure = [
      'UNREACHABLE',
      `${app.url} cannot be reached, or takes no requests of pages from ${stranger.origin}. ` +
        'Check the connection and the address. If they are right, an administrator can add the ' +
        'origin of the page to CORS_ORIGINS.',
    ];
    expect(await failureIn(blocked)).toEqual(failure);
    // The allowed page, without a service: a browser does not tell the difference.
    await page.route(`${app.url}/graphql`, (route) => route.abort('connectionrefused'));
    expect((await failureIn(page))[0]).toBe('UNREACHABLE');
    await page.unroute(`${app.url}/graphql`);
  }, 30_000);
}

describeBrowser('files on a disk: a page of another origin', () => pages(async () => ({})));

describeS3('files in an object store', () => {
  describeBrowser('a page of another origin', () =>
    pages(async () => s3Environment(await freshBucket())),
  );
});
