/** Uploads through the service with the package moorage-client in Node.js. */
import { appendFileSync, createReadStream } from 'node:fs';
import { fileFrom } from 'moorage-client/node';
import { startApp, type App } from '../support/app.js';
import { eventually } from '../support/direct-upload.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '../support/jest.js';
import { clientOf, failureOf, Files, MIB, reached, statesOf } from './files.js';
import { Gate } from './gate.js';

let app: App;
let gate: Gate;
let files: Files;
let person: Person;
let workPackage: ContainerHandle;
beforeAll(async () => {
  app = await startApp({ ATTACHMENT_MAX_SIZE: String(8 * MIB) });
  gate = await Gate.to(app.url);
  files = new Files();
  const project = await app.given.project();
  person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  workPackage = await app.given.workPackage(project, person);
});
beforeEach(async () => {
  workPackage = await app.given.workPackage({ id: workPackage.projectId }, person);
});
afterAll(async () => {
  await gate?.stop();
  await app?.stop();
  files?.remove();
});

/** Names and sizes of what the work package has. */
async function attached(): Promise<[string, number][]> {
  const { body } = await app.get(workPackage.attachments, person);
  return body._embedded.elements.map((one: any) => [one.fileName, one.fileSize]);
}

test('a file becomes an attachment, with progress', async () => {
  const client = clientOf(app.url, person);
  const file = await files.file('plan.txt', 'x'.repeat(3 * MIB));
  const upload = client.upload(file, {
    containerId: workPackage.globalId,
    description: 'The plan',
  });
  const states = statesOf(upload);
  const sent: number[] = [];
  upload.on('progress', (progress) => {
    expect(progress.total).toBe(3 * MIB);
    sent.push(progress.sent);
  });
  const attachment = await upload.done;
  expect(attachment).toEqual({
    id: expect.any(String),
    databaseId: expect.any(Number),
    fileName: 'plan.txt',
    fileSize: 3 * MIB,
    contentType: 'text/plain',
    status: 'UPLOADED',
    createdAt: expect.any(String),
  });
  const { body } = await app.get(`/api/v3/attachments/${attachment.databaseId}`, person);
  expect([body.fileName, body.description.raw, body._links.container.title]).toEqual([
    'plan.txt',
    'The plan',
    workPackage.title,
  ]);
  expect(states).toEqual(['queued', 'preparing', 'sending', 'finalising', 'done']);
  expect(sent.length).toBeGreaterThan(5);
  expect(sent).toEqual([...sent].sort((a, b) => a - b));
  expect([upload.sent, upload.error]).toEqual([3 * MIB, undefined]);
});

test('a file without a container can be claimed later', async () => {
  const upload = clientOf(app.url, person).upload(await files.file('later.txt', 'later'));
  const { databaseId } = await upload.done;
  const { body } = await app.get(`/api/v3/attachments/${databaseId}`, person);
  expect([body.fileName, body._links.container.href]).toEqual(['later.txt', null]);
});

test('a stream is uploaded, once', async () => {
  const path = files.path('stream.bin', 'y'.repeat(2 * MIB));
  const stream = await fileFrom(createReadStream(path), {
    name: 'from a stream.bin',
    size: 2 * MIB,
  });
  const options = { containerId: workPackage.globalId };
  await clientOf(app.url, person).upload(stream, options).done;
  expect(await attached()).toEqual([['from a stream.bin', 2 * MIB]]);
  expect(await failureOf(clientOf(app.url, person).upload(stream, options))).toEqual([
    'STREAM_READ',
    0,
    'The stream from a stream.bin was read already, so the upload cannot begin again. Use a file.',
  ]);
});

test('three uploads send at the same time, and the list changes', async () => {
  const client = clientOf(gate.url, person);
  gate.hold();
  const uploads = [];
  for (const number of [1, 2, 3, 4, 5]) {
    const file = await files.file(`${number}.txt`, `${number}`.repeat(2 * MIB));
    uploads.push(client.upload(file, { containerId: workPackage.globalId }));
  }
  let changes = 0;
  const remove = client.uploads.on('change', () => (changes += 1));
  await eventually(
    () => client.uploads.list().map(({ state }) => state),
    (states) => states.filter((state) => state === 'sending').length === 3,
  );
  expect(uploads.map(({ state }) => state)).toEqual([
    'sending',
    'sending',
    'sending',
    'queued',
    'queued',
  ]);
  expect(client.uploads.list()).toBe(client.uploads.list());
  gate.release();
  await Promise.all(uploads.map(({ done }) => done));
  expect((await attached()).length).toBe(5);
  expect(changes).toBeGreaterThan(0);
  remove();
  client.uploads.clear();
  expect(client.uploads.list()).toEqual([]);
});

test('a paused upload begins again at the first byte', async () => {
  const client = clientOf(gate.url, person);
  gate.hold();
  const upload = client.upload(await files.file('paused.txt', 'p'.repeat(4 * MIB)), {
    containerId: workPackage.globalId,
  });
  await eventually(
    () => upload.sent,
    (sent) => sent > 0,
  );
  upload.pause();
  expect([upload.state, upload.sent, upload.continues]).toEqual(['paused', 0, false]);
  gate.release();
  upload.resume();
  await upload.done;
  expect(await attached()).toEqual([['paused.txt', 4 * MIB]]);
});

test('a cancelled upload leaves nothing', async () => {
  const client = clientOf(gate.url, person);
  gate.hold();
  const upload = client.upload(await files.file('cancelled.txt', 'c'.repeat(4 * MIB)), {
    containerId: workPackage.globalId,
  });
  await eventually(
    () => upload.sent,
    (sent) => sent > 0,
  );
  const cancelled = upload.cancel();
  gate.release();
  await cancelled;
  expect((await failureOf(upload))[0]).toBe('CANCELLED');
  expect(upload.state).toBe('cancelled');
  expect(await attached()).toEqual([]);
});

