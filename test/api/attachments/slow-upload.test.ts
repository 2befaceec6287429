/** An upload that takes longer than a lease: the cleanup must not take its hidden row for an abandoned one. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import { startApp, type App } from '../../support/app.js';
import { eventually } from '../../support/direct-upload.js';
import { attachmentElement, collectionOf, errorBody } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';
import { halves, MULTIPART } from '../../support/raw.js';

let app: App;
beforeAll(async () => {
  app = await startApp({ LEASE_SECONDS: '1' });
});
afterAll(() => app.stop());

/** Starts an upload whose second half waits for the gate. */
const begin = (
  { attachments }: ContainerHandle,
  { key }: Person,
  gate: Promise<void>,
): Promise<Response> =>
  fetch(app.url + attachments, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': MULTIPART },
    body: halves(gate) as never,
    duplex: 'half',
  });

const digestOf = (content: string) => ({
  algorithm: 'sha256',
  hash: createHash('sha256').update(content).digest('hex'),
});

test('a running upload renews its lease, so the cleanup keeps its row', async () => {
  const { services } = app.running;
  const project = await app.given.project();
  const editor = await app.given.member(project, ['view_meetings', 'edit_meetings']);
  const meeting = await app.given.meeting(project, editor);
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const answer = begin(meeting, editor, gate);
  const lease = async (): Promise<string | undefined> =>
    (await services.db.write('attachments').where({ phase: 'storing' }).first())?.lease_until;
  const first = (await eventually(lease, (until) => until !== undefined))!;
  await eventually(lease, (until) => until !== undefined && until > first);

  const afterFirst = () => new Date(Date.parse(first) + 1);
  expect((await runCleanup({ ...services, clock: afterFirst })).abandoned).toBe(0);
  goOn();
  const { status } = await answer;
  const { body } = await app.get(meeting.attachments, editor);
  const id = body._embedded.elements[0]?.id;
  const kept = attachmentElement({
    id,
    fileName: 'slow.txt',
    fileSize: 10,
    contentType: 'text/plain',
    digest: digestOf('half whole'),
    author: editor,
    container: meeting,
    deletable: true,
  });
  expect({ status, body }).toEqual({
    status: 200,
    body: collectionOf(meeting.attachments, [kept]),
  });
});

test('a list by creation sorts a slow upload by its start and shows that time', async () => {
  const { services } = app.running;
  const project = await app.given.project();
  const editor = await app.given.member(project, ['view_messages', 'edit_messages']);
  const post = await app.given.post(project, editor);
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const usual = services.clock;
  const now = (time: string) => {
    services.clock = () => new Date(time);
  };
  try {
    now('2026-01-01T10:00:00.000Z');
    const slow = begin(post, editor, gate);
    await eventually(
      () => services.db.write('attachments').where({ phase: 'storing' }).first(),
      (row) => row !== undefined,
    );
    now('2026-01-01T10:01:00.000Z');
    expect(
      (await app.upload(post.attachments, { as: editor, fileName: 'quick.txt', content: 'quick' }))
        .status,
    ).toBe(200);
    now('2026-01-01T10:02:00.000Z');
    goOn();
    expect((await slow).status).toBe(200);
  } finally {
    services.clock = usual;
    goOn();
  }
  const { body } = await app.get(post.attachments, editor);
  const [first, second] = body._embedded.elements.map(({ id }: { id: number }) => id);
  const common = { contentType: 'text/plain', author: editor, container: post, deletable: true };
  expect(body).toEqual(
    collectionOf(post.attachments, [
      {
        ...attachmentElement({
          ...common,
          id: first,
          fileName: 'slow.txt',
          fileSize: 10,
          digest: digestOf('half whole'),
        }),
        createdAt: '2026-01-01T10:00:00.000Z',
      },
      {
        ...attachmentElement({
          ...common,
          id: second,
          fileName: 'quick.txt',
          fileSize: 5,
          digest: digestOf('quick'),
        }),
        createdAt: '2026-01-01T10:01:00.000Z',
      },
    ]),
  );
});

/** A running upload of which half has arrived. */
async function startHalfUpload() {
  const { services } = app.running;
  const project = await app.given.project();
  const editor = await app.given.member(project, ['view_wiki_pages', 'edit_wiki_pages']);
  const wikiPage = await app.given.wikiPage(project, editor);
  let goOn: () => void = () => undefined;
  const answer = begin(
    wikiPage,
    editor,
    new Promise<void>((resolve) => {
      goOn = resolve;
    }),
  );
  const { id } = (await eventually(
    () =>
      services.db
        .write('attachments')
        .where({ phase: 'storing', wiki_page_id: wikiPage.id })
        .first(),
    (row) => row !== undefined,
  ))!;
  return { services, editor, wikiPage, answer, goOn, id };
}

test('a process does not clean up its own running upload after an outage that outlasted the lease', async () => {
  const { services, editor, wikiPage, answer, goOn } = await startHalfUpload();
  const muchLater = () => new Date(Date.now() + 3_600_000);
  expect((await runCleanup({ ...services, clock: muchLater })).abandoned).toBe(0);
  goOn();
  expect((await answer).status).toBe(200);
  expect((await app.get(wikiPage.attachments, editor)).body.count).toBe(1);
});

test('an upload that another process took for abandoned answers 503, not 404 for its container', async () => {
  const { services, editor, wikiPage, answer, goOn, id } = await startHalfUpload();
  await services.db.write('attachments').where({ id }).update({ lease_token: 'another process' });
  goOn();
  const response = await answer;
  expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
    503,
    '5',
    errorBody('ServiceUnavailable', 'The upload was interrupted. Send the file again.'),
  ]);
  expect((await app.get(wikiPage.attachments, editor)).body.count).toBe(0);
});

test('an object stored by a presumed-dead upload is removed, although no row has its key', async () => {
  const { services, answer, goOn, id } = await startHalfUpload();
  const { db, blobs } = services;
  const [{ blob_key: key }] = (await db.read('attachments').where({ id }).select('blob_key')) as [
    { blob_key: string },
  ];
  await db
    .write('attachments')
    .where({ id })
    .update({ lease_token: 'of a dead process', lease_until: '2026-01-01T00:00:00.000Z' });
  expect((await runCleanup(services)).abandoned).toBe(1);
  expect(await db.read('attachments').where({ id })).toEqual([]);
  goOn();
  expect((await answer).status).toBe(503);
  // The process is killed before it can delete the object that it stored.
  await blobs.put(key, Readable.from([Buffer.from('half whole')]));
  const later = (hours: number) =>
    runCleanup({ ...services, clock: () => new Date(Date.now() + hours * 3_600_000) });
  // Clears what earlier tests have left.
  await later(5.8);
  expect([(await later(5.9)).abandoned, await blobs.stat(key)]).toEqual([0, { size: 10 }]);
  expect([(await later(6.1)).abandoned, await blobs.stat(key)]).toEqual([1, null]);
  expect((await later(6.2)).abandoned).toBe(0);
});

test('an upload ends when its container is deleted, even if much of it has not arrived', async () => {
  const { services, editor, wikiPage, answer, goOn, id } = await startHalfUpload();
  await services.db.write('attachments').where({ id }).update({ phase: 'deleting' });
  const response = await Promise.race([answer, sleep(30_000).then(goOn)]);
  expect(response && response.status).toBe(503);
  expect((await app.get(wikiPage.attachments, editor)).body.count).toBe(0);
  expect(await services.db.read('attachments').where({ id })).toEqual([]);
});
