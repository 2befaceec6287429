/** The list of work packages in the graph: who sees which, search, filters, order and pages. */
import { FileLink } from '../../../src/models/file-link.js';
import { startApp, type App } from '../../support/app.js';
import { on } from '../../support/database.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../../support/jest.js';

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
  depot = await app.given.project({ name: 'Depot', identifier: 'depot' });
  harbour = await app.given.project({ name: 'Hafenbecken Süd', identifier: 'hafenbecken' });
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

/** A file link, inserted without a request to its storage. */
async function linkFile(
  workPackage: { id: number },
  storage: { id: number },
  originId: string,
): Promise<void> {
  const time = new Date().toISOString();
  await FileLink.query(app.running.services.db.write).insert({
    workPackageId: workPackage.id,
    storageId: storage.id,
    creatorId: admin.id,
    originId,
    originName: 'plan.txt',
    createdAt: time,
    updatedAt: time,
  });
}

const LIST = `query ($search: String, $orderBy: [WorkPackageOrder!], $first: Int, $after: String, $last: Int, $before: String, $page: Int, $projectIds: [ID!], $statusIds: [ID!], $typeIds: [ID!], $assigneeIds: [ID!], $ids: [ID!], $closed: Boolean, $assigned: Boolean, $except: WorkPackageExclusion, $fileLink: LinkedFileFilter, $linkableTo: StorageFilter) {
  workPackages(filter: { search: $search, projectIds: $projectIds, statusIds: $statusIds, typeIds: $typeIds, assigneeIds: $assigneeIds, ids: $ids, closed: $closed, assigned: $assigned, except: $except, fileLink: $fileLink, linkableTo: $linkableTo }, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before, page: $page) {
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
  const rename = (subject: string) =>
    app.graphql(
      'mutation ($input: UpdateWorkPackageInput!) { updateWorkPackage(input: $input) { workPackage { subject } } }',
      { input: { id: (packages['bricks'] as ContainerHandle).globalId, subject } },
      admin,
    );

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
    // Their parts of three letters are in one name, but not the whole word.
    ['repcra', []],
    ['bechaf', []],
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
    // An id of this run may contain 100 by chance.
    const numbered = Object.values(packages).filter(({ id }) => String(id).includes('100'));
    const found = async (search: string) =>
      new Set((await list({ search })).nodes.map(({ databaseId }) => databaseId));
    expect(await found('#100')).toEqual(new Set(numbered.map(({ id }) => id)));
    expect(await found('100')).toEqual(
      new Set([...numbered, packages['bricks'] as ContainerHandle].map(({ id }) => id)),
    );
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
    await rename('Order blue tiles');
    expect(await subjects({ search: 'bricks' })).toEqual([]);
    expect(await subjects({ search: 'tiles' })).toEqual(['Order blue tiles']);
    await rename('Order 100 % red bricks');
    expect(await subjects({ search: 'bricks' })).toEqual(['Order 100 % red bricks']);
  });

  test('finds ß by ss, and ss by ß', async () => {
    for (const subject of ['Große Straße', 'GROSSE STRASSE']) {
      await rename(subject);
      for (const search of ['strasse', 'große'])
        expect([search, await subjects({ search })]).toEqual([search, [subject]]);
    }
    await rename('Order 100 % red bricks');
  });
});

describe('filters', () => {
  test('by project, status, type, assignee and id narrow the list together', async () => {
    expect(await subjects({ projectIds: [String(harbour.id)] })).toEqual([
      'Repair the crane cable',
    ]);
    expect(await subjects({ statusIds: [String(closed.id)] })).toEqual(['Order 100 % red bricks']);
    expect(await subjects({ typeIds: [String(bug.id)] })).toEqual(['Ａ café for ΑΘΉΝΑ']);
    expect(await subjects({ assigneeIds: [String(member.id)] })).toEqual(['Lay cable']);
    expect(
      await subjects({ ids: [packages['cafe']!.globalId, String(packages['crane']!.id)] }),
    ).toEqual(['Ａ café for ΑΘΉΝΑ', 'Repair the crane cable']);
    expect(await subjects({ search: 'cable', projectIds: [String(depot.id)] })).toEqual([
      'Lay cable',
    ]);
    expect(await subjects({ projectIds: [] })).toEqual([]);
  });

  test('by state: closed or open, assigned or not, and all but some', async () => {
    expect(await subjects({ closed: true })).toEqual(['Order 100 % red bricks']);
    expect(await subjects({ closed: false, projectIds: [String(depot.id)] })).toEqual([
      'Lay cable',
      'Ａ café for ΑΘΉΝΑ',
    ]);
    expect(await subjects({ assigned: true })).toEqual(['Lay cable']);
    expect(await subjects({ assigned: false, closed: true })).toEqual(['Order 100 % red bricks']);
    expect(
      await subjects({
        except: { projectIds: [String(harbour.id)], assigneeIds: [String(member.id)] },
      }),
    ).toEqual(['Order 100 % red bricks', 'Ａ café for ΑΘΉΝΑ']);
    expect(
      await subjects({ except: { typeIds: [String(bug.id)], statusIds: [String(closed.id)] } }),
    ).toEqual(['Lay cable', 'Repair the crane cable']);
  });

  test.each([
    ['a project that the caller does not see', () => ({ projectIds: [String(harbour.id)] })],
    ['a work package that the caller does not see', () => ({ ids: [packages['crane']!.globalId] })],
    ['an unknown status', () => ({ statusIds: ['999'] })],
    ['an unknown type', () => ({ except: { typeIds: ['999'] } })],
    ['an unknown person', () => ({ assigneeIds: ['999999'] })],
    ['an id of another kind', () => ({ projectIds: [packages['crane']!.globalId] })],
  ])('with %s are refused', async (_, variables) => {
    expect(await refusal(variables(), member)).toEqual(['INVALID_QUERY']);
  });

  test('by file link find only what the caller may see of it', async () => {
    const storage = await app.given.storage({ origin: 'https://cloud.example.test/files' });
    await app.given.projectStorage(depot, storage);
    await linkFile(packages['cable']!, storage, '112');
    const manager = await app.given.member(depot, [
      'view_work_packages',
      'view_file_links',
      'manage_file_links',
    ]);
    const blind = await app.given.member(depot, ['view_work_packages']);
    const link = { fileLink: { originId: '112' } };
    expect(await subjects(link)).toEqual(['Lay cable']);
    expect(await subjects(link, member)).toEqual(['Lay cable']);
    expect(await subjects(link, blind)).toEqual([]);
    expect(await subjects({ fileLink: { originId: '113' } })).toEqual([]);
    for (const storageUrl of [
      'https://cloud.example.test/files',
      'https://cloud.example.test/files/',
      'https%3A%2F%2Fcloud.example.test%2Ffiles',
    ]) {
      expect(await subjects({ fileLink: { originId: '112', storageUrl } })).toEqual(['Lay cable']);
      expect((await subjects({ linkableTo: { storageUrl } }, manager)).length).toBe(3);
    }
    expect(await subjects({ fileLink: { storageId: String(storage.id) } })).toEqual(['Lay cable']);
    expect(await subjects({ linkableTo: { storageId: String(storage.id) } }, member)).toEqual([]);
    expect(await subjects({ linkableTo: { storageUrl: 'https://unknown.example.test' } })).toEqual(
      [],
    );
    expect(await refusal({ linkableTo: { storageUrl: 'no address' } })).toEqual(['INVALID_QUERY']);
  });
});

describe('order and pages', () => {
  const names = [
    'ID_ASC',
    'SUBJECT_ASC',
    'PROJECT_DESC',
    'STATUS_ASC',
    'TYPE_DESC',
    'ASSIGNEE_DESC',
  ];

  test.each(names)('%s has the same rows forwards and backwards, page by page', async (order) => {
    const all = await subjects({ orderBy: [order] });
    expect(all.toSorted()).toEqual((await subjects({})).toSorted());
    const forwards: string[] = [];
    let after: string | undefined;
    for (;;) {
      const page = await list({ orderBy: [order], first: 1, after });
      forwards.push(...page.nodes.map(({ subject }) => subject));
      expect(page.pageInfo.hasPreviousPage).toBe(after !== undefined);
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
    expect(forwards).toEqual(all);
    const backwards: string[] = [];
    let before: string | undefined;
    for (;;) {
      const page = await list({ orderBy: [order], last: 2, before });
      backwards.unshift(...page.nodes.map(({ subject }) => subject));
      if (!page.pageInfo.hasPreviousPage) break;
      before = page.pageInfo.startCursor;
    }
    expect(backwards).toEqual(all);
  });

  test('subjects are sorted without regard to case and accents; two orders combine', async () => {
    expect(await subjects({ orderBy: ['SUBJECT_ASC'] })).toEqual([
      'Ａ café for ΑΘΉΝΑ',
      'Lay cable',
      'Order 100 % red bricks',
      'Repair the crane cable',
    ]);
    expect(await subjects({ orderBy: ['PROJECT_DESC', 'SUBJECT_DESC'] })).toEqual([
      'Repair the crane cable',
      'Order 100 % red bricks',
      'Lay cable',
      'Ａ café for ΑΘΉΝΑ',
    ]);
  });

  test('numbered pages and totals', async () => {
    const page = await list({ first: 3, page: 2 });
    expect(page).toMatchObject({
      totalCount: 4,
      totalIsAtLeast: false,
      pageInfo: { hasNextPage: false, hasPreviousPage: true },
      nodes: [{ subject: 'Repair the crane cable' }],
    });
    expect(await subjects({ first: 100, page: 1_000_000_000 })).toEqual([]);
    expect(await list({ first: 0 })).toMatchObject({ totalCount: 4, nodes: [] });
  });

  test.each([
    ['more than 200 rows', { first: 201 }],
    ['fewer than none', { last: -1 }],
    ['both ends', { first: 1, last: 1 }],
    ['page 0', { first: 1, page: 0 }],
    ['a page without a size', { page: 1 }],
    ['a page after a cursor', { first: 1, page: 1, after: 'WzFd' }],
    ['a cursor that is none', { after: 'x' }],
    ['an empty cursor', { after: '' }],
    ['an empty cursor before the page', { last: 1, before: '' }],
    ['a cursor of another list', { after: Buffer.from('["a",1]').toString('base64url') }],
    ['a cursor beyond all keys', { after: Buffer.from('[99999999999]').toString('base64url') }],
    ['four orders', { orderBy: ['ID_ASC', 'TYPE_ASC', 'STATUS_ASC', 'AUTHOR_ASC'] }],
  ])('%s is refused', async (_, variables) => {
    expect(await refusal(variables)).toEqual(['INVALID_QUERY']);
  });
});

describe('more than 10,000 rows', () => {
  /** Copies a work package, by SQL. */
  async function copies(count: number, of: ContainerHandle, subject?: string): Promise<void> {
    const { write } = app.running.services.db;
    const { id, ...row } = await write('work_packages').where({ id: of.id }).first();
    const columns = Object.keys(row);
    const values = columns.map((column) =>
      subject !== undefined && ['subject', 'search_text'].includes(column) ? '?' : column,
    );
    await write.raw(
      `insert into work_packages (${columns.join(', ')}) select ${values.join(', ')} from work_packages,` +
        ' (with recursive numbers (n) as' +
        ` (select 1 union all select n + 1 from numbers where n < ${count})` +
        ' select n from numbers) as copies where work_packages.id = ?',
      [...(subject === undefined ? [] : [subject, subject]), id],
    );
  }
  afterEach(() =>
    app.running.services.db.write('work_packages').where('id', '>', packages['crane']!.id).delete(),
  );

  test('are counted to 10,000, in numbered pages too, and sorted by indexed columns only', async () => {
    await copies(10_000, packages['cable']!);
    for (const search of [undefined, 'cable'])
      expect(await list({ search, first: 1 })).toMatchObject({
        totalCount: 10_000,
        totalIsAtLeast: true,
      });
    expect((await list({ first: 100, page: 100 })).nodes).toHaveLength(100);
    expect((await list({ first: 100, page: 101 })).nodes).toEqual([]);
    expect(await refusal({ orderBy: ['ASSIGNEE_ASC'] })).toEqual(['INVALID_QUERY']);
    expect((await list({ orderBy: ['UPDATED_AT_DESC'], first: 2 })).nodes).toHaveLength(2);
    const { body } = await app.get('/api/v3/work_packages?filters=[]&pageSize=1', admin);
    expect([body.total, body.count]).toEqual([10_000, 1]);
  });

  test('of which few match are found at the beginning and at the end of each order', async () => {
    await copies(3, packages['cable']!, 'quay end a');
    await copies(6_000, packages['cable']!, 'pier');
    await copies(15_000, packages['crane']!, 'quay m');
    await copies(4, packages['cable']!, 'quay end z');
    const all = [...Array<string>(3).fill('quay end a'), ...Array<string>(4).fill('quay end z')];
    for (const [order, search, wanted] of [
      ['ID_ASC', 'quay', all],
      ['ID_DESC', 'quay', all.toReversed()],
      ['SUBJECT_DESC', 'quay end', all.toReversed()],
      ['CREATED_AT_ASC', 'quay', all],
      ['CREATED_AT_DESC', 'end quay', all.toReversed()],
      ['ASSIGNEE_ASC', 'quay', all],
    ] as const) {
      const quays = (variables: object) => list({ search, orderBy: [order], ...variables }, member);
      const page = await quays({ first: 2 });
      expect(page).toMatchObject({ totalCount: 7, totalIsAtLeast: false });
      expect(page.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
      const next = await quays({ first: 100, after: page.pageInfo.endCursor });
      expect(next.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
      expect([...page.nodes, ...next.nodes].map(({ subject }) => subject)).toEqual(wanted);
      const last = await quays({ last: 6 });
      expect(last.nodes.map(({ subject }) => subject)).toEqual(wanted.slice(1));
      expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
      const third = await quays({ first: 3, page: 3 });
      expect(third.nodes.map(({ subject }) => subject)).toEqual(wanted.slice(6));
    }
  });

  test('of which many match are found page by page between hidden ones, and no others', async () => {
    /** Rows that the member may see, may not see, and may see but does not look for. */
    const mixed = async () => {
      for (let times = 0; times < 6; times += 1) {
        await copies(2, packages['crane']!, 'quay pier');
        await copies(3, packages['cable']!, 'quay pier');
        await copies(2, packages['cable']!, 'mole');
      }
    };
    await mixed();
    await copies(200, packages['cable']!, 'quay pier');
    await copies(5_000, packages['cable']!, 'quay');
    await copies(11_000, packages['cable']!, 'pier');
    await mixed();
    const visible = await app.running.services.db
      .write('work_packages')
      .select<{ id: number; subject: string }[]>('id', 'subject')
      .where({ project_id: depot.id })
      .orderBy('id');
    for (const [order, search] of [
      ['ID_ASC', ''],
      ['ID_DESC', ''],
      ['ID_ASC', 'pier'],
      ['ID_DESC', 'pier'],
      ['ID_ASC', 'quay pier'],
      ['ID_DESC', 'quay pier'],
    ] as const) {
      const words = search.split(' ');
      const matching = visible
        .filter(({ subject }) => words.every((word) => subject.includes(word)))
        .map(({ id }) => id);
      const wanted = order === 'ID_ASC' ? matching : matching.toReversed();
      const ids = async (variables: object) => {
        const page = await list({ search, orderBy: [order], ...variables }, member);
        return { ...page, ids: page.nodes.map(({ databaseId }) => databaseId) };
      };
      const first = await ids({ first: 7 });
      expect(first).toMatchObject({
        ids: wanted.slice(0, 7),
        totalCount: Math.min(wanted.length, 10_000),
        totalIsAtLeast: wanted.length > 10_000,
        pageInfo: { hasNextPage: true, hasPreviousPage: false },
      });
      let { endCursor: after } = first.pageInfo;
      for (let seen = 7; seen < 70; seen += 21) {
        const next = await ids({ first: 21, after });
        expect(next.ids).toEqual(wanted.slice(seen, seen + 21));
        after = next.pageInfo.endCursor;
      }
      expect((await ids({ last: 21, before: after })).ids).toEqual(wanted.slice(48, 69));
      expect((await ids({ last: 21 })).ids).toEqual(wanted.slice(-21));
      expect((await ids({ first: 20, page: 4 })).ids).toEqual(wanted.slice(60, 80));
      expect((await ids({ first: 100, page: 2 })).ids).toEqual(wanted.slice(100, 200));
    }
  });
});

test.each([100, 10_000])(
  'somebody who sees more than %i projects finds their work packages, and no others',
  async (most) => {
    const { write } = app.running.services.db;
    const { id: of, ...row } = await write('projects').where({ id: depot.id }).first();
    const columns = Object.keys(row);
    const values = columns.map((column) =>
      column === 'identifier' ? "'quay-' || n" : column === 'public' ? 'true' : column,
    );
    await write.raw(
      `insert into projects (${columns.join(', ')}) select ${values.join(', ')} from projects,` +
        ' (with recursive numbers (n) as' +
        ` (select 1 union all select n + 1 from numbers where n <= ${most})` +
        ' select n from numbers) as copies where projects.id = ?',
      [of],
    );
    await app.given.role(['view_work_packages'], 'Non member');
    const last = await write('projects')
      .where({ identifier: `quay-${most + 1}` })
      .first();
    const { id } = await app.given.workPackage(last, admin, 'Paint the quay');
    expect(await subjects({}, outsider)).toEqual(['Paint the quay']);
    expect(await subjects({ search: 'quay' }, outsider)).toEqual(['Paint the quay']);
    expect(await subjects({ search: 'cable' }, outsider)).toEqual([]);
    await app.given.role([], 'Non member');
    await write('work_packages').where({ id }).delete();
    await write('projects').where('identifier', 'like', 'quay-%').delete();
  },
);

// The last test: the database has no index of trigrams afterwards.
on('postgres')('a search finds the same without the extension pg_trgm', async () => {
  const texts = ['CABLE', 'lay dep', 'able ran', 'cafe', 'a', '100 %', 'closed', 'zz'];
  const found = () => Promise.all(texts.map((search) => subjects({ search })));
  const before = await found();
  const { write } = app.running.services.db;
  const { rows } = await write.raw("select 1 from pg_extension where extname = 'pg_trgm'");
  expect(rows).toHaveLength(1);
  await write.raw('drop extension pg_trgm cascade');
  expect(await found()).toEqual(before);
});

test.each(['hafenbecken', 'ha'])(
  'the name of a hidden project does not change how "%s" is searched',
  async (word) => {
    const query =
      'query ($search: String!) { workPackages(filter: { search: $search }) { totalCount } }';
    const search = async (text: string, person: Person) => {
      let count: number | undefined;
      const statements = await app.statements(async () => {
        const { data } = await app.graphql(query, { search: text }, person);
        count = data.workPackages.totalCount;
      });
      return { count, statements: statements.filter((sql) => /work_packages|projects/.test(sql)) };
    };
    // The first search also reads what is cached.
    const other = `z${word.slice(1)}`;
    await search(other, member);
    const nowhere = await search(other, member);
    expect(await search(word, member)).toEqual(nowhere);
    expect(nowhere.statements.length).toBeGreaterThan(1);
    expect((await search(word, admin)).count).toBe(1);
  },
);
