/** The list of all files in the graph: who sees which, search, filters, order and pages. */
import { blocksOf } from '../../packaging/pages.js';
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

let app: App;
let admin: Person;
let mia: Person;
let reader: Person;
let depot: { id: number };
let harbour: { id: number };
let roof: ContainerHandle;
let minutes: ContainerHandle;
/** By the name of the file. */
const times: { [fileName: string]: string } = {};

beforeAll(async () => {
  app = await startApp();
  const { given } = app;
  admin = await given.user({ admin: true });
  depot = await given.project({ name: 'Depot' });
  harbour = await given.project({ name: 'Harbour' });
  mia = await given.member(depot, ['view_work_packages', 'view_internal_comments']);
  reader = await given.member(depot, ['view_work_packages']);
  await given.membership(reader, harbour, ['view_meetings']);
  roof = await given.workPackage(depot, admin, 'Roof');
  minutes = await given.meeting(harbour, admin);
  const internal = await given.comment(roof, admin, { internal: true });
  let day = 1;
  const add = async (fileName: string, container: ContainerHandle | undefined, more = {}) => {
    const file = await given.attachment({ author: admin, fileName, container, ...more });
    const createdAt = `2026-03-0${day++}T00:00:00.000Z`;
    await file.$query(app.running.services.db.write).patch({ createdAt });
    times[fileName] = createdAt;
  };
  await add('Plan Süd.pdf', roof, {
    description: 'First draft of the gables',
    contentType: 'application/pdf',
    content: 'x'.repeat(30),
  });
  await add('gable.png', roof, { author: mia, contentType: 'image/png', content: 'x'.repeat(20) });
  await add('hidden gable.png', internal, { contentType: 'image/png', content: 'x'.repeat(40) });
  await add('minutes.txt', minutes, { description: 'About gables', content: 'x'.repeat(10) });
  await add('loose gable.txt', undefined, { author: mia });
  await add('pending gable.txt', roof, { author: mia, status: 'prepared' });
  await add('caught.exe', roof, { status: 'quarantined', content: 'x'.repeat(50) });
});
afterAll(() => app?.stop());

test('the examples of the documentation answer', async () => {
  const examples = blocksOf('docs/how-to/find-files.md').filter(
    ({ language }) => language === 'graphql',
  );
  const answers = await Promise.all(examples.map(({ text }) => app.graphql(text, {}, mia)));
  expect(answers.map(({ errors }) => errors)).toEqual([undefined, undefined]);
});

test('files of a work package and of its comments are a list, as far as the caller sees them', async () => {
  const filter = { workPackageIds: [String(roof.id)] };
  const orderBy = 'CREATED_AT_ASC';
  const own = ['Plan Süd.pdf', 'gable.png'];
  expect(await names({ filter, orderBy }, mia)).toEqual([...own, 'hidden gable.png', 'caught.exe']);
  expect(await names({ filter, orderBy }, reader)).toEqual([...own, 'caught.exe']);
  const inComments = { ...filter, containerTypes: ['ACTIVITY'] };
  expect(await names({ filter: inComments }, mia)).toEqual(['hidden gable.png']);
  expect(await names({ filter: inComments }, reader)).toEqual([]);
  expect(await names({ filter: { workPackageIds: [] } }, mia)).toEqual([]);
  expect((await answer({ filter }, null)).errors).toMatchObject([
    { extensions: { code: 'INVALID_QUERY' } },
  ]);
});

test('a file has one of several media types', async () => {
  const of = (contentTypes: string[], more = {}) =>
    names({ filter: { contentTypes, ...more }, orderBy: 'FILE_NAME_ASC' }, mia);
  expect(await of(['application/pdf', 'image/*'])).toEqual([
    'Plan Süd.pdf',
    'gable.png',
    'hidden gable.png',
  ]);
  expect(await of(['application/pdf', 'image/*'], { contentType: 'image/png' })).toEqual([
    'gable.png',
    'hidden gable.png',
  ]);
  expect(await of([])).toEqual([]);
  const tooMany = Array.from({ length: 21 }, (_, one) => `image/x${one}`);
  for (const contentTypes of [['png'], tooMany])
    expect((await answer({ filter: { contentTypes } }, mia)).errors).toMatchObject([
      { extensions: { code: 'INVALID_QUERY' } },
    ]);
});

