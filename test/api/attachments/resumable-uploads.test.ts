/** Files that are sent in several requests with the protocol tus, to a disk and to a real object store. */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import { startApp, startBeside, type App } from '../../support/app.js';
import { eventually, finalized, objects, Work } from '../../support/direct-upload.js';
import {
  attachmentElement,
  collectionOf,
  errorBody,
  missingPermission,
  notFound,
  violations,
} from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../../support/jest.js';
import {
  clientOf,
  describeS3,
  freshBucket,
  s3Environment,
  type S3Bucket,
} from '../../support/rgw.js';
import { ask, exchange, head as requestLine } from '../../support/raw.js';
import { begun, create, idOf, patch, TUS, tusHeaders } from '../../support/tus.js';

const MEGABYTE = 1024 * 1024;
const DAY_MS = 86_400_000;
/** Size of the parts in an object store. */
const PART = 8 * MEGABYTE;
/** A request that nobody ends is answered with 408 after it. */
const STALL = { UPLOAD_STALL_SECONDS: '10' };
/** More than two parts of an object store, and no multiple of them. */
const bytes = Buffer.alloc(17 * MEGABYTE + 123);
for (let place = 0; place < bytes.length - 4; place += 4096) bytes.writeUInt32LE(place, place);
const digest = {
  algorithm: 'sha256' as const,
  hash: createHash('sha256').update(bytes).digest('hex'),
};
const wrongPlace = errorBody(
  'UpdateConflict',
  'The upload is at another place. Ask for its offset with HEAD, then send the bytes from there.',
);
const tooManyBytes = errorBody(
  'PropertyConstraintViolation',
  'The request has more bytes than the file that it belongs to.',
);

let app: App;
let work: Work;
let project: { id: number };
let editor: Person;
let stranger: Person;
let meeting: ContainerHandle;

async function people() {
  work = new Work(app);
  project = await app.given.project();
  editor = await app.given.member(project, ['view_meetings', 'edit_meetings']);
  stranger = await app.given.member(await app.given.project(), ['view_meetings', 'edit_meetings']);
}

const file = (changes: { [name: string]: string } = {}) => ({
  filename: 'film.bin',
  container: meeting.globalId,
  ...changes,
});
const head = (path: string, as: Person | undefined, at: App = app) =>
  at.request('HEAD', path, { as, headers: TUS });
const offset = async (path: string, at: App = app): Promise<number> => {
  const { status, headers } = await head(path, editor, at);
  expect(status).toBe(200);
  return Number(headers.get('upload-offset'));
};
const send = (path: string, from: number, end: number, at: App = app) =>
  patch(at, path, editor, from, bytes.subarray(from, end));

const requestHead = (path: string, from: number) =>
  requestLine('PATCH', path, {
    as: editor,
    headers: {
      ...TUS,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(from),
      'content-length': String(bytes.length - from),
    },
  });

/** Sends some of the bytes that it has announced, then closes the connection. */
const breakOff = (path: string, from: number, end: number) =>
  exchange(app, [requestHead(path, from), bytes.subarray(from, end)], { halfClose: true });

/** Sends some of the bytes that it has announced, then nothing. @returns the answer */
const hanging = (path: string, from: number, end: number) =>
  ask(app, [requestHead(path, from), bytes.subarray(from, end)]);

const writer = async (path: string): Promise<string | null> =>
  (
    await app.running.services.db
      .write('resumable_uploads')
      .where('attachment_id', idOf(path))
      .first()
  ).writer;

async function expectFinished(path: string): Promise<void> {
  work.start();
  await finalized(app, idOf(path), editor);
  await work.stop();
  const { status, body } = await app.get(meeting.attachments, editor);
  const element = attachmentElement({
    id: idOf(path),
    fileName: 'film.bin',
    fileSize: bytes.length,
    contentType: 'application/octet-stream',
    digest,
    author: editor,
    container: meeting,
    deletable: true,
  });
  element._links.downloadLocation.href = expect.any(String);
  expect({ status, body }).toEqual({
    status: 200,
    body: collectionOf(meeting.attachments, [element]),
  });
}

