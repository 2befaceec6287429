/** Limits of what one GraphQL document can cost: its text, its fields and the size of its answer. */
import { FileLink } from '../../../src/models/file-link.js';
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let editor: Person;
let workPackage: ContainerHandle;
beforeAll(async () => {
  app = await startApp();
  const project = await app.given.project();
  editor = await app.given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'add_work_package_comments',
  ]);
  workPackage = await app.given.workPackage(project, editor);
});
afterAll(() => app.stop());

const refusal = (message: string, code = 'INVALID_QUERY') => ({
  errors: [
    {
      message,
      extensions: {
        code,
        errorIdentifier: 'urn:service-org:api:v3:errors:InvalidQuery',
        status: 400,
      },
    },
  ],
});

type Send = (query: string) => Promise<{ status: number; body: any }>;
const ways: [name: string, send: Send][] = [
  ['POST', (query) => app.request('POST', '/graphql', { as: editor, json: { query } })],
  ['GET', (query) => app.get(`/graphql?query=${encodeURIComponent(query)}`, editor)],
  [
    'form',
    async (query) => {
      const { status, data, errors } = await app.graphqlUpload(query, {}, 'text', editor);
      return { status, body: { ...(data && { data }), ...(errors && { errors }) } };
    },
  ],
];

describe.each(ways)('a document sent by %s', (_name, send) => {
  test('has names of at most 100 characters', async () => {
    const message = `A name in the document has more than 100 characters: ${'a'.repeat(100)}…`;
    const long = 'a'.repeat(101);
    for (const query of [
      `{ ${long}: viewer { id } }`,
      `query ${long} { viewer { id } }`,
      `query ($${long}: ID) { node(id: $${long}) { id } }`,
      `{ ...${long} } fragment ${long} on Query { viewer { id } }`,
    ]) {
      const { status, body } = await send(query);
      expect([status, body]).toEqual([400, refusal(message)]);
    }
    const { body } = await send(`{ ${'a'.repeat(100)}: viewer { __typename } }`);
    expect(body).toEqual({ data: { ['a'.repeat(100)]: { __typename: 'User' } } });
  });

  test('has at most 1,000 selections, and a fragment counts at each use', async () => {
    const message = 'The document has more than 1,000 selections. A fragment counts at each use.';
    const fields = (count: number) => 'id '.repeat(count);
    for (const query of [
      `{ viewer { ${fields(1_000)} } }`,
      `{ viewer { ${'...F '.repeat(100)} } } fragment F on User { ${fields(10)} }`,
      `{ viewer { id } } fragment F on User { ${fields(999)} }`,
    ]) {
      const { status, body } = await send(query);
      expect([status, body]).toEqual([400, refusal(message)]);
    }
    const most = `{ viewer { ${fields(499)} } again: viewer { ${fields(499)} } }`;
    expect((await send(most)).body).toEqual({
      data: { viewer: { id: expect.any(String) }, again: { id: expect.any(String) } },
    });
  });
});

describe('a document', () => {
  test('that repeats fields too often to be compared is refused', async () => {
    const { body } = await ways[0]![1](`{ viewer { ${'id '.repeat(999)} } }`);
    expect(body).toEqual(
      refusal('The document selects the same fields too often. Select each field once.'),
    );
  });

  const query = (length: number) => '{ viewer { __typename } }'.padEnd(length, ' ');

  test.each(ways.filter(([name]) => name !== 'GET'))(
    'sent by %s has at most 20,000 characters',
    async (_name, send) => {
      expect((await send(query(20_000))).body).toEqual({
        data: { viewer: { __typename: 'User' } },
      });
      const { status, body } = await send(query(20_001));
      expect([status, body]).toEqual([
        400,
        refusal('The document has more than 20,000 characters.'),
      ]);
    },
  );

  test.each([
    [20_001, (length: number) => query(length), /more than 20,000 characters/],
    [101, (length: number) => `{ ${'a'.repeat(length)}: viewer { id } }`, /more than 100 charac/],
    [501, (length: number) => `{ ${'viewer { id } '.repeat(length)} }`, /more than 1,000 selec/],
  ])('of a subscription has the same limits: %d', async (length, document, message) => {
    const { text } = await app.request('POST', '/graphql/stream', {
      as: editor,
      json: { query: document(length) },
      headers: { accept: 'text/event-stream' },
    });
    expect(text).toMatch(message);
    expect(text).toMatch('"code":"INVALID_QUERY"');
  });
});

