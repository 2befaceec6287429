/** What clients notice of a store that is down, disconnected or slow, and what remains afterwards. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Attachment } from '../../src/models/attachment.js';
import { startProxy, type Proxy } from '../unit/blobs/proxy.js';
import { startApp, type App } from '../support/app.js';
import {
  eventually,
  finalized,
  prepare,
  sendForm,
  uploaded,
  uploadDirectly,
} from '../support/direct-upload.js';
import { errorBody } from '../support/expected.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import {
  describeS3,
  freshBucket,
  s3Environment,
  startRgw,
  type Rgw,
  type S3Bucket,
} from '../support/rgw.js';

const unavailable = errorBody(
  'ServiceUnavailable',
  'The file storage cannot be used at the moment. Try again shortly.',
);

interface Site {
  app: App;
  person: Person;
  workPackage: ContainerHandle;
}

async function open(environment: { [name: string]: string }): Promise<Site> {
  const app = await startApp({
    BACKGROUND_WORK: 'true',
    LEASE_SECONDS: '2',
    ATTACHMENT_MAX_SIZE: '100000000',
    ...environment,
  });
  const project = await app.given.project();
  const person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  return { app, person, workPackage: await app.given.workPackage(project, person) };
}

/** Keys of all objects in the bucket, and of unfinished uploads. */
async function stored({
  running: {
    services: { blobs },
  },
}: App): Promise<string[]> {
  const keys: string[] = [];
  for (const list of [blobs.list('finished'), blobs.list('staging'), blobs.unfinished()])
    for await (const { key } of list) keys.push(key);
  return keys.sort();
}

const rows = ({
  running: {
    services: { db },
  },
}: App) => Attachment.query(db.read).orderBy('id');

describeS3('a store that is down for a while', () => {
  let rgw: Rgw;
  let site: Site;
  beforeAll(async () => {
    rgw = await startRgw();
    site = await open(s3Environment(await freshBucket(rgw)));
  }, 60_000);
  afterAll(async () => {
    await site?.app.stop();
    await rgw?.stop();
  });

  test('fails only what needs it, with 503, loses nothing, and is used again when it is back', async () => {
    const { app, person, workPackage } = site;
    const before = (
      await app.upload(workPackage.attachments, { as: person, fileName: 'before.txt' })
    ).body;
    const pending = await uploaded(app, {
      as: person,
      to: workPackage.attachments,
      fileName: 'pending.txt',
    });
    await rgw.killGateway();

    const refused = await app.upload(workPackage.attachments, {
      as: person,
      fileName: 'during.txt',
    });
    expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
      503,
      unavailable,
      '5',
    ]);
    const early = await app.get(pending.completion, person);
    expect([early.status, early.body]).toEqual([503, unavailable]);
    const { errors } = await app.graphql(
      'mutation ($id: ID!) { completeAttachmentUpload(input: { id: $id }) { attachment { databaseId } } }',
      { id: String(pending.id) },
      person,
    );
    expect(errors![0]!.extensions).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      errorIdentifier: unavailable.errorIdentifier,
      status: 503,
    });
    expect((await app.get('/health/ready')).body).toEqual({
      status: 'unavailable',
      checks: { database: 'ok', blobs: 'failed' },
    });
    expect((await app.get('/health/live')).status).toBe(200);

    // Operations without the store still work, such as the preparation of a direct upload.
    expect((await app.get(workPackage.attachments, person)).body.count).toBe(1);
    expect(
      (
        await prepare(app, '/api/v3/attachments/prepare', person, {
          fileName: 'later.txt',
          fileSize: 5,
        })
      ).status,
    ).toBe(201);
    const removed = await app.delete(`/api/v3/attachments/${before.id}`, person);
    expect([
      removed.status,
      (await app.get(`/api/v3/attachments/${before.id}`, person)).status,
    ]).toEqual([204, 404]);

    await rgw.startGateway();
    expect((await app.get(pending.completion, person)).status).toBe(200);
    expect((await finalized(app, pending.id, person)).body).toMatchObject({
      status: 'uploaded',
      fileName: 'pending.txt',
    });
    expect(
      (await app.upload(workPackage.attachments, { as: person, fileName: 'after.txt' })).status,
    ).toBe(200);

    // Background work cleans up after the refused upload and the removal.
    let left = await rows(app);
    for (
      let attempt = 0;
      attempt < 400 && left.some(({ phase }) => phase !== 'kept');
      attempt += 1
    ) {
      await sleep(50);
      left = await rows(app);
    }
    expect(left.map(({ fileName, status }) => [fileName, status])).toEqual([
      ['pending.txt', 'uploaded'],
      ['later.txt', 'prepared'],
      ['after.txt', 'uploaded'],
    ]);
    expect(await stored(app)).toEqual(
      left
        .filter(({ status }) => status !== 'prepared')
        .map(({ blobKey }) => blobKey)
        .sort(),
    );
  }, 90_000);

  test('interrupts a finalisation, which ends later with one activity, one event and the right bytes', async () => {
    const { app, person, workPackage } = site;
    const content = randomBytes(30_000_000);
    const { id, completion } = await uploaded(app, {
      as: person,
      to: workPackage.attachments,
      fileName: 'large.bin',
      contentType: 'application/octet-stream',
      content,
    });
    await app.get(completion, person);
    const row = async () => (await rows(app)).find((each) => each.id === id)!;
    await eventually(row, ({ leaseToken, phase }) => leaseToken !== null || phase !== 'kept');
    await rgw.killGateway();
    await sleep(300);
    // The finalisation must still run when the store goes down.
    expect((await row()).status).toBe('prepared');
    await rgw.startGateway();
    const { body } = await finalized(app, id, person);
    expect([body.status, body.fileSize, body.digest]).toEqual([
      'uploaded',
      content.byteLength,
      { algorithm: 'sha256', hash: createHash('sha256').update(content).digest('hex') },
    ]);
    const { db } = app.running.services;
    expect(
      Number(
        (
          await db
            .read('events')
            .where({ kind: 'attachment:created', subject_id: id })
            .count({ n: '*' })
        )[0]!['n'],
      ),
    ).toBe(1);
    const history = await app.get(`${workPackage.path}/activities`, person);
    expect(
      history.body._embedded.elements.filter(({ details }: any) =>
        details.some(({ raw }: any) => raw === 'File large.bin added'),
      ),
    ).toHaveLength(1);
  }, 90_000);
});