/** @param stored the names of everything in the store */
function everyStore(stored: () => Promise<string[]>) {
  test('a file arrives in pieces of odd sizes and becomes an attachment', async () => {
    const path = await begun(app, editor, bytes.length, file());
    for (const [from, end] of [
      [0, 1],
      [1, 5 * MEGABYTE],
      [5 * MEGABYTE, 8 * MEGABYTE],
      [8 * MEGABYTE, 17 * MEGABYTE],
      [17 * MEGABYTE, bytes.length],
    ] as const) {
      expect(await offset(path)).toBe(from);
      const answer = await send(path, from, end);
      expect({ status: answer.status, text: answer.text, headers: tusHeaders(answer) }).toEqual({
        status: 204,
        text: '',
        headers: {
          'tus-resumable': '1.0.0',
          'upload-offset': String(end),
          ...(end < bytes.length && { 'upload-expires': expect.stringMatching(/ GMT$/) }),
        },
      });
    }
    await expectFinished(path);
    expect(await offset(path)).toBe(bytes.length);
    expect(await stored()).toHaveLength(1);
  });

  test('a broken connection keeps what has arrived, and the upload goes on from there', async () => {
    const path = await begun(app, editor, bytes.length, file());
    let from = 0;
    for (const end of [3 * MEGABYTE, 11 * MEGABYTE, bytes.length - 1]) {
      await breakOff(path, from, end);
      from = await offset(path);
      expect(from).toBe(end);
    }
    expect((await send(path, bytes.length - 1, bytes.length)).status).toBe(204);
    await expectFinished(path);
    expect(await stored()).toHaveLength(1);
  });

  test('the newer of two connections goes on, and the older one is ended', async () => {
    const path = await begun(app, editor, bytes.length, file());
    const before = await writer(path);
    const older = hanging(path, 0, 9 * MEGABYTE + 5);
    await eventually(
      () => writer(path),
      (token) => token !== before,
    );
    const place = await offset(path);
    expect(place).toBeLessThanOrEqual(9 * MEGABYTE + 5);
    expect(await older).toMatchObject({ status: 409, body: wrongPlace });
    expect((await send(path, place, bytes.length)).status).toBe(204);
    await expectFinished(path);
  });

  test('an upload goes on at another process, which ends the request at the first one', async () => {
    const other = await startBeside(app);
    try {
      const path = await begun(app, editor, bytes.length, file());
      expect((await send(path, 0, 2 * MEGABYTE)).status).toBe(204);
      const before = await writer(path);
      const older = hanging(path, 2 * MEGABYTE, 3 * MEGABYTE);
      await eventually(
        () => writer(path),
        (token) => token !== before,
      );
      const place = await offset(path, other);
      expect(place).toBeGreaterThanOrEqual(2 * MEGABYTE);
      expect((await send(path, place, 10 * MEGABYTE, other)).status).toBe(204);
      expect(await older).toMatchObject({ status: 409, body: wrongPlace });
      expect((await send(path, 10 * MEGABYTE, bytes.length)).status).toBe(204);
      await expectFinished(path);
    } finally {
      await other.stop();
    }
  });

  test('an empty file is complete when it is created', async () => {
    const path = await begun(app, editor, 0, file({ filename: 'empty.txt' }));
    work.start();
    const { body } = await finalized(app, idOf(path), editor);
    await work.stop();
    expect(body).toMatchObject({ fileName: 'empty.txt', fileSize: 0, status: 'uploaded' });
  });

  test('the first bytes may come with the creation', async () => {
    const answer = await app.request('POST', '/uploads', {
      as: editor,
      headers: {
        ...TUS,
        'upload-length': '10',
        'upload-metadata': `filename ${Buffer.from('ten.txt').toString('base64')}`,
        'content-type': 'application/offset+octet-stream',
      },
      body: '01234',
    });
    expect({ status: answer.status, headers: tusHeaders(answer) }).toEqual({
      status: 201,
      headers: {
        'tus-resumable': '1.0.0',
        location: expect.stringMatching(/^\/uploads\/\d+$/),
        'upload-offset': '5',
        'upload-expires': expect.stringMatching(/ GMT$/),
      },
    });
    const path = answer.headers.get('location')!;
    expect((await patch(app, path, editor, 5, '56789')).status).toBe(204);
    work.start();
    await finalized(app, idOf(path), editor);
    await work.stop();
    const content = await fetch(`${app.url}/api/v3/attachments/${idOf(path)}/content`, {
      headers: { authorization: `Bearer ${editor.key}` },
    });
    expect(await content.text()).toBe('0123456789');
  });

  test('an upload that is given up leaves nothing', async () => {
    const before = await stored();
    const path = await begun(app, editor, bytes.length, file());
    expect((await send(path, 0, 9 * MEGABYTE)).status).toBe(204);
    expect((await stored()).length).toBeGreaterThan(before.length);
    const { status } = await app.request('DELETE', path, { as: editor, headers: TUS });
    expect(status).toBe(204);
    expect((await head(path, editor)).status).toBe(404);
    expect(await stored()).toEqual(before);
  });

  test('an upload ends a week after its last sign of life', async () => {
    const before = await stored();
    const path = await begun(app, editor, bytes.length, file());
    expect((await send(path, 0, 9 * MEGABYTE)).status).toBe(204);
    const { services } = app.running;
    const after = (days: number) =>
      runCleanup({ ...services, clock: () => new Date(Date.now() + days * DAY_MS) });
    await after(6.9);
    expect(await offset(path)).toBe(9 * MEGABYTE);
    await after(7.1);
    expect((await head(path, editor)).status).toBe(404);
    expect(await stored()).toEqual(before);
  });
}

