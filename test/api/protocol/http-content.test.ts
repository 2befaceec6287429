/**
 * Content according to RFC 9110 and RFC 9111: the answer to each method and each combination of conditions and
 * ranges.
 */
import { createHash } from 'node:crypto';
import { Agent, cacheStores, interceptors, request, type Dispatcher } from 'undici';
import { startApp, type App } from '../../support/app.js';
import { errorBody } from '../../support/expected.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { Visitor } from '../../support/browser-visitor.js';

const TEXT = '0123456789';
const tagOf = (content: string) => `"${createHash('sha256').update(content).digest('hex')}"`;
const TAG = tagOf(TEXT);

let app: App;
let author: Person;
let path: string;
let empty: string;
beforeAll(async () => {
  app = await startApp();
  author = await app.given.user({ password: 'planted-password' });
  const stored = async (content: string) =>
    `/api/v3/attachments/${(await app.given.attachment({ author, fileName: 'a.txt', content })).id}/content`;
  path = await stored(TEXT);
  empty = await stored('');
});
afterAll(() => app.stop());

type Headers = { [name: string]: string };
const ask = (method: string, headers: Headers = {}, at = path) =>
  app.request(method, at, { as: author, headers });

/** The headers of the answer, without those of every answer on this connection. */
const contentHeaders = (headers: globalThis.Headers) =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !['connection', 'date', 'keep-alive', 'x-request-id'].includes(name),
    ),
  );
const described = {
  'accept-ranges': 'bytes',
  'cache-control': 'private, no-cache',
  etag: TAG,
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
};
const whole = {
  ...described,
  'content-type': 'text/plain; charset=utf-8',
  'content-disposition': 'inline; filename="a.txt"',
  'content-length': '10',
};

