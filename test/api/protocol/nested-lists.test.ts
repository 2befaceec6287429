/** Nested lists: a short document must not read millions of rows. */
import { startApp, type App } from '../../support/app.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

const FILES = 150;

let app: App;
let editor: Person;
let id: number;
beforeAll(async () => {
  app = await startApp();
  const project = await app.given.project();
  editor = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  const container = await app.given.container('WorkPackage', project, editor);
  id = container.id;
  for (let count = 0; count < FILES; count += 1)
    await app.given.attachment({ container, author: editor });
});
afterAll(() => app.stop());

const lists = (depth: number, args = ''): string =>
  depth === 0
    ? 'id'
    : `attachments${args} { totalCount nodes { container { ${lists(depth - 1, args)} } } }`;
const read = (depth: number, args = '') =>
  app.graphql(
    `query ($id: ID!, $n: Int) { named: workPackage(id: $id) { ${lists(depth, args)} } again: workPackage(id: $id) { attachments(first: $n) { totalCount } } }`,
    { id: String(id), n: 5 },
    editor,
  );

test('the number of rows that one document can read in nested lists is limited', async () => {
  for (const args of ['(first: 200)', '(first: 149)']) {
    const { status, data, errors } = await read(2, args);
    expect({ status, data, count: errors?.length }).toEqual({
      status: 400,
      data: undefined,
      count: 1,
    });
    expect(errors![0]).toMatchObject({
      message:
        'The lists of this document have more than 10000 rows together. Ask for fewer with first, or in several documents.',
      extensions: { code: 'INVALID_QUERY', status: 400 },
    });
  }
  // Three levels would be millions of rows.
  expect((await read(3, '(first: 100)')).errors![0]!.extensions.code).toBe('INVALID_QUERY');
});

test('plain lists count as well, and the same list for many rows is read once', async () => {
  const keys = '{ attachments(first: 150) { nodes { author { apiKeys { name } } } } }';
  const ask = () =>
    app.graphql(`query ($id: ID!) { workPackage(id: $id) ${keys} }`, { id: String(id) }, editor);
  await ask();
  const statements = await app.statements(async () => {
    const { data, errors } = await ask();
    expect([
      errors,
      data.workPackage.attachments.nodes.every(({ author }: any) => author.apiKeys.length === 1),
    ]).toEqual([undefined, true]);
  });
  expect(statements.filter((sql) => /api_keys/.test(sql) && /order by/.test(sql))).toHaveLength(1);
  for (let n = 0; n < 70; n += 1)
    await app.graphql(
      'mutation ($name: String!) { createApiKey(input: { name: $name }) { key } }',
      { name: `key ${n}` },
      editor,
    );
  expect((await ask()).errors![0]!.extensions.code).toBe('INVALID_QUERY');
});

test('one list of 150 rows, and pages of nested lists, are accepted', async () => {
  const { data, errors } = await read(1, '(first: 200)');
  expect([errors, data.named.attachments.totalCount, data.named.attachments.nodes.length]).toEqual([
    undefined,
    FILES,
    FILES,
  ]);
  const page = await read(2, '(first: 20)');
  expect([
    page.errors,
    page.data.named.attachments.nodes[19].container.attachments.nodes.length,
  ]).toEqual([undefined, 20]);
});

test('the last rows of the lists of many parents are read in one statement', async () => {
  const project = await app.given.project();
  const author = await app.given.user({ admin: true });
  const workPackage = await app.given.container('WorkPackage', project, author);
  for (let n = 0; n < 4; n += 1) {
    const container = await app.given.comment(workPackage, author);
    for (let file = 0; file < n; file += 1) await app.given.attachment({ container, author });
  }
  const ask = async (args: string) => {
    const { data, errors } = await app.graphql(
      `query ($id: ID!) { workPackage(id: $id) { activities { nodes { attachments${args} { totalCount nodes { databaseId } pageInfo { hasPreviousPage hasNextPage } } } } } }`,
      { id: workPackage.globalId },
      author,
    );
    expect(errors).toBeUndefined();
    return data.workPackage.activities.nodes.map(({ attachments }: any) => attachments);
  };
  const whole = await ask('');
  expect(whole.map(({ nodes }: any) => nodes.length)).toEqual([0, 1, 2, 3]);
  let last: any;
  const statements = await app.statements(async () => {
    last = await ask('(last: 2)');
  });
  expect(last).toEqual(
    whole.map(({ nodes, totalCount }: any) => ({
      totalCount,
      nodes: nodes.slice(-2),
      pageInfo: { hasPreviousPage: nodes.length > 2, hasNextPage: false },
    })),
  );
  expect(statements.filter((sql) => sql.includes('row_number'))).toHaveLength(1);
});
