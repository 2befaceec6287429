import { createHash, randomBytes } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBlobs } from '../../../src/blobs/index.js';
import {
  BlobsUnavailable,
  STAGING,
  type Blobs,
  type UploadForm,
} from '../../../src/blobs/store.js';
import { openS3 } from '../../../src/blobs/s3.js';
import type { S3Options } from '../../../src/blobs/s3/connection.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../../support/jest.js';
import {
  clientOf,
  describeS3,
  freshBucket,
  s3Options,
  startRgw,
  type Rgw,
  type S3Bucket,
} from '../../support/rgw.js';
import { blobContract, chunks, collected, eventually, newKey } from './contract.js';
import { changed, send } from './form.js';
import { startProxy, type Proxy } from './proxy.js';

const MEGABYTE = 1024 * 1024;
/** Short, because a test waits for it. */
const impatient = { silence: 400, checkSilence: 400 };
/** Small, so that a few megabytes are copied in parts. */
const inParts = { copyLimit: 6 * MEGABYTE, copyPart: 5 * MEGABYTE };

const textForm = { size: 10, contentType: 'text/plain', seconds: 60 };
const textAnswer = { contentType: 'text/plain', disposition: 'inline', seconds: 60 };
const digest = async (stream: Readable) =>
  createHash('sha256')
    .update(await buffer(stream))
    .digest('hex');

