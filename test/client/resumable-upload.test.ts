/** Resumable uploads with the package moorage-client in Node.js. */
import { createReadStream } from 'node:fs';
import { createClient } from 'moorage-client';
import { fileFrom } from 'moorage-client/node';
import { startApp, startBeside, type App } from '../support/app.js';
import { Work } from '../support/direct-upload.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '../support/jest.js';
import { clientOf, failureOf, Files, MIB, reached, statesOf } from './files.js';
import { Gate } from './gate.js';

let app: App;
let work: Work;
let gate: Gate;
let files: Files;
let person: Person;
let workPackage: ContainerHandle;
beforeAll(async () => {
  app = await startApp({ ATTACHMENT_MAX_SIZE: String(100 * MIB) });
  work = new Work(app);
  work.start();
  gate = await Gate.to(app.url);
  files = new Files();
  const project = await app.given.project();
  person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  workPackage = await app.given.workPackage(project, person);
});
beforeEach(async () => {
  gate.open();
  workPackage = await app.given.workPackage({ id: workPackage.projectId }, person);
});
afterAll(async () => {
  await gate?.stop();
  await work?.stop();
  await app?.stop();
  files?.remove();
});

/** Names and sizes of what the work package has. */
async function attached(): Promise<[string, number][]> {
  const { body } = await app.get(workPackage.attachments, person);
  return body._embedded.elements.map((one: any) => [one.fileName, one.fileSize]);
}

async function pending(): Promise<number> {
  const { data } = await app.graphql('{ viewer { pendingUploads { totalCount } } }', {}, person);
  return data.viewer.pendingUploads.totalCount;
}

test('a file of 20 MB and more goes on after a broken connection where it was', async () => {
  const size = 70 * MIB;
  const file = await files.file('film.bin', Buffer.alloc(size, 0xfe), '');
  gate.cutAfter(20 * MIB);
  const upload = clientOf(gate.url, person).upload(file, { containerId: workPackage.globalId });
  const states = statesOf(upload);
  const sent: number[] = [];
  upload.on('progress', (progress) => void sent.push(progress.sent));
  expect(await upload.done).toEqual({
    id: expect.any(String),
    databaseId: expect.any(Number),
    fileName: 'film.bin',
    fileSize: size,
    contentType: expect.any(String),
    status: 'UPLOADED',
    createdAt: expect.any(String),
  });
  expect(await attached()).toEqual([['film.bin', size]]);
  expect(states).toContain('offline');
  expect(sent).toEqual([...sent].sort((a, b) => a - b));
});

test('a smaller file is resumable on request, and pauses', async () => {
  const file = await files.file('plan.bin', Buffer.alloc(5 * MIB, 'plan'));
  gate.hold();
  const upload = clientOf(gate.url, person).upload(file, {
    containerId: workPackage.globalId,
    mode: 'resumable',
  });
  await reached(upload, 'sending');
  upload.pause();
  gate.release();
  expect([upload.state, upload.continues]).toEqual(['paused', true]);
  upload.resume();
  await upload.done;
  expect(await attached()).toEqual([['plan.bin', 5 * MIB]]);
});

test('an upload can replace the content of an attachment, also a small one', async () => {
  const { id } = await app.given.attachment({
    container: workPackage,
    author: person,
    fileName: 'plan.txt',
    content: 'first',
  });
  const globalId = Buffer.from(`Attachment:${id}`).toString('base64');
  const file = await files.file('second plan.txt', Buffer.from('second version'));
  const upload = clientOf(app.url, person).upload(file, {
    containerId: workPackage.globalId,
    replaces: globalId,
  });
  expect(await upload.done).toEqual({
    id: globalId,
    databaseId: id,
    fileName: 'second plan.txt',
    fileSize: 14,
    contentType: 'text/plain',
    status: 'UPLOADED',
    createdAt: expect.any(String),
  });
  expect([await attached(), await pending()]).toEqual([[['second plan.txt', 14]], 0]);
});

