/** The tray of the application shows where a resumable upload goes on. */
import type { Browser, Page } from 'playwright-core';
import { signable } from '../api/auth/support/applications.js';
import { Files, MIB } from '../client/files.js';
import { Gate } from '../client/gate.js';
import { keptIn } from '../client/page.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import { eventually } from '../support/direct-upload.js';
import type { Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, expect, test } from '../support/jest.js';
import { keepTrayOpen, openAs } from '../support/pages.js';

const SIZE = 48 * MIB;
/** More than one request of the client has. */
const FIRST = 33 * MIB;

/** As the page writes it: three digits at most. */
const size = (bytes: number): string => {
  const [value, unit] = bytes < 999_500 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${Number(value.toFixed(value >= 100 ? 0 : 1))} ${unit}`;
};

describeBrowser('a resumable upload in the tray', () => {
  let app: App;
  let gate: Gate;
  let browser: Browser;
  let mia: Person;
  const files = new Files();
  beforeAll(async () => {
    browser = await startBrowser();
    app = await startApp({ ATTACHMENT_MAX_SIZE: String(SIZE), BACKGROUND_WORK: 'true' });
    gate = await Gate.to(app.url);
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
  }, 60_000);
  afterEach(() => gate.release());
  afterAll(async () => {
    await browser?.close();
    await gate?.stop();
    await app?.stop();
    files.remove();
  });

  async function bytesReceived(): Promise<number> {
    const { data } = await app.graphql(
      '{ viewer { pendingUploads { nodes { bytesReceived } } } }',
      {},
      mia,
    );
    return data.viewer.pendingUploads.nodes[0]?.bytesReceived ?? 0;
  }
  const goOn = (page: Page) => page.getByRole('button', { name: 'Resume film.bin' }).click();
  const paused = (page: Page) =>
    page.locator('.tray-line').getByText('Paused. It goes on where it was.').waitFor();
  const ways: { [after: string]: (page: Page) => Promise<void> } = {
    'a pause': async (page) => {
      await page.getByRole('button', { name: 'Pause film.bin' }).click();
      await paused(page);
      await goOn(page);
    },
    'a reload': async (page) => {
      page.on('dialog', (dialog) => void dialog.accept());
      await page.reload();
      await paused(page);
      await goOn(page);
    },
    'a lost connection': async (page) => {
      await page.context().setOffline(true);
      await page.locator('.tray-line').getByText('Waiting for the network').waitFor();
      await page.context().setOffline(false);
    },
  };

  test.each(Object.keys(ways))(
    'after %s it says how much the service has, and goes on there',
    async (after) => {
      const project = await app.given.project();
      await app.given.membership(mia, project, [
        'view_work_packages',
        'edit_work_packages',
        'add_work_package_attachments',
      ]);
      const workPackage = await app.given.workPackage(project, mia);
      gate.hold(FIRST);
      const page = await openAs(browser, app, mia, `/work_packages/${workPackage.id}`, {
        baseURL: gate.url,
      });
      await keepTrayOpen(page);
      const input = page.locator('main input[type=file]').first();
      await input.setInputFiles(files.path('film.bin', Buffer.alloc(SIZE, 'x')));
      await eventually(
        () => keptIn(page),
        (names) => names.length === 1,
      );
      await eventually(
        async () => gate.waiting,
        (held) => held > 0,
      );
      await eventually(bytesReceived, (bytes) => bytes > 0);
      await page.locator('.tray-line').getByText('Sending', { exact: true }).waitFor();
      const [asked] = await Promise.all([
        page.waitForResponse((answer) => answer.request().method() === 'HEAD'),
        ways[after]!(page),
      ]);
      const offset = Number(asked.headers()['upload-offset']);
      expect(offset).toBeGreaterThan(0);
      const words = `Continues at ${size(offset)}`;
      await page.locator('.tray-line').getByText(words, { exact: true }).waitFor();

      gate.release();
      await page.getByText('All done').waitFor({ timeout: 60_000 });
      const { body } = await app.get(workPackage.attachments, mia);
      expect(body._embedded.elements.map((one: any) => one.fileSize)).toEqual([SIZE]);
      await page.context().close();
    },
    90_000,
  );
});
