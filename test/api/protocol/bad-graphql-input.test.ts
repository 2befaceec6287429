/** Invalid GraphQL requests: each error gives a reason, and nothing is stored. */
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { startApp, type Answer, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../../support/jest.js';
import {
  ask,
  expectUnharmed,
  form,
  hangUp,
  head,
  MULTIPART,
  request,
  stored,
  type Part,
  type RawAnswer,
} from '../../support/raw.js';

interface Expected {
  /** The status of the HTTP answer. Default: that of the error. */
  http?: number;
  status: number;
  code: string;
  identifier: string;
  message: RegExp;
  attribute?: string;
}
const unsupportedEncoding: Expected = {
  status: 415,
  code: 'TYPE_NOT_SUPPORTED',
  identifier: 'TypeNotSupported',
  message: /^The Content-Encoding of the request is not supported/,
};
const query = (message: RegExp, http?: number): Expected => ({
  ...(http !== undefined && { http }),
  status: 400,
  code: 'INVALID_QUERY',
  identifier: 'InvalidQuery',
  message,
});
const bad = (message: RegExp): Expected => ({
  status: 400,
  code: 'INVALID_REQUEST_BODY',
  identifier: 'InvalidRequestBody',
  message,
});
const missing: Expected = {
  http: 200,
  status: 404,
  code: 'NOT_FOUND',
  identifier: 'NotFound',
  message: /could not be found/,
};
const wrong = (message: RegExp, attribute: string): Expected => ({
  http: 200,
  status: 422,
  code: 'PROPERTY_CONSTRAINT_VIOLATION',
  identifier: 'PropertyConstraintViolation',
  message,
  attribute,
});

let app: App;
let editor: Person;
let reader: Person;
let wp: ContainerHandle;
let before: { rows: number; files: number };

beforeAll(async () => {
  app = await startApp();
  const project = await app.given.project();
  editor = await app.given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'add_work_package_comments',
  ]);
  reader = await app.given.member(project, ['view_work_packages', 'view_file_links']);
  wp = await app.given.workPackage(project, editor);
  await app.given.attachment({ container: wp, author: editor });
  before = await stored(app);
});
afterEach(() => expectUnharmed(app, before));
afterAll(() => app.stop());

type Answered = Pick<Answer, 'status' | 'body' | 'text'> | RawAnswer;

function expectErrors(
  { status, body, text }: Answered,
  { http, status: errorStatus, code, identifier, message, attribute }: Expected,
) {
  expect(body?.errors?.[0]).toMatchObject({
    message: expect.stringMatching(message),
    extensions: {
      code,
      errorIdentifier: `urn:service-org:api:v3:errors:${identifier}`,
      status: errorStatus,
      ...(attribute !== undefined && { attribute }),
    },
  });
  for (const { message: words, extensions } of body.errors) {
    expect(words).not.toBe('');
    expect(Object.keys(extensions)).toEqual(
      expect.arrayContaining(['code', 'errorIdentifier', 'status']),
    );
  }
  expect(status).toBe(http ?? errorStatus);
  expect(text).not.toMatch(/stacktrace|node_modules|\\n\s+at |\.ts:\d|\.js:\d/);
}

const post = (json: unknown, as: Person | undefined = editor) =>
  app.request('POST', '/graphql', { as, json });

/** A repeated document is refused with the same message. */
async function expectRefused(body: object, expected: Expected) {
  for (let round = 0; round < 3; round += 1) expectErrors(await post(body), expected);
}

