/** Creating, changing and deleting containers over GraphQL, which has the same four fields for each kind. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Attachment } from '../../../src/models/attachment.js';
import { startApp, type App } from '../../support/app.js';
import { notFound, TIME } from '../../support/expected.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let project: { id: number; name: string };
let editor: Person;
let viewer: Person;
beforeAll(async () => {
  app = await startApp();
  project = await app.given.project();
  editor = await app.given.member(project, [
    'view_work_packages',
    'add_work_packages',
    'edit_work_packages',
    'add_work_package_comments',
    'view_meetings',
    'edit_meetings',
    'view_messages',
    'edit_messages',
    'view_wiki_pages',
    'edit_wiki_pages',
  ]);
  viewer = await app.given.member(project, [
    'view_work_packages',
    'view_meetings',
    'view_messages',
    'view_wiki_pages',
  ]);
});
afterAll(() => app.stop());

const storedFiles = () =>
  readdirSync(join(app.folder, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
const refusal = (code: string, status: number, attribute?: string) => [
  { extensions: { code, status, ...(attribute && { attribute }) } },
];

describe.each([
  ['WorkPackage', 'workPackage', 'subject'],
  ['Meeting', 'meeting', 'title'],
  ['Post', 'post', 'subject'],
  ['WikiPage', 'wikiPage', 'title'],
])('a %s', (type, field, name) => {
  const CREATE = `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${field} { id databaseId ${name} createdAt updatedAt author { name } project { name } attachments { nodes { fileName } } viewerCanUpdate } } }`;
  const UPDATE = `mutation ($input: Update${type}Input!) { update${type}(input: $input) { ${field} { ${name} attachments { nodes { fileName } } } } }`;
  const DELETE = `mutation ($input: Delete${type}Input!) { delete${type}(input: $input) { deleted${type}Id } }`;
  const create = (input: object, person = editor) => app.graphql(CREATE, { input }, person);
  const projectId = () => String(project.id);

  test('is created with the attachments it claims, changed to a new set, and deleted with all its content', async () => {
    const [a, b] = [
      await app.given.attachment({ author: editor, fileName: 'a.txt' }),
      await app.given.attachment({ author: editor, fileName: 'b.txt' }),
    ];
    const made = await create({
      projectId: projectId(),
      [name]: 'Kick-off',
      attachmentIds: [String(a.id)],
    });
    expect(made.errors).toBeUndefined();
    const container = made.data[`create${type}`][field];
    expect(container).toEqual({
      id: expect.any(String),
      databaseId: expect.any(Number),
      [name]: 'Kick-off',
      createdAt: TIME,
      updatedAt: TIME,
      author: { name: editor.name },
      project: { name: project.name },
      attachments: { nodes: [{ fileName: 'a.txt' }] },
      viewerCanUpdate: true,
    });
    const renamed = await app.graphql(
      UPDATE,
      { input: { id: container.id, [name]: 'Renamed' } },
      editor,
    );
    expect(renamed.data[`update${type}`][field]).toEqual({
      [name]: 'Renamed',
      attachments: { nodes: [{ fileName: 'a.txt' }] },
    });
    const replaced = await app.graphql(
      UPDATE,
      { input: { id: String(container.databaseId), attachmentIds: [String(b.id)] } },
      editor,
    );
    expect(replaced.data[`update${type}`][field]).toEqual({
      [name]: 'Renamed',
      attachments: { nodes: [{ fileName: 'b.txt' }] },
    });
    expect(storedFiles()).not.toContain(a.blobKey);
    const deleted = await app.graphql(DELETE, { input: { id: container.id } }, editor);
    expect(deleted.data).toEqual({ [`delete${type}`]: { [`deleted${type}Id`]: container.id } });
    expect(
      (await app.graphql('query ($id: ID!) { node(id: $id) { id } }', { id: container.id }, editor))
        .data,
    ).toEqual({ node: null });
    expect((await app.get(`/api/v3/attachments/${b.id}`, editor)).body).toEqual(notFound);
    expect(storedFiles()).not.toContain(b.blobKey);
  });

  test('is refused without permission, without a name, in a hidden project, or with attachments of other users', async () => {
    const foreign = await app.given.attachment({ author: viewer });
    expect((await create({ projectId: projectId(), [name]: 'x' }, viewer)).errors).toMatchObject(
      refusal('MISSING_PERMISSION', 403),
    );
    expect((await create({ projectId: projectId() })).errors).toMatchObject(
      refusal('PROPERTY_CONSTRAINT_VIOLATION', 422, name),
    );
    expect(
      (await create({ projectId: projectId(), [name]: 'x'.repeat(256) })).errors,
    ).toMatchObject(refusal('PROPERTY_CONSTRAINT_VIOLATION', 422, name));
    expect(
      (await create({ projectId: String((await app.given.project()).id), [name]: 'x' })).errors,
    ).toMatchObject(refusal('NOT_FOUND', 404));
    expect(
      (await create({ projectId: projectId(), [name]: 'x', attachmentIds: [String(foreign.id)] }))
        .errors,
    ).toMatchObject(refusal('PROPERTY_CONSTRAINT_VIOLATION', 422, 'attachments'));
    const made = (await create({ projectId: projectId(), [name]: 'mine' })).data[`create${type}`][
      field
    ];
    for (const [mutation, input] of [
      [UPDATE, { id: made.id, [name]: 'x' }],
      [DELETE, { id: made.id }],
    ] as const) {
      expect((await app.graphql(mutation, { input }, viewer)).errors).toMatchObject(
        refusal('MISSING_PERMISSION', 403),
      );
      expect((await app.graphql(mutation, { input }, await app.given.user())).errors).toMatchObject(
        refusal('NOT_FOUND', 404),
      );
    }
    expect(
      (
        await app.graphql(
          `query ($id: ID!) { ${field}(id: $id) { ${name} } }`,
          { id: made.id },
          viewer,
        )
      ).data,
    ).toEqual({ [field]: { [name]: 'mine' } });
  });
});

describe('a work package', () => {
  test('a stale lockVersion is an UPDATE_CONFLICT', async () => {
    const container = await app.given.workPackage(project, editor);
    const UPDATE =
      'mutation ($input: UpdateWorkPackageInput!) { updateWorkPackage(input: $input) { workPackage { lockVersion } } }';
    expect(
      (
        await app.graphql(
          UPDATE,
          { input: { id: container.globalId, subject: 'a', lockVersion: 0 } },
          editor,
        )
      ).data,
    ).toEqual({ updateWorkPackage: { workPackage: { lockVersion: 1 } } });
    expect(
      (
        await app.graphql(
          UPDATE,
          { input: { id: container.globalId, subject: 'b', lockVersion: 0 } },
          editor,
        )
      ).errors,
    ).toMatchObject(refusal('UPDATE_CONFLICT', 409));
  });

  test('is deleted with its activities and their attachments', async () => {
    const container = await app.given.workPackage(project, editor);
    const comment = await app.given.comment(container, editor);
    const rows = [
      await app.given.attachment({ container, author: editor }),
      await app.given.attachment({ container: comment, author: editor }),
    ];
    await app.graphql(
      'mutation ($id: ID!) { deleteWorkPackage(input: { id: $id }) { deletedWorkPackageId } }',
      { id: container.globalId },
      editor,
    );
    expect((await app.get(comment.path, editor)).body).toEqual(notFound);
    for (const row of rows) {
      expect((await app.get(`/api/v3/attachments/${row.id}`, editor)).body).toEqual(notFound);
      expect(storedFiles()).not.toContain(row.blobKey);
      expect(
        await Attachment.query(app.running.services.db.write).findById(row.id),
      ).toBeUndefined();
    }
  });

  test('that is deleted during an upload leaves neither row nor bytes', async () => {
    const container = await app.given.workPackage(project, editor);
    const before = storedFiles().length;
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const boundary = 'x-boundary';
    async function* body() {
      yield Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="metadata"\r\nContent-Type: application/json\r\n\r\n{"fileName":"slow.txt"}\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="slow.txt"\r\n\r\nhalf`,
      );
      await gate;
      yield Buffer.from(` whole\r\n--${boundary}--\r\n`);
    }
    const upload = fetch(app.url + container.attachments, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${editor.key}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body: body() as never,
      duplex: 'half',
    });
    for (
      let tries = 0;
      tries < 200 &&
      (await Attachment.query(app.running.services.db.write)
        .where('work_package_id', container.id)
        .resultSize()) === 0;
      tries += 1
    )
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    await app.graphql(
      'mutation ($id: ID!) { deleteWorkPackage(input: { id: $id }) { deletedWorkPackageId } }',
      { id: container.globalId },
      editor,
    );
    release();
    const answer = await upload;
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 404,
      body: notFound,
    });
    expect(
      await Attachment.query(app.running.services.db.write)
        .where('file_name', 'slow.txt')
        .resultSize(),
    ).toBe(0);
    expect(storedFiles().length).toBe(before);
  });
});

describe('a comment', () => {
  test('is created, changed and deleted by its author; other users need the permission to edit work packages', async () => {
    const workPackage = await app.given.workPackage(project, editor);
    const writer = await app.given.member(project, [
      'view_work_packages',
      'add_work_package_comments',
    ]);
    const other = await app.given.member(project, [
      'view_work_packages',
      'add_work_package_comments',
    ]);
    const attachment = await app.given.attachment({ author: writer, fileName: 'a.txt' });
    const CREATE =
      'mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id databaseId kind internal comment { format raw html } workPackage { id } attachments { nodes { fileName } } } } }';
    const { data } = await app.graphql(
      CREATE,
      {
        input: {
          workPackageId: workPackage.globalId,
          comment: '*hi*',
          attachmentIds: [String(attachment.id)],
        },
      },
      writer,
    );
    const { comment: activity } = data.createComment;
    expect(activity).toEqual({
      id: expect.any(String),
      databaseId: expect.any(Number),
      kind: 'COMMENT',
      internal: false,
      comment: { format: 'MARKDOWN', raw: '*hi*', html: '<p><em>hi</em></p>' },
      workPackage: { id: workPackage.globalId },
      attachments: { nodes: [{ fileName: 'a.txt' }] },
    });
    const UPDATE =
      'mutation ($input: UpdateCommentInput!) { updateComment(input: $input) { comment { comment { raw } attachments { totalCount } } } }';
    expect(
      (await app.graphql(UPDATE, { input: { id: activity.id, comment: 'x' } }, other)).errors,
    ).toMatchObject(refusal('MISSING_PERMISSION', 403));
    expect(
      (
        await app.graphql(
          UPDATE,
          { input: { id: activity.id, comment: 'new', attachmentIds: [] } },
          writer,
        )
      ).data,
    ).toEqual({
      updateComment: { comment: { comment: { raw: 'new' }, attachments: { totalCount: 0 } } },
    });
    const DELETE =
      'mutation ($id: ID!) { deleteComment(input: { id: $id }) { deletedActivityId } }';
    expect((await app.graphql(DELETE, { id: activity.id }, other)).errors).toMatchObject(
      refusal('MISSING_PERMISSION', 403),
    );
    expect((await app.graphql(DELETE, { id: activity.id }, editor)).data).toEqual({
      deleteComment: { deletedActivityId: activity.id },
    });
    expect((await app.get(`/api/v3/activities/${activity.databaseId}`, writer)).body).toEqual(
      notFound,
    );
  });

  const table = `${'|a'.repeat(256)}|\n${'|:-:'.repeat(256)}|\n${'b\n'.repeat(255)}\n`;
  test.each([
    [
      'a long URL that is used a thousand times',
      `[a]: /${'x'.repeat(500_000)}\n\n<&>${' [a]'.repeat(1_000)}`,
    ],
    [
      'an image that is used a thousand times',
      `[a]: /${'x'.repeat(100_000)}\n\n<&>${' ![b][a]'.repeat(1_000)}`,
    ],
    ['tables whose rows are shorter than their headers', `<&>\n\n${table.repeat(20)}`],
    ['nested quotations', `<&>\n\n${'> '.repeat(90)}${'a\n'.repeat(250_000)}`],
  ])('whose Markdown would make too much HTML is shown as plain text: %s', async (_name, raw) => {
    const workPackage = await app.given.workPackage(project, editor);
    // Imported, or written before this limit existed.
    const comment = await app.given.comment(workPackage, editor, { text: raw });
    const kept = await app.get(comment.path, editor);
    expect(kept.status).toBe(200);
    const html = `<p>${raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>\n')}</p>`;
    expect(kept.body.comment).toEqual({ format: 'markdown', raw, html });
    const { data } = await app.graphql(
      'query ($id: ID!) { activity: node(id: $id) { ... on Activity { comment { html } } } }',
      { id: Buffer.from(`Activity:${comment.id}`).toString('base64url') },
      editor,
    );
    expect(data.activity.comment.html).toBe(html);
  });

  test('has its references, images and tables rendered', async () => {
    const workPackage = await app.given.workPackage(project, editor);
    const raw = `[a]: /a\n\n${'[a] ![b][a] '.repeat(200)}\n\n|x|y|\n|-|-|\n|1|`;
    const { body } = await app.post(`${workPackage.path}/activities`, editor, { comment: { raw } });
    const cells = (tag: string, ...texts: string[]) =>
      `<tr>\n${texts.map((text) => `<${tag}>${text}</${tag}>\n`).join('')}</tr>\n`;
    expect(body.comment.html).toBe(
      `<p>${Array(200).fill('<a href="/a">a</a> <img src="/a" alt="b">').join(' ')}</p>\n<table>\n<thead>\n${cells('th', 'x', 'y')}</thead>\n<tbody>\n${cells('td', '1', '')}</tbody>\n</table>`,
    );
  });
});
