/** The page of a project's storages: connections, and how the project folder stands. */
import type { Browser } from 'playwright-core';
import { signable } from '../api/auth/support/applications.js';
import { fileServerFolders, type FolderRemote } from '../storages/folders/remotes.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { Person, StorageHandle } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, openAs } from '../support/pages.js';

const ADDRESS = '/projects/north-quay/storages';

describeBrowser('the storages of a project', () => {
  let app: App;
  let browser: Browser;
  let remote: FolderRemote;
  let storage: StorageHandle;
  let quay: { id: number };
  let admin: Person;

  beforeAll(async () => {
    [browser, remote] = await Promise.all([startBrowser(), fileServerFolders()]);
    app = await startApp({ BACKGROUND_WORK: 'true', STORAGE_ALLOW_PRIVATE: 'true' });
    admin = await app.given.user({ admin: true });
    quay = await app.given.project({ name: 'North quay repair', identifier: 'north-quay' });
    storage = await app.given.storage({ ...remote.storage(), name: 'Site files' });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await remote?.close();
  });

  /** Opens the page as a new member of the project. */
  async function pageOf(...permissions: string[]) {
    const person = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
    await app.given.membership(person, quay, [
      'view_work_packages',
      'view_file_links',
      ...permissions,
    ]);
    return openAs(browser, app, person, `/login?return_to=${encodeURIComponent(ADDRESS)}`);
  }

  test('a new folder is prepared, and ready a few seconds later', async () => {
    const reader = await pageOf('read_files');
    await reader.getByText('No storage belongs to this project.').waitFor();
    const { errors } = await app.graphql(
      `mutation ($input: CreateProjectStorageInput!) {
        createProjectStorage(input: $input) { projectStorage { id } }
      }`,
      {
        input: {
          projectId: String(quay.id),
          storageId: storage.globalId,
          projectFolderMode: 'AUTOMATIC',
        },
      },
      admin,
    );
    expect(errors).toBeUndefined();
    await reader.reload();
    const card = reader.locator('.card', { hasText: 'Site files' });
    await card.getByText('The project folder is being prepared.').waitFor();
    expect(await accessibilityOf(reader)).toEqual([]);
    await card.getByText('The project folder is up to date.').waitFor();
    expect(complaintsOf(reader)).toEqual([]);
    await reader.context().close();
  });

  test('whoever may not read its files is told so', async () => {
    const page = await pageOf();
    await page.getByText('You may not open the project folder.').waitFor();
    await page.context().close();
  });

  test('only who manages storages reads why a folder is not up to date', async () => {
    const message =
      'The storage has no team folder OpenProject. Repeat the set-up of project folders in the integration app there.';
    remote.server.fault({ status: 404 }, ({ method }) => method === 'PROPFIND');
    await app.running.services.db
      .write('folder_syncs')
      .update({ due_at: new Date().toISOString() });
    const manager = await pageOf('read_files', 'manage_files_in_project');
    const reader = await pageOf('read_files');
    for (const page of [manager, reader]) {
      const failed = page.getByText('The project folder is not up to date.');
      for (let tries = 0; tries < 30 && !(await failed.isVisible()); tries += 1) {
        await page.waitForTimeout(500);
        await page.reload();
        await page.locator('.card').waitFor();
      }
      await failed.waitFor();
    }
    expect(await manager.getByText(message).count()).toBe(1);
    expect(await reader.getByText(message).count()).toBe(0);
    expect(await accessibilityOf(manager)).toEqual([]);
    for (const page of [manager, reader]) await page.context().close();
  });
});
