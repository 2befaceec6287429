import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Attachment } from '../../../src/models/attachment.js';
import { startApp, type App } from '../../support/app.js';
import {
  TIME,
  attachmentElement,
  collectionOf,
  defaultDetails,
  errorBody,
  missingPermission,
  notFound,
  userBody,
} from '../../support/expected.js';
import { kinds, type ContainerHandle, type Kind, type Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

const viewing: { [kind in Kind]: string[] } = {
  WorkPackage: ['view_work_packages'],
  Activity: ['view_work_packages'],
  Meeting: ['view_meetings'],
  Post: ['view_messages'],
  WikiPage: ['view_wiki_pages'],
};
const editing: { [kind in Kind]: string[] } = {
  WorkPackage: ['view_work_packages', 'edit_work_packages'],
  Activity: ['view_work_packages', 'edit_work_packages'],
  Meeting: ['view_meetings', 'edit_meetings'],
  Post: ['view_messages', 'edit_messages'],
  WikiPage: ['view_wiki_pages', 'edit_wiki_pages'],
};
const sha256 = (content: string | Uint8Array) => ({
  algorithm: 'sha256',
  hash: createHash('sha256').update(content).digest('hex'),
});

/** Names of the files below the blob folder. */
const storedFiles = (app: App) =>
  readdirSync(join(app.folder, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
const rowCount = (app: App) => Attachment.query(app.running.services.db.write).resultSize();

let app: App;
let project: { id: number; name: string };
let stranger: Person;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  project = await app.given.project();
  stranger = await app.given.user();
  admin = await app.given.user({ admin: true, firstName: 'Ada', lastName: 'Admin' });
});
afterAll(() => app.stop());

/** Meetings, posts and wiki pages are embedded with their main fields, the other containers in full. */
function containerBody(
  { kind, id, title, path, attachments }: ContainerHandle,
  author: Person,
  {
    addable,
    editable,
    workPackage,
  }: { addable: boolean; editable: boolean; workPackage?: { id: number; title: string } },
) {
  const add = addable && { addAttachment: { href: attachments, method: 'post' } };
  const projectLink = { href: `/api/v3/projects/${project.id}`, title: project.name };
  const common = { attachments: { href: attachments }, ...add, project: projectLink };
  switch (kind) {
    case 'WorkPackage':
      return {
        _type: kind,
        id,
        subject: title,
        description: { format: 'markdown', raw: '', html: '' },
        lockVersion: 0,
        createdAt: TIME,
        updatedAt: TIME,
        _links: {
          self: { href: path, title },
          ...common,
          ...defaultDetails,
          author: { href: `/api/v3/users/${author.id}`, title: author.name },
          activities: { href: `${path}/activities` },
          ancestors: [],
          ...(editable && { updateImmediately: { href: path, method: 'patch' } }),
        },
      };
    case 'Activity':
      return {
        _type: 'Activity::Comment',
        id,
        comment: { format: 'markdown', raw: 'A comment', html: '<p>A comment</p>' },
        details: [],
        internal: false,
        createdAt: TIME,
        updatedAt: TIME,
        _links: {
          self: { href: path },
          ...common,
          workPackage: {
            href: `/api/v3/work_packages/${workPackage!.id}`,
            title: workPackage!.title,
          },
          user: { href: `/api/v3/users/${author.id}`, title: author.name },
          ...(editable && { update: { href: path, method: 'patch' } }),
        },
      };
    case 'Post':
      return {
        _type: kind,
        id,
        subject: title,
        _links: { self: { href: path, title }, ...common },
      };
    default:
      return { _type: kind, id, title, _links: { self: { href: path, title }, ...common } };
  }
}

describe.each(kinds)('attachments of a %s', (kind) => {
  let author: Person;
  let viewer: Person;
  let editor: Person;
  let workPackage: ContainerHandle;
  const make = async (): Promise<ContainerHandle> =>
    kind === 'Activity'
      ? app.given.comment(workPackage, author)
      : app.given.container(kind, project, author);

  beforeAll(async () => {
    author = await app.given.user({ firstName: 'Tom', lastName: 'Fen' });
    viewer = await app.given.member(project, viewing[kind]);
    editor = await app.given.member(project, editing[kind]);
    workPackage = await app.given.workPackage(project, author, 'Order bricks');
  });

  test('a user who can view the container gets the full attachment, with its author and container', async () => {
    const container = await make();
    const row = await app.given.attachment({
      container,
      author,
      fileName: 'plan.txt',
      content: 'ground floor',
      description: 'a <b>',
    });
    const expected = (deletable: boolean) => {
      const { _links, ...own } = attachmentElement({
        id: row.id,
        fileName: 'plan.txt',
        fileSize: 12,
        description: { raw: 'a <b>', html: '<p>a &lt;b&gt;</p>' },
        contentType: 'text/plain',
        digest: sha256('ground floor'),
        author,
        container,
        deletable,
      });
      const embedded = containerBody(container, author, {
        addable: deletable || kind === 'Activity',
        editable: deletable,
        workPackage: { id: workPackage.id, title: 'Order bricks' },
      });
      return { ...own, _embedded: { author: userBody(author), container: embedded }, _links };
    };
    const seen = await app.get(`/api/v3/attachments/${row.id}`, viewer);
    expect(seen.status).toBe(200);
    expect(seen.headers.get('content-type')).toBe('application/hal+json; charset=utf-8');
    expect(seen.body).toEqual(expected(false));
    expect((await app.get(`/api/v3/attachments/${row.id}`, editor)).body).toEqual(expected(true));
  });

  test('without the view permission, reads, downloads, uploads and deletions answer 404 and change nothing', async () => {
    const container = await make();
    const row = await app.given.attachment({ container, author });
    const answers = [
      await app.get(`/api/v3/attachments/${row.id}`, stranger),
      await app.get(`/api/v3/attachments/${row.id}/content`, stranger),
      await app.get(container.attachments, stranger),
      await app.upload(container.attachments, { as: stranger }),
      await app.delete(`/api/v3/attachments/${row.id}`, stranger),
    ];
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({ status: 404, body: notFound });
    expect((await app.get(container.attachments, viewer)).body.total).toBe(1);
  });

  test('the attachment list of a missing container answers 404', async () => {
    const { path } = await make();
    const missing = await app.get(`${path.replace(/\d+$/, '99999')}/attachments`, admin);
    expect(missing.status).toBe(404);
    expect(missing.body).toEqual(notFound);
  });

  test('the list is an unpaginated collection of finished attachments without embedded resources', async () => {
    const container = await make();
    const first = await app.given.attachment({
      container,
      author,
      fileName: 'a.txt',
      content: 'a',
    });
    const second = await app.given.attachment({
      container,
      author,
      fileName: 'b.txt',
      content: 'b',
    });
    await app.given.attachment({ container, author, fileName: 'pending.txt', status: 'prepared' });
    const element = (row: Attachment, content: string) =>
      attachmentElement({
        id: row.id,
        fileName: row.fileName,
        fileSize: 1,
        contentType: 'text/plain',
        digest: sha256(content),
        author,
        container,
        deletable: false,
      });
    const { status, body } = await app.get(container.attachments, viewer);
    expect(status).toBe(200);
    expect(body).toEqual(
      collectionOf(container.attachments, [element(first, 'a'), element(second, 'b')]),
    );
  });

  test('work packages and meetings list by file name, other containers by creation time', async () => {
    const container = await make();
    for (const fileName of ['c.txt', 'a.txt', 'b.txt', 'B.txt', 'ä.txt'])
      await app.given.attachment({ container, author, fileName });
    const { body } = await app.get(container.attachments, viewer);
    const names = body._embedded.elements.map(({ fileName }: { fileName: string }) => fileName);
    expect(names).toEqual(
      kind === 'WorkPackage' || kind === 'Meeting'
        ? ['B.txt', 'a.txt', 'b.txt', 'c.txt', 'ä.txt']
        : ['c.txt', 'a.txt', 'b.txt', 'B.txt', 'ä.txt'],
    );
  });

  test('a valid two-part upload answers 200 with the full attachment, and the bytes are stored unchanged', async () => {
    const container = await make();
    const content = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256));
    const added = await app.upload(container.attachments, {
      as: editor,
      fileName: 'roof.bin',
      partName: 'original.txt',
      description: { raw: 'the roof' },
      content,
    });
    expect(added.status).toBe(200);
    const { _links, ...own } = attachmentElement({
      id: added.body.id,
      fileName: 'roof.bin',
      fileSize: 70_000,
      description: { raw: 'the roof', html: '<p>the roof</p>' },
      contentType: 'application/octet-stream',
      digest: sha256(content),
      author: editor,
      container,
      deletable: true,
    });
    const embedded = containerBody(container, author, {
      addable: true,
      editable: true,
      workPackage: { id: workPackage.id, title: 'Order bricks' },
    });
    expect(added.body).toEqual({
      ...own,
      _embedded: { author: userBody(editor), container: embedded },
      _links,
    });
    expect((await app.get(`/api/v3/attachments/${added.body.id}`, editor)).body).toEqual(
      added.body,
    );
    const downloaded = await app.get(added.body._links.downloadLocation.href, viewer);
    expect(downloaded.bytes.equals(content)).toBe(true);
  });

  test('a viewer without the edit permission gets 403 for uploads and deletions (a comment allows uploads)', async () => {
    const container = await make();
    const row = await app.given.attachment({ container, author });
    const deleted = await app.delete(`/api/v3/attachments/${row.id}`, viewer);
    expect({ status: deleted.status, body: deleted.body }).toEqual({
      status: 403,
      body: missingPermission,
    });
    const added = await app.upload(container.attachments, { as: viewer });
    if (kind === 'Activity') expect(added.status).toBe(200);
    else
      expect({ status: added.status, body: added.body }).toEqual({
        status: 403,
        body: missingPermission,
      });
    expect((await app.get(`/api/v3/attachments/${row.id}`, viewer)).status).toBe(200);
  });

  test('an editor deletes with 204; afterwards the attachment answers 404 and the stored file is gone', async () => {
    const container = await make();
    const row = await app.given.attachment({ container, author });
    expect(storedFiles(app)).toContain(row.blobKey);
    const deleted = await app.delete(`/api/v3/attachments/${row.id}`, editor);
    expect({ status: deleted.status, text: deleted.text }).toEqual({ status: 204, text: '' });
    expect((await app.get(`/api/v3/attachments/${row.id}`, editor)).status).toBe(404);
    expect((await app.delete(`/api/v3/attachments/${row.id}`, editor)).status).toBe(404);
    expect(storedFiles(app)).not.toContain(row.blobKey);
    expect(await Attachment.query(app.running.services.db.write).findById(row.id)).toBeUndefined();
  });

  test('two uploads with the same file name make two attachments', async () => {
    const container = await make();
    const [one, two] = [
      await app.upload(container.attachments, { as: editor, fileName: 'same.txt' }),
      await app.upload(container.attachments, { as: editor, fileName: 'same.txt' }),
    ];
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.body.id).not.toBe(two.body.id);
    expect((await app.get(container.attachments, viewer)).body.count).toBe(2);
  });

  test("an added or deleted file is recorded in a work package's history and updates other containers' updatedAt", async () => {
    const container = await make();
    const table = {
      WorkPackage: 'work_packages',
      Activity: 'activities',
      Meeting: 'meetings',
      Post: 'posts',
      WikiPage: 'wiki_pages',
    }[kind];
    const { db } = app.running.services;
    const updatedAt = async () =>
      (await db.read(table).where('id', container.id).first()).updated_at as string;
    const before = '2020-01-01T00:00:00.000Z';
    const makeOld = () => db.write(table).where('id', container.id).update({ updated_at: before });
    await makeOld();
    const added = await app.upload(container.attachments, { as: editor, fileName: 'new.txt' });
    expect(await updatedAt()).not.toBe(before);
    await makeOld();
    await app.delete(`/api/v3/attachments/${added.body.id}`, editor);
    expect(await updatedAt()).not.toBe(before);
    if (kind !== 'WorkPackage') return;
    const { body } = await app.get(`${container.path}/activities`, viewer);
    expect(
      body._embedded.elements.map((activity: any) => ({
        type: activity._type,
        user: activity._links.user,
        details: activity.details,
      })),
    ).toEqual(
      ['File new.txt added', 'File new.txt removed'].map((raw) => ({
        type: 'Activity',
        user: { href: `/api/v3/users/${editor.id}`, title: editor.name },
        details: [{ format: 'plain', raw, html: `<p>${raw}</p>` }],
      })),
    );
    expect((await app.get(container.path, viewer)).body.lockVersion).toBe(0);
  });

  test('only its author can view and delete a prepared upload', async () => {
    const container = await make();
    const row = await app.given.attachment({
      container,
      author: viewer,
      fileName: 'pending.txt',
      status: 'prepared',
      contentType: 'application/octet-stream',
    });
    const seen = await app.get(`/api/v3/attachments/${row.id}`, viewer);
    expect({
      status: seen.body.status,
      digest: seen.body.digest,
      deletable: 'delete' in seen.body._links,
    }).toEqual({ status: 'prepared', digest: { algorithm: 'sha256', hash: '' }, deletable: true });
    for (const other of [editor, admin])
      expect((await app.get(`/api/v3/attachments/${row.id}`, other)).body).toEqual(notFound);
    expect((await app.delete(`/api/v3/attachments/${row.id}`, editor)).status).toBe(404);
    expect((await app.delete(`/api/v3/attachments/${row.id}`, viewer)).status).toBe(204);
  });
});

