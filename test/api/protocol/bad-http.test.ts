/** Requests that are invalid regardless of their content: HTTP syntax, paths, credentials, ranges and conditions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from '../../../src/config.js';
import { startServer, type Running } from '../../../src/server.js';
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../../support/jest.js';
import {
  ask,
  exchange,
  expectRefusal,
  expectUnharmed,
  hangUp,
  head,
  request,
  stored,
} from '../../support/raw.js';

const missing = { status: 404, identifier: 'NotFound', message: /could not be found/ };
const notHttp = { status: 400, identifier: 'InvalidRequestBody', message: /not valid HTTP/ };

let app: App;
let reader: Person;
let wp: ContainerHandle;
let content: string;
let before: { rows: number; files: number };

beforeAll(async () => {
  app = await startApp();
  const project = await app.given.project();
  reader = await app.given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'add_work_package_comments',
  ]);
  wp = await app.given.workPackage(project, reader);
  const attachment = await app.given.attachment({
    container: wp,
    author: reader,
    content: 'Twenty bytes of text',
  });
  content = `/api/v3/attachments/${attachment.id}/content`;
  before = await stored(app);
});
afterEach(() => expectUnharmed(app, before));
afterAll(() => app.stop());

describe('HTTP', () => {
  const tooLarge = { status: 431, identifier: 'HeaderTooLarge', message: /headers .* too large/ };

  test.each([
    [
      'one header of 20 kB',
      () => head('GET', wp.path, { headers: { 'X-Filler': 'x'.repeat(20_000) } }),
    ],
    [
      'a thousand headers',
      () =>
        head('GET', wp.path, {
          headers: Object.fromEntries(
            Array.from({ length: 1000 }, (_, index) => [`X-Filler-${index}`, 'xxxxxxxxxx']),
          ),
        }),
    ],
    ['a target of 20 kB', () => head('GET', `/api/v3/${'x'.repeat(20_000)}`)],
    [
      'headers of 2 MB',
      () => head('GET', wp.path, { headers: { 'X-Filler': 'x'.repeat(2_000_000) } }),
    ],
    ['a cookie of 20 kB', () => head('GET', wp.path, { headers: { Cookie: 'x'.repeat(20_000) } })],
  ])('%s are answered 431 with a HAL body', async (_name, bytes) => {
    expectRefusal(await ask(app, bytes()), tooLarge);
  });

  test.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['TLS', Buffer.from('160301020001000001fc0303', 'hex')],
    ['an unknown method', head('FROB', '/api/v3')],
    ['a method in lower case', head('get', '/api/v3')],
    ['HTTP/3.7', head('GET', '/api/v3', { version: '3.7' })],
    ['a space before the colon', 'GET /api/v3 HTTP/1.1\r\nHost : localhost\r\n\r\n'],
    ['a header without a colon', 'GET /api/v3 HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n'],
    ['NUL in a header', 'GET /api/v3 HTTP/1.1\r\nHost: localhost\r\nX-A: a\0b\r\n\r\n'],
    ['a space in the target', 'GET /api/v3 /x HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    [
      'a negative Content-Length',
      head('POST', '/api/v3/attachments', { headers: { 'Content-Length': '-1' } }),
    ],
    [
      'a Content-Length that is not a number',
      head('POST', '/api/v3/attachments', { headers: { 'Content-Length': 'many' } }),
    ],
    [
      'two Content-Lengths',
      'POST /api/v3/attachments HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
    ],
    [
      'Content-Length and Transfer-Encoding',
      head('POST', '/api/v3/attachments', {
        headers: { 'Content-Length': '3', 'Transfer-Encoding': 'chunked' },
      }),
    ],
    [
      'an unknown Transfer-Encoding',
      head('PATCH', '/api/v3/work_packages/1', {
        headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'frob' },
      }),
    ],
    [
      'an invalid chunk size',
      `${head('PATCH', '/api/v3/work_packages/1', { headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' } })}xyz\r\n`,
    ],
  ])('%s: 400 with a HAL body', async (_name, bytes) => {
    expectRefusal(await ask(app, bytes), notHttp);
  });

  test('a missing Host answers 400 with a HAL body', async () => {
    expectRefusal(await ask(app, head('GET', '/api/v3', { headers: { Host: '' } })), {
      status: 400,
      identifier: 'InvalidRequestBody',
      message: /no Host header/,
    });
  });

  test('HTTP/1.0 without a Host is served, and the connection is closed', async () => {
    const answer = await ask(
      app,
      head('GET', '/api/v3/configuration', { version: '1.0', headers: { Host: '' } }),
    );
    expect([answer.status, answer.headers['connection']]).toEqual([200, 'close']);
  });

  test('garbage after a valid request does not lose its answer', async () => {
    const [good, bad] = await exchange(
      app,
      `${head('GET', wp.path, { as: reader })}\0\0nonsense\r\n\r\n`,
      { answers: 2 },
    );
    expect([good?.status, good?.body._type]).toEqual([200, 'WorkPackage']);
    expectRefusal(bad!, notHttp);
  });

  test('garbage after a valid request with a body does not lose its answer', async () => {
    const [good, bad] = await exchange(
      app,
      [
        request('PATCH', wp.path, '{}', {
          as: reader,
          headers: { 'Content-Type': 'application/json' },
        }),
        'nonsense',
      ],
      { answers: 2 },
    );
    expect(good?.status).toBe(200);
    expectRefusal(bad!, notHttp);
  });

  test('pipelined requests are answered in order, invalid ones too', async () => {
    const answers = await exchange(
      app,
      head('GET', '/api/v3/attachments/x') +
        head('GET', wp.path, { as: reader }) +
        head('FROB', '/'),
      { answers: 3 },
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 200, 400]);
  });

  test('an unknown Expect value is ignored', async () => {
    expect(
      (await ask(app, head('GET', wp.path, { as: reader, headers: { Expect: 'miracles' } })))
        .status,
    ).toBe(200);
  });

  test.each([
    ['hangs up in the middle of the headers', 'GET /api/v3 HTTP/1.1\r\nHost: loc'],
    [
      'hangs up in the middle of a JSON body',
      request('PATCH', '/api/v3/work_packages/1', '{"subject":', {
        headers: { 'Content-Type': 'application/json', 'Content-Length': '5000' },
      }),
    ],
    ['sends nothing', ''],
  ])('a client that %s causes no error', async (_name, bytes) => {
    await hangUp(app, bytes);
  });

  test('CONNECT and upgrade requests open no tunnel', async () => {
    expect(await exchange(app, head('CONNECT', 'example.org:443'))).toEqual([]);
    expect(
      (
        await ask(
          app,
          head('GET', wp.path, {
            as: reader,
            headers: { Connection: 'Upgrade', Upgrade: 'websocket' },
          }),
        )
      ).status,
    ).toBe(200);
  });
});

describe('a body that arrives too slowly', () => {
  let impatient: Running;
  beforeAll(async () => {
    impatient = await startServer(readConfig(app.environment), pino({ level: 'silent' }), {
      bodyMs: 300,
    });
  });
  afterAll(() => impatient?.stop());

  /** Sends the rest after the time-out. */
  const trickle = (target: string, body: Buffer, headers: { [name: string]: string }) => {
    const whole = Buffer.from(request('POST', target, body, { as: reader, headers }));
    return ask(
      { url: impatient.address } as App,
      (async function* () {
        yield whole.subarray(0, -5);
        await sleep(600);
        yield whole.subarray(-5);
      })(),
    );
  };
  const json = { 'Content-Type': 'application/json' };
  const message = 'The request took too long to arrive.';
  const comments = async () =>
    (await app.get(`${wp.path}/activities`, reader)).body.count as number;

  test('answers 408, closes the connection, and changes nothing when it is complete', async () => {
    const count = await comments();
    const [rest, graphql] = await Promise.all([
      trickle(
        `${wp.path}/activities`,
        Buffer.from(JSON.stringify({ comment: { raw: 'late' } })),
        json,
      ),
      trickle(
        '/graphql',
        Buffer.from(
          JSON.stringify({
            query: `mutation { createComment(input: { workPackageId: "${wp.id}", comment: "late" }) { comment { id } } }`,
          }),
        ),
        json,
      ),
    ]);
    expectRefusal(rest, { status: 408, identifier: 'RequestTimeout', message: /too long/ });
    expect([graphql.status, graphql.headers['content-type'], graphql.body]).toEqual([
      408,
      'application/json; charset=utf-8',
      {
        errors: [
          {
            message,
            extensions: {
              code: 'REQUEST_TIMEOUT',
              errorIdentifier: 'urn:service-org:api:v3:errors:RequestTimeout',
              status: 408,
            },
          },
        ],
      },
    ]);
    expect([rest.headers['connection'], graphql.headers['connection']]).toEqual(['close', 'close']);
    await sleep(500);
    expect(await comments()).toBe(count);
  });

  test('answers 408 too in a form whose file has not begun', async () => {
    const part = (name: string, text: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
    const type = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const [rest, graphql] = await Promise.all([
      trickle(
        wp.attachments,
        Buffer.from(part('metadata"; filename="m', '{"fileName":"late.txt"}')),
        type,
      ),
      trickle(
        '/graphql',
        Buffer.from(
          part('operations', '{"query":"{ viewer { name } }","variables":{"f":null}}') +
            part('map', '{"0":["variables.f"]}'),
        ),
        { ...type, 'Apollo-Require-Preflight': '1' },
      ),
    ]);
    expect([rest.status, graphql.status]).toEqual([408, 408]);
  });

  test('is accepted while a file is uploading', async () => {
    const boundary = 'b';
    const form = Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"fileName":"slow.txt"}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nslow\r\n--b--\r\n`,
    );
    const { status, body } = await trickle(wp.attachments, form, {
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
    });
    expect([status, body.fileSize]).toEqual([200, 4]);
    await app.delete(`/api/v3/attachments/${body.id}`, reader);
  });
});

describe('methods', () => {
  test.each(['PUT', 'PATCH', 'POST', 'TRACE', 'PROPFIND', 'PURGE', 'M-SEARCH'])(
    '%s on an attachment answers 405 with the allowed methods',
    async (method) => {
      const answer = await ask(
        app,
        head(method, content.replace('/content', ''), {
          as: reader,
          headers: { 'Content-Length': '0' },
        }),
      );
      expectRefusal(answer, {
        status: 405,
        identifier: 'MethodNotAllowed',
        message: /does not support the method/,
      });
      expect(answer.headers['allow']!.split(', ').toSorted()).toEqual(['DELETE', 'GET', 'HEAD']);
    },
  );

  test('TRACE does not echo credentials', async () => {
    const { text, headers } = await ask(
      app,
      head('TRACE', '/api/v3', { as: reader, headers: { 'X-Secret': 'geheim' } }),
    );
    expect(text + JSON.stringify(headers)).not.toMatch(new RegExp(`geheim|${reader.key}`));
  });
});

describe('ids in paths', () => {
  const ids: [name: string, id: string][] = [
    ['negative', '-1'],
    ['zero', '0'],
    ['minus zero', '-0'],
    ['with a plus', '+1'],
    ['2^31', '2147483648'],
    ['2^31 - 1', '2147483647'],
    ['2^32 + 1', '4294967297'],
    ['2^63', '9223372036854775808'],
    ['an exponent', '1e0'],
    ['a large exponent', '1e3'],
    ['hexadecimal', '0x1'],
    ['a leading zero', '01'],
    ['a fraction', '1.0'],
    ['a digit and a letter', '1a'],
    ['a word', 'me.'],
    ['empty', ''],
    ['a space', '%20'],
    ['a space and a digit', '%201'],
    ['a digit and a line break', '1%0A'],
    ['NUL', '1%00'],
    ['Arabic digits', '%D9%A1'],
    ['fullwidth digits', '%EF%BC%91'],
    ['two ids', '1,2'],
    ['a wildcard', '*'],
    ['NaN', 'NaN'],
    ['null', 'null'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['an injection', "1'%20OR%20'1'='1"],
    ['an encoded slash', '..%2f..%2fusers%2fme'],
    ['a parameter', '1;x=1'],
    ['a global id', 'QXR0YWNobWVudDox'],
    ['4 kB of digits', '1'.repeat(4096)],
  ];
  test.each(ids)('the id (%s) answers the same 404 as a missing id', async (_name, id) => {
    const {
      headers: { 'content-type': type },
      text: reference,
    } = await ask(app, head('GET', '/api/v3/attachments/2147483647', { as: reader }));
    for (const target of [
      `/api/v3/attachments/${id}`,
      `/api/v3/attachments/${id}/content`,
      `/api/v3/work_packages/${id}`,
      `/api/v3/meetings/${id}/attachments`,
      `/api/v3/users/${id}`,
      `/api/v3/projects/${id}`,
    ]) {
      // These addresses list.
      if (id === '' && /\/(work_packages|projects)\/$/.test(target)) continue;
      const answer = await ask(app, head('GET', target, { as: reader }));
      // A collection that cannot be read only answers other methods.
      if (id === '' && target === '/api/v3/attachments/')
        expectRefusal(answer, { status: 405, identifier: 'MethodNotAllowed', message: /method/ });
      else if (id === '' && answer.status === 405) continue;
      else
        expect({
          target,
          status: answer.status,
          type: answer.headers['content-type'],
          text: answer.text,
        }).toEqual({ target, status: 404, type, text: reference });
    }
  });

  test.each(['-1', '0', '2147483648', '1e3', '%D9%A1', 'x'])(
    'the id %s answers 404 to DELETE and other writing methods',
    async (id) => {
      expectRefusal(
        await ask(app, head('DELETE', `/api/v3/attachments/${id}`, { as: reader })),
        missing,
      );
      expectRefusal(
        await ask(
          app,
          request('PATCH', `/api/v3/work_packages/${id}`, '{}', {
            as: reader,
            headers: { 'Content-Type': 'application/json' },
          }),
        ),
        missing,
      );
    },
  );

  test.each([
    '/api/v3/attachments/%',
    '/api/v3/attachments/%zz',
    '/api/v3/attachments/%c3%28',
    '/api/v3/attachments/%ff/content',
    '/api/v3/%e0%80%af',
    '/%',
    '/api/v3/attachments/%u0031',
  ])('%s is malformed and answers 404', async (target) => {
    expectRefusal(await ask(app, head('GET', target, { as: reader })), missing);
  });

  test.each([
    '/api',
    '/api/v2/attachments/1',
    '/api/v3/nothing',
    '/api/v3/attachments/1/content/x',
    '/api/v3/../../etc/passwd',
    '/..',
    '/.env',
    '/api/v3/__proto__',
    '*',
    '/api/v3/attachments/1/uploaded/../content',
  ])('%s does not exist and answers 404', async (target) => {
    expectRefusal(await ask(app, head('GET', target, { as: reader })), missing);
  });

  test('an absolute target is served like its path', async () => {
    expect(
      (await ask(app, head('GET', `http://elsewhere.example.org${wp.path}`, { as: reader })))
        .status,
    ).toBe(200);
  });
});

