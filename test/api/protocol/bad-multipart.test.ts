/** Invalid uploads: each gets a clear error and stores nothing. */
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../../support/jest.js';
import {
  ask,
  BOUNDARY,
  exchange,
  expectRefusal,
  expectUnharmed,
  file,
  form,
  hangUp,
  head,
  metadata,
  MULTIPART,
  part,
  request,
  stored,
  type Part,
} from '../../support/raw.js';

const LIMIT = 5_242_880;
const TOO_LARGE = {
  status: 422,
  identifier: 'PropertyConstraintViolation',
  message: /^File is too large \(maximum size is 5242880 Bytes\)\.$/,
  attribute: 'fileSize',
};
const bad = (message: RegExp) => ({ status: 400, identifier: 'InvalidRequestBody', message });
const TWO_PARTS = bad(/exactly two parts: metadata and file/);
const MALFORMED = bad(/malformed or incomplete/);

let app: App;
let editor: Person;
let wp: ContainerHandle;
let before: { rows: number; files: number };

beforeAll(async () => {
  app = await startApp();
  const project = await app.given.project();
  editor = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  wp = await app.given.workPackage(project, editor);
  await app.given.attachment({ container: wp, author: editor });
  before = await stored(app);
});
afterEach(() => expectUnharmed(app, before));
afterAll(() => app.stop());

const upload = (
  body: string | Buffer,
  headers: { [name: string]: string } = {},
  path = wp.attachments,
) =>
  request('POST', path, body, { as: editor, headers: { 'Content-Type': MULTIPART, ...headers } });
const named = (fileName: string) => metadata(JSON.stringify({ fileName }));