describe('attachments of internal comments', () => {
  test('an attachment of an internal comment answers 404 without view_internal_comments, else 200', async () => {
    const author = await app.given.user();
    const workPackage = await app.given.workPackage(project, author);
    const container = await app.given.comment(workPackage, author, { internal: true });
    const row = await app.given.attachment({ container, author });
    const viewer = await app.given.member(project, ['view_work_packages']);
    const insider = await app.given.member(project, [
      'view_work_packages',
      'view_internal_comments',
    ]);
    const onlyInternal = await app.given.member(project, ['view_internal_comments']);
    for (const path of [`/api/v3/attachments/${row.id}`, container.attachments, container.path]) {
      expect((await app.get(path, viewer)).body).toEqual(notFound);
      expect((await app.get(path, onlyInternal)).body).toEqual(notFound);
      expect((await app.get(path, insider)).status).toBe(200);
    }
    expect((await app.upload(container.attachments, { as: viewer })).status).toBe(404);
    expect((await app.upload(container.attachments, { as: insider })).status).toBe(200);
  });
});

describe('attachments without container', () => {
  let uploader: Person;
  beforeAll(async () => {
    uploader = await app.given.member(await app.given.project(), ['add_work_packages']);
  });

  test('a user with attach permission in any project can upload, and is the author and only reader', async () => {
    const added = await app.upload('/api/v3/attachments', {
      as: uploader,
      fileName: 'loose.txt',
      content: 'loose',
    });
    expect(added.status).toBe(200);
    const { _links, ...own } = attachmentElement({
      id: added.body.id,
      fileName: 'loose.txt',
      fileSize: 5,
      contentType: 'text/plain',
      digest: sha256('loose'),
      author: uploader,
      deletable: true,
    });
    expect(added.body).toEqual({ ...own, _embedded: { author: userBody(uploader) }, _links });
    expect((await app.get(`/api/v3/attachments/${added.body.id}`, uploader)).body).toEqual(
      added.body,
    );
    for (const other of [admin, stranger, undefined])
      expect((await app.get(`/api/v3/attachments/${added.body.id}`, other)).body).toEqual(notFound);
  });

  test('only the author can view and delete an unclaimed attachment; even an administrator cannot', async () => {
    const row = await app.given.attachment({ author: uploader });
    for (const other of [admin, stranger, undefined]) {
      expect((await app.get(`/api/v3/attachments/${row.id}`, other)).body).toEqual(notFound);
      expect((await app.get(`/api/v3/attachments/${row.id}/content`, other)).body).toEqual(
        notFound,
      );
      expect((await app.delete(`/api/v3/attachments/${row.id}`, other)).body).toEqual(notFound);
    }
    expect((await app.delete(`/api/v3/attachments/${row.id}`, uploader)).status).toBe(204);
  });

  test('an upload without such a permission in any project answers 403', async () => {
    const viewer = await app.given.member(project, [
      'view_work_packages',
      'view_meetings',
      'view_messages',
      'view_wiki_pages',
      'add_work_package_comments',
      'manage_file_links',
    ]);
    for (const person of [viewer, stranger, undefined]) {
      const { status, body } = await app.upload('/api/v3/attachments', { as: person });
      expect({ status, body }).toEqual({ status: 403, body: missingPermission });
    }
  });

  test.each([
    'edit_work_packages',
    'add_work_packages',
    'edit_messages',
    'edit_wiki_pages',
    'edit_meetings',
    'add_work_package_attachments',
  ])('%s in any project is enough to upload', async (permission) => {
    const person = await app.given.member(await app.given.project(), [permission]);
    expect((await app.upload('/api/v3/attachments', { as: person })).status).toBe(200);
  });

  test('anonymous users cannot upload without a container, even if the role Anonymous has the permission', async () => {
    await app.given.role(['edit_wiki_pages', 'view_wiki_pages'], 'Anonymous');
    await app.given.project({ isPublic: true });
    expect((await app.upload('/api/v3/attachments')).status).toBe(403);
    await app.given.role([], 'Anonymous');
  });
});

