/** What non-members may do by the role `Non member` they may do in public projects, and in no other because there is a public one. */
import { startApp, type App } from '../support/app.js';
import type { Person, StorageHandle } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';

let app: App;
let stranger: Person;
let storage: StorageHandle;
let open: { id: number };
beforeAll(async () => {
  app = await startApp();
  stranger = await app.given.user();
  storage = await app.given.storage();
  open = await app.given.project({ isPublic: true });
  for (const project of [open, await app.given.project()])
    await app.given.projectStorage(project, storage);
});
afterAll(() => app?.stop());

test('uploads to a storage are offered for the public projects that use it', async () => {
  await app.given.role(
    ['view_work_packages', 'view_file_links', 'manage_file_links'],
    'Non member',
  );
  const { data } = await app.graphql(
    'query ($id: ID!) { storage(id: $id) { uploadProjects { databaseId } } projectStorages { nodes { project { databaseId } } } }',
    { id: storage.id },
    stranger,
  );
  expect(data).toEqual({
    storage: { uploadProjects: [{ databaseId: open.id }] },
    projectStorages: { nodes: [{ project: { databaseId: open.id } }] },
  });
});

test('who may administer files in a public project sees all storages', async () => {
  const unused = await app.given.storage();
  const seen = async () =>
    (await app.graphql('{ storages { nodes { databaseId } } }', {}, stranger)).data.storages.nodes;
  await app.given.role(['view_work_packages', 'view_file_links'], 'Non member');
  expect(await seen()).toEqual([{ databaseId: storage.id }]);
  await app.given.role(['manage_files_in_project'], 'Non member');
  expect(await seen()).toEqual([{ databaseId: unused.id }, { databaseId: storage.id }]);
  // A member has the roles of the membership alone.
  await app.given.membership(stranger, open, ['view_work_packages', 'view_file_links']);
  expect(await seen()).toEqual([{ databaseId: storage.id }]);
  const other = await app.given.project();
  await app.given.membership(stranger, other, ['manage_files_in_project']);
  expect(await seen()).toEqual([{ databaseId: unused.id }, { databaseId: storage.id }]);
});