describe('credentials', () => {
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
  test.each([
    ['only a scheme', 'Bearer', 'Bearer'],
    ['a scheme and spaces', 'Basic  ', 'Basic'],
    ['an unknown scheme', 'Digest username="x"', 'Basic'],
    ['no scheme', 'abc', 'Basic'],
    ['a wrong key', 'Bearer wrong', 'Bearer'],
    ['a key of 8 kB', `Bearer ${'k'.repeat(8000)}`, 'Bearer'],
    ['two keys', 'Bearer a b', 'Bearer'],
    ['a wrong Basic key', basic('apikey:wrong'), 'Basic'],
    ['an empty Basic key', basic('apikey:'), 'Basic'],
    ['another Basic user', basic('admin:admin'), 'Basic'],
    ['Basic without a colon', basic('apikey'), 'Basic'],
    ['Basic that is not base64', 'Basic ***', 'Basic'],
    ['a key that is not ASCII', 'Bearer sch\u00fcssel', 'Bearer'],
    ['Basic with NUL', basic('apikey:\0'), 'Basic'],
    ['an injection', "Bearer '--", 'Bearer'],
    ['the scheme glued to the key', 'Bearerabc', 'Basic'],
  ])('%s answers 401 with a challenge', async (_name, authorization, scheme) => {
    for (const target of [wp.path, '/api/v3', '/api/v3/nothing', content]) {
      const answer = await ask(
        app,
        Buffer.from(head('GET', target, { headers: { Authorization: authorization } }), 'latin1'),
      );
      expectRefusal(answer, {
        status: 401,
        identifier: 'Unauthenticated',
        message: /correct credentials/,
      });
      expect(answer.headers['www-authenticate']).toMatch(new RegExp(`^${scheme} realm=`));
    }
  });

  test('a wrong key is refused before the body of an upload arrives', async () => {
    const answer = await ask(
      app,
      request('POST', '/api/v3/attachments', Buffer.alloc(3_000_000), {
        headers: { Authorization: 'Bearer wrong', 'Content-Type': 'text/plain' },
      }),
    );
    expectRefusal(answer, {
      status: 401,
      identifier: 'Unauthenticated',
      message: /correct credentials/,
    });
  });
});