describe('the upload request', () => {
  let editor: Person;
  let container: ContainerHandle;
  let list: string;
  const state = async () => ({ rows: await rowCount(app), files: storedFiles(app).length });
  beforeAll(async () => {
    editor = await app.given.member(project, ['view_wiki_pages', 'edit_wiki_pages']);
    container = await app.given.wikiPage(project, editor);
    list = container.attachments;
  });

  /** Expects this refusal, and that nothing was stored. */
  async function refused(
    options: Parameters<App['upload']>[1],
    status: number,
    body: object,
    on = app,
  ) {
    const before = { rows: await rowCount(on), files: storedFiles(on).length };
    const answer = await on.upload(list, options);
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
    expect({ rows: await rowCount(on), files: storedFiles(on).length }).toEqual(before);
  }
  const send = (form: FormData, path = list) =>
    app.request('POST', path, { as: editor, body: form });
  const file = () => new Blob(['x']);

  test('a form without the metadata part answers 400', async () => {
    const form = new FormData();
    form.append('file', file(), 'x.txt');
    const before = await state();
    const { status, body } = await send(form);
    expect({ status, body }).toEqual({
      status: 400,
      body: errorBody('InvalidRequestBody', 'The part metadata is missing.'),
    });
    expect(await state()).toEqual(before);
  });

  test('a form without the file part, or with another part name, answers 400', async () => {
    const form = new FormData();
    form.append('metadata', '{"fileName":"x.txt"}');
    const { status, body } = await send(form);
    expect({ status, body }).toEqual({
      status: 400,
      body: errorBody('InvalidRequestBody', 'The part file is missing.'),
    });
    form.append('attachment', file(), 'x.txt');
    const renamed = await send(form);
    expect({ status: renamed.status, body: renamed.body }).toEqual({
      status: 400,
      body: errorBody(
        'InvalidRequestBody',
        'The request must have exactly two parts: metadata and file.',
      ),
    });
  });

  test('a third part, a duplicate part, or a file part without a filename answers 400', async () => {
    const two = () => {
      const form = new FormData();
      form.append('metadata', '{"fileName":"x.txt"}');
      form.append('file', file(), 'x.txt');
      return form;
    };
    const before = await state();
    for (const spoil of [
      (form: FormData) => form.append('extra', '1'),
      (form: FormData) => form.append('metadata', '{"fileName":"y.txt"}'),
      (form: FormData) => form.append('file', file(), 'y.txt'),
    ]) {
      const form = two();
      spoil(form);
      const { status, body } = await send(form);
      expect({ status, body }).toEqual({
        status: 400,
        body: errorBody(
          'InvalidRequestBody',
          'The request must have exactly two parts: metadata and file.',
        ),
      });
    }
    const nameless = new FormData();
    nameless.append('metadata', '{"fileName":"x.txt"}');
    nameless.append('file', 'x');
    expect((await send(nameless)).body).toEqual(
      errorBody(
        'InvalidRequestBody',
        'The part file must carry a filename in its Content-Disposition.',
      ),
    );
    expect(await state()).toEqual(before);
  });

  test('metadata that is not JSON answers 400', () =>
    refused(
      { as: editor, metadata: '{"fileName":' },
      400,
      errorBody('InvalidRequestBody', 'The request could not be parsed as JSON.'),
    ));

  test('metadata that is not a single JSON object answers 400', () =>
    refused(
      { as: editor, metadata: '["a"]' },
      400,
      errorBody('InvalidRequestBody', 'The request body was not a single JSON object.'),
    ));

  test('metadata without a file name answers 422, even if the file part has a name', async () => {
    const blank = errorBody('PropertyConstraintViolation', "File can't be blank.", 'file');
    await refused({ as: editor, metadata: '{}', partName: 'named.txt' }, 422, blank);
    await refused({ as: editor, fileName: null }, 422, blank);
    await refused({ as: editor, fileName: '  ' }, 422, blank);
    await refused({ as: editor, metadata: '{}', fileFirst: true }, 422, blank);
  });

  test('several errors answer the first message and the list of all', async () => {
    const answer = await app.upload(list, { as: editor, fileName: '', description: 7 });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      ...errorBody('PropertyConstraintViolation', "File can't be blank."),
      _embedded: {
        details: { attribute: 'file' },
        errors: [
          errorBody('PropertyConstraintViolation', "File can't be blank.", 'file'),
          errorBody(
            'PropertyConstraintViolation',
            'Description must be a string or an object with a "raw" string.',
            'description',
          ),
        ],
      },
    });
  });

  test('another Content-Type answers 415', async () => {
    const { status, body } = await app.post(list, editor, { fileName: 'x.txt' });
    expect({ status, body }).toEqual({
      status: 415,
      body: errorBody(
        'TypeNotSupported',
        "Expected CONTENT-TYPE to be 'multipart/form-data' but got 'application/json'.",
      ),
    });
  });

  test('a missing Content-Type answers 406 with a HAL body', async () => {
    const { status, body } = await app.request('POST', list, { as: editor });
    expect({ status, body }).toEqual({
      status: 406,
      body: errorBody('TypeNotSupported', 'Missing content-type header'),
    });
  });

  test('an Accept header without a JSON type answers 406; */* and hal+json are accepted', async () => {
    const form = () => {
      const made = new FormData();
      made.append('metadata', '{"fileName":"x.txt"}');
      made.append('file', file(), 'x.txt');
      return made;
    };
    const accept = (value: string) =>
      app.request('POST', list, { as: editor, body: form(), headers: { accept: value } });
    expect((await accept('text/html')).body).toEqual(
      errorBody(
        'TypeNotSupported',
        'The service answers application/hal+json and application/json only.',
      ),
    );
    expect((await accept('text/html')).status).toBe(406);
    expect(
      await Promise.all(
        ['*/*', 'application/json', 'application/hal+json', 'text/html, application/*;q=0.5'].map(
          async (value) => (await accept(value)).status,
        ),
      ),
    ).toEqual([200, 200, 200, 200]);
  });

  test('the content type is detected from the bytes and the name, not from the part header', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const typeOf = async (fileName: string, content: string | Uint8Array, partType: string) =>
      (await app.upload(list, { as: editor, fileName, content, partType })).body.contentType;
    expect(await typeOf('code.js', 'alert(1)', 'image/png')).toBe('text/javascript');
    expect(await typeOf('picture.txt', png, 'text/plain')).toBe('image/png');
    expect(await typeOf('picture.png', 'just text', 'image/png')).toBe('text/plain');
    expect(await typeOf('data.json', '{}', 'text/html')).toBe('application/json');
    expect(await typeOf('page.html', '<p>hi</p>', 'text/plain')).toBe('text/html');
    expect(await typeOf('unknown', Buffer.from([0, 1, 2, 3]), 'text/plain')).toBe(
      'application/octet-stream',
    );
    expect(await typeOf('empty.bin', '', 'text/plain')).toBe('application/octet-stream');
    expect(await typeOf('umlaut.csv', 'ä;ö', 'x/y')).toBe('text/csv');
  });

  test('the description is an object or plain text of at most 255 characters', async () => {
    expect(
      (await app.upload(list, { as: editor, description: { raw: 'x' } })).body.description,
    ).toEqual({ format: 'plain', raw: 'x', html: '<p>x</p>' });
    expect(
      (await app.upload(list, { as: editor, description: 'plain text' })).body.description.raw,
    ).toBe('plain text');
    expect(
      (await app.upload(list, { as: editor, description: '😀'.repeat(255) })).body.description.raw,
    ).toBe('😀'.repeat(255));
    await refused(
      { as: editor, description: 'x'.repeat(256) },
      422,
      errorBody(
        'PropertyConstraintViolation',
        'Description is too long (maximum is 255 characters).',
        'description',
      ),
    );
  });

  test('an empty file is accepted', async () => {
    const { status, body } = await app.upload(list, {
      as: editor,
      fileName: 'empty.txt',
      content: '',
    });
    expect({ status, size: body.fileSize, type: body.contentType, digest: body.digest }).toEqual({
      status: 200,
      size: 0,
      type: 'text/plain',
      digest: sha256(''),
    });
    expect((await app.get(`/api/v3/attachments/${body.id}/content`, editor)).bytes.byteLength).toBe(
      0,
    );
  });

  test('Unicode file names are returned unchanged', async () => {
    for (const fileName of [
      'Grundriß – Erdgeschoß (2).txt',
      'план.txt',
      '見積.txt',
      '😀.txt',
      '  spaces .txt',
      'quotes"\'%;.txt',
      '..',
      'a'.repeat(255),
      '.hidden',
      'e\u0301.txt',
    ]) {
      const { status, body } = await app.upload(list, { as: editor, fileName });
      expect({
        status,
        fileName: body.fileName,
        title: body.title,
        link: body._links.self.title,
      }).toEqual({ status: 200, fileName, title: fileName, link: fileName });
      expect((await app.get(`/api/v3/attachments/${body.id}`, editor)).body.fileName).toBe(
        fileName,
      );
    }
  });

  test('the metadata part can come after the file part', async () => {
    const { status, body } = await app.upload(list, {
      as: editor,
      fileName: 'late.txt',
      content: 'late',
      fileFirst: true,
    });
    expect({ status, fileName: body.fileName, digest: body.digest }).toEqual({
      status: 200,
      fileName: 'late.txt',
      digest: sha256('late'),
    });
  });

  test('an unknown id answers 404', async () => {
    expect((await app.get('/api/v3/attachments/99999', admin)).body).toEqual(notFound);
    expect((await app.delete('/api/v3/attachments/99999', admin)).body).toEqual(notFound);
  });

  test('DELETE needs no Content-Type, and answers 404 for an unknown id', async () => {
    const { status, body } = await app.delete('/api/v3/attachments/99999', admin);
    expect({ status, body }).toEqual({ status: 404, body: notFound });
  });

  test('paths of old API versions answer 404', async () => {
    const row = await app.given.attachment({ container, author: editor });
    expect((await app.get(`/api/v3/attachments/${row.id}/download`, editor)).body).toEqual(
      notFound,
    );
  });
});

