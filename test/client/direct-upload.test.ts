/** Uploads to a real object store with the package moorage-client in Node.js. */
import { createClient } from 'moorage-client';
import { startApp, startBeside, type App } from '../support/app.js';
import { describeClamd, EICAR, startClamd, type Clamd } from '../support/clamd.js';
import { until } from '../support/cli.js';
import { eventually } from '../support/direct-upload.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { serveFake, type FakeServer } from '../../demo/servers/http-server.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../support/jest.js';
import { describeS3, freshBucket, s3Environment, type S3Bucket } from '../support/rgw.js';
import { clientOf, failureOf, Files, MIB, reached, statesOf } from './files.js';
import { Gate } from './gate.js';

describeS3('with a real store', () => {
  let app: App;
  let bucket: S3Bucket;
  /** Before the store. */
  let gate: Gate;
  let files: Files;
  let person: Person;
  let workPackage: ContainerHandle;
  const settings = () => ({
    BACKGROUND_WORK: 'true',
    ATTACHMENT_MAX_SIZE: String(64 * MIB),
    ...s3Environment(bucket),
    S3_PUBLIC_ENDPOINT: gate.url,
  });
  beforeAll(async () => {
    bucket = await freshBucket();
    gate = await Gate.to(bucket.endpoint);
    app = await startApp(settings());
    files = new Files();
    const project = await app.given.project();
    person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
    workPackage = await app.given.workPackage(project, person);
  }, 60_000);
  beforeEach(async () => {
    workPackage = await app.given.workPackage({ id: workPackage.projectId }, person);
  });
  afterAll(async () => {
    await gate?.stop();
    await app?.stop();
    files?.remove();
  });

  const options = () => ({ containerId: workPackage.globalId });

  async function attached(): Promise<[string, number][]> {
    const { body } = await app.get(workPackage.attachments, person);
    return body._embedded.elements.map((one: any) => [one.fileName, one.fileSize]);
  }

  const pending = async (): Promise<string[]> => {
    const { data } = await app.graphql(
      '{ viewer { pendingUploads(first: 10) { nodes { fileName } } } }',
      {},
      person,
    );
    return data.viewer.pendingUploads.nodes.map((one: any) => one.fileName);
  };

  test('auto sends the file to the store, and done waits until it is checked', async () => {
    const file = await files.file('film.bin', new Uint8Array(20 * MIB), 'video/mp4');
    const upload = clientOf(app.url, person).upload(file, {
      ...options(),
      description: 'A film',
    });
    const states = statesOf(upload);
    const attachment = await upload.done;
    expect(states).toEqual(['queued', 'preparing', 'sending', 'finalising', 'done']);
    expect(attachment).toMatchObject({
      fileName: 'film.bin',
      fileSize: 20 * MIB,
      status: 'UPLOADED',
    });
    expect(upload.sent).toBe(20 * MIB);
    const { body } = await app.get(`/api/v3/attachments/${attachment.databaseId}`, person);
    expect([body.description.raw, body.status]).toEqual(['A film', 'uploaded']);
    expect(await pending()).toEqual([]);
  }, 30_000);

  test('regular sends the file through the service all the same', async () => {
    const upload = clientOf(app.url, person).upload(await files.file('small.txt', 'small'), {
      ...options(),
      mode: 'regular',
    });
    await upload.done;
    expect(await attached()).toEqual([['small.txt', 5]]);
  });

  test('a lost connection to the store is made good with the same form', async () => {
    gate.cutAfter(3 * MIB);
    const upload = clientOf(app.url, person).upload(
      await files.file('cut.bin', new Uint8Array(8 * MIB)),
      options(),
    );
    await reached(upload, 'offline');
    expect(upload.error?.message).toContain('The connection to the file store was lost.');
    expect(await pending()).toEqual(['cut.bin']);
    await upload.done;
    expect(await attached()).toEqual([['cut.bin', 8 * MIB]]);
  }, 30_000);

  test('a lost answer of the store is found out from the service', async () => {
    gate.loseAnswer();
    const upload = clientOf(app.url, person).upload(
      await files.file('answer.bin', new Uint8Array(4 * MIB)),
      options(),
    );
    const states = statesOf(upload);
    await upload.done;
    expect(states.filter((state) => state === 'sending').length).toBe(1);
    expect(await attached()).toEqual([['answer.bin', 4 * MIB]]);
  }, 30_000);

  test('cancelling removes the prepared upload', async () => {
    gate.hold();
    const upload = clientOf(app.url, person).upload(
      await files.file('cancelled.bin', new Uint8Array(8 * MIB)),
      options(),
    );
    await eventually(
      () => upload.sent,
      (sent) => sent > 0,
    );
    expect(await pending()).toEqual(['cancelled.bin']);
    const cancelled = upload.cancel();
    gate.release();
    await cancelled;
    expect([await pending(), await attached()]).toEqual([[], []]);
    expect((await failureOf(upload))[0]).toBe('CANCELLED');
  }, 30_000);

  test('an expired form is prepared anew, once', async () => {
    const refused: string[] = [];
    const store = await serveFake(async ({ method, path, headers, body }, response) => {
      const text = body.toString('latin1');
      const [, policy = ''] = /name="policy"\r\n\r\n([^\r]*)/i.exec(text) ?? [];
      if (refused.length < refusals) {
        refused.push(policy);
        response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
        return;
      }
      const answer = await fetch(bucket.endpoint + path, {
        method,
        headers: { 'content-type': headers['content-type'] ?? '' },
        body: new Uint8Array(body),
      });
      response.writeHead(answer.status).end(await answer.text());
    });
    let refusals = 1;
    const beside = await startApp({ ...settings(), S3_PUBLIC_ENDPOINT: store.url });
    try {
      const project = await beside.given.project();
      const other = await beside.given.member(project, [
        'view_work_packages',
        'edit_work_packages',
      ]);
      const container = await beside.given.workPackage(project, other);
      const place = { containerId: container.globalId };
      const client = clientOf(beside.url, other);
      const upload = client.upload(await files.file('expired.txt', 'expired'), place);
      const states = statesOf(upload);
      await upload.done;
      expect(states.slice(0, 6)).toEqual([
        'queued',
        'preparing',
        'sending',
        'preparing',
        'sending',
        'finalising',
      ]);
      const left = '{ viewer { pendingUploads { totalCount } } }';
      expect((await beside.graphql(left, {}, other)).data).toEqual({
        viewer: { pendingUploads: { totalCount: 0 } },
      });

      refused.length = 0;
      refusals = 2;
      const twice = client.upload(await files.file('twice.txt', 'twice'), place);
      expect(await failureOf(twice)).toEqual([
        'STORE_REFUSED',
        403,
        'The file store refused the file with the status 403 (AccessDenied). Try again later.',
      ]);
      expect(new Set(refused).size).toBe(2);
      twice.retry();
      await twice.done;
    } finally {
      await beside.stop();
      await store.close();
    }
  }, 60_000);

  describe('a store that takes no forms', () => {
    let store: FakeServer;
    let beside: App;
    let client: ReturnType<typeof clientOf>;
    let answer = { status: 501, body: '<Error><Code>NotImplemented</Code></Error>' };
    beforeAll(async () => {
      store = await serveFake(async (_request, response) => {
        response.writeHead(answer.status).end(answer.body);
      });
      beside = await startBeside(app, { ...settings(), S3_PUBLIC_ENDPOINT: store.url });
      client = clientOf(beside.url, person);
    });
    afterAll(async () => {
      await beside?.stop();
      await store?.close();
    });
    const posts = () => store.requests.filter(({ method }) => method === 'POST');
    const prepare = () =>
      beside.graphql(
        'mutation ($input: PrepareAttachmentUploadInput!) { prepareAttachmentUpload(input: $input) { upload { databaseId } } }',
        { input: { fileName: 'a.txt', fileSize: 1, containerId: workPackage.globalId } },
        person,
      );

    test('gets each file through the service, and prepare knows after the first refusal', async () => {
      await client.upload(await files.file('first.txt', 'first'), options()).done;
      expect(await attached()).toEqual([['first.txt', 5]]);
      expect(await pending()).toEqual([]);
      await until(async () => {
        const { data } = await beside.graphql(
          'query ($id: ID!) { configuration { directUploadAvailable } container(id: $id) { viewerCanPrepareAttachment } }',
          { id: workPackage.globalId },
          person,
        );
        return (
          !data.configuration.directUploadAvailable && !data.container.viewerCanPrepareAttachment
        );
      }, 'the service knows that the store takes no forms');
      expect((await prepare()).errors?.[0]).toMatchObject({
        message:
          'Direct upload is not available due to a system configuration. ' +
          'Use the regular upload instead.',
        extensions: { status: 422, attribute: 'base' },
      });
      const sent = posts().length;
      await client.upload(await files.file('second.txt', 'second'), options()).done;
      // A client that has heard of direct uploads before prepare refuses.
      await clientOf(beside.url, person).upload(await files.file('third.txt', '3'), options()).done;
      expect((await attached()).map(([name]) => name)).toEqual([
        'first.txt',
        'second.txt',
        'third.txt',
      ]);
      expect(posts()).toHaveLength(sent);
    }, 30_000);

    test('fails with a reason if only a form is wanted', async () => {
      const other = await startBeside(app, { ...settings(), S3_PUBLIC_ENDPOINT: store.url });
      try {
        const upload = clientOf(other.url, person).upload(await files.file('form.txt', 'form'), {
          ...options(),
          mode: 'form',
        });
        expect(await failureOf(upload)).toEqual([
          'STORE_UNUSABLE',
          501,
          'The file store takes no uploads from here. An administrator can find out why with ' +
            '`moorage doctor`.',
        ]);
        await upload.cancel();
        expect(await pending()).toEqual([]);
      } finally {
        await other.stop();
      }
    }, 30_000);

    test('gets the file through the service if the store never answers', async () => {
      const gone = await serveFake(async () => undefined);
      await gone.close();
      const other = await startBeside(app, { ...settings(), S3_PUBLIC_ENDPOINT: gone.url });
      try {
        await clientOf(other.url, person).upload(await files.file('silent.txt', 's'), options())
          .done;
        expect(await attached()).toEqual([['silent.txt', 1]]);
        expect(await pending()).toEqual([]);
      } finally {
        await other.stop();
      }
    }, 30_000);

    test('without a CORS rule prepare refuses pages of that origin, and no other client', async () => {
      answer = { status: 403, body: '<Error><Code>AccessForbidden</Code></Error>' };
      const other = await startBeside(app, { ...settings(), S3_PUBLIC_ENDPOINT: store.url });
      const available = async (origin?: string) => {
        const { body } = await other.post(
          '/graphql',
          person,
          { query: '{ configuration { directUploadAvailable } }' },
          origin === undefined ? {} : { headers: { origin } },
        );
        return body.data.configuration.directUploadAvailable as boolean;
      };
      try {
        expect(await available(other.url)).toBe(true);
        const prepared = await other.graphql(
          'mutation ($input: PrepareAttachmentUploadInput!) { prepareAttachmentUpload(input: $input) { upload { databaseId } } }',
          { input: { fileName: 'a.txt', fileSize: 1, containerId: workPackage.globalId } },
          person,
        );
        await other.post(
          '/graphql',
          person,
          {
            query: `mutation { deleteAttachment(input: { id: "${prepared.data.prepareAttachmentUpload.upload.databaseId}" }) { deletedAttachmentId } }`,
          },
          { headers: { origin: other.url } },
        );
        await until(async () => !(await available(other.url)), 'the service knows the refusal');
        expect(await available()).toBe(true);
      } finally {
        await other.stop();
      }
    }, 30_000);
  });

  test('a busy service is asked again after the time that it names', async () => {
    let busy = 1;
    const begun = Date.now();
    const asked: number[] = [];
    const client = createClient({
      url: app.url,
      auth: { key: person.key },
      fetch: (input, init) => {
        if (String(init?.body).includes('completeAttachmentUpload')) {
          asked.push(Date.now() - begun);
          if (busy-- > 0)
            return Promise.resolve(
              new Response(
                '{"errors":[{"message":"busy","extensions":{"code":"SERVICE_UNAVAILABLE","status":503}}]}',
                {
                  status: 503,
                  headers: { 'retry-after': '1' },
                },
              ),
            );
        }
        return fetch(input, init);
      },
    });
    const upload = client.upload(await files.file('busy.txt', 'busy'), options());
    const states = statesOf(upload);
    await upload.done;
    expect(states).toEqual([
      'queued',
      'preparing',
      'sending',
      'queued',
      'preparing',
      'finalising',
      'done',
    ]);
    expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(1000);
  }, 30_000);

  test('a file that the service rejects fails with the reason', async () => {
    const strict = await startApp({ ...settings(), ATTACHMENT_ALLOWLIST: 'text/plain' });
    try {
      const project = await strict.given.project();
      const other = await strict.given.member(project, [
        'view_work_packages',
        'edit_work_packages',
      ]);
      const container = await strict.given.workPackage(project, other);
      const png = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      );
      const upload = clientOf(strict.url, other).upload(
        await files.file('picture.txt', png, 'text/plain'),
        { containerId: container.globalId },
      );
      const [code, status, message] = await failureOf(upload);
      expect([code, status]).toEqual(['REJECTED', 422]);
      expect(message).toMatch(/^picture\.txt was not kept: .*image\/png/);
    } finally {
      await strict.stop();
    }
  }, 60_000);

  describeClamd('with a virus scanner', () => {
    let clamd: Clamd;
    let scanning: App;
    beforeAll(async () => {
      clamd = await startClamd();
      scanning = await startApp({ ...settings(), CLAMD_URL: `unix:${clamd.unix.path}` });
    }, 120_000);
    afterAll(async () => {
      await scanning?.stop();
      await clamd?.stop();
    });

    test.each(['form', 'regular'] as const)(
      '%s: done waits for the scan',
      async (mode) => {
        const project = await scanning.given.project();
        const other = await scanning.given.member(project, [
          'view_work_packages',
          'edit_work_packages',
        ]);
        const container = await scanning.given.workPackage(project, other);
        const client = clientOf(scanning.url, other);
        const place = { containerId: container.globalId, mode };
        clamd.pause();
        const clean = client.upload(await files.file('clean.txt', 'clean'), place);
        await reached(clean, 'scanning');
        clamd.resume();
        expect((await clean.done).status).toBe('SCANNED');
        const bad = client.upload(await files.file('bad.txt', EICAR), place);
        const [code, status, message] = await failureOf(bad);
        expect([code, status]).toEqual(['QUARANTINED', 422]);
        expect(message).toMatch(/^bad\.txt cannot be used: the virus scan found .+\.$/);
      },
      60_000,
    );
  });
});