describe('documents', () => {
  const bomb = (count: number) =>
    `query { ${Array.from({ length: count }, (_, index) => `a${index}: viewer { name }`).join(' ')} }`;
  const fragments = (count: number) =>
    `${Array.from({ length: count }, (_, index) => `fragment F${index} on User { ...F${index + 1} ...F${index + 1} }`).join(' ')} fragment F${count} on User { name } query { viewer { ...F0 } }`;
  const cases: [name: string, document: () => string, expected: Expected][] = [
    ['empty', () => '', bad(/non-empty `query`/)],
    ['a comment only', () => '# nothing', query(/Syntax Error/)],
    ['cut off', () => 'query { viewer {', query(/Syntax Error/)],
    ['text that is not GraphQL', () => 'select * from users', query(/Syntax Error/)],
    ['NUL', () => 'query { \0 }', query(/Syntax Error/)],
    [
      'an unknown field',
      () => '{ viewer { password } }',
      query(/Cannot query field "password" on type "User"/),
    ],
    ['an unknown argument', () => '{ viewer(id: 1) { id } }', query(/Unknown argument "id"/)],
    [
      'an unknown type',
      () => 'query ($x: Nothing) { viewer { id } }',
      query(/Unknown type "Nothing"/),
    ],
    ['an unknown fragment', () => '{ viewer { ...Nothing } }', query(/Unknown fragment "Nothing"/)],
    [
      'an unknown directive',
      () => '{ viewer @nothing { id } }',
      query(/Unknown directive "@nothing"/),
    ],
    ['__proto__ as a field', () => '{ __proto__ { id } }', query(/Cannot query field "__proto__"/)],
    [
      'constructor as a field',
      () => '{ viewer { constructor } }',
      query(/Cannot query field "constructor"/),
    ],
    [
      'a fragment that contains itself',
      () => 'fragment F on User { id ...F } { viewer { ...F } }',
      query(/spread fragment|circular|itself/i),
    ],
    [
      'two fragments that contain each other',
      () => 'fragment F on User { ...G } fragment G on User { ...F } { viewer { ...F } }',
      query(/spread fragment|circular|itself/i),
    ],
    ['no selection', () => '{ viewer }', query(/must have a selection of subfields/)],
    [
      'a missing argument',
      () => '{ attachment { id } }',
      query(/argument "id" of type "ID!" is required/),
    ],
    [
      'a variable that is not declared',
      () => '{ attachment(id: $id) { id } }',
      query(/Variable "\$id" is not defined/),
    ],
    [
      'a variable of another type',
      () => 'query ($id: Int!) { attachment(id: $id) { id } }',
      query(/used in position expecting type "ID!"/),
    ],
    ['fields that conflict', () => '{ viewer { id: name id } }', query(/conflict/)],
    [
      'an upload as a literal',
      () =>
        'mutation { createAttachment(input: { fileName: "a.txt", file: "x" }) { attachment { id } } }',
      query(/cannot be written into the document/),
    ],
    [
      'an unknown subscription',
      () => 'subscription { viewer { id } }',
      query(/Cannot query field "viewer" on type "Subscription"/),
    ],
    ['a schema definition', () => 'type Query { x: Int }', query(/not executable/)],
    [
      'a depth bomb',
      () =>
        `{ workPackage(id: 1) { ${'attachments { nodes { container { '.repeat(4)}id${' } } }'.repeat(4)} } }`,
      query(/depth/i),
    ],
    [
      'a depth that a fragment completes',
      () =>
        `{ workPackage(id: 1) { ${'attachments { nodes { container { '.repeat(3)}...More${' } } }'.repeat(3)} } } fragment More on Container { attachments { nodes { id } } }`,
      query(/has a depth of 13\. At most 12 is allowed/),
    ],
    ['an alias bomb', () => bomb(500), query(/alias/i)],
    [
      'aliases in a fragment that is used again',
      () =>
        `{ ${'viewer { ...Names } '.repeat(16)} } fragment Names on User { one: name two: name }`,
      query(/more than 30 aliases/),
    ],
    [
      'a directive bomb',
      () => `{ viewer { id ${'@include(if: true) '.repeat(500)} } }`,
      query(/directive/i),
    ],
    ['a token bomb', () => `{ viewer { ${'id '.repeat(5_000)} } }`, query(/token/i)],
    ['many brackets', () => '{a'.repeat(10_000), query(/token|Syntax Error/i)],
    ['a megabyte', () => ' '.repeat(1_000_000), query(/more than 20,000 characters/)],
    [
      'many selections',
      () => `{ ${'viewer { id } '.repeat(501)} }`,
      query(/more than 1,000 selections/),
    ],
    ['fragments that double thirty times', () => fragments(30), query(/.+/)],
    [
      'ten thousand operations',
      () =>
        Array.from({ length: 10_000 }, (_, index) => `query Q${index} { viewer { id } }`).join(' '),
      query(/more than 20,000 characters/),
    ],
  ];
  test.each(cases)('%s is refused', async (_name, document, expected) => {
    await expectRefused({ query: document() }, expected);
  });

  test.each(['/graphql', '/graphql/stream'])(
    'a body that is not UTF-8 is refused at %s',
    async (path) => {
      const body = Buffer.concat([
        Buffer.from('{"query":"{ viewer { id } }","x":"'),
        Buffer.from([0xfc]),
        Buffer.from('"}'),
      ]);
      const answer = await app.request('POST', path, {
        as: editor,
        body,
        headers: {
          'content-type': 'application/json',
          accept: path.endsWith('stream') ? 'text/event-stream' : 'application/json',
        },
      });
      expectErrors(answer, bad(/The request body is not valid UTF-8/));
    },
  );

  test('fragments that name others several times are accepted', async () => {
    const spread = (name: string) => `...${name} `.repeat(3);
    const document =
      `query ($id: ID!) { workPackage(id: $id) { fileLinks { totalCount nodes { ${spread('A')} } } } }` +
      ` fragment A on FileLink { ${spread('B')} } fragment B on FileLink { ${spread('C')} } fragment C on FileLink { ${spread('D')} } fragment D on FileLink { id }`;
    const { status, body } = await post({ query: document, variables: { id: wp.id } }, reader);
    expect([status, body]).toEqual([
      200,
      { data: { workPackage: { fileLinks: { totalCount: 0, nodes: [] } } } },
    ]);
  });

  test('several operations without a name are refused', async () => {
    await expectRefused(
      { query: 'query A { viewer { id } } query B { viewer { id } }' },
      query(/operationName|operation name/i),
    );
    await expectRefused(
      { query: 'query A { viewer { id } } query B { viewer { id } }', operationName: 'C' },
      query(/Unknown operation named "C"/),
    );
  });
});

describe('introspection that is switched off', () => {
  let closed: App;
  beforeAll(async () => {
    closed = await startApp({ GRAPHQL_INTROSPECTION: 'false' });
  });
  afterAll(() => closed.stop());

  test.each([
    '{ __schema { types { name } } }',
    '{ __type(name: "User") { fields { name } } }',
    'fragment F on Query { __schema { queryType { name } } } { ...F }',
  ])('%s is refused', async (document) => {
    for (let round = 0; round < 3; round += 1)
      expectErrors(
        await closed.request('POST', '/graphql', { json: { query: document } }),
        query(/introspection/i),
      );
  });

  test('typing errors do not reveal similar names: fields, members of variables, subscriptions', async () => {
    const mistyped: [path: string, json: object][] = [
      ['/graphql', { query: '{ viewer { nam } }' }],
      [
        '/graphql',
        {
          query:
            'mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }',
          variables: { input: { coment: 'x' } },
        },
      ],
      ['/graphql/stream', { query: 'subscription { attachmentChangd { id } }' }],
    ];
    for (const [path, json] of mistyped) {
      const headers: { [name: string]: string } = path.endsWith('stream')
        ? { accept: 'text/event-stream' }
        : {};
      const answerText = (await closed.request('POST', path, { json, headers })).text;
      expect(answerText).toMatch(/"(nam|coment|attachmentChangd)\\?"/);
      expect(answerText).not.toMatch(/Did you mean/);
      // If the schema is public, suggestions are given.
      expect((await app.request('POST', path, { json, headers })).text).toMatch(/Did you mean/);
    }
  });

  test('text of the client that looks like a suggestion is quoted unchanged', async () => {
    const messageFor = async (coment: string) => {
      const { status, body } = await closed.request('POST', '/graphql', {
        json: {
          query:
            'mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }',
          variables: { input: coment },
        },
      });
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'INVALID_REQUEST_BODY']);
      return body.errors[0].message as string;
    };
    const words = ' Did you mean '.repeat(50);
    expect(await messageFor(words)).toContain(words);
    // Shortened, like every long quotation.
    expect(await messageFor(words.repeat(1_000))).toMatch(new RegExp(`${words}[^?]*…$`));
  });

  test('the type name of an object is available', async () => {
    expect(
      (await closed.request('POST', '/graphql', { json: { query: '{ viewer { __typename } }' } }))
        .body,
    ).toEqual({ data: { viewer: { __typename: 'User' } } });
  });
});

