/** The limit of attachments in a container, and long lists. */
import { request } from 'node:http';
import { startApp, startBeside, type Answer, type App } from '../../support/app.js';
import { errorBody } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '../../support/jest.js';

const full = (maximum: number) =>
  errorBody(
    'PropertyConstraintViolation',
    `The container has too many attachments (maximum is ${maximum}). Delete some of them first, or use another container.`,
    'base',
  );

let app: App;
let small: App;
let project: { id: number; name: string };
let author: Person;
let container: ContainerHandle;
beforeAll(async () => {
  app = await startApp();
  small = await startBeside(app, { ATTACHMENTS_PER_CONTAINER: '3' });
  project = await app.given.project();
  author = await app.given.member(project, [
    'view_work_packages',
    'add_work_packages',
    'edit_work_packages',
    'add_work_package_comments',
  ]);
});
afterAll(async () => {
  await small?.stop();
  await app?.stop();
});
beforeEach(async () => {
  container = await app.given.workPackage(project, author);
});

const upload = (on = small, path = container.attachments) => on.upload(path, { as: author });
const shown = ({ status, body }: Answer) => ({ status, body: status === 422 ? body : undefined });
const hrefs = (...ids: number[]) => ids.map((id) => ({ href: `/api/v3/attachments/${id}` }));
const fill = async (count: number) => {
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1)
    ids.push((await app.given.attachment({ container, author, fileName: `f${n}.txt` })).id);
  return ids;
};

test('a full container refuses uploads, lists what it has, and has room after a deletion', async () => {
  const [first] = await fill(3);
  expect(shown(await upload())).toEqual({ status: 422, body: full(3) });
  expect((await small.get(container.attachments, author)).body).toMatchObject({
    total: 3,
    count: 3,
  });
  expect((await small.delete(`/api/v3/attachments/${first}`, author)).status).toBe(204);
  expect((await upload()).status).toBe(200);
  expect(shown(await upload())).toEqual({ status: 422, body: full(3) });
});

test('a container cannot claim more than it may have, and then nothing changes', async () => {
  const kept = await fill(2);
  const loose = [
    (await upload(app, '/api/v3/attachments')).body.id,
    (await upload(app, '/api/v3/attachments')).body.id,
  ] as number[];
  const change = (...ids: number[]) =>
    small.request('PATCH', container.path, {
      as: author,
      json: { lockVersion: 0, _links: { attachments: hrefs(...ids) } },
    });
  expect(shown(await change(...kept, ...loose))).toEqual({ status: 422, body: full(3) });
  const create = await small.request('POST', `/api/v3/projects/${project.id}/work_packages`, {
    as: author,
    json: { subject: 'New', _links: { attachments: hrefs(...loose) } },
  });
  expect(create.status).toBeLessThan(300);
  expect((await small.get(container.attachments, author)).body.total).toBe(2);
});

test('a container that is too full can still lose attachments by a change', async () => {
  const kept = await fill(5);
  expect((await small.get(container.attachments, author)).body.total).toBe(5);
  const { status } = await small.request('PATCH', container.path, {
    as: author,
    json: { lockVersion: 0, _links: { attachments: hrefs(...kept.slice(1)) } },
  });
  expect(status).toBe(200);
  expect((await small.get(container.attachments, author)).body.total).toBe(4);
});

test('a long list is written in pieces, and is the same document', async () => {
  await fill(400);
  const { status, headers, body } = await app.get(container.attachments, author);
  expect({
    status,
    type: headers.get('content-type'),
    length: headers.get('content-length'),
  }).toEqual({ status: 200, type: 'application/hal+json; charset=utf-8', length: null });
  const { elements } = body._embedded;
  expect({ ...body, _embedded: {} }).toEqual({
    _type: 'Collection',
    total: 400,
    count: 400,
    _embedded: {},
    _links: { self: { href: container.attachments } },
  });
  const embedded = (await app.get(container.path, author)).body._embedded.attachments;
  expect(elements).toEqual(embedded._embedded.elements);
  const head = await app.request('HEAD', container.attachments, { as: author });
  expect([head.status, head.text]).toEqual([200, '']);
});

test('a client that leaves in the middle of a long list disturbs nobody', async () => {
  await fill(400);
  app.logLines.length = 0;
  await new Promise<void>((resolve, reject) => {
    const sent = request(app.url + container.attachments, {
      headers: { authorization: `Bearer ${author.key}` },
    });
    sent.once('response', (response) => {
      response.once('data', () => response.destroy()).once('close', resolve);
    });
    sent.once('error', reject).end();
  });
  expect((await app.get(container.attachments, author)).body.count).toBe(400);
  expect(
    app.logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 40),
  ).toEqual([]);
});