describe('work packages', () => {
  test.each(['add_work_packages', 'add_work_package_attachments'])(
    '%s without the edit permission allows uploads but not deletions',
    async (permission) => {
      const person = await app.given.member(project, ['view_work_packages', permission]);
      const container = await app.given.workPackage(project, admin);
      const added = await app.upload(container.attachments, { as: person });
      expect(added.status).toBe(200);
      expect(added.body._links).not.toHaveProperty('delete');
      expect((await app.delete(`/api/v3/attachments/${added.body.id}`, person)).status).toBe(403);
    },
  );
});

describe('settings', () => {
  test('the maximum size is configurable and inclusive, and appears in the error message and the configuration resource', async () => {
    const small = await startApp({ ATTACHMENT_MAX_SIZE: '1024' });
    try {
      const admin = await small.given.user({ admin: true });
      const container = await small.given.meeting(await small.given.project(), admin);
      const tooLarge = errorBody(
        'PropertyConstraintViolation',
        'File is too large (maximum size is 1024 Bytes).',
        'fileSize',
      );
      for (const fileFirst of [false, true]) {
        const answer = await small.upload(container.attachments, {
          as: admin,
          content: Buffer.alloc(2048),
          fileFirst,
        });
        expect({ status: answer.status, body: answer.body }).toEqual({
          status: 422,
          body: tooLarge,
        });
      }
      expect(
        (await small.upload(container.attachments, { as: admin, content: Buffer.alloc(1025) }))
          .status,
      ).toBe(422);
      expect(
        (await small.upload(container.attachments, { as: admin, content: Buffer.alloc(1024) })).body
          .fileSize,
      ).toBe(1024);
      expect((await small.get('/api/v3/configuration')).body.maximumAttachmentFileSize).toBe(1024);
      expect((await app.get('/api/v3/configuration')).body.maximumAttachmentFileSize).toBe(
        5_242_880,
      );
      expect({ rows: await rowCount(small), files: storedFiles(small).length }).toEqual({
        rows: 1,
        files: 1,
      });
    } finally {
      await small.stop();
    }
  });

  test('the allowlist checks the detected content type and the extension', async () => {
    const strict = await startApp({ ATTACHMENT_ALLOWLIST: 'text/csv, image/*, *.log' });
    const shown = '{ configuration { attachmentAllowlist } }';
    expect([(await strict.graphql(shown)).data, (await app.graphql(shown)).data]).toEqual([
      { configuration: { attachmentAllowlist: ['text/csv', 'image/*', '*.log'] } },
      { configuration: { attachmentAllowlist: [] } },
    ]);
    try {
      const admin = await strict.given.user({ admin: true });
      const container = await strict.given.post(await strict.given.project(), admin);
      const png = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      );
      const upload = (fileName: string, content: string | Uint8Array) =>
        strict.upload(container.attachments, { as: admin, fileName, content });
      const refused = await upload('page.html', '<p>');
      expect({ status: refused.status, body: refused.body }).toEqual({
        status: 422,
        body: errorBody(
          'PropertyConstraintViolation',
          'The content type text/html is not allowed for upload.',
          'contentType',
        ),
      });
      expect((await upload('table.csv', 'a;b')).status).toBe(200);
      expect((await upload('picture.csv', png)).body.contentType).toBe('image/png');
      expect((await upload('ANY.LOG', Buffer.from([0, 1]))).status).toBe(200);
      expect({ rows: await rowCount(strict), files: storedFiles(strict).length }).toEqual({
        rows: 3,
        files: 3,
      });
    } finally {
      await strict.stop();
    }
  });

  test('the openproject profile answers 201 with its product URNs, md5 and MultipleErrors', async () => {
    const dialect = await startApp({ API_PROFILE: 'openproject' });
    try {
      const admin = await dialect.given.user({ admin: true });
      const container = await dialect.given.meeting(await dialect.given.project(), admin);
      const added = await dialect.upload(container.attachments, { as: admin, content: 'dialect' });
      expect({ status: added.status, digest: added.body.digest }).toEqual({
        status: 201,
        digest: { algorithm: 'md5', hash: createHash('md5').update('dialect').digest('hex') },
      });
      expect((await dialect.upload('/api/v3/attachments', { as: admin })).status).toBe(201);
      expect((await dialect.get('/api/v3/attachments/99999', admin)).body).toEqual(
        errorBody(
          'NotFound',
          'The requested resource could not be found.',
          undefined,
          'openproject-org',
        ),
      );
      const several = await dialect.upload(container.attachments, {
        as: admin,
        fileName: '',
        description: 7,
      });
      expect({ status: several.status, body: several.body }).toEqual({
        status: 422,
        body: {
          ...errorBody(
            'MultipleErrors',
            'Multiple field constraints have been violated.',
            undefined,
            'openproject-org',
          ),
          _embedded: {
            errors: [
              errorBody(
                'PropertyConstraintViolation',
                "File can't be blank.",
                'file',
                'openproject-org',
              ),
              errorBody(
                'PropertyConstraintViolation',
                'Description must be a string or an object with a "raw" string.',
                'description',
                'openproject-org',
              ),
            ],
          },
        },
      });
    } finally {
      await dialect.stop();
    }
  });
});
