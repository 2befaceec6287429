/** More requests than the processor can handle: some are refused with Retry-After, the others are answered. */
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import {
  linkIn,
  placeIn,
  stockedFileServer,
  type Stocked,
} from '../../storages/storages-with-files.js';
import { startApp, type Answer, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import { errorBody, notFound } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';
import { hangUp } from '../../support/raw.js';

const MESSAGE = 'The service has more to do than it can at the moment. Try again shortly.';
const LINKS =
  'query($id: ID!) { workPackage(id: $id) { fileLinks(first: 10) { nodes { originData { name } status } } } }';
let app: App;
let fileServer: Stocked;
let person: Person;
let project: Awaited<ReturnType<App['given']['project']>>;
let workPackage: ContainerHandle;
beforeAll(async () => {
  fileServer = await stockedFileServer();
  app = await startApp({ BUSY_REQUESTS: '4', STORAGE_TIMEOUT_MS: '80000' });
  project = await app.given.project();
  person = await app.given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'add_work_package_comments',
  ]);
  workPackage = await app.given.workPackage(project, person);
});
afterAll(async () => {
  await app?.stop();
  await fileServer?.close();
});

const isRefused = ({ status }: Answer) => status === 503;

/** Sends 40 requests at a time until the answers are as wanted. Returns all answers, and those of the last round. */
async function crowdUntil(
  wanted: (answers: Answer[]) => boolean,
  send: () => Promise<Answer>,
): Promise<{ all: Answer[]; last: Answer[] }> {
  const all: Answer[] = [];
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    const last = await Promise.all(Array.from({ length: 40 }, send));
    all.push(...last);
    if (wanted(last)) return { all, last };
  }
  throw new Error('Not refused as was wanted.');
}

async function untilRefused(
  send: () => Promise<Answer>,
): Promise<{ all: Answer[]; refused: Answer }> {
  const { all, last } = await crowdUntil((answers) => answers.some(isRefused), send);
  return { all, refused: last.find(isRefused)! };
}

/** Waits until the event loop was idle for a second. */
async function quiet(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await app.get(workPackage.path, person);
}

interface Slow {
  answer: Promise<{ status: number; body: unknown; after: string | undefined }>;
  finish(): Promise<number>;
}

/** A request whose last bytes are sent on demand. */
function slow(path: string, type: string, first: string, last: string): Slow {
  const sent = request(app.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.key}`, 'content-type': type },
  });
  const answer = new Promise<Awaited<Slow['answer']>>((resolve, reject) => {
    sent.once('error', reject).once('response', async (response) => {
      resolve({
        status: response.statusCode!,
        body: await json(response),
        after: response.headers['retry-after'],
      });
    });
  });
  sent.write(first);
  return {
    answer,
    finish: async () => {
      sent.end(last);
      return (await answer).status;
    },
  };
}

const slowUpload = () =>
  slow(
    workPackage.attachments,
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"fileName":"slow.txt"}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nfirst ',
    'last\r\n--b--\r\n',
  );
const slowBody = (text: string) =>
  slow(`${workPackage.path}/activities`, 'application/json', `{"comment":{"raw":"${text}`, '"}}');

test('overload answers 503 with Retry-After over REST and GraphQL; running uploads, health checks and single requests are answered', async () => {
  const upload = slowUpload();
  const rest = await untilRefused(() => app.get(workPackage.attachments, person));
  expect(new Set(rest.all.map(({ status }) => status))).toEqual(new Set([200, 503]));
  expect({ body: rest.refused.body, after: rest.refused.headers.get('retry-after') }).toEqual({
    body: errorBody('ServiceUnavailable', MESSAGE),
    after: '5',
  });

  const graphql = await untilRefused(() =>
    app.request('POST', '/graphql', { as: person, json: { query: '{ viewer { name } }' } }),
  );
  expect(new Set(graphql.all.map(({ status }) => status))).toEqual(new Set([200, 503]));
  expect({ body: graphql.refused.body, after: graphql.refused.headers.get('retry-after') }).toEqual(
    {
      body: {
        errors: [
          {
            message: MESSAGE,
            extensions: {
              code: 'SERVICE_UNAVAILABLE',
              errorIdentifier: 'urn:service-org:api:v3:errors:ServiceUnavailable',
              status: 503,
            },
          },
        ],
      },
      after: '5',
    },
  );

  const [crowd, ...others] = await Promise.all([
    Promise.all(Array.from({ length: 40 }, () => app.get(workPackage.attachments, person))),
    app.get('/health/live'),
    app.get('/health/ready'),
    app.upload(workPackage.attachments, { as: person }),
  ]);
  expect(crowd.some(({ status }) => status === 200)).toBe(true);
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await upload.finish()).toBe(200);
  // A single request is not refused, however busy the service was before.
  for (let n = 0; n < 5; n += 1) expect((await app.get(workPackage.path, person)).status).toBe(200);
  expect(
    app.logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
  ).toEqual([]);
});