describe('resumable uploads to a disk', () => {
  const stored = async () =>
    readdirSync(join(app.folder, 'blobs', 'kept'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  beforeAll(async () => {
    app = await startApp({ ATTACHMENT_MAX_SIZE: '20MiB', PENDING_UPLOADS: '20', ...STALL });
    await people();
  });
  beforeEach(async () => {
    await app.running.services.db.write('attachments').delete();
    for (const name of readdirSync(join(app.folder, 'blobs', 'kept')))
      rmSync(join(app.folder, 'blobs', 'kept', name), { recursive: true });
    meeting = await app.given.meeting(project, editor);
  });
  afterAll(() => app?.stop());

  everyStore(stored);

  test('the service says what it can do', async () => {
    const answer = await app.request('OPTIONS', '/uploads');
    expect({ status: answer.status, headers: tusHeaders(answer) }).toEqual({
      status: 204,
      headers: {
        'tus-resumable': '1.0.0',
        'tus-version': '1.0.0',
        'tus-extension': 'creation,creation-with-upload,expiration,termination',
        'tus-max-size': String(20 * MEGABYTE),
      },
    });
  });

  test('HEAD tells offset, length and the metadata of the creation', async () => {
    const path = await begun(app, editor, 100, file({ custom: 'kept' }));
    const answer = await head(path, editor);
    expect({ status: answer.status, headers: tusHeaders(answer) }).toEqual({
      status: 200,
      headers: {
        'tus-resumable': '1.0.0',
        'cache-control': 'no-store',
        'upload-offset': '0',
        'upload-length': '100',
        'upload-metadata': Object.entries(file({ custom: 'kept' }))
          .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
          .join(','),
      },
    });
  });

  test('only the person who began an upload can go on with it, end it or see it', async () => {
    const path = await begun(app, editor, 10, file());
    const colleague = await app.given.member(project, ['view_meetings', 'edit_meetings']);
    const admin = await app.given.user({ admin: true });
    for (const person of [stranger, colleague, admin, undefined]) {
      expect((await head(path, person)).status).toBe(404);
      const answers = [
        await patch(app, path, person, 0, '0123456789'),
        await app.request('DELETE', path, { as: person, headers: TUS }),
      ];
      for (const { status, body } of answers)
        expect({ status, body }).toEqual({ status: 404, body: notFound });
    }
    expect(await offset(path)).toBe(0);
    expect(
      (await patch(app, path, { ...editor, key: (await app.given.apiKey(editor)).key }, 0, '01234'))
        .status,
    ).toBe(204);
    expect((await patch(app, path, editor, 5, '56789')).status).toBe(204);
    work.start();
    await finalized(app, idOf(path), editor);
    await work.stop();
    expect((await app.get(`/api/v3/attachments/${idOf(path)}`, colleague)).status).toBe(200);
    expect((await head(path, colleague)).status).toBe(404);
  });

  test('creation needs the permission to add files there', async () => {
    const reader = await app.given.member(project, ['view_meetings']);
    for (const [person, metadata, status, body] of [
      [reader, file(), 403, missingPermission],
      [reader, { filename: 'a' }, 403, missingPermission],
      [stranger, file(), 404, notFound],
      [undefined, file(), 404, notFound],
      [undefined, { filename: 'a' }, 403, missingPermission],
      [editor, file({ container: 'nothing' }), 404, notFound],
    ] as const) {
      const answer = await create(app, person, 10, metadata);
      expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
    }
  });

  test('a wrong creation is refused with a sentence', async () => {
    const invalid = (message: string) => errorBody('InvalidRequestBody', message);
    for (const [size, metadata, headers, status, body] of [
      [10, file({ filename: '' }), {}, 422, violations(["File can't be blank.", 'file'])],
      [
        10,
        file({ filetype: 'no type' }),
        {},
        422,
        violations(['Content type must be a media type such as image/png.', 'contentType']),
      ],
      [
        21 * MEGABYTE,
        file(),
        {},
        413,
        errorBody(
          'PropertyConstraintViolation',
          `File is too large (maximum size is ${20 * MEGABYTE} Bytes).`,
          'fileSize',
        ),
      ],
      [10, file(), { 'tus-resumable': '0.2.2' }, 400, invalid('Invalid tus-resumable.')],
      [10, file(), { 'upload-length': '-1' }, 400, invalid('Invalid upload-length.')],
      [10, file(), { 'upload-length': '1e1' }, 400, invalid('Invalid upload-length.')],
      [10, file(), { 'upload-metadata': 'filename ???' }, 400, invalid('Invalid upload-metadata.')],
      [
        10,
        file(),
        { 'upload-defer-length': '1' },
        400,
        expect.objectContaining({ _type: 'Error' }),
      ],
    ] as const) {
      const answer = await create(app, editor, size, metadata, headers);
      expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
    }
    const { status, body } = await app.request('POST', '/uploads', {
      as: editor,
      headers: { 'upload-length': '10' },
    });
    expect({ status, body }).toEqual({
      status: 412,
      body: errorBody('PreconditionFailed', 'Send the header Tus-Resumable: 1.0.0.'),
    });
  });

  test('bytes for another place, too many bytes and other types are refused and change nothing', async () => {
    const path = await begun(app, editor, 10, file());
    expect((await patch(app, path, editor, 0, '01234')).status).toBe(204);
    const stream = new PassThrough();
    stream.end('56789-and-more');
    for (const [from, body, headers, status, expected] of [
      [0, '01234', {}, 409, wrongPlace],
      [7, '789', {}, 409, wrongPlace],
      [5, '567890', {}, 413, tooManyBytes],
      [
        5,
        '56789',
        { 'content-type': 'text/plain' },
        400,
        errorBody('InvalidRequestBody', 'Invalid content-type.'),
      ],
      [
        5,
        '56789',
        { 'upload-offset': 'five' },
        400,
        errorBody('InvalidRequestBody', 'Invalid upload-offset.'),
      ],
    ] as const) {
      const answer = await patch(app, path, editor, from, body, headers);
      expect({ status: answer.status, body: answer.body }).toEqual({ status, body: expected });
      expect(await offset(path)).toBe(5);
    }
    const answer = await patch(app, path, editor, 5, stream);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 413,
      body: tooManyBytes,
    });
    expect(await offset(path)).toBe(5);
  });

  test('a repeated key leads to the upload that exists', async () => {
    const metadata = file({ uploadKey: 'tour-1' });
    const path = await begun(app, editor, 10, metadata);
    expect((await patch(app, path, editor, 0, '01234')).status).toBe(204);
    expect(await begun(app, editor, 10, metadata)).toBe(path);
    expect(await offset(path)).toBe(5);
    const other = await create(app, editor, 10, { ...metadata, filename: 'other.bin' });
    expect({ status: other.status, body: other.body }).toEqual({
      status: 422,
      body: violations([
        'Upload key belongs to another file. Use a new key for each file.',
        'uploadKey',
      ]),
    });
    expect((await patch(app, path, editor, 5, '56789')).status).toBe(204);
    expect(await begun(app, editor, 10, metadata)).toBe(path);
    expect(await offset(path)).toBe(10);
  });

  test('pending uploads are listed with the bytes that have arrived', async () => {
    const path = await begun(app, editor, 10, file());
    expect((await patch(app, path, editor, 0, '0123')).status).toBe(204);
    const { data, errors } = await app.graphql(
      '{ viewer { pendingUploads { nodes { databaseId fileName fileSize bytesReceived } } } }',
      {},
      editor,
    );
    expect({ data, errors }).toEqual({
      data: {
        viewer: {
          pendingUploads: {
            nodes: [
              { databaseId: idOf(path), fileName: 'film.bin', fileSize: 10, bytesReceived: 4 },
            ],
          },
        },
      },
      errors: undefined,
    });
  });

  test('no more uploads are begun than a person may have pending', async () => {
    for (let count = 0; count < 20; count += 1) await begun(app, editor, 1, { filename: 'a' });
    const { status, body } = await create(app, editor, 1, { filename: 'a' });
    expect({ status, body }).toEqual({
      status: 422,
      body: violations([
        'Too many uploads are pending (maximum is 20). Complete or delete some of them first.',
        'base',
      ]),
    });
  });

  test('bytes that the disk has lost are sent again', async () => {
    const path = await begun(app, editor, 10, file());
    expect((await patch(app, path, editor, 0, '01234567')).status).toBe(204);
    const { staging_key: key } = await app.running.services.db
      .read('attachments')
      .where('id', idOf(path))
      .first();
    truncateSync(join(app.folder, 'blobs', 'kept', 'st', key), 3);
    const { status, body } = await patch(app, path, editor, 8, '89');
    expect({ status, body }).toEqual({ status: 409, body: wrongPlace });
    expect(await offset(path)).toBe(3);
    expect((await patch(app, path, editor, 3, '3456789')).status).toBe(204);
  });

  test('an encoded body is refused, because its bytes would be stored as they are', async () => {
    const path = await begun(app, editor, 10, file());
    const { status, body } = await patch(app, path, editor, 0, '01234', {
      'content-encoding': 'gzip',
    });
    expect({ status, body }).toEqual({
      status: 415,
      body: errorBody(
        'TypeNotSupported',
        'The Content-Encoding of an upload is not supported: send it as it is.',
      ),
    });
    expect(await offset(path)).toBe(0);
  });

  test('a finished upload is known for a week, and its file stays', async () => {
    const path = await begun(app, editor, 5, file());
    expect((await patch(app, path, editor, 0, '01234')).status).toBe(204);
    work.start();
    await finalized(app, idOf(path), editor);
    await work.stop();
    const after = (days: number) => {
      const { services } = app.running;
      return runCleanup({ ...services, clock: () => new Date(Date.now() + days * DAY_MS) });
    };
    await after(6.9);
    expect(await offset(path)).toBe(5);
    await after(7.1);
    expect((await head(path, editor)).status).toBe(404);
    expect((await app.get(`/api/v3/attachments/${idOf(path)}`, editor)).status).toBe(200);
  });

  test('a person who has lost the permission cannot finish an upload', async () => {
    const member = await app.given.member(project, ['view_meetings', 'edit_meetings']);
    const path = await begun(app, member, 10, file());
    expect((await patch(app, path, member, 0, '01234')).status).toBe(204);
    await app.running.services.db.write('memberships').where({ user_id: member.id }).delete();
    app.running.services.forgetIdentities();
    work.start();
    await eventually(
      () => head(path, member),
      ({ status }) => status === 404,
    );
    await work.stop();
    expect((await app.get(meeting.attachments, editor)).body.total).toBe(0);
  });

  test('clients without PATCH name the method in a header', async () => {
    const path = await begun(app, editor, 5, file());
    const answer = await app.request('POST', path, {
      as: editor,
      headers: {
        ...TUS,
        'x-http-method-override': 'PATCH',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body: '01234',
    });
    expect({ status: answer.status, headers: tusHeaders(answer) }).toEqual({
      status: 204,
      headers: { 'tus-resumable': '1.0.0', 'upload-offset': '5' },
    });
  });
});

describeS3('resumable uploads to an object store', () => {
  let bucket: S3Bucket;
  const stored = async () => {
    const { bucket: Bucket, ...server } = bucket;
    const client = clientOf(await import('@aws-sdk/client-s3'), server);
    const { Uploads = [] } = await client.listMultipartUploads({ Bucket });
    return [...(await objects(bucket)), ...Uploads.map(({ Key }) => `parts of ${Key}`)];
  };
  beforeAll(async () => {
    bucket = await freshBucket();
    app = await startApp({ ...s3Environment(bucket), ATTACHMENT_MAX_SIZE: '20MiB', ...STALL });
    await people();
  });
  beforeEach(async () => {
    await app.running.services.db.write('attachments').delete();
    const { bucket: Bucket, ...server } = bucket;
    const client = clientOf(await import('@aws-sdk/client-s3'), server);
    for (const Key of await objects(bucket)) await client.deleteObject({ Bucket, Key });
    meeting = await app.given.meeting(project, editor);
  });
  afterAll(() => app?.stop());

  everyStore(stored);

  test('bytes that the store has lost are sent again', async () => {
    const path = await begun(app, editor, bytes.length, file());
    expect((await send(path, 0, 9 * MEGABYTE)).status).toBe(204);
    const { bucket: Bucket, ...server } = bucket;
    const client = clientOf(await import('@aws-sdk/client-s3'), server);
    const [rest] = await objects(bucket);
    await client.deleteObject({ Bucket, Key: rest });
    expect(await send(path, 9 * MEGABYTE, bytes.length)).toMatchObject({
      status: 409,
      body: wrongPlace,
    });
    expect(await offset(path)).toBe(8 * MEGABYTE);
    const { Uploads: [upload] = [] } = await client.listMultipartUploads({ Bucket });
    await client.abortMultipartUpload({ Bucket, Key: upload!.Key, UploadId: upload!.UploadId });
    expect(await send(path, 8 * MEGABYTE, bytes.length)).toMatchObject({
      status: 409,
      body: wrongPlace,
    });
    expect(await offset(path)).toBe(0);
    expect((await send(path, 0, bytes.length)).status).toBe(204);
    await expectFinished(path);
  });

  test('an upload that only the store has completed goes on and loses nothing', async () => {
    const path = await begun(app, editor, bytes.length, file());
    expect((await send(path, 0, 9 * MEGABYTE)).status).toBe(204);
    // A process that ends at its last part leaves the store like this.
    const { bucket: Bucket, ...server } = bucket;
    const client = clientOf(await import('@aws-sdk/client-s3'), server);
    const { Uploads: [{ Key, UploadId } = {}] = [] } = await client.listMultipartUploads({
      Bucket,
    });
    const Parts = [];
    for (let from = 0, PartNumber = 1; from < bytes.length; from += PART, PartNumber += 1) {
      const Body = bytes.subarray(from, from + PART);
      const { ETag } = await client.uploadPart({ Bucket, Key, UploadId, PartNumber, Body });
      Parts.push({ PartNumber, ETag });
    }
    await client.completeMultipartUpload({ Bucket, Key, UploadId, MultipartUpload: { Parts } });
    expect(await offset(path)).toBe(9 * MEGABYTE);
    expect((await send(path, 9 * MEGABYTE, bytes.length)).status).toBe(204);
    await expectFinished(path);
  });
});
