/** Invalid JSON requests: bodies, members and the links of a claim. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../../support/jest.js';
import { ask, expectRefusal, expectUnharmed, request, stored } from '../../support/raw.js';

const bad = (message: RegExp) => ({ status: 400, identifier: 'InvalidRequestBody', message });
const wrong = (message: RegExp, attribute: string) => ({
  status: 422,
  identifier: 'PropertyConstraintViolation',
  message,
  attribute,
});
const missing = { status: 404, identifier: 'NotFound', message: /could not be found/ };

let app: App;
let editor: Person;
let wp: ContainerHandle;
let project: { id: number };
let before: { rows: number; files: number };
let containers: () => Promise<unknown>;
let containersBefore: unknown;

beforeAll(async () => {
  app = await startApp();
  project = await app.given.project();
  editor = await app.given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'add_work_packages',
    'add_work_package_comments',
  ]);
  wp = await app.given.workPackage(project, editor, 'Untouched');
  await app.given.attachment({ container: wp, author: editor });
  const { write } = app.running.services.db;
  containers = async () => [
    await write('work_packages').select('id', 'subject', 'lock_version').orderBy('id'),
    await write('activities').select('id', 'comment_text').orderBy('id'),
  ];
  containersBefore = await containers();
  before = await stored(app);
});
afterEach(async () => {
  await expectUnharmed(app, before);
  expect(await containers()).toEqual(containersBefore);
});
afterAll(() => app.stop());

const patch = (body: string | Buffer, headers: { [name: string]: string } = {}) =>
  request('PATCH', wp.path, body, {
    as: editor,
    headers: { 'Content-Type': 'application/json', ...headers },
  });

describe('the body', () => {
  const cases: [name: string, body: () => string | Buffer, expected: ReturnType<typeof bad>][] = [
    ['empty', () => '', bad(/was empty/)],
    ['blank', () => ' \r\n ', bad(/could not be parsed as JSON/)],
    ['not JSON', () => 'subject=x', bad(/could not be parsed as JSON/)],
    ['cut off', () => '{"subject":"x"', bad(/could not be parsed as JSON/)],
    ['single quotes', () => "{'subject':'x'}", bad(/could not be parsed as JSON/)],
    ['a comment', () => '{"subject":"x"/*y*/}', bad(/could not be parsed as JSON/)],
    ['a trailing comma', () => '{"subject":"x",}', bad(/could not be parsed as JSON/)],
    ['NaN', () => '{"lockVersion":NaN}', bad(/could not be parsed as JSON/)],
    [
      'a raw line break in a string',
      () => '{"subject":"a\nb"}',
      bad(/could not be parsed as JSON/),
    ],
    ['an array', () => '[]', bad(/not a single JSON object/)],
    ['an array of objects', () => '[{"subject":"x"}]', bad(/not a single JSON object/)],
    ['a string', () => '"subject"', bad(/not a single JSON object/)],
    ['null', () => 'null', bad(/not a single JSON object/)],
    ['a number', () => '1e400', bad(/not a single JSON object/)],
    ['true', () => 'true', bad(/not a single JSON object/)],
    ['two objects', () => '{"subject":"x"}\n{"subject":"y"}', bad(/could not be parsed as JSON/)],
    [
      'a hundred thousand nested arrays',
      () => '['.repeat(100_000) + ']'.repeat(100_000),
      bad(/nested more than 32 levels/),
    ],
    [
      'a hundred thousand nested objects',
      () => '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000),
      bad(/nested more than 32 levels/),
    ],
    [
      'a hundred thousand closing brackets',
      () => ']'.repeat(100_000),
      bad(/could not be parsed as JSON/),
    ],
    ['a duplicate member', () => '{"subject":"x","subject":"y"}', bad(/"subject" occurs twice/)],
    [
      'a duplicate member with an escaped name',
      () => '{"subject":"x","\\u0073ubject":"y"}',
      bad(/"subject" occurs twice/),
    ],
    [
      'a duplicate link',
      () => '{"_links":{"attachments":[],"attachments":[]}}',
      bad(/"attachments" occurs twice/),
    ],
    ['Latin-1', () => Buffer.from('{"subject":"ü"}', 'latin1'), bad(/not valid UTF-8/)],
    ['UTF-16', () => Buffer.from('\ufeff{"subject":"x"}', 'utf16le'), bad(/not valid UTF-8/)],
    [
      'an encoded surrogate',
      () =>
        Buffer.concat([
          Buffer.from('{"subject":"'),
          Buffer.from([0xed, 0xa0, 0x80]),
          Buffer.from('"}'),
        ]),
      bad(/not valid UTF-8/),
    ],
    [
      'one byte more than 1 MiB',
      () => `{"x":"${'x'.repeat(1_048_576 - 7)}"}`,
      bad(/larger than 1048576 bytes/),
    ],
    [
      '8 MB',
      () => JSON.stringify({ subject: 'x'.repeat(8_000_000) }),
      bad(/larger than 1048576 bytes/),
    ],
    [
      'half a million escaped quotes without an end',
      () => `{"subject":"${'\\"'.repeat(500_000)}`,
      bad(/could not be parsed as JSON/),
    ],
    [
      'a megabyte of backslashes',
      () => `{"subject":"${'\\'.repeat(1_000_000)}`,
      bad(/could not be parsed as JSON/),
    ],
  ];
  test.each(cases)('%s is refused', async (_name, body, expected) => {
    expectRefusal(await ask(app, patch(body())), expected);
  });

  test.each([
    ['gzip', gzipSync('{"subject":"x"}')],
    ['gzip', gzipSync(JSON.stringify({ subject: 'x'.repeat(50_000_000) }))],
    ['gzip', '{"subject":"x"}'],
    ['deflate', deflateSync('{"subject":"x"}')],
    ['br', brotliCompressSync('{"subject":"x"}')],
    ['gzip, identity', gzipSync('{"subject":"x"}')],
    ['nonsense', '{"subject":"x"}'],
  ])('the Content-Encoding %s answers 415', async (coding, body) => {
    expectRefusal(await ask(app, patch(body, { 'Content-Encoding': coding })), {
      status: 415,
      identifier: 'TypeNotSupported',
      message: /^The Content-Encoding of the request is not supported: send the body as it is\.$/,
    });
  });

  test('the Content-Encoding identity changes nothing', async () => {
    const body = patch('{"lockVersion":0,"subject":""}', { 'Content-Encoding': 'identity' });
    expect((await ask(app, body)).status).toBe(422);
  });
});

