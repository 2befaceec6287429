/** A service opens the filled database of version 0.9.0: nothing changes, and what is new works with old files. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { readConfig } from '../../src/config.js';
import { openServices } from '../../src/services.js';
import { startIn, TEST_SECRET_KEY, type App } from '../support/app.js';
import { freshDatabase } from '../support/database.js';
import { factories, kinds, type ContainerHandle, type Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { upTo } from '../support/older-version.js';
import { decided, flag } from '../support/pictures.js';
import { Work } from '../support/direct-upload.js';

/** The last migration of that version. */
const LAST = '032';
const TIME = '2026-01-01T00:00:00.000Z';
const columns = {
  WorkPackage: 'work_package_id',
  Activity: 'activity_id',
  Meeting: 'meeting_id',
  Post: 'post_id',
  WikiPage: 'wiki_page_id',
} as const;

interface Row {
  id: number;
  [column: string]: unknown;
}

let app: App;
let editor: Person;
let admin: Person;
let container: ContainerHandle;
let picture: Row;
let shared: Row;
const files: Row[] = [];
let before: Row[];
let projectId: number;

beforeAll(async () => {
  const { url, folder } = await freshDatabase();
  const environment = {
    DATABASE_URL: url,
    BLOB_STORE: `disk:${join(folder, 'blobs')}`,
    PORT: '0',
    BACKGROUND_WORK: 'false',
    SECRET_KEY: TEST_SECRET_KEY,
    TRASH_DAYS: '30',
    PATH: process.env['PATH']!,
  };
  const services = openServices(readConfig(environment), pino({ level: 'silent' }));
  const { db, blobs } = services;
  await blobs.create?.();
  await upTo(db, LAST);
  const given = factories(services);
  const project = await given.project();
  projectId = project.id;
  admin = await given.user({ admin: true });
  editor = await given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'view_meetings',
    'edit_meetings',
  ]);
  container = await given.workPackage(project, editor);
  let number = 0;
  /** A file with the columns of that version. */
  const file = async (place: ContainerHandle | undefined, content: Buffer, more: object = {}) => {
    const blobKey = `older-${(number += 1)}`;
    await blobs.put(blobKey, Readable.from([content]));
    const [row] = await db
      .write('attachments')
      .insert({
        ...(place && { [columns[place.kind]]: place.id }),
        author_id: editor.id,
        file_name: `${number}.txt`,
        file_size: content.byteLength,
        description_text: '',
        content_type: 'text/plain',
        digest_algorithm: 'sha256',
        digest_hash: createHash('sha256').update(content).digest('hex'),
        status: 'uploaded',
        phase: 'kept',
        blob_key: blobKey,
        created_at: TIME,
        updated_at: TIME,
        ...more,
      })
      .returning('*');
    return row as Row;
  };
  const text = (place: ContainerHandle | undefined, content: string, more: object = {}) =>
    file(place, Buffer.from(content), more);
  for (const kind of kinds)
    files.push(await text(await given.container(kind, project, editor), `of a ${kind}`));
  await text(undefined, 'unclaimed');
  shared = await text(container, 'first');
  await text(container, 'bad', { status: 'quarantined' });
  await text(container, 'dying', { phase: 'deleting', lease_until: TIME });
  await text(container, 'sent', { status: 'prepared', digest_hash: '', staging_key: 'staging/1' });
  const photo = await flag(600, 400).jpeg().toBuffer();
  picture = await file(container, photo, { content_type: 'image/jpeg', file_name: 'photo.jpg' });
  before = await db.read('attachments').orderBy('id');
  await services.close();
  app = await startIn(folder, environment);
});
afterAll(() => app.stop());

const textOf = async (id: number, as = editor) =>
  (await app.get(`/api/v3/attachments/${id}/content`, as)).text;
const change = (query: string, variables: object, as = editor) => app.graphql(query, variables, as);

test('every row stays as it was, is found by its name, and has nothing else that is new', async () => {
  const after: Row[] = await app.running.services.db.read('attachments').orderBy('id');
  const added = {
    deleted_at: null,
    deleted_by_id: null,
    purge_at: null,
    deleted_project_id: null,
    replaced_by_id: null,
    replaces_id: null,
  };
  expect(before.length).toBeGreaterThan(10);
  expect(after).toMatchObject(
    before.map((row) => ({ ...row, search_text: row['file_name'], ...added })),
  );
});

test('old files are found and sorted', async () => {
  const { data } = await change(
    '{ attachments(search: "photo", orderBy: FILE_NAME_ASC) { nodes { fileName } }' +
      ' largest: attachments(first: 1, orderBy: FILE_SIZE_DESC) { nodes { fileName } } }',
    {},
  );
  const photo = { nodes: [{ fileName: 'photo.jpg' }] };
  expect(data).toEqual({ attachments: photo, largest: photo });
});

test('an old file is copied, and the bytes stay until the last one goes', async () => {
  const { id } = shared;
  const { data } = await change(
    'mutation ($ids: [ID!]!, $to: ID!) { copyAttachments(input: { ids: $ids, to: $to }) { attachments { databaseId } } }',
    { ids: [String(id)], to: container.globalId },
  );
  const [copy] = data.copyAttachments.attachments;
  const { services } = app.running;
  const keys = await services.db
    .read('attachments')
    .whereIn('id', [id, copy.databaseId])
    .pluck('blob_key');
  expect(new Set(keys).size).toBe(1);
  expect((await app.delete(`/api/v3/attachments/${id}`, editor)).status).toBe(204);
  const emptied = await change(
    'mutation ($id: ID!) { emptyTrash(input: { projectId: $id }) { removed } }',
    { id: String(projectId) },
    admin,
  );
  expect(emptied.data).toEqual({ emptyTrash: { removed: 1 } });
  expect(await textOf(copy.databaseId)).toBe('first');
});

test('an old file is deleted and restored', async () => {
  const { id } = files[0]!;
  expect(await textOf(id)).toBe('of a WorkPackage');
  expect((await app.delete(`/api/v3/attachments/${id}`, editor)).status).toBe(204);
  const { data } = await change(
    'mutation ($ids: [ID!]!) { restoreAttachments(input: { ids: $ids }) { attachments { databaseId } } }',
    { ids: [String(id)] },
  );
  expect(data.restoreAttachments.attachments).toEqual([{ databaseId: id }]);
  expect(await textOf(id)).toBe('of a WorkPackage');
});

test('an old picture gets small ones when somebody asks for them', async () => {
  const work = new Work(app);
  work.start();
  const { previewState, width, height } = await decided(app, picture, editor);
  await work.stop();
  expect({ previewState, width, height }).toEqual({
    previewState: 'READY',
    width: 600,
    height: 400,
  });
});
