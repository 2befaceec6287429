/** Repeated documents are compiled: text in them stays data, and they are answered as the first time. */
import { parse, validate } from 'graphql';
import { isCompilable } from '../../../src/graphql/compilable.js';
import { schema } from '../../../src/graphql/schema.js';
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let project: Awaited<ReturnType<App['given']['project']>>;
let person: Person;
let workPackage: ContainerHandle;
beforeAll(async () => {
  app = await startApp();
  project = await app.given.project();
  person = await app.given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'add_work_package_comments',
    'view_file_links',
    'manage_file_links',
  ]);
  workPackage = await app.given.workPackage(project, person);
});
afterAll(() => app.stop());

/** The answers to the first, second and third time. */
async function sendThreeTimes(
  query: string,
  variables: object = {},
  as: Person | undefined = person,
) {
  const answers = [];
  for (let n = 0; n < 3; n += 1) {
    const { status, body } = await app.request('POST', '/graphql', {
      ...(as && { as }),
      json: { query, variables },
    });
    answers.push({ status, body });
  }
  return answers;
}
async function expectSameAnswers(
  query: string,
  variables: object = {},
  as: Person | undefined = person,
) {
  const [first, ...others] = await sendThreeTimes(query, variables, as);
  expect(others).toEqual([first, first]);
  return first!;
}

describe('text in a document is never code', () => {
  // The marks by which the compiler recognises dates and numbers that JSON does not have.
  const DATE = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d';
  const planted = () => (globalThis as { planted?: unknown }).planted;

  test.each([
    ['as an argument', `{ node(id: "${DATE}globalThis.planted=1") { id } }`],
    [
      'with an escape',
      `{ node(id: "${DATE.replace('__MAGIC', '_\\u005fMAGIC')}globalThis.planted=2") { id } }`,
    ],
    ['as a block string', `{ node(id: """${DATE}globalThis.planted=3""") { id } }`],
    [
      'as the default of a variable',
      `query($id: ID! = "${DATE}globalThis.planted=4") { node(id: $id) { id } }`,
    ],
    [
      'in a list',
      `{ projectStorages(projectIds: ["${DATE}globalThis.planted=5"]) { totalCount } }`,
    ],
    [
      'in an input',
      `mutation { deleteComment(input: { id: "${DATE}globalThis.planted=6" }) { deletedCommentId } }`,
    ],
    [
      'that represents a number',
      '{ node(id: "__MAGIC_NAN__57f286b9_4c20_487f_b409_79804ddcb4f8") { id } }',
    ],
  ])('%s', async (_where, query) => {
    await expectSameAnswers(query, {}, undefined);
    await expectSameAnswers(query);
    expect(planted()).toBeUndefined();
  });
});

describe('a repeated document is answered as the first time', () => {
  test('with a missing variable inside an input', async () => {
    const create =
      'mutation ($id: ID!, $comment: String!, $internal: Boolean) { createComment(input: { workPackageId: $id, comment: $comment, internal: $internal }) { activity { comment { raw } internal } } }';
    const answers = await sendThreeTimes(create, { id: String(workPackage.id), comment: 'again' });
    expect(answers).toEqual(
      answers.map(() => ({
        status: 200,
        body: {
          data: { createComment: { activity: { comment: { raw: 'again' }, internal: false } } },
        },
      })),
    );
    const update =
      'mutation ($id: ID!, $subject: String) { updateWorkPackage(input: { id: $id, subject: $subject }) { workPackage { title } } }';
    expect(
      (await expectSameAnswers(update, { id: String(workPackage.id) })).body.errors,
    ).toBeUndefined();
  });

  test('with a null for a required value, which is an error of the client', async () => {
    const storage = await app.given.storage();
    await app.given.projectStorage(project, storage);
    const {
      body: {
        _embedded: {
          elements: [link],
        },
      },
    } = await app.post(`${workPackage.path}/file_links`, person, {
      _embedded: {
        elements: [
          { originData: { id: '1', name: 'a.txt' }, _links: { storage: { href: storage.path } } },
        ],
      },
    });
    app.logLines.length = 0;
    const { status, body } = await expectSameAnswers(
      'query($id: ID!, $refresh: Boolean = true) { fileLink(id: $id) { originData(refresh: $refresh) { name } } }',
      { id: String(link.id), refresh: null },
    );
    const message = 'Argument "refresh" of non-null type "Boolean!" must not be null.';
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: null,
        errors: [
          {
            message,
            locations: expect.any(Array),
            path: ['fileLink', 'originData'],
            extensions: {
              code: 'INVALID_REQUEST_BODY',
              errorIdentifier: 'urn:service-org:api:v3:errors:InvalidRequestBody',
              status: 400,
            },
          },
        ],
      },
    });
    expect(
      app.logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
    ).toEqual([]);
  });

  test.each([
    [
      'a variable named like an inherited property',
      'query($constructor: String, $toString: String, $id: ID!) { workPackage(id: $id) { attachments(after: $constructor) { totalCount } again: attachments(after: $toString) { totalCount } } }',
    ],
    [
      'a name that an object does not have',
      'query($id: ID!) { workPackage(id: $id) { __proto__: title title } }',
    ],
  ])('%s', async (_what, query) => {
    const { body } = await expectSameAnswers(query, { id: String(workPackage.id) });
    expect(body.errors).toBeUndefined();
  });
});

describe('compiled code is small', () => {
  const leaves = (count: number) =>
    Array.from({ length: count }, (_, n) => `a${n}: viewerCanUpdate`).join(' ');
  const nested = (depth: number, inside: string): string =>
    depth === 0
      ? inside
      : `container { attachments { nodes { id ${nested(depth - 1, inside)} } } }`;

  test.each([
    [
      'a list of attachments',
      'query($id: ID!) { workPackage(id: $id) { attachments(first: 100) { totalCount nodes { databaseId title author { name } container { title } } } } }',
      true,
    ],
    [
      'a list with a fragment',
      'query($id: ID!) { workPackage(id: $id) { attachments(first: 100) { nodes { ...F } } } } fragment F on Attachment { id fileName }',
      true,
    ],
    [
      'many fields below an interface',
      `query($id: ID!) { attachment(id: $id) { container { ${leaves(25)} } } }`,
      false,
    ],
    [
      'interfaces below interfaces',
      `query($id: ID!) { attachment(id: $id) { ${nested(3, 'fileName')} } }`,
      false,
    ],
    [
      'the same by inline fragments',
      `query($id: ID!) { attachment(id: $id) { ... { container { ... on Meeting { ${leaves(25)} } } } } }`,
      false,
    ],
    [
      'several operations',
      'query A($id: ID!) { attachment(id: $id) { id } } query B { viewer { name } }',
      false,
    ],
    ['the schema about itself', '{ __schema { types { name } } }', false],
  ] as const)('for %s', (_what, query, compiled) => {
    const document = parse(query);
    expect(validate(schema, document)).toEqual([]);
    expect(isCompilable(document)).toBe(compiled);
  });
});
