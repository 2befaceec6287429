/** Linked files of a work package in a browser, with a file server and a cloud drive. */
import type { Browser, Page } from 'playwright-core';
import {
  stockedCloudDrive,
  stockedFileServer,
  linkIn,
  type Stocked,
} from '../storages/storages-with-files.js';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { ContainerHandle, Person, StorageHandle } from '../support/factories.js';
import type { CloudDrive } from '../support/fakes/cloud-drive.js';
import type { FileServer } from '../../demo/servers/file-server.js';
import { afterAll, afterEach, beforeAll, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, hasFocus, isTooWide, openAs } from '../support/pages.js';

const RIGHTS = ['view_work_packages', 'view_file_links', 'manage_file_links'];
const ENTRIES = 10_000;

describeBrowser('the linked files of a work package', () => {
  let app: App;
  let browser: Browser;
  let server: Stocked;
  let drive: Stocked;
  let files: StorageHandle;
  let drawings: StorageHandle;
  let mia: Person;
  let rob: Person;
  let ida: Person;
  let page: Page;
  let workPackage: ContainerHandle;
  let project: { id: number; identifier: string };
  const address = () => `/work_packages/${workPackage.id}`;

  beforeAll(async () => {
    [browser, server, drive] = await Promise.all([
      startBrowser(),
      stockedFileServer(),
      stockedCloudDrive(),
    ]);
    app = await startApp({
      ...drive.environment,
      CLOUD_DRIVE_UPLOAD_HOSTS: drive.server.url,
      BACKGROUND_WORK: 'true',
    });
    (server.server as FileServer).setClient({
      ...server.storage.client!,
      redirectUri: `${app.url}/oauth_clients/${server.storage.client!.id}/callback`,
    });
    project = await app.given.project({ name: 'North quay repair' });
    files = await app.given.storage({ ...server.storage, name: 'Site files' });
    drawings = await app.given.storage({ ...drive.storage, name: 'Drawings' });
    for (const storage of [files, drawings]) await app.given.projectStorage(project, storage);
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
    rob = await signable(app, { firstName: 'Rob', lastName: 'Ott' });
    ida = await signable(app, { firstName: 'Ida', lastName: 'Sand' });
    for (const person of [mia, rob, ida]) await app.given.membership(person, project, RIGHTS);
    for (const person of [mia, rob])
      for (const [storage, remote] of [
        [files, server],
        [drawings, drive],
      ] as const)
        await app.given.storageTokens(person, storage, {
          ...remote.grant(),
          originUserId: remote.userId,
        });
    workPackage = await app.given.workPackage(project, mia, 'Repair the quay wall, section 4');
    await stock();
    page = await openAs(browser, app, mia, address());
    await berth(page, 'Drawings').getByText('Connected', { exact: true }).waitFor();
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await Promise.all([server?.close(), drive?.close()]);
  });
  afterEach(async () => {
    // A dialog that a failed test leaves open would hide the page from the next one.
    if (await page.getByRole('dialog').count()) await page.reload();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
    server.server.repair();
    expect(complaintsOf(page)).toEqual([]);
  });

  /** Three links in each storage: to a file, to one that Mia may not see, and to one that is gone. */
  async function stock(): Promise<void> {
    const place = { person: mia, workPackage };
    for (const [storage, remote] of [
      [files, server],
      [drawings, drive],
    ] as const) {
      const [plan, secret, gone] = ['Plan.pdf', 'Secret.pdf', 'Gone.pdf'].map((name) =>
        remote.file(`/${name}`, { content: name }),
      ) as [string, string, string];
      remote.hide(secret);
      remote.remove(gone);
      for (const [id, originName] of [
        [plan, 'Plan.pdf'],
        [secret, 'Secret.pdf'],
        [gone, 'Gone.pdf'],
      ] as const)
        await linkIn(app, place, storage, id, { originName, originMimeType: 'application/pdf' });
      remote.file('/Surveys/2026/North.txt');
      remote.file('/Surveys/2026/South.txt');
      remote.folder('/Empty');
    }
    for (let at = 0; at < ENTRIES; at += 1)
      server.file(`/Photos/IMG ${String(at).padStart(5, '0')}.jpg`, { content: '' });
  }

  const berth = (of: Page, name: string) => of.getByRole('region', { name, exact: true });
  const row = (of: Page, storage: string, name: string) =>
    berth(of, storage).locator('.linked', { has: of.locator(`[title="${name}"]`) });
  const namesIn = (storage: string) =>
    berth(page, storage)
      .locator('.linked .name')
      .evaluateAll((found) => found.map((one) => one.getAttribute('title')).toSorted());
  const dialogOf = (storage: string) =>
    page.getByRole('dialog', { name: `Link files of ${storage}` });
  async function browse(storage: string) {
    await berth(page, storage).getByRole('button', { name: 'Link files' }).click();
    const dialog = dialogOf(storage);
    await dialog.getByRole('checkbox').first().waitFor();
    return dialog;
  }
  const enter = async (name: string) => {
    const button = page.getByRole('button', { name: `Open the folder ${name}`, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.locator('[aria-current=location]', { hasText: name }).waitFor();
  };
  const linkedNames = async () => {
    const { body } = await app.get(`${workPackage.path}/file_links`, mia);
    return body._embedded.elements.map((one: any) => one.originData.name).toSorted();
  };

  test('they are grouped by storage, and say what the storage says of each', async () => {
    for (const storage of ['Site files', 'Drawings']) {
      expect(await namesIn(storage)).toEqual(['Gone.pdf', 'Plan.pdf', 'Secret.pdf']);
      const plan = row(page, storage, 'Plan.pdf');
      expect(await plan.getByRole('link', { name: 'Plan.pdf' }).getAttribute('href')).toMatch(
        /^\/api\/v3\/file_links\/\d+\/open$/,
      );
      const secret = row(page, storage, 'Secret.pdf');
      expect(await secret.innerText()).toContain('You may not see this file there.');
      expect(await secret.getByRole('link').count()).toBe(0);
      const gone = row(page, storage, 'Gone.pdf');
      expect(await gone.innerText()).toContain('Not there any more.');
      expect(await gone.getByRole('link').count()).toBe(0);
    }
  });

  test('a file opens in its storage, shows in its folder and is downloaded', async () => {
    const plan = row(page, 'Site files', 'Plan.pdf');
    await plan.locator('summary').click();
    for (const name of ['Open', 'Show in its folder', 'Download']) {
      const link = plan.getByRole('link', { name, exact: true });
      expect(await link.getAttribute('target')).toBe('_blank');
      expect(await link.getAttribute('href')).toMatch(/^\/api\/v3\/file_links\/\d+\//);
    }
    await page.keyboard.press('Escape');
  });

  test('folders are entered by keyboard, and steps lead back', async () => {
    const dialog = await browse('Site files');
    await enter('Surveys');
    await enter('2026');
    const box = dialog.getByRole('checkbox', { name: 'Select North.txt' });
    await box.waitFor();
    // The focus is in the list, so that the next Tab reaches its first row.
    await page.keyboard.press('Tab');
    expect(await hasFocus(box)).toBe(true);
    const path = dialog.getByRole('navigation', { name: 'Folder' });
    expect(await path.getByRole('listitem').allInnerTexts()).toEqual([
      'All files',
      'Surveys',
      '2026',
    ]);
    expect(await accessibilityOf(page)).toEqual([]);
    await path.getByRole('button', { name: 'All files' }).click();
    await enter('Empty');
    await dialog.getByText('Nothing in this folder yet').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const opener = berth(page, 'Site files').getByRole('button', { name: 'Link files' });
    expect(await hasFocus(opener)).toBe(true);
  });

  test('several files of different folders are linked at once', async () => {
    const dialog = await browse('Drawings');
    const plan = dialog.getByRole('listitem').filter({ hasText: 'Plan.pdf' });
    expect(await plan.innerText()).toContain('Linked already');
    expect(await plan.getByRole('checkbox').isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'Select Empty' }).check();
    await enter('Surveys');
    await enter('2026');
    await dialog.getByRole('checkbox', { name: 'Select North.txt' }).check();
    await dialog.getByRole('checkbox', { name: 'Select South.txt' }).check();
    await dialog.getByRole('button', { name: 'Link 3 files' }).click();
    await page.getByText('3 files linked').waitFor();
    await row(page, 'Drawings', 'South.txt').waitFor();
    expect(await namesIn('Drawings')).toEqual([
      'Empty',
      'Gone.pdf',
      'North.txt',
      'Plan.pdf',
      'Secret.pdf',
      'South.txt',
    ]);
    // A folder says so too, and the files of the same names elsewhere do not.
    const again = await browse('Drawings');
    const folder = again.getByRole('listitem').filter({ hasText: 'Empty' });
    expect(await folder.innerText()).toContain('Linked already');
    await page.keyboard.press('Escape');
    await again.waitFor({ state: 'detached' });
  });

  test('a dialog knows the links that the page does not show yet', async () => {
    const full = await app.given.workPackage(project, mia, 'Everything about the quay');
    const place = { person: mia, workPackage: full };
    for (let at = 0; at < 100; at += 1)
      await linkIn(app, place, files, `99000${at}`, { originName: `Old ${at}.txt` });
    const id = server.file('/Newest.txt', { content: '' });
    await linkIn(app, place, files, id, { originName: 'Newest.txt' });
    const other = await openAs(browser, app, mia, `/work_packages/${full.id}`);
    await row(other, 'Site files', 'Old 99.txt').waitFor();
    expect(await row(other, 'Site files', 'Newest.txt').count()).toBe(0);
    await berth(other, 'Site files').getByRole('button', { name: 'Link files' }).click();
    const newest = other.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Newest' });
    await newest.getByText('Linked already').waitFor();
    expect(await newest.getByRole('checkbox').isDisabled()).toBe(true);
    expect(complaintsOf(other)).toEqual([]);
    await other.context().close();
  });

  test('a folder of ten thousand entries shows a hundred, and is filtered', async () => {
    const dialog = await browse('Site files');
    await enter('Photos');
    await dialog.getByText('10,000 entries').waitFor();
    expect(await dialog.locator('.entry').count()).toBe(100);
    await dialog.getByText('Showing 100 of 10,000. Filter to find others.').waitFor();
    await dialog.getByLabel('Filter this folder').fill('img 0987');
    await dialog.getByText('10 entries').waitFor();
    expect(await dialog.locator('.entry').count()).toBe(10);
    await dialog.getByLabel('Filter this folder').fill('no such picture');
    await dialog.getByText('Nothing has these words.').waitFor();
    await page.keyboard.press('Escape');
    // Escape empties the filter first.
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  }, 60_000);

  test.each(['Site files', 'Drawings'])(
    'in a new folder of %s a file is uploaded, and linked afterwards',
    async (storage) => {
      const dialog = await browse(storage);
      const name = `Sheet of ${storage}.txt`;
      await dialog.getByRole('button', { name: 'New folder' }).click();
      await dialog.getByLabel('Name of the new folder').fill('Deliveries');
      await page.keyboard.press('Enter');
      await enter('Deliveries');
      await dialog.locator('input[type=file]').setInputFiles({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from('sent by the browser'),
      });
      await dialog.waitFor({ state: 'detached' });
      await row(page, storage, name).waitFor();
      expect(await linkedNames()).toContain(name);
      const link = await app.running.services.db
        .read('file_links')
        .where({ origin_name: name })
        .first();
      const content =
        storage === 'Drawings'
          ? (drive.server as CloudDrive).contentOf(link.origin_id)
          : (server.server as FileServer).contentOf(Number(link.origin_id));
      expect(content.toString()).toBe('sent by the browser');
    },
  );

  test('a folder that is there already says so, and the name stays', async () => {
    const dialog = await browse('Site files');
    await dialog.getByRole('button', { name: 'New folder' }).click();
    await dialog.getByLabel('Name of the new folder').fill('Deliveries');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByLabel('Name of the new folder').inputValue()).toBe('Deliveries');
    expect(await accessibilityOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('a link of somebody else appears at once', async () => {
    const id = server.file('/From Rob.txt');
    const { status } = await app.post(`${workPackage.path}/file_links`, rob, {
      _embedded: {
        elements: [
          {
            originData: { id, name: 'From Rob.txt', mimeType: 'text/plain' },
            _links: { storage: { href: files.path } },
          },
        ],
      },
    });
    expect(status).toBe(201);
    await row(page, 'Site files', 'From Rob.txt').waitFor();
  });

  test('a file is unlinked, and stays in its storage', async () => {
    const before = await linkedNames();
    const one = row(page, 'Site files', 'From Rob.txt');
    await one.locator('summary').click();
    await one.getByRole('button', { name: 'Unlink' }).click();
    await page.getByText('From Rob.txt is no longer linked.').waitFor();
    await one.waitFor({ state: 'detached' });
    expect(await linkedNames()).toEqual(before.filter((name: string) => name !== 'From Rob.txt'));
    const heading = page.getByRole('heading', { name: 'Linked files' });
    expect(await hasFocus(heading)).toBe(true);
    const dialog = await browse('Site files');
    const box = dialog.getByRole('checkbox', { name: 'Select From Rob.txt' });
    expect(await box.isEnabled()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 320],
    ['dark', 320],
  ] as const)('no barrier in the section and the dialog: %s, %d px', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    expect(await accessibilityOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    const dialog = await browse('Drawings');
    expect(await accessibilityOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    const inside = await dialog.evaluate((one: any) => one.scrollWidth <= one.clientWidth);
    expect(inside).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('a storage that is down shows what was last known, until it answers again', async () => {
    await row(page, 'Site files', 'Plan.pdf').waitFor();
    const before = await namesIn('Site files');
    server.server.fault('reset');
    await page.reload();
    const silent = berth(page, 'Site files');
    await silent.getByText('Does not answer', { exact: true }).waitFor();
    await silent.getByText('You see what was last known. Nothing is lost.').waitFor();
    expect(await namesIn('Site files')).toEqual(before);
    expect(await row(page, 'Site files', 'Plan.pdf').getByRole('link').count()).toBe(0);
    expect(await silent.getByRole('button', { name: 'Link files' }).count()).toBe(0);
    // The other storage is not touched.
    await row(page, 'Drawings', 'Plan.pdf').getByRole('link', { name: 'Plan.pdf' }).waitFor();
    expect(await accessibilityOf(page)).toEqual([]);

    server.server.repair();
    await silent.getByRole('button', { name: 'Ask again' }).click();
    await silent.getByText('Connected', { exact: true }).waitFor();
    await row(page, 'Site files', 'Plan.pdf').getByRole('link', { name: 'Plan.pdf' }).waitFor();
  });

  test('a storage that falls silent while its folder is open offers to ask again', async () => {
    const dialog = await browse('Site files');
    server.server.fault('reset');
    await page.getByRole('button', { name: 'Open the folder Surveys' }).click();
    await dialog.getByRole('alert').waitFor({ timeout: 20_000 });
    expect(await accessibilityOf(page)).toEqual([]);
    server.server.repair();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('button', { name: 'Open the folder 2026' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }, 60_000);

  test('who is not connected connects, and comes back to this page', async () => {
    const own = await openAs(browser, app, ida, address());
    const section = berth(own, 'Site files');
    await section.getByText('You are not connected').waitFor();
    // The rows show what was last known, and the heading says why.
    const known = await row(own, 'Site files', 'Plan.pdf').innerText();
    expect([known.includes('8 bytes'), known.includes('did not answer')]).toEqual([true, false]);
    expect(await section.getByRole('button', { name: 'Link files' }).count()).toBe(0);
    const connect = section.getByRole('link', { name: 'Connect my account' });
    const target = new URL((await connect.getAttribute('href')) ?? '');
    expect([target.origin, target.pathname]).toEqual([
      app.url,
      `/oauth_clients/${server.storage.client!.id}/ensure_connection`,
    ]);
    expect(Object.fromEntries(target.searchParams)).toEqual({
      storage_id: String(files.id),
      destination_url: address(),
    });
    expect(await accessibilityOf(own)).toEqual([]);
    expect(complaintsOf(own)).toEqual([]);
    await own.goto(`/projects/${project.identifier}/storages`);
    const card = own.locator('.card', { hasText: 'Drawings' });
    expect(await card.innerText()).toContain('You are not connected');
    expect(await card.getByRole('link', { name: 'Connect my account' }).count()).toBe(1);
    expect(await accessibilityOf(own)).toEqual([]);
    await own.goto(address());
    await connect.click();
    await own.getByLabel('Account name').fill('mia');
    await own.getByLabel('Password').fill('planted-mia-password');
    await own.getByRole('button', { name: 'Log in' }).click();
    await own.getByRole('button', { name: 'Grant access' }).click();
    await own.waitForURL(`${app.url}${address()}`);
    await section.getByText('Connected', { exact: true }).waitFor();
    await row(own, 'Site files', 'Plan.pdf').getByRole('link', { name: 'Plan.pdf' }).waitFor();
    await own.context().close();
  });

  test('the drive was asked as its description says', () => {
    drive.check();
  });
});