describe('variables', () => {
  const attachment = 'query ($id: ID!) { attachment(id: $id) { id } }';
  const page =
    'query ($id: ID!, $first: Int, $after: String) { workPackage(id: $id) { attachments(first: $first, after: $after) { nodes { id } } } }';
  const comment =
    'mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }';
  const upload =
    'mutation ($file: Upload!) { createAttachment(input: { fileName: "a.txt", file: $file }) { attachment { id } } }';

  const cases: [name: string, document: string, variables: () => unknown, expected: Expected][] = [
    ['none', attachment, () => undefined, bad(/"\$id" of required type "ID!" was not provided/)],
    [
      'null',
      attachment,
      () => ({ id: null }),
      bad(/"\$id" of non-null type "ID!" must not be null/),
    ],
    ['an object as an id', attachment, () => ({ id: { $ne: 1 } }), bad(/ID cannot represent/)],
    ['an array as an id', attachment, () => ({ id: [1] }), bad(/ID cannot represent/)],
    ['true as an id', attachment, () => ({ id: true }), bad(/ID cannot represent/)],
    ['a fraction as an id', attachment, () => ({ id: 1.5 }), bad(/ID cannot represent/)],
    ['a list of variables', attachment, () => [1], bad(/`?variables`?/)],
    ['variables as text', attachment, () => '{"id":1', bad(/variables|JSON/)],
    ['a number of variables', attachment, () => 5, bad(/`?variables`?/)],
    [
      'deeply nested variables',
      attachment,
      () => ({ id: JSON.parse('['.repeat(1000) + ']'.repeat(1000)) }),
      bad(/ID cannot represent/),
    ],
    [
      'a variable named constructor that is missing',
      'query ($constructor: ID!) { attachment(id: $constructor) { id } }',
      () => ({}),
      bad(/"\$constructor" of required type "ID!" was not provided/),
    ],
    [
      'a variable named __proto__ that is missing',
      'query ($__proto__: ID!) { attachment(id: $__proto__) { id } }',
      () => ({}),
      bad(/of required type "ID!" was not provided/),
    ],
    ['text as a count', page, () => ({ id: wp.id, first: 'ten' }), bad(/Int cannot represent/)],
    [
      '2^31 as a count',
      page,
      () => ({ id: wp.id, first: 2_147_483_648 }),
      bad(/Int cannot represent/),
    ],
    ['a number as a cursor', page, () => ({ id: wp.id, after: 1 }), bad(/String cannot represent/)],
    [
      'an unknown member',
      comment,
      () => ({ input: { workPackageId: wp.id, comment: 'x', nothing: 1 } }),
      bad(/Field "nothing" is not defined/),
    ],
    ['a missing member', comment, () => ({ input: { comment: 'x' } }), bad(/workPackageId/)],
    [
      'a number as text',
      comment,
      () => ({ input: { workPackageId: wp.id, comment: 5 } }),
      bad(/String cannot represent/),
    ],
    [
      'text as a boolean',
      comment,
      () => ({ input: { workPackageId: wp.id, comment: 'x', internal: 'yes' } }),
      bad(/Boolean cannot represent/),
    ],
    [
      'an object as a list of ids',
      comment,
      () => ({ input: { workPackageId: wp.id, comment: 'x', attachmentIds: [{}] } }),
      bad(/ID cannot represent/),
    ],
    [
      'an inherited member',
      comment,
      () => ({ input: JSON.parse(`{"__proto__":{"workPackageId":"${wp.id}","comment":"x"}}`) }),
      bad(/workPackageId|__proto__/),
    ],
    ['an upload as text', upload, () => ({ file: 'content' }), bad(/part of a multipart request/)],
    [
      'an upload as an object',
      upload,
      () => ({ file: { promise: {}, createReadStream: 1, open: 1 } }),
      bad(/part of a multipart request/),
    ],
    ['an upload as null', upload, () => ({ file: null }), bad(/must not be null/)],
    ['an upload as a number', upload, () => ({ file: 0 }), bad(/part of a multipart request/)],
  ];
  test.each(cases)('%s', async (_name, document, variables, expected) => {
    await expectRefused({ query: document, variables: variables() }, expected);
  });

  const ids: [name: string, id: unknown][] = [
    ['a negative id', '-1'],
    ['zero', 0],
    ['2^31', '2147483648'],
    ['2^63', '9223372036854775808'],
    ['an exponent', '1e0'],
    ['hexadecimal', '0x1'],
    ['a leading zero', '01'],
    ['Arabic digits', '١'],
    ['empty', ''],
    ['a space', ' 1'],
    ['a word', '__proto__'],
    ['a global id of another type', 'VXNlcjox'],
    ['a global id without a number', 'QXR0YWNobWVudDo'],
    ['a megabyte', '1'.repeat(900_000)],
    ['NUL', '1\0'],
    ['a lone surrogate', '\ud800'],
  ];
  test.each(ids)('%s is not the id of an attachment', async (_name, id) => {
    await expectRefused({ query: attachment, variables: { id } }, missing);
    expect(
      (await post({ query: 'query ($id: ID!) { node(id: $id) { id } }', variables: { id } })).body,
    ).toEqual({ data: { node: id === 'VXNlcjox' ? { id } : null } });
  });

  const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const pages: [name: string, variables: () => object, message: RegExp, attribute: string][] = [
    ['a negative count', () => ({ first: -1 }), /"first" is not a count/, 'first'],
    [
      'the most negative count',
      () => ({ first: -2_147_483_648 }),
      /"first" is not a count/,
      'first',
    ],
    ['an empty cursor', () => ({ after: '' }), /"after" is not a cursor of this list/, 'after'],
    ['a cursor of garbage', () => ({ after: '***' }), /is not a cursor/, 'after'],
    ['a cursor of another list', () => ({ after: cursor([5]) }), /is not a cursor/, 'after'],
    [
      'a cursor that is an object',
      () => ({ after: cursor({ 0: 'a', 1: 2, length: 2 }) }),
      /is not a cursor/,
      'after',
    ],
    [
      'a cursor with an object',
      () => ({ after: cursor([{ a: 1 }, 1]) }),
      /is not a cursor/,
      'after',
    ],
    ['a cursor with a fraction', () => ({ after: cursor(['a', 1.5]) }), /is not a cursor/, 'after'],
    [
      'a cursor with text for a number',
      () => ({ after: cursor(['a', '1']) }),
      /is not a cursor/,
      'after',
    ],
    [
      'a cursor with too large a number',
      () => ({ after: cursor(['a', 2_147_483_648]) }),
      /is not a cursor/,
      'after',
    ],
    [
      'a cursor with a huge number',
      () => ({ after: cursor(['a', Number.MAX_SAFE_INTEGER]) }),
      /is not a cursor/,
      'after',
    ],
    ['a cursor with NUL', () => ({ after: cursor(['a\0', 1]) }), /is not a cursor/, 'after'],
    [
      'a cursor with half a character',
      () => ({ after: cursor(['\ud800', 1]) }),
      /is not a cursor/,
      'after',
    ],
    ['a cursor of 100 kB', () => ({ after: 'x'.repeat(100_000) }), /is not a cursor/, 'after'],
    [
      'a deeply nested cursor',
      () => ({ after: Buffer.from('['.repeat(50_000)).toString('base64url') }),
      /is not a cursor/,
      'after',
    ],
  ];
  test.each(pages)('%s is an invalid query', async (_name, variables, message, attribute) => {
    await expectRefused(
      { query: page, variables: { id: wp.id, ...variables() } },
      { ...query(message, 200), attribute },
    );
  });

  test('the largest count and an unknown cursor name are accepted', async () => {
    const { body } = await post({
      query: page,
      variables: { id: wp.id, first: 200, after: cursor(['no such name', 1]) },
    });
    expect(body.errors).toBeUndefined();
  });

  test('values that cannot be stored answer 422', async () => {
    await expectRefused(
      { query: comment, variables: { input: { workPackageId: wp.id, comment: 'a\0' } } },
      wrong(/must not contain NUL/, 'comment'),
    );
    await expectRefused(
      { query: comment, variables: { input: { workPackageId: wp.id, comment: ' ' } } },
      wrong(/can't be blank/, 'comment'),
    );
    await expectRefused(
      {
        query: comment,
        variables: { input: { workPackageId: wp.id, comment: 'x', attachmentIds: ['-1'] } },
      },
      wrong(/does not exist/, 'attachments'),
    );
    await expectRefused(
      {
        query: 'mutation ($name: String!) { createApiKey(input: { name: $name }) { key } }',
        variables: { name: 'a\0' },
      },
      wrong(/name/i, 'name'),
    );
    await expectRefused(
      {
        query: 'mutation ($name: String!) { createApiKey(input: { name: $name }) { key } }',
        variables: { name: 'n'.repeat(100_000) },
      },
      wrong(/at most 255 characters/, 'name'),
    );
  });

  test('an address with a million slashes is invalid, and is refused fast', async () => {
    const document =
      'query ($urls: [String!]) { projectStorages(filter: { storageUrls: $urls }) { totalCount } }';
    await expectRefused(
      {
        query: document,
        variables: { urls: [`https://files.example.org${'/'.repeat(900_000)}a`] },
      },
      {
        ...query(/^Filter storageUrl has a value that is no address\.$/, 200),
        attribute: 'filters',
      },
    );
  });

  test('long invalid values are quoted shortened', async () => {
    const long = {
      a: 'x'.repeat(900_000),
      ...Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`b${index}`, 0])),
    };
    const subscription = 'subscription ($a: ID!) { attachmentChanged(containerId: $a) { event } }';
    for (const { text, body } of [
      await post({ query: comment, variables: { input: long } }),
      await app.request('POST', '/graphql/stream', {
        as: editor,
        json: { query: subscription, variables: { a: long } },
        headers: { accept: 'text/event-stream' },
      }),
    ]) {
      expect(text.length).toBeLessThan(20_000);
      expect(text).toContain('xxx');
      for (const { message } of body?.errors ?? [])
        expect(message.length).toBeLessThanOrEqual(1_001);
    }
  });

  test('a hundred thousand attachments to claim are refused', async () => {
    await expectRefused(
      {
        query: comment,
        variables: {
          input: {
            workPackageId: wp.id,
            comment: 'x',
            attachmentIds: Array.from({ length: 100_000 }, (_, index) => index + 10_000),
          },
        },
      },
      query(/^The document has more than 1,000 ids in lists/),
    );
  });
});

