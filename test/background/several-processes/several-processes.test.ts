/** Several processes serve one database and one store as one service, also during a rolling restart. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import * as oauth from 'openid-client';
import { Webhook as Verifier } from 'standardwebhooks';
import { application, REDIRECT, signable } from '../../api/auth/support/applications.js';
import { authorize, form, me } from '../../api/auth/support/grants.js';
import { startApp, type Answer, type App } from '../../support/app.js';
import { environmentOf, run, until } from '../../support/cli.js';
import { databaseKind } from '../../support/database.js';
import { eventually, finalized, objects, uploaded } from '../../support/direct-upload.js';
import {
  attachmentElement,
  collectionOf,
  notFound,
  TIME,
  userBody,
} from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { serveFake, type FakeServer } from '../../../demo/servers/http-server.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';
import { describeS3, s3Environment } from '../../support/rgw.js';
import { listen } from '../../support/stream.js';
import { Visitor } from '../../support/browser-visitor.js';
import { startServers, type Servers } from './servers.js';
import { download, Traffic } from './traffic.js';

const globalId = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64url');
const digestOf = (content: string) => ({
  algorithm: 'sha256',
  hash: createHash('sha256').update(content).digest('hex'),
});
const PERMISSIONS = ['view_work_packages', 'edit_work_packages'];
/** While several workers stop listening, a new connection may get no answer. The next one is refused. */
const refusesConnections = (app: App) =>
  until(
    () =>
      fetch(`${app.url}/health/live`, { signal: AbortSignal.timeout(2_000) }).then(
        () => false,
        ({ name }: Error) => name !== 'TimeoutError',
      ),
    'new connections are refused',
  );

/** An upload that does not send its last bytes yet. */
function slowUpload(
  app: App,
  as: Person,
  to: ContainerHandle,
): { answer: Promise<Answer>; finish: () => void } {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  async function* body() {
    yield '--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"fileName":"slow.txt"}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nfirst ';
    await finished;
    yield 'last\r\n--b--\r\n';
  }
  const answer = app.request('POST', to.attachments, {
    as,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: Readable.from(body()),
  });
  return { answer, finish };
}

const arriving = (app: App, count: number) =>
  eventually(
    () => app.running.services.db.read('attachments').where({ phase: 'storing' }),
    (rows) => rows.length === count,
  );

test('a server that stops answers running requests, and says that the connection closes', async () => {
  const app = await startApp();
  const project = await app.given.project();
  const person = await app.given.member(project, PERMISSIONS);
  const workPackage = await app.given.workPackage(project, person);
  expect((await app.get(workPackage.path, person)).headers.get('connection')).toBe('keep-alive');
  const { answer, finish } = slowUpload(app, person, workPackage);
  await arriving(app, 1);
  const stopped = app.stop();
  await refusesConnections(app);
  finish();
  const { status, headers, body } = await answer;
  expect([status, headers.get('connection'), body.fileSize]).toEqual([
    200,
    'close',
    'first last'.length,
  ]);
  await stopped;
});

test('a draining server still answers requests, and says that it is not ready and that connections close', async () => {
  const app = await startApp({ DRAIN_SECONDS: '8' });
  const person = await app.given.member(await app.given.project(), PERMISSIONS);
  const ready = () => app.get('/health/ready');
  expect([(await ready()).status, (await ready()).body]).toEqual([
    200,
    { status: 'ok', checks: { database: 'ok', blobs: 'ok' } },
  ]);
  const stopped = app.stop();
  const { status, body, headers } = await ready();
  expect([status, body, headers.get('connection')]).toEqual([
    503,
    { status: 'stopping', checks: { database: 'ok', blobs: 'ok' } },
    'close',
  ]);
  const answer = await app.get('/api/v3/users/me', person);
  expect([answer.status, answer.body, answer.headers.get('connection')]).toEqual([
    200,
    userBody(person),
    'close',
  ]);
  await refusesConnections(app);
  await stopped;
});