test('files are sorted by the name of who added them, here and in a container', async () => {
  const { data, errors } = await app.graphql(
    `query ($id: ID!) { container(id: $id) { attachments(orderBy: AUTHOR_ASC) { nodes { author { name } } } } }`,
    { id: roof.globalId },
    admin,
  );
  expect(errors).toBeUndefined();
  const authors = data.container.attachments.nodes.map((one: any) => one.author.name.toLowerCase());
  expect(authors).toHaveLength(3);
  expect(authors).toEqual([...authors].sort());
  const ascending = await names({ orderBy: 'AUTHOR_ASC' });
  expect(ascending).not.toEqual(await names({ orderBy: 'ID_ASC' }));
  expect(await names({ orderBy: 'AUTHOR_DESC' })).toEqual(ascending.toReversed());
});

const LIST = `query ($search: String, $filter: FoundAttachmentFilter, $orderBy: AttachmentOrder, $first: Int, $after: String, $last: Int, $before: String, $page: Int) {
  attachments(search: $search, filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before, page: $page) {
    totalCount totalIsAtLeast
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    nodes { fileName container { databaseId } }
  }
}`;

const answer = (variables: object, person: Person | null) =>
  app.graphql(LIST, variables, person ?? undefined);
async function names(variables: object, person: Person | null = admin): Promise<string[]> {
  const { data, errors } = await answer(variables, person);
  expect(errors).toBeUndefined();
  return data.attachments.nodes.map(({ fileName }: { fileName: string }) => fileName);
}

test('everybody finds the files that they see, newest first; those without a container are not found', async () => {
  const { data } = await answer({}, mia);
  expect(data).toEqual({
    attachments: {
      totalCount: 4,
      totalIsAtLeast: false,
      pageInfo: {
        hasNextPage: false,
        hasPreviousPage: false,
        startCursor: expect.any(String),
        endCursor: expect.any(String),
      },
      nodes: [
        { fileName: 'caught.exe', container: { databaseId: roof.id } },
        { fileName: 'hidden gable.png', container: { databaseId: expect.any(Number) } },
        { fileName: 'gable.png', container: { databaseId: roof.id } },
        { fileName: 'Plan Süd.pdf', container: { databaseId: roof.id } },
      ],
    },
  });
  expect(await names({}, reader)).toEqual([
    'caught.exe',
    'minutes.txt',
    'gable.png',
    'Plan Süd.pdf',
  ]);
  expect(await names({})).toEqual([
    'caught.exe',
    'minutes.txt',
    'hidden gable.png',
    'gable.png',
    'Plan Süd.pdf',
  ]);
  expect(await names({}, null)).toEqual([]);
});

test.each([
  ['gable', ['minutes.txt', 'hidden gable.png', 'gable.png', 'Plan Süd.pdf']],
  ['GABLE draft', ['Plan Süd.pdf']],
  ['sud', ['Plan Süd.pdf']],
  ['pl dr', ['Plan Süd.pdf']],
  ['gables.', []],
  ['süd first', ['Plan Süd.pdf']],
  ['loose', []],
  ['pending', []],
  ['', ['caught.exe', 'minutes.txt', 'hidden gable.png', 'gable.png', 'Plan Süd.pdf']],
])('the search "%s" finds words of names and descriptions', async (search, found) => {
  expect(await names({ search })).toEqual(found);
});

test('a container is searched by names only, as before', async () => {
  const { data } = await app.graphql(
    'query ($id: ID!) { container(id: $id) { ... on WorkPackage {' +
      ' name: attachments(filter: { search: "plan sud" }) { nodes { fileName } }' +
      ' description: attachments(filter: { search: "draft" }) { nodes { fileName } } } } }',
    { id: roof.globalId },
    admin,
  );
  expect(data).toEqual({
    container: { name: { nodes: [{ fileName: 'Plan Süd.pdf' }] }, description: { nodes: [] } },
  });
});

