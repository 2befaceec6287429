import { createHash } from 'node:crypto';
import { startApp, type App } from '../../support/app.js';
import { errorBody, missingPermission, notFound } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let author: Person;
let viewer: Person;
let stranger: Person;
let container: ContainerHandle;
beforeAll(async () => {
  app = await startApp();
  const project = await app.given.project();
  author = await app.given.member(project, ['view_wiki_pages', 'edit_wiki_pages']);
  viewer = await app.given.member(project, ['view_wiki_pages']);
  stranger = await app.given.user();
  container = await app.given.wikiPage(project, author);
});
afterAll(() => app.stop());

const CSP =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";
const TEXT = 'text/plain; charset=utf-8';

async function stored(fileName: string, contentType: string, content = '0123456789') {
  const row = await app.given.attachment({ container, author, fileName, contentType, content });
  return {
    row,
    path: `/api/v3/attachments/${row.id}/content`,
    etag: `"${createHash('sha256').update(content).digest('hex')}"`,
  };
}
const range = (path: string, value: string, headers: { [name: string]: string } = {}) =>
  app.get(path, viewer, { headers: { range: value, ...headers } });

describe('the headers of a download', () => {
  test.each([
    ['plain text', 'notes.txt', 'text/plain', TEXT, 'inline; filename="notes.txt"'],
    ['JavaScript', 'code.js', 'text/x-javascript', TEXT, 'inline; filename="code.js"'],
    [
      'unknown bytes',
      'blob.dat',
      'application/octet-stream',
      'application/octet-stream',
      'attachment; filename="blob.dat"',
    ],
    [
      'JSON',
      'data.json',
      'application/json',
      'application/octet-stream',
      'attachment; filename="data.json"',
    ],
    [
      'SVG',
      'logo.svg',
      'image/svg+xml',
      'application/octet-stream',
      'attachment; filename="logo.svg"',
    ],
    ['HTML', 'page.html', 'text/html', TEXT, 'inline; filename="page.html"'],
    ['png', 'a.png', 'image/png', 'image/png', 'inline; filename="a.png"'],
    ['jpeg', 'a.jpg', 'image/jpeg', 'image/jpeg', 'inline; filename="a.jpg"'],
    ['gif', 'a.gif', 'image/gif', 'image/gif', 'inline; filename="a.gif"'],
    ['webp', 'a.webp', 'image/webp', 'image/webp', 'inline; filename="a.webp"'],
    ['avif', 'a.avif', 'image/avif', 'image/avif', 'inline; filename="a.avif"'],
    ['pdf', 'a.pdf', 'application/pdf', 'application/pdf', 'inline; filename="a.pdf"'],
    ['mp4', 'a.mp4', 'video/mp4', 'video/mp4', 'inline; filename="a.mp4"'],
    ['webm', 'a.webm', 'video/webm', 'video/webm', 'inline; filename="a.webm"'],
    [
      'TIFF, which is not shown inline',
      'a.tif',
      'image/tiff',
      'application/octet-stream',
      'attachment; filename="a.tif"',
    ],
    [
      'a unicode name',
      'Grundriß 見.txt',
      'text/plain',
      TEXT,
      'inline; filename="Grundri? ?.txt"; filename*=UTF-8\'\'Grundri%C3%9F%20%E8%A6%8B.txt',
    ],
    [
      'a Latin name',
      'Überblick "ñ" 100%.bin',
      'application/zip',
      'application/octet-stream',
      'attachment; filename="?berblick \\"?\\" 100%.bin"; ' +
        "filename*=UTF-8''%C3%9Cberblick%20%22%C3%B1%22%20100%25.bin",
    ],
    ['quotes', 'a"b.txt', 'text/plain', TEXT, 'inline; filename="a\\"b.txt"'],
  ])('of %s', async (_name, fileName, contentType, type, disposition) => {
    const { path, etag } = await stored(fileName, contentType);
    const { status, headers, text } = await app.get(path, viewer);
    const value = headers.get('content-disposition')!;
    expect({ status, type: headers.get('content-type'), disposition: value, text }).toEqual({
      status: 200,
      type,
      disposition,
      text: '0123456789',
    });
    expect({
      length: headers.get('content-length'),
      etag: headers.get('etag'),
      cache: headers.get('cache-control'),
      ranges: headers.get('accept-ranges'),
      sniff: headers.get('x-content-type-options'),
      csp: headers.get('content-security-policy'),
      location: headers.get('location'),
    }).toEqual({
      length: '10',
      etag,
      cache: 'private, no-cache',
      ranges: 'bytes',
      sniff: 'nosniff',
      csp: CSP,
      location: null,
    });
  });

  test('HEAD answers the same headers without a body', async () => {
    const { path, etag } = await stored('a.txt', 'text/plain');
    const { status, headers, text } = await app.request('HEAD', path, { as: viewer });
    expect({
      status,
      text,
      length: headers.get('content-length'),
      etag: headers.get('etag'),
    }).toEqual({ status: 200, text: '', length: '10', etag });
  });

  test('the Accept header is ignored', async () => {
    const { path } = await stored('a.txt', 'text/plain');
    expect((await app.get(path, viewer, { headers: { accept: 'image/png' } })).status).toBe(200);
  });
});