describeS3('a connection to the store', () => {
  let bucket: S3Bucket;
  let proxy: Proxy;
  let site: Site;
  beforeAll(async () => {
    bucket = await freshBucket();
    proxy = await startProxy(bucket.endpoint);
    // Clients use the store without the proxy.
    site = await open({
      ...s3Environment(bucket),
      S3_ENDPOINT: proxy.endpoint,
      S3_PUBLIC_ENDPOINT: bucket.endpoint,
    });
  });
  afterAll(async () => {
    await site?.app.stop();
    await proxy?.close();
  });

  test('that fails repeatedly during an upload ends the upload with an error and leaves nothing', async () => {
    const { app, person, workPackage } = site;
    const before = await stored(app);
    Object.assign(proxy, { cutUpAfter: 3_000_000, cuts: Infinity });
    const { status, body } = await app.upload(workPackage.attachments, {
      as: person,
      fileName: 'cut.bin',
      content: randomBytes(20_000_000),
    });
    Object.assign(proxy, { cutUpAfter: Infinity });
    expect([status, body]).toEqual([503, unavailable]);
    expect((await app.get(workPackage.attachments, person)).body.count).toBe(0);
    for (let attempt = 0; attempt < 200 && (await rows(app)).length > 0; attempt += 1)
      await sleep(50);
    expect(await rows(app)).toEqual([]);
    expect(await stored(app)).toEqual(before);
  }, 60_000);

  test('that fails once is opened again, and the client notices nothing', async () => {
    const { app, person, workPackage } = site;
    Object.assign(proxy, { cutUpAfter: 3_000_000, cuts: 1 });
    const content = randomBytes(20_000_000);
    const { status, body } = await app.upload(workPackage.attachments, {
      as: person,
      fileName: 'once.bin',
      content,
    });
    Object.assign(proxy, { cutUpAfter: Infinity });
    expect(proxy.cuts).toBe(0);
    expect([status, body.fileSize, body.digest.hash]).toEqual([
      200,
      content.byteLength,
      createHash('sha256').update(content).digest('hex'),
    ]);
  }, 60_000);

  test('that fails during a finalisation delays it', async () => {
    const { app, person } = site;
    Object.assign(proxy, { cutDownAfter: 1_000_000 });
    const content = randomBytes(8_000_000);
    const { id, completion } = await uploaded(app, {
      as: person,
      fileName: 'down.bin',
      contentType: 'application/octet-stream',
      content,
    });
    expect((await app.get(completion, person)).body.status).toBe('prepared');
    await sleep(500);
    // The finalisation still runs: completing again gives the same answer.
    expect((await app.get(completion, person)).body.status).toBe('prepared');
    Object.assign(proxy, { cutDownAfter: Infinity });
    const { body } = await finalized(app, id, person);
    expect([body.status, body.digest.hash]).toEqual([
      'uploaded',
      createHash('sha256').update(content).digest('hex'),
    ]);
  }, 60_000);

  test('with an unknown key is reported only to the operator', async () => {
    const other = await freshBucket();
    const { app, person } = await open(s3Environment(other));
    const { blobs } = app.running.services;
    Object.assign(app.running.services, {
      blobs: (await import('../../src/blobs/s3.js')).openS3({
        ...other,
        credentials: { accessKeyId: other.accessKeyId, secretAccessKey: 'not-the-secret' },
        forcePathStyle: true,
      }),
    });
    const { status, body } = await app.upload('/api/v3/attachments', { as: person });
    Object.assign(app.running.services, { blobs });
    expect([status, body]).toEqual([503, unavailable]);
    expect(app.logLines.join('\n')).toMatch(/status 403/);
    expect(app.logLines.join('\n')).not.toContain('not-the-secret');
    expect((await uploadDirectly(app, { as: person })).status).toBe(200);
    await app.stop();
  });
});

