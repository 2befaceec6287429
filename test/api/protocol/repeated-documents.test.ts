/** Parsed documents are kept. A repeated document is answered as the first time. */
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

describe('a repeated document is answered as the first time', () => {
  test('with a missing variable inside an input', async () => {
    const create =
      'mutation ($id: ID!, $comment: String!, $internal: Boolean) { createComment(input: { workPackageId: $id, comment: $comment, internal: $internal }) { comment { comment { raw } internal } } }';
    const answers = await sendThreeTimes(create, { id: String(workPackage.id), comment: 'again' });
    expect(answers).toEqual(
      answers.map(() => ({
        status: 200,
        body: {
          data: { createComment: { comment: { comment: { raw: 'again' }, internal: false } } },
        },
      })),
    );
    const update =
      'mutation ($id: ID!, $subject: String) { updateWorkPackage(input: { id: $id, subject: $subject }) { workPackage { subject } } }';
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
        data: { fileLink: null },
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
      'query($id: ID!) { workPackage(id: $id) { __proto__: subject subject } }',
    ],
  ])('%s', async (_what, query) => {
    const { body } = await expectSameAnswers(query, { id: String(workPackage.id) });
    expect(body.errors).toBeUndefined();
  });
});

describe('a repeated document has the same status, headers and body', () => {
  const accepted = [
    undefined,
    '*/*',
    'application/json',
    'application/graphql-response+json, application/json;q=0.9',
    'application/json; callbackSpec=1.0, application/json;q=0.5',
    'text/html',
  ];
  const twoOperations =
    'query A($id: ID!) { workPackage(id: $id) { subject } } query B { viewer { login } }';
  test.each([
    ['data', 200, 406, { query: '{ viewer { name } }' }],
    [
      'an alias',
      200,
      406,
      { query: '{ me: viewer { name } }', variables: null, operationName: null },
    ],
    ['an error of a field', 200, 406, { query: '{ workPackage(id: "0") { subject } }' }],
    ['an unknown field', 400, 406, { query: '{ viewer { nothing } }' }],
    ['one of two operations', 200, 406, { query: twoOperations, operationName: 'B' }],
    ['a missing variable', 400, 406, { query: twoOperations, operationName: 'A', variables: {} }],
    ['no operation of the name', 400, 406, { query: twoOperations, operationName: 'C' }],
    ['two operations and no name', 400, 406, { query: twoOperations }],
    ['a list of variables', 400, 400, { query: '{ viewer { name } }', variables: [] }],
    ['extensions', 200, 406, { query: '{ viewer { name } }', extensions: {} }],
    ['a member that has no meaning', 200, 406, { query: '{ viewer { name } }', more: 1 }],
  ])('%s', async (_what, status, ifHtml, json) => {
    for (const accept of accepted) {
      // A document that is new to the service.
      const query = `${json.query} # ${accept}`;
      const send = async () => {
        const answer = await app.request('POST', '/graphql', {
          as: person,
          json: { ...json, query },
          headers: accept === undefined ? {} : { accept },
        });
        const headers = Object.fromEntries(answer.headers);
        return { ...answer, headers: { ...headers, date: '', 'x-request-id': '' } };
      };
      const first = await send();
      expect(first.status).toBe(accept === 'text/html' ? ifHtml : status);
      expect([await send(), await send()]).toEqual([first, first]);
    }
  });
});

describe('a mutation whose answer has an error changes its rows once', () => {
  const wrong = 'attachments(after: "wrong") { totalCount }';
  const input = (members: string) => `input: { ${members} }`;
  test.each([
    [
      'work_packages',
      () =>
        `createWorkPackage(${input(`projectId: "${project.id}", subject: "Once"`)}) { workPackage { ${wrong} } }`,
    ],
    [
      'meetings',
      () =>
        `createMeeting(${input(`projectId: "${project.id}", title: "Once"`)}) { meeting { ${wrong} } }`,
    ],
    [
      'activities',
      () =>
        `createComment(${input(`workPackageId: "${workPackage.id}", comment: "Once"`)}) { comment { ${wrong} } }`,
    ],
  ])('%s', async (table, mutation) => {
    const { read } = app.running.services.db;
    const count = async () => Number((await read(table).count({ n: '*' }))[0]!['n']);
    const manager = await app.given.member(project, [
      'view_work_packages',
      'add_work_packages',
      'edit_work_packages',
      'add_work_package_comments',
      'view_meetings',
      'edit_meetings',
    ]);
    const before = await count();
    const texts = [`mutation { ${mutation()} }`, `mutation Named { a: ${mutation()} }`];
    for (const [index, text] of texts.entries()) {
      const answers = await sendThreeTimes(text, {}, manager);
      expect(
        answers.map(({ body }) => [
          body.data,
          body.errors?.map(({ extensions }: { extensions: { code: string } }) => extensions.code),
        ]),
      ).toEqual(answers.map(() => [null, ['INVALID_QUERY']]));
      expect(await count()).toBe(before + 3 * (index + 1));
    }
  });
});