describe('the shape of the form', () => {
  const cases: [name: string, body: () => string | Buffer, expected: ReturnType<typeof bad>][] = [
    ['an empty body', () => '', MALFORMED],
    ['an empty form', () => form([]), bad(/part metadata is missing/)],
    ['a boundary that never occurs', () => 'some text '.repeat(1000), MALFORMED],
    [
      'another boundary than declared',
      () => form([metadata(), file()]).toString().replaceAll(BOUNDARY, 'another'),
      MALFORMED,
    ],
    ['no closing boundary', () => form([metadata(), file()], { end: false }), MALFORMED],
    [
      'an end in the middle of the file',
      () => form([metadata(), file()]).subarray(0, -40),
      MALFORMED,
    ],
    [
      'an end in the middle of a part header',
      () => `${form([metadata()], { end: false })}--${BOUNDARY}\r\nContent-Dispo`,
      MALFORMED,
    ],
    [
      'an invalid part header',
      () => form([metadata(), { head: '\x01\x02 no header\r\n', content: 'x' }]),
      MALFORMED,
    ],
    [
      'part headers of 100 kB',
      () =>
        form([
          metadata(),
          {
            head: `Content-Disposition: form-data; name="file"; filename="a.txt"\r\n${'X-Filler: aaaaaaaaaa\r\n'.repeat(5000)}`,
            content: 'x',
          },
        ]),
      MALFORMED,
    ],
    [
      'a part name of 100 kB',
      () => form([metadata(), { name: 'n'.repeat(100_000), content: 'x' }, file()]),
      MALFORMED,
    ],
    ['metadata alone', () => form([metadata()]), bad(/part file is missing/)],
    ['a file alone', () => form([file()]), bad(/part metadata is missing/)],
    [
      'a third part at the end',
      () => form([metadata(), file(), { name: 'more', content: 'x' }]),
      TWO_PARTS,
    ],
    [
      'a third part at the start',
      () => form([{ name: 'more', content: 'x' }, metadata(), file()]),
      TWO_PARTS,
    ],
    [
      'a third part in the middle that is a file',
      () => form([metadata(), { ...file(), name: 'more' }, file()]),
      TWO_PARTS,
    ],
    ['a third part without a name', () => form([metadata(), file(), { content: 'x' }]), TWO_PARTS],
    [
      'a third part without any header',
      () => form([metadata(), file(), { head: 'Content-Type: text/plain\r\n', content: 'x' }]),
      TWO_PARTS,
    ],
    ['metadata twice', () => form([metadata(), metadata(), file()]), TWO_PARTS],
    ['metadata twice, around the file', () => form([metadata(), file(), metadata()]), TWO_PARTS],
    [
      'metadata twice, sent as files',
      () =>
        form([
          { ...metadata(), filename: 'm.json' },
          { ...metadata(), filename: 'm.json' },
          file(),
        ]),
      TWO_PARTS,
    ],
    ['the file twice', () => form([metadata(), file(), file()]), TWO_PARTS],
    [
      'the file twice, the second large',
      () => form([metadata(), file(), file(Buffer.alloc(1_000_000))]),
      TWO_PARTS,
    ],
    [
      'a hundred thousand parts',
      () =>
        form([
          metadata(),
          file(),
          ...Array.from({ length: 100_000 }, (): Part => ({ name: 'p', content: '' })),
        ]),
      TWO_PARTS,
    ],
    [
      'a hundred thousand files',
      () => form(Array.from({ length: 100_000 }, () => file(''))),
      TWO_PARTS,
    ],
    [
      'a file part without a filename',
      () => form([metadata(), { name: 'file', content: 'x' }]),
      bad(/must carry a filename/),
    ],
    [
      'a file part of a binary type without a filename',
      () => form([metadata(), { name: 'file', type: 'application/octet-stream', content: 'x' }]),
      bad(/must carry a filename/),
    ],
    [
      'a file part with an empty filename',
      () => form([metadata(), file('x', '')]),
      bad(/must carry a filename/),
    ],
    [
      'a large file part without a filename',
      () => form([metadata(), { name: 'file', content: Buffer.alloc(3_000_000) }]),
      bad(/must carry a filename/),
    ],
    [
      'other part names',
      () =>
        form([
          { ...metadata(), name: 'meta' },
          { ...file(), name: 'attachment' },
        ]),
      TWO_PARTS,
    ],
    [
      'part names in another case',
      () =>
        form([
          { ...metadata(), name: 'Metadata' },
          { ...file(), name: 'File' },
        ]),
      TWO_PARTS,
    ],
    [
      'a part named __proto__',
      () => form([{ name: '__proto__', content: '{}' }, file()]),
      TWO_PARTS,
    ],
  ];
  test.each(cases)('%s is refused', async (_name, body, expected) => {
    expectRefusal(await ask(app, upload(body())), expected);
  });

  test.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['broken parameters', 'multipart/form-data; boundary="never closed'],
  ])('a Content-Type with %s is refused', async (_name, type) => {
    expectRefusal(
      await ask(app, upload(form([metadata(), file()]), { 'Content-Type': type })),
      bad(/Content-Type names no usable multipart boundary/),
    );
  });

  test.each(['gzip', 'br', 'nonsense'])(
    'a form with Content-Encoding %s is refused',
    async (coding) => {
      expectRefusal(
        await ask(app, upload(form([metadata(), file()]), { 'Content-Encoding': coding })),
        {
          status: 415,
          identifier: 'TypeNotSupported',
          message: /Content-Encoding .* not supported/,
        },
      );
    },
  );

  test.each([
    ['application/json', 'application/json'],
    ['multipart/mixed', `multipart/mixed; boundary=${BOUNDARY}`],
    ['an unknown type', 'a/b'],
    ['a malformed type', ';;;'],
    ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
  ])('an upload as %s answers 415 and names the expected type', async (_name, type) => {
    expectRefusal(await ask(app, upload(form([metadata(), file()]), { 'Content-Type': type })), {
      status: 415,
      identifier: 'TypeNotSupported',
      message: /^Expected CONTENT-TYPE to be 'multipart\/form-data'/,
    });
  });

  test('an upload without a Content-Type answers 406', async () => {
    expectRefusal(await ask(app, upload(form([metadata(), file()]), { 'Content-Type': '' })), {
      status: 406,
      identifier: 'TypeNotSupported',
      message: /content-type/,
    });
  });
});

