/** Changing name and description of an attachment: who may do it, what is refused and recorded. */
import { dispatchEvents } from '../../../src/actions/operate/webhooks/dispatch-events.js';
import { startApp, type App } from '../../support/app.js';
import { changeBody, TIME } from '../../support/expected.js';
import { kinds, type ContainerHandle, type Kind, type Person } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../../support/jest.js';

let app: App;
let project: { id: number; name: string };
let editor: Person;
let viewer: Person;

beforeAll(async () => {
  app = await startApp();
  project = await app.given.project();
  const viewing = ['view_work_packages', 'view_meetings', 'view_messages', 'view_wiki_pages'];
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
afterAll(() => app.stop());

const UPDATE = `mutation ($input: UpdateAttachmentInput!) { updateAttachment(input: $input) {
  attachment { databaseId fileName description { format raw html } viewerCanUpdate container { databaseId } } } }`;
const update = (id: number | string, description: unknown, person: Person | undefined = editor) =>
  app.graphql(
    UPDATE,
    { input: { id: String(id), ...(description !== undefined && { description }) } },
    person,
  );

interface Recorded {
  kind: string;
  container_id: number | null;
  data: string | object;
}
/** The events of an attachment, without the one of its creation. */
const events = async (id: number) => {
  const rows: Recorded[] = await app.running.services.db
    .read('events')
    .where({ subject_type: 'Attachment', subject_id: id })
    .orderBy('id');
  return rows.map(({ kind, container_id, data }) => ({
    kind,
    container: container_id,
    data: typeof data === 'string' ? JSON.parse(data) : data,
  }));
};

describe.each(kinds)('in a container of the kind %s', (kind: Kind) => {
  let container: ContainerHandle;
  beforeEach(async () => {
    container = await app.given.container(kind, project, editor);
  });

  test('an editor changes the description, and an event is recorded', async () => {
    const row = await app.given.attachment({ container, author: viewer, fileName: 'a.txt' });
    const { data, errors } = await update(row.id, 'The <b>ground</b> floor \u202e"x"');
    expect({ data, errors }).toEqual({
      data: {
        updateAttachment: {
          attachment: {
            databaseId: row.id,
            fileName: 'a.txt',
            description: {
              format: 'PLAIN',
              raw: 'The <b>ground</b> floor \u202e"x"',
              html: expect.any(String),
            },
            viewerCanUpdate: true,
            container: { databaseId: container.id },
          },
        },
      },
      errors: undefined,
    });
    expect(data.updateAttachment.attachment.description.html).not.toContain('<b>');
    expect(await events(row.id)).toEqual([
      {
        kind: 'attachment:updated',
        container: container.id,
        data: { fileName: 'a.txt', fileSize: 9, contentType: 'text/plain', status: 'uploaded' },
      },
    ]);
    const { body } = await app.get(`/api/v3/attachments/${row.id}`, viewer);
    expect(body.description.raw).toBe('The <b>ground</b> floor \u202e"x"');
  });

  test('a viewer gets 403, a stranger 404, and nothing changes', async () => {
    const row = await app.given.attachment({ container, author: editor, description: 'Old' });
    for (const [person, code] of [
      [viewer, 'MISSING_PERMISSION'],
      [await app.given.user(), 'NOT_FOUND'],
      [undefined, 'NOT_FOUND'],
    ] as const) {
      const { data, errors } = await app.graphql(
        UPDATE,
        { input: { id: String(row.id), description: 'x'.repeat(300) } },
        person,
      );
      expect([data, errors?.map(({ extensions }) => extensions.code)]).toEqual([null, [code]]);
    }
    const { data } = await app.graphql(
      'query ($id: ID!) { attachment(id: $id) { viewerCanUpdate description { raw } } }',
      { id: String(row.id) },
      viewer,
    );
    expect(data.attachment).toEqual({ viewerCanUpdate: false, description: { raw: 'Old' } });
    expect(await events(row.id)).toEqual([]);
  });
});

test('the history of a work package records it, and the work package has changed', async () => {
  const container = await app.given.workPackage(project, editor);
  const row = await app.given.attachment({ container, author: editor, fileName: 'roof.txt' });
  await update(row.id, 'Tiles');
  const { body } = await app.get(`${container.path}/activities`, viewer);
  const [activity] = body._embedded.elements;
  expect(body._embedded.elements).toEqual([
    changeBody(activity.id, container, project, editor, 'Description of file roof.txt changed'),
  ]);
  const changed = (await app.get(container.path, viewer)).body;
  expect(changed.updatedAt).toBe(activity.createdAt);
});

test('null and an empty text remove the description; without a member it stays; the same text is not recorded', async () => {
  const container = await app.given.workPackage(project, editor);
  const row = await app.given.attachment({ container, author: editor, description: 'Old' });
  const shown = async (description: unknown) =>
    (await update(row.id, description)).data.updateAttachment.attachment.description.raw;
  expect(await shown(undefined)).toBe('Old');
  expect(await shown('Old')).toBe('Old');
  expect(await events(row.id)).toEqual([]);
  expect(await shown(null)).toBe('');
  expect(await shown('New')).toBe('New');
  expect(await shown('')).toBe('');
  expect((await events(row.id)).map(({ kind }) => kind)).toEqual([
    'attachment:updated',
    'attachment:updated',
    'attachment:updated',
  ]);
});

test('only the author changes an unclaimed file and a prepared upload; the latter makes no event', async () => {
  const loose = await app.given.attachment({ author: viewer });
  const prepared = await app.given.attachment({ author: viewer, status: 'prepared' });
  for (const { id } of [loose, prepared]) {
    expect((await update(id, 'x')).errors).toMatchObject([{ extensions: { status: 404 } }]);
    const { data } = await update(id, 'Mine', viewer);
    expect(data.updateAttachment.attachment).toMatchObject({
      description: { raw: 'Mine' },
      container: null,
    });
  }
  expect((await events(loose.id)).map(({ kind }) => kind)).toEqual(['attachment:updated']);
  expect(await events(prepared.id)).toEqual([]);
});

test.each([
  ['too long', 'x'.repeat(256), 'Description is too long (maximum is 255 characters).'],
  ['with NUL', 'a\0b', 'Description must not contain NUL or broken characters.'],
  ['with a lone surrogate', '\ud800', 'Description must not contain NUL or broken characters.'],
])('a description %s is refused as at the upload', async (_what, description, message) => {
  const container = await app.given.workPackage(project, editor);
  const row = await app.given.attachment({ container, author: editor, description: 'Old' });
  const { data, errors } = await update(row.id, description);
  expect({ data, errors }).toEqual({
    data: null,
    errors: [
      {
        message,
        path: ['updateAttachment'],
        locations: [expect.any(Object)],
        extensions: {
          code: 'PROPERTY_CONSTRAINT_VIOLATION',
          errorIdentifier: 'urn:service-org:api:v3:errors:PropertyConstraintViolation',
          status: 422,
          attribute: 'description',
        },
      },
    ],
  });
  expect((await update(row.id, '🧱'.repeat(255))).errors).toBeUndefined();
});

test('a webhook for changed attachments receives the event', async () => {
  const admin = await app.given.user({ admin: true });
  const { data } = await app.graphql(
    'mutation { createWebhook(input: { url: "https://hooks.example.test/", events: [ATTACHMENT_UPDATED] }) { webhook { id events } } }',
    {},
    admin,
  );
  expect(data.createWebhook.webhook.events).toEqual(['ATTACHMENT_UPDATED']);
  const container = await app.given.workPackage(project, editor);
  const row = await app.given.attachment({ container, author: editor, fileName: 'a.txt' });
  await update(row.id, 'New');
  await dispatchEvents(app.running.services);
  const found = await app.running.services.db
    .read('webhook_deliveries')
    .where('kind', 'attachment:updated')
    .orderBy('id', 'desc')
    .first('body');
  expect(JSON.parse(found.body)).toEqual({
    type: 'attachment:updated',
    timestamp: TIME,
    data: {
      id: row.id,
      href: `/api/v3/attachments/${row.id}`,
      authorId: editor.id,
      projectId: project.id,
      container: { type: 'WorkPackage', id: container.id },
      fileName: 'a.txt',
      fileSize: 9,
      contentType: 'text/plain',
      status: 'uploaded',
    },
  });
});

const rename = (id: number, fileName: unknown, person: Person | undefined = editor) =>
  app.graphql(UPDATE, { input: { id: String(id), fileName } }, person);

test('a new name is shown everywhere, recorded once, and found', async () => {
  const container = await app.given.workPackage(project, editor);
  const row = await app.given.attachment({ container, author: editor, fileName: 'wall.txt' });
  const { data, errors } = await rename(row.id, 'Quay wall.txt');
  expect([data?.updateAttachment.attachment.fileName, errors]).toEqual([
    'Quay wall.txt',
    undefined,
  ]);
  expect((await rename(row.id, 'Quay wall.txt')).errors).toBeUndefined();
  expect(await events(row.id)).toEqual([
    {
      kind: 'attachment:updated',
      container: container.id,
      data: {
        fileName: 'Quay wall.txt',
        fileSize: 9,
        contentType: 'text/plain',
        status: 'uploaded',
      },
    },
  ]);
  const { body } = await app.get(`${container.path}/activities`, viewer);
  expect(body._embedded.elements).toEqual([
    changeBody(
      body._embedded.elements[0].id,
      container,
      project,
      editor,
      'File wall.txt renamed to Quay wall.txt',
    ),
  ]);
  const content = await app.get(`/api/v3/attachments/${row.id}/content`, viewer);
  expect(content.headers.get('content-disposition')).toBe('inline; filename="Quay wall.txt"');
  const found = await app.graphql(
    'query ($id: ID!) { workPackage(id: $id) { attachments(filter: { search: "quay" }) { nodes { fileName } } } }',
    { id: String(container.id) },
    viewer,
  );
  expect(found.data).toEqual({
    workPackage: { attachments: { nodes: [{ fileName: 'Quay wall.txt' }] } },
  });
});

test('name and description change together, with one event', async () => {
  const container = await app.given.workPackage(project, editor);
  const row = await app.given.attachment({ container, author: editor, fileName: 'a.txt' });
  await app.graphql(
    UPDATE,
    { input: { id: String(row.id), fileName: 'b.txt', description: 'Plan' } },
    editor,
  );
  expect((await events(row.id)).map(({ kind }) => kind)).toEqual(['attachment:updated']);
  const { data } = await app.graphql(
    'query ($id: ID!) { workPackage(id: $id) { activities { nodes { details { raw } } } } }',
    { id: String(container.id) },
    viewer,
  );
  expect(data.workPackage.activities.nodes).toEqual([
    {
      details: [
        { raw: 'File a.txt renamed to b.txt' },
        { raw: 'Description of file b.txt changed' },
      ],
    },
  ]);
});

test.each([
  ['null', null, 'file', "File can't be blank."],
  ['blank', ' ', 'file', "File can't be blank."],
  ['too long', 'x'.repeat(256), 'fileName', 'File name is too long (maximum is 255 characters).'],
  [
    'with a path',
    '../a',
    'fileName',
    'File name must not contain path separators or control characters.',
  ],
])('a name that is %s is refused as in an upload', async (_what, fileName, attribute, message) => {
  const container = await app.given.workPackage(project, editor);
  const row = await app.given.attachment({ container, author: editor, fileName: 'a.txt' });
  const { errors } = await rename(row.id, fileName);
  expect(errors).toMatchObject([
    { message, extensions: { code: 'PROPERTY_CONSTRAINT_VIOLATION', attribute } },
  ]);
  expect((await app.get(`/api/v3/attachments/${row.id}`, editor)).body.fileName).toBe('a.txt');
});

test('the type follows a new name, and must be allowed', async () => {
  const strict = await startApp({ ATTACHMENT_ALLOWLIST: 'text/plain, text/csv' });
  try {
    const admin = await strict.given.user({ admin: true });
    const container = await strict.given.post(await strict.given.project(), admin);
    const upload = (fileName: string, content: string) =>
      strict.upload(container.attachments, { as: admin, fileName, content });
    const { id } = (await upload('table.txt', 'a;b')).body;
    const { id: empty } = (await upload('empty.csv', '')).body;
    const named = (one: number, fileName: string) =>
      strict.graphql(
        'mutation ($input: UpdateAttachmentInput!) { updateAttachment(input: $input) { attachment { contentType } } }',
        { input: { id: String(one), fileName } },
        admin,
      );
    expect((await named(id, 'table.csv')).data.updateAttachment.attachment.contentType).toBe(
      'text/csv',
    );
    expect((await named(empty, 'none.csv')).errors).toBeUndefined();
    expect((await named(id, 'page.html')).errors).toMatchObject([
      {
        message: 'The content type text/html is not allowed for upload.',
        extensions: { attribute: 'contentType' },
      },
    ]);
    const { body } = await strict.get(`/api/v3/attachments/${id}`, admin);
    expect([body.fileName, body.contentType]).toEqual(['table.csv', 'text/csv']);
  } finally {
    await strict.stop();
  }
});