/** Passes requests to the store, or answers 503 as often as `busy` says. Each one after `delay` milliseconds. */
async function startGate(target: string) {
  const gate = { endpoint: '', busy: 0, delay: 0, close: () => Promise.resolve() };
  const server = createServer(async (req, res) => {
    await sleep(gate.delay);
    if (gate.busy > 0) {
      gate.busy -= 1;
      req.resume();
      res
        .writeHead(503, { 'content-type': 'application/xml' })
        .end('<Error><Code>SlowDown</Code></Error>');
      return;
    }
    // The signature covers the headers, so they stay as they are.
    const onward = request(
      target + req.url,
      { method: req.method, headers: req.headers },
      (answer) => {
        res.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(res);
      },
    );
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  gate.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  gate.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return gate;
}

describeS3('a store under pressure', () => {
  let gate: Awaited<ReturnType<typeof startGate>>;
  let site: Site;
  beforeAll(async () => {
    const bucket = await freshBucket();
    gate = await startGate(bucket.endpoint);
    site = await open({
      ...s3Environment(bucket),
      S3_ENDPOINT: gate.endpoint,
      S3_PUBLIC_ENDPOINT: bucket.endpoint,
    });
  });
  afterAll(async () => {
    await site?.app.stop();
    await gate?.close();
  });

  test('that sometimes answers 503 is tried again, and the client notices nothing', async () => {
    const { app, person, workPackage } = site;
    gate.busy = 2;
    expect(
      (await app.upload(workPackage.attachments, { as: person, fileName: 'again.txt' })).status,
    ).toBe(200);
    expect(gate.busy).toBe(0);
  });

  test('that always answers 503 refuses uploads and delays finalisations, but loses none', async () => {
    const { app, person, workPackage } = site;
    const { id, completion } = await uploaded(app, {
      as: person,
      to: workPackage.attachments,
      fileName: 'delayed.txt',
    });
    expect((await app.get(completion, person)).status).toBe(200);
    gate.busy = Infinity;
    const refused = await app.upload(workPackage.attachments, {
      as: person,
      fileName: 'refused.txt',
    });
    expect([refused.status, refused.body]).toEqual([503, unavailable]);
    gate.busy = 0;
    expect((await finalized(app, id, person)).body.status).toBe('uploaded');
    const { body } = await app.get(workPackage.attachments, person);
    expect(body._embedded.elements.map(({ fileName }: { fileName: string }) => fileName)).toEqual([
      'again.txt',
      'delayed.txt',
    ]);
  }, 60_000);

  test('that is slow causes slow requests, but no errors', async () => {
    const { app, person, workPackage } = site;
    gate.delay = 300;
    const { body } = await uploadDirectly(app, {
      as: person,
      to: workPackage.attachments,
      fileName: 'slow.txt',
    });
    expect([
      body.status,
      (await app.upload(workPackage.attachments, { as: person, fileName: 'slow too.txt' })).status,
    ]).toEqual(['uploaded', 200]);
    gate.delay = 0;
  }, 60_000);
});

describeS3('a form that the store rejects', () => {
  test('leaves the upload prepared, and the client can request a new form', async () => {
    const { app, person } = await open(s3Environment(await freshBucket()));
    const { body } = await prepare(app, '/api/v3/attachments/prepare', person, {
      fileName: 'a.txt',
      fileSize: 3,
    });
    const refused = await sendForm(body._links.addAttachment, 'much too much');
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect((await app.get(body._links.completeUpload.href, person)).status).toBe(404);
    expect((await app.get(`/api/v3/attachments/${body.id}`, person)).body.status).toBe('prepared');
    expect((await uploadDirectly(app, { as: person })).status).toBe(200);
    await app.stop();
  });
});
