/** The list of work packages in the graph: who sees which, search, filters, order and pages. */
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let admin: Person;
let member: Person;
let outsider: Person;
let depot: { id: number; name: string };
let harbour: { id: number; name: string };
let closed: { id: number };
let bug: { id: number };
const packages: { [name: string]: ContainerHandle } = {};

beforeAll(async () => {
  app = await startApp();
  admin = await app.given.user({ admin: true });
  depot = await app.given.project({ name: 'Depot' });
  harbour = await app.given.project({ name: 'Hafenbecken Süd' });
  member = await app.given.member(depot, ['view_work_packages', 'view_file_links'], {
    firstName: 'Élodie',
    lastName: 'Marchand',
    login: 'elo',
  });
  outsider = await app.given.user();
  closed = await app.given.status('Rejected', { isClosed: true });
  bug = await app.given.type('Bug');
  const make = async (
    name: string,
    project: { id: number },
    subject: string,
    details: Parameters<typeof app.given.workPackage>[3] = {},
  ) => (packages[name] = await app.given.workPackage(project, admin, subject, details));
  await make('cable', depot, 'Lay cable', { assigneeId: member.id });
  await make('bricks', depot, 'Order 100 % red bricks', { statusId: closed.id });
  await make('cafe', depot, 'Ａ café for ΑΘΉΝΑ', { typeId: bug.id });
  await make('crane', harbour, 'Repair the crane cable');
});
afterAll(() => app.stop());

const LIST = `query ($search: String, $orderBy: [WorkPackageOrder!], $first: Int, $after: String, $last: Int, $before: String, $page: Int, $projectIds: [ID!], $statusIds: [ID!], $typeIds: [ID!], $assigneeIds: [ID!], $ids: [ID!], $closed: Boolean, $assigned: Boolean, $except: WorkPackageExclusion, $fileLink: FileLinkFilter, $linkableTo: StorageFilter) {
  workPackages(search: $search, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before, page: $page, projectIds: $projectIds, statusIds: $statusIds, typeIds: $typeIds, assigneeIds: $assigneeIds, ids: $ids, closed: $closed, assigned: $assigned, except: $except, fileLink: $fileLink, linkableTo: $linkableTo) {
    totalCount totalIsAtLeast
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    nodes { databaseId subject }
  }
}`;

interface Listed {
  totalCount: number;
  totalIsAtLeast: boolean;
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string;
    endCursor: string;
  };
  nodes: { databaseId: number; subject: string }[];
}

async function list(variables: object, person: Person | null = admin): Promise<Listed> {
  const answer = await app.graphql(LIST, variables, person ?? undefined);
  expect(answer.errors).toBeUndefined();
  return answer.data.workPackages as Listed;
}
const subjects = async (variables: object, person: Person | null = admin) =>
  (await list(variables, person)).nodes.map(({ subject }) => subject);
const refusal = async (variables: object, person: Person = admin) => {
  const { errors } = await app.graphql(LIST, variables, person);
  return errors?.map(({ extensions: { code } }: { extensions: { code: string } }) => code);
};

test('everybody sees what their projects allow; without the permission anywhere the list is refused', async () => {
  expect(await subjects({})).toEqual([
    'Lay cable',
    'Order 100 % red bricks',
    'Ａ café for ΑΘΉΝΑ',
    'Repair the crane cable',
  ]);
  expect(await subjects({}, member)).toEqual([
    'Lay cable',
    'Order 100 % red bricks',
    'Ａ café for ΑΘΉΝΑ',
  ]);
  expect(await refusal({}, outsider)).toEqual(['MISSING_PERMISSION']);
});

describe('a search', () => {
  test.each([
    ['CABLE', ['Lay cable', 'Repair the crane cable']],
    ['lay dep', ['Lay cable']],
    ['able ran', ['Repair the crane cable']],
    ['hafenbecken sud', ['Repair the crane cable']],
    ['cafe', ['Ａ café for ΑΘΉΝΑ']],
    ['αθηνα', ['Ａ café for ΑΘΉΝΑ']],
    ['a café', ['Ａ café for ΑΘΉΝΑ']],
    ['bug', ['Ａ café for ΑΘΉΝΑ']],
    ['rejected', ['Order 100 % red bricks']],
    ['closed', ['Order 100 % red bricks']],
    ['task cable', ['Lay cable', 'Repair the crane cable']],
    ['open bricks', []],
    ['%', ['Order 100 % red bricks']],
    ['100 %', ['Order 100 % red bricks']],
    ['_', []],
    ['"', []],
    ["'", []],
    ['*', []],
    ['la"y', []],
    ['lay OR crane', []],
    ['zz', []],
    ['  ', ['Lay cable', 'Order 100 % red bricks', 'Ａ café for ΑΘΉΝΑ', 'Repair the crane cable']],
    ['\u202eelbac', []],
  ])('for %j finds %j', async (search, expected) => {
    expect(await subjects({ search })).toEqual(expected);
  });

  test('for a number finds the work packages whose id contains it, with or without #', async () => {
    const { id } = packages['crane'] as ContainerHandle;
    expect((await list({ search: `#${id}` })).nodes).toEqual([
      { databaseId: id, subject: 'Repair the crane cable' },
    ]);
    expect((await list({ search: ` ${id} ` })).nodes.map((node) => node.databaseId)).toContain(id);
    expect(await subjects({ search: '#100' })).toEqual([]);
    expect(await subjects({ search: '100' })).toEqual(['Order 100 % red bricks']);
  });

  test('never finds a work package that the caller does not see', async () => {
    expect(await subjects({ search: 'cable' }, member)).toEqual(['Lay cable']);
    expect(await subjects({ search: 'hafenbecken' }, member)).toEqual([]);
    expect(
      await subjects({ search: `#${(packages['crane'] as ContainerHandle).id}` }, member),
    ).toEqual([]);
  });

  test.each([
    ['NUL', 'a\0b'],
    ['10 kB of text', 'word '.repeat(2_000)],
    ['eleven words', 'a b c d e f g h i j k'],
  ])('with %s is refused', async (_, search) => {
    expect(await refusal({ search })).toEqual(['INVALID_QUERY']);
  });

  test('finds a new subject and no longer the old one', async () => {
    const { globalId } = packages['bricks'] as ContainerHandle;
    const UPDATE =
      'mutation ($input: UpdateWorkPackageInput!) { updateWorkPackage(input: $input) { workPackage { subject } } }';
    const rename = (subject: string) =>
      app.graphql(UPDATE, { input: { id: globalId, subject } }, admin);
    await rename('Order blue tiles');
    expect(await subjects({ search: 'bricks' })).toEqual([]);
    expect(await subjects({ search: 'tiles' })).toEqual(['Order blue tiles']);
    await rename('Order 100 % red bricks');
    expect(await subjects({ search: 'bricks' })).toEqual(['Order 100 % red bricks']);
  });
});