describe('the metadata part', () => {
  const cases: [name: string, content: () => string | Buffer, message: RegExp][] = [
    ['empty', () => '', /was empty/],
    ['blank', () => '   ', /could not be parsed as JSON/],
    ['not JSON', () => 'fileName=a.txt', /could not be parsed as JSON/],
    ['JSON that is cut off', () => '{"fileName":"a.t', /could not be parsed as JSON/],
    ['an array', () => '[{"fileName":"a.txt"}]', /not a single JSON object/],
    ['null', () => 'null', /not a single JSON object/],
    ['a string', () => '"a.txt"', /not a single JSON object/],
    ['a number', () => '42', /not a single JSON object/],
    [
      'two objects',
      () => '{"fileName":"a.txt"}{"fileName":"b.txt"}',
      /could not be parsed as JSON/,
    ],
    ['a name in Latin-1', () => Buffer.from('{"fileName":"ü.txt"}', 'latin1'), /not valid UTF-8/],
    [
      'overlong UTF-8',
      () =>
        Buffer.concat([
          Buffer.from('{"fileName":"'),
          Buffer.from([0xc0, 0xaf]),
          Buffer.from('.txt"}'),
        ]),
      /not valid UTF-8/,
    ],
    [
      'a duplicate member',
      () => '{"fileName":"a.txt","fileName":"b.txt"}',
      /"fileName" occurs twice/,
    ],
    [
      'a duplicate member, once with an escaped name',
      () => '{"fileName":"a.txt","file\\u004eame":"b.txt"}',
      /"fileName" occurs twice/,
    ],
    [
      'nested too deeply',
      () => `{"fileName":"a.txt","x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      /nested more than 32 levels/,
    ],
    [
      'more than 64 KiB',
      () => JSON.stringify({ fileName: 'a.txt', x: 'x'.repeat(65_536) }),
      /larger than 65536 bytes/,
    ],
    [
      'a string of escaped quotes without an end',
      () => `{"fileName":"${'\\"'.repeat(32_000)}`,
      /could not be parsed as JSON/,
    ],
  ];
  test.each(cases)('%s is refused', async (_name, content, message) => {
    expectRefusal(await ask(app, upload(form([metadata(content()), file()]))), bad(message));
  });
  test.each(cases)('%s is refused when sent with a filename', async (_name, content, message) => {
    expectRefusal(
      await ask(app, upload(form([{ ...metadata(content()), filename: 'metadata.json' }, file()]))),
      bad(message),
    );
  });
  test.each(cases)('%s is refused after the file', async (_name, content, message) => {
    expectRefusal(await ask(app, upload(form([file(), metadata(content())]))), bad(message));
  });

  test('an unknown charset is refused', async () => {
    expectRefusal(
      await ask(
        app,
        upload(form([metadata(undefined, 'application/json; charset=nonsense'), file()])),
      ),
      bad(/not valid UTF-8/),
    );
  });

  test('broken UTF-8 is refused although the part says charset=utf-8', async () => {
    expectRefusal(
      await ask(
        app,
        upload(
          form([
            metadata(
              Buffer.from('{"fileName":"ü.txt"}', 'latin1'),
              'application/json; charset=utf-8',
            ),
            file(),
          ]),
        ),
      ),
      bad(/not valid UTF-8/),
    );
  });

  const wrong = (message: RegExp, attribute: string) => ({
    status: 422,
    identifier: 'PropertyConstraintViolation',
    message,
    attribute,
  });
  const members: [name: string, content: string, expected: ReturnType<typeof wrong>][] = [
    ['no fileName', '{}', wrong(/^File can't be blank\.$/, 'file')],
    ['fileName null', '{"fileName":null}', wrong(/can't be blank/, 'file')],
    ['fileName empty', '{"fileName":""}', wrong(/can't be blank/, 'file')],
    ['fileName blank', '{"fileName":" \\u3000 "}', wrong(/can't be blank/, 'file')],
    ['fileName a number', '{"fileName":7}', wrong(/^File name must be a string/, 'fileName')],
    [
      'fileName an array',
      '{"fileName":["a.txt"]}',
      wrong(/^File name must be a string/, 'fileName'),
    ],
    [
      'fileName an object',
      '{"fileName":{"raw":"a.txt"}}',
      wrong(/^File name must be a string/, 'fileName'),
    ],
    ['fileName true', '{"fileName":true}', wrong(/^File name must be a string/, 'fileName')],
    [
      'fileName below __proto__ only',
      '{"__proto__":{"fileName":"a.txt"}}',
      wrong(/can't be blank/, 'file'),
    ],
    [
      'fileName below constructor only',
      '{"constructor":{"prototype":{"fileName":"a.txt"}}}',
      wrong(/can't be blank/, 'file'),
    ],
    [
      'a name of 256 characters',
      JSON.stringify({ fileName: 'n'.repeat(256) }),
      wrong(/too long \(maximum is 255 characters\)/, 'fileName'),
    ],
    [
      'a name of 256 astral characters',
      JSON.stringify({ fileName: '🦭'.repeat(256) }),
      wrong(/too long \(maximum is 255 characters\)/, 'fileName'),
    ],
    [
      'a name of 4 kB',
      JSON.stringify({ fileName: 'n'.repeat(4096) }),
      wrong(/too long/, 'fileName'),
    ],
    [
      '../../etc/passwd',
      '{"fileName":"../../etc/passwd"}',
      wrong(/must not contain path separators or control characters/, 'fileName'),
    ],
    ['/etc/passwd', '{"fileName":"/etc/passwd"}', wrong(/path separators/, 'fileName')],
    ['a backslash', '{"fileName":"..\\\\boot.ini"}', wrong(/path separators/, 'fileName')],
    ['NUL', '{"fileName":"a\\u0000.txt"}', wrong(/control characters/, 'fileName')],
    ['a line break', '{"fileName":"a\\nb.txt"}', wrong(/control characters/, 'fileName')],
    [
      'a carriage return and a header',
      '{"fileName":"a\\r\\nSet-Cookie: x=1"}',
      wrong(/control characters/, 'fileName'),
    ],
    [
      'a C1 control character',
      '{"fileName":"a\\u0085.txt"}',
      wrong(/control characters/, 'fileName'),
    ],
    ['a lone high surrogate', '{"fileName":"a\\ud83d.txt"}', wrong(/must not contain/, 'fileName')],
    ['a lone low surrogate', '{"fileName":"\\udead.txt"}', wrong(/must not contain/, 'fileName')],
    [
      'a description of 256 characters',
      JSON.stringify({ fileName: 'a.txt', description: 'd'.repeat(256) }),
      wrong(/^Description is too long/, 'description'),
    ],
    [
      'a description that is a number',
      '{"fileName":"a.txt","description":1}',
      wrong(/^Description must be a string or an object with a "raw" string/, 'description'),
    ],
    [
      'a description that is an array',
      '{"fileName":"a.txt","description":["x"]}',
      wrong(/^Description must be a string/, 'description'),
    ],
    [
      'a description whose raw is a number',
      '{"fileName":"a.txt","description":{"raw":1}}',
      wrong(/^Description must be a string/, 'description'),
    ],
    [
      'a description with NUL',
      '{"fileName":"a.txt","description":"\\u0000"}',
      wrong(/^Description must not contain NUL/, 'description'),
    ],
    [
      'a description with a lone surrogate',
      '{"fileName":"a.txt","description":{"raw":"\\ud800"}}',
      wrong(/broken characters/, 'description'),
    ],
  ];
  test.each(members)('%s answers 422', async (_name, content, expected) => {
    expectRefusal(await ask(app, upload(form([metadata(content), file()]))), expected);
  });

  test('several errors are all listed, and the message is the first one', async () => {
    const { body } = await ask(
      app,
      upload(form([metadata('{"fileName":"a/b","description":5}'), file()])),
    );
    expect(body._embedded.errors.map((error: any) => error._embedded.details.attribute)).toEqual([
      'fileName',
      'description',
    ]);
    expect(body.message).toMatch(/^File name/);
  });
});

describe('sizes and closed connections', () => {
  test('a file one byte too large is refused with the limit', async () => {
    expectRefusal(
      await ask(app, upload(form([metadata(), file(Buffer.alloc(LIMIT + 1))]))),
      TOO_LARGE,
    );
  });

  test('a file one byte too large before the metadata is refused', async () => {
    expectRefusal(
      await ask(app, upload(form([file(Buffer.alloc(LIMIT + 1)), metadata()]))),
      TOO_LARGE,
    );
  });

  test('a chunked file that is too large is refused', async () => {
    const body = form([metadata(), file(Buffer.alloc(LIMIT + 1))]);
    const start = head('POST', wp.attachments, {
      as: editor,
      headers: { 'Content-Type': MULTIPART, 'Transfer-Encoding': 'chunked' },
    });
    expectRefusal(
      await ask(app, [start, `${body.byteLength.toString(16)}\r\n`, body, '\r\n0\r\n\r\n']),
      TOO_LARGE,
    );
  });

  const large = () => form([metadata(), file(Buffer.alloc(20 * 1024 * 1024))]);
  const answers: [name: string, path: () => string, expected: ReturnType<typeof bad>][] = [
    [
      'to a hidden container',
      () => '/api/v3/work_packages/2147483647/attachments',
      { status: 404, identifier: 'NotFound', message: /could not be found/ },
    ],
    ['over the size limit', () => wp.attachments, TOO_LARGE],
  ];
  describe.each([
    ['keep-alive', 'keep-alive'],
    ['a connection that closes', 'close'],
  ])('20 MB over %s', (_name, connection) => {
    test.each(answers)('an upload %s is always answered', async (_case, path, expected) => {
      const bytes = upload(large(), { Connection: connection }, path());
      for (let round = 0; round < 10; round += 1)
        expectRefusal(await ask(app, bytes, { writeFirst: round % 2 === 0 }), expected);
    });
  });

  test('the connection can be used again after a refused upload', async () => {
    const [first, second] = await exchange(
      app,
      [
        upload(large(), {}, '/api/v3/meetings/2147483647/attachments'),
        head('GET', wp.path, { as: editor }),
      ],
      { answers: 2 },
    );
    expect([first?.status, second?.status]).toEqual([404, 200]);
  });

  test('an anonymous upload answers 403 or 404 without reading the file', async () => {
    const body = form([metadata(), file(Buffer.alloc(1_000_000))]);
    const anonymous = (path: string) =>
      ask(app, request('POST', path, body, { headers: { 'Content-Type': MULTIPART } }));
    expectRefusal(await anonymous('/api/v3/attachments'), {
      status: 403,
      identifier: 'MissingPermission',
      message: /not authorized/,
    });
    expectRefusal(await anonymous(wp.attachments), {
      status: 404,
      identifier: 'NotFound',
      message: /could not be found/,
    });
  });

  test('Expect: 100-continue is answered before the body is sent', async () => {
    const body = form([named('a/b'), file()]);
    const sent = upload(body, { Expect: '100-continue' });
    const [interim, answer] = await exchange(app, sent, { answers: 2 });
    expect(interim?.status).toBe(100);
    expectRefusal(answer!, {
      status: 422,
      identifier: 'PropertyConstraintViolation',
      message: /path separators/,
      attribute: 'fileName',
    });
  });

  const whole = () => upload(form([metadata(), file(Buffer.alloc(2_000_000))]));
  const cuts: [name: string, bytes: () => Buffer | Buffer[]][] = [
    ['in the middle of the file', () => whole().subarray(0, 1_500_000)],
    ['in the middle of the metadata', () => upload(form([metadata(), file()])).subarray(0, -150)],
    ['before the closing boundary', () => whole().subarray(0, -10)],
    ['with the last byte missing', () => whole().subarray(0, -1)],
    [
      'after the closing boundary of a longer body',
      () => upload(form([metadata(), file()]), { 'Content-Length': '100000' }),
    ],
  ];
  test.each(cuts)('a client that disconnects %s leaves nothing', async (_name, bytes) => {
    await hangUp(app, bytes());
  });
  test.each(cuts)(
    'a client that half-closes the connection %s leaves nothing',
    async (_name, bytes) => {
      const answers = await exchange(app, bytes(), { halfClose: true });
      for (const answer of answers) expect(answer.status).toBe(400);
    },
  );

  test('a chunked body that is cut off leaves nothing', async () => {
    const start = head('POST', wp.attachments, {
      as: editor,
      headers: { 'Content-Type': MULTIPART, 'Transfer-Encoding': 'chunked' },
    });
    const body = form([metadata(), file(Buffer.alloc(1_000_000))]);
    await hangUp(app, [start, `${body.byteLength.toString(16)}\r\n`, body.subarray(0, 600_000)]);
  });

  test('an invalid chunk ends the upload, even if the client stays connected', async () => {
    const start = head('POST', wp.attachments, {
      as: editor,
      headers: { 'Content-Type': MULTIPART, 'Transfer-Encoding': 'chunked' },
    });
    const body = form([metadata(), file(Buffer.alloc(1_000_000))], { end: false });
    expectRefusal(
      await ask(app, [start, `${body.byteLength.toString(16)}\r\n`, body, '\r\nnonsense\r\n']),
      bad(/not valid HTTP/),
    );
  });

  test('many clients that disconnect at the same time leave nothing', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        hangUp(app, whole().subarray(0, 500 + index * 100_000)),
      ),
    );
  });
});

describe('unusual valid uploads', () => {
  /** Uploads, reads back and deletes, so that nothing is left. */
  async function roundTrip(parts: Part[], fileName: string, content = 'some text') {
    const { status, body } = await ask(app, upload(form(parts)));
    expect({ status, fileName: body.fileName }).toEqual({ status: 200, fileName });
    expect((await app.get(body._links.staticDownloadLocation.href, editor)).text).toBe(content);
    expect((await app.delete(body._links.self.href, editor)).status).toBe(204);
  }

  test.each([
    ['a name of 255 characters', 'n'.repeat(255)],
    ['a name of 255 astral characters', '🦭'.repeat(255)],
    ['a dot', '.'],
    ['two dots', '..'],
    ['dots and a space', ' ... '],
    ['a percent sign', '%2e%2e%2f'],
    ['quotes and semicolons', '";filename="x'],
    ['a byte order mark', '\u{feff}a.txt'],
    ['right-to-left', '\u202egnp.exe'],
    ['a decomposed umlaut', 'u\u0308.txt'],
    ['__proto__', '__proto__'],
    ['a reserved device', 'CON'],
    ['a replacement character', '\u{fffd}.txt'],
  ])('%s is returned unchanged', async (_name, fileName) => {
    await roundTrip([named(fileName), file()], fileName);
  });

  test.each([
    ['the file before the metadata', [file(), metadata()]],
    [
      'the file before metadata with a filename',
      [file(), { ...metadata(), filename: 'metadata.json' }],
    ],
    ['metadata without a type', [{ name: 'metadata', content: '{"fileName":"a.txt"}' }, file()]],
    [
      'metadata with a binary content type',
      [metadata(undefined, 'application/octet-stream'), file()],
    ],
    [
      'unknown members',
      [
        metadata(
          '{"fileName":"a.txt","fileSize":"x","_type":"Attachment","toString":1,"__proto__":{"fileName":"evil"}}',
        ),
        file(),
      ],
    ],
    ['a byte order mark before the metadata', [metadata('\u{feff}{"fileName":"a.txt"}'), file()]],
    [
      'metadata of exactly 64 KiB',
      [metadata(`{"fileName":"a.txt","x":"${'x'.repeat(65_536 - 28)}"}`), file()],
    ],
    ['a filename that is ignored', [metadata(), file('some text', '../../evil.sh')]],
  ] as [string, Part[]][])('%s is accepted', async (_name, parts) => {
    await roundTrip(parts, 'a.txt');
  });

  test.each(['utf-8', 'UTF-8', 'utf8'])(
    'metadata with charset=%s keeps its characters',
    async (charset) => {
      await roundTrip(
        [metadata('{"fileName":"ümläut €🦭.txt"}', `application/json; charset=${charset}`), file()],
        'ümläut €🦭.txt',
      );
    },
  );

  test('metadata with charset=iso-8859-1 is decoded accordingly', async () => {
    await roundTrip(
      [
        metadata(
          Buffer.from('{"fileName":"ü.txt"}', 'latin1'),
          'application/json; charset=iso-8859-1',
        ),
        file(),
      ],
      'ü.txt',
    );
  });

  test('a file of exactly the limit, an empty one, a preamble and an epilogue are accepted', async () => {
    await roundTrip([metadata(), file(Buffer.alloc(LIMIT, 'a'))], 'a.txt', 'a'.repeat(LIMIT));
    await roundTrip([metadata(), file('')], 'a.txt', '');
    const { status, body } = await ask(
      app,
      upload(
        Buffer.concat([
          Buffer.from('ignore me\r\n'),
          part(metadata()),
          part(file()),
          Buffer.from(`--${BOUNDARY}--\r\nand me`),
        ]),
      ),
    );
    expect(status).toBe(200);
    await app.delete(body._links.self.href, editor);
  });

  test('the prototypes of built-in objects are unchanged', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { fileName?: string }).fileName).toBeUndefined();
  });
});
