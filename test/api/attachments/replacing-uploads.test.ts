/** Uploads in several steps that replace the content of an attachment. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Attachment } from '../../../src/models/attachment.js';
import { startApp, type App } from '../../support/app.js';
import { finalized, objects, sendForm, Work } from '../../support/direct-upload.js';
import { errorBody, missingPermission, notFound, violations } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../../support/jest.js';
import { describeS3, freshBucket, s3Environment, type S3Bucket } from '../../support/rgw.js';
import { begun, create, idOf, patch, TUS } from '../../support/tus.js';

const viewing = ['view_work_packages', 'view_meetings'];

let app: App;
let work: Work;
let project: { id: number };
let editor: Person;
let viewer: Person;
let workPackage: ContainerHandle;
let row: Attachment;

async function people() {
  work = new Work(app);
  project = await app.given.project();
  viewer = await app.given.member(project, viewing);
  editor = await app.given.member(project, [...viewing, 'edit_work_packages', 'edit_meetings']);
}

beforeEach(async () => {
  await app.running.services.db.write('attachments').delete();
  workPackage = await app.given.workPackage(project, editor);
  row = await given();
});

const given = (container: ContainerHandle | undefined = workPackage, author = viewer) =>
  app.given.attachment({
    container,
    author,
    fileName: 'plan.txt',
    content: 'first',
    description: 'The plan',
  });
const metadata = (changes: { [name: string]: string } = {}) => ({
  filename: 'new.txt',
  replaces: String(row.id),
  ...changes,
});
/** @returns the path of an upload whose bytes have arrived */
async function sent(changes = {}, as = editor): Promise<string> {
  const path = await begun(app, as, 14, metadata(changes));
  expect((await patch(app, path, as, 0, 'second, ')).status).toBe(204);
  expect((await patch(app, path, as, 8, 'longer')).status).toBe(204);
  return path;
}
const finish = async (path: string, as = editor) => {
  work.start();
  const { status } = await finalized(app, idOf(path), as);
  await work.stop();
  expect(status).toBe(404);
};
const content = async (id: number) =>
  (
    await fetch(`${app.url}/api/v3/attachments/${id}/content`, {
      headers: { authorization: `Bearer ${editor.key}` },
    })
  ).text();
const trash = async (where = workPackage) =>
  (
    await app.graphql(
      `query ($id: ID!) { container(id: $id) { deletedAttachments { nodes {
        databaseId fileName fileSize author { databaseId } deletedBy { databaseId } replacedBy { databaseId } } } } }`,
      { id: where.globalId },
      editor,
    )
  ).data.container.deletedAttachments.nodes;
const pending = async () =>
  (await app.graphql('{ viewer { pendingUploads { totalCount } } }', {}, editor)).data.viewer
    .pendingUploads.totalCount;
const history = async () =>
  (await app.get(`${workPackage.path}/activities`, editor)).body._embedded.elements.map(
    ({ details, _links }: any) => [details[0].raw, _links.user.href],
  );
const events = (id: number) =>
  app.running.services.db
    .read('events')
    .where({ subject_type: 'Attachment', subject_id: id })
    .orderBy('id')
    .pluck('kind');

/** The attachment has the new content and its own id, name of its file and description. */
async function expectReplaced(where = workPackage): Promise<void> {
  const { data, errors } = await app.graphql(
    `query ($id: ID!) { attachment(id: $id) { fileName fileSize contentType description { raw }
      author { databaseId } container { databaseId } uploadKey } }`,
    { id: String(row.id) },
    viewer,
  );
  expect({ data, errors }).toEqual({
    data: {
      attachment: {
        fileName: 'new.txt',
        fileSize: 14,
        contentType: 'text/plain',
        description: { raw: 'The plan' },
        author: { databaseId: viewer.id },
        container: { databaseId: where.id },
        uploadKey: null,
      },
    },
    errors: undefined,
  });
  expect(await content(row.id)).toBe('second, longer');
  expect(await trash(where)).toEqual([
    {
      databaseId: expect.any(Number),
      fileName: 'plan.txt',
      fileSize: 5,
      author: { databaseId: viewer.id },
      deletedBy: { databaseId: editor.id },
      replacedBy: { databaseId: row.id },
    },
  ]);
  expect([await pending(), (await app.get(where.attachments, viewer)).body.total]).toEqual([0, 1]);
}

