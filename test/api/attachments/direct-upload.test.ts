/** Direct uploads against a real store: prepare, send, complete, and finalize in the background. */
import { createHash } from 'node:crypto';
import { expireAttachments } from '../../../src/actions/operate/cleanup/expire-attachments.js';
import { User } from '../../../src/models/user.js';
import { startApp, type Answer, type App } from '../../support/app.js';
import {
  eventually,
  finalized,
  objects,
  prepare,
  sendForm,
  uploadDirectly,
  uploaded,
  Work,
  type Form,
} from '../../support/direct-upload.js';
import {
  attachmentElement,
  changeBody,
  collectionOf,
  errorBody,
  missingPermission,
  notFound,
  TIME,
  TITLE,
  uploadBody,
  userBody,
  violations,
  SYSTEM,
} from '../../support/expected.js';
import { kinds, type ContainerHandle, type Kind, type Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { describeS3, freshBucket, s3Environment, type S3Bucket } from '../../support/rgw.js';

const viewing: { [kind in Kind]: string[] } = {
  WorkPackage: ['view_work_packages'],
  Activity: ['view_work_packages'],
  Meeting: ['view_meetings'],
  Post: ['view_messages'],
  WikiPage: ['view_wiki_pages'],
};
/** The permissions that allow preparing an upload. */
const preparing: { [kind in Kind]: string[] } = {
  WorkPackage: ['view_work_packages', 'edit_work_packages'],
  Activity: ['view_work_packages', 'add_work_package_comments'],
  Meeting: ['view_meetings', 'edit_meetings'],
  Post: ['view_messages', 'edit_messages'],
  WikiPage: ['view_wiki_pages', 'edit_wiki_pages'],
};
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const hashOf = (algorithm: string, content: string | Uint8Array) =>
  createHash(algorithm).update(content).digest('hex');
const sha256 = (content: string | Uint8Array) => ({
  algorithm: 'sha256',
  hash: hashOf('sha256', content),
});
const algorithms = new Map([
  ['sha256', 'SHA256'],
  ['sha1', 'SHA1'],
  ['md5', 'MD5'],
]);
/** The digest of an input in GraphQL, whose enum has no other algorithms. */
const inGraphql = ({ digest }: { digest?: string | { algorithm: string } }) =>
  typeof digest === 'object'
    ? { digest: { ...digest, algorithm: algorithms.get(digest.algorithm) } }
    : {};
const unclaimed = '/api/v3/attachments';

let app: App;
let work: Work;
let bucket: S3Bucket;
let project: { id: number; name: string };
let admin: Person;
let stranger: Person;

/** The storage URL that needs no credentials. */
const signed = () =>
  expect.stringMatching(
    new RegExp(
      `^${bucket.endpoint}/${bucket.bucket}/files/[0-9a-f]{32}\\?.*X-Amz-Signature=[0-9a-f]{64}`,
    ),
  );

/** The bytes as a client gets them after the redirect. */
async function download(on: App, id: number, as: Person): Promise<string> {
  const { status, headers } = await on.get(`/api/v3/attachments/${id}/content`, as);
  if (status !== 302) throw new Error(`The download was answered with ${status}.`);
  return (await fetch(headers.get('location')!)).text();
}

/** The outbox rows of an attachment. */
const outbox = async (id: number, on = app): Promise<string[]> =>
  (
    await on.running.services.db
      .write('events')
      .where({ subject_type: 'Attachment', subject_id: id })
      .orderBy('id')
  ).map(({ kind }) => kind);

/** The attachment changes in the history of a work package. */
async function history(workPackage: ContainerHandle, as: Person, on = app): Promise<any[]> {
  const { body } = await on.get(`${workPackage.path}/activities`, as);
  return body._embedded.elements.filter(({ _type }: { _type: string }) => _type === 'Activity');
}

/** The log entries of one level about an upload. */
const logged = (id: number, level: 'info' | 'warn', on = app) =>
  on.logLines
    .map((line) => JSON.parse(line))
    .filter((line) => line.attachment === id && line.level === { info: 30, warn: 40 }[level])
    .map(({ msg, reason }) => ({ msg, ...(reason && { reason }) }));

/** The container as its own URL shows it, without embedded resources. */
async function containerBody(container: ContainerHandle, as: Person): Promise<object> {
  const { _embedded, ...own } = (await app.get(container.path, as)).body;
  return own;
}

const PREPARE = `mutation ($input: PrepareAttachmentUploadInput!) { prepareAttachmentUpload(input: $input) { upload {
  id databaseId fileName description { format raw html } createdAt author { databaseId name } container { __typename databaseId ${TITLE} } addAttachment { href method formFields { name value } }
} } }`;
const COMPLETE = `mutation ($id: ID!) { completeAttachmentUpload(input: { id: $id }) { attachment { databaseId fileName fileSize status contentType digest { algorithm hash } author { databaseId } downloadLocation } } }`;
const globalId = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64url');

describeS3('direct upload', () => {
  beforeAll(async () => {
    bucket = await freshBucket();
    app = await startApp({ ...s3Environment(bucket), PREVIEWS: 'false' });
    work = new Work(app);
    work.start();
    project = await app.given.project();
    admin = await app.given.user({ admin: true, firstName: 'Ada', lastName: 'Admin' });
    stranger = await app.given.user();
  });
  afterAll(async () => {
    await work?.stop();
    await app?.stop();
  });

  /** Expects this refusal, and that no upload is pending. */
  async function refused(answer: Promise<Answer>, status: number, body: object) {
    const rows = () => app.running.services.db.write('attachments').count({ count: '*' });
    const before = await rows();
    const got = await answer;
    expect({ status: got.status, body: got.body }).toEqual({ status, body });
    expect(await rows()).toEqual(before);
  }

  /** Expects that the attachment and its bytes are deleted. */
  async function expectGone(id: number, as: Person, form: Form) {
    expect((await app.get(`/api/v3/attachments/${id}`, as)).body).toEqual(notFound);
    await eventually(
      () => app.running.services.db.write('attachments').where({ id }),
      (rows) => rows.length === 0,
    );
    expect(await objects(bucket)).not.toContain(form.form_fields['key']);
  }

  describe.each<[string, Kind | undefined]>([
    ...kinds.map((kind): [string, Kind] => [`a ${kind}`, kind]),
    ['no container', undefined],
  ])('to %s', (_name, kind) => {
    let author: Person;
    let preparer: Person;
    let viewer: Person;
    let container: ContainerHandle | undefined;
    let path: string;
    const deleteContainer = (target: ContainerHandle) =>
      app.graphql(
        `mutation ($id: ID!) { delete${target.kind === 'Activity' ? 'Comment' : target.kind}(input: { id: $id }) { __typename } }`,
        { id: target.globalId },
        admin,
      );

    beforeAll(async () => {
      author = await app.given.user({ firstName: 'Tom', lastName: 'Fen' });
      viewer = await app.given.member(
        project,
        kind
          ? viewing[kind]
          : [
              'view_work_packages',
              'view_meetings',
              'view_messages',
              'view_wiki_pages',
              'add_work_package_comments',
            ],
      );
      preparer = await app.given.member(
        kind ? project : await app.given.project(),
        kind ? preparing[kind] : ['add_work_packages'],
      );
      container = kind && (await app.given.container(kind, project, author));
      path = container?.attachments ?? unclaimed;
    });

    test('preparing answers 201 with the full upload: form, links, and the container if there is one', async () => {
      const { status, headers, body } = await prepare(app, `${path}/prepare`, preparer, {
        fileName: 'plan.txt',
        fileSize: 12,
        contentType: 'text/plain',
        description: { raw: 'a <b>' },
      });
      expect({
        status,
        type: headers.get('content-type'),
        cache: headers.get('cache-control'),
      }).toEqual({
        status: 201,
        type: 'application/hal+json; charset=utf-8',
        cache: 'private, no-store',
      });
      const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
      const form_fields = {
        key: expect.stringMatching(/^staging\/[0-9a-f]{32}$/),
        bucket: bucket.bucket,
        'Content-Type': 'text/plain',
        success_action_status: '201',
        'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
        'X-Amz-Credential': `${bucket.accessKeyId}/${day}/us-east-1/s3/aws4_request`,
        'X-Amz-Date': expect.stringMatching(/^\d{8}T\d{6}Z$/),
        policy: expect.stringMatching(/^[\w+/]+=*$/),
        'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
      };
      expect(body).toEqual(
        uploadBody({
          id: body.id,
          fileName: 'plan.txt',
          description: { raw: 'a <b>', html: '<p>a &lt;b&gt;</p>' },
          author: preparer,
          container,
          form: { href: `${bucket.endpoint}/${bucket.bucket}`, form_fields },
        }),
      );
      const { key, 'X-Amz-Date': date, ...fields } = body._links.addAttachment.form_fields;
      const policy = JSON.parse(Buffer.from(fields.policy, 'base64').toString());
      expect(policy).toEqual({
        expiration: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
        conditions: expect.arrayContaining([
          ['content-length-range', 0, 12],
          { key },
          { bucket: bucket.bucket },
          { 'Content-Type': 'text/plain' },
          { success_action_status: '201' },
          { 'X-Amz-Algorithm': 'AWS4-HMAC-SHA256' },
          { 'X-Amz-Credential': fields['X-Amz-Credential'] },
          { 'X-Amz-Date': date },
        ]),
      });
      expect(policy.conditions).toHaveLength(8);
      const left = new Date(policy.expiration).getTime() - Date.now();
      expect(left > 880_000 && left <= 900_000).toBe(true);
    });

    test('the upload resource itself cannot be read', async () => {
      const { body } = await prepare(app, `${path}/prepare`, preparer, {
        fileName: 'a.txt',
        fileSize: 1,
      });
      expect(await app.get(body._links.self.href, preparer)).toMatchObject({
        status: 404,
        body: notFound,
      });
    });

    test('only the preparer can view and delete a prepared upload, no list shows it, and deletion removes its bytes', async () => {
      const own = kind && (await app.given.container(kind, project, author));
      const { id, form } = await uploaded(app, {
        as: preparer,
        to: own?.attachments ?? unclaimed,
        content: 'bytes',
        fileName: 'pending.txt',
        contentType: 'text/csv',
      });
      const pending = attachmentElement({
        id,
        fileName: 'pending.txt',
        fileSize: 5,
        status: 'prepared',
        contentType: 'text/csv',
        digest: { algorithm: 'sha256', hash: '' },
        author: preparer,
        container: own,
        deletable: true,
      });
      const seen = await app.get(`/api/v3/attachments/${id}`, preparer);
      expect({ status: seen.status, body: seen.body }).toEqual({
        status: 200,
        body: {
          ...pending,
          _embedded: {
            author: userBody(preparer),
            ...(own && { container: await containerBody(own, preparer) }),
          },
        },
      });
      expect((await app.get(`/api/v3/attachments/${id}/content`, preparer)).body).toEqual(notFound);
      for (const other of [admin, viewer, stranger, undefined]) {
        for (const answer of [
          await app.get(`/api/v3/attachments/${id}`, other),
          await app.get(`/api/v3/attachments/${id}/content`, other),
          await app.delete(`/api/v3/attachments/${id}`, other),
        ]) {
          expect({ status: answer.status, body: answer.body }).toEqual({
            status: 404,
            body: notFound,
          });
        }
      }
      if (own)
        expect((await app.get(own.attachments, preparer)).body).toEqual(
          collectionOf(own.attachments, []),
        );
      expect(await objects(bucket)).toContain(form.form_fields['key']);
      const deleted = await app.delete(`/api/v3/attachments/${id}`, preparer);
      expect({ status: deleted.status, text: deleted.text }).toEqual({ status: 204, text: '' });
      await expectGone(id, preparer, form);
      expect(await outbox(id)).toEqual([]);
      if (own?.kind === 'WorkPackage') expect(await history(own, preparer)).toEqual([]);
    });

    test('a completed upload becomes a normal attachment with content type, digest, one event and one history entry', async () => {
      const own = kind && (await app.given.container(kind, project, author));
      const { db } = app.running.services;
      const table =
        kind &&
        {
          WorkPackage: 'work_packages',
          Activity: 'activities',
          Meeting: 'meetings',
          Post: 'posts',
          WikiPage: 'wiki_pages',
        }[kind];
      if (own)
        await db
          .write(table!)
          .where('id', own.id)
          .update({ updated_at: '2020-01-01T00:00:00.000Z' });
      const { id, completion, form } = await uploaded(app, {
        as: preparer,
        to: own?.attachments ?? unclaimed,
        content: PNG,
        fileName: 'roof.png',
        contentType: 'text/plain',
        description: 'the roof',
      });
      const completed = await app.get(completion, preparer);
      expect({ status: completed.status, cache: completed.headers.get('cache-control') }).toEqual({
        status: 200,
        cache: 'private, no-store',
      });
      const described = {
        id,
        fileName: 'roof.png',
        fileSize: PNG.byteLength,
        description: { raw: 'the roof', html: '<p>the roof</p>' },
        author: preparer,
        container: own,
        deletable: true,
      };
      const pending = attachmentElement({
        ...described,
        status: 'prepared',
        contentType: 'text/plain',
        digest: { algorithm: 'sha256', hash: '' },
      });
      const finished = attachmentElement({
        ...described,
        contentType: 'image/png',
        digest: sha256(PNG),
        downloadLocation: signed(),
      });
      expect(completed.body).toEqual(completed.body.status === 'prepared' ? pending : finished);

      const { status, body } = await finalized(app, id, preparer);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          ...finished,
          _embedded: {
            author: userBody(preparer),
            ...(own && { container: await containerBody(own, preparer) }),
          },
        },
      });
      if (own)
        expect((await app.get(own.attachments, viewer)).body).toEqual(
          collectionOf(own.attachments, [
            attachmentElement({
              ...described,
              deletable: false,
              contentType: 'image/png',
              digest: sha256(PNG),
              downloadLocation: signed(),
            }),
          ]),
        );
      expect(
        Buffer.from(await (await fetch(body._links.downloadLocation.href)).arrayBuffer()).equals(
          PNG,
        ),
      ).toBe(true);
      expect(await outbox(id)).toEqual(['attachment:created']);
      await eventually(
        () => objects(bucket),
        (names) => !names.includes(form.form_fields['key']!),
      );
      if (own)
        expect((await db.read(table!).where('id', own.id).first()).updated_at).not.toBe(
          '2020-01-01T00:00:00.000Z',
        );
      if (own?.kind === 'WorkPackage') {
        const changes = await history(own, viewer);
        expect(changes).toEqual([
          changeBody(changes[0]?.id, own, project, preparer, 'File roof.png added'),
        ]);
        expect((await app.get(own.path, viewer)).body.lockVersion).toBe(0);
      }
    });

    test('GraphQL offers the same three steps', async () => {
      const input = {
        ...(container && { containerId: container.globalId }),
        fileName: 'graph.txt',
        fileSize: 5,
        contentType: 'text/plain',
        description: 'x',
      };
      const prepared = await app.graphql(PREPARE, { input }, preparer);
      expect(prepared.errors).toBeUndefined();
      const { upload } = prepared.data.prepareAttachmentUpload;
      expect(upload).toEqual({
        id: globalId('AttachmentUpload', upload.databaseId),
        databaseId: expect.any(Number),
        fileName: 'graph.txt',
        description: { format: 'PLAIN', raw: 'x', html: '<p>x</p>' },
        createdAt: TIME,
        author: { databaseId: preparer.id, name: preparer.name },
        container: container
          ? {
              __typename: kind,
              databaseId: container.id,
              ...(container.title !== null && { title: container.title }),
            }
          : null,
        addAttachment: {
          href: `${bucket.endpoint}/${bucket.bucket}`,
          method: 'POST',
          formFields: expect.any(Array),
        },
      });
      const { formFields, href, method } = upload.addAttachment as {
        formFields: { name: string; value: string }[];
        href: string;
        method: string;
      };
      expect(
        await app.graphql('query ($id: ID!) { node(id: $id) { id } }', { id: upload.id }, preparer),
      ).toMatchObject({ status: 200, data: { node: null }, errors: undefined });
      const overRest = await prepare(app, `${path}/prepare`, preparer, {
        fileName: 'rest.txt',
        fileSize: 5,
        contentType: 'text/plain',
      });
      expect(formFields.map(({ name }) => name)).toEqual(
        Object.keys(overRest.body._links.addAttachment.form_fields),
      );
      expect(
        (
          await sendForm(
            {
              href,
              method,
              form_fields: Object.fromEntries(formFields.map(({ name, value }) => [name, value])),
            },
            'graph',
          )
        ).status,
      ).toBe(201);

      const others = await app.graphql(COMPLETE, { id: upload.id }, admin);
      expect(others.errors).toMatchObject([
        {
          message: notFound.message,
          extensions: {
            code: 'NOT_FOUND',
            errorIdentifier: 'urn:service-org:api:v3:errors:NotFound',
            status: 404,
          },
        },
      ]);
      const completed = await app.graphql(COMPLETE, { id: upload.id }, preparer);
      expect(completed.errors).toBeUndefined();
      expect(['PREPARED', 'UPLOADED']).toContain(
        completed.data.completeAttachmentUpload.attachment.status,
      );
      const { body } = await finalized(app, upload.databaseId, preparer);
      expect(body).toMatchObject({
        fileName: 'graph.txt',
        fileSize: 5,
        status: 'uploaded',
        contentType: 'text/plain',
        digest: sha256('graph'),
      });
      expect(
        (await app.graphql(COMPLETE, { id: String(upload.databaseId) }, preparer)).errors,
      ).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    });

    test('preparing answers 403 without the permission, 404 if the container is hidden; without a container, any project counts', async () => {
      const metadata = { fileName: 'a.txt', fileSize: 1, contentType: 'text/plain' };
      const invisible = kind
        ? { status: 404, body: notFound, code: 'NOT_FOUND' }
        : { status: 403, body: missingPermission, code: 'MISSING_PERMISSION' };
      for (const [person, { status, body, code }] of [
        [viewer, { status: 403, body: missingPermission, code: 'MISSING_PERMISSION' }],
        [stranger, invisible],
        [undefined, invisible],
      ] as const) {
        await refused(prepare(app, `${path}/prepare`, person, metadata), status, body);
        const { data, errors } = await app.graphql(
          PREPARE,
          { input: { ...metadata, ...(container && { containerId: container.globalId }) } },
          person,
        );
        expect({ data, errors }).toMatchObject({
          data: null,
          errors: [{ message: body.message, extensions: { code, status } }],
        });
      }
      if (container)
        await refused(
          prepare(
            app,
            `${container.path.replace(/\d+$/, '99999')}/attachments/prepare`,
            admin,
            metadata,
          ),
          404,
          notFound,
        );
    });

    test('only the preparer can complete an upload; other users and unknown ids get 404', async () => {
      const { id, completion } = await uploaded(app, { as: preparer, to: path });
      for (const other of [admin, viewer, stranger, undefined]) {
        const { status, body } = await app.get(completion, other);
        expect({ status, body }).toEqual({ status: 404, body: notFound });
      }
      expect((await app.get(`/api/v3/attachments/${id}`, preparer)).body.status).toBe('prepared');
      expect(await app.get('/api/v3/attachments/99999/uploaded', preparer)).toMatchObject({
        status: 404,
        body: notFound,
      });
      expect((await app.get(completion, preparer)).status).toBe(200);
      expect((await finalized(app, id, preparer)).body.status).toBe('uploaded');
    });

    test('an author who loses the permission before finalization loses the upload, and log and history give the reason', async () => {
      const own = kind && (await app.given.container(kind, project, author));
      const home = kind ? project : await app.given.project();
      const person = await app.given.member(home, kind ? preparing[kind] : ['edit_messages']);
      const { id, form } = await work.paused(async () => {
        const one = await uploaded(app, {
          as: person,
          to: own?.attachments ?? unclaimed,
          fileName: 'late.txt',
        });
        expect((await app.get(one.completion, person)).body.status).toBe('prepared');
        await app.given.membership(person, home, kind ? viewing[kind] : ['view_messages']);
        return one;
      });
      await finalized(app, id, person);
      await expectGone(id, person, form);
      if (own)
        expect((await app.get(own.attachments, viewer)).body).toEqual(
          collectionOf(own.attachments, []),
        );
      expect(logged(id, 'warn')).toEqual([
        { msg: 'an upload was rejected', reason: 'The author may no longer upload files here.' },
      ]);
      expect(await outbox(id)).toEqual(['attachment:rejected']);
      if (own?.kind === 'WorkPackage') {
        const changes = await history(own, viewer);
        expect(changes).toEqual([
          changeBody(
            changes[0]?.id,
            own,
            project,
            SYSTEM,
            'The upload of file late.txt failed: The author may no longer upload files here.',
          ),
        ]);
      }
    });

    if (kind) {
      test('deleting the container deletes the upload, before and after its completion', async () => {
        for (const complete of [false, true]) {
          const own = await app.given.container(kind, project, author);
          const { id, form } = await work.paused(async () => {
            const one = await uploaded(app, { as: preparer, to: own.attachments });
            if (complete) expect((await app.get(one.completion, preparer)).status).toBe(200);
            expect((await deleteContainer(own)).errors).toBeUndefined();
            expect(await app.get(one.completion, preparer)).toMatchObject({
              status: 404,
              body: notFound,
            });
            return one;
          });
          await expectGone(id, preparer, form);
          expect(await outbox(id)).toEqual([]);
        }
      });

      test('if direct upload is configured, the container links to prepare for users with the permission', async () => {
        const links = async (person: Person) =>
          (await app.get(container!.path, person)).body._links;
        expect((await links(preparer)).prepareAttachment).toEqual({
          href: `${container!.attachments}/prepare`,
          method: 'post',
        });
        expect(await links(viewer)).not.toHaveProperty('prepareAttachment');
        const field = kind[0]!.toLowerCase() + kind.slice(1);
        const offered = async (person: Person) =>
          (
            await app.graphql(
              `query ($id: ID!) { container: ${field}(id: $id) { viewerCanPrepareAttachment } }`,
              { id: container!.globalId },
              person,
            )
          ).data.container;
        expect([await offered(preparer), await offered(viewer)]).toEqual([
          { viewerCanPrepareAttachment: true },
          { viewerCanPrepareAttachment: false },
        ]);
      });
    }
  });

  test('the configuration links to prepare without a container', async () => {
    expect((await app.get('/api/v3/configuration')).body._links).toEqual({
      self: { href: '/api/v3/configuration' },
      prepareAttachment: { href: '/api/v3/attachments/prepare', method: 'post' },
    });
  });

  test('an internal comment also needs view_internal_comments', async () => {
    const outsider = await app.given.member(project, preparing.Activity);
    const insider = await app.given.member(project, [
      ...preparing.Activity,
      'view_internal_comments',
    ]);
    const container = await app.given.container('Activity', project, admin, { internal: true });
    await refused(
      prepare(app, `${container.attachments}/prepare`, outsider, {
        fileName: 'a.txt',
        fileSize: 1,
      }),
      404,
      notFound,
    );
    expect(
      (await uploadDirectly(app, { as: insider, to: container.attachments })).body.status,
    ).toBe('uploaded');
  });

  test('a comment needs add_work_package_comments, whatever other permissions the user has', async () => {
    const editor = await app.given.member(project, [
      'view_work_packages',
      'edit_work_packages',
      'add_work_packages',
    ]);
    const comment = await app.given.container('Activity', project, admin);
    await refused(
      prepare(app, `${comment.attachments}/prepare`, editor, { fileName: 'a.txt', fileSize: 1 }),
      403,
      missingPermission,
    );
  });

  test('the record of a change cannot have uploads', async () => {
    const record = await app.given.comment(await app.given.workPackage(project, admin), admin, {
      system: true,
    });
    await refused(
      prepare(app, `${record.attachments}/prepare`, admin, { fileName: 'a.txt', fileSize: 1 }),
      403,
      missingPermission,
    );
  });

  describe('the metadata', () => {
    let editor: Person;
    let container: ContainerHandle;
    let path: string;
    const good = { fileName: 'a.txt', fileSize: 3 };
    beforeAll(async () => {
      editor = await app.given.member(project, preparing.WikiPage);
      container = await app.given.wikiPage(project, editor);
      path = `${container.attachments}/prepare`;
    });

    const tooLarge = 'File is too large (maximum size is 5242880 Bytes).';
    const whole = 'Size must be a whole number of bytes, 0 or more.';
    const mediaType = 'Content type must be a media type such as image/png.';
    const hexadecimal = (digits: number) => `Digest hash must have ${digits} hexadecimal digits.`;
    test.each<[string, object, [string, string][]]>([
      ['a missing size', { fileName: 'a.txt' }, [["Size can't be blank.", 'fileSize']]],
      ['a size that is null', { ...good, fileSize: null }, [["Size can't be blank.", 'fileSize']]],
      ['a missing file name', { fileSize: 3 }, [["File can't be blank.", 'file']]],
      ['a file name that is null', { ...good, fileName: null }, [["File can't be blank.", 'file']]],
      ['a blank file name', { ...good, fileName: ' \t ' }, [["File can't be blank.", 'file']]],
      [
        'a missing file name and size',
        {},
        [
          ["File can't be blank.", 'file'],
          ["Size can't be blank.", 'fileSize'],
        ],
      ],
      ['a size over the maximum', { ...good, fileSize: 5_242_881 }, [[tooLarge, 'fileSize']]],
      ['an extremely large size', { ...good, fileSize: 1e300 }, [[whole, 'fileSize']]],
      ['a negative size', { ...good, fileSize: -1 }, [[whole, 'fileSize']]],
      ['a fractional size', { ...good, fileSize: 1.5 }, [[whole, 'fileSize']]],
      ['an invalid content type', { ...good, contentType: 'text' }, [[mediaType, 'contentType']]],
      [
        'a content type with a line break',
        { ...good, contentType: 'text/plain\r\nX-Evil: 1' },
        [[mediaType, 'contentType']],
      ],
      [
        'a very long content type',
        { ...good, contentType: `text/${'x'.repeat(300)}` },
        [[mediaType, 'contentType']],
      ],
      [
        'a very long description',
        { ...good, description: 'x'.repeat(256) },
        [['Description is too long (maximum is 255 characters).', 'description']],
      ],
      [
        'an unknown digest',
        { ...good, digest: { algorithm: 'crc32', hash: '00000000' } },
        [['Digest algorithm must be one of sha256, sha1, md5.', 'digest']],
      ],
      [
        'a digest algorithm named like an inherited property',
        { ...good, digest: { algorithm: 'constructor', hash: '00' } },
        [['Digest algorithm must be one of sha256, sha1, md5.', 'digest']],
      ],
      [
        'a short digest',
        { ...good, digest: { algorithm: 'sha256', hash: 'abc' } },
        [[hexadecimal(64), 'digest']],
      ],
      [
        'a digest of the wrong algorithm',
        { ...good, digest: { algorithm: 'sha1', hash: 'a'.repeat(32) } },
        [[hexadecimal(40), 'digest']],
      ],
      [
        'a digest that is not hexadecimal',
        { ...good, digest: { algorithm: 'md5', hash: 'g'.repeat(32) } },
        [[hexadecimal(32), 'digest']],
      ],
      [
        'several errors at once',
        {
          fileName: 'a/b',
          fileSize: -1,
          contentType: 'text',
          digest: { algorithm: 'x', hash: '' },
        },
        [
          ['File name must not contain path separators or control characters.', 'fileName'],
          [whole, 'fileSize'],
          [mediaType, 'contentType'],
          ['Digest algorithm must be one of sha256, sha1, md5.', 'digest'],
        ],
      ],
    ])('%s is refused with 422, over REST and over GraphQL', async (_name, metadata, problems) => {
      await refused(prepare(app, path, editor, metadata), 422, violations(...problems));
      const { data, errors } = await app.graphql(
        PREPARE,
        { input: { containerId: container.globalId, ...metadata, ...inGraphql(metadata) } },
        editor,
      );
      const [[message, attribute]] = problems as [[string, string]];
      expect({ data, errors }).toEqual({
        data: null,
        errors: [
          {
            message,
            path: ['prepareAttachmentUpload'],
            locations: expect.any(Array),
            extensions: {
              code: 'PROPERTY_CONSTRAINT_VIOLATION',
              errorIdentifier: 'urn:service-org:api:v3:errors:PropertyConstraintViolation',
              status: 422,
              attribute,
              ...(problems.length > 1 && {
                violations: problems.map(([text, name]) => ({ message: text, attribute: name })),
              }),
            },
          },
        ],
      });
    });

    test.each<[string, object, string, string]>([
      ['a size as text', { ...good, fileSize: '3' }, 'FileSize must be a number.', 'fileSize'],
      [
        'a size that is true',
        { ...good, fileSize: true },
        'FileSize must be a number.',
        'fileSize',
      ],
      [
        'a file name that is a number',
        { ...good, fileName: 7 },
        'FileName must be a string.',
        'fileName',
      ],
      [
        'a content type that is a number',
        { ...good, contentType: 7 },
        'ContentType must be a string.',
        'contentType',
      ],
      [
        'a digest as text',
        { ...good, digest: 'a'.repeat(64) },
        'Digest must be an object with an algorithm and a hash.',
        'digest',
      ],
      [
        'a digest without hash',
        { ...good, digest: { algorithm: 'sha256' } },
        'Digest must be an object with an algorithm and a hash.',
        'digest',
      ],
    ])(
      '%s is refused with 422, and by the GraphQL schema with 400',
      async (_name, metadata, message, attribute) => {
        await refused(
          prepare(app, path, editor, metadata),
          422,
          errorBody('PropertyConstraintViolation', message, attribute),
        );
        const { data, errors } = await app.graphql(
          PREPARE,
          { input: { containerId: container.globalId, ...metadata, ...inGraphql(metadata) } },
          editor,
        );
        expect({ data, errors }).toMatchObject({
          data: undefined,
          errors: [{ extensions: { code: 'INVALID_REQUEST_BODY', status: 400 } }],
        });
      },
    );

    test.each<[string, object]>([
      ['the minimum', good],
      ['size 0', { ...good, fileSize: 0 }],
      ['the maximum size', { ...good, fileSize: 5_242_880 }],
      ['a size such as 3.0', { ...good, fileSize: 3.0 }],
      [
        'null for optional members',
        { ...good, contentType: null, description: null, digest: null },
      ],
      ['a description as text', { ...good, description: 'x' }],
      ['a content type with parameters', { ...good, contentType: 'text/plain; charset="utf-8"' }],
      ['unknown members', { ...good, color: 'red', _links: 7 }],
      ['the longest name', { ...good, fileName: 'ä'.repeat(255) }],
    ])('%s is accepted', async (_name, metadata) => {
      expect((await prepare(app, path, editor, metadata)).status).toBe(201);
    });

    test('an undeclared content type is application/octet-stream until finalization detects it', async () => {
      const { id, completion } = await uploaded(app, {
        as: editor,
        to: container.attachments,
        content: PNG,
        fileName: 'roof.png',
        contentType: null,
      });
      expect((await app.get(`/api/v3/attachments/${id}`, editor)).body).toMatchObject({
        status: 'prepared',
        contentType: 'application/octet-stream',
      });
      expect((await app.get(completion, editor)).status).toBe(200);
      expect((await finalized(app, id, editor)).body).toMatchObject({
        status: 'uploaded',
        contentType: 'image/png',
      });
    });

    const send = (fill: (form: FormData) => void, headers = {}) => {
      const form = new FormData();
      fill(form);
      return app.request('POST', path, { as: editor, body: form, headers });
    };
    const json = (text: string) => new Blob([text], { type: 'application/json' });
    test.each<[string, (form: FormData) => void, string]>([
      ['a request without the part metadata', () => undefined, 'The part metadata is missing.'],
      [
        'metadata that is not JSON',
        (form) => form.append('metadata', '{"fileName":'),
        'The request could not be parsed as JSON.',
      ],
      ['empty metadata', (form) => form.append('metadata', ''), 'The request body was empty.'],
      [
        'metadata that is an array',
        (form) => form.append('metadata', '[]'),
        'The request body was not a single JSON object.',
      ],
      [
        'metadata that is text',
        (form) => form.append('metadata', '"a.txt"'),
        'The request body was not a single JSON object.',
      ],
      [
        'a duplicate member',
        (form) => form.append('metadata', '{"fileSize":1,"fileName":"a","fileSize":2}'),
        'The member "fileSize" occurs twice in one object.',
      ],
      [
        'metadata split into fields',
        (form) => {
          form.append('fileName', 'a.txt');
          form.append('fileSize', '3');
        },
        'The part metadata is missing.',
      ],
      [
        'the part metadata twice',
        (form) => {
          form.append('metadata', JSON.stringify(good));
          form.append('metadata', JSON.stringify(good));
        },
        'The request must have the part metadata once.',
      ],
    ])('%s is refused with 400', async (_name, fill, message) => {
      await refused(send(fill), 400, errorBody('InvalidRequestBody', message));
    });

    test('other parts are ignored, up to the size of a body without a file', async () => {
      const text = JSON.stringify(good);
      for (const fill of [
        (form: FormData) => {
          form.append('metadata', text);
          form.append('file', new Blob(['abc']), 'a.txt');
        },
        (form: FormData) => {
          form.append('file', new Blob([new Uint8Array(1_000_000)]), 'a.txt');
          for (let part = 0; part < 50; part += 1) form.append(`other ${part}`, 'x');
          form.append('metadata', json(text));
        },
      ]) {
        const { status, body } = await send(fill);
        expect({ status, fileName: body.fileName }).toEqual({ status: 201, fileName: 'a.txt' });
      }
      for (const metadataFirst of [true, false])
        await refused(
          send((form) => {
            if (metadataFirst) form.append('metadata', text);
            form.append('file', new Blob([new Uint8Array(1_048_576)]), 'a.txt');
            if (!metadataFirst) form.append('metadata', text);
          }),
          400,
          errorBody('InvalidRequestBody', 'The request body is larger than 1048576 bytes.'),
        );
    });

    test('the part metadata can be a plain field or a file, of any content type', async () => {
      const text = JSON.stringify(good);
      for (const fill of [
        (form: FormData) => form.append('metadata', text),
        (form: FormData) => form.append('metadata', json(text)),
        (form: FormData) => form.append('metadata', new Blob([text]), 'metadata.json'),
      ]) {
        const { status, body } = await send(fill);
        expect({ status, fileName: body.fileName }).toEqual({ status: 201, fileName: 'a.txt' });
      }
    });

    test('content types of the request are checked like those of other bodies: 415 and 406', async () => {
      await refused(
        app.post(path, editor, good),
        415,
        errorBody(
          'TypeNotSupported',
          "Expected CONTENT-TYPE to be 'multipart/form-data' but got 'application/json'.",
        ),
      );
      await refused(
        app.request('POST', path, { as: editor }),
        406,
        errorBody('TypeNotSupported', 'Missing content-type header'),
      );
      await refused(
        send((form) => form.append('metadata', JSON.stringify(good)), { accept: 'text/html' }),
        406,
        errorBody(
          'TypeNotSupported',
          'The service answers application/hal+json and application/json only.',
        ),
      );
    });

    test('Unicode file names are returned unchanged after the upload', async () => {
      for (const fileName of [
        'Grundriß – Erdgeschoß (2).txt',
        '見積.txt',
        'quotes"\'%;.txt',
        '  spaces .txt',
        'e\u0301😀.txt',
      ]) {
        const { body } = await uploadDirectly(app, {
          as: editor,
          to: container.attachments,
          fileName,
        });
        expect({
          fileName: body.fileName,
          title: body.title,
          link: body._links.self.title,
        }).toEqual({ fileName, title: fileName, link: fileName });
      }
    });

    test('an empty file is accepted', async () => {
      const { body } = await uploadDirectly(app, {
        as: editor,
        to: container.attachments,
        fileName: 'empty.txt',
        content: '',
      });
      expect({
        status: body.status,
        size: body.fileSize,
        type: body.contentType,
        digest: body.digest,
      }).toEqual({ status: 'uploaded', size: 0, type: 'text/plain', digest: sha256('') });
      expect(await download(app, body.id, editor)).toBe('');
    });
  });

  describe('a declared digest', () => {
    let editor: Person;
    let container: ContainerHandle;
    beforeAll(async () => {
      editor = await app.given.member(project, preparing.WorkPackage);
      container = await app.given.workPackage(project, editor);
    });

    test.each(['sha256', 'sha1', 'md5'])(
      '%s that matches is verified, and the attachment shows the digest of the service',
      async (algorithm) => {
        for (const hash of [
          hashOf(algorithm, 'direct content'),
          hashOf(algorithm, 'direct content').toUpperCase(),
        ]) {
          const { body } = await uploadDirectly(app, {
            as: editor,
            to: container.attachments,
            digest: { algorithm, hash },
          });
          expect({ status: body.status, digest: body.digest }).toEqual({
            status: 'uploaded',
            digest: sha256('direct content'),
          });
        }
      },
    );

    test.each(['sha256', 'sha1', 'md5'])(
      '%s that does not match deletes the attachment and its bytes, and log and history give the reason',
      async (algorithm) => {
        const own = await app.given.workPackage(project, editor);
        const [announced, actual] = [
          hashOf(algorithm, 'something else'),
          hashOf(algorithm, 'direct content'),
        ];
        const { id, completion, form } = await uploaded(app, {
          as: editor,
          to: own.attachments,
          fileName: 'wrong.txt',
          digest: { algorithm, hash: announced },
        });
        const before = (await objects(bucket)).filter((name) => name.startsWith('files/'));
        expect((await app.get(completion, editor)).status).toBe(200);
        expect((await finalized(app, id, editor)).body).toEqual(notFound);
        await expectGone(id, editor, form);
        expect((await objects(bucket)).filter((name) => name.startsWith('files/'))).toEqual(before);
        const reason = `Its ${algorithm} digest is ${actual} instead of ${announced}.`;
        expect(logged(id, 'warn')).toEqual([{ msg: 'an upload was rejected', reason }]);
        const changes = await history(own, editor);
        expect(changes).toEqual([
          changeBody(
            changes[0]?.id,
            own,
            project,
            SYSTEM,
            `The upload of file wrong.txt failed: ${reason}`,
          ),
        ]);
        expect((await app.get(own.attachments, editor)).body).toEqual(
          collectionOf(own.attachments, []),
        );
        expect(await outbox(id)).toEqual(['attachment:rejected']);
      },
    );
  });

  describe('completing', () => {
    let editor: Person;
    let container: ContainerHandle;
    beforeAll(async () => {
      editor = await app.given.member(project, [
        ...preparing.WorkPackage,
        'add_work_packages',
        'add_work_package_comments',
      ]);
      container = await app.given.workPackage(project, editor);
    });

    test('completing before the bytes have arrived answers 404 and changes nothing; afterwards it works', async () => {
      const { body } = await prepare(app, `${container.attachments}/prepare`, editor, {
        fileName: 'late.txt',
        fileSize: 4,
      });
      const { completeUpload, addAttachment } = body._links;
      const early = await app.get(completeUpload.href, editor);
      expect({ status: early.status, body: early.body }).toEqual({
        status: 404,
        body: errorBody(
          'NotFound',
          'The file has not reached the storage. Upload it with the form of the prepared upload first.',
        ),
      });
      expect((await app.get(`/api/v3/attachments/${body.id}`, editor)).body.status).toBe(
        'prepared',
      );
      expect((await sendForm(addAttachment, 'late')).status).toBe(201);
      expect((await app.get(completeUpload.href, editor)).status).toBe(200);
      expect((await finalized(app, body.id, editor)).body).toMatchObject({
        status: 'uploaded',
        digest: sha256('late'),
      });
    });

    test('HEAD answers 405 and completes nothing', async () => {
      const { id, completion } = await uploaded(app, { as: editor, to: container.attachments });
      const { status, headers, text } = await app.request('HEAD', completion, { as: editor });
      expect({ status, allow: headers.get('allow'), text }).toEqual({
        status: 405,
        allow: 'GET',
        text: '',
      });
      await work.paused(async () => undefined);
      expect((await app.get(`/api/v3/attachments/${id}`, editor)).body.status).toBe('prepared');
    });

    test('completing again answers the same while finalization is pending, and 404 afterwards', async () => {
      const { id, completion } = await work.paused(async () => {
        const one = await uploaded(app, {
          as: editor,
          to: container.attachments,
          fileName: 'twice.txt',
        });
        const [first, second] = [
          await app.get(one.completion, editor),
          await app.get(one.completion, editor),
        ];
        const pending = attachmentElement({
          id: one.id,
          fileName: 'twice.txt',
          fileSize: 14,
          status: 'prepared',
          contentType: 'text/plain',
          digest: { algorithm: 'sha256', hash: '' },
          author: editor,
          container,
          deletable: true,
        });
        for (const { status, body } of [first, second])
          expect({ status, body }).toEqual({ status: 200, body: pending });
        return one;
      });
      expect((await finalized(app, id, editor)).body.status).toBe('uploaded');
      const late = await app.get(completion, editor);
      expect({ status: late.status, body: late.body }).toEqual({ status: 404, body: notFound });
      expect(await outbox(id)).toEqual(['attachment:created']);
    });

    test('a regular upload cannot be completed', async () => {
      const { body } = await app.upload(container.attachments, { as: editor });
      expect(await app.get(`/api/v3/attachments/${body.id}/uploaded`, editor)).toMatchObject({
        status: 404,
        body: notFound,
      });
    });

    test('concurrent completions over REST and GraphQL, and concurrent finalizations, make one activity and one event', async () => {
      const own = await app.given.workPackage(project, editor);
      const files = await work.paused(async () => {
        const made = [];
        for (let n = 0; n < 4; n += 1)
          made.push(
            await uploaded(app, { as: editor, to: own.attachments, fileName: `race-${n}.txt` }),
          );
        const all = made.flatMap(({ id, completion }) => [
          app.get(completion, editor),
          app.get(completion, editor),
          app.graphql(COMPLETE, { id: String(id) }, editor),
          app.get(completion, editor),
        ]);
        expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
        work.start();
        return made;
      });
      for (const { id } of files) {
        expect((await finalized(app, id, editor)).body).toMatchObject({
          status: 'uploaded',
          digest: sha256('direct content'),
        });
        expect(await outbox(id)).toEqual(['attachment:created']);
      }
      expect((await history(own, editor)).map(({ details }) => details[0].raw).sort()).toEqual(
        files.map((_, n) => `File race-${n}.txt added`),
      );
    });

    test('a deletion after the completion prevents finalization', async () => {
      const { id, form } = await work.paused(async () => {
        const one = await uploaded(app, { as: editor, to: container.attachments });
        expect((await app.get(one.completion, editor)).status).toBe(200);
        expect((await app.delete(`/api/v3/attachments/${one.id}`, editor)).status).toBe(204);
        expect((await app.get(one.completion, editor)).body).toEqual(notFound);
        return one;
      });
      await expectGone(id, editor, form);
      expect(await outbox(id)).toEqual([]);
    });

    test('a deletion during finalization leaves neither row nor bytes', async () => {
      const { blobs } = app.running.services;
      const files = (await objects(bucket)).filter((name) => name.startsWith('files/'));
      await work.stop();
      try {
        const { id, completion, form } = await uploaded(app, {
          as: editor,
          to: container.attachments,
        });
        let copied!: () => void;
        let goOn!: () => void;
        const [reached, held] = [
          new Promise<void>((resolve) => {
            copied = resolve;
          }),
          new Promise<void>((resolve) => {
            goOn = resolve;
          }),
        ];
        work.start({
          blobs: {
            ...blobs,
            async copy(from, to) {
              await blobs.copy(from, to);
              copied();
              await held;
            },
          },
        });
        expect((await app.get(completion, editor)).status).toBe(200);
        await reached;
        expect((await app.delete(`/api/v3/attachments/${id}`, editor)).status).toBe(204);
        expect((await app.get(`/api/v3/attachments/${id}`, editor)).body).toEqual(notFound);
        goOn();
        await expectGone(id, editor, form);
        expect((await objects(bucket)).filter((name) => name.startsWith('files/'))).toEqual(files);
        expect(await outbox(id)).toEqual([]);
      } finally {
        await work.stop();
        work.start();
      }
    });

    test('an author who is locked before finalization loses the upload', async () => {
      const person = await app.given.member(project, preparing.WorkPackage);
      const own = await app.given.workPackage(project, editor);
      const { id, form } = await work.paused(async () => {
        const one = await uploaded(app, {
          as: person,
          to: own.attachments,
          fileName: 'locked.txt',
        });
        expect((await app.get(one.completion, person)).status).toBe(200);
        await User.query(app.running.services.db.write)
          .findById(person.id)
          .patch({ status: 'locked' });
        return one;
      });
      await eventually(
        () => outbox(id),
        (kinds) => kinds.length > 0,
      );
      await expectGone(id, editor, form);
      const changes = await history(own, editor);
      expect(changes).toEqual([
        changeBody(
          changes[0]?.id,
          own,
          project,
          SYSTEM,
          'The upload of file locked.txt failed: The author may no longer upload files here.',
        ),
      ]);
    });

    test('an upload claimed between preparation and completion is finalized for its new container', async () => {
      const { id, completion } = await uploaded(app, { as: editor, fileName: 'claimed.txt' });
      const made = await app.post('/api/v3/work_packages', editor, {
        subject: 'Claims',
        _links: {
          project: { href: `/api/v3/projects/${project.id}` },
          attachments: [{ href: `/api/v3/attachments/${id}` }],
        },
      });
      expect({ status: made.status, attachments: made.body._embedded.attachments }).toEqual({
        status: 201,
        attachments: collectionOf(`${made.body._links.self.href}/attachments`, []),
      });
      const own: ContainerHandle = {
        ...container,
        id: made.body.id,
        title: 'Claims',
        path: made.body._links.self.href,
        attachments: made.body._links.attachments.href,
      };
      expect(await history(own, editor)).toEqual([]);
      expect((await app.get(completion, editor)).status).toBe(200);
      const { body } = await finalized(app, id, editor);
      expect({ container: body._links.container, status: body.status }).toEqual({
        container: { href: own.path, title: 'Claims' },
        status: 'uploaded',
      });
      const changes = await history(own, editor);
      expect(changes).toEqual([
        changeBody(changes[0]?.id, own, project, editor, 'File claimed.txt added'),
      ]);
      expect(await outbox(id)).toEqual(['attachment:created']);
    });

    test('an upload claimed by a comment between completion and finalization belongs to the comment', async () => {
      const { id, comment } = await work.paused(async () => {
        const one = await uploaded(app, { as: editor, fileName: 'linked.txt' });
        expect((await app.get(one.completion, editor)).status).toBe(200);
        const { status, body } = await app.post(`${container.path}/activities`, editor, {
          comment: { raw: `see [it](/api/v3/attachments/${one.id}/content)` },
        });
        expect(status).toBe(201);
        return { id: one.id, comment: body };
      });
      const { body } = await finalized(app, id, editor);
      expect({ container: body._links.container, status: body.status }).toEqual({
        container: { href: comment._links.self.href },
        status: 'uploaded',
      });
      expect((await app.get(comment._links.attachments.href, editor)).body.total).toBe(1);
      expect(await outbox(id)).toEqual(['attachment:created']);
    });

    test('an upload claimed into a container where its author has no upload permission is refused there', async () => {
      const { id, form } = await work.paused(async () => {
        const one = await uploaded(app, { as: editor, fileName: 'demoted.txt' });
        const made = await app.post('/api/v3/work_packages', editor, {
          subject: 'Demoted',
          _links: {
            project: { href: `/api/v3/projects/${project.id}` },
            attachments: [{ href: `/api/v3/attachments/${one.id}` }],
          },
        });
        expect(made.status).toBe(201);
        expect((await app.get(one.completion, editor)).status).toBe(200);
        await app.given.membership(editor, project, ['view_work_packages']);
        return one;
      });
      await finalized(app, id, editor);
      await expectGone(id, editor, form);
      await app.given.membership(editor, project, [
        ...preparing.WorkPackage,
        'add_work_packages',
        'add_work_package_comments',
      ]);
    });
  });

  describe('expiry', () => {
    let editor: Person;
    const at = (minutes: number) => ({
      ...app.running.services,
      clock: () => new Date(Date.now() + minutes * 60_000),
    });
    const statusOf = async (id: number) =>
      (await app.get(`/api/v3/attachments/${id}`, editor)).status;
    beforeAll(async () => {
      editor = await app.given.member(project, preparing.WorkPackage);
    });

    test('a prepared upload expires with its bytes after 180 minutes; a completed one stays', () =>
      work.paused(async () => {
        const [pending, completed] = [
          await uploaded(app, { as: editor }),
          await uploaded(app, { as: editor }),
        ];
        expect((await app.get(completed.completion, editor)).status).toBe(200);
        await expireAttachments(at(179));
        expect([await statusOf(pending.id), await statusOf(completed.id)]).toEqual([200, 200]);
        await expireAttachments(at(181));
        expect([await statusOf(pending.id), await statusOf(completed.id)]).toEqual([404, 200]);
        await expectGone(pending.id, editor, pending.form);
        expect(await app.get(pending.completion, editor)).toMatchObject({
          status: 404,
          body: notFound,
        });
        expect(await outbox(pending.id)).toEqual([]);
      }));

    test('an unclaimed attachment expires 180 minutes after it was finished; a claimed one stays', async () => {
      const container = await app.given.workPackage(project, editor);
      const [loose, claimed, regular] = [
        await uploadDirectly(app, { as: editor }),
        await uploadDirectly(app, { as: editor }),
        await app.upload(unclaimed, { as: editor }),
      ].map(({ body }) => body.id as number) as [number, number, number];
      expect(
        (
          await app.patch(container.path, editor, {
            lockVersion: 0,
            _links: { attachments: [{ href: `/api/v3/attachments/${claimed}` }] },
          })
        ).status,
      ).toBe(200);
      const location = (await app.get(`/api/v3/attachments/${loose}`, editor)).body._links
        .downloadLocation.href;
      await work.paused(async () => {
        await expireAttachments(at(179));
        expect([await statusOf(loose), await statusOf(claimed), await statusOf(regular)]).toEqual([
          200, 200, 200,
        ]);
        await expireAttachments(at(181));
        expect([await statusOf(loose), await statusOf(claimed), await statusOf(regular)]).toEqual([
          404, 200, 404,
        ]);
      });
      expect((await fetch(location)).status).toBe(404);
      expect(await outbox(loose)).toEqual(['attachment:created', 'attachment:deleted']);
    });
  });

  describe('with an allowlist, small limits and an unclaimed-file lifetime of zero', () => {
    let strict: App;
    let strictWork: Work;
    let container: ContainerHandle;
    let uploader: Person;
    let home: { id: number; name: string };
    beforeAll(async () => {
      strict = await startApp({
        ...s3Environment(bucket),
        PREVIEWS: 'false',
        ATTACHMENT_ALLOWLIST: 'text/csv, image/*, *.log',
        ATTACHMENT_MAX_SIZE: '1024',
        PENDING_UPLOADS: '3',
        PENDING_UPLOAD_BYTES: '1500',
        ATTACHMENT_GRACE_MINUTES: '0',
      });
      strictWork = new Work(strict);
      home = await strict.given.project();
      uploader = await strict.given.member(home, preparing.WorkPackage);
      container = await strict.given.workPackage(home, uploader);
    });
    afterAll(async () => {
      await strictWork?.stop();
      await strict?.stop();
    });
    const ask = (metadata: object, as = uploader) =>
      prepare(strict, `${container.attachments}/prepare`, as, {
        fileName: 'a.bin',
        fileSize: 3,
        ...metadata,
      });
    const forget = async () => {
      for (const { id } of await strict.running.services.db
        .write('attachments')
        .where('status', 'prepared')
        .select('id'))
        await strict.delete(`/api/v3/attachments/${id}`, uploader);
    };

    test('the setting limits the size', async () => {
      const { status, body } = await ask({ fileSize: 1025 });
      expect({ status, body }).toEqual({
        status: 422,
        body: errorBody(
          'PropertyConstraintViolation',
          'File is too large (maximum size is 1024 Bytes).',
          'fileSize',
        ),
      });
    });

    test('a deleted upload frees its quota at once, even if its bytes are removed later', async () => {
      await forget();
      for (let n = 0; n < 3; n += 1) expect((await ask({})).status).toBe(201);
      const { remove } = strict.running.services.blobs;
      strict.running.services.blobs.remove = () => Promise.reject(new Error('The store is away.'));
      try {
        await forget();
        for (let n = 0; n < 3; n += 1) expect((await ask({})).status).toBe(201);
      } finally {
        strict.running.services.blobs.remove = remove;
      }
      await forget();
    });

    test('a declared content type that is not allowed is refused, and the message names it', async () => {
      for (const [contentType, named] of [
        ['text/plain', 'text/plain'],
        ['TEXT/Plain; charset=utf-8', 'text/plain'],
        ['application/imagex', 'application/imagex'],
      ] as const) {
        const { status, body } = await ask({ contentType });
        expect({ status, body }).toEqual({
          status: 422,
          body: errorBody(
            'PropertyConstraintViolation',
            `The content type ${named} is not allowed for upload.`,
            'contentType',
          ),
        });
      }
    });

    test('an allowed, generic or missing content type is accepted, and so is an allowed extension', async () => {
      for (const metadata of [
        {},
        { contentType: '' },
        { contentType: null },
        { contentType: 'application/binary' },
        { contentType: 'application/octet-stream' },
        { contentType: 'text/csv' },
        { contentType: 'Image/PNG' },
        { fileName: 'A.LOG', contentType: 'text/plain' },
      ]) {
        expect((await ask(metadata)).status).toBe(201);
        await forget();
      }
    });

    test('a detected content type that is not allowed ends the upload at finalization with a logged reason', async () => {
      const before = await objects(bucket);
      const { id, completion } = await uploaded(strict, {
        as: uploader,
        to: container.attachments,
        fileName: 'page.html',
        content: '<p>hi</p>',
        contentType: 'application/binary',
      });
      expect((await strict.get(completion, uploader)).status).toBe(200);
      strictWork.start();
      expect((await finalized(strict, id, uploader)).body).toEqual(notFound);
      await strictWork.stop();
      expect((await strict.get(container.attachments, uploader)).body).toEqual(
        collectionOf(container.attachments, []),
      );
      expect((await objects(bucket)).sort()).toEqual(before.sort());
      const reason = 'The content type text/html is not allowed for upload.';
      expect(logged(id, 'warn', strict)).toEqual([{ msg: 'an upload was rejected', reason }]);
      const changes = await history(container, uploader, strict);
      expect(changes).toEqual([
        changeBody(
          changes[0]?.id,
          container,
          home,
          SYSTEM,
          `The upload of file page.html failed: ${reason}`,
        ),
      ]);
    });

    test('an allowed detected type is accepted, whatever generic type was declared', async () => {
      const { id, completion } = await uploaded(strict, {
        as: uploader,
        to: container.attachments,
        fileName: 'picture.dat',
        content: PNG,
        contentType: 'application/octet-stream',
      });
      await strict.get(completion, uploader);
      strictWork.start();
      expect((await finalized(strict, id, uploader)).body).toMatchObject({
        status: 'uploaded',
        contentType: 'image/png',
      });
      await strictWork.stop();
    });

    test('limits on pending uploads and bytes apply per user; completed and deleted uploads free them', async () => {
      const tooMany = errorBody(
        'PropertyConstraintViolation',
        'Too many uploads are pending (maximum is 3). Complete or delete some of them first.',
        'base',
      );
      const tooLarge = errorBody(
        'PropertyConstraintViolation',
        'The pending uploads are too large together (maximum is 1500 Bytes). Complete or delete some of them first.',
        'base',
      );
      const made = [await ask({}), await ask({}), await ask({})];
      expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(await ask({})).toMatchObject({ status: 422, body: tooMany });
      const overGraphql = await strict.graphql(
        PREPARE,
        { input: { fileName: 'a', fileSize: 1 } },
        uploader,
      );
      expect(overGraphql.errors).toMatchObject([
        {
          message: tooMany.message,
          extensions: { code: 'PROPERTY_CONSTRAINT_VIOLATION', attribute: 'base' },
        },
      ]);
      const other = await strict.given.member(home, preparing.WorkPackage);
      expect((await ask({}, other)).status).toBe(201);

      expect(
        (await strict.delete(`/api/v3/attachments/${made[0]!.body.id}`, uploader)).status,
      ).toBe(204);
      expect((await ask({ fileSize: 1000 })).status).toBe(201);
      await strict.delete(`/api/v3/attachments/${made[1]!.body.id}`, uploader);
      expect(await ask({ fileSize: 498 })).toMatchObject({ status: 422, body: tooLarge });
      expect((await ask({ fileSize: 497 })).status).toBe(201);
      await forget();
    });

    test('prepared uploads and unclaimed attachments count together', async () => {
      const body = errorBody(
        'PropertyConstraintViolation',
        'Too many uploads are pending (maximum is 3). Complete or delete some of them first.',
        'base',
      );
      const { id } = (await strict.upload(unclaimed, { as: uploader, fileName: 'a.log' })).body;
      expect([(await ask({})).status, (await ask({})).status]).toEqual([201, 201]);
      expect(await ask({})).toMatchObject({ status: 422, body });
      expect(await strict.upload(unclaimed, { as: uploader, fileName: 'b.log' })).toMatchObject({
        status: 422,
        body,
      });
      await forget();
      await strict.delete(`/api/v3/attachments/${id}`, uploader);
    });

    test('only one of several concurrent requests gets the last slot', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => ask({})));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 422, 422, 422]);
      await forget();
    });

    test('a lifetime of 0 minutes removes incomplete and unclaimed uploads at once, and nothing else', async () => {
      const [pending, completed] = [
        await uploaded(strict, { as: uploader, fileName: 'a.log' }),
        await uploaded(strict, { as: uploader, to: container.attachments, fileName: 'b.log' }),
      ];
      const regular = await strict.upload(unclaimed, { as: uploader, fileName: 'c.log' });
      expect([regular.status, (await strict.get(completed.completion, uploader)).status]).toEqual([
        200, 200,
      ]);
      strictWork.start();
      for (const id of [pending.id, regular.body.id])
        await eventually(
          () => strict.get(`/api/v3/attachments/${id}`, uploader),
          ({ status }) => status === 404,
        );
      expect((await finalized(strict, completed.id, uploader)).body.status).toBe('uploaded');
      await strictWork.stop();
    });
  });

  describe('if the store cannot sign forms', () => {
    const unavailable = errorBody(
      'PropertyConstraintViolation',
      'Direct upload is not available due to a system configuration. Use the regular upload instead.',
      'base',
    );

    async function expectUnavailable(on: App) {
      const home = await on.given.project();
      for (const kind of kinds) {
        const person = await on.given.member(home, preparing[kind]);
        const own = await on.given.container(kind, home, person);
        const answer = await prepare(on, `${own.attachments}/prepare`, person, {
          fileName: 'a.txt',
          fileSize: 1,
        });
        expect({ status: answer.status, body: answer.body }).toEqual({
          status: 422,
          body: unavailable,
        });
        expect((await on.get(own.path, person)).body._links).not.toHaveProperty(
          'prepareAttachment',
        );
        expect(
          (
            await prepare(on, `${own.attachments}/prepare`, await on.given.user(), {
              fileName: 'a.txt',
              fileSize: 1,
            })
          ).body,
        ).toEqual(notFound);
      }
      const boss = await on.given.user({ admin: true });
      expect(
        await prepare(on, `${unclaimed}/prepare`, boss, { fileName: 'a.txt', fileSize: 1 }),
      ).toMatchObject({ status: 422, body: unavailable });
      expect(
        (await on.graphql(PREPARE, { input: { fileName: 'a.txt', fileSize: 1 } }, boss)).errors,
      ).toMatchObject([
        {
          message: unavailable.message,
          extensions: { code: 'PROPERTY_CONSTRAINT_VIOLATION', status: 422, attribute: 'base' },
        },
      ]);
      expect((await on.get('/api/v3/configuration')).body._links).toEqual({
        self: { href: '/api/v3/configuration' },
      });
      expect((await on.upload(unclaimed, { as: boss, content: 'regular' })).status).toBe(200);
    }

    test('with files on the local disk, preparing answers 422 and no resource links to it', async () => {
      const disk = await startApp();
      try {
        await expectUnavailable(disk);
      } finally {
        await disk.stop();
      }
    });

    test("with credentials from the machine's environment, preparing answers 422; regular uploads and downloads work", async () => {
      const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, ...others } = s3Environment(bucket);
      Object.assign(process.env, {
        AWS_ACCESS_KEY_ID: S3_ACCESS_KEY_ID,
        AWS_SECRET_ACCESS_KEY: S3_SECRET_ACCESS_KEY,
      });
      const chain = await startApp(others);
      try {
        await expectUnavailable(chain);
        const person = await chain.given.user({ admin: true });
        const { body } = await chain.upload(unclaimed, { as: person, content: 'from the chain' });
        expect(await download(chain, body.id, person)).toBe('from the chain');
      } finally {
        await chain.stop();
        delete process.env['AWS_ACCESS_KEY_ID'];
        delete process.env['AWS_SECRET_ACCESS_KEY'];
      }
    });
  });

  test('the openproject profile answers MultipleErrors, its product URNs, and md5', async () => {
    const dialect = await startApp({
      ...s3Environment(bucket),
      API_PROFILE: 'openproject',
      BACKGROUND_WORK: 'true',
    });
    try {
      const person = await dialect.given.user({ admin: true });
      const container = await dialect.given.meeting(await dialect.given.project(), person);
      const { status, body } = await prepare(
        dialect,
        `${container.attachments}/prepare`,
        person,
        {},
      );
      expect({ status, body }).toEqual({
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
                "Size can't be blank.",
                'fileSize',
                'openproject-org',
              ),
            ],
          },
        },
      });
      const { body: finished } = await uploadDirectly(dialect, {
        as: person,
        to: container.attachments,
        content: 'dialect',
      });
      expect({ status: finished.status, digest: finished.digest }).toEqual({
        status: 'uploaded',
        digest: { algorithm: 'md5', hash: hashOf('md5', 'dialect') },
      });
    } finally {
      await dialect.stop();
    }
  });
});
