/** More requests than the processor can keep up with: some are told to come back, the others are answered. */
import { request } from 'node:http';
import { startApp, type Answer, type App } from './support/app.js';
import { errorBody } from './support/expected.js';
import type { ContainerHandle, Person } from './support/factories.js';
import { afterAll, beforeAll, expect, test } from './support/jest.js';

const MESSAGE = 'The service has more to do than it can at the moment. Try again shortly.';
let app: App;
let person: Person;
let workPackage: ContainerHandle;
beforeAll(async () => {
  app = await startApp({ BUSY_REQUESTS: '4' });
  const project = await app.given.project();
  person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  workPackage = await app.given.workPackage(project, person);
});
afterAll(() => app.stop());

/** Sends 40 requests at a time, again and again, until one is refused. */
async function untilRefused(send: () => Promise<Answer>): Promise<{ all: Answer[]; refused: Answer }> {
  const all: Answer[] = [];
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    all.push(...await Promise.all(Array.from({ length: 40 }, send)));
    const refused = all.find(({ status }) => status === 503);
    if (refused) return { all, refused };
  }
  throw new Error('Nothing was refused.');
}

/** An upload whose last bytes come when it is told to. */
function slowUpload(): { finish(): Promise<number> } {
  const sent = request(app.url + workPackage.attachments, { method: 'POST', headers: { authorization: `Bearer ${person.key}`, 'content-type': 'multipart/form-data; boundary=b' } });
  const status = new Promise<number>((resolve, reject) => {
    sent.once('error', reject).once('response', (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
  });
  sent.write('--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"fileName":"slow.txt"}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nfirst ');
  return { finish: () => {
    sent.end('last\r\n--b--\r\n');
    return status;
  } };
}

test('over REST and GraphQL they answer 503 with Retry-After; an upload in flight, health and whoever asks alone are answered', async () => {
  const upload = slowUpload();
  const rest = await untilRefused(() => app.get(workPackage.attachments, person));
  expect(new Set(rest.all.map(({ status }) => status))).toEqual(new Set([200, 503]));
  expect({ body: rest.refused.body, after: rest.refused.headers.get('retry-after') }).toEqual({ body: errorBody('ServiceUnavailable', MESSAGE), after: '5' });

  const graphql = await untilRefused(() => app.request('POST', '/graphql', { as: person, json: { query: '{ viewer { name } }' } }));
  expect(new Set(graphql.all.map(({ status }) => status))).toEqual(new Set([200, 503]));
  expect({ body: graphql.refused.body, after: graphql.refused.headers.get('retry-after') }).toEqual({
    body: { errors: [{ message: MESSAGE, extensions: { code: 'SERVICE_UNAVAILABLE', errorIdentifier: 'urn:service-org:api:v3:errors:ServiceUnavailable', status: 503 } }] }, after: '5',
  });

  const [crowd, ...others] = await Promise.all([
    Promise.all(Array.from({ length: 40 }, () => app.get(workPackage.attachments, person))),
    app.get('/health/live'), app.get('/health/ready'), app.upload(workPackage.attachments, { as: person }),
  ]);
  expect(crowd.some(({ status }) => status === 200)).toBe(true);
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await upload.finish()).toBe(200);
  // Nobody who comes alone is sent away, however busy it was a moment ago.
  for (let n = 0; n < 5; n += 1) expect((await app.get(workPackage.path, person)).status).toBe(200);
  expect(app.logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([]);
});

test('a burst after a quiet time is no overload', async () => {
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await app.get(workPackage.path, person);
  const answers = await Promise.all(Array.from({ length: 12 }, () => app.get(workPackage.attachments, person)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});