/** @param stored the number of files in the store */
function everyStore(stored: () => Promise<number>) {
  test('a resumable upload replaces a content, and the former one is in the trash', async () => {
    const before = await stored();
    const path = await sent();
    expect(await content(row.id)).toBe('first');
    expect((await app.get(workPackage.attachments, viewer)).body.total).toBe(1);
    await finish(path);
    await expectReplaced();
    expect(await stored()).toBe(before + 1);
    expect(await history()).toEqual([
      ['File plan.txt replaced by new.txt', `/api/v3/users/${editor.id}`],
    ]);
    expect(await events(row.id)).toEqual(['attachment:replaced']);
    expect((await app.request('HEAD', path, { as: editor, headers: TUS })).status).toBe(404);

    // Restored, the former content is a file of its own.
    const [{ databaseId: former }] = await trash();
    await app.graphql(
      'mutation ($ids: [ID!]!) { restoreAttachments(input: { ids: $ids }) { attachments { id } } }',
      { ids: [String(former)] },
      editor,
    );
    expect([await content(former), await content(row.id)]).toEqual(['first', 'second, longer']);
  });

  test('an upload whose attachment is deleted meanwhile is rejected, and leaves nothing', async () => {
    const before = await stored();
    const path = await sent();
    await app.request('DELETE', `/api/v3/attachments/${row.id}`, { as: editor });
    await finish(path);
    expect([await stored(), await pending()]).toEqual([before, 0]);
    expect(await events(idOf(path))).toEqual(['attachment:rejected']);
    expect((await history()).at(-1)[0]).toBe(
      'The upload of file new.txt failed: The author may no longer replace the file, or it was deleted.',
    );
    // What was deleted can be restored as it was.
    expect((await trash()).map(({ fileName }: any) => fileName)).toEqual(['plan.txt']);
  });
}