describe('conditional requests', () => {
  test('If-None-Match with the ETag, a weak ETag, a list or * answers 304 without a body', async () => {
    const { path, etag } = await stored('a.txt', 'text/plain');
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, text, headers } = await app.get(path, viewer, {
        headers: { 'if-none-match': value },
      });
      expect({ status, text, etag: headers.get('etag') }).toEqual({ status: 304, text: '', etag });
    }
    expect((await app.get(path, viewer, { headers: { 'if-none-match': '"other"' } })).status).toBe(
      200,
    );
  });

  test('If-Match with another ETag answers 412', async () => {
    const { path, etag } = await stored('a.txt', 'text/plain');
    const failed = await app.get(path, viewer, { headers: { 'if-match': '"other"' } });
    expect({ status: failed.status, body: failed.body }).toEqual({
      status: 412,
      body: errorBody(
        'PreconditionFailed',
        'The resource does not match the precondition of the request.',
      ),
    });
    expect((await app.get(path, viewer, { headers: { 'if-match': etag } })).status).toBe(200);
  });

  test('a user without access gets 404 whatever the condition', async () => {
    const { path, etag } = await stored('a.txt', 'text/plain');
    expect((await app.get(path, stranger, { headers: { 'if-none-match': etag } })).body).toEqual(
      notFound,
    );
  });
});

describe('range requests', () => {
  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=4-', '456789', 'bytes 4-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=9-9', '9', 'bytes 9-9/10'],
    ['bytes=5-999', '56789', 'bytes 5-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
  ])('%s answers 206 with that part', async (value, part, contentRange) => {
    const { path } = await stored('a.txt', 'text/plain');
    const { status, text, headers } = await range(path, value);
    expect({
      status,
      text,
      contentRange: headers.get('content-range'),
      length: headers.get('content-length'),
    }).toEqual({ status: 206, text: part, contentRange, length: String(part.length) });
  });

  test.each(['bytes=10-', 'bytes=20-30', 'bytes=-0'])(
    '%s is outside the file and answers 416 with the size',
    async (value) => {
      const { path } = await stored('a.txt', 'text/plain');
      const { status, body, headers } = await range(path, value);
      expect({ status, body, contentRange: headers.get('content-range') }).toEqual({
        status: 416,
        body: errorBody('RangeNotSatisfiable', 'The requested range lies outside the file.'),
        contentRange: 'bytes */10',
      });
    },
  );

  test.each(['bytes=0-1,4-5', 'lines=0-1', 'bytes=x', 'bytes=5-2', 'bytes=-', 'nonsense'])(
    '%s answers the whole file',
    async (value) => {
      const { path } = await stored('a.txt', 'text/plain');
      const { status, text } = await range(path, value);
      expect({ status, text }).toEqual({ status: 200, text: '0123456789' });
    },
  );

  test('If-Range answers the part for the right ETag, and the whole file for another ETag or a date', async () => {
    const { path, etag } = await stored('a.txt', 'text/plain');
    expect((await range(path, 'bytes=0-3', { 'if-range': etag })).status).toBe(206);
    expect((await range(path, 'bytes=0-3', { 'if-range': '"other"' })).status).toBe(200);
    expect((await range(path, 'bytes=0-3', { 'if-range': new Date().toUTCString() })).status).toBe(
      200,
    );
  });

  test('a large download resumes after an interruption and is byte-identical', async () => {
    const content = 'abcdefghij'.repeat(300_000);
    const { path } = await stored('big.txt', 'text/plain', content);
    const first = await range(path, 'bytes=0-1234566');
    const rest = await range(path, 'bytes=1234567-');
    expect(first.text + rest.text === content).toBe(true);
  });
});