describe('lists of ids', () => {
  const tooManyIds = refusal(
    'The document has more than 1,000 ids in lists. A variable and a fragment count at each use. Send several documents.',
  );
  const ids = (count: number) => Array.from({ length: count }, (_, n) => String(900_000 + n));
  const literals = (count: number) => `[${ids(count).join(' ')}]`;
  const send = (
    query: string,
    variables: object = {},
    operationName?: string,
    target = '/graphql',
  ) =>
    app.request('POST', target, {
      as: editor,
      json: { query: query.replaceAll('"WP"', String(workPackage.id)), variables, operationName },
      ...(target !== '/graphql' && { headers: { accept: 'text/event-stream' } }),
    });
  const updates = (count: number, of: string) =>
    Array.from(
      { length: count },
      (_, n) =>
        `u${n}: updateWorkPackage(input: { id: "WP", subject: "Changed", attachmentIds: ${of} }) { workPackage { id } }`,
    ).join(' ');

  test.each<[string, string, object?, string?]>([
    [
      'thirty updates that share a variable',
      `mutation ($ids: [ID!]) { ${updates(30, '$ids')} }`,
      { ids: ids(34) },
    ],
    [
      'a variable that is an input',
      'mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }',
      { input: { workPackageId: '1', comment: 'x', attachmentIds: ids(1_001) } },
    ],
    [
      'attachments and file links',
      'mutation ($input: UpdateWorkPackageInput!) { updateWorkPackage(input: $input) { workPackage { id } } }',
      { input: { id: '1', subject: 'x', attachmentIds: ids(501), fileLinkIds: ids(500) } },
    ],
    ['literals', `mutation { ${updates(3, literals(334))} }`],
    [
      'variables in literals',
      `query ($id: ID!) { a: nodes(ids: [${'$id '.repeat(1_001)}]) { id } }`,
      { id: '1' },
    ],
    [
      'the default of a variable',
      `mutation ($ids: [ID!] = ${literals(501)}) { ${updates(2, '$ids')} }`,
    ],
    [
      'a fragment at each use',
      `query ($ids: [ID!]) { a: workPackage(id: 1) { ...F } b: workPackage(id: 2) { ...F } ... on Query { c: workPackage(id: 3) { ...F } } }
       fragment F on WorkPackage { attachments(filter: { authorIds: $ids }) { totalCount } }`,
      { ids: ids(334) },
    ],
    [
      'fields of an interface',
      'query ($ids: [ID!]) { node(id: 1) { ... on Container { attachments(filter: { authorIds: $ids }) { totalCount } attachmentsArchive(ids: $ids) { href } } } }',
      { ids: ids(501) },
    ],
    [
      'the members of a filter',
      'query ($not: WorkPackageExclusion) { workPackages(filter: { except: $not }) { totalCount } }',
      { not: { ids: ids(500), statusIds: ids(501) } },
    ],
    [
      'all operations',
      `mutation A { ${updates(1, literals(501))} } mutation B { ${updates(1, literals(500))} }`,
      {},
      'A',
    ],
  ])('%s: more than 1,000 are refused before anything happens', async (_name, ...request) => {
    const { subject } = (await app.get(workPackage.path, editor)).body;
    const { status, body } = await send(...request);
    expect([status, body]).toEqual([400, tooManyIds]);
    expect((await app.get(workPackage.path, editor)).body.subject).toBe(subject);
  });

  test('a document with 1,000 is answered', async () => {
    const mutation = await send(`mutation ($ids: [ID!]) { ${updates(2, '$ids')} }`, {
      ids: ids(500),
    });
    expect(
      mutation.body.errors.map(({ message, extensions: { code } }: any) => [code, message]),
    ).toEqual([['PROPERTY_CONSTRAINT_VIOLATION', 'Attachments does not exist.']]);
    const query = await send(
      'query ($ids: [ID!]) { projectStorages(filter: { storageIds: $ids }) { totalCount } }',
      {
        ids: ids(1_000),
      },
    );
    expect(query.body).toEqual({ data: { projectStorages: { totalCount: 0 } } });
  });

  test('variables of operations that do not run do not count', async () => {
    const { body } = await send(
      `mutation A($ids: [ID!]) { ${updates(1, '$ids')} } mutation B($ids: [ID!]) { ${updates(1, '$ids')} }`,
      { ids: ids(501) },
      'A',
    );
    expect(body.errors[0].message).toBe('Attachments does not exist.');
  });

  test('a known query with too many is refused, too', async () => {
    const query =
      'query Known($ids: [ID!]) { projectStorages(filter: { storageIds: $ids }) { totalCount } }';
    for (const count of [1_000, 1_000, 1_001])
      expect((await send(query, { ids: ids(count) })).status).toBe(count > 1_000 ? 400 : 200);
  });

  test('a subscription with more than 1,000 is refused, also by a default', async () => {
    const subscription = (of: string) =>
      `subscription ($id: ID!, $ids: [ID!]${of}) { attachmentChanged(containerId: $id) { attachment { container { attachments(filter: { authorIds: $ids }) { totalCount } } } } }`;
    for (const [of, given] of [
      ['', { ids: ids(1_001) }],
      [` = ${literals(1_001)}`, {}],
    ] as const) {
      const variables = { id: workPackage.globalId, ...given };
      const { text } = await send(subscription(of), variables, undefined, '/graphql/stream');
      expect(text).toMatch('The document has more than 1,000 ids in lists.');
      expect(text).toMatch('"code":"INVALID_QUERY"');
    }
  });

  test('a REST body takes 1,000 links in all its lists', async () => {
    const links = (segment: string, count: number) =>
      ids(count).map((id) => ({ href: `/api/v3/${segment}/${id}` }));
    const patch = async (_links: object) => {
      const { body } = await app.get(workPackage.path, editor);
      const answer = await app.request('PATCH', workPackage.path, {
        as: editor,
        json: { lockVersion: body.lockVersion, subject: 'Not stored', _links },
      });
      expect((await app.get(workPackage.path, editor)).body).toEqual(body);
      const { errorIdentifier, message, _embedded } = answer.body;
      return [answer.status, errorIdentifier, message, _embedded.details.attribute];
    };
    const violation = (message: string, attribute: string) => [
      422,
      'urn:service-org:api:v3:errors:PropertyConstraintViolation',
      message,
      attribute,
    ];
    const tooMany = 'has too many links. A body takes 1,000 at most, in all its lists.';
    expect(await patch({ attachments: links('attachments', 1_001) })).toEqual(
      violation(`Attachments ${tooMany}`, 'attachments'),
    );
    expect(
      await patch({ attachments: links('attachments', 500), fileLinks: links('file_links', 501) }),
    ).toEqual(violation(`FileLinks ${tooMany}`, 'fileLinks'));
    expect(await patch({ attachments: links('attachments', 1_000) })).toEqual(
      violation('Attachments does not exist.', 'attachments'),
    );
  });
});