test('filters narrow the list together', async () => {
  const found = (filter: object) => names({ filter });
  expect(await found({ containerTypes: ['ACTIVITY', 'MEETING'] })).toEqual([
    'minutes.txt',
    'hidden gable.png',
  ]);
  expect(await found({ containerTypes: [] })).toEqual([]);
  expect(await found({ projectIds: [String(harbour.id)] })).toEqual(['minutes.txt']);
  expect(await found({ projectIds: [] })).toEqual([]);
  expect(await found({ authorIds: [String(mia.id)] })).toEqual(['gable.png']);
  expect(await found({ contentType: 'image/png' })).toEqual(['hidden gable.png', 'gable.png']);
  expect(await found({ contentType: 'Image/*' })).toEqual(['hidden gable.png', 'gable.png']);
  expect(await found({ contentType: 'image/p' })).toEqual([]);
  expect(
    await found({ createdAfter: times['gable.png'], createdBefore: times['minutes.txt'] }),
  ).toEqual(['minutes.txt', 'hidden gable.png', 'gable.png']);
  expect(
    await names(
      { search: 'gable', filter: { contentType: 'image/*', projectIds: [depot.id] } },
      reader,
    ),
  ).toEqual(['gable.png']);
});

test.each([
  ['ID_ASC', ['Plan Süd.pdf', 'gable.png', 'hidden gable.png', 'minutes.txt', 'caught.exe']],
  [
    'CREATED_AT_DESC',
    ['caught.exe', 'minutes.txt', 'hidden gable.png', 'gable.png', 'Plan Süd.pdf'],
  ],
  ['FILE_NAME_ASC', ['Plan Süd.pdf', 'caught.exe', 'gable.png', 'hidden gable.png', 'minutes.txt']],
  [
    'FILE_SIZE_DESC',
    ['caught.exe', 'hidden gable.png', 'Plan Süd.pdf', 'gable.png', 'minutes.txt'],
  ],
])('sorted by %s, pages go forward and backward', async (orderBy, sorted) => {
  expect(await names({ orderBy })).toEqual(sorted);
  const walked = async (forward: boolean) => {
    const found: string[] = [];
    let cursor: string | undefined;
    for (;;) {
      const { data } = await answer(
        { orderBy, ...(forward ? { first: 2, after: cursor } : { last: 2, before: cursor }) },
        admin,
      );
      const { nodes, pageInfo } = data.attachments;
      const page = nodes.map(({ fileName }: { fileName: string }) => fileName);
      found.splice(forward ? found.length : 0, 0, ...page);
      if (!(forward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) return found;
      cursor = forward ? pageInfo.endCursor : pageInfo.startCursor;
    }
  };
  expect(await walked(true)).toEqual(sorted);
  expect(await walked(false)).toEqual(sorted);
  expect(await names({ orderBy, first: 2, page: 2 })).toEqual(sorted.slice(2, 4));
});

test.each<[string, object, string]>([
  [
    'a project that is not visible',
    { filter: { projectIds: [1_000_000] } },
    'Project filter has invalid values.',
  ],
  ['a text that is no id', { filter: { authorIds: ['x'] } }, 'Author filter has invalid values.'],
  [
    'a value that is no media type',
    { filter: { contentType: 'image' } },
    'Filter contentType has a value that is no media type.',
  ],
  ['a long search', { search: 'x'.repeat(1_001) }, 'The search has more than 1,000 characters.'],
  ['many words', { search: 'a b c d e f g h i j k' }, 'The search has more than 10 words.'],
  ['a foreign cursor', { after: 'x' }, 'The argument "after" is not a cursor of this list.'],
  ['a large page', { first: 201 }, 'The argument "first" is a number from 0 to 200.'],
])('%s is refused', async (_, variables, message) => {
  const { data, errors } = await answer(variables, mia);
  expect(data).toBeNull();
  expect(errors?.map(({ message: text, extensions: { code } }) => [text, code])).toEqual([
    [message, 'INVALID_QUERY'],
  ]);
});

test('a project of which the caller sees nothing cannot be named', async () => {
  const { errors } = await answer({ filter: { projectIds: [String(harbour.id)] } }, mia);
  expect(errors?.[0]?.extensions.code).toBe('INVALID_QUERY');
});
