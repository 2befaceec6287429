/** Administrators look after quarantine, webhooks and the audit. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { serveFake, type FakeServer } from '../../demo/servers/http-server.js';
import { reportBackup } from '../../src/actions/operate/diagnostics/backup-report.js';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, isTooWide, openAs } from '../support/pages.js';

/** As one line: spaces of units and marks of directions are not what a person reads. */
const plain = (text: string): string =>
  text
    .replace(/[\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const pages = 'quarantine webhooks webhooks/new audit system usage applications applications/new';
const RELEASE =
  'mutation ($input: ReleaseAttachmentInput!) { releaseAttachment(input: $input) { attachment { id } } }';

describeBrowser('the operations of an administrator', () => {
  let app: App;
  let browser: Browser;
  let receiver: FakeServer;
  let ada: Person;
  beforeAll(async () => {
    [browser, receiver, app] = await Promise.all([
      startBrowser(),
      serveFake((_request, response) => void response.writeHead(204).end()),
      startApp({ BACKGROUND_WORK: 'true' }),
    ]);
    ada = await signable(app, { firstName: 'Ada', lastName: 'Moor', admin: true });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await receiver?.close();
  });

  const visit = (path: string, options?: BrowserContextOptions) =>
    openAs(browser, app, ada, `/login?return_to=${encodeURIComponent(path)}`, options);
  const dialogOf = (page: Page) => page.getByRole('dialog');
  const held = (fileName: string) =>
    app.given.attachment({ author: ada, fileName, status: 'quarantined' });
  async function release(id: number): Promise<void> {
    const { errors } = await app.graphql(RELEASE, { input: { id: String(id) } }, ada);
    expect(errors).toBeUndefined();
  }

  test('files in quarantine are found, released and deleted, also when somebody else was faster', async () => {
    const page = await visit('/administration/quarantine');
    await page.getByText('No file is held back').waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
    const [plan, invoice, masonry] = [
      await held('Lageplan alt.pdf'),
      await held('invoice_2231.zip'),
      await held('masonry.xlsm'),
    ];
    await page.reload();
    await page.getByRole('row', { name: /masonry/ }).waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
    await page.getByLabel('Find a file or a person').fill('lagep');
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('button', { name: /Release.*Lageplan/ }).click();
    await dialogOf(page).getByRole('button', { name: 'Release' }).click();
    await page.locator('.message').getByText('Lageplan alt.pdf is released.').waitFor();
    await page.getByLabel('Find a file or a person').fill('');
    await page.getByRole('button', { name: /Delete.*invoice/ }).click();
    await dialogOf(page).getByRole('button', { name: 'Delete' }).click();
    await page.locator('.message').getByText('invoice_2231.zip is deleted.').waitFor();
    await release(masonry.id);
    await page.getByRole('button', { name: /Release.*masonry/ }).click();
    await dialogOf(page).getByRole('button', { name: 'Release' }).click();
    await page
      .getByText('Somebody else has released or deleted masonry.xlsm meanwhile.')
      .first()
      .waitFor();
    await page.getByText('No file is held back').waitFor();
    const rows = await app.running.services.db
      .read('attachments')
      .whereIn('id', [plan.id, invoice.id, masonry.id])
      .select('id', 'status');
    expect(rows.map(({ id, status }) => [id, status]).sort()).toEqual([
      [plan.id, 'scanned'],
      [masonry.id, 'scanned'],
    ]);
    expect(complaintsOf(page)).toEqual([]);
    await page.context().close();
  }, 60_000);

  test('a webhook shows its secret once, since when it reaches nobody, and sends again', async () => {
    const page = await visit('/administration/webhooks');
    await page.getByText('No webhook yet').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Add a webhook' }).first().click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('[name=url][aria-invalid=true]').waitFor();
    await page.getByLabel('Address').fill(`${receiver.url}/hooks?token=planted-token`);
    await page.getByRole('checkbox', { name: 'File checked' }).check();
    await page.getByRole('button', { name: 'Create' }).click();
    const secret = await page.getByLabel('Secret of the webhook').first().inputValue();
    expect(secret).toMatch(/^whsec_/);
    expect(await accessibilityOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'It is copied, continue' }).click();
    await page.getByText('Nothing sent yet').waitFor();
    expect(await page.content()).not.toContain(secret);

    receiver.fault({ status: 503 });
    await release((await held('plan.pdf')).id);
    const deliveries = () => app.running.services.db.write('webhook_deliveries');
    for (let tries = 0; tries < 100; tries += 1) {
      if ((await deliveries().where({ last_status: 503 })).length > 0) break;
      await page.waitForTimeout(100);
    }
    // It would be given up after ten attempts.
    await deliveries().update({ state: 'dead' });
    await page.goto('/administration/webhooks');
    const row = page.getByRole('row', { name: /Reaches nobody/ });
    await row.getByText('Nothing has arrived since').waitFor();
    expect(await row.innerText()).toMatch(/Last answer: ⁨?503/);
    expect([await accessibilityOf(page), await isTooWide(page)]).toEqual([[], false]);
    await row.getByRole('link').click();
    await page.locator('summary', { hasText: 'File checked' }).click();
    await page.locator('details[open] pre').waitFor();
    expect(await page.locator('pre.json').innerText()).toContain('attachment:scanned');
    expect(await accessibilityOf(page)).toEqual([]);
    receiver.repair();
    await page.getByRole('button', { name: 'Send again' }).click();
    for (let tries = 0; tries < 100; tries += 1) {
      if ((await deliveries().where({ state: 'delivered' })).length > 0) break;
      await page.waitForTimeout(100);
    }
    await page.reload();
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Arrived').waitFor();

    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await dialogOf(page).getByRole('button', { name: 'Make a new secret' }).click();
    const next = await page.getByLabel('Secret of the webhook').first().inputValue();
    expect([next === secret, next.startsWith('whsec_')]).toEqual([false, true]);
    const form = page.getByRole('form', { name: 'Settings' });
    await form.getByRole('checkbox', { name: 'Switched on' }).uncheck();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Switched off').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialogOf(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhook yet').waitFor();
    expect(complaintsOf(page)).toEqual([]);
    await page.context().close();
  }, 90_000);

  test('the audit is narrowed by what and who, and taken along', async () => {
    await release((await held('old.pdf')).id);
    const rob = await signable(app, { firstName: 'Rob', lastName: 'van Dijk' });
    const page = await visit('/administration/audit');
    const table = page.getByRole('table', { name: 'Audit' });
    await table.getByText('Signed in').first().waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
    await page
      .getByRole('combobox', { name: 'What' })
      .selectOption({ label: 'File released from quarantine' });
    await page.getByRole('button', { name: 'Show' }).click();
    await table.getByText('Signed in').first().waitFor({ state: 'detached' });
    await table.getByText('old.pdf').waitFor();
    await page.getByLabel('Find: Who').fill('dijk');
    await page
      .getByRole('combobox', { name: 'Who', exact: true })
      .selectOption({ label: rob.name });
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('No entry fits.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download all (NDJSON)' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('audit.ndjson');
    expect(complaintsOf(page)).toEqual([]);
    await page.context().close();
  }, 60_000);

  test('the audit has words for an event that is sent again and a person who is erased', async () => {
    const rob = await app.given.user({ firstName: 'Rob', lastName: 'Away' });
    const { errors } = await app.graphql(
      'mutation ($input: EraseUserInput!) { eraseUser(input: $input) { user { id } } }',
      { input: { id: String(rob.id) } },
      ada,
    );
    expect(errors).toBeUndefined();
    const page = await visit('/administration/audit');
    const table = page.getByRole('table', { name: 'Audit' });
    for (const what of ['Event sent again', 'Person erased']) {
      await page.getByRole('combobox', { name: 'What' }).selectOption({ label: what });
      await page.getByRole('button', { name: 'Show' }).click();
      await table.getByText('Signed in').first().waitFor({ state: 'detached' });
      await table.getByText(what).waitFor();
    }
    await page.context().close();
  }, 60_000);

  test('the state of the system shows parts, queues and the last backup, and is read again', async () => {
    const page = await visit('/administration/system');
    const versions = page.getByRole('region', { name: 'Version' });
    await versions.getByText('Never reported.').waitFor();
    await versions.getByText('moorage backup-done').waitFor();
    expect(await versions.innerText()).toMatch(/Node\.js\s+(20|22|24)\./);
    const parts = page.getByRole('region', { name: 'Parts of the service' });
    await parts.getByText('File store: Done').waitFor();
    await parts.getByText('stores, reads, lists and removes').waitFor();
    await parts.getByText('OpenID provider: To do').waitFor();
    await parts.getByText('off; OIDC_ISSUER names one').waitFor();
    const waiting = page.getByRole('listitem').filter({ hasText: 'Storages to keep in step' });
    expect(await waiting.innerText()).toContain('Nothing waits');
    expect([await accessibilityOf(page), await isTooWide(page)]).toEqual([[], false]);

    await reportBackup(app.running.services);
    await page.getByRole('button', { name: 'Read it again' }).click();
    await versions.getByText('Never reported.').waitFor({ state: 'detached' });
    expect(complaintsOf(page)).toEqual([]);
    await page.context().close();
  }, 60_000);

  test('on a phone, the bar of pages shows the present one', async () => {
    const page = await visit('/administration/system', { viewport: { width: 390, height: 800 } });
    await page.getByRole('heading', { name: 'State of the system' }).waitFor();
    const present = page.locator('.rail [aria-current="page"]');
    const { x, width } = (await present.boundingBox())!;
    expect([await present.textContent(), x >= 0, x + width <= 390]).toEqual([
      'State of the system',
      true,
      true,
    ]);
    await page.context().close();
  });

  test('the usage leads to the projects that use most', async () => {
    const quay = await app.given.project({ name: 'North quay', identifier: 'quay' });
    const wall = await app.given.workPackage(quay, ada, 'Quay wall');
    await app.given.attachment({ container: wall, author: ada, content: Buffer.alloc(4_100_000) });
    const small = await app.given.project({ name: 'Demo', identifier: 'demo' });
    const post = await app.given.post(small, ada, 'Hello');
    await app.given.attachment({ container: post, author: ada, content: Buffer.alloc(186_000) });
    const page = await visit('/administration/usage');
    const projects = page.getByRole('region', { name: 'The largest projects' });
    await projects.getByText('North quay').waitFor();
    expect((await projects.getByRole('listitem').allInnerTexts()).map(plain)).toEqual([
      'North quay 4.1 MB, no limit, 1 file',
      'Demo 186 kB, no limit, 1 file',
    ]);
    expect(plain(await page.getByRole('region', { name: 'By kind' }).innerText())).toBe(
      'By kind All files 4.3 MB 2 files Work package 4.1 MB 1 file Forum post 186 kB 1 file',
    );
    expect([await accessibilityOf(page), await isTooWide(page)]).toEqual([[], false]);
    await projects.getByRole('link', { name: 'North quay' }).click();
    await page.getByRole('heading', { name: 'North quay', level: 1 }).waitFor();
    expect(complaintsOf(page)).toEqual([]);
    await page.context().close();
  }, 60_000);

  test('an OAuth application shows its secret once, and is deleted', async () => {
    const page = await visit('/administration/applications', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('link', { name: 'Add an application' }).click();
    const form = page.getByRole('form', { name: 'New OAuth application' });
    await form.getByLabel('Name').fill('Site diary');
    await form.getByLabel('Redirect addresses').fill('http://elsewhere.example/done');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.locator('[name=redirectUris][aria-invalid=true]').waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
    await form
      .getByLabel('Redirect addresses')
      .fill('https://diary.example/done  com.example.diary:/done');
    await form.getByRole('button', { name: 'Create' }).click();
    const secret = await page.getByLabel('Client secret').first().inputValue();
    expect(secret.length).toBeGreaterThan(20);
    await page.getByRole('button', { name: /^Copy.*Client secret/ }).click();
    await page.getByRole('button', { name: /^Copied.*Client secret/ }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    expect([await accessibilityOf(page), await isTooWide(page)]).toEqual([[], false]);
    await page.getByRole('link', { name: 'It is copied, continue' }).click();
    const row = page.getByRole('row', { name: /Site diary/ });
    await row.getByText('https://diary.example/done, com.example.diary:/done').waitFor();
    expect(await page.content()).not.toContain(secret);
    await row.getByRole('button', { name: /Delete/ }).click();
    await dialogOf(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No application yet').waitFor();
    expect(complaintsOf(page)).toEqual([]);
    await page.context().close();
  }, 60_000);

  test('a service that does not answer says so, and the page goes on when it does', async () => {
    const page = await visit('/administration/quarantine');
    await page.getByRole('heading', { name: 'Quarantine', level: 1 }).waitFor();
    await page.route('**/graphql', (route) => route.abort());
    await page.getByRole('link', { name: 'OAuth applications' }).click();
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    expect(await page.getByText('No application yet').count()).toBe(0);
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No application yet').waitFor();
    await page.context().close();
  }, 60_000);

  test.each([
    ['light', 390],
    ['dark', 1_440],
  ] as const)(
    'pages have no fault of accessibility, %s, %s px wide, and in Arabic',
    async (colorScheme, width) => {
      await held('a name that is rather long, of a drawing of the north quay, section 4.dwg');
      const page = await visit('/administration/quarantine', {
        colorScheme,
        viewport: { width, height: 800 },
      });
      for (const language of ['en', 'ar'])
        for (const path of pages.split(' ')) {
          await page
            .context()
            .addCookies([{ name: 'moorage_language', value: language, url: app.url }]);
          await page.goto(`/administration/${path}`);
          await page.locator('.admin-main :is(table, form, .blank, .panel)').first().waitFor();
          expect([path, await accessibilityOf(page), await isTooWide(page)]).toEqual([
            path,
            [],
            false,
          ]);
        }
      expect(complaintsOf(page)).toEqual([]);
      await page.context().close();
    },
    90_000,
  );
});
