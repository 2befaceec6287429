/** The list of all linked files in the graph: who sees which, search and pages. */
import { FileLink } from '../../../src/models/file-link.js';
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person, StorageHandle } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

let app: App;
let admin: Person;
let mia: Person;
let rob: Person;
let wall: ContainerHandle;
let crane: ContainerHandle;
const links: number[] = [];

beforeAll(async () => {
  app = await startApp();
  const { given } = app;
  admin = await given.user({ admin: true });
  const depot = await given.project();
  const harbour = await given.project();
  mia = await given.member(depot, ['view_work_packages', 'view_file_links']);
  rob = await given.member(depot, ['view_work_packages']);
  await given.membership(rob, harbour, ['view_work_packages', 'view_file_links']);
  // Nothing answers there: the search asks no storage.
  const storage = await given.storage();
  const unused = await given.storage();
  for (const project of [depot, harbour]) await given.projectStorage(project, storage);
  wall = await given.workPackage(depot, admin, 'Wall');
  crane = await given.workPackage(harbour, admin, 'Crane');
  const link = async (
    originName: string,
    workPackage: ContainerHandle | undefined,
    to: StorageHandle = storage,
  ) => {
    const createdAt = new Date().toISOString();
    const { id } = await FileLink.query(app.running.services.db.write)
      .insert({
        workPackageId: workPackage?.id ?? null,
        storageId: to.id,
        creatorId: mia.id,
        originId: originName,
        originName,
        createdAt,
        updatedAt: createdAt,
      })
      .returning('id');
    links.push(id);
  };
  await link('Ladder Süd.dwg', wall);
  await link('Ladder 3.pdf', wall);
  await link('crane ladder.pdf', crane);
  await link('ladder of a storage that left the project.pdf', wall, unused);
  await link('unclaimed ladder.pdf', undefined);
});
afterAll(() => app?.stop());

const LIST = `query ($search: String, $orderBy: FileLinkOrder, $first: Int, $after: String, $last: Int, $before: String) {
  fileLinks(search: $search, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) {
    totalCount totalIsAtLeast
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    nodes { databaseId originData(refresh: false) { name } container { databaseId } storage { id } }
  }
}`;

interface Row {
  databaseId: number;
  originData: { name: string };
}
const answer = (variables: object, person: Person | undefined = admin) =>
  app.graphql(LIST, variables, person);
async function rows(variables: object, person?: Person): Promise<Row[]> {
  const { data, errors } = await answer(variables, person);
  expect(errors).toBeUndefined();
  return data.fileLinks.nodes;
}
const names = async (variables: object, person?: Person) =>
  (await rows(variables, person)).map(({ originData: { name } }) => name);

test('linked files are found by their last known names, newest first', async () => {
  const { data } = await answer({ search: 'LADDER sud' }, mia);
  expect(data).toEqual({
    fileLinks: {
      totalCount: 1,
      totalIsAtLeast: false,
      pageInfo: {
        hasNextPage: false,
        hasPreviousPage: false,
        startCursor: expect.any(String),
        endCursor: expect.any(String),
      },
      nodes: [
        {
          databaseId: links[0],
          originData: { name: 'Ladder Süd.dwg' },
          container: { databaseId: wall.id },
          storage: { id: expect.any(String) },
        },
      ],
    },
  });
  expect(await names({ search: 'ladder' }, mia)).toEqual(['Ladder 3.pdf', 'Ladder Süd.dwg']);
  expect(await names({ search: '3' })).toEqual(['Ladder 3.pdf']);
  expect(await names({ search: 'nowhere' })).toEqual([]);
});

test.each(['admin', 'mia', 'rob', 'nobody'])(
  '%s: the list shows what single reads show',
  async (who) => {
    const person = { admin, mia, rob }[who];
    const single = await app.graphql(
      `{ ${links.map((id) => `l${id}: fileLink(id: ${id}) { databaseId container { databaseId } }`).join(' ')} }`,
      {},
      person,
    );
    const readable = Object.values(
      single.data as { [alias: string]: { databaseId: number; container: object | null } | null },
    ).flatMap((link) => (link?.container ? [link.databaseId] : []));
    const { data } = await app.graphql(LIST, { orderBy: 'OLDEST_FIRST' }, person);
    expect(data.fileLinks.nodes.map(({ databaseId }: Row) => databaseId)).toEqual(readable);
    expect(readable.length).toBe({ admin: 3, mia: 2, rob: 1, nobody: 0 }[who]);
  },
);

test('pages go forward and backward', async () => {
  const { data } = await answer({ first: 2 });
  const { endCursor } = data.fileLinks.pageInfo;
  expect(await names({ first: 2, after: endCursor })).toEqual(['Ladder Süd.dwg']);
  expect(await names({ last: 1, before: endCursor })).toEqual(['crane ladder.pdf']);
});

test.each([
  ['a long search', { search: 'x'.repeat(1_001) }, 'The search has more than 1,000 characters.'],
  ['a foreign cursor', { after: 'x' }, 'The argument "after" is not a cursor of this list.'],
])('%s is refused', async (_, variables, message) => {
  const { data, errors } = await answer(variables);
  expect(data).toBeNull();
  expect(errors?.map(({ message: text, extensions: { code } }) => [text, code])).toEqual([
    [message, 'INVALID_QUERY'],
  ]);
});
