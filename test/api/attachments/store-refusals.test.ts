/** What the store and the service refuse between preparation and finalization, as the uploading client sees it. */
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import { startApp, startBeside, type App } from '../../support/app.js';
import {
  eventually,
  finalized,
  objects,
  prepare,
  sendForm,
  uploaded,
  Work,
  type Form,
} from '../../support/direct-upload.js';
import { attachmentElement, errorBody, notFound, userBody } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { describeS3, freshBucket, s3Environment, type S3Bucket } from '../../support/rgw.js';

const sha256 = (content: string | Uint8Array) => ({
  algorithm: 'sha256',
  hash: createHash('sha256').update(content).digest('hex'),
});
const CONTENT = 'the right content';
const OTHER = 'not right content';

let app: App;
let work: Work;
let bucket: S3Bucket;
let project: { id: number; name: string };
let editor: Person;
let container: ContainerHandle;

interface Prepared {
  id: number;
  form: Form;
  completion: string;
}

async function prepared({
  on = app,
  content = CONTENT,
  ...metadata
}: { on?: App; content?: string; [member: string]: unknown } = {}): Promise<Prepared> {
  const { status, body } = await prepare(on, `${container.attachments}/prepare`, editor, {
    fileName: 'a.txt',
    fileSize: Buffer.byteLength(content),
    contentType: 'text/plain',
    ...metadata,
  });
  expect(status).toBe(201);
  return {
    id: body.id,
    form: body._links.addAttachment,
    completion: body._links.completeUpload.href,
  };
}

const changed = (form: Form, changes: { [name: string]: string | undefined }): Form => ({
  ...form,
  form_fields: Object.fromEntries(
    Object.entries({ ...form.form_fields, ...changes }).filter(([, value]) => value !== undefined),
  ) as Form['form_fields'],
});

/** The completion finds no file, and the upload is still pending. */
async function expectIncomplete({ id, completion }: Prepared, problem: string) {
  const { status, body } = await app.get(completion, editor);
  expect({ status, body }).toEqual({
    status: 404,
    body: errorBody('NotFound', `The file has not reached the storage${problem}`),
  });
  expect((await app.get(`/api/v3/attachments/${id}`, editor)).body.status).toBe('prepared');
}
const ABSENT = '. Upload it with the form of the prepared upload first.';
const onlyBytes = (there: number, of = CONTENT.length) =>
  `: ${there} of ${of} bytes are there. Upload it again with the form of the prepared upload.`;

/** The same form accepts the right content, which is then served. */
async function expectUsable({ id, form, completion }: Prepared, content = CONTENT) {
  expect((await sendForm(form, content)).status).toBe(201);
  expect((await app.get(completion, editor)).status).toBe(200);
  await expectServed(id, content);
}

async function expectServed(id: number, content: string) {
  const { status, body } = await finalized(app, id, editor);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      ...attachmentElement({
        id,
        fileName: 'a.txt',
        fileSize: content.length,
        contentType: 'text/plain',
        digest: sha256(content),
        author: editor,
        container,
        deletable: true,
        downloadLocation: expect.stringContaining('X-Amz-Signature='),
      }),
      _embedded: {
        author: userBody(editor),
        container: expect.objectContaining({ id: container.id }),
      },
    },
  });
  expect(await (await fetch(body._links.downloadLocation.href)).text()).toBe(content);
}

const rejections = () =>
  app.logLines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'an upload was rejected')
    .map(({ attachment, reason }) => ({ attachment, reason }));

