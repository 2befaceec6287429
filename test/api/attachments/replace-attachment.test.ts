/** Replacing the content of an attachment: what stays, what changes, and where the former content is. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startApp, startBeside, type App } from '../../support/app.js';
import { finalized, Work } from '../../support/direct-upload.js';
import { notFound } from '../../support/expected.js';
import { kinds, type ContainerHandle, type Person } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '../../support/jest.js';
import { begun, idOf, patch, TUS } from '../../support/tus.js';

let app: App;
let project: { id: number; name: string };
let editor: Person;
let viewer: Person;
let container: ContainerHandle;

const viewing = ['view_work_packages', 'view_meetings', 'view_messages', 'view_wiki_pages'];
beforeAll(async () => {
  app = await startApp({ TRASH_DAYS: '30' });
  project = await app.given.project();
  viewer = await app.given.member(project, viewing);
  editor = await app.given.member(project, [
    ...viewing,
    'edit_work_packages',
    'add_work_package_comments',
    'edit_meetings',
    'edit_messages',
    'edit_wiki_pages',
  ]);
});
beforeEach(async () => {
  container = await app.given.workPackage(project, editor);
});
afterAll(() => app.stop());

const REPLACE = `mutation ($id: ID!, $file: Upload!, $fileName: String) {
  replaceAttachment(input: { id: $id, file: $file, fileName: $fileName }) {
    attachment { databaseId fileName fileSize contentType status description { raw }
      digest { hash } author { databaseId } container { databaseId } } } }`;
interface Sent {
  content?: string;
  fileName?: string;
  name?: string;
  as?: Person;
  on?: App;
}
const replace = (
  id: number,
  { content = 'second, longer', fileName, name = 'plan.txt', as = editor, on = app }: Sent = {},
) => on.graphqlUpload(REPLACE, { id: String(id), fileName }, content, as, name);
const given = (where: ContainerHandle | undefined = container, author = editor) =>
  app.given.attachment({
    container: where,
    author,
    fileName: 'plan.txt',
    content: 'first',
    description: 'The plan',
  });
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
const content = (id: number, headers = {}) =>
  app.request('GET', `/api/v3/attachments/${id}/content`, { as: viewer, headers });
const trash = async (where = container) =>
  (
    await app.graphql(
      'query ($id: ID!) { container(id: $id) { deletedAttachments { nodes { databaseId fileName fileSize author { databaseId } deletedBy { databaseId } replacedBy { databaseId } } } } }',
      { id: where.globalId },
      editor,
    )
  ).data.container.deletedAttachments.nodes;
const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }) =>
  errors?.map(({ extensions }) => extensions.code);
const storedFiles = () =>
  readdirSync(join(app.folder, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test.each(kinds)(
  'a file of a %s keeps its id, and its former content is in the trash',
  async (kind) => {
    const there = await app.given.container(kind, project, editor);
    const row = await given(there, viewer);
    const { data, errors } = await replace(row.id, { name: 'new.txt' });
    expect({ data, errors }).toEqual({
      data: {
        replaceAttachment: {
          attachment: {
            databaseId: row.id,
            fileName: 'new.txt',
            fileSize: 14,
            contentType: 'text/plain',
            status: 'UPLOADED',
            description: { raw: 'The plan' },
            digest: { hash: sha256('second, longer') },
            author: { databaseId: viewer.id },
            container: { databaseId: there.id },
          },
        },
      },
      errors: undefined,
    });
    expect((await content(row.id)).text).toBe('second, longer');
    const list = await app.get(there.attachments, viewer);
    expect([list.body.total, list.body._embedded.elements[0].fileName]).toEqual([1, 'new.txt']);
    const [former] = await trash(there);
    expect(former).toEqual({
      databaseId: expect.any(Number),
      fileName: 'plan.txt',
      fileSize: 5,
      author: { databaseId: viewer.id },
      deletedBy: { databaseId: editor.id },
      replacedBy: { databaseId: row.id },
    });

    // Restored, it is a file of its own.
    const restored = await app.graphql(
      'mutation ($ids: [ID!]!) { restoreAttachments(input: { ids: $ids }) { attachments { fileName } } }',
      { ids: [String(former.databaseId)] },
      editor,
    );
    expect(restored.errors).toBeUndefined();
    expect((await content(former.databaseId)).text).toBe('first');
    expect((await content(row.id)).text).toBe('second, longer');
  },
);

test('a cached content is not shown for the new one', async () => {
  const row = await given();
  const before = await content(row.id);
  const etag = before.headers.get('etag')!;
  expect(before.headers.get('cache-control')).toBe('private, no-cache');
  expect((await content(row.id, { 'If-None-Match': etag })).status).toBe(304);
  await replace(row.id);
  const after = await content(row.id, { 'If-None-Match': etag });
  expect([after.status, after.text]).toEqual([200, 'second, longer']);
  expect(after.headers.get('etag')).not.toBe(etag);
  const range = await content(row.id, { Range: 'bytes=0-1', 'If-Range': etag });
  expect([range.status, range.text]).toEqual([200, 'second, longer']);
});

test('history and event say who replaced what; the given name wins', async () => {
  const row = await given();
  await replace(row.id);
  await replace(row.id, { name: 'other.txt', fileName: 'given.txt' });
  const { body } = await app.get(`${container.path}/activities`, viewer);
  expect(
    body._embedded.elements.map(({ details, _links }: any) => [details[0].raw, _links.user.href]),
  ).toEqual([
    ['File plan.txt replaced', `/api/v3/users/${editor.id}`],
    ['File plan.txt replaced by given.txt', `/api/v3/users/${editor.id}`],
  ]);
  const events = await app.running.services.db
    .read('events')
    .where({ subject_type: 'Attachment', subject_id: row.id })
    .pluck('kind');
  expect(events).toEqual(['attachment:replaced', 'attachment:replaced']);
});

test('those who may not delete the file may not replace it, and nothing is stored', async () => {
  const row = await given();
  const before = storedFiles();
  expect(codeOf(await replace(row.id, { as: viewer }))).toEqual(['MISSING_PERMISSION']);
  expect(codeOf(await replace(row.id, { as: await app.given.user() }))).toEqual(['NOT_FOUND']);
  expect(codeOf(await replace(999_999_999))).toEqual(['NOT_FOUND']);
  expect(codeOf(await replace(row.id, { fileName: 'a/b' }))).toEqual([
    'PROPERTY_CONSTRAINT_VIOLATION',
  ]);
  const bad = await app.given.attachment({ container, author: editor, status: 'quarantined' });
  expect(codeOf(await replace(bad.id))).toEqual(['MISSING_PERMISSION']);
  const prepared = await app.given.attachment({ container, author: editor, status: 'prepared' });
  expect(codeOf(await replace(prepared.id))).toEqual(['NOT_FOUND']);
  expect((await content(row.id)).text).toBe('first');
  expect(storedFiles().filter((name) => name !== bad.blobKey && name !== prepared.blobKey)).toEqual(
    before,
  );
});

test.each([
  ['quarantined', 'MISSING_PERMISSION'],
  ['prepared', 'NOT_FOUND'],
] as const)('a file that is %s is not replaced, and nothing is stored', async (status, code) => {
  const { id } = await app.given.attachment({ container, author: editor, status });
  const before = storedFiles();
  expect(codeOf(await replace(id))).toEqual([code]);
  expect(storedFiles()).toEqual(before);
  expect((await app.running.services.db.read('attachments').where({ id }).first()).status).toBe(
    status,
  );
});

test('a copy keeps the content that its original had', async () => {
  const row = await given();
  const copied = await app.graphql(
    'mutation ($ids: [ID!]!, $to: ID!) { copyAttachments(input: { ids: $ids, to: $to }) { attachments { databaseId } } }',
    { ids: [String(row.id)], to: container.globalId },
    editor,
  );
  const copy = copied.data.copyAttachments.attachments[0].databaseId;
  const plain = await startBeside(app, { TRASH_DAYS: '0' });
  try {
    await replace(row.id, { on: plain });
    expect((await content(copy)).text).toBe('first');
    await replace(copy, { on: plain, content: 'third' });
    expect([(await content(copy)).text, (await content(row.id)).text]).toEqual([
      'third',
      'second, longer',
    ]);
    expect([await trash(), storedFiles().includes(row.blobKey)]).toEqual([[], false]);
  } finally {
    await plain.stop();
  }
});

test('an unclaimed file is replaced by its author, and its former content is gone', async () => {
  const row = await app.given.attachment({ author: editor });
  const other = await app.given.member(project, viewing);
  expect(codeOf(await replace(row.id, { as: other }))).toEqual(['NOT_FOUND']);
  expect((await replace(row.id)).errors).toBeUndefined();
  expect(storedFiles()).not.toContain(row.blobKey);
});

test('replacements at the same time keep one content, and the others are in the trash', async () => {
  const row = await given();
  const contents = ['one', 'two', 'three', 'four'];
  const answers = await Promise.all(contents.map((text) => replace(row.id, { content: text })));
  expect(answers.map(codeOf)).toEqual(contents.map(() => undefined));
  const { text } = await content(row.id);
  expect(contents).toContain(text);
  expect((await trash()).length).toBe(4);
});

test('a replaced file is no longer the upload that brought its former content', async () => {
  const path = await begun(app, editor, 5, {
    filename: 'plan.txt',
    container: container.globalId,
  });
  expect((await patch(app, path, editor, 0, 'first')).status).toBe(204);
  const work = new Work(app);
  work.start();
  await finalized(app, idOf(path), editor);
  await work.stop();
  const ask = () => app.request('HEAD', path, { as: editor, headers: TUS });
  expect((await ask()).headers.get('upload-offset')).toBe('5');
  expect((await replace(idOf(path))).errors).toBeUndefined();
  expect((await ask()).status).toBe(404);
  expect((await patch(app, path, editor, 5, ', longer')).body).toEqual(notFound);
  expect((await content(idOf(path))).text).toBe('second, longer');
});