describe('replacing uploads to a disk', () => {
  beforeAll(async () => {
    app = await startApp({ TRASH_DAYS: '30' });
    await people();
  });
  afterAll(() => app?.stop());

  everyStore(
    async () =>
      readdirSync(join(app.folder, 'blobs'), { recursive: true, withFileTypes: true }).filter(
        (entry) => entry.isFile(),
      ).length,
  );

  test('creation needs the permission to delete the attachment', async () => {
    const stranger = await app.given.user();
    const prepared = await app.given.attachment({
      container: workPackage,
      author: editor,
      status: 'prepared',
    });
    const bad = await app.given.attachment({
      container: workPackage,
      author: editor,
      status: 'quarantined',
    });
    for (const [person, replaces, status, body] of [
      [viewer, row.id, 403, missingPermission],
      [stranger, row.id, 404, notFound],
      [undefined, row.id, 404, notFound],
      [editor, 999_999_999, 404, notFound],
      [editor, 'nothing', 404, notFound],
      [editor, prepared.id, 404, notFound],
      [
        editor,
        bad.id,
        403,
        errorBody(
          'MissingPermission',
          'The file is quarantined because the virus scan found something in it.',
        ),
      ],
    ] as const) {
      const answer = await create(app, person, 14, metadata({ replaces: String(replaces) }));
      expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
    }
    expect(await pending()).toBe(1);
  });

  test('anonymous users who may delete a file cannot replace it in steps', async () => {
    await app.given.role([...viewing, 'edit_work_packages'], 'Anonymous');
    const open = await app.given.project({ isPublic: true });
    row = await given(await app.given.workPackage(open, editor));
    const { status, body } = await create(app, undefined, 14, metadata());
    expect({ status, body }).toEqual({ status: 403, body: missingPermission });
    expect((await app.request('DELETE', `/api/v3/attachments/${row.id}`)).status).toBe(204);
    await app.given.role([], 'Anonymous');
  });

  test('a global id is taken; a container or a description is refused', async () => {
    const globalId = Buffer.from(`Attachment:${row.id}`).toString('base64url');
    expect((await create(app, editor, 14, metadata({ replaces: globalId }))).status).toBe(201);
    for (const more of [{ container: workPackage.globalId }, { description: 'Other' }]) {
      const { status, body } = await create(app, editor, 14, metadata(more as {}));
      expect({ status, body }).toEqual({
        status: 422,
        body: violations([
          'Replaces cannot be combined with a container or a description. The attachment keeps its own.',
          'replaces',
        ]),
      });
    }
  });

  test('whoever loses the permission meanwhile replaces nothing', async () => {
    const member = await app.given.member(project, [...viewing, 'edit_work_packages']);
    const path = await sent({}, member);
    await app.running.services.db.write('memberships').where({ user_id: member.id }).delete();
    app.running.services.forgetIdentities();
    await finish(path, member);
    expect([await content(row.id), await trash()]).toEqual(['first', []]);
  });

  test('a file in quarantine is not replaced by an upload that began before', async () => {
    const path = await sent();
    const { db } = app.running.services;
    await db.write('attachments').where({ id: row.id }).update({ status: 'quarantined' });
    await finish(path);
    expect(await db.read('attachments').where({ id: row.id }).first()).toMatchObject({
      file_name: 'plan.txt',
      blob_key: row.blobKey,
    });
  });

  test('an attachment that is moved meanwhile is replaced where it is', async () => {
    const path = await sent();
    const meeting = await app.given.meeting(project, editor);
    const { errors } = await app.graphql(
      'mutation ($ids: [ID!]!, $to: ID!) { moveAttachments(input: { ids: $ids, to: $to }) { attachments { id } } }',
      { ids: [String(row.id)], to: meeting.globalId },
      editor,
    );
    expect(errors).toBeUndefined();
    await finish(path);
    await expectReplaced(meeting);
  });

  test('a key belongs to one attachment that is replaced', async () => {
    const path = await begun(app, editor, 14, metadata({ uploadKey: 'plan-2' }));
    expect(await begun(app, editor, 14, metadata({ uploadKey: 'plan-2' }))).toBe(path);
    const other = await given();
    const { status, body } = await create(
      app,
      editor,
      14,
      metadata({ uploadKey: 'plan-2', replaces: String(other.id) }),
    );
    expect({ status, body }).toEqual({
      status: 422,
      body: violations([
        'Upload key belongs to another file. Use a new key for each file.',
        'uploadKey',
      ]),
    });
  });

  test('a file without a container is replaced, and no container claims the upload', async () => {
    row = await app.given.attachment({ author: editor, fileName: 'own.txt', content: 'first' });
    const path = await sent();
    const { status, body } = await app.request('PATCH', workPackage.path, {
      as: editor,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        lockVersion: (await app.get(workPackage.path, editor)).body.lockVersion,
        _links: { attachments: [{ href: `/api/v3/attachments/${idOf(path)}` }] },
      }),
    });
    expect({ status, body }).toEqual({
      status: 422,
      body: violations(['Attachments does not exist.', 'attachments']),
    });
    await finish(path);
    expect(await content(row.id)).toBe('second, longer');
    expect(
      await app.running.services.db
        .read('attachments')
        .where({ author_id: editor.id, blob_key: row.blobKey }),
    ).toEqual([]);
  });
});

describeS3('replacing uploads to an object store', () => {
  let bucket: S3Bucket;
  beforeAll(async () => {
    bucket = await freshBucket();
    app = await startApp({ ...s3Environment(bucket), TRASH_DAYS: '30', PREVIEWS: 'false' });
    await people();
  });
  afterAll(() => app?.stop());

  everyStore(async () => (await objects(bucket)).length);

  test('a direct upload replaces a content', async () => {
    const { data, errors } = await app.graphql(
      `mutation ($input: PrepareAttachmentUploadInput!) { prepareAttachmentUpload(input: $input) {
        upload { databaseId addAttachment { href formFields { name value } } } } }`,
      { input: { replaces: String(row.id), fileName: 'new.txt', fileSize: 14 } },
      editor,
    );
    expect(errors).toBeUndefined();
    const { databaseId, addAttachment } = data.prepareAttachmentUpload.upload;
    const form = {
      href: addAttachment.href,
      method: 'post',
      form_fields: Object.fromEntries(
        addAttachment.formFields.map(({ name, value }: any) => [name, value]),
      ),
    };
    expect((await sendForm(form, 'second, longer')).status).toBe(201);
    await app.graphql(
      'mutation ($id: ID!) { completeAttachmentUpload(input: { id: $id }) { attachment { id } } }',
      { id: String(databaseId) },
      editor,
    );
    await finish(`/uploads/${databaseId}`);
    await expectReplaced();
  });
});
