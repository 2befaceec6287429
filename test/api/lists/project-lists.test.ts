/** The lists of a project in the graph: work packages, meetings, forum posts and wiki pages. */
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let admin: Person;
let house: { id: number; name: string };
let garden: { id: number; name: string };

const TITLES = ['beta', 'Alpha', 'émile', 'beta'];
const lists = ['meetings', 'posts', 'wikiPages'] as const;
const factories = { meetings: 'meeting', posts: 'post', wikiPages: 'wikiPage' } as const;
const permissionFor = {
  workPackages: 'view_work_packages',
  meetings: 'view_meetings',
  posts: 'view_messages',
  wikiPages: 'view_wiki_pages',
};
const rows: { [list: string]: ContainerHandle[] } = {};

beforeAll(async () => {
  app = await startApp();
  const { given } = app;
  admin = await given.user({ admin: true });
  house = await given.project();
  garden = await given.project();
  for (const list of lists) {
    rows[list] = [];
    for (const title of TITLES) {
      rows[list].push(await given[factories[list]](house, admin, title));
      await given[factories[list]](garden, admin, 'elsewhere');
    }
  }
  rows['workPackages'] = [];
  for (const subject of ['Lay cable', 'Order bricks'])
    rows['workPackages'].push(await given.workPackage(house, admin, subject));
  await given.workPackage(garden, admin, 'Lay cable');
});
afterAll(() => app.stop());

const PAGE =
  'totalCount totalIsAtLeast pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { databaseId';
const nameIn = (list: string) =>
  list === 'posts' || list === 'workPackages' ? 'title: subject' : 'title';
async function ask(list: string, args = '', person: Person = admin) {
  const { data, errors } = await app.graphql(
    `query ($id: ID!) { project(id: $id) { ${list}${args} { ${PAGE} ${nameIn(list)} } } } }`,
    { id: String(house.id) },
    person,
  );
  return { page: data?.project?.[list], errors };
}
const titles = async (list: string, args = '', person?: Person) =>
  (await ask(list, args, person)).page.nodes.map(({ title }: { title: string }) => title);

describe.each(lists)('%s of a project', (list) => {
  test('are those of the project, by id', async () => {
    const { page, errors } = await ask(list);
    expect(errors).toBeUndefined();
    expect(page).toEqual({
      totalCount: 4,
      totalIsAtLeast: false,
      pageInfo: {
        hasNextPage: false,
        hasPreviousPage: false,
        startCursor: expect.any(String),
        endCursor: expect.any(String),
      },
      nodes: rows[list]!.map(({ id }, at) => ({ databaseId: id, title: TITLES[at] })),
    });
  });

  test.each([
    ['TITLE_ASC', ['Alpha', 'beta', 'beta', 'émile'], [1, 0, 3, 2]],
    ['TITLE_DESC', ['émile', 'beta', 'beta', 'Alpha'], [2, 3, 0, 1]],
    ['ID_DESC', ['beta', 'émile', 'Alpha', 'beta'], [3, 2, 1, 0]],
  ])('are sorted by %s, then by id, and read page by page', async (order, sorted, places) => {
    const whole = await ask(list, `(orderBy: ${order})`);
    expect(whole.page.nodes).toEqual(
      places.map((place, at) => ({ databaseId: rows[list]![place]!.id, title: sorted[at] })),
    );
    const walked: string[] = [];
    let after = '';
    for (let pages = 0; pages < 4; pages += 1) {
      const { page } = await ask(list, `(orderBy: ${order}, first: 1${after})`);
      walked.push(...page.nodes.map(({ title }: { title: string }) => title));
      after = `, after: "${page.pageInfo.endCursor}"`;
    }
    expect(walked).toEqual(sorted);
    expect(await titles(list, `(orderBy: ${order}, first: 2, page: 2)`)).toEqual(sorted.slice(2));
    expect(await titles(list, `(orderBy: ${order}, last: 1)`)).toEqual(sorted.slice(3));
  });

  test('are sorted by the times', async () => {
    const { db } = app.running.services;
    const table = { meetings: 'meetings', posts: 'posts', wikiPages: 'wiki_pages' }[list];
    await db
      .write(table)
      .where('id', rows[list]![0]!.id)
      .update({ created_at: '2001-01-01T00:00:00.000Z', updated_at: '2099-01-01T00:00:00.000Z' });
    expect((await titles(list, '(orderBy: CREATED_AT_ASC)'))[0]).toBe('beta');
    const { page } = await ask(list, '(orderBy: UPDATED_AT_DESC, first: 1)');
    expect(page.nodes).toEqual([{ databaseId: rows[list]![0]!.id, title: 'beta' }]);
  });
});