describe('the headers of a body', () => {
  const body = '{"subject":"x"}';
  test.each([
    [
      'text/plain',
      /^Expected CONTENT-TYPE to be 'application\/json application\/hal\+json' but got 'text\/plain'/,
    ],
    ['application/x-www-form-urlencoded', /but got 'application\/x-www-form-urlencoded'/],
    ['multipart/form-data; boundary=x', /but got 'multipart\/form-data'/],
    ['application/jsonp', /but got 'application\/jsonp'/],
    ['application/json, text/html', /but got/],
    [`x/${'y'.repeat(200)}`, /but got 'x\/y{98}'/],
  ])('Content-Type %s answers 415', async (type, message) => {
    expectRefusal(await ask(app, patch(body, { 'Content-Type': type })), {
      status: 415,
      identifier: 'TypeNotSupported',
      message,
    });
  });

  test.each([
    ['a missing', ''],
    ['a blank', ' '],
  ])('%s Content-Type answers 406', async (_name, type) => {
    expectRefusal(await ask(app, patch(body, { 'Content-Type': type })), {
      status: 406,
      identifier: 'TypeNotSupported',
      message: /content-type/,
    });
  });

  test.each([
    'text/html',
    'application/xml',
    'application/json;q=0',
    'image/*',
    'application/problem+json',
    ';;;',
  ])('Accept %s answers 406', async (accept) => {
    expectRefusal(await ask(app, patch(body, { Accept: accept })), {
      status: 406,
      identifier: 'TypeNotSupported',
      message: /answers application\/hal\+json and application\/json only/,
    });
  });

  test.each(['text/html', 'nonsense', 'application/json;q=0', ';;;'])(
    'a GET accepts Accept %s',
    async (accept) => {
      expect((await app.get(wp.path, editor, { headers: { accept } })).status).toBe(200);
    },
  );

  test('a wrong Content-Type is refused before the body and the resource are checked', async () => {
    const answer = await ask(
      app,
      request('PATCH', '/api/v3/work_packages/2147483647', 'not JSON', {
        headers: { 'Content-Type': 'text/plain' },
      }),
    );
    expectRefusal(answer, {
      status: 415,
      identifier: 'TypeNotSupported',
      message: /Expected CONTENT-TYPE/,
    });
  });
});

