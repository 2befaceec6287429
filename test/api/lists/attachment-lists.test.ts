/** The attachments of a container in the graph: filtered and sorted. */
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let admin: Person;
let mia: Person;
let project: { id: number; name: string };
let workPackage: ContainerHandle;
let post: ContainerHandle;

/** In the order of creation. */
const files = [
  { fileName: 'Plan Erdgeschoß.png', contentType: 'image/png', content: '333' },
  { fileName: 'Ätzung-100%_"neu".pdf', contentType: 'application/pdf', content: '4444' },
  { fileName: 'plan.txt', contentType: 'text/plain', content: '1' },
  { fileName: 'photo.jpeg', contentType: 'image/jpeg', content: '22' },
  { fileName: 'plan.txt', contentType: 'text/plain', content: '1', status: 'quarantined' },
] as const;

beforeAll(async () => {
  app = await startApp();
  const { given } = app;
  admin = await given.user({ admin: true });
  project = await given.project();
  mia = await given.member(project, ['view_work_packages', 'view_messages']);
  workPackage = await given.workPackage(project, admin);
  post = await given.post(project, admin);
  for (const container of [workPackage, post])
    for (const [at, file] of files.entries())
      await given.attachment({ ...file, container, author: at % 2 === 0 ? admin : mia });
  await given.attachment({
    container: workPackage,
    author: admin,
    fileName: 'prepared-plan.txt',
    status: 'prepared',
  });
});
afterAll(() => app.stop());

const QUERY = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $contentTypes: [String!], $authorIds: [ID!], $statuses: [AttachmentStatus!], $search: String, $orderBy: AttachmentOrder) {
  container(id: $id) { attachments(first: $first, after: $after, last: $last, before: $before, filter: { contentTypes: $contentTypes, authorIds: $authorIds, statuses: $statuses, search: $search }, orderBy: $orderBy) {
    totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { fileName } } }
}`;
async function list(variables: object, container = workPackage) {
  const answer = await app.graphql(QUERY, { id: container.globalId, ...variables }, admin);
  return { ...answer, list: answer.data?.container?.attachments };
}
const names = async (variables: object, container = workPackage) => {
  const { list: found, errors } = await list(variables, container);
  expect(errors).toBeUndefined();
  expect(found.totalCount).toBe(found.nodes.length);
  return found.nodes.map(({ fileName }: { fileName: string }) => fileName);
};
const [erd, aetz, plan, photo, copy] = files.map(({ fileName }) => fileName) as [
  string,
  string,
  string,
  string,
  string,
];

test('without arguments, the order is that of the kind of container', async () => {
  expect(await names({})).toEqual([erd, photo, plan, copy, aetz]);
  expect(await names({}, post)).toEqual([erd, aetz, plan, photo, copy]);
});

describe('sorted by', () => {
  test.each([
    ['ID_ASC', [erd, aetz, plan, photo, copy]],
    ['CREATED_AT_DESC', [copy, photo, plan, aetz, erd]],
    ['FILE_NAME_ASC', [erd, photo, plan, copy, aetz]],
    ['FILE_NAME_DESC', [aetz, copy, plan, photo, erd]],
    ['FILE_SIZE_ASC', [plan, copy, photo, erd, aetz]],
    ['FILE_SIZE_DESC', [aetz, erd, photo, copy, plan]],
  ])('%s, pages from both ends have the same rows', async (orderBy, expected) => {
    for (const container of [workPackage, post]) {
      expect(await names({ orderBy }, container)).toEqual(expected);
      const forwards: string[] = [];
      const backwards: string[] = [];
      let after: string | null = null;
      let before: string | null = null;
      for (let at = 0; at < expected.length; at += 2) {
        const { list: next } = await list({ orderBy, first: 2, after }, container);
        expect(next.pageInfo).toMatchObject({
          hasNextPage: at + 2 < expected.length,
          hasPreviousPage: at > 0,
        });
        forwards.push(...next.nodes.map(({ fileName }: { fileName: string }) => fileName));
        after = next.pageInfo.endCursor;
        const { list: previous } = await list({ orderBy, last: 2, before }, container);
        expect(previous.totalCount).toBe(5);
        backwards.unshift(...previous.nodes.map(({ fileName }: { fileName: string }) => fileName));
        before = previous.pageInfo.startCursor;
      }
      expect([forwards, backwards]).toEqual([expected, expected]);
    }
  });
});

describe('filtered by', () => {
  test.each([
    [{ contentTypes: ['image/png'] }, [erd]],
    [{ contentTypes: ['image/*'] }, [erd, photo]],
    [{ contentTypes: ['IMAGE/PNG', 'text/plain'] }, [erd, plan, copy]],
    [{ contentTypes: ['image/pn'] }, []],
    [{ contentTypes: [] }, []],
    [{ statuses: ['QUARANTINED'] }, [copy]],
    [{ statuses: ['PREPARED'] }, []],
    [{ search: 'PLAN' }, [erd, plan, copy]],
    [{ search: 'plan erdgeschoß' }, [erd]],
    [{ search: 'atz' }, [aetz]],
    [{ search: '100%' }, [aetz]],
    [{ search: '_"NEU"' }, [aetz]],
    [{ search: '%' }, [aetz]],
    [{ search: "'" }, []],
    [{ search: '\u202enalp' }, []],
    [{ search: '  ' }, [erd, photo, plan, copy, aetz]],
    [{ search: 'plan', contentTypes: ['text/*'], statuses: ['UPLOADED'] }, [plan]],
    [{ search: 'plan', orderBy: 'FILE_SIZE_DESC' }, [erd, copy, plan]],
  ])('%j', async (variables, expected) => {
    expect(await names(variables)).toEqual(expected);
  });

  test('people: by integer and global ids; unknown ones have no files', async () => {
    expect(await names({ authorIds: [String(mia.id)] })).toEqual([photo, aetz]);
    expect(
      await names({ authorIds: [Buffer.from(`User:${mia.id}`).toString('base64url')] }),
    ).toEqual([photo, aetz]);
    expect(await names({ authorIds: ['2147483647'] })).toEqual([]);
    expect(await names({ authorIds: [] })).toEqual([]);
  });

  test('words, and counts the rows that match on every page', async () => {
    const { list: page } = await list({ search: 'plan', first: 1 });
    expect(page).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    const { list: next } = await list({
      search: 'plan',
      first: 1,
      after: page.pageInfo.endCursor,
    });
    expect(next).toMatchObject({ totalCount: 3, nodes: [{ fileName: plan }] });
  });
});

test('a new file is found by its name', async () => {
  const { body } = await app.upload(workPackage.attachments, {
    as: admin,
    fileName: 'Neu – Übersicht.txt',
  });
  expect(body.fileName).toBe('Neu – Übersicht.txt');
  expect(await names({ search: 'ubersicht' })).toEqual(['Neu – Übersicht.txt']);
  await app.delete(`/api/v3/attachments/${body.id}`, admin);
});

test('filtered lists of many containers are read in one statement', async () => {
  const others = await Promise.all(
    Array.from({ length: 3 }, () => app.given.workPackage(project, admin)),
  );
  for (const container of others)
    await app.given.attachment({ container, author: admin, fileName: 'roof.txt' });
  const ids = [workPackage, ...others].map(({ globalId }) => globalId);
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on WorkPackage {
    attachments(first: 1, filter: { search: "roof", contentTypes: ["text/*"] }, orderBy: FILE_SIZE_DESC) { nodes { fileName } } } } }`;
  let data: any;
  const statements = await app.statements(async () => {
    ({ data } = await app.graphql(query, { ids }, admin));
  });
  expect(
    data.nodes.map(({ attachments }: { attachments: { nodes: object[] } }) => attachments.nodes),
  ).toEqual([[], ...others.map(() => [{ fileName: 'roof.txt' }])]);
  expect(statements.filter((sql) => sql.includes('search_text'))).toHaveLength(1);
});

