/** Several requests in one packet: they are begun one after the other, and only a few may wait. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, afterEach, beforeAll, expect, test } from '../../support/jest.js';
import { exchange, head, request } from '../../support/raw.js';

let app: App;
let person: Person;
let workPackage: ContainerHandle;
const sockets: Socket[] = [];
beforeAll(async () => {
  app = await startApp();
  const project = await app.given.project();
  person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  workPackage = await app.given.workPackage(project, person);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => app?.stop());

/** Writes bytes. Resolves with the socket when the first answer begins, or with its end. */
async function send(bytes: string | Buffer): Promise<{ text: string; closed: boolean }> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const read = { text: '', closed: false };
  socket.on('data', (piece: Buffer) => {
    read.text += piece.toString();
  });
  socket
    .on('error', () => undefined)
    .on('close', () => {
      read.closed = true;
    });
  sockets.push(socket);
  socket.write(bytes);
  await until(() => Promise.resolve(read.text !== '' || read.closed), 'an answer or the end');
  return read;
}

const subject = async () => (await app.get(workPackage.path, person)).body.subject as string;
const rename = (text: string) =>
  request('PATCH', workPackage.path, JSON.stringify({ lockVersion: 0, subject: text }), {
    as: person,
    headers: { 'Content-Type': 'application/json' },
  });
const stream = () =>
  head(
    'GET',
    `/graphql/stream?${new URLSearchParams({
      query: `subscription { attachmentChanged(containerId: "${workPackage.globalId}") { event } }`,
    })}`,
    { as: person, headers: { Accept: 'text/event-stream' } },
  );

test('a request is begun when the answers before it are complete', async () => {
  const before = await subject();
  const { text, closed } = await send(Buffer.concat([Buffer.from(stream()), rename('too early')]));
  expect([text.split('\r\n')[0], closed]).toEqual(['HTTP/1.1 200 OK', false]);
  await sleep(500);
  expect(await subject()).toBe(before);
  // It is not begun when its client leaves, either.
  sockets[0]!.destroy();
  await sleep(500);
  expect(await subject()).toBe(before);
});

test('ten requests in one packet are answered in their order', async () => {
  const targets = Array.from({ length: 10 }, (_, n) =>
    n % 2 === 0 ? workPackage.path : `/api/v3/attachments/${n}x`,
  );
  const answers = await exchange(
    app,
    targets.map((target) => head('GET', target, { as: person })).join(''),
    { answers: 10 },
  );
  expect(answers.map(({ status }) => status)).toEqual([
    200, 404, 200, 404, 200, 404, 200, 404, 200, 404,
  ]);
});

test.each([
  ['records', () => workPackage.path],
  ['files of pages', () => '/assets/pages.css'],
  ['nothing', () => '/health/live'],
])('more requests for %s in one packet close the connection', async (_name, target) => {
  await send(head('GET', target(), { as: person }).repeat(1_000));
  await until(() => Promise.resolve(sockets[0]!.destroyed), 'the end');
  expect(app.logLines.filter((line) => line.includes('too many requests at once'))).not.toEqual([]);
  expect((await app.get(workPackage.path, person)).status).toBe(200);
});

test('changes that follow such a packet are not carried out', async () => {
  const before = await subject();
  await send(
    Buffer.concat([Buffer.from(head('GET', workPackage.path).repeat(11)), rename('too many')]),
  );
  await sleep(300);
  expect(await subject()).toBe(before);
});

test('a client that sends the next request after each answer keeps its connection', async () => {
  const requests = async function* () {
    for (let n = 0; n < 30; n += 1) {
      yield head('GET', workPackage.path, { as: person });
      await sleep(20);
    }
  };
  const answers = await exchange(app, requests(), { answers: 30 });
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
});
