/** Clients that read slowly: how many downloads each may have, and when a download ends. */
import { createHash } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { startApp, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import { errorBody } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

/** More than the buffers of both ends of a connection hold. */
const SIZE = 48 * 1024 * 1024;
const content = Buffer.alloc(SIZE, 'The length of this pattern divides no slice. ');
const digest = createHash('sha256').update(content).digest('hex');
const OVERLOADED = {
  status: 503,
  after: '5',
  body: errorBody(
    'ServiceUnavailable',
    'Too many files or long lists are being downloaded at the same time. Wait for some of them, then try again.',
  ),
};
const ENDED = 'a download was ended because its client takes too little';

let app: App;
let reader: Person;
let other: Person;
let container: ContainerHandle;
let path: string;
let publicPath: string;
beforeAll(async () => {
  app = await startApp({ DOWNLOADS_PER_USER: '2', TRUST_PROXY: 'true' });
  const project = await app.given.project();
  const author = await app.given.member(project, ['view_wiki_pages', 'edit_wiki_pages']);
  reader = await app.given.member(project, ['view_wiki_pages']);
  other = await app.given.member(project, ['view_wiki_pages']);
  container = await app.given.wikiPage(project, author);
  path = await stored(app, container, author);
  await app.given.role(['view_wiki_pages'], 'Anonymous');
  const open = await app.given.project({ isPublic: true });
  publicPath = await stored(app, await app.given.wikiPage(open, author), author);
});
afterAll(() => app.stop());

async function stored(on: App, page: ContainerHandle, author: Person): Promise<string> {
  const { id } = await on.given.attachment({ container: page, author, content });
  return `/api/v3/attachments/${id}/content`;
}

/** Sends a request and reads no byte of the body. */
const paused = (
  on: App,
  url: string,
  headers: { [name: string]: string },
  method = 'GET',
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request(on.url + url, { method, headers, agent: false })
      .once('error', reject)
      .once('response', (response) => resolve(response.pause().on('error', () => undefined)))
      .end();
  });
const as = ({ key }: Person) => ({ authorization: `Bearer ${key}` });
const from = (address: string) => ({ 'x-forwarded-for': address });

async function refusal(response: IncomingMessage) {
  const body = await text(response);
  return {
    status: response.statusCode,
    after: response.headers['retry-after'],
    body: response.statusCode === 503 ? (JSON.parse(body) as unknown) : body.slice(0, 20),
  };
}
/** A client learns of the end of its slot only by trying. */
const untilServed = (headers: { [name: string]: string }, url = path) =>
  until(async () => {
    const response = await paused(app, url, headers);
    response.destroy();
    return response.statusCode === 200;
  }, 'a slot is free');

test('a user who downloads as many files as allowed gets 503 for more, and other users do not', async () => {
  const ranged = { ...as(reader), range: 'bytes=1-40000000' };
  const running = [await paused(app, path, as(reader)), await paused(app, path, ranged)];
  expect(running.map(({ statusCode }) => statusCode)).toEqual([200, 206]);
  const refused = await paused(app, path, ranged);
  expect(
    ['content-disposition', 'content-range', 'etag', 'accept-ranges'].filter(
      (name) => name in refused.headers,
    ),
  ).toEqual([]);
  expect(await refusal(refused)).toEqual(OVERLOADED);
  // The client has the content already, so nothing is sent.
  const known = await app.get(path, reader, { headers: { 'if-none-match': `"${digest}"` } });
  expect(known.status).toBe(304);
  expect((await paused(app, path, as(other))).destroy().statusCode).toBe(200);
  // One client leaves, and the other one reads to the end. Both give their slots back.
  running[0]!.destroy();
  await untilServed(as(reader));
  expect((await text(running[1]!)).length).toBe(40_000_000);
  const again = [await paused(app, path, as(reader)), await paused(app, path, as(reader))];
  expect(again.map((response) => response.destroy().statusCode)).toEqual([200, 200]);
  await untilServed(as(reader));
});

test('a file that cannot be opened takes no slot', async () => {
  const author = await app.given.member({ id: container.projectId }, ['view_wiki_pages']);
  const { id } = await app.given.attachment({ container, author, blob: false });
  const lost = `/api/v3/attachments/${id}/content`;
  const statuses: number[] = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await app.get(lost, other)).status);
  expect(statuses).toEqual([404, 404, 404, 404]);
  await untilServed(as(other));
});

test.each([
  ['IPv4 /24', '192.0.2.1', '192.0.2.254', '192.0.3.1'],
  ['IPv6 /56', '2001:db8:0:1100::1', '2001:db8:0:11ff:ffff::2', '2001:db8:0:1200::1'],
  ['IPv4 /24, mapped into IPv6', '::ffff:198.51.100.1', '198.51.100.77', '::ffff:198.51.101.1'],
])(
  'anonymous callers share the downloads of their network: %s',
  async (_name, first, second, elsewhere) => {
    const running = [
      await paused(app, publicPath, from(first)),
      await paused(app, publicPath, from(second)),
    ];
    expect(running.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(await refusal(await paused(app, publicPath, from(first)))).toEqual(OVERLOADED);
    expect((await paused(app, publicPath, from(elsewhere))).destroy().statusCode).toBe(200);
    for (const response of running) response.destroy();
    await untilServed(from(first), publicPath);
  },
);

test('a download ends when its client takes too little, and goes on with a range', async () => {
  const strict = await startApp({ DOWNLOAD_STALL_SECONDS: '1', DOWNLOADS_PER_USER: '1' });
  try {
    const project = await strict.given.project();
    const author = await strict.given.member(project, ['view_wiki_pages', 'edit_wiki_pages']);
    const url = await stored(strict, await strict.given.wikiPage(project, author), author);
    const film = await paused(strict, url, as(author));
    const lines = () => strict.logLines.filter((line) => line.includes(ENDED));
    await until(() => lines().length > 0, 'the download ended');
    const read: Buffer[] = [];
    await new Promise((resolve) => {
      film
        .on('data', (piece: Buffer) => read.push(piece))
        .once('close', resolve)
        .resume();
    });
    const begin = Buffer.concat(read);
    expect(begin.length).toBeGreaterThan(0);
    expect(begin.length).toBeLessThan(SIZE);
    // Its slot is free.
    const rest = await paused(strict, url, { ...as(author), range: `bytes=${begin.length}-` });
    expect(rest.statusCode).toBe(206);
    const hash = createHash('sha256').update(begin);
    for await (const piece of rest) hash.update(piece as Buffer);
    expect(hash.digest('hex')).toBe(digest);
    expect(lines()).toHaveLength(1);
  } finally {
    await strict.stop();
  }
});