/** Names of all objects and of all unfinished uploads. */
async function storedIn(bucket: S3Bucket): Promise<string[]> {
  const s3 = clientOf(await import('@aws-sdk/client-s3'), bucket);
  const names: string[] = [];
  for await (const { Contents = [] } of s3.paginateListObjectsV2({ Bucket: bucket.bucket }))
    names.push(...Contents.map(({ Key }) => Key!));
  const { Uploads = [] } = await s3.listMultipartUploads({ Bucket: bucket.bucket });
  return [...names, ...Uploads.map(({ Key, UploadId }) => `${Key} ${UploadId}`)]
    .map((name) => name.replace(/^files\//, ''))
    .sort();
}

/** The error for the operator. It contains no secret and nothing signed. Clients get a general error only. */
async function failureOf(
  work: Promise<unknown>,
  { secretAccessKey }: { secretAccessKey: string },
): Promise<Error> {
  const error = await work.then(
    () => new Error('It did not fail.'),
    (error: Error) => error,
  );
  const cause = error instanceof BlobsUnavailable ? (error.cause as Error) : error;
  const everything = [
    error.stack,
    cause.stack,
    JSON.stringify(error, Object.getOwnPropertyNames(error)),
    String(error.cause),
  ].join();
  expect(everything).not.toContain(secretAccessKey);
  expect(everything).not.toMatch(/signature=|X-Amz-|authorization/i);
  return cause;
}

describeS3('with a store', () => {
  blobContract(
    'S3',
    async () => {
      const bucket = await freshBucket();
      // Small pages, so that lists have many of them.
      return {
        blobs: openS3(s3Options(bucket), { page: 7 }),
        stored: () => storedIn(bucket),
        close: async () => undefined,
      };
    },
    ['url', 'directUpload'],
  );

  let bucket: S3Bucket;
  let blobs: Blobs;
  const open = (changes: Partial<S3Options> = {}, tuning?: Parameters<typeof openS3>[1]) =>
    openS3({ ...s3Options(bucket), ...changes }, tuning);
  beforeAll(async () => {
    bucket = await freshBucket();
    blobs = open();
  });

  describe('a form', () => {
    let key: string;
    let form: UploadForm;
    const refused = async (tried: UploadForm, content: string | Uint8Array = 'x', at = key) => {
      const { status } = await send(tried, content);
      expect({ refused: status >= 400 && status < 500, stored: await blobs.stat(at) }).toEqual({
        refused: true,
        stored: null,
      });
    };
    const ready = async (limits = textForm) => {
      key = STAGING + newKey();
      form = await blobs.directUpload!(key, limits);
    };

    test('accepts the largest size and rejects one byte more', async () => {
      await ready();
      await refused(form, '01234567890');
      expect((await send(form, '0123456789')).status).toBe(201);
      expect(await blobs.stat(key)).toEqual({ size: 10 });
    });

    test('accepts exactly the megabytes that it allows', async () => {
      await ready({ ...textForm, size: 5 * MEGABYTE });
      await refused(form, Buffer.alloc(5 * MEGABYTE + 1));
      expect((await send(form, Buffer.alloc(5 * MEGABYTE, 7))).status).toBe(201);
      expect(await blobs.stat(key)).toEqual({ size: 5 * MEGABYTE });
    });

    test('rejects another key', async () => {
      await ready();
      for (const other of [`${key}-2`, 'files/stolen', `${STAGING}\${filename}`])
        await refused(changed(form, 'key', other));
      expect(await blobs.stat('stolen')).toBeNull();
      expect(await blobs.stat(`${key}-2`)).toBeNull();
    });

    test('rejects another type, or none', async () => {
      await ready();
      await refused(changed(form, 'Content-Type', 'text/html'));
      await refused(changed(form, 'Content-Type'));
    });

    test('rejects another status', async () => {
      await ready();
      await refused(changed(form, 'success_action_status', '200'));
    });

    test('rejects additional fields', async () => {
      await ready();
      for (const field of [
        { name: 'acl', value: 'public-read' },
        { name: 'x-amz-meta-note', value: 'x' },
        { name: 'success_action_redirect', value: 'http://example.org/' },
        { name: 'Content-Disposition', value: 'inline' },
      ]) {
        await refused({ ...form, fields: [...form.fields, field] });
      }
    });

    test('rejects a changed policy', async () => {
      await ready();
      const policy = JSON.parse(
        Buffer.from(form.fields.find(({ name }) => name === 'policy')!.value, 'base64').toString(),
      ) as { expiration: string; conditions: unknown[] };
      const wider = {
        ...policy,
        conditions: policy.conditions.map((condition) =>
          Array.isArray(condition) ? ['content-length-range', 0, 1000] : condition,
        ),
      };
      const longer = { ...policy, expiration: '2099-01-01T00:00:00Z' };
      for (const forged of [wider, longer]) {
        expect(forged).not.toEqual(policy);
        await refused(
          changed(form, 'policy', Buffer.from(JSON.stringify(forged)).toString('base64')),
          '01234567890',
        );
      }
    });

    test('rejects a missing policy or signature', async () => {
      await ready();
      await refused(changed(form, 'X-Amz-Signature'));
      await refused(changed(form, 'X-Amz-Signature', '0'.repeat(64)));
      await refused(changed(form, 'policy'));
    });

    test('expires', async () => {
      await ready({ ...textForm, seconds: 1 });
      await sleep(2500);
      await refused(form);
    });
  });

  describe('addresses for clients', () => {
    test('have the public endpoint', async () => {
      const proxy = await startProxy(bucket.endpoint);
      try {
        const seen = open({ publicEndpoint: `${proxy.endpoint}/` });
        const key = newKey();
        await seen.put(key, chunks('through the front door'));
        expect(proxy.connections).toBe(0);
        const url = await seen.url!(key, textAnswer);
        expect(url.startsWith(`${proxy.endpoint}/${bucket.bucket}/`)).toBe(true);
        expect(await (await fetch(url)).text()).toBe('through the front door');
        const form = await seen.directUpload!(STAGING + key, textForm);
        expect((await send(form, 'x')).status).toBe(201);
        expect(proxy.connections).toBeGreaterThan(0);
      } finally {
        await proxy.close();
      }
    });

    test('can have the bucket in the host name', async () => {
      const { port } = new URL(bucket.endpoint);
      const hosted = open({ publicEndpoint: `http://s3.localhost:${port}`, forcePathStyle: false });
      const key = newKey();
      await blobs.put(key, chunks('by host'));
      const host = `${bucket.bucket}.s3.localhost:${port}`;
      const url = new URL(await hosted.url!(key, textAnswer));
      expect(url.host).toBe(host);
      // Sent directly to the address, because not every machine resolves such names.
      const answer = await new Promise<Readable & { statusCode?: number }>((resolve, reject) =>
        request(
          { host: '127.0.0.1', port, path: url.pathname + url.search, headers: { host } },
          resolve,
        )
          .on('error', reject)
          .end(),
      );
      expect([answer.statusCode, (await buffer(answer)).toString()]).toEqual([200, 'by host']);
      expect(new URL((await hosted.directUpload!(STAGING + key, textForm)).href).host).toBe(host);
    });

    test('keep every character of a name', async () => {
      const key = newKey();
      await blobs.put(key, chunks('x'));
      const disposition = `inline; filename="a+b & c=d; 100% (1)*'!~.txt"; filename*=UTF-8''a%2Bb%20%E6%97%A5%E6%9C%AC.txt`;
      const answer = await fetch(
        await blobs.url!(key, { ...textAnswer, disposition, contentType: 'image/svg+xml' }),
      );
      expect([
        answer.status,
        answer.headers.get('content-disposition'),
        answer.headers.get('content-type'),
      ]).toEqual([200, disposition, 'image/svg+xml']);
    });
  });

  describe('credentials of the machine', () => {
    const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const;
    const before = names.map((name) => process.env[name]);
    afterEach(() =>
      names.forEach((name, n) => {
        if (before[n] === undefined) delete process.env[name];
        else process.env[name] = before[n];
      }),
    );
    const ambient = (token?: string) => {
      Object.assign(
        process.env,
        { AWS_ACCESS_KEY_ID: bucket.accessKeyId, AWS_SECRET_ACCESS_KEY: bucket.secretAccessKey },
        token && { AWS_SESSION_TOKEN: token },
      );
      return open({ credentials: undefined });
    };

    test('work for everything except direct uploads', async () => {
      const found = ambient();
      const key = newKey();
      await found.put(key, chunks('x'));
      expect(found.directUpload).toBeUndefined();
      expect((await fetch(await found.url!(key, textAnswer))).status).toBe(200);
    });

    test('add their token to addresses if they are temporary', async () => {
      expect(
        new URL(await ambient('a token').url!(newKey(), textAnswer)).searchParams.get(
          'X-Amz-Security-Token',
        ),
      ).toBe('a token');
    });
  });

  describe('a copy in parts', () => {
    test('has the same bytes', async () => {
      const parted = open({}, inParts);
      const [from, to] = [newKey(), newKey()];
      const bytes = randomBytes(13 * MEGABYTE + 1);
      await parted.put(from, chunks(bytes));
      await parted.copy(from, to);
      expect(await parted.stat(to)).toEqual({ size: bytes.byteLength });
      expect(await digest(await parted.read(to))).toBe(
        createHash('sha256').update(bytes).digest('hex'),
      );
    });

    test('leaves and changes nothing when it fails', async () => {
      // S3 stores reject parts smaller than five megabytes, except the last.
      const refused = open({}, { ...inParts, copyPart: MEGABYTE });
      const [from, to] = [newKey(), newKey()];
      await refused.put(from, chunks(Buffer.alloc(7 * MEGABYTE)));
      await refused.put(to, chunks('as before'));
      const before = await storedIn(bucket);
      expect((await failureOf(refused.copy(from, to), bucket)).message).toContain(to);
      expect((await buffer(await refused.read(to))).toString()).toBe('as before');
      expect(await storedIn(bucket)).toEqual(before);
    });
  });

  test('objects outside the prefix are not listed', async () => {
    const mixed = await freshBucket();
    const s3 = clientOf(await import('@aws-sdk/client-s3'), mixed);
    for (const Key of [
      'files/Photo.jpg',
      'files/',
      'elsewhere/a',
      'files/staging/a',
      'staging/B',
      'files/ours',
      'staging/ours',
    ])
      await s3.putObject({ Bucket: mixed.bucket, Key, Body: 'x' });
    const { UploadId } = await s3.createMultipartUpload({
      Bucket: mixed.bucket,
      Key: 'files/Foreign',
    });
    const seen = openS3(s3Options(mixed));
    expect((await collected(seen.list())).map(({ key }) => key)).toEqual(['ours']);
    expect((await collected(seen.list('staging'))).map(({ key }) => key)).toEqual(['staging/ours']);
    expect(await collected(seen.unfinished())).toEqual([]);
    expect(UploadId).toEqual(expect.any(String));
  });

  test('unfinished uploads are listed on every page', async () => {
    const crowded = await freshBucket();
    const s3 = clientOf(await import('@aws-sdk/client-s3'), crowded);
    const names = Array.from(
      { length: 20 },
      (_, n) => `${n % 2 ? 'files/' : 'staging/'}key-${Math.floor(n / 3)}`,
    );
    for (const Key of names) await s3.createMultipartUpload({ Bucket: crowded.bucket, Key });
    const found = await collected(openS3(s3Options(crowded), { page: 3 }).unfinished());
    expect(found.map(({ key }) => key).sort()).toEqual(
      names.map((name) => name.replace('files/', '')).sort(),
    );
    for (const one of found) await one.remove();
    expect(await storedIn(crowded)).toEqual([]);
  });

  describe('check', () => {
    test('reports a missing bucket', async () => {
      const error = await failureOf(open({ bucket: 'moorage-nowhere' }).check(), bucket);
      expect(error.message).toMatch(/"moorage-nowhere".*does not exist.*create it/);
    });

    test('reports a key without permission', async () => {
      const error = await failureOf(
        open({
          credentials: { accessKeyId: 'UNKNOWN', secretAccessKey: bucket.secretAccessKey },
        }).check(),
        bucket,
      );
      expect(error.message).toMatch(new RegExp(`"${bucket.bucket}".*key`));
    });

    test('reports a wrong secret', async () => {
      const error = await failureOf(
        open({
          credentials: { accessKeyId: bucket.accessKeyId, secretAccessKey: 'not-the-secret' },
        }).check(),
        { secretAccessKey: 'not-the-secret' },
      );
      expect(error.message).toMatch(new RegExp(`"${bucket.bucket}".*key`));
    });
  });

  test('reading from a missing bucket does not report a missing blob', async () => {
    const withoutBucket = open({ bucket: 'moorage-nowhere' });
    const key = newKey();
    const works = [
      withoutBucket.read(key),
      withoutBucket.put(key, chunks('x')),
      withoutBucket.remove(key),
      collected(withoutBucket.list()),
      collected(withoutBucket.unfinished()),
    ];
    for (const { message } of await Promise.all(works.map((work) => failureOf(work, bucket))))
      expect(message).toContain('NoSuchBucket');
    // The answer to HEAD has no body with the reason.
    expect((await failureOf(withoutBucket.stat(key), bucket)).message).toMatch(
      /^The bucket "moorage-nowhere" of S3_BUCKET cannot be used/,
    );
  });

  describe('over a bad connection', () => {
    let proxy: Proxy;
    let shaky: Blobs;
    const through = async (tuning?: typeof impatient) => {
      proxy = await startProxy(bucket.endpoint);
      shaky = open({ endpoint: proxy.endpoint }, tuning);
    };
    afterEach(() => proxy.close());

    test('that fails once, a body is still stored', async () => {
      await through();
      Object.assign(proxy, { cutUpAfter: 3 * MEGABYTE, cuts: 1 });
      const bytes = randomBytes(20 * MEGABYTE);
      const key = newKey();
      expect(await shaky.put(key, chunks(bytes))).toEqual({ size: bytes.byteLength });
      expect(proxy.cuts).toBe(0);
      expect(await digest(await blobs.read(key))).toBe(
        createHash('sha256').update(bytes).digest('hex'),
      );
    });

    test.each([
      ['small', 2],
      ['large', 20],
    ])('that fails repeatedly, a %s body leaves nothing', async (_, megabytes) => {
      await through();
      proxy.cutUpAfter = MEGABYTE;
      const before = await storedIn(bucket);
      const key = newKey();
      const error = await failureOf(
        shaky.put(key, chunks(...Array.from({ length: megabytes }, () => Buffer.alloc(MEGABYTE)))),
        bucket,
      );
      expect(error.message).toContain(key);
      expect(await blobs.stat(key)).toBeNull();
      expect(await storedIn(bucket)).toEqual(before);
    });

    test('a failing body is reported as the reason, even if the store has gone too', async () => {
      await through();
      const key = newKey();
      async function* broken() {
        for (let n = 0; n < 3; n += 1) yield Buffer.alloc(8 * MEGABYTE);
        proxy.cutUpAfter = 0;
        throw new Error('the client went away');
      }
      await expect(shaky.put(key, broken())).rejects.toThrow('the client went away');
      expect(await blobs.stat(key)).toBeNull();
    });

    test('that fails during a read, the bytes end with an error', async () => {
      await through();
      const key = newKey();
      await blobs.put(key, chunks(Buffer.alloc(4 * MEGABYTE)));
      proxy.cutDownAfter = MEGABYTE;
      await expect(buffer(await shaky.read(key))).rejects.toThrow();
    });

    test('that stops sending during a read, the bytes end with an error', async () => {
      await through(impatient);
      const key = newKey();
      await blobs.put(key, chunks(Buffer.alloc(4 * MEGABYTE)));
      proxy.silentAfter = MEGABYTE;
      await expect(buffer(await shaky.read(key))).rejects.toThrow('sent nothing');
    });

    test('a slow reader does not count as a silent store', async () => {
      await through(impatient);
      const key = newKey();
      await blobs.put(key, chunks(Buffer.alloc(20 * MEGABYTE)));
      let size = 0;
      let rests = 0;
      for await (const chunk of await shaky.read(key)) {
        size += (chunk as Buffer).byteLength;
        if (size > (rests + 0.5) * 8 * MEGABYTE) {
          rests += 1;
          await sleep(3 * impatient.silence);
        }
      }
      expect({ size, rests }).toEqual({ size: 20 * MEGABYTE, rests: 2 });
    });
  });

  describe('without an answer', () => {
    const everything = (away: Blobs) => [
      away.check(),
      away.put(newKey(), chunks('x')),
      away.put(newKey(), chunks(Buffer.alloc(20 * MEGABYTE))),
      away.read(newKey()),
      away.stat(newKey()),
      away.copy(newKey(), newKey()),
      away.remove(newKey()),
      collected(away.list()),
      collected(away.unfinished()),
    ];

    test('from a closed port, every method fails', async () => {
      const proxy = await startProxy();
      await proxy.close();
      for (const error of await Promise.all(
        everything(open({ endpoint: proxy.endpoint })).map((work) => failureOf(work, bucket)),
      ))
        expect(error.message).toMatch(/^The (store|bucket)/);
    });

    test('from a store that never answers, every method fails after its time-out', async () => {
      const proxy = await startProxy();
      try {
        for (const error of await Promise.all(
          everything(open({ endpoint: proxy.endpoint }, impatient)).map((work) =>
            failureOf(work, bucket),
          ),
        ))
          expect(error.message).toMatch(/^The (store|bucket)/);
      } finally {
        await proxy.close();
      }
    });
  });
});

describeS3('an outage', () => {
  let server: Rgw;
  let bucket: S3Bucket;
  beforeAll(async () => {
    server = await startRgw();
    bucket = await freshBucket(server);
  });
  afterAll(() => server.stop());

  test('during an upload leaves nothing visible, and the rest can be found and removed', async () => {
    const blobs = openS3(s3Options(bucket));
    await blobs.put('before', chunks('stays'));
    async function* interrupted() {
      for (let n = 0; n < 3; n += 1) yield Buffer.alloc(8 * MEGABYTE);
      await eventually(async () => (await collected(blobs.unfinished())).at(0));
      await server.killGateway();
      for (let n = 0; n < 3; n += 1) yield Buffer.alloc(8 * MEGABYTE);
    }
    expect((await failureOf(blobs.put('interrupted', interrupted()), bucket)).message).toContain(
      'interrupted',
    );
    expect((await failureOf(blobs.check(), bucket)).message).toMatch(/runs/);
    await server.startGateway();
    await blobs.check();
    expect((await collected(blobs.list())).map(({ key }) => key)).toEqual(['before']);
    const left = await collected(blobs.unfinished());
    expect(left.map(({ key }) => key)).toEqual(['interrupted']);
    await left[0]!.remove();
    expect(await storedIn(bucket)).toEqual(['before']);
    expect((await buffer(await blobs.read('before'))).toString()).toBe('stays');
  });
});

test('opening a store sends no request', () => {
  const blobs = openBlobs({
    kind: 's3',
    endpoint: 'http://127.0.0.1:1',
    region: 'us-east-1',
    bucket: 'none',
    forcePathStyle: true,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  expect(blobs.directUpload).toBeDefined();
});

test('a repeated completion of a copy in parts is not mistaken for a missing source', async () => {
  const xml = (name: string, content: string) =>
    `<?xml version="1.0" encoding="UTF-8"?><${name}>${content}</${name}>`;
  const asked: string[] = [];
  const store = createServer((req, res) => {
    const { searchParams } = new URL(req.url!, 'http://store.example.test');
    const answer = (status: number, content: string, headers = {}) =>
      void res.writeHead(status, headers).end(content);
    req.resume().on('end', () => {
      asked.push(
        `${req.method} ${[...searchParams.keys()].filter((name) => name !== 'x-id').join()}`,
      );
      if (req.method === 'HEAD') answer(200, '', { 'content-length': 7 * MEGABYTE, etag: '"one"' });
      else if (searchParams.has('uploads'))
        answer(200, xml('InitiateMultipartUploadResult', '<UploadId>1</UploadId>'));
      else if (req.method === 'PUT') answer(200, xml('CopyPartResult', '<ETag>"part"</ETag>'));
      // The first attempt succeeded, but its answer was lost.
      else if (req.method === 'POST') answer(404, xml('Error', '<Code>NoSuchUpload</Code>'));
      else answer(204, '');
    });
  });
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  try {
    const blobs = openS3(
      {
        endpoint: `http://127.0.0.1:${(store.address() as AddressInfo).port}`,
        region: 'us-east-1',
        bucket: 'files',
        credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
        forcePathStyle: true,
      },
      inParts,
    );
    await expect(blobs.copy('staging/source', 'target')).rejects.toBeInstanceOf(BlobsUnavailable);
    expect(asked).toEqual([
      'HEAD ',
      'POST uploads',
      'PUT partNumber,uploadId',
      'PUT partNumber,uploadId',
      'POST uploadId',
      'DELETE uploadId',
    ]);
  } finally {
    store.close();
    store.closeAllConnections();
  }
});