describe('download permissions', () => {
  test('a user without access to the container gets 404', async () => {
    const { path } = await stored('a.txt', 'text/plain');
    expect((await app.get(path, stranger)).body).toEqual(notFound);
    expect((await app.get(path)).body).toEqual(notFound);
  });

  test('a quarantined file answers 403 to every user', async () => {
    const row = await app.given.attachment({ container, author, status: 'quarantined' });
    const admin = await app.given.user({ admin: true });
    for (const person of [viewer, author, admin]) {
      const { status, body } = await app.get(`/api/v3/attachments/${row.id}/content`, person);
      expect({ status, body }).toEqual({
        status: 403,
        body: {
          ...missingPermission,
          message: 'The file is quarantined because the virus scan found something in it.',
        },
      });
    }
  });

  test('scanned files and files that wait for another scan are served', async () => {
    for (const status of ['scanned', 'rescan'] as const) {
      const row = await app.given.attachment({ container, author, status });
      expect((await app.get(`/api/v3/attachments/${row.id}/content`, viewer)).status).toBe(200);
    }
  });

  test('a prepared upload has no content yet and answers 404', async () => {
    const row = await app.given.attachment({ container, author, status: 'prepared', blob: false });
    expect((await app.get(`/api/v3/attachments/${row.id}/content`, author)).body).toEqual(notFound);
  });

  test('a file that is missing from the store answers 404 with a HAL body and is logged', async () => {
    const row = await app.given.attachment({ container, author, blob: false });
    const { status, body, headers } = await app.get(
      `/api/v3/attachments/${row.id}/content`,
      viewer,
    );
    expect({
      status,
      body,
      type: headers.get('content-type'),
      etag: headers.get('etag'),
      disposition: headers.get('content-disposition'),
    }).toEqual({
      status: 404,
      body: notFound,
      type: 'application/hal+json; charset=utf-8',
      etag: null,
      disposition: null,
    });
    expect(
      app.logLines.some(
        (line) =>
          line.includes('missing from the blob store') && line.includes(`"attachment":${row.id}`),
      ),
    ).toBe(true);
  });

  test.each([
    ['HEAD', 'HEAD', 'some text', {}],
    ['a range', 'GET', 'some text', { range: 'bytes=0-0' }],
    ['a range by HEAD', 'HEAD', 'some text', { range: 'bytes=0-0' }],
    ['an empty file', 'GET', '', {}],
    ['an empty file by HEAD', 'HEAD', '', {}],
    ['the end of an empty file', 'GET', '', { range: 'bytes=-1' }],
  ] as const)(
    '%s that is missing from the store answers 404 with the headers of an error',
    async (_name, method, content, headers) => {
      const row = await app.given.attachment({ container, author, content, blob: false });
      const answer = await app.request(method, `/api/v3/attachments/${row.id}/content`, {
        as: viewer,
        headers,
      });
      const describing = [
        'content-type',
        'content-range',
        'accept-ranges',
        'etag',
        'content-disposition',
      ].map((name) => answer.headers.get(name));
      expect({ status: answer.status, text: answer.text, describing }).toEqual({
        status: 404,
        text: method === 'HEAD' ? '' : JSON.stringify(notFound),
        describing: ['application/hal+json; charset=utf-8', null, null, null, null],
      });
    },
  );

  test.each(['GET', 'HEAD'])('an empty file answers 200 to %s', async (method) => {
    const { path, etag } = await stored('empty.txt', 'text/plain', '');
    const { status, text, headers } = await app.request(method, path, { as: viewer });
    expect({
      status,
      text,
      length: headers.get('content-length'),
      etag: headers.get('etag'),
      type: headers.get('content-type'),
    }).toEqual({ status: 200, text: '', length: '0', etag, type: TEXT });
  });
});

describe('a file in several chunks', () => {
  // Chunks of one megabyte, all different, and a shorter last one.
  const content = Array.from({ length: 5 * 1024 + 1 }, (_, n) => String(n).padStart(1024, '.'))
    .join('')
    .slice(0, -1);

  test('is complete for several slow readers at once, and ranges return the right bytes', async () => {
    const { path } = await stored('large.txt', 'text/plain', content);
    const slowly = async (): Promise<string> => {
      const response = await fetch(app.url + path, {
        headers: { authorization: `Bearer ${viewer.key}` },
      });
      const hash = createHash('sha256');
      let read = 0;
      for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
        hash.update(piece);
        if ((read += piece.byteLength) % 5 === 0)
          await new Promise((resolve) => {
            setTimeout(resolve, 5);
          });
      }
      return hash.digest('hex');
    };
    const digest = createHash('sha256').update(content).digest('hex');
    expect(await Promise.all([slowly(), slowly(), slowly()])).toEqual([digest, digest, digest]);
    for (const [start, end] of [
      [0, 1024 * 1024 - 1],
      [1024 * 1024 - 1, 3 * 1024 * 1024],
      [content.length - 10, content.length - 1],
    ] as const) {
      const { status, text } = await range(path, `bytes=${start}-${end}`);
      expect([status, text === content.slice(start, end + 1)]).toEqual([206, true]);
    }
  });

  test('can be downloaded again after another download was aborted', async () => {
    const { path } = await stored('left.txt', 'text/plain', content);
    app.logLines.length = 0;
    for (let n = 0; n < 10; n += 1) {
      const leaving = new AbortController();
      const response = await fetch(app.url + path, {
        headers: { authorization: `Bearer ${viewer.key}` },
        signal: leaving.signal,
      });
      await response.body!.getReader().read();
      leaving.abort();
    }
    const { status, text } = await app.get(path, viewer);
    expect([status, text === content]).toEqual([200, true]);
    expect(
      app.logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
    ).toEqual([]);
  });
});