describe('members of a work package', () => {
  const cases: [name: string, body: string, expected: ReturnType<typeof wrong>][] = [
    ['subject a number', '{"subject":1}', wrong(/^Subject must be a string/, 'subject')],
    ['subject an array', '{"subject":["x"]}', wrong(/^Subject must be a string/, 'subject')],
    ['subject an object', '{"subject":{"raw":"x"}}', wrong(/^Subject must be a string/, 'subject')],
    ['subject false', '{"subject":false}', wrong(/^Subject must be a string/, 'subject')],
    ['subject null', '{"subject":null}', wrong(/can't be blank/, 'subject')],
    ['subject blank', '{"subject":" "}', wrong(/can't be blank/, 'subject')],
    [
      'subject of 256 characters',
      JSON.stringify({ subject: 's'.repeat(256) }),
      wrong(/too long/, 'subject'),
    ],
    ['subject with NUL', '{"subject":"\\u0000"}', wrong(/must not contain NUL/, 'subject')],
    [
      'subject with a lone surrogate',
      '{"subject":"\\udc00"}',
      wrong(/broken characters/, 'subject'),
    ],
    [
      'lockVersion a string',
      '{"lockVersion":"0"}',
      wrong(/^LockVersion must be a whole number/, 'lockVersion'),
    ],
    ['lockVersion a fraction', '{"lockVersion":0.5}', wrong(/whole number/, 'lockVersion')],
    ['lockVersion 2^31', '{"lockVersion":2147483648}', wrong(/whole number/, 'lockVersion')],
    ['lockVersion 1e400', '{"lockVersion":1e400}', wrong(/whole number/, 'lockVersion')],
    ['lockVersion an array', '{"lockVersion":[0]}', wrong(/whole number/, 'lockVersion')],
    [
      '_links a string',
      '{"_links":"/api/v3/attachments/1"}',
      wrong(/^The member _links must be an object/, '_links'),
    ],
    ['_links an array', '{"_links":[]}', wrong(/must be an object/, '_links')],
    ['_links a number', '{"_links":0}', wrong(/must be an object/, '_links')],
    [
      'attachments an object',
      '{"_links":{"attachments":{"href":"/api/v3/attachments/1"}}}',
      wrong(/^Attachments must be an array of links/, 'attachments'),
    ],
    [
      'half a million invalid attachments',
      `{"_links":{"attachments":[${'0,'.repeat(499_999)}0]}}`,
      wrong(/^Attachments has too many links/, 'attachments'),
    ],
    [
      'attachments a string',
      '{"_links":{"attachments":"/api/v3/attachments/1"}}',
      wrong(/array of links/, 'attachments'),
    ],
  ];
  test.each(cases)('%s answers 422', async (_name, body, expected) => {
    expectRefusal(await ask(app, patch(body)), expected);
  });

  test('another lockVersion answers 409', async () => {
    expectRefusal(await ask(app, patch('{"lockVersion":-5}')), {
      status: 409,
      identifier: 'UpdateConflict',
      message: /Read it again/,
    });
  });

  test('a project that is missing or unknown, or a link of another form, answers 422', async () => {
    const create = (body: object) => app.post('/api/v3/work_packages', editor, body);
    expectRefusal(await create({ subject: 'x' }), wrong(/^Project can't be blank/, 'project'));
    expectRefusal(
      await create({ subject: 'x', _links: { project: { href: '/api/v3/users/1' } } }),
      wrong(/takes links of the form \{"href": "\/api\/v3\/projects\/1"\}/, 'project'),
    );
    expectRefusal(
      await create({ subject: 'x', _links: { project: '/api/v3/projects/1' } }),
      wrong(/takes links of the form/, 'project'),
    );
    expectRefusal(
      await create({
        subject: 'x',
        _links: { project: { href: '/api/v3/projects/99999999999999999999' } },
      }),
      missing,
    );
    expectRefusal(
      await create({ subject: 'x', _links: { project: { href: '/api/v3/projects/0' } } }),
      missing,
    );
  });

  test.each([
    ['no comment', {}, /can't be blank/, 'comment'],
    ['a number', { comment: 5 }, /^Comment must be a string/, 'comment'],
    ['raw a number', { comment: { raw: 5 } }, /^Comment must be a string/, 'comment'],
    ['an array', { comment: ['x'] }, /^Comment must be a string/, 'comment'],
    ['NUL', { comment: 'a\0' }, /must not contain NUL/, 'comment'],
    [
      'internal a string',
      { comment: 'x', internal: 'true' },
      /^Internal must be true or false/,
      'internal',
    ],
  ])('a comment with %s answers 422', async (_name, body, message, attribute) => {
    expectRefusal(await app.post(`${wp.path}/activities`, editor, body), wrong(message, attribute));
  });
});

describe('links of a claim', () => {
  const claim = (links: unknown) =>
    app.patch(wp.path, editor, { subject: 'Claimed', _links: { attachments: links } });

  test.each([
    ['another host', [{ href: 'https://evil.example.org/api/v3/attachments/1' }]],
    ['another host without a scheme', [{ href: '//evil.example.org/api/v3/attachments/1' }]],
    ['another resource', [{ href: '/api/v3/users/1' }]],
    ['another prefix', [{ href: '/api/v4/attachments/1' }]],
    ['no id', [{ href: '/api/v3/attachments' }]],
    ['a negative id', [{ href: '/api/v3/attachments/-1' }]],
    ['a query', [{ href: '/api/v3/attachments/1?x=1' }]],
    ['a path after the id', [{ href: '/api/v3/attachments/1/content' }]],
    ['a line break at the end', [{ href: '/api/v3/attachments/1\n' }]],
    ['a path with dots', [{ href: '/api/v3/attachments/../attachments/1' }]],
    ['digits of another script', [{ href: '/api/v3/attachments/١' }]],
    ['200 digits', [{ href: `/api/v3/attachments/${'9'.repeat(200)}` }]],
    ['a string', ['/api/v3/attachments/1']],
    ['a number', [1]],
    ['null', [null]],
    ['an array', [[{ href: '/api/v3/attachments/1' }]]],
    ['href null', [{ href: null }]],
    ['href a number', [{ href: 1 }]],
    ['no href', [{ title: 'x' }]],
    ['an inherited href', [JSON.parse('{"__proto__":{"href":"/api/v3/attachments/1"}}')]],
  ])('%s answers 422 and shows the form of a link', async (_name, links) => {
    expectRefusal(
      await claim(links),
      wrong(
        /^Attachments takes links of the form \{"href": "\/api\/v3\/attachments\/1"\}/,
        'attachments',
      ),
    );
  });

  test.each([
    ['zero', '0'],
    ['2^31', '2147483648'],
    ['2^63', '9223372036854775808'],
    ['twenty nines', '9'.repeat(20)],
    ['a leading zero', '01'],
    ['a missing id', '2147483647'],
  ])('the id %s does not exist', async (_name, id) => {
    expectRefusal(
      await claim([{ href: `/api/v3/attachments/${id}` }]),
      wrong(/^Attachments does not exist/, 'attachments'),
    );
  });

  test('ten thousand links to missing attachments are refused', async () => {
    expectRefusal(
      await claim(
        Array.from({ length: 10_000 }, (_, index) => ({
          href: `/api/v3/attachments/${1_000_000 + index}`,
        })),
      ),
      wrong(/has too many links/, 'attachments'),
    );
  });
});

test('unknown members, __proto__ and constructor do no harm', async () => {
  const body =
    '{"lockVersion":-1,"unknown":{"a":[1]},"__proto__":{"subject":"x","polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":null,"_embedded":{"x":1},"_type":"Storage"}';
  expectRefusal(await ask(app, patch(body)), {
    status: 409,
    identifier: 'UpdateConflict',
    message: /changed/,
  });
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('unknown members are ignored in a valid request', async () => {
  const answer = await app.post('/api/v3/work_packages', editor, {
    subject: 'More',
    weight: 5,
    _type: 'WorkPackage',
    _meta: {},
    _links: {
      project: { href: `/api/v3/projects/${project.id}` },
      type: { href: null },
      weigher: 7,
    },
  });
  expect(answer.status).toBe(201);
  await app.running.services.db.write('work_packages').delete().where('id', answer.body.id);
});