const CONTAINERS = 6;
/** The most that a page has. */
const FILES = 200;

describe('an answer', () => {
  const containers: ContainerHandle[] = [];
  beforeAll(async () => {
    const project = await app.given.project();
    await app.given.membership(editor, project, ['view_work_packages']);
    for (let count = 0; count < CONTAINERS; count += 1) {
      const container = await app.given.workPackage(project, editor);
      for (let file = 0; file < FILES; file += 1)
        await app.given.attachment({ container, author: editor, blob: false });
      containers.push(container);
    }
  });

  /** The first files of so many work packages. */
  const files = (fields: string, { first = FILES, lists = CONTAINERS } = {}) =>
    app.request('POST', '/graphql', {
      as: editor,
      json: {
        query: `query ($ids: [ID!]!, $first: Int) { nodes(ids: $ids) { ... on WorkPackage { attachments(first: $first) { nodes { ${fields} } } } } }`,
        variables: { ids: containers.slice(0, lists).map(({ globalId }) => globalId), first },
      },
    });
  const tooMany = refusal(
    'The answer would have more than 100,000 fields. Ask for fewer rows with first, or for fewer fields.',
  );
  const tooLarge = refusal(
    'The answer would be larger than 16 MiB. Ask for fewer rows with first, for fewer fields, or in several documents.',
    'ANSWER_TOO_LARGE',
  );
  const repeated = (count: number, field: string, name = 'list') =>
    Array.from({ length: count }, (_, n) => `${name}${n}: ${field}`).join(' ');
  const aliases = (count: number, field: string) => repeated(count, field, 'a');

  test('has at most 100,000 fields: rows times the fields of each', async () => {
    const wide = aliases(30, 'author { id name login }');
    const { status, body } = await files(wide);
    expect([status, body]).toEqual([400, tooMany]);
    const fewer = await files(wide, { first: 20, lists: 1 });
    expect([fewer.status, fewer.body.data.nodes[0].attachments.nodes.length]).toEqual([200, 20]);
  });

  test('has at most 16 MiB', async () => {
    for (let count = 0; count < 300; count += 1)
      await app.given.comment(workPackage, editor, { text: 'x'.repeat(60_000) });
    const comments = (first: number) =>
      app.request('POST', '/graphql', {
        as: editor,
        json: {
          query: `query ($id: ID!, $first: Int) { workPackage(id: $id) { ${repeated(2, 'activities(first: $first) { nodes { comment { raw } } }')} } }`,
          variables: { id: String(workPackage.id), first },
        },
      });
    const { status, body } = await comments(150);
    expect([status, body]).toEqual([400, tooLarge]);
    const fewer = await comments(125);
    expect(fewer.body.data.workPackage.list1.nodes).toHaveLength(125);
  });

  test('has at most 16 MiB of the same values', async () => {
    const project = await app.given.project();
    await app.given.membership(editor, project, ['view_work_packages']);
    const other = await app.given.workPackage(project, editor);
    for (let count = 0; count < 30; count += 1)
      await app.given.comment(other, editor, { text: 'x'.repeat(60_000) });
    const { status, body } = await app.request('POST', '/graphql', {
      as: editor,
      json: {
        query: `query ($id: ID!) { workPackage(id: $id) { activities(first: 30) { nodes { ${aliases(10, 'comment { raw }')} } } } }`,
        variables: { id: String(other.id) },
      },
    });
    expect([status, body]).toEqual([400, tooLarge]);
  });

  test('of a mutation that is too large is an error; the change is made', async () => {
    const { status, body } = await app.request('POST', '/graphql', {
      as: editor,
      json: {
        query: `mutation ($input: UpdateWorkPackageInput!) { updateWorkPackage(input: $input) { workPackage { subject ${repeated(2, 'activities(first: 150) { nodes { comment { raw } } }')} } } }`,
        variables: { input: { id: String(workPackage.id), subject: 'A new subject' } },
      },
    });
    expect([status, body.data, body.errors.map(({ extensions }: any) => extensions.code)]).toEqual([
      200,
      null,
      ['ANSWER_TOO_LARGE'],
    ]);
    expect((await app.get(workPackage.path, editor)).body.subject).toBe('A new subject');
  });

  test('counts a rendered text as 20 fields', async () => {
    const { status, body } = await files(`description { ${aliases(5, 'html')} }`);
    expect([status, body]).toEqual([400, tooMany]);
    expect((await files(`description { ${aliases(5, 'raw')} }`)).status).toBe(200);
  });

  test('counts an address at the object store as 100 fields', async () => {
    const { status, body } = await files('downloadLocation', { lists: 5 });
    expect([status, body]).toEqual([400, tooMany]);
    expect((await files('downloadLocation', { first: 180, lists: 5 })).status).toBe(200);
  });

  test('counts marks of notifications as 15,000 fields each: the seventh is refused', async () => {
    const marks = (count: number) =>
      `mutation { ${Array.from({ length: count }, (_, n) => `m${n}: markNotificationsRead(input: {}) { changed }`).join(' ')} }`;
    expect((await app.graphql(marks(6), {}, editor)).data).toMatchObject({ m5: { changed: 0 } });
    const { data, errors } = await app.graphql(marks(7), {}, editor);
    expect([data, errors?.map(({ message }) => message)]).toEqual([
      null,
      [
        'The answer would have more than 100,000 fields. Ask for fewer rows with first, or for fewer fields.',
      ],
    ]);
  });

  test('counts errors of fields, and an error has one location however often it is selected', async () => {
    const project = await app.given.project();
    const person = await app.given.member(project, ['view_work_packages', 'view_file_links']);
    const own = await app.given.workPackage(project, person);
    const storage = await app.given.storage({
      origin: 'http://127.0.0.1:1',
      client: { id: 'ours', secret: 'secret' },
    });
    await app.given.projectStorage(project, storage);
    const now = new Date().toISOString();
    const links = async (from: number, to: number) => {
      for (let id = from; id <= to; id += 1)
        await FileLink.query(app.running.services.db.write).insert({
          storageId: storage.id,
          workPackageId: own.id,
          creatorId: person.id,
          originId: String(id),
          originName: 'a.txt',
          createdAt: now,
          updatedAt: now,
        });
    };
    const read = (fields: string) =>
      app.request('POST', '/graphql', {
        as: person,
        json: {
          query: `query ($id: ID!) { workPackage(id: $id) { fileLinks(first: 200) { nodes { ${fields} } } } }`,
          variables: { id: String(own.id) },
        },
      });
    await links(1, 1);
    const { body } = await read('downloadUrl '.repeat(300));
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].locations).toHaveLength(1);
    await links(2, 101);
    app.logLines.length = 0;
    const refused = await read(aliases(30, 'downloadUrl'));
    expect([refused.status, refused.body]).toEqual([400, tooMany]);
    const some = await read('downloadUrl');
    expect(some.body.errors).toHaveLength(101);
    expect(app.logLines.filter((line) => line.includes('a GraphQL field failed'))).toHaveLength(1);
    // Each link is a request to the storage now, although nobody answers there.
    await app.given.storageTokens(person, storage, { accessToken: 'token', originUserId: 'x' });
    await links(102, 130);
    const asked = await read('downloadUrl');
    expect([asked.status, asked.body]).toEqual([400, tooMany]);
  });

  test('counts characters as JSON writes them', async () => {
    const project = await app.given.project();
    const person = await app.given.member(project, ['view_work_packages']);
    const own = await app.given.workPackage(project, person);
    for (let count = 0; count < 50; count += 1)
      await app.given.comment(own, person, { text: '\u0001'.repeat(60_000) });
    const { status, body } = await app.request('POST', '/graphql', {
      as: person,
      json: {
        query: `query ($id: ID!) { workPackage(id: $id) { activities(first: 50) { nodes { comment { raw } } } } }`,
        variables: { id: String(own.id) },
      },
    });
    expect([status, body]).toEqual([400, tooLarge]);
  });

  test('reads the rows of parallel lists in turn, and stops before it has read all of them', async () => {
    const rows: number[] = [];
    const { read } = app.running.services.db;
    const note = (found: unknown) => {
      if (Array.isArray(found)) rows.push(found.length);
    };
    read.on('query-response', note);
    try {
      const lists = Array.from(
        { length: 30 },
        (_, n) => `a${n}: attachments(first: ${200 - n}) { totalCount }`,
      );
      const { status, body } = await app.request('POST', '/graphql', {
        as: editor,
        json: {
          query: `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on WorkPackage { ${lists.join(' ')} } } }`,
          variables: { ids: containers.map(({ globalId }) => globalId) },
        },
      });
      expect([status, body]).toEqual([
        400,
        refusal(
          'The lists of this document have more than 10000 rows together. Ask for fewer with first, or in several documents.',
        ),
      ]);
    } finally {
      read.off('query-response', note);
    }
    expect(rows.reduce((sum, count) => sum + count, 0)).toBeLessThan(12_000);
  });
});