const cursor = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url');
describe('refuses', () => {
  const noCursor = (argument: string) => `The argument "${argument}" is not a cursor of this list.`;
  test.each([
    [{ contentTypes: ['png'] }, 'filters', 'contentTypes has a value that is no media type.'],
    [{ contentTypes: ['image/%'] }, 'filters', 'contentTypes has a value that is no media type.'],
    [{ contentTypes: ['*/*'] }, 'filters', 'contentTypes has a value that is no media type.'],
    [{ contentTypes: ['image/\0'] }, 'filters', 'contentTypes has a value that is no media type.'],
    [
      { contentTypes: ['\u202eimage/"'] },
      'filters',
      'contentTypes has a value that is no media type.',
    ],
    [{ authorIds: ['x'] }, 'filters', 'authorIds has a value that is no id.'],
    [{ authorIds: ['\0"'] }, 'filters', 'authorIds has a value that is no id.'],
    [{ contentTypes: Array(1_001).fill('a/b') }, 'filters', 'A filter takes 1000 values at most.'],
    [{ search: 'a\0' }, 'search', 'The search contains NUL or broken characters.'],
    [{ search: 'x'.repeat(1_001) }, 'search', 'The search has more than 1,000 characters.'],
    [{ search: 'a b c d e f g h i j k' }, 'search', 'The search has more than 10 words.'],
    [{ orderBy: 'FILE_SIZE_DESC', after: 'x' }, 'after', noCursor('after')],
    [{ orderBy: 'FILE_NAME_DESC', before: cursor(1, 1) }, 'before', noCursor('before')],
    [{ orderBy: 'FILE_SIZE_ASC', after: cursor(1e300, 1) }, 'after', noCursor('after')],
    [{ orderBy: 'FILE_SIZE_ASC', after: cursor('a', 1) }, 'after', noCursor('after')],
    [{ orderBy: 'FILE_SIZE_DESC', before: cursor(-1, 1) }, 'before', noCursor('before')],
    [{ orderBy: 'CREATED_AT_ASC', after: cursor('\0', 1) }, 'after', noCursor('after')],
    [{ orderBy: 'ID_DESC', after: cursor('a', 1) }, 'after', noCursor('after')],
  ])('%j', async (variables, attribute, message) => {
    const { errors } = await list(variables);
    expect(errors).toEqual([
      expect.objectContaining({
        message: expect.stringContaining(message),
        extensions: {
          code: 'INVALID_QUERY',
          errorIdentifier: 'urn:service-org:api:v3:errors:InvalidQuery',
          status: 400,
          attribute,
        },
      }),
    ]);
  });

  test('an unknown order', async () => {
    const { errors } = await list({ orderBy: 'COLOR_ASC' });
    expect(errors?.map(({ extensions }) => extensions.status)).toEqual([400]);
  });
});