// On SQLite only one process is supported.
if (databaseKind() === 'postgres')
  describeS3('several processes', () => {
    let servers: Servers;
    let app: App;
    let through: App;
    /** Each of the servers, without the proxy. */
    let each: App[];
    let receiver: FakeServer;
    let admin: Person;
    let person: Person;
    let project: { id: number; name: string };
    beforeAll(async () => {
      receiver = await serveFake((_request, response) => void response.writeHead(204).end());
      servers = await startServers();
      ({ app, through } = servers);
      each = servers.members.map(({ direct }) => direct);
      admin = await app.given.user({ admin: true });
      project = await app.given.project();
      person = await app.given.member(project, PERMISSIONS);
    }, 120_000);
    afterAll(async () => {
      await servers?.stop();
      await receiver?.close();
    });

    const workPackage = () => app.given.workPackage(project, person);
    const signed = () =>
      expect.stringMatching(
        new RegExp(
          `^${servers.bucket.endpoint}/${servers.bucket.bucket}/files/[0-9a-f]{32}\\?.*X-Amz-Signature=[0-9a-f]{64}`,
        ),
      );
    const described = (id: number, container: ContainerHandle, content: string, fileName: string) =>
      attachmentElement({
        id,
        fileName,
        fileSize: content.length,
        contentType: 'text/plain',
        digest: digestOf(content),
        author: person,
        container,
        deletable: true,
        downloadLocation: signed(),
      });

    /** Creates a webhook for these events. @returns the requests that it received, each with a right signature, and its deliveries */
    async function webhook(...events: string[]) {
      const { data } = await through.graphql(
        'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret webhook { id databaseId } } }',
        { input: { url: `${receiver.url}/${events.join('-')}`, events } },
        admin,
      );
      const {
        secret,
        webhook: { id },
      } = data.createWebhook;
      const received = () =>
        receiver.requests
          .filter(({ path }) => path === `/${events.join('-')}`)
          .map(
            ({ body, headers }) =>
              new Verifier(secret).verify(
                body.toString(),
                headers as { [name: string]: string },
              ) as { type: string; data: { id: number } },
          );
      const deliveries = async (): Promise<{ state: string; attempts: number }[]> =>
        (
          await app.running.services.db
            .write('webhook_deliveries')
            .where({ webhook_id: Number(Buffer.from(id, 'base64url').toString().split(':')[1]) })
        ).map(({ state, attempts }) => ({ state, attempts }));
      return { received, deliveries };
    }

    /** Waits until no delivery is pending, and expects one delivery for each id, at the first attempt. */
    async function expectReceivedOnce(
      { received, deliveries }: Awaited<ReturnType<typeof webhook>>,
      type: string,
      ids: number[],
    ) {
      await eventually(
        deliveries,
        (rows) => rows.length >= ids.length && rows.every(({ state }) => state === 'delivered'),
      );
      expect(await deliveries()).toEqual(ids.map(() => ({ state: 'delivered', attempts: 1 })));
      expect(
        received()
          .map((event) => [event.type, event.data.id])
          .sort(([, a], [, b]) => Number(a) - Number(b)),
      ).toEqual([...ids].sort((a, b) => a - b).map((id) => [type, id]));
    }

    test('a file uploaded through one process is listed, downloaded and deleted through all others, and its webhook is sent once', async () => {
      const container = await workPackage();
      const hook = await webhook('ATTACHMENT_CREATED');
      const contents = new Map<number, string>();
      await Promise.all(
        Array.from({ length: 24 }, async (_, index) => {
          const { status, body } = await through.upload(container.attachments, {
            as: person,
            content: `content ${index}`,
            fileName: 'a.txt',
          });
          expect(status).toBe(200);
          contents.set(body.id, `content ${index}`);
        }),
      );
      const elements = [...contents]
        .sort(([a], [b]) => a - b)
        .map(([id, content]) => described(id, container, content, 'a.txt'));
      for (const server of each) {
        expect((await server.get(container.attachments, person)).body).toEqual(
          collectionOf(container.attachments, elements),
        );
        for (const [id, content] of contents)
          expect(await download(server, id, person)).toBe(content);
      }
      const ids = [...contents.keys()];
      await expectReceivedOnce(hook, 'attachment:created', ids);
      expect(
        await Promise.all(
          ids.map(async (id) => (await through.delete(`/api/v3/attachments/${id}`, person)).status),
        ),
      ).toEqual(ids.map(() => 204));
      for (const server of each)
        expect((await server.get(container.attachments, person)).body).toEqual(
          collectionOf(container.attachments, []),
        );
      await eventually(
        () => objects(servers.bucket),
        (names) => names.length === 0,
      );
    });

    test('a direct upload is prepared by one process and completed by another', async () => {
      for (const [first, second] of [each, [...each].reverse()] as [App, App][]) {
        const container = await workPackage();
        const { id, completion } = await uploaded(first, {
          as: person,
          to: container.attachments,
          content: 'direct content',
          fileName: 'direct.txt',
        });
        expect((await second.get(completion, person)).status).toBe(200);
        const finished = await finalized(second, id, person);
        const { _embedded: _container, ...shown } = (await first.get(container.path, person)).body;
        const whole = {
          ...described(id, container, 'direct content', 'direct.txt'),
          _embedded: { author: userBody(person), container: shown },
        };
        expect(finished.body).toEqual(whole);
        expect((await first.get(`/api/v3/attachments/${id}`, person)).body).toEqual(whole);
        expect(await download(first, id, person)).toBe('direct content');
        // A finished upload cannot be completed again.
        expect((await first.get(completion, person)).body).toEqual(notFound);
      }
    });

    test('subscribers of each process get the events of all processes, once and in order', async () => {
      const container = await workPackage();
      const streams = await Promise.all(
        [each[0]!, each[0]!, each[1]!, through].map((server) =>
          listen(server, person, { variables: { containerId: container.globalId } }),
        ),
      );
      const expected: object[] = [];
      const eventOf = (event: string, id: number, attachment: object | null) => ({
        data: {
          attachmentChanged: {
            event,
            deliveryId: expect.any(String),
            attachmentId: globalId('Attachment', id),
            attachmentDatabaseId: id,
            containerId: container.globalId,
            reason: null,
            createdAt: TIME,
            attachment,
          },
        },
      });
      for (const server of [...each, ...each]) {
        const { id } = (
          await server.upload(container.attachments, { as: person, fileName: 'a.txt' })
        ).body;
        expected.push(
          eventOf('CREATED', id, { databaseId: id, fileName: 'a.txt', status: 'UPLOADED' }),
        );
        for (const stream of streams) expect(await stream.next(expected.length)).toEqual(expected);
      }
      for (const stream of streams) stream.leave();
    });

    test('a sign-in for an application continues in any process, and only one of several refreshes gets tokens', async () => {
      const user = await signable(app);
      const tool = await application(app, admin);
      const config = await oauth.discovery(
        new URL(through.url),
        tool.clientId,
        tool.secret,
        undefined,
        { algorithm: 'oauth2', execute: [oauth.allowInsecureRequests] },
      );
      const verifier = oauth.randomPKCECodeVerifier();
      const url = oauth.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT,
        scope: 'api_v3',
        state: 's',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      // Each request goes to another server than the one before.
      const answer = await authorize(new Visitor(through), user, `${url.pathname}${url.search}`);
      const tokens = await oauth.authorizationCodeGrant(config, answer, {
        pkceCodeVerifier: verifier,
        expectedState: 's',
      });
      for (const server of each)
        expect((await me(server, tokens.access_token)).body).toEqual(userBody(user));
      const refresh = (server: App, token: string) =>
        form(server, '/oauth/token', {
          grant_type: 'refresh_token',
          refresh_token: token,
          client_id: tool.clientId,
          client_secret: tool.secret,
        });
      const answers = await Promise.all(
        [...each, ...each, through, through].map((server) =>
          refresh(server, tokens.refresh_token!),
        ),
      );
      const [won, ...more] = answers.filter(({ status }) => status === 200);
      expect([
        more,
        answers.filter((one) => one !== won).map(({ status, body }) => [status, body.error]),
      ]).toEqual([[], Array(5).fill([400, 'invalid_grant'])]);
      for (const server of each)
        expect((await me(server, won!.body.access_token)).body).toEqual(userBody(user));
      const next = await refresh(each[1]!, won!.body.refresh_token);
      expect(next.status).toBe(200);
      await form(each[0]!, '/oauth/revoke', {
        token: next.body.access_token,
        client_id: tool.clientId,
        client_secret: tool.secret,
      });
      for (const server of each)
        await eventually(
          () => me(server, next.body.access_token),
          ({ status }) => status === 401,
        );
    });

    test('cleanups that run at the same time remove every expired record once, and nothing else', async () => {
      const container = await workPackage();
      const hook = await webhook('ATTACHMENT_DELETED');
      const { db } = app.running.services;
      const claimed = await app.given.attachment({ container, author: person });
      const forgotten = await Promise.all(
        Array.from({ length: 60 }, () => app.given.attachment({ author: person })),
      );
      const ids = forgotten.map(({ id }) => id);
      await db
        .write('attachments')
        .whereIn('id', ids)
        .update({ expires_at: '2020-01-01T00:00:00.000Z' });
      const environment = { ...environmentOf(app), ...s3Environment(servers.bucket) };
      // The three processes also run their own cleanup.
      const sweeps = await Promise.all([
        run(['sweep', '--json'], environment),
        run(['sweep', '--json'], environment),
      ]);
      expect(sweeps.map(({ status }) => status)).toEqual([0, 0]);
      await eventually(
        () => db.write('attachments').whereIn('id', ids),
        (rows) => rows.length === 0,
      );
      expect((await through.get(container.attachments, person)).body.total).toBe(1);
      await eventually(
        () => objects(servers.bucket),
        (names) => forgotten.every(({ blobKey }) => !names.some((name) => name.endsWith(blobKey))),
      );
      expect(await objects(servers.bucket)).toContainEqual(
        expect.stringContaining(claimed.blobKey),
      );
      await expectReceivedOnce(hook, 'attachment:deleted', ids);
    });

    test('a rolling restart under load answers every request, ends every stream properly and sends every event once', async () => {
      const container = await workPackage();
      const hook = await webhook('ATTACHMENT_CREATED', 'FILE_LINK_CREATED');
      const streams = await Promise.all(
        [through, through].map((server) =>
          listen(server, person, { variables: { containerId: container.globalId } }),
        ),
      );
      const traffic = new Traffic(through, person, container);
      try {
        for (const member of servers.members) {
          await traffic.more(5);
          const uploader = await app.given.member(project, PERMISSIONS);
          const slow = slowUpload(member.direct, uploader, container);
          await eventually(
            () =>
              app.running.services.db
                .read('attachments')
                .where({ phase: 'storing', author_id: uploader.id }),
            (rows) => rows.length === 1,
          );
          const restarting = member.restart();
          await refusesConnections(member.direct);
          // The other server answers all requests.
          await traffic.more(5);
          slow.finish();
          const { status, headers, body } = await slow.answer;
          expect([status, headers.get('connection')]).toEqual([200, 'close']);
          traffic.kept.set(body.id, 'first last');
          expect(await restarting).toBe(0);
        }
        const before = [...servers.proxy.answered];
        await until(
          () => servers.proxy.answered.every((count, index) => count > before[index]! + 5),
          'both serve again',
        );
      } finally {
        await traffic.stop();
      }
      expect(traffic.failures).toEqual([]);
      for (const stream of streams) {
        await stream.end();
        expect(stream.failure).toBeUndefined();
      }
      const ids = [...traffic.kept.keys()];
      for (const server of each) {
        const { body } = await server.get(container.attachments, person);
        expect(
          body._embedded.elements
            .map(({ id }: { id: number }) => id)
            .sort((a: number, b: number) => a - b),
        ).toEqual([...ids].sort((a, b) => a - b));
      }
      for (const [id, content] of traffic.kept)
        expect(await download(through, id, person)).toBe(content);
      await expectReceivedOnce(hook, 'attachment:created', ids);
    }, 180_000);
  });