describe('methods', () => {
  test('HEAD answers every header of GET and no content (9.3.2)', async () => {
    const [head, get] = [await ask('HEAD'), await ask('GET')];
    expect({ status: get.status, headers: contentHeaders(get.headers), text: get.text }).toEqual({
      status: 200,
      headers: whole,
      text: TEXT,
    });
    expect({ status: head.status, headers: contentHeaders(head.headers), text: head.text }).toEqual(
      {
        status: 200,
        headers: whole,
        text: '',
      },
    );
  });

  test('HEAD ignores ranges (14.2) but evaluates conditions (13.1)', async () => {
    for (const range of ['bytes=0-3', 'bytes=99-']) {
      const { status, headers, text } = await ask('HEAD', { range });
      expect({ status, headers: contentHeaders(headers), text }).toEqual({
        status: 200,
        headers: whole,
        text: '',
      });
    }
    expect((await ask('HEAD', { 'if-none-match': TAG })).status).toBe(304);
    expect((await ask('HEAD', { 'if-match': '"other"' })).status).toBe(412);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s is refused with the allowed methods (15.5.6)',
    async (method) => {
      const { status, headers, body } = await ask(method);
      expect({ status, allow: headers.get('allow'), body }).toEqual({
        status: 405,
        allow: 'GET, HEAD',
        body: errorBody('MethodNotAllowed', 'This resource does not support the method.'),
      });
    },
  );
});

describe('conditions', () => {
  test('304 has the ETag and the Cache-Control header, and no description of the content (15.4.5)', async () => {
    const { status, headers, text } = await ask('GET', { 'if-none-match': TAG });
    expect({ status, headers: contentHeaders(headers), text }).toEqual({
      status: 304,
      headers: described,
      text: '',
    });
  });

  test.each<[string, Headers, number]>([
    [
      'after a successful If-Match, If-None-Match is evaluated',
      { 'if-match': TAG, 'if-none-match': TAG },
      304,
    ],
    [
      'a failed If-Match comes first',
      { 'if-match': '"other"', 'if-none-match': TAG, range: 'bytes=0-3' },
      412,
    ],
    ['If-Match accepts any ETag of a list', { 'if-match': `"other", ${TAG}` }, 200],
    ['If-Match accepts *', { 'if-match': '*' }, 200],
    ['If-Match compares strongly (13.1.1)', { 'if-match': `W/${TAG}` }, 412],
    ['If-None-Match is evaluated before Range', { 'if-none-match': TAG, range: 'bytes=0-3' }, 304],
    [
      'Range is evaluated if If-None-Match has another ETag',
      { 'if-none-match': '"other"', range: 'bytes=0-3' },
      206,
    ],
    ['If-Range compares strongly (13.1.5)', { 'if-range': `W/${TAG}`, range: 'bytes=0-3' }, 200],
    [
      'If-Range is evaluated before the range is found to be outside',
      { 'if-range': '"other"', range: 'bytes=99-' },
      200,
    ],
    [
      'with a matching If-Range, the range is still outside',
      { 'if-range': TAG, range: 'bytes=99-' },
      416,
    ],
    ['If-Range without Range is ignored', { 'if-range': '"other"' }, 200],
    [
      'If-Modified-Since is ignored without Last-Modified (13.1.3)',
      { 'if-modified-since': new Date(Date.now() + 86_400_000).toUTCString() },
      200,
    ],
    [
      'If-Unmodified-Since is ignored without Last-Modified (13.1.4)',
      { 'if-unmodified-since': new Date(0).toUTCString() },
      200,
    ],
  ])('%s', async (_rule, headers, status) => {
    expect((await ask('GET', headers)).status).toBe(status);
  });
});

describe('ranges', () => {
  test('a part has the headers of the whole file, with its own length (15.3.7)', async () => {
    const { status, headers, text } = await ask('GET', { range: 'bytes=2-4' });
    expect({ status, headers: contentHeaders(headers), text }).toEqual({
      status: 206,
      headers: { ...whole, 'content-length': '3', 'content-range': 'bytes 2-4/10' },
      text: '234',
    });
  });

  test('the name of the unit is case-insensitive (14.1)', async () => {
    const { status, text } = await ask('GET', { range: 'Bytes=-2' });
    expect({ status, text }).toEqual({ status: 206, text: '89' });
  });

  test.each([
    ['bytes=0-', 416],
    ['bytes=-0', 416],
    ['bytes=-5', 200],
  ])('a range of an empty file, %s, answers %i (14.1.2)', async (range, status) => {
    const answer = await ask('GET', { range }, empty);
    expect({
      status: answer.status,
      range: answer.headers.get('content-range'),
      body: answer.body ?? answer.text,
    }).toEqual(
      status === 416
        ? {
            status,
            range: 'bytes */0',
            body: errorBody('RangeNotSatisfiable', 'The requested range lies outside the file.'),
          }
        : { status, range: null, body: '' },
    );
  });
});

/** Records the service's answers to the cache. */
const recording =
  (statuses: number[]): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) =>
    dispatch(options, {
      onRequestStart: (...args) => handler.onRequestStart?.(...args),
      onResponseStart(...args) {
        statuses.push(args[1]);
        handler.onResponseStart?.(...args);
      },
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });

describe('a private cache', () => {
  test('stores the content, validates it each time, and gets answers without content', async () => {
    const browser = new Visitor(app);
    await browser.signIn(author.login, 'planted-password');
    const statuses: number[] = [];
    const dispatcher = new Agent().compose(
      recording(statuses),
      interceptors.cache({ store: new cacheStores.MemoryCacheStore(), type: 'private' }),
    );
    const answers = [];
    for (let times = 0; times < 2; times += 1) {
      const { statusCode, headers, body } = await request(app.url + path, {
        dispatcher,
        headers: { cookie: browser.header(path) },
      });
      answers.push([statusCode, headers['etag'], await body.text()]);
    }
    expect(answers).toEqual(Array(2).fill([200, TAG, TEXT]));
    expect(statuses).toEqual([200, 304]);
    await dispatcher.close();
  });
});