describe('the request', () => {
  const send = (
    body: string | Buffer,
    headers: { [name: string]: string } = {},
    method = 'POST',
    target = '/graphql',
  ) =>
    ask(
      app,
      request(method, target, body, {
        as: editor,
        headers: { 'Content-Type': 'application/json', ...headers },
      }),
    );

  const cases: [name: string, answer: () => Promise<Answered>, expected: Expected][] = [
    ['an empty body', () => send(''), bad(/body|query/i)],
    ['invalid JSON', () => send('query'), bad(/JSON/)],
    ['JSON that is cut off', () => send('{"query":"{ viewer { id } }"'), bad(/JSON/)],
    ['null', () => send('null'), bad(/JSON|body/i)],
    ['a string', () => send('"{ viewer { id } }"'), bad(/JSON|body/i)],
    ['a batch', () => send('[{"query":"{ viewer { id } }"}]'), bad(/batch/i)],
    ['an empty batch', () => send('[]'), bad(/batch|body/i)],
    ['no query', () => send('{"variables":{}}'), bad(/`query`/)],
    [
      'a query that is not a string',
      () => send('{"query":{"a":1}}'),
      bad(/queries must be strings/),
    ],
    [
      'variables that are nested a hundred thousand times',
      () =>
        send(
          `{"query":"query ($id: ID!) { attachment(id: $id) { id } }","variables":{"id":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
        ),
      bad(/ID cannot represent/),
    ],
    [
      'an unsupported Accept header',
      () => send('{"query":"{ viewer { id } }"}', { Accept: 'image/png' }),
      {
        status: 406,
        code: 'TYPE_NOT_SUPPORTED',
        identifier: 'TypeNotSupported',
        message: /accept/i,
      },
    ],
    ['a query that is null', () => send('{"query":null}'), bad(/`query`/)],
    ['only __proto__', () => send('{"__proto__":{"query":"{ viewer { id } }"}}'), bad(/`query`/)],
    [
      'an operationName that is not a string',
      () => send('{"query":"{ viewer { id } }","operationName":5}'),
      bad(/operationName/),
    ],
    [
      'extensions that are not an object',
      () => send('{"query":"{ viewer { id } }","extensions":"x"}'),
      bad(/extensions/),
    ],
    [
      'an unknown persisted query',
      () =>
        send(`{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"${'a'.repeat(64)}"}}}`),
      { ...query(/PersistedQuery/), http: 200 },
    ],
    [
      'a body of more than 1 MiB',
      () => send(JSON.stringify({ query: ' '.repeat(1_100_000) })),
      bad(/larger than 1048576 bytes/),
    ],
    [
      'a gzip bomb',
      () =>
        send(gzipSync(JSON.stringify({ query: ' '.repeat(20_000_000) })), {
          'Content-Encoding': 'gzip',
        }),
      unsupportedEncoding,
    ],
    [
      'a gzip body',
      () => send(gzipSync('{"query":"{ viewer { id } }"}'), { 'Content-Encoding': 'gzip' }),
      unsupportedEncoding,
    ],
    [
      'an unknown Content-Encoding',
      () => send('{}', { 'Content-Encoding': 'nonsense' }),
      unsupportedEncoding,
    ],
    [
      'an unknown charset',
      () => send('{}', { 'Content-Type': 'application/json; charset=nonsense' }),
      {
        status: 415,
        code: 'TYPE_NOT_SUPPORTED',
        identifier: 'TypeNotSupported',
        message: /charset/i,
      },
    ],
    [
      'text/plain, which any web page can send',
      () => send('{"query":"{ viewer { id } }"}', { 'Content-Type': 'text/plain' }),
      bad(/CSRF/),
    ],
    [
      'a form, which any web page can send',
      () =>
        send('query=%7Bviewer%7Bid%7D%7D', { 'Content-Type': 'application/x-www-form-urlencoded' }),
      bad(/CSRF/),
    ],
    [
      'no Content-Type',
      () => send('{"query":"{ viewer { id } }"}', { 'Content-Type': '' }),
      bad(/CSRF/),
    ],
    [
      'a cross-site GET with the cookies of this service',
      () =>
        ask(
          app,
          head('GET', '/graphql?query=%7Bviewer%7Bid%7D%7D', {
            as: editor,
            headers: { Cookie: 'a=b' },
          }),
        ),
      bad(/CSRF/),
    ],
    [
      'a GET with a form',
      () =>
        ask(
          app,
          request(
            'GET',
            '/graphql',
            form([{ name: 'operations', content: '{"query":"{ viewer { id } }"}' }]),
            { as: editor, headers: { 'Content-Type': MULTIPART, 'Apollo-Require-Preflight': '1' } },
          ),
        ),
      {
        status: 415,
        code: 'TYPE_NOT_SUPPORTED',
        identifier: 'TypeNotSupported',
        message: /content-type header/,
      },
    ],
    [
      'a GET without a query',
      () =>
        ask(
          app,
          head('GET', '/graphql', { as: editor, headers: { 'Apollo-Require-Preflight': '1' } }),
        ),
      bad(/query/),
    ],
    [
      'a GET with broken variables',
      () =>
        ask(
          app,
          head('GET', '/graphql?query=%7Bviewer%7Bid%7D%7D&variables=%7B', {
            as: editor,
            headers: { 'Apollo-Require-Preflight': '1' },
          }),
        ),
      bad(/variables/),
    ],
    [
      'a GET with two queries',
      () =>
        ask(
          app,
          head('GET', '/graphql?query=%7Bviewer%7Bid%7D%7D&query=x', {
            as: editor,
            headers: { 'Apollo-Require-Preflight': '1' },
          }),
        ),
      bad(/query/),
    ],
    [
      'a mutation by GET',
      () =>
        ask(
          app,
          head(
            'GET',
            '/graphql?query=mutation%7BdeleteAttachment(input%3A%7Bid%3A1%7D)%7BdeletedAttachmentId%7D%7D',
            { as: editor, headers: { 'Apollo-Require-Preflight': '1' } },
          ),
        ),
      {
        status: 405,
        code: 'METHOD_NOT_ALLOWED',
        identifier: 'MethodNotAllowed',
        message: /GET requests only support query operations/,
      },
    ],
    [
      'PUT',
      () => send('{"query":"{ viewer { id } }"}', {}, 'PUT'),
      {
        status: 405,
        code: 'METHOD_NOT_ALLOWED',
        identifier: 'MethodNotAllowed',
        message: /GET\/POST/,
      },
    ],
    [
      'a wrong key',
      () => send('{"query":"{ viewer { id } }"}', { Authorization: 'Bearer wrong' }),
      {
        status: 401,
        code: 'UNAUTHENTICATED',
        identifier: 'Unauthenticated',
        message: /credentials/,
      },
    ],
  ];
  test.each(cases)('%s is refused', async (_name, answer, expected) => {
    expectErrors(await answer(), expected);
  });

  test('a wrong key answers how to authenticate', async () => {
    expect(
      (await send('{}', { Authorization: 'Basic wrong' })).headers['www-authenticate'],
    ).toMatch(/^Basic realm=/);
  });

  test('a client that disconnects during a query causes no error', async () => {
    await hangUp(
      app,
      request('POST', '/graphql', '{"query":', {
        as: editor,
        headers: { 'Content-Type': 'application/json', 'Content-Length': '500' },
      }),
    );
  });
});

describe('forms with a file', () => {
  const document =
    'mutation ($file: Upload!, $name: String, $into: ID) { createAttachment(input: { file: $file, fileName: $name, containerId: $into }) { attachment { id } } }';
  const operations = (variables: object = {}, text = document): Part => ({
    name: 'operations',
    content: JSON.stringify({
      query: text,
      variables: { name: 'a.txt', into: wp.globalId, file: null, ...variables },
    }),
  });
  const map = (value: unknown = { 0: ['variables.file'] }): Part => ({
    name: 'map',
    content: typeof value === 'string' ? value : JSON.stringify(value),
  });
  const file = (content: string | Buffer = 'some text', name = '0'): Part => ({
    name,
    filename: 'a.txt',
    type: 'text/plain',
    content,
  });
  const send = (
    body: string | Buffer,
    headers: { [name: string]: string } = {},
    writeFirst = false,
  ) =>
    ask(
      app,
      request('POST', '/graphql', body, {
        as: editor,
        headers: { 'Content-Type': MULTIPART, 'Apollo-Require-Preflight': '1', ...headers },
      }),
      { writeFirst },
    );

  const PARTS = bad(/must have the parts operations, map and one file, in this order/);
  const MALFORMED = bad(/malformed or incomplete/);
  const PLACES = bad(/must name places of the part operations that are null/);
  const TOO_LARGE = wrong(/^File is too large \(maximum size is 5242880 Bytes\)/, 'fileSize');

  const shapes: [name: string, body: () => string | Buffer, expected: Expected][] = [
    ['nothing', () => '', MALFORMED],
    ['no part', () => form([]), bad(/The part operations is missing/)],
    ['no closing boundary', () => form([operations(), map(), file()], { end: false }), MALFORMED],
    [
      'an end in the middle of the file',
      () => form([operations(), map(), file('x'.repeat(1000))]).subarray(0, -500),
      MALFORMED,
    ],
    [
      'a broken part header after the file',
      () => form([operations(), map(), file(), { head: '\x01\r\n', content: 'x' }]),
      MALFORMED,
    ],
    ['no file', () => form([operations(), map()]), bad(/The part with the file is missing/)],
    ['no map', () => form([operations(), file()]), PARTS],
    ['no operations', () => form([map(), file()]), PARTS],
    ['the map before the operations', () => form([map(), operations(), file()]), PARTS],
    ['the file before the map', () => form([operations(), file(), map()]), PARTS],
    ['the file before all other parts', () => form([file(), operations(), map()]), PARTS],
    [
      'the file under another name than the map says',
      () => form([operations(), map(), file('x', '1')]),
      PARTS,
    ],
    [
      'two files',
      () =>
        form([
          operations({ more: null }),
          map({ 0: ['variables.file'], 1: ['variables.more'] }),
          file(),
          file('x', '1'),
        ]),
      PARTS,
    ],
    [
      'a second file that is not in the map',
      () => form([operations(), map(), file(), file('x', '1')]),
      PARTS,
    ],
    [
      'a second file of 3 MB',
      () => form([operations(), map(), file(), file(Buffer.alloc(3_000_000), '1')]),
      PARTS,
    ],
    ['operations twice', () => form([operations(), operations(), map(), file()]), PARTS],
    ['the map twice', () => form([operations(), map(), map(), file()]), PARTS],
    [
      'another field after the file',
      () => form([operations(), map(), file(), { name: 'more', content: 'x' }]),
      PARTS,
    ],
    [
      'a hundred thousand fields',
      () =>
        form([
          operations(),
          map(),
          ...Array.from({ length: 100_000 }, (): Part => ({ name: 'x', content: '' })),
        ]),
      PARTS,
    ],
    [
      'operations that are invalid JSON',
      () => form([{ name: 'operations', content: '{' }, map(), file()]),
      bad(/part operations is not a JSON object/),
    ],
    [
      'operations that are not UTF-8',
      () =>
        form([
          {
            ...operations({ name: '' }),
            content: Buffer.concat([
              Buffer.from(operations().content as string).subarray(0, -1),
              Buffer.from(', "x": "'),
              Buffer.from([0xfc]),
              Buffer.from('"}'),
            ]),
          },
          map(),
          file(),
        ]),
      bad(/part operations is not valid UTF-8/),
    ],
    [
      'operations that are a string',
      () => form([{ name: 'operations', content: '"x"' }, map(), file()]),
      bad(/part operations is not a JSON object/),
    ],
    [
      'operations that are null',
      () => form([{ name: 'operations', content: 'null' }, map(), file()]),
      bad(/part operations is not a JSON object/),
    ],
    [
      'operations of more than 1 MiB',
      () => form([operations({ name: 'x'.repeat(1_100_000) }), map(), file()]),
      bad(/part operations is larger than 1048576 bytes/),
    ],
    [
      'operations in an unknown charset',
      () => form([{ ...operations(), type: 'application/json; charset=nonsense' }, map(), file()]),
      bad(/part operations is not valid UTF-8/),
    ],
    [
      'a batch',
      () =>
        form([
          {
            name: 'operations',
            content: JSON.stringify([{ query: document, variables: { file: null } }]),
          },
          map({ 0: ['0.variables.file'] }),
          file(),
        ]),
      bad(/batch/i),
    ],
    [
      'a map that is invalid JSON',
      () => form([operations(), map('{'), file()]),
      bad(/part map is not a JSON object/),
    ],
    [
      'a map that is an array',
      () => form([operations(), map([['variables.file']]), file()]),
      bad(/part map is not a JSON object/),
    ],
    ['a map to a text', () => form([operations(), map({ 0: 'variables.file' }), file()]), PLACES],
    ['a map to nothing', () => form([operations(), map({ 0: [] }), file()]), PLACES],
    ['a map to a number', () => form([operations(), map({ 0: [5] }), file()]), PLACES],
    [
      'a map to an object instead of a path',
      () => form([operations(), map({ 0: [{ toString: 1, valueOf: 1 }] }), file()]),
      PLACES,
    ],
    [
      'a map to a path in a list',
      () => form([operations(), map({ 0: [['variables.file']] }), file()]),
      PLACES,
    ],
    ['a map to an empty path', () => form([operations(), map({ 0: [''] }), file()]), PLACES],
    [
      'a map to a missing path',
      () => form([operations(), map({ 0: ['variables.nothing'] }), file()]),
      PLACES,
    ],
    [
      'a map below a missing path',
      () => form([operations(), map({ 0: ['a.b.c'] }), file()]),
      PLACES,
    ],
    [
      'a map to a value that is not null',
      () => form([operations(), map({ 0: ['query'] }), file()]),
      PLACES,
    ],
    [
      'a map to __proto__',
      () => form([operations(), map({ 0: ['variables.__proto__'] }), file()]),
      PLACES,
    ],
    [
      'a map below __proto__',
      () => form([operations(), map({ 0: ['__proto__.polluted'] }), file()]),
      PLACES,
    ],
    [
      'a map below constructor',
      () => form([operations(), map({ 0: ['constructor.prototype.polluted'] }), file()]),
      PLACES,
    ],
    [
      'a map into a function that every object inherits',
      () => form([operations(), map({ 0: ['variables.hasOwnProperty.call'] }), file()]),
      PLACES,
    ],
    [
      'a map into another one',
      () => form([operations(), map({ 0: ['toString.call'] }), file()]),
      PLACES,
    ],
    [
      'a map to the length of a list',
      () => form([operations({ list: [null] }), map({ 0: ['variables.list.length'] }), file()]),
      PLACES,
    ],
    [
      'a map with a thousand names in a path',
      () => form([operations(), map({ 0: [`variables${'.x'.repeat(1000)}`] }), file()]),
      PLACES,
    ],
  ];
  test.each(shapes)('%s is refused', async (_name, body, expected) => {
    const answer = await send(body());
    // An error after the file is found while the mutation runs.
    expectErrors(answer, answer.status === 200 ? { ...expected, http: 200 } : expected);
  });

  test('the prototypes of built-in objects are unchanged', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect([
      Object.hasOwn(Object.prototype.hasOwnProperty, 'call'),
      Object.hasOwn(Object.prototype.toString, 'call'),
    ]).toEqual([false, false]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test.each([
    ['no boundary', 'multipart/form-data', bad(/no usable multipart boundary/)],
    ['an empty boundary', 'multipart/form-data; boundary=', bad(/no usable multipart boundary/)],
    ['another boundary', 'multipart/form-data; boundary=another', MALFORMED],
  ])('%s is refused', async (_name, type, expected) => {
    expectErrors(
      await send(form([operations(), map(), file()]), { 'Content-Type': type }),
      expected,
    );
  });

  test.each([
    [
      'a text',
      'String!',
      'createApiKey(input: { name: $x }) { key }',
      'String cannot represent a non string value: a file',
    ],
    [
      'an id',
      'ID!',
      'deleteAttachment(input: { id: $x }) { deletedAttachmentId }',
      'ID cannot represent value: a file',
    ],
    [
      'a Boolean',
      'Boolean!',
      'createApiKey(input: { name: "x" }) { key @include(if: $x) apiKey { id } }',
      'Boolean cannot represent a non boolean value: a file',
    ],
    [
      'a whole number',
      'Int!',
      'updateWorkPackage(input: { id: "1", lockVersion: $x }) { workPackage { id } }',
      'Int cannot represent non-integer value: a file',
    ],
    [
      'an enum',
      'StorageType!',
      'createStorage(input: { type: $x, name: "x" }) { clientSecret }',
      'Enum "StorageType" cannot represent non-string value: a file.',
    ],
    [
      'a list',
      '[ID!]',
      'createWorkPackage(input: { projectId: "1", attachmentIds: $x }) { workPackage { id } }',
      'ID cannot represent value: a file',
    ],
    [
      'an input',
      'CreateApiKeyInput!',
      'createApiKey(input: $x) { key }',
      'Field "name" of required type "String!" was not provided.',
    ],
    // The input has a member `file`, as the file itself once had.
    [
      'the input of an upload',
      'CreateAttachmentInput!',
      'createAttachment(input: $x) { attachment { id } }',
      'Field "file" of required type "Upload!" was not provided.',
    ],
  ])(
    'a file in the place of %s is refused, and quoted as "a file"',
    async (_name, type, field, reason) => {
      const text = `mutation ($x: ${type}) { ${field} }`;
      const answer = await send(
        form([operations({ x: null }, text), map({ 0: ['variables.x'] }), file()]),
      );
      expect(answer.body.errors.map(({ message }: { message: string }) => message)).toEqual([
        `Variable "$x" got invalid value a file; ${reason}`,
      ]);
      expect(answer.text).not.toMatch(/createReadStream|function|promise|formEnd|mimetype|Stream/i);
    },
  );

  test.each([
    ['member', { name: null }, 'variables.x.name', 'at "x.name"'],
    ['element', [null], 'variables.x.0', 'at "x[0]"'],
  ])('a file as %s of a value is quoted as "a file"', async (_name, x, path, where) => {
    const [type, field] = Array.isArray(x)
      ? [
          '[ID!]',
          'createWorkPackage(input: { projectId: "1", attachmentIds: $x }) { workPackage { id } }',
        ]
      : ['CreateApiKeyInput!', 'createApiKey(input: $x) { key }'];
    const answer = await send(
      form([operations({ x }, `mutation ($x: ${type}) { ${field} }`), map({ 0: [path] }), file()]),
    );
    expectErrors(
      answer,
      bad(
        new RegExp(
          `^Variable "\\$x" got invalid value a file ${where.replace(/[[\]]/g, '\\$&')}; `,
        ),
      ),
    );
    expect(answer.text).not.toMatch(/createReadStream|function|promise|formEnd|mimetype|Stream/i);
  });

  test.each(['variables', 'operationName', 'extensions', 'more'])(
    'a file in the place of %s is refused',
    async (member) => {
      const content = JSON.stringify({ query: '{ viewer { id } }', [member]: null });
      expectErrors(
        await send(form([{ name: 'operations', content }, map({ 0: [member] }), file()])),
        PLACES,
      );
    },
  );

  test('a form without the CSRF header, which any web page can send, is refused', async () => {
    expectErrors(
      await send(form([operations(), map(), file()]), { 'Apollo-Require-Preflight': '' }),
      bad(/CSRF/),
    );
  });

  test('a form without a file is refused even if the operation needs no file', async () => {
    expectErrors(
      await send(form([{ name: 'operations', content: '{"query":"{ viewer { id } }"}' }, map({})])),
      bad(/The part with the file is missing/),
    );
  });

  test.each([
    [
      'a file one byte too large',
      () => [operations(), map(), file(Buffer.alloc(5_242_881))],
      () => TOO_LARGE,
    ],
    [
      'a blank name',
      () => [operations({ name: ' ' }), map(), file()],
      () => wrong(/can't be blank/, 'file'),
    ],
    [
      'a name of 256 astral characters',
      () => [operations({ name: '🦭'.repeat(256) }), map(), file()],
      () => wrong(/too long/, 'fileName'),
    ],
    [
      'a name with a path',
      () => [operations({ name: '../x' }), map(), file()],
      () => wrong(/path separators/, 'fileName'),
    ],
    [
      'a name with a lone surrogate',
      () => [operations({ name: '\ud800' }), map(), file()],
      () => wrong(/must not contain/, 'fileName'),
    ],
    [
      'an invalid container id',
      () => [operations({ into: 'nonsense' }), map(), file()],
      () => missing,
    ],
    [
      'a container id of another type',
      () => [operations({ into: Buffer.from('User:1').toString('base64url') }), map(), file()],
      () => missing,
    ],
    [
      'a container that does not exist',
      () => [
        operations({ into: Buffer.from('WorkPackage:2147483647').toString('base64url') }),
        map(),
        file(),
      ],
      () => missing,
    ],
    [
      'the file in place of a name',
      () => [operations({ name: null }), map({ 0: ['variables.name'] }), file()],
      () => bad(/must not be null|String cannot represent/),
    ],
  ] as [string, () => Part[], () => Expected][])(
    '%s is refused',
    async (_name, parts, expected) => {
      for (let round = 0; round < 3; round += 1)
        expectErrors(await send(form(parts())), expected());
    },
  );

  test('the same file for two mutations is stored once and refused once', async () => {
    const twice =
      'mutation ($file: Upload!) { a: createAttachment(input: { file: $file, fileName: "a.txt", containerId: "ID" }) { attachment { id } } b: createAttachment(input: { file: $file, fileName: "b.txt", containerId: "ID" }) { attachment { id } } }'.replaceAll(
        'ID',
        () => wp.globalId,
      );
    const { status, body } = await send(
      form([
        {
          name: 'operations',
          content: JSON.stringify({ query: twice, variables: { file: null } }),
        },
        map(),
        file(),
      ]),
    );
    expect(status).toBe(200);
    expect(body.errors).toMatchObject([
      {
        message: expect.stringMatching(/can be used once/),
        path: ['b'],
        extensions: { code: 'INVALID_REQUEST_BODY', status: 400 },
      },
    ]);
    expect((await stored(app)).files).toBeLessThanOrEqual(before.files + 1);
    const { write } = app.running.services.db;
    const [made] = await write('attachments').where('file_name', 'a.txt').select('id');
    if (made) await app.delete(`/api/v3/attachments/${made.id}`, editor);
  });

  const large = () => [operations(), map(), file(Buffer.alloc(20 * 1024 * 1024))];
  test.each([
    ['keep-alive', 'keep-alive'],
    ['a connection that closes', 'close'],
  ])('an upload of 20 MB over %s is always answered', async (_name, connection) => {
    const [tooLarge, nowhere] = [
      form(large()),
      form([operations({ into: 'nonsense' }), ...large().slice(1)]),
    ];
    for (let round = 0; round < 5; round += 1) {
      expectErrors(await send(tooLarge, { Connection: connection }, round % 2 === 0), TOO_LARGE);
      expectErrors(await send(nowhere, { Connection: connection }, round % 2 === 0), missing);
    }
  });

  test('clients that disconnect in the middle of the file leave nothing', async () => {
    const whole = request(
      'POST',
      '/graphql',
      form([operations(), map(), file(Buffer.alloc(2_000_000))]),
      { as: editor, headers: { 'Content-Type': MULTIPART, 'Apollo-Require-Preflight': '1' } },
    );
    await Promise.all(
      [200, 700, 1_000, 500_000, 1_999_000, whole.byteLength - 1].map((length) =>
        hangUp(app, whole.subarray(0, length)),
      ),
    );
  });

  test('a request body that ends early leaves nothing', async () => {
    const body = form([operations(), map(), file(Buffer.alloc(1_000_000))], { end: false });
    const answer = await app.request('POST', '/graphql', {
      as: editor,
      body: Readable.from([body]),
      headers: { 'content-type': MULTIPART, 'apollo-require-preflight': '1' },
    });
    expectErrors(answer, { ...MALFORMED, http: answer.status });
  });
});
