/** The role `Non member` gives permissions in public projects only. */
import { startApp, type App } from '../support/app.js';
import type { Person, StorageHandle } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';

let app: App;
let nonMember: Person;
let storage: StorageHandle;
let open: { id: number };
beforeAll(async () => {
  app = await startApp();
  nonMember = await app.given.user();
  storage = await app.given.storage();
  open = await app.given.project({ isPublic: true });
  for (const project of [open, await app.given.project()])
    await app.given.projectStorage(project, storage);
});
afterAll(() => app?.stop());

test('a non-member can upload to the public projects of a storage', async () => {
  await app.given.role(
    ['view_work_packages', 'view_file_links', 'manage_file_links'],
    'Non member',
  );
  const { data } = await app.graphql(
    'query ($id: ID!) { storage(id: $id) { uploadProjects { databaseId } } projectStorages { nodes { project { databaseId } } } }',
    { id: storage.id },
    nonMember,
  );
  expect(data).toEqual({
    storage: { uploadProjects: [{ databaseId: open.id }] },
    projectStorages: { nodes: [{ project: { databaseId: open.id } }] },
  });
});

test('a non-member with manage_files_in_project in a public project sees all storages', async () => {
  const unused = await app.given.storage();
  const seen = async () =>
    (await app.graphql('{ storages { nodes { databaseId } } }', {}, nonMember)).data.storages.nodes;
  await app.given.role(['view_work_packages', 'view_file_links'], 'Non member');
  expect(await seen()).toEqual([{ databaseId: storage.id }]);
  await app.given.role(['manage_files_in_project'], 'Non member');
  expect(await seen()).toEqual([{ databaseId: unused.id }, { databaseId: storage.id }]);
  // A member has only the roles of the membership.
  await app.given.membership(nonMember, open, ['view_work_packages', 'view_file_links']);
  expect(await seen()).toEqual([{ databaseId: storage.id }]);
  const other = await app.given.project();
  await app.given.membership(nonMember, other, ['manage_files_in_project']);
  expect(await seen()).toEqual([{ databaseId: unused.id }, { databaseId: storage.id }]);
});