describe('ranges and conditions', () => {
  const short = (text: string): [string, string] => [text.slice(0, 40), text];
  const get = (headers: { [name: string]: string }) =>
    ask(app, head('GET', content, { as: reader, headers }));

  test.each(
    [
      'bytes',
      'bytes=',
      'bytes=-',
      'bytes=a-b',
      'bytes=5-1',
      'lines=1-2',
      'bytes 0-1',
      'bytes=0-1,',
      'bytes=--1',
      'bytes=0x0-0x1',
      'nonsense',
      'bytes=0-0,2-2,4-4',
      `bytes=${'0-0,'.repeat(2000)}0-0`,
      'bytes=0.5-1',
    ].map(short),
  )('Range %s is ignored', async (_name, range) => {
    const { status, text, headers } = await get({ Range: range });
    expect({ status, text, range: headers['content-range'] }).toEqual({
      status: 200,
      text: 'Twenty bytes of text',
      range: undefined,
    });
  });

  test.each(
    [
      'bytes=20-',
      'bytes=20-30',
      'bytes=-0',
      'bytes=99999999999999999999-',
      `bytes=${'9'.repeat(400)}-`,
    ].map(short),
  )('Range %s answers 416 with the file size', async (_name, range) => {
    const answer = await get({ Range: range });
    expectRefusal(answer, {
      status: 416,
      identifier: 'RangeNotSatisfiable',
      message: /outside the file/,
    });
    expect(answer.headers['content-range']).toBe('bytes */20');
  });

  test.each([
    ['bytes=15-99999999999999999999', ' text'],
    ['bytes=18-4294967296', 'xt'],
    ['bytes=-99999999999999999999', 'Twenty bytes of text'],
  ])('Range %s ends with the file', async (range, expected) => {
    const { status, text } = await get({ Range: range });
    expect({ status, text }).toEqual({ status: 206, text: expected });
  });

  test.each([
    [{ 'If-None-Match': 'nonsense' }, 200],
    [{ 'If-None-Match': '"' }, 200],
    [{ 'If-None-Match': ',,,' }, 200],
    [{ 'If-None-Match': `${'"x",'.repeat(3000)}"y"` }, 200],
    [{ 'If-Modified-Since': 'yesterday' }, 200],
    [{ 'If-Unmodified-Since': 'never' }, 200],
    [{ 'If-Range': 'nonsense', Range: 'bytes=0-1' }, 200],
    [{ 'If-Range': 'W/"x"', Range: 'bytes=20-' }, 200],
  ] as [{ [name: string]: string }, number][])(
    'an invalid condition causes no server error: %j',
    async (headers, status) => {
      expect((await get(headers)).status).toBe(status);
    },
  );

  test.each(['nonsense', '""', 'W/"x"', ',', '"unclosed'])(
    'If-Match %s answers 412',
    async (tag) => {
      expectRefusal(await get({ 'If-Match': tag }), {
        status: 412,
        identifier: 'PreconditionFailed',
        message: /precondition/,
      });
    },
  );
});