test('a burst after a quiet time is no overload', async () => {
  await quiet();
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => app.get(workPackage.attachments, person)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test('clients that disconnect before the answer free their slots', async () => {
  await quiet();
  const request = `GET ${workPackage.attachments} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${person.key}\r\n\r\n`;
  for (let n = 0; n < 8; n += 1) await hangUp(app, request.repeat(10));
  const body = JSON.stringify({ query: '{ viewer { name } }', padding: 'a'.repeat(900_000) });
  const large = `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  for (let n = 0; n < 20; n += 1) await hangUp(app, large);
  const { last } = await crowdUntil(
    (answers) => answers.some(isRefused),
    () => app.get(workPackage.attachments, person),
  );
  expect(new Set(last.map(({ status }) => status))).toEqual(new Set([200, 503]));
});

test('an Accept header for event streams does not avoid the limit', async () => {
  const { last } = await crowdUntil(
    (answers) => answers.some(isRefused),
    () => app.get(workPackage.attachments, person, { headers: { accept: 'text/event-stream' } }),
  );
  expect(new Set(last.map(({ status }) => status))).toEqual(new Set([200, 503]));
});

test('a path below /graphql, or the content type of an upload, does not avoid the limit', async () => {
  const { last } = await crowdUntil(
    (answers) => answers.some(isRefused),
    () =>
      app.get(workPackage.path, person, {
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      }),
  );
  expect(new Set(last.map(({ status }) => status))).toEqual(new Set([200, 503]));
  for (const path of [
    '/graphql/x/content',
    '/graphql/storages',
    '/graphql/stream/x',
    '/graphql/assets/x',
  ]) {
    const { status, body } = await app.post(path, person, { query: '{ viewer { name } }' });
    expect({ status, body }).toEqual({ status: 404, body: notFound });
  }
});

test('a multipart form sent to /graphql does not avoid the limit', async () => {
  await quiet();
  const form = () => {
    const data = new FormData();
    data.set(
      'operations',
      JSON.stringify({ query: '{ viewer { name } }', variables: { f: null } }),
    );
    data.set('map', JSON.stringify({ 0: ['variables.f'] }));
    data.set('0', new Blob(['x']), 'x.txt');
    return data;
  };
  for (const path of ['/graphql', '/GraphQL']) {
    const { last } = await crowdUntil(
      (answers) => answers.some(isRefused),
      () =>
        app.request('POST', path, {
          as: person,
          body: form() as never,
          headers: { 'apollo-require-preflight': '1' },
        }),
    );
    expect(new Set(last.map(({ status }) => status))).toEqual(new Set([200, 503]));
  }
});

test('a user who uploads 128 files at once gets 503 for more; other users do not, and running uploads finish', async () => {
  await quiet();
  const sent = Array.from({ length: 129 }, slowUpload);
  expect(await Promise.race(sent.map(({ answer }) => answer))).toEqual({
    status: 503,
    body: errorBody(
      'ServiceUnavailable',
      'Too many files are being uploaded at the same time. Wait for some of them, then try again.',
    ),
    after: '5',
  });
  const other = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  expect((await app.upload(workPackage.attachments, { as: other })).status).toBe(200);
  const statuses = await Promise.all(sent.map(({ finish }) => finish()));
  expect(statuses.sort()).toEqual([...Array(128).fill(200), 503]);
  expect((await app.upload(workPackage.attachments, { as: person })).status).toBe(200);
});

test('bodies that are still arriving do not block other requests', async () => {
  const sent = Array.from({ length: 20 }, (_, n) => slowBody(`${n}`));
  await quiet();
  const { last } = await crowdUntil(
    (answers) => answers.some(isRefused),
    () => app.get(workPackage.attachments, person),
  );
  expect(last.some(({ status }) => status === 200)).toBe(true);
  await quiet();
  expect(await Promise.all(sent.map(({ finish }) => finish()))).toEqual(Array(20).fill(201));
});

test('writing requests are refused too', async () => {
  const { last } = await crowdUntil(
    (answers) => answers.some(isRefused),
    () => app.post(`${workPackage.path}/activities`, person, { comment: { raw: '' } }),
  );
  expect(new Set(last.map(({ status }) => status))).toEqual(new Set([422, 503]));
});

test('requests that wait for a storage free their slots, up to four times the limit', async () => {
  const place = await placeIn(app, [fileServer]);
  await linkIn(app, place, place.storages[0]!, fileServer.file('/waited-for.txt'));
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  fileServer.server.fault({ hold: () => gate });
  // All lists of one user share a storage call, so their SQL statements show that they wait.
  const { read } = app.running.services.db;
  let waiting = 0;
  let sent = 0;
  const note = (_answer: unknown, { sql }: { sql: string }) =>
    void (waiting += Number(/^select .*file_links/.test(sql)));
  read.on('query-response', note);
  const lists: Promise<{ body?: any; data?: any }>[] = [];
  const open = async (count: number) => {
    for (let n = 0; n < count; n += 1)
      lists.push(
        n === 0
          ? app.get(place.list, place.person)
          : app.graphql(LINKS, { id: place.workPackage.id }, place.person),
      );
    await until(() => waiting >= lists.length, 'all lists have read their links');
    await new Promise((resolve) => setTimeout(resolve, 500));
  };
  try {
    await quiet();
    await open(6);
    const { last } = await crowdUntil(
      (answers) => answers.some(isRefused),
      () => app.get(workPackage.attachments, person),
    );
    expect(new Set(last.map(({ status }) => status))).toEqual(new Set([200, 503]));
    await quiet();
    await open(10);
    await crowdUntil(
      (answers) => answers.every(isRefused),
      () => app.get(workPackage.attachments, person),
    );
  } finally {
    letGo();
    read.off('query-response', note);
  }
  const answers = await Promise.all(lists);
  expect(
    answers.map(({ body, data }) =>
      (body?._embedded.elements ?? data.workPackage.fileLinks.nodes).map(
        (link: any) => link.originData.name,
      ),
    ),
  ).toEqual(Array.from({ length: 16 }, () => ['waited-for.txt']));
  fileServer.server.repair();

  // The path of these lists reserves slots for them, even if they arrive at the same moment as a burst.
  const links: Answer[] = [];
  await crowdUntil(
    (all) => all.some(isRefused) && links.length >= 10,
    async () => {
      const answer = app.get(workPackage.attachments, person);
      if ((sent += 1) % 40 >= 38) links.push(await app.get(place.list, place.person));
      return answer;
    },
  );
  expect(new Set(links.map(({ status }) => status))).toEqual(new Set([200]));
  fileServer.check();
});
