/** Clients that do not take their answers: when the connection is closed, and what others notice. */
import { request, type IncomingMessage } from 'node:http';
import { startApp, startBeside, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import { errorBody } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

const COMMENTS = 250;
const ENDED = 'an answer was ended because its client takes too little';
const texts = Array.from({ length: COMMENTS }, (_, n) => `${n} ${'x'.repeat(60_000)}`);

let app: App;
let roomy: App;
let strict: App;
let author: Person;
let other: Person;
let workPackage: ContainerHandle;
beforeAll(async () => {
  app = await startApp({ TRUST_PROXY: '1', DOWNLOADS_PER_USER: '1' });
  roomy = await startBeside(app, { DOWNLOADS_PER_USER: '32' });
  strict = await startBeside(app, { DOWNLOAD_STALL_SECONDS: '1' });
  const project = await app.given.project();
  author = await app.given.member(project, ['view_work_packages', 'add_work_package_comments']);
  other = await app.given.member(project, ['view_work_packages']);
  workPackage = await app.given.workPackage(project, author);
  for (const text of texts) await app.given.comment(workPackage, author, { text });
});
afterAll(async () => {
  await strict?.stop();
  await roomy?.stop();
  await app?.stop();
});

/** Sends a request, and reads nothing of the body. */
const paused = (on: App, as: Person, path: string, address: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${as.key}`, 'x-forwarded-for': address };
    request(on.url + path, { headers, agent: false })
      .once('error', reject)
      .once('response', (response) => resolve(response.pause().on('error', () => undefined)))
      .end();
  });

/** The body of an answer. Its end is missing if the connection was closed. */
async function read(response: IncomingMessage): Promise<{ complete: boolean; body: any }> {
  const pieces: Buffer[] = [];
  await new Promise((resolve) => {
    response
      .on('data', (piece: Buffer) => pieces.push(piece))
      .once('close', resolve)
      .resume();
  });
  const { complete } = response;
  return { complete, body: complete ? JSON.parse(Buffer.concat(pieces).toString()) : undefined };
}

const wholeText = () =>
  `/graphql?query=${encodeURIComponent(
    `{ workPackage(id: "${workPackage.id}") { first: activities(first: 125) { nodes { comment { raw } } } last: activities(last: 125) { nodes { comment { raw } } } } }`,
  )}`;
const list = () => `/api/v3/work_packages/${workPackage.id}/activities`;

test.each([
  ['GraphQL', wholeText],
  ['a list over REST', list],
])('an answer that its client does not take ends: %s', async (_name, path) => {
  const response = await paused(strict, author, path(), '192.0.2.1');
  expect(response.statusCode).toBe(200);
  await until(() => strict.logLines.some((line) => line.includes(ENDED)), 'the answer ended');
  strict.logLines.length = 0;
  expect(await read(response)).toEqual({ complete: false, body: undefined });
});

test('an answer that its client takes is complete, over GraphQL and REST', async () => {
  const graph = await read(await paused(strict, author, wholeText(), '192.0.2.1'));
  const { first, last } = graph.body.data.workPackage;
  expect([...first.nodes, ...last.nodes]).toEqual(texts.map((raw) => ({ comment: { raw } })));
  const rest = await read(await paused(strict, author, list(), '192.0.2.1'));
  expect([rest.body.total, rest.body.count]).toEqual([COMMENTS, COMMENTS]);
  expect(rest.body._embedded.elements.map((element: any) => element.comment.raw)).toEqual(texts);
});

test('answers of more than 64 MiB that wait for one network end, and those of other networks do not', async () => {
  const unread: IncomingMessage[] = [];
  for (let count = 0; count < 8; count += 1)
    unread.push(await paused(app, author, wholeText(), `192.0.2.${count}`));
  const elsewhere = await read(await paused(app, author, wholeText(), '198.51.100.1'));
  expect(elsewhere.complete).toBe(true);
  const complete = (await Promise.all(unread.map(read))).map((answer) => answer.complete);
  expect(complete.slice(0, 4)).toEqual([true, true, true, true]);
  expect(complete).toContain(false);
  const again = await read(await paused(app, author, wholeText(), '192.0.2.1'));
  expect(again.complete).toBe(true);
});

test('a third large answer of one user waits for its turn, and other users do not wait', async () => {
  const first = await paused(roomy, author, list(), '192.0.2.1');
  const second = await paused(roomy, author, list(), '192.0.2.1');
  let answered = false;
  const third = paused(roomy, author, wholeText(), '192.0.2.1').finally(() => (answered = true));
  expect((await read(await paused(roomy, other, list(), '192.0.2.1'))).complete).toBe(true);
  const small = await roomy.get(workPackage.path, author);
  expect([small.status, answered]).toEqual([200, false]);
  expect((await read(first)).complete).toBe(true);
  expect((await read(await third)).complete).toBe(true);
  second.destroy();
});

test('a long list counts as a download until its client has taken it', async () => {
  const taken = await paused(app, author, list(), '192.0.2.1');
  const refused = await paused(app, author, list(), '192.0.2.1');
  expect([refused.statusCode, refused.headers['retry-after'], (await read(refused)).body]).toEqual([
    503,
    '5',
    errorBody(
      'ServiceUnavailable',
      'Too many files or long lists are being downloaded at the same time. Wait for some of them, then try again.',
    ),
  ]);
  expect((await read(await paused(app, other, list(), '192.0.2.1'))).complete).toBe(true);
  expect((await read(taken)).complete).toBe(true);
  expect((await read(await paused(app, author, list(), '192.0.2.1'))).complete).toBe(true);
});