test('a new content that the service refuses is an error, also with the name and size of the former one', async () => {
  const strict = await startApp({ ATTACHMENT_ALLOWLIST: 'image/png' });
  const working = new Work(strict);
  working.start();
  try {
    const project = await strict.given.project();
    const author = await strict.given.member(project, ['view_work_packages', 'edit_work_packages']);
    const container = await strict.given.workPackage(project, author);
    const former = { fileName: 'plan.png', contentType: 'image/png', content: 'first' };
    const { id } = await strict.given.attachment({ container, author, ...former });
    const file = await files.file('plan.png', Buffer.from('wrong'), 'image/png');
    const upload = clientOf(strict.url, author).upload(file, { replaces: String(id) });
    const code = expect.stringMatching(/^(REJECTED|NOT_FOUND)$/);
    await expect(upload.done).rejects.toMatchObject({ code });
    const { body } = await strict.get(container.attachments, author);
    expect(body._embedded.elements).toMatchObject([{ id, fileName: 'plan.png', fileSize: 5 }]);
  } finally {
    await working.stop();
    await strict.stop();
  }
});

test('an attachment that is deleted meanwhile is not replaced, and the upload fails', async () => {
  const { id } = await app.given.attachment({ container: workPackage, author: person });
  const file = await files.file('plan.bin', Buffer.alloc(5 * MIB, 'plan'));
  gate.hold();
  const upload = clientOf(gate.url, person).upload(file, { replaces: String(id) });
  await reached(upload, 'sending');
  await app.request('DELETE', `/api/v3/attachments/${id}`, { as: person });
  gate.release();
  // The service may have removed the upload before the client asks for it.
  const code = expect.stringMatching(/^(REJECTED|NOT_FOUND)$/);
  await expect(upload.done).rejects.toMatchObject({ code });
  expect([await attached(), await pending()]).toEqual([[], 0]);
});

test('a cancelled upload leaves nothing', async () => {
  const file = await files.file('plan.bin', Buffer.alloc(5 * MIB, 'plan'));
  gate.hold();
  const upload = clientOf(gate.url, person).upload(file, {
    containerId: workPackage.globalId,
    mode: 'resumable',
  });
  await reached(upload, 'sending');
  await Promise.all([upload.cancel(), gate.release()]);
  await expect(upload.done).rejects.toMatchObject({ code: 'CANCELLED' });
  expect([await pending(), await attached()]).toEqual([0, []]);
});

test('an upload that is cancelled while the service makes it leaves nothing', async () => {
  const file = await files.file('plan.bin', Buffer.alloc(MIB, 'plan'));
  let made!: () => void;
  const isMade = new Promise<void>((resolve) => (made = resolve));
  let deliver!: () => void;
  const isDelivered = new Promise<void>((resolve) => (deliver = resolve));
  const client = createClient({
    url: app.url,
    auth: { key: person.key },
    // The answer to the creation takes its time.
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      if (answer.status !== 201) return answer;
      made();
      await isDelivered;
      init?.signal?.throwIfAborted();
      return answer;
    },
  });
  const upload = client.upload(file, { containerId: workPackage.globalId, mode: 'resumable' });
  await isMade;
  const cancelled = upload.cancel();
  await expect(upload.done).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(await pending()).toBe(1);
  deliver();
  await cancelled;
  expect([await pending(), await attached()]).toEqual([0, []]);
});

test('an upload goes on after a restart of the service', async () => {
  const file = await files.file('long.bin', Buffer.alloc(40 * MIB, 'long'));
  const second = await startBeside(app);
  const way = await Gate.to(second.url);
  try {
    way.cutAfter(20 * MIB);
    const upload = clientOf(way.url, person).upload(file, { containerId: workPackage.globalId });
    await reached(upload, 'offline');
    way.close();
    await second.stop();
    const third = await startBeside(app, { PORT: new URL(second.url).port });
    way.open();
    await upload.done;
    await third.stop();
    expect(await attached()).toEqual([['long.bin', 40 * MIB]]);
  } finally {
    await way.stop();
  }
});

test('a refusal of the service has its code', async () => {
  const reader = await app.given.member({ id: workPackage.projectId }, ['view_work_packages']);
  const file = await files.file('plan.bin', Buffer.alloc(MIB));
  expect(
    await failureOf(
      clientOf(app.url, reader).upload(file, {
        containerId: workPackage.globalId,
        mode: 'resumable',
      }),
    ),
  ).toEqual(['MISSING_PERMISSION', 403, 'You are not authorized to access this resource.']);
});

test('a stream of 20 MB and more is a regular upload, because it is read once', async () => {
  const path = files.path('stream.bin', Buffer.alloc(21 * MIB, 'y'));
  const stream = await fileFrom(createReadStream(path), { name: 'stream.bin', size: 21 * MIB });
  await clientOf(app.url, person).upload(stream, { containerId: workPackage.globalId }).done;
  expect(await attached()).toEqual([['stream.bin', 21 * MIB]]);
});
