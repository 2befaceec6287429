/** Deleting, moving and copying many attachments: all or none, with history, events and permissions. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import { startApp, type App } from '../../support/app.js';
import { kinds, type ContainerHandle, type Person } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../../support/jest.js';

let app: App;
let project: { id: number; name: string };
let editor: Person;
let viewer: Person;
let from: ContainerHandle;
let to: ContainerHandle;

const viewing = ['view_work_packages', 'view_meetings', 'view_messages', 'view_wiki_pages'];
const editing = [
  'edit_work_packages',
  'add_work_package_comments',
  'edit_meetings',
  'edit_messages',
  'edit_wiki_pages',
];
beforeAll(async () => {
  app = await startApp();
  project = await app.given.project();
  viewer = await app.given.member(project, viewing);
  editor = await app.given.member(project, [...viewing, ...editing]);
});
beforeEach(async () => {
  from = await app.given.workPackage(project, editor);
  to = await app.given.workPackage(project, editor);
});
afterAll(() => app.stop());

const DELETE =
  'mutation ($ids: [ID!]!) { deleteAttachments(input: { ids: $ids }) { deletedAttachmentIds } }';
const change = (name: 'moveAttachments' | 'copyAttachments') =>
  `mutation ($ids: [ID!]!, $to: ID!) { ${name}(input: { ids: $ids, to: $to }) {
    attachments { databaseId fileName description { raw } status digest { hash }
      author { databaseId } container { __typename databaseId } } } }`;
const texts = (ids: readonly number[]) => ids.map(String);
const remove = (ids: readonly number[], as: Person | undefined = editor) =>
  app.graphql(DELETE, { ids: texts(ids) }, as);
const move = (ids: readonly number[], where: ContainerHandle, as: Person | undefined = editor) =>
  app.graphql(change('moveAttachments'), { ids: texts(ids), to: where.globalId }, as);
const copy = (ids: readonly number[], where: ContainerHandle, as: Person | undefined = editor) =>
  app.graphql(change('copyAttachments'), { ids: texts(ids), to: where.globalId }, as);

const file = (container: ContainerHandle | undefined, fileName: string, author: Person = editor) =>
  app.given.attachment({ container, author, fileName, description: `About ${fileName}` });
const namesIn = async (container: ContainerHandle): Promise<string[]> =>
  (await app.get(container.attachments, editor)).body._embedded.elements.map(
    (one: { fileName: string }) => one.fileName,
  );
const history = async (container: ContainerHandle): Promise<string[][]> =>
  (await app.get(`${container.path}/activities`, viewer)).body._embedded.elements.map(
    ({ details }: { details: { raw: string }[] }) => details.map(({ raw }) => raw),
  );
const events = async (id: number): Promise<unknown[]> =>
  (
    await app.running.services.db
      .read('events')
      .where({ subject_type: 'Attachment', subject_id: id })
      .orderBy('id')
  ).map(({ kind, container_id }) => [kind, container_id]);
const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }) =>
  errors?.map(({ extensions }) => extensions.code);
const storedFiles = () =>
  readdirSync(join(app.folder, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

describe('deleting', () => {
  test('several files of several containers are deleted, with one entry in each history', async () => {
    const comment = await app.given.comment(from, editor);
    const rows = [await file(from, 'a.txt'), await file(from, 'b.txt'), await file(to, 'c.txt')];
    const inComment = await file(comment, 'd.txt');
    const loose = await file(undefined, 'e.txt');
    const ids = [...rows, inComment, loose].map(({ id }) => id);
    const { data, errors } = await remove(ids);
    expect([data?.deleteAttachments.deletedAttachmentIds, errors]).toEqual([
      ids.map((id) => Buffer.from(`Attachment:${id}`).toString('base64url')),
      undefined,
    ]);
    for (const id of ids)
      expect((await app.get(`/api/v3/attachments/${id}`, editor)).status).toBe(404);
    expect(await history(from)).toContainEqual(['File a.txt removed', 'File b.txt removed']);
    expect(await history(to)).toEqual([['File c.txt removed']]);
    for (const { id } of rows)
      expect(await events(id)).toEqual([['attachment:deleted', expect.any(Number)]]);
    for (const { blobKey } of rows) expect(storedFiles()).not.toContain(blobKey);
  });

  test('one that may not be deleted, or is missing, keeps all', async () => {
    const theirs = await app.given.workPackage(await app.given.project(), editor);
    const rows = [await file(from, 'a.txt'), await file(from, 'b.txt')];
    const ids = rows.map(({ id }) => id);
    const hidden = await file(theirs, 'hidden.txt');
    expect(codeOf(await remove([...ids, hidden.id]))).toEqual(['NOT_FOUND']);
    expect(codeOf(await remove([...ids, 999_999_999]))).toEqual(['NOT_FOUND']);
    expect(codeOf(await app.graphql(DELETE, { ids: [...texts(ids), 'x'] }, editor))).toEqual([
      'NOT_FOUND',
    ]);
    expect(codeOf(await remove(ids, viewer))).toEqual(['MISSING_PERMISSION']);
    expect(await namesIn(from)).toEqual(['a.txt', 'b.txt']);
    expect(await history(from)).toEqual([]);
  });
});

test.each(['deleteAttachments', 'moveAttachments', 'copyAttachments', 'restoreAttachments'])(
  '%s takes 1 to 100 ids',
  async (name) => {
    const there = /move|copy/.test(name) ? `, to: "${to.globalId}"` : '';
    const field = name === 'deleteAttachments' ? 'deletedAttachmentIds' : 'attachments { id }';
    for (const ids of [[], Array.from({ length: 101 }, (_, index) => `"${index + 1}"`)]) {
      const { data, errors } = await app.graphql(
        `mutation { ${name}(input: { ids: [${ids.join()}]${there} }) { ${field} } }`,
        {},
        editor,
      );
      expect({ data, errors }).toMatchObject({
        data: null,
        errors: [
          { message: 'Give 1 to 100 ids of attachments.', extensions: { code: 'INVALID_QUERY' } },
        ],
      });
    }
  },
);

describe('moving', () => {
  test('files keep ids and contents; both histories and both subscriptions learn of it', async () => {
    const rows = [await file(from, 'b.txt'), await file(from, 'a.txt')];
    const { data, errors } = await move(
      rows.map(({ id }) => id),
      to,
    );
    expect({ data, errors }).toEqual({
      data: {
        moveAttachments: {
          attachments: rows.map(({ id, fileName, digestHash }) => ({
            databaseId: id,
            fileName,
            description: { raw: `About ${fileName}` },
            status: 'UPLOADED',
            digest: { hash: digestHash },
            author: { databaseId: editor.id },
            container: { __typename: 'WorkPackage', databaseId: to.id },
          })),
        },
      },
      errors: undefined,
    });
    expect([await namesIn(from), await namesIn(to)]).toEqual([[], ['a.txt', 'b.txt']]);
    expect(await history(from)).toEqual([['File b.txt moved away', 'File a.txt moved away']]);
    expect(await history(to)).toEqual([['File b.txt moved here', 'File a.txt moved here']]);
    for (const { id } of rows)
      expect(await events(id)).toEqual([
        ['attachment:moved', from.id],
        ['attachment:moved', to.id],
      ]);
    const content = await app.get(`/api/v3/attachments/${rows[0]!.id}/content`, viewer);
    expect([content.status, content.text]).toEqual([200, 'some text']);
  });

  test.each(kinds)('a file goes to a %s, and a file that is there stays', async (kind) => {
    const there = await app.given.container(kind, project, editor);
    const { id } = await file(from, 'a.txt');
    for (let time = 0; time < 2; time += 1)
      expect((await move([id], there)).data?.moveAttachments.attachments).toMatchObject([
        { databaseId: id, container: { __typename: kind, databaseId: there.id } },
      ]);
    expect((await events(id)).length).toBe(2);
  });

  test('an unclaimed file is moved by its author only, and expires no more', async () => {
    const { id } = await file(undefined, 'mine.txt');
    expect(
      codeOf(await move([id], to, await app.given.member(project, [...viewing, ...editing]))),
    ).toEqual(['NOT_FOUND']);
    expect((await move([id], to)).errors).toBeUndefined();
    expect(await events(id)).toEqual([['attachment:claimed', to.id]]);
    expect(await history(to)).toEqual([['File mine.txt added']]);
  });

  test('it needs the right to delete here and to add there', async () => {
    const { id } = await file(from, 'a.txt');
    const other = await app.given.project();
    const away = await app.given.workPackage(other, editor);
    expect(codeOf(await move([id], away))).toEqual(['NOT_FOUND']);
    expect(codeOf(await move([id], to, viewer))).toEqual(['MISSING_PERMISSION']);
    const adder = await app.given.member(project, [...viewing, 'add_work_package_attachments']);
    expect(codeOf(await move([id], to, adder))).toEqual(['MISSING_PERMISSION']);
    expect(codeOf(await move([id], { ...to, globalId: 'V29ya1BhY2thZ2U6OTk5OTk5OTk5' }))).toEqual([
      'NOT_FOUND',
    ]);
    expect([await namesIn(from), await history(from)]).toEqual([['a.txt'], []]);
  });

  test('a file in quarantine stays, and a prepared upload is not found', async () => {
    const admin = await app.given.user({ admin: true });
    const bad = await app.given.attachment({
      container: from,
      author: editor,
      status: 'quarantined',
    });
    const prepared = await app.given.attachment({
      container: from,
      author: editor,
      status: 'prepared',
    });
    expect(codeOf(await move([bad.id], to, admin))).toEqual(['MISSING_PERMISSION']);
    expect(codeOf(await copy([bad.id], to, admin))).toEqual(['MISSING_PERMISSION']);
    expect(codeOf(await move([prepared.id], to))).toEqual(['NOT_FOUND']);
    expect(codeOf(await copy([prepared.id], to))).toEqual(['NOT_FOUND']);
  });
});

describe('copying', () => {
  test('a copy is a file of its own with the same bytes, which are stored once', async () => {
    const original = await file(from, 'a.txt', viewer);
    const before = storedFiles().length;
    const { data, errors } = await copy([original.id], to);
    expect(errors).toBeUndefined();
    const [made] = data.copyAttachments.attachments;
    expect(made).toEqual({
      databaseId: expect.any(Number),
      fileName: 'a.txt',
      description: { raw: 'About a.txt' },
      status: 'UPLOADED',
      digest: { hash: original.digestHash },
      author: { databaseId: editor.id },
      container: { __typename: 'WorkPackage', databaseId: to.id },
    });
    expect(made.databaseId).not.toBe(original.id);
    expect(storedFiles().length).toBe(before);
    expect(await events(made.databaseId)).toEqual([['attachment:created', to.id]]);
    expect([await history(from), await history(to)]).toEqual([[], [['File a.txt added']]]);

    // Each of the two can go first.
    await remove([original.id]);
    const content = await app.get(`/api/v3/attachments/${made.databaseId}/content`, viewer);
    expect([content.status, content.text]).toEqual([200, 'some text']);
    expect(storedFiles()).toContain(original.blobKey);
    await remove([made.databaseId]);
    expect(storedFiles()).not.toContain(original.blobKey);
  });

  test('people who may see a file and add to another container copy it', async () => {
    const { id } = await file(from, 'a.txt');
    const adder = await app.given.member(project, [...viewing, 'add_work_package_attachments']);
    expect((await copy([id], to, adder)).errors).toBeUndefined();
    expect(codeOf(await copy([id], to, viewer))).toEqual(['MISSING_PERMISSION']);
    expect(codeOf(await copy([id], to, await app.given.user()))).toEqual(['NOT_FOUND']);
    const hidden = await file(await app.given.workPackage(await app.given.project(), editor), 'h');
    expect(codeOf(await copy([id, hidden.id], to))).toEqual(['NOT_FOUND']);
    expect(await namesIn(to)).toEqual(['a.txt']);
  });

  test('copies of one file that are deleted at the same time take its bytes with them', async () => {
    const original = await file(from, 'a.txt');
    const ids = [original.id];
    for (let time = 0; time < 5; time += 1)
      ids.push((await copy([original.id], to)).data.copyAttachments.attachments[0].databaseId);
    const answers = await Promise.all(ids.map((id) => remove([id])));
    expect(answers.map(codeOf)).toEqual(ids.map(() => undefined));
    await runCleanup(app.running.services);
    const left = await app.running.services.db
      .read('attachments')
      .where('blob_key', original.blobKey);
    expect([left, storedFiles().includes(original.blobKey)]).toEqual([[], false]);
  });

  test('a copy that is made while its original is deleted has its bytes, or is refused', async () => {
    for (let time = 0; time < 8; time += 1) {
      const original = await file(from, 'a.txt');
      const [copied] = await Promise.all([copy([original.id], to), remove([original.id])]);
      const id = copied.data?.copyAttachments.attachments[0].databaseId as number | undefined;
      if (id === undefined) {
        expect(codeOf(copied)).toEqual(['NOT_FOUND']);
        expect(storedFiles()).not.toContain(original.blobKey);
      } else {
        const content = await app.get(`/api/v3/attachments/${id}/content`, viewer);
        expect([content.status, content.text]).toEqual([200, 'some text']);
      }
    }
  });

  test('a container that would be too full takes none', async () => {
    const small = await startApp({ ATTACHMENTS_PER_CONTAINER: '2' });
    try {
      const admin = await small.given.user({ admin: true });
      const there = await small.given.project();
      const [one, other] = [
        await small.given.workPackage(there, admin),
        await small.given.workPackage(there, admin),
      ];
      const ids: string[] = [];
      for (let time = 0; time < 2; time += 1)
        ids.push(String((await small.given.attachment({ container: one, author: admin })).id));
      await small.given.attachment({ container: other, author: admin });
      for (const name of ['moveAttachments', 'copyAttachments'] as const) {
        const answer = await small.graphql(change(name), { ids, to: other.globalId }, admin);
        expect(answer.errors).toMatchObject([
          {
            message:
              'The container has too many attachments (maximum is 2). ' +
              'Delete some of them first, or use another container.',
          },
        ]);
        const count = async (container: ContainerHandle) =>
          (await small.get(container.attachments, admin)).body.total;
        expect([await count(one), await count(other)]).toEqual([2, 1]);
      }
    } finally {
      await small.stop();
    }
  });
});