test.each(['workPackages', ...lists] as const)(
  '%s are empty without the permission to view them there, and cost the others nothing',
  async (list) => {
    const permissions = Object.entries(permissionFor);
    const others = permissions.filter(([name]) => name !== list);
    const person = await app.given.member(
      house,
      others.map(([, permission]) => permission),
    );
    const elsewhere = await app.given.project();
    await app.given.membership(person, elsewhere, [permissionFor[list]]);
    const query = permissions.map(([name]) => `${name} { totalCount nodes { databaseId } }`);
    const { data, errors } = await app.graphql(
      `query ($id: ID!) { project(id: $id) { ${query.join(' ')} } }`,
      { id: String(house.id) },
      person,
    );
    expect(errors).toBeUndefined();
    expect(data.project).toEqual(
      Object.fromEntries(
        permissions.map(([name]) => {
          const shown = name === list ? [] : rows[name]!;
          return [
            name,
            { totalCount: shown.length, nodes: shown.map(({ id }) => ({ databaseId: id })) },
          ];
        }),
      ),
    );
    // Without any permission anywhere, too.
    const guest = await app.given.member(house, []);
    expect(await titles(list, '', guest)).toEqual([]);
  },
);

test('workPackages of a project takes the filter of the whole list, without projects', async () => {
  expect(await titles('workPackages')).toEqual(['Lay cable', 'Order bricks']);
  expect(await titles('workPackages', '(filter: { search: "lay" })')).toEqual(['Lay cable']);
  expect(await titles('workPackages', '(orderBy: [SUBJECT_DESC, ID_ASC])')).toEqual([
    'Order bricks',
    'Lay cable',
  ]);
  expect(await titles('workPackages', '(filter: { closed: true })')).toEqual([]);
  const { errors } = await ask('workPackages', '(filter: { projectIds: [1] })');
  expect(errors?.[0]?.message).toBe(
    'Field "projectIds" is not defined by type "ProjectWorkPackageFilter".',
  );
});

const cursor = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url');
describe.each(['workPackages', ...lists])('%s refuse', (list) => {
  test.each([
    ['(first: 201)', 'first', 'The argument "first" is a number from 0 to 200.'],
    ['(first: 2147483647)', 'first', 'The argument "first" is a number from 0 to 200.'],
    ['(first: -1)', 'first', 'The argument "first" is not a count.'],
    ['(after: "x")', 'after', 'The argument "after" is not a cursor of this list.'],
    ['(after: "\\u0000")', 'after', 'The argument "after" is not a cursor of this list.'],
    ['(before: "\\u202ex\\"\'")', 'before', 'The argument "before" is not a cursor of this list.'],
    [`(after: "${cursor('a', 1)}")`, 'after', 'The argument "after" is not a cursor of this list.'],
    [`(after: "${cursor(1e300)}")`, 'after', 'The argument "after" is not a cursor of this list.'],
    [
      '(page: 0, first: 1)',
      'page',
      'The argument "page" is a number from 1 and needs "first" without cursors.',
    ],
  ])('%s', async (args, attribute, message) => {
    const { errors } = await ask(list, args);
    expect(errors).toEqual([
      {
        message,
        path: ['project', list],
        locations: [expect.any(Object)],
        extensions: {
          code: 'INVALID_QUERY',
          errorIdentifier: 'urn:service-org:api:v3:errors:InvalidQuery',
          status: 400,
          attribute,
        },
      },
    ]);
  });
});

test('a cursor of titles with NUL is refused', async () => {
  const { errors } = await ask('meetings', `(orderBy: TITLE_ASC, after: "${cursor('a\0', 1)}")`);
  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['INVALID_QUERY']);
});