test('a lost connection is a state, and the upload goes on by itself', async () => {
  const client = clientOf(gate.url, person);
  gate.cutAfter(2 * MIB);
  const upload = client.upload(await files.file('cut.txt', 'k'.repeat(6 * MIB)), {
    containerId: workPackage.globalId,
  });
  const states = statesOf(upload);
  await reached(upload, 'offline');
  expect(upload.error?.code).toBe('NO_ANSWER');
  await upload.done;
  expect(states).toEqual([
    'queued',
    'preparing',
    'sending',
    'offline',
    'preparing',
    'sending',
    'finalising',
    'done',
  ]);
  expect(await attached()).toEqual([['cut.txt', 6 * MIB]]);
});

test('a lost answer does not make the file twice', async () => {
  const client = clientOf(gate.url, person);
  gate.loseAnswer();
  const upload = client.upload(await files.file('once.txt', 'o'.repeat(3 * MIB)), {
    containerId: workPackage.globalId,
  });
  const states = statesOf(upload);
  await upload.done;
  expect(states).toContain('offline');
  expect(await attached()).toEqual([['once.txt', 3 * MIB]]);
  // The same file again is another upload.
  await client.upload(await files.file('once.txt', 'o'.repeat(3 * MIB)), {
    containerId: workPackage.globalId,
  }).done;
  expect(await attached()).toEqual([
    ['once.txt', 3 * MIB],
    ['once.txt', 3 * MIB],
  ]);
});

test('a file that the service stores late is not made twice', async () => {
  const client = clientOf(gate.url, person);
  gate.lag();
  const upload = client.upload(await files.file('late.txt', 'l'.repeat(3 * MIB)), {
    containerId: workPackage.globalId,
  });
  const { databaseId } = await upload.done;
  const { db } = app.running.services;
  const hidden = () => db.read('attachments').whereNot('phase', 'kept');
  expect(await hidden()).toEqual([expect.objectContaining({ phase: 'deleting' })]);
  gate.release();
  await eventually(hidden, ({ length }) => length === 0);
  const { body } = await app.get(workPackage.attachments, person);
  expect(body._embedded.elements.map(({ id }: { id: number }) => id)).toEqual([databaseId]);
});

test('a cancelled upload that the service stores late leaves nothing', async () => {
  const client = clientOf(gate.url, person);
  gate.lag();
  const upload = client.upload(await files.file('cancelled.txt', 'l'.repeat(3 * MIB)), {
    containerId: workPackage.globalId,
  });
  await reached(upload, 'offline');
  const cancelled = upload.cancel();
  expect((await failureOf(upload))[0]).toBe('CANCELLED');
  gate.release();
  await cancelled;
  expect(await attached()).toEqual([]);
});

test('a file that changed after it was picked is refused', async () => {
  const file = await files.file('changes.txt', 'before');
  appendFileSync(files.path('changes.txt', 'before'), ' and after');
  const upload = clientOf(app.url, person).upload(file, { containerId: workPackage.globalId });
  expect(await failureOf(upload)).toEqual([
    'FILE_CHANGED',
    0,
    'The file changes.txt was changed, moved or deleted after it was picked. Pick it again.',
  ]);
  expect([upload.state, await attached()]).toEqual(['failed', []]);
});

test('a file that is too large is refused before it is sent', async () => {
  const file = await files.file('large.txt', 'l'.repeat(8 * MIB + 1));
  const upload = clientOf(app.url, person).upload(file, { containerId: workPackage.globalId });
  const states = statesOf(upload);
  expect(await failureOf(upload)).toEqual([
    'PROPERTY_CONSTRAINT_VIOLATION',
    422,
    'large.txt has 8388609 bytes. At most 8388608 bytes are allowed.',
  ]);
  expect(states).toEqual(['queued', 'preparing', 'failed']);
});

test('a refused upload fails once, and can be tried again', async () => {
  const stranger = await app.given.user();
  const file = await files.file('refused.txt', 'refused');
  const upload = clientOf(app.url, stranger).upload(file, { containerId: workPackage.globalId });
  expect((await failureOf(upload)).slice(0, 2)).toEqual(['NOT_FOUND', 404]);
  expect(upload.state).toBe('failed');
  upload.retry();
  expect((await failureOf(upload)).slice(0, 2)).toEqual(['NOT_FOUND', 404]);
  // The service has said that it has nothing, so nothing is looked for.
  await upload.cancel();
  expect(upload.state).toBe('cancelled');
});

test('a token that ends in the middle is renewed', async () => {
  const keys = [await app.given.apiKey(person), await app.given.apiKey(person)];
  let asked = 0;
  const { createClient } = await import('moorage-client');
  const client = createClient({
    url: gate.url,
    auth: { token: () => keys[asked++]?.key ?? 'none left' },
  });
  gate.hold();
  const upload = client.upload(await files.file('token.txt', 't'.repeat(3 * MIB)), {
    containerId: workPackage.globalId,
  });
  await reached(upload, 'sending');
  upload.pause();
  await app.graphql(
    'mutation ($id: ID!) { deleteApiKey(input: { id: $id }) { deletedApiKeyId } }',
    { id: String(keys[0]?.id) },
    person,
  );
  gate.release();
  upload.resume();
  await upload.done;
  expect([asked, await attached()]).toEqual([2, [['token.txt', 3 * MIB]]]);
});
