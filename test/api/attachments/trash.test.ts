/** The trash: what is kept, who sees and restores it, and when it is emptied. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import { verifyBlobs } from '../../../src/actions/files/attachments/verify-blobs.js';
import { startApp, startBeside, type App } from '../../support/app.js';
import { errorBody, TIME } from '../../support/expected.js';
import { kinds, type ContainerHandle, type Person } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../../support/jest.js';

let app: App;
let project: { id: number; name: string };
let editor: Person;
let viewer: Person;
let admin: Person;
let container: ContainerHandle;

const viewing = ['view_work_packages', 'view_meetings', 'view_messages', 'view_wiki_pages'];
beforeAll(async () => {
  app = await startApp({ TRASH_DAYS: '30' });
  admin = await app.given.user({ admin: true });
});
beforeEach(async () => {
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
  container = await app.given.workPackage(project, editor);
});
afterAll(() => app.stop());

const DELETED =
  'deletedAttachments { totalCount nodes { databaseId attachmentId fileName fileSize contentType deletedAt keptUntil author { databaseId } deletedBy { databaseId } container { __typename databaseId } replacedBy { databaseId } } }';
const inContainer = async ({ globalId }: ContainerHandle, as: Person | undefined = editor) =>
  (
    await app.graphql(
      `query ($id: ID!) { container(id: $id) { ${DELETED} } }`,
      { id: globalId },
      as,
    )
  ).data.container?.deletedAttachments;
const inProject = async (as: Person | undefined = editor) =>
  (
    await app.graphql(
      `query ($id: ID!) { project(id: $id) { ${DELETED} } }`,
      { id: String(project.id) },
      as,
    )
  ).data.project?.deletedAttachments;
const idsOf = (list: { nodes: { databaseId: number }[] }) =>
  list.nodes.map(({ databaseId }) => databaseId);
const restore = (ids: readonly number[], as: Person | undefined = editor) =>
  app.graphql(
    'mutation ($ids: [ID!]!) { restoreAttachments(input: { ids: $ids }) { attachments { databaseId fileName container { databaseId } } } }',
    { ids: ids.map(String) },
    as,
  );
const empty = (as: Person | undefined, id = project.id) =>
  app.graphql(
    'mutation ($id: ID!) { emptyTrash(input: { projectId: $id }) { removed } }',
    { id: String(id) },
    as,
  );
const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }) =>
  errors?.map(({ extensions }) => extensions.code);
const remove = (id: number, as = editor) => app.delete(`/api/v3/attachments/${id}`, as);
const given = (fileName = 'a.txt', where: ContainerHandle | undefined = container) =>
  app.given.attachment({ container: where, author: editor, fileName });
const isStored = (key: string) =>
  readdirSync(join(app.folder, 'blobs'), { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && entry.name === key,
  );
const history = async (): Promise<string[][]> =>
  (await app.get(`${container.path}/activities`, viewer)).body._embedded.elements.map(
    ({ details }: { details: { raw: string }[] }) => details.map(({ raw }) => raw),
  );
const events = async (id: number): Promise<string[]> =>
  (
    await app.running.services.db
      .read('events')
      .where({ subject_type: 'Attachment', subject_id: id })
      .orderBy('id')
  ).map(({ kind }) => kind);
const DAY_MS = 86_400_000;
const cleanupIn = (days: number, on = app) =>
  runCleanup({ ...on.running.services, clock: () => new Date(Date.now() + days * DAY_MS) });

test('clients are told for how long deleted files are kept', async () => {
  expect((await app.graphql('{ configuration { trashDays } }')).data).toEqual({
    configuration: { trashDays: 30 },
  });
});

test('a deleted file is 404 everywhere, and in the trash with who and when', async () => {
  const row = await given();
  expect((await remove(row.id, editor)).status).toBe(204);
  for (const path of ['', '/content']) {
    const { status, body } = await app.get(`/api/v3/attachments/${row.id}${path}`, editor);
    expect({ status, body }).toEqual({
      status: 404,
      body: errorBody('NotFound', 'The requested resource could not be found.'),
    });
  }
  expect((await remove(row.id)).status).toBe(404);
  expect((await app.get(container.attachments, editor)).body.total).toBe(0);
  const expected = {
    totalCount: 1,
    nodes: [
      {
        databaseId: row.id,
        attachmentId: Buffer.from(`Attachment:${row.id}`).toString('base64url'),
        fileName: 'a.txt',
        fileSize: 9,
        contentType: 'text/plain',
        deletedAt: TIME,
        keptUntil: TIME,
        author: { databaseId: editor.id },
        deletedBy: { databaseId: editor.id },
        container: { __typename: 'WorkPackage', databaseId: container.id },
        replacedBy: null,
      },
    ],
  };
  expect(await inContainer(container)).toEqual(expected);
  expect(await inProject()).toEqual(expected);
  const [{ deletedAt, keptUntil }] = (await inProject()).nodes;
  expect(Date.parse(keptUntil) - Date.parse(deletedAt)).toBe(30 * DAY_MS);
  expect(isStored(row.blobKey)).toBe(true);
});

test.each(kinds)(
  'a file of a %s is restored with its id by those who may delete it',
  async (kind) => {
    const there = await app.given.container(kind, project, editor);
    const row = await given('b.txt', there);
    await remove(row.id);
    for (const [person, code] of [
      [viewer, 'NOT_FOUND'],
      [await app.given.user(), 'NOT_FOUND'],
      [undefined, 'NOT_FOUND'],
    ] as const) {
      expect(
        codeOf(
          await app.graphql(
            'mutation ($ids: [ID!]!) { restoreAttachments(input: { ids: $ids }) { attachments { id } } }',
            { ids: [String(row.id)] },
            person,
          ),
        ),
      ).toEqual([code]);
    }
    expect([idsOf(await inContainer(there, viewer)), idsOf(await inProject(viewer))]).toEqual([
      [],
      [],
    ]);
    expect((await restore([row.id])).data).toEqual({
      restoreAttachments: {
        attachments: [
          { databaseId: row.id, fileName: 'b.txt', container: { databaseId: there.id } },
        ],
      },
    });
    const content = await app.get(`/api/v3/attachments/${row.id}/content`, viewer);
    expect([content.status, content.text]).toEqual([200, 'some text']);
    expect(idsOf(await inContainer(there))).toEqual([]);
    expect(codeOf(await restore([row.id]))).toEqual(['NOT_FOUND']);
    expect(await events(row.id)).toEqual(['attachment:deleted', 'attachment:restored']);
  },
);

test('files are restored all or none, with one entry in the history', async () => {
  const [one, other] = [await given('a.txt'), await given('b.txt')];
  await remove(one.id);
  await remove(other.id);
  expect(codeOf(await restore([one.id, 999_999_999]))).toEqual(['NOT_FOUND']);
  expect(idsOf(await inContainer(container))).toEqual([other.id, one.id]);
  expect((await restore([other.id, one.id])).errors).toBeUndefined();
  expect(await history()).toContainEqual(['File a.txt restored', 'File b.txt restored']);
});

test('whoever may delete only the own files of comments restores only these', async () => {
  const writer = await app.given.member(project, [
    'view_work_packages',
    'add_work_package_comments',
  ]);
  const comment = await app.given.comment(container, editor);
  const own = await app.given.attachment({ container: comment, author: writer });
  const theirs = await app.given.attachment({ container: comment, author: editor });
  await remove(own.id);
  await remove(theirs.id);
  expect(idsOf(await inProject(writer))).toEqual([own.id]);
  expect(codeOf(await restore([theirs.id], writer))).toEqual(['NOT_FOUND']);
  expect((await restore([own.id], writer)).errors).toBeUndefined();
});

test('files of an internal comment are in the trash of those who see it', async () => {
  const insider = await app.given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'view_internal_comments',
  ]);
  const comment = await app.given.comment(container, insider, { internal: true });
  const row = await app.given.attachment({ container: comment, author: insider });
  await remove(row.id, insider);
  expect(idsOf(await inProject(insider))).toEqual([row.id]);
  expect(idsOf(await inProject(editor))).toEqual([]);
});

test('a list of attachments that leaves files out puts them into the trash', async () => {
  const row = await given();
  const { status } = await app.patch(container.path, editor, {
    lockVersion: 0,
    _links: { attachments: [] },
  });
  expect(status).toBe(200);
  expect(idsOf(await inContainer(container))).toEqual([row.id]);
});

test('a full container takes new files after others were deleted', async () => {
  const small = await startBeside(app, { ATTACHMENTS_PER_CONTAINER: '1' });
  try {
    const row = await given();
    expect((await small.upload(container.attachments, { as: editor })).status).toBe(422);
    await remove(row.id);
    expect((await small.upload(container.attachments, { as: editor })).status).toBe(200);
    const answer = await small.graphql(
      'mutation ($ids: [ID!]!) { restoreAttachments(input: { ids: $ids }) { attachments { id } } }',
      { ids: [String(row.id)] },
      editor,
    );
    expect(codeOf(answer)).toEqual(['PROPERTY_CONSTRAINT_VIOLATION']);
    expect(idsOf(await inContainer(container))).toEqual([row.id]);
  } finally {
    await small.stop();
  }
});

describe('files that are not kept', () => {
  test('those without a container, prepared uploads and those in quarantine', async () => {
    for (const [where, status] of [
      [undefined, 'uploaded'],
      [container, 'prepared'],
      [container, 'quarantined'],
    ] as const) {
      const row = await app.given.attachment({ container: where, author: editor, status });
      expect((await remove(row.id)).status).toBe(204);
      expect(isStored(row.blobKey)).toBe(false);
      expect(codeOf(await restore([row.id]))).toEqual(['NOT_FOUND']);
    }
    expect((await inContainer(container)).totalCount).toBe(0);
  });

  test('all, without the setting', async () => {
    const plain = await startBeside(app, { TRASH_DAYS: '0' });
    try {
      const row = await given();
      expect((await plain.delete(`/api/v3/attachments/${row.id}`, editor)).status).toBe(204);
      expect([isStored(row.blobKey), (await inContainer(container)).totalCount]).toEqual([
        false,
        0,
      ]);
    } finally {
      await plain.stop();
    }
  });

  test('those of a container that is deleted', async () => {
    const row = await given();
    const comment = await app.given.comment(container, editor);
    const inComment = await given('c.txt', comment);
    await remove(row.id);
    await remove(inComment.id);
    const deleted = await app.graphql(
      'mutation ($id: ID!) { deleteWorkPackage(input: { id: $id }) { deletedWorkPackageId } }',
      { id: String(container.id) },
      editor,
    );
    expect(deleted.errors).toBeUndefined();
    expect([isStored(row.blobKey), isStored(inComment.blobKey)]).toEqual([false, false]);
    expect((await inProject()).totalCount).toBe(0);
    expect(await events(row.id)).toEqual(['attachment:deleted']);
  });
});

test('after its days a file is gone for good, with its bytes', async () => {
  const row = await given();
  await remove(row.id);
  expect((await cleanupIn(29)).trash).toBe(0);
  expect(isStored(row.blobKey)).toBe(true);
  const counts = await runCleanup(
    { ...app.running.services, clock: () => new Date(Date.now() + 31 * DAY_MS) },
    { dryRun: true },
  );
  expect(counts.trash).toBeGreaterThan(0);
  expect((await cleanupIn(31)).trash).toBe(counts.trash);
  expect([isStored(row.blobKey), (await inContainer(container)).totalCount]).toEqual([false, 0]);
  expect(codeOf(await restore([row.id]))).toEqual(['NOT_FOUND']);
});

test('the trash of a project is emptied by administrators only', async () => {
  const [one, other] = [await given('a.txt'), await given('b.txt')];
  const elsewhere = await app.given.workPackage(await app.given.project(), admin);
  const stays = await given('c.txt', elsewhere);
  await remove(one.id);
  await remove(other.id);
  await remove(stays.id, admin);
  expect(codeOf(await empty(editor))).toEqual(['MISSING_PERMISSION']);
  expect(codeOf(await empty(await app.given.user()))).toEqual(['NOT_FOUND']);
  expect(codeOf(await empty(admin, 999_999_999))).toEqual(['NOT_FOUND']);
  expect((await empty(admin)).data).toEqual({ emptyTrash: { removed: 2 } });
  expect((await inProject(admin)).totalCount).toBe(0);
  expect([one, other, stays].map(({ blobKey }) => isStored(blobKey))).toEqual([false, false, true]);
});

test('a file in the trash shares its bytes with its copies, and verify knows both', async () => {
  const row = await given();
  const there = await app.given.workPackage(project, editor);
  const copied = await app.graphql(
    'mutation ($ids: [ID!]!, $to: ID!) { copyAttachments(input: { ids: $ids, to: $to }) { attachments { databaseId } } }',
    { ids: [String(row.id)], to: there.globalId },
    editor,
  );
  const copy = copied.data.copyAttachments.attachments[0].databaseId;
  await remove(copy);
  await remove(row.id);
  const findings: unknown[] = [];
  const verify = () =>
    verifyBlobs(app.running.services, { found: (finding) => void findings.push(finding) });
  await verify();
  expect(findings).toEqual([]);
  await app.running.services.blobs.remove(row.blobKey);
  await verify();
  expect(findings).toHaveLength(2);
  expect(findings).toEqual(
    expect.arrayContaining(
      [row.id, copy].map((id) => ({
        problem: 'missing',
        id,
        fileName: 'a.txt',
        key: row.blobKey,
      })),
    ),
  );
  expect((await empty(admin)).data).toEqual({ emptyTrash: { removed: 2 } });
});

test('a webhook for restored attachments receives the event', async () => {
  const { data } = await app.graphql(
    'mutation { createWebhook(input: { url: "https://hooks.example.test/", events: [ATTACHMENT_MOVED, ATTACHMENT_RESTORED] }) { webhook { events } } }',
    {},
    admin,
  );
  expect(data.createWebhook.webhook.events).toEqual(['ATTACHMENT_MOVED', 'ATTACHMENT_RESTORED']);
});