describeS3('the form of a direct upload', () => {
  beforeAll(async () => {
    bucket = await freshBucket();
    app = await startApp(s3Environment(bucket));
    work = new Work(app);
    work.start();
    project = await app.given.project();
    editor = await app.given.member(project, ['view_wiki_pages', 'edit_wiki_pages']);
    container = await app.given.wikiPage(project, editor);
  });
  afterAll(async () => {
    await work?.stop();
    await app?.stop();
  });

  describe('is refused by the store', () => {
    test.each<[string, (form: Form) => Promise<Response>]>([
      ['with one byte too many', (form) => sendForm(form, `${CONTENT}!`)],
      ['with far too many bytes', (form) => sendForm(form, Buffer.alloc(1_000_000))],
      [
        'under another key',
        (form) =>
          sendForm(changed(form, { key: `${form.form_fields['key']!.slice(0, -1)}x` }), CONTENT),
      ],
      [
        'under the key of a finished file',
        (form) => sendForm(changed(form, { key: `files/${'a'.repeat(32)}` }), CONTENT),
      ],
      [
        'with another content type',
        (form) => sendForm(changed(form, { 'Content-Type': 'text/html' }), CONTENT),
      ],
      [
        'without its content type',
        (form) => sendForm(changed(form, { 'Content-Type': undefined }), CONTENT),
      ],
      [
        'with another status',
        (form) => sendForm(changed(form, { success_action_status: '200' }), CONTENT),
      ],
      [
        'with an access control list',
        (form) => sendForm(changed(form, { acl: 'public-read' }), CONTENT),
      ],
      [
        'with a longer policy',
        (form) => {
          const policy = JSON.parse(Buffer.from(form.form_fields['policy']!, 'base64').toString());
          policy.conditions[0] = ['content-length-range', 0, 1_000_000];
          return sendForm(
            changed(form, { policy: Buffer.from(JSON.stringify(policy)).toString('base64') }),
            CONTENT,
          );
        },
      ],
      [
        'with another signature',
        (form) => sendForm(changed(form, { 'X-Amz-Signature': 'a'.repeat(64) }), CONTENT),
      ],
      [
        'without signature',
        (form) => sendForm(changed(form, { 'X-Amz-Signature': undefined }), CONTENT),
      ],
      ['without policy', (form) => sendForm(changed(form, { policy: undefined }), CONTENT)],
      [
        'without any credentials',
        (form) =>
          sendForm(
            {
              ...form,
              form_fields: { key: form.form_fields['key']!, 'Content-Type': 'text/plain' },
            },
            CONTENT,
          ),
      ],
    ])(
      '%s; nothing is stored, and the form still works with the right data',
      async (_name, send) => {
        const one = await prepared();
        const before = await objects(bucket);
        const { status } = await send(one.form);
        expect(status >= 400 && status < 500).toBe(true);
        expect(await objects(bucket)).toEqual(before);
        await expectIncomplete(one, ABSENT);
        await expectUsable(one);
      },
    );

    test('when it has expired, while a form of the same moment with a longer lifetime is accepted', async () => {
      const brief = await startBeside(app, { UPLOAD_URL_SECONDS: '1' });
      try {
        const [one, longer] = [await prepared({ on: brief }), await prepared()];
        await eventually(
          async () => (await sendForm(one.form, CONTENT)).status,
          (status) => status === 403,
        );
        await expectUsable(longer);
      } finally {
        await brief.stop();
      }
    });
  });

  describe('is accepted by the store and rejected at the completion', () => {
    test('without the part file: the form can be used again', async () => {
      const one = await prepared();
      const { status } = await sendForm(one.form, undefined);
      // Amazon refuses it.
      if (status === 201) await expectIncomplete(one, onlyBytes(2));
      await expectUsable(one);
    });

    test('with an empty file, or one byte too few', async () => {
      const one = await prepared();
      for (const content of ['', CONTENT.slice(1)]) {
        expect((await sendForm(one.form, content)).status).toBe(201);
        await expectIncomplete(one, onlyBytes(content.length));
      }
      await expectUsable(one);
    });

    test('cut off in the middle, with and without a declared length', async () => {
      const one = await prepared();
      for (const announce of ['all', 'what is sent'] as const) {
        await sendCut(one.form, 7, announce);
        const { status, body } = await app.get(one.completion, editor);
        expect({ status, body }).toEqual({
          status: 404,
          body: errorBody(
            'NotFound',
            expect.stringMatching(/^The file has not reached the storage/) as never,
          ),
        });
      }
      expect((await app.get(`/api/v3/attachments/${one.id}`, editor)).body.status).toBe('prepared');
      await expectUsable(one);
    });
  });

  describe('used again', () => {
    test('before the completion, the last content counts', async () => {
      const one = await prepared();
      expect((await sendForm(one.form, OTHER)).status).toBe(201);
      await expectUsable(one);
    });

    test('after the completion does not change the served file, and the object is cleaned up once the form has expired', async () => {
      const one = await prepared();
      await expectUsable(one);
      const key = one.form.form_fields['key']!;
      await eventually(
        () => objects(bucket),
        (names) => !names.includes(key),
      );
      const location = (await app.get(`/api/v3/attachments/${one.id}`, editor)).body._links
        .downloadLocation.href;
      expect((await sendForm(one.form, OTHER)).status).toBe(201);
      expect(await objects(bucket)).toContain(key);
      expect((await app.get(one.completion, editor)).body).toEqual(notFound);
      await expectServed(one.id, CONTENT);
      expect(await (await fetch(location)).text()).toBe(CONTENT);

      const pending = await uploaded(app, { as: editor, to: container.attachments });
      const { services } = app.running;
      await work.paused(async () => {
        const at = (seconds: number) => ({
          ...services,
          clock: () => new Date(Date.now() + seconds * 1000),
        });
        await runCleanup(at(800));
        expect(await objects(bucket)).toEqual(
          expect.arrayContaining([key, pending.form.form_fields['key']!]),
        );
        expect((await runCleanup(at(910), { dryRun: true })).staged).toBe(1);
        expect((await runCleanup(at(910))).staged).toBe(1);
      });
      const left = await objects(bucket);
      expect(left).not.toContain(key);
      expect(left).toContain(pending.form.form_fields['key']!);
      await expectServed(one.id, CONTENT);
    });

    test('after a deletion does not restore the attachment', async () => {
      const one = await prepared();
      await expectUsable(one);
      expect((await app.delete(`/api/v3/attachments/${one.id}`, editor)).status).toBe(204);
      expect((await sendForm(one.form, CONTENT)).status).toBe(201);
      for (const path of [`/api/v3/attachments/${one.id}`, one.completion])
        expect(await app.get(path, editor)).toMatchObject({ status: 404, body: notFound });
      await runCleanup({ ...app.running.services, clock: () => new Date(Date.now() + 910_000) });
      expect(await objects(bucket)).not.toContain(one.form.form_fields['key']);
    });

    test('between completion and finalization with a wrong digest is refused', async () => {
      const one = await work.paused(async () => {
        const made = await prepared({ digest: sha256(CONTENT) });
        expect((await sendForm(made.form, CONTENT)).status).toBe(201);
        expect((await app.get(made.completion, editor)).status).toBe(200);
        expect((await sendForm(made.form, OTHER)).status).toBe(201);
        return made;
      });
      expect((await finalized(app, one.id, editor)).body).toEqual(notFound);
      expect(rejections()).toContainEqual({
        attachment: one.id,
        reason: `Its sha256 digest is ${sha256(OTHER).hash} instead of ${sha256(CONTENT).hash}.`,
      });
    });

    test('between completion and finalization with another size is refused', async () => {
      const one = await work.paused(async () => {
        const made = await prepared();
        expect((await sendForm(made.form, CONTENT)).status).toBe(201);
        expect((await app.get(made.completion, editor)).status).toBe(200);
        expect((await sendForm(made.form, 'short')).status).toBe(201);
        return made;
      });
      expect((await finalized(app, one.id, editor)).body).toEqual(notFound);
      expect(rejections()).toContainEqual({
        attachment: one.id,
        reason: 'It has 5 bytes instead of 17.',
      });
    });

    test('between completion and finalization with other content of the same size: digest and type match the served content', async () => {
      const one = await work.paused(async () => {
        const made = await prepared();
        expect((await sendForm(made.form, CONTENT)).status).toBe(201);
        expect((await app.get(made.completion, editor)).status).toBe(200);
        expect((await sendForm(made.form, OTHER)).status).toBe(201);
        return made;
      });
      await expectServed(one.id, OTHER);
    });

    test('in the middle of the finalization cannot change the verified content', async () => {
      const { blobs } = app.running.services;
      const one = await prepared({ digest: sha256(CONTENT) });
      await work.stop();
      try {
        expect((await sendForm(one.form, CONTENT)).status).toBe(201);
        const replay = async () => expect((await sendForm(one.form, OTHER)).status).toBe(201);
        work.start({
          blobs: {
            ...blobs,
            async copy(from, to) {
              await blobs.copy(from, to);
              await replay();
            },
            async read(key, range) {
              const content = await blobs.read(key, range);
              await replay();
              return content;
            },
          },
        });
        expect((await app.get(one.completion, editor)).status).toBe(200);
        await expectServed(one.id, CONTENT);
      } finally {
        await work.stop();
        work.start();
      }
    });

    test('bytes that disappear between completion and finalization end the upload', async () => {
      const one = await work.paused(async () => {
        const made = await prepared();
        expect((await sendForm(made.form, CONTENT)).status).toBe(201);
        expect((await app.get(made.completion, editor)).status).toBe(200);
        await app.running.services.blobs.remove(made.form.form_fields['key']!);
        return made;
      });
      expect((await finalized(app, one.id, editor)).body).toEqual(notFound);
      expect(rejections()).toContainEqual({
        attachment: one.id,
        reason: 'The file is no longer in the storage.',
      });
    });
  });

  test('if the store fails for some time, the upload is finalized later', async () => {
    const { blobs } = app.running.services;
    const one = await prepared();
    await work.stop();
    try {
      expect((await sendForm(one.form, CONTENT)).status).toBe(201);
      let failures = 0;
      work.start({
        blobs: {
          ...blobs,
          async copy(from, to) {
            await blobs.copy(from, to);
            failures += 1;
            if (failures < 2) throw new Error('The store does not answer.');
          },
        },
      });
      expect((await app.get(one.completion, editor)).status).toBe(200);
      await expectServed(one.id, CONTENT);
      expect(failures).toBe(2);
      const { blob_key } = await app.running.services.db
        .read('attachments')
        .where('id', one.id)
        .first();
      await runCleanup(app.running.services);
      expect((await objects(bucket)).filter((name) => name.startsWith('files/'))).toContain(
        `files/${blob_key}`,
      );
    } finally {
      await work.stop();
      work.start();
    }
  });

  test('the bucket contains only objects of attachments', async () => {
    for (const { id } of await app.running.services.db
      .read('attachments')
      .where('status', 'prepared')
      .select('id'))
      await app.delete(`/api/v3/attachments/${id}`, editor);
    await runCleanup({ ...app.running.services, clock: () => new Date(Date.now() + 910_000) });
    const named = (await app.running.services.db.read('attachments').select('blob_key')).map(
      ({ blob_key }) => `files/${blob_key}`,
    );
    expect((await objects(bucket)).sort()).toEqual(named.sort());
  });
});

/** A form whose body ends within the file, without the closing boundary; then the connection is closed. */
function sendCut(
  { href, form_fields }: Form,
  bytes: number,
  announce: 'all' | 'what is sent',
): Promise<void> {
  const { hostname, port, pathname, host } = new URL(href);
  const field = (name: string, value: string) =>
    `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const fields = Object.entries(form_fields)
    .map(([name, value]) => field(name, value))
    .join('');
  const body = `${fields}--cut\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n${CONTENT.slice(0, bytes)}`;
  const length = body.length + (announce === 'all' ? 100 : 0);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).on('close', () => resolve());
    // An answer ends the exchange, although more bytes were declared.
    socket.on('data', () => socket.destroy());
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: multipart/form-data; boundary=cut\r\nContent-Length: ${length}\r\n\r\n${body}`,
      () => {
        if (announce === 'all') socket.end();
      },
    );
  });
}
