/** Webhooks: the settings of administrators, and the deliveries to receivers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook as Verifier } from 'standardwebhooks';
import { deliverEvent } from '../../../src/actions/operate/webhooks/deliver-event.js';
import { dispatchEvents } from '../../../src/actions/operate/webhooks/dispatch-events.js';
import { rotateSecrets } from '../../../src/actions/operate/secrets/rotate-secrets.js';
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import { acquireDelivery } from '../../../src/actions/operate/webhooks/acquire-delivery.js';
import { Keyring } from '../../../src/secrets/keyring.js';
import { startApp, startBeside, TEST_SECRET_KEY, type App } from '../../support/app.js';
import { TIME } from '../../support/expected.js';
import type { ContainerHandle, Person, StorageHandle } from '../../support/factories.js';
import { serveFake, type FakeServer } from '../../../demo/servers/http-server.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from '../../support/jest.js';

const ALL = [
  'ATTACHMENT_CREATED',
  'ATTACHMENT_DELETED',
  'ATTACHMENT_SCANNED',
  'ATTACHMENT_QUARANTINED',
  'ATTACHMENT_UPDATED',
  'FILE_LINK_CREATED',
  'FILE_LINK_DELETED',
];
const FIELDS = 'id databaseId url events enabled createdAt updatedAt';
const CREATE = `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret webhook { ${FIELDS} } } }`;
const UPDATE = `mutation ($input: UpdateWebhookInput!) { updateWebhook(input: $input) { webhook { ${FIELDS} } } }`;
const DELETE = 'mutation ($id: ID!) { deleteWebhook(input: { id: $id }) { deletedWebhookId } }';
const ROTATE = `mutation ($id: ID!) { rotateWebhookSecret(input: { id: $id }) { secret webhook { ${FIELDS} } } }`;
const REDELIVER =
  'mutation ($id: ID!) { redeliverEvent(input: { id: $id }) { delivery { databaseId state attempts nextAttemptAt } } }';
const DELIVERIES =
  'query ($id: ID!, $state: DeliveryState) { webhook(id: $id) { deliveries(filter: { state: $state }) { totalCount nodes { databaseId deliveryId event body state attempts lastStatus lastError nextAttemptAt createdAt } } } }';
const globalId = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64url');

let app: App;
let receiver: FakeServer;
let admin: Person;
let member: Person;
let project: { id: number };
let workPackage: ContainerHandle;
let storage: StorageHandle;
beforeAll(async () => {
  receiver = await serveFake((_request, response) => void response.writeHead(204).end());
  app = await startApp();
  admin = await app.given.user({ admin: true });
  project = await app.given.project();
  member = await app.given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'view_file_links',
    'manage_file_links',
  ]);
  workPackage = await app.given.workPackage(project, member);
  storage = await app.given.storage();
  await app.given.projectStorage(project, storage);
});
beforeEach(async () => {
  receiver.repair();
  receiver.forget();
  await app.running.services.db.write('webhooks').delete();
});
afterEach(() => {
  expect(
    app.logLines.filter((line) => line.includes('whsec_') || line.includes('planted-')),
  ).toEqual([]);
});
afterAll(async () => {
  await app?.stop();
  await receiver?.close();
});

interface Made {
  id: number;
  secret: string;
}
async function make(input: object = {}): Promise<Made> {
  const { data, errors } = await app.graphql(
    CREATE,
    { input: { url: `${receiver.url}/hook`, events: ALL, ...input } },
    admin,
  );
  expect(errors).toBeUndefined();
  return { id: data.createWebhook.webhook.databaseId, secret: data.createWebhook.secret };
}
const deliveries = async ({ id }: { id: number }, state?: string) =>
  (await app.graphql(DELIVERIES, { id: globalId('Webhook', id), state }, admin)).data.webhook
    .deliveries;
const upload = async (): Promise<number> =>
  (await app.upload(workPackage.attachments, { as: member, fileName: 'a.txt' })).body.id;

/** The background work of one process at a given time. */
async function work({ later = 0, at = app }: { later?: number; at?: App } = {}): Promise<void> {
  const services = { ...at.running.services, clock: () => new Date(Date.now() + later) };
  await dispatchEvents(services);
  for (let row = await acquireDelivery(services); row; row = await acquireDelivery(services))
    await deliverEvent(services, row);
}

/** The received events. An independent library verifies their signatures. */
const heard = ({ secret }: { secret: string }): any[] =>
  receiver.requests.map(({ body, headers }) => {
    let event: unknown;
    expect(() => {
      event = new Verifier(secret).verify(body.toString(), headers as { [name: string]: string });
    }).not.toThrow();
    return event;
  });
const refusal = (answer: Awaited<ReturnType<App['graphql']>>) =>
  answer.errors?.map(({ message, extensions: { code, attribute } }) => [code, attribute, message]);

describe('administration', () => {
  test('a webhook is created with a secret that is shown once, listed, changed and deleted', async () => {
    const url = `${receiver.url}/hook?token=planted-url-token`;
    const created = (
      await app.graphql(
        CREATE,
        {
          input: { url, events: ['FILE_LINK_CREATED', 'ATTACHMENT_CREATED', 'FILE_LINK_CREATED'] },
        },
        admin,
      )
    ).data.createWebhook;
    const { databaseId: id } = created.webhook;
    const webhook = {
      id: globalId('Webhook', id),
      databaseId: id,
      url,
      events: ['FILE_LINK_CREATED', 'ATTACHMENT_CREATED'],
      enabled: true,
      createdAt: TIME,
      updatedAt: TIME,
    };
    expect(created).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      webhook,
    });
    const list = await app.graphql(
      `{ webhooks(first: 10) { totalCount nodes { ${FIELDS} } } webhook(id: "${id}") { ${FIELDS} } node(id: "${webhook.id}") { ... on Webhook { url } } }`,
      {},
      admin,
    );
    expect(list.data ?? list.errors).toEqual({
      webhooks: { totalCount: 1, nodes: [webhook] },
      webhook,
      node: { url },
    });
    const changed = (
      await app.graphql(UPDATE, { input: { id: webhook.id, enabled: false, events: ALL } }, admin)
    ).data.updateWebhook.webhook;
    expect(changed).toEqual({ ...webhook, enabled: false, events: ALL });
    const rotated = (await app.graphql(ROTATE, { id: String(id) }, admin)).data.rotateWebhookSecret;
    expect(rotated).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      webhook: { ...changed, updatedAt: TIME },
    });
    expect(rotated.secret).not.toBe(created.secret);
    const [{ secret }] = await app.running.services.db.read('webhooks').where({ id });
    expect([secret.startsWith('1.'), secret.includes(rotated.secret)]).toEqual([true, false]);
    expect((await app.graphql(DELETE, { id: webhook.id }, admin)).data).toEqual({
      deleteWebhook: { deletedWebhookId: webhook.id },
    });
    expect(refusal(await app.graphql(DELETE, { id: webhook.id }, admin))).toEqual([
      ['NOT_FOUND', undefined, 'The requested resource could not be found.'],
    ]);
  });

  test.each([
    ['not a URL', { url: '' }, 'url', 'Url is not a valid URL.'],
    ['another scheme', { url: 'ftp://files.example.org/' }, 'url', 'Url is not a valid URL.'],
    [
      'credentials in the address',
      { url: 'https://me:secret@hooks.example.org/' },
      'url',
      'Url is not a valid URL.',
    ],
    [
      'plain http to another host',
      { url: 'http://hooks.example.org/' },
      'url',
      'Url must be reached by https; plain http is accepted for this machine only.',
    ],
    [
      'a long URL',
      { url: `https://hooks.example.org/${'a'.repeat(2000)}` },
      'url',
      'Url is too long (maximum is 2000 characters).',
    ],
    ['no events', { events: [] }, 'events', "Events can't be blank."],
  ])('%s is refused, on creation and on change', async (_what, wrong, attribute, message) => {
    const expected = [['PROPERTY_CONSTRAINT_VIOLATION', attribute, message]];
    expect(
      refusal(
        await app.graphql(
          CREATE,
          { input: { url: `${receiver.url}/`, events: ALL, ...wrong } },
          admin,
        ),
      ),
    ).toEqual(expected);
    const { id } = await make();
    expect(
      refusal(await app.graphql(UPDATE, { input: { id: String(id), ...wrong } }, admin)),
    ).toEqual(expected);
    expect((await app.running.services.db.read('webhooks')).length).toBe(1);
  });

  test('other users cannot create, view or change a webhook', async () => {
    const { id } = await make();
    await upload();
    await work();
    const [delivery] = (await deliveries({ id })).nodes;
    const forbidden = [
      ['MISSING_PERMISSION', undefined, 'You are not authorized to access this resource.'],
    ];
    for (const person of [member, undefined]) {
      expect(refusal(await app.graphql('{ webhooks { totalCount } }', {}, person))).toEqual(
        forbidden,
      );
      expect(refusal(await app.graphql(`{ webhook(id: "${id}") { url } }`, {}, person))).toEqual([
        ['NOT_FOUND', undefined, 'The requested resource could not be found.'],
      ]);
      expect(
        (await app.graphql(`{ node(id: "${globalId('Webhook', id)}") { id } }`, {}, person)).data,
      ).toEqual({ node: null });
      expect(
        refusal(await app.graphql(CREATE, { input: { url: receiver.url, events: ALL } }, person)),
      ).toEqual(forbidden);
      expect(
        refusal(await app.graphql(UPDATE, { input: { id: String(id), enabled: false } }, person)),
      ).toEqual(forbidden);
      for (const [mutation, what] of [
        [DELETE, id],
        [ROTATE, id],
        [REDELIVER, delivery.databaseId],
      ] as const)
        expect(refusal(await app.graphql(mutation, { id: String(what) }, person))).toEqual(
          forbidden,
        );
    }
    for (const mutation of [DELETE, ROTATE, REDELIVER])
      for (const what of ['99999', 'nonsense'])
        expect(refusal(await app.graphql(mutation, { id: what }, admin))?.[0]?.[0]).toBe(
          'NOT_FOUND',
        );
  });

  test('its secret is encrypted again when the key is rotated, and signs as before', async () => {
    const webhook = await make();
    const { keyring } = app.running.services;
    // Encrypted with a key that is now only the previous one.
    const [{ secret }] = await app.running.services.db.read('webhooks').where({ id: webhook.id });
    const previous = Buffer.alloc(32, 7);
    const old = new Keyring([previous]).seal(
      keyring.open(secret, 'webhooks.secret'),
      'webhooks.secret',
    );
    await app.running.services.db
      .write('webhooks')
      .where({ id: webhook.id })
      .update({ secret: old });
    const both = new Keyring([Buffer.from(TEST_SECRET_KEY, 'hex'), previous]);
    expect(await rotateSecrets({ ...app.running.services, keyring: both })).toMatchObject({
      rotated: 1,
      broken: [],
    });
    await upload();
    await work();
    expect(heard(webhook)).toHaveLength(1);
  });
});

describe('delivery', () => {
  test('created and deleted attachments and file links are delivered once each, signed, with their data', async () => {
    const webhook = await make();
    const attachment = await upload();
    expect((await app.delete(`/api/v3/attachments/${attachment}`, member)).status).toBe(204);
    const { body } = await app.post(`${workPackage.path}/file_links`, member, {
      _embedded: {
        elements: [
          {
            originData: { id: '71', name: 'plan.txt', mimeType: 'text/plain' },
            _links: { storage: { href: storage.path } },
          },
        ],
      },
    });
    const [{ id: link }] = body._embedded.elements;
    expect((await app.delete(`/api/v3/file_links/${link}`, member)).status).toBe(200);
    await work();
    const container = { type: 'WorkPackage', id: workPackage.id };
    const ofAttachment = {
      id: attachment,
      href: `/api/v3/attachments/${attachment}`,
      authorId: member.id,
      projectId: project.id,
      container,
      fileName: 'a.txt',
      fileSize: 9,
      contentType: 'text/plain',
      status: 'uploaded',
    };
    const ofLink = {
      id: link,
      href: `/api/v3/file_links/${link}`,
      creatorId: member.id,
      projectId: project.id,
      container,
      storageId: storage.id,
      originId: '71',
      originName: 'plan.txt',
      originMimeType: 'text/plain',
    };
    const delivered = heard(webhook);
    expect([...delivered].sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1))).toEqual([
      { type: 'attachment:created', timestamp: TIME, data: ofAttachment },
      { type: 'attachment:deleted', timestamp: TIME, data: ofAttachment },
      { type: 'file_link:created', timestamp: TIME, data: ofLink },
      { type: 'file_link:deleted', timestamp: TIME, data: ofLink },
    ]);
    expect(
      receiver.requests.map(({ method, path, headers }) => [
        method,
        path,
        headers['content-type'],
        headers['user-agent'],
      ]),
    ).toEqual(Array(4).fill(['POST', '/hook', 'application/json', 'Moorage']));
    const outbox = await app.running.services.db.read('events').whereIn(
      'delivery_id',
      receiver.requests.map(({ headers }) => headers['webhook-id'] as string),
    );
    expect(outbox).toHaveLength(4);
    const { totalCount, nodes } = await deliveries(webhook);
    expect([totalCount, nodes[0]]).toEqual([
      4,
      {
        databaseId: expect.any(Number),
        deliveryId: outbox.find(({ kind }) => kind === 'file_link:deleted').delivery_id,
        event: 'FILE_LINK_DELETED',
        body: JSON.stringify(delivered.find(({ type }) => type === 'file_link:deleted')),
        state: 'DELIVERED',
        attempts: 1,
        lastStatus: 204,
        lastError: null,
        nextAttemptAt: null,
        createdAt: TIME,
      },
    ]);
    expect(
      (
        await app.graphql(
          'query ($id: ID!) { node(id: $id) { ... on WebhookDelivery { body } } }',
          { id: globalId('WebhookDelivery', nodes[0].databaseId) },
          admin,
        )
      ).data.node,
    ).toEqual({ body: nodes[0].body });
    // A finished delivery is not repeated.
    await work({ later: 86_400_000 });
    expect(receiver.requests).toHaveLength(4);
  });

  test('a webhook gets only events of its kinds that happen after its creation and while it is enabled', async () => {
    await upload();
    const [wants, other] = [
      await make({ events: ['ATTACHMENT_DELETED'] }),
      await make({ enabled: false }),
    ];
    const id = await upload();
    await work();
    await app.delete(`/api/v3/attachments/${id}`, member);
    await work();
    expect(heard(wants).map(({ type, data }) => [type, data.id])).toEqual([
      ['attachment:deleted', id],
    ]);
    expect((await deliveries(other)).totalCount).toBe(0);
  });

  test('events before a change are delivered according to the old settings, whatever the clocks say', async () => {
    const webhook = await make({ events: ['ATTACHMENT_CREATED'] });
    const { db } = app.running.services;
    const first = await upload();
    // With the clock of a process that is behind, or after waiting for a lock.
    await db
      .write('events')
      .where({ subject_id: first, kind: 'attachment:created' })
      .update({ created_at: '2020-01-01T00:00:00.000Z' });
    await app.graphql(UPDATE, { input: { id: String(webhook.id), enabled: false } }, admin);
    const unwanted = await upload();
    await app.graphql(UPDATE, { input: { id: String(webhook.id), enabled: true } }, admin);
    await work();
    expect(heard(webhook).map(({ data }) => data.id)).toEqual([first]);
    expect(unwanted).not.toBe(first);
  });

  test('events that another process dispatches during a change are delivered according to the old settings', async () => {
    const webhook = await make({ events: ['ATTACHMENT_CREATED'] });
    const { db } = app.running.services;
    await upload();
    let changed = false;
    let changing: Promise<unknown> = Promise.resolve();
    const waits = async () =>
      db.client === 'sqlite' ||
      (await db.read('pg_stat_activity').where({ wait_event_type: 'Lock' })).length > 0;
    await db.write.transaction(async (trx) => {
      await trx('events').where({ dispatched: false }).update({ dispatched: true });
      changing = app
        .graphql(UPDATE, { input: { id: String(webhook.id), enabled: false } }, admin)
        .then(() => (changed = true));
      while (!changed && !(await waits())) await sleep(20);
      expect(changed).toBe(false);
      // The state that the other process sees now.
      expect(await trx('webhooks').where({ enabled: true }).pluck('id')).toEqual([webhook.id]);
    });
    await changing;
    expect(changed).toBe(true);
  });

  test('a disabled webhook keeps pending deliveries and posts them when it is enabled again', async () => {
    const webhook = await make();
    receiver.fault({ status: 500 }, undefined, 1);
    await upload();
    await work();
    await app.graphql(UPDATE, { input: { id: String(webhook.id), enabled: false } }, admin);
    await work({ later: 3_600_000 });
    expect(receiver.requests).toHaveLength(1);
    await app.graphql(UPDATE, { input: { id: String(webhook.id), enabled: true } }, admin);
    await work({ later: 3_600_000 });
    expect(receiver.requests.map(({ status }) => status)).toEqual([500, 204]);
  });

  test.each([
    ['an error', { status: 500 }, 500, 'The receiver answered 500.'],
    [
      'a redirect, which is not followed',
      { status: 302, headers: { location: '/elsewhere' } },
      302,
      'The receiver answered 302.',
    ],
    [
      'no answer but a cut connection',
      'reset',
      null,
      expect.stringMatching(/^The connection to http:\/\/127\.0\.0\.1:\d+ failed/),
    ],
  ] as const)(
    '%s: the delivery is tried again later with the same id and a new signature',
    async (_what, fault, lastStatus, lastError) => {
      const webhook = await make();
      receiver.fault(fault, undefined, 1);
      await upload();
      await work();
      const [failed] = (await deliveries(webhook, 'PENDING')).nodes;
      expect(failed).toMatchObject({
        state: 'PENDING',
        attempts: 1,
        lastStatus,
        lastError,
        nextAttemptAt: TIME,
      });
      expect(Date.parse(failed.nextAttemptAt)).toBeGreaterThan(Date.now());
      await work();
      expect(receiver.requests).toHaveLength(1);
      await work({ later: 6_000 });
      const [first, second] = receiver.requests.map(({ headers, path }) => ({
        path,
        id: headers['webhook-id'],
      }));
      expect([second, receiver.requests.length]).toEqual([first, 2]);
      expect((await deliveries(webhook)).nodes).toEqual([
        {
          ...failed,
          state: 'DELIVERED',
          attempts: 2,
          lastStatus: 204,
          lastError: null,
          nextAttemptAt: null,
        },
      ]);
    },
  );

  test('after ten attempts a delivery is dead and visible, and an administrator can redeliver it', async () => {
    const webhook = await make();
    receiver.fault({ status: 503 });
    await upload();
    const waits: number[] = [];
    for (let attempt = 1, later = 0; attempt <= 10; attempt += 1) {
      await work({ later });
      const [row] = await app.running.services.db
        .read('webhook_deliveries')
        .where('webhook_id', webhook.id);
      expect([row.attempts, row.state]).toEqual([attempt, attempt < 10 ? 'pending' : 'dead']);
      const due = Date.parse(row.due_at) - Date.now();
      waits.push(Math.round((due - later) / 1000));
      later = due + 1_000;
    }
    expect(waits.map((wait) => wait > 0)).toEqual([...Array(9).fill(true), false]);
    await work({ later: 10 * 86_400_000 });
    expect(receiver.requests.filter(({ status }) => status === 503).length).toBeGreaterThanOrEqual(
      10,
    );
    const [dead] = (await deliveries(webhook, 'DEAD')).nodes;
    expect(dead).toMatchObject({
      state: 'DEAD',
      attempts: 10,
      lastStatus: 503,
      lastError: 'The receiver answered 503.',
      nextAttemptAt: null,
    });
    receiver.repair();
    receiver.forget();
    expect((await app.graphql(REDELIVER, { id: String(dead.databaseId) }, admin)).data).toEqual({
      redeliverEvent: {
        delivery: {
          databaseId: dead.databaseId,
          state: 'PENDING',
          attempts: 0,
          nextAttemptAt: TIME,
        },
      },
    });
    const { data } = await app.graphql(
      '{ auditEvents(filter: { kinds: [WEBHOOK_EVENT_REDELIVERED] }) { nodes { actor { login } subjectId } } }',
      {},
      admin,
    );
    expect(data.auditEvents.nodes).toEqual([
      {
        actor: { login: admin.login },
        subjectId: Buffer.from(`Webhook:${webhook.id}`).toString('base64url'),
      },
    ]);
    await work();
    expect(heard(webhook).map(({ type }) => type)).toEqual(['attachment:created']);
    expect(receiver.requests[0]!.headers['webhook-id']).toBe(dead.deliveryId);
  }, 120_000);

  test('blocked addresses get no requests', async () => {
    const careful = await startApp({ STORAGE_ALLOW_PRIVATE: 'false' });
    try {
      const root = await careful.given.user({ admin: true });
      const at = await careful.given.project();
      const person = await careful.given.member(at, ['view_work_packages', 'edit_work_packages']);
      const place = await careful.given.workPackage(at, person);
      const urls = [
        `${receiver.url}/hook`,
        'https://169.254.169.254/latest/meta-data',
        'https://[fe80::1]/',
      ];
      const ids = await Promise.all(
        urls.map(
          async (url) =>
            (await careful.graphql(CREATE, { input: { url, events: ALL } }, root)).data
              .createWebhook.webhook.databaseId as number,
        ),
      );
      await careful.upload(place.attachments, { as: person });
      await work({ at: careful });
      expect(receiver.requests).toEqual([]);
      for (const id of ids) {
        const { data } = await careful.graphql(DELIVERIES, { id: String(id) }, root);
        expect(
          data.webhook.deliveries.nodes.map(({ state, lastStatus, lastError }: any) => [
            state,
            lastStatus,
            lastError,
          ]),
        ).toEqual([
          ['PENDING', null, expect.stringMatching(/is at an address that must not be called\.$/)],
        ]);
      }
    } finally {
      await careful.stop();
    }
  });

  test('two processes dispatch and deliver each event once', async () => {
    const webhook = await make();
    const beside = await startBeside(app);
    try {
      const ids = await Promise.all(Array.from({ length: 12 }, () => upload()));
      await Promise.all([work(), work({ at: beside }), work(), work({ at: beside })]);
      expect(
        heard(webhook)
          .map(({ data }) => data.id)
          .sort((a, b) => a - b),
      ).toEqual(ids.sort((a, b) => a - b));
      expect((await deliveries(webhook, 'DELIVERED')).totalCount).toBe(12);
    } finally {
      await beside.stop();
    }
  });

  test('if a process dies during a delivery, another one delivers after the lease has expired', async () => {
    const webhook = await make();
    await upload();
    await dispatchEvents(app.running.services);
    const taken = (await acquireDelivery(app.running.services))!;
    await work();
    expect(receiver.requests).toHaveLength(0);
    await work({ later: 61_000 });
    expect(heard(webhook)).toHaveLength(1);
    // The process was only stalled. It posts again, which is allowed, but does not record the
    // result.
    receiver.fault({ status: 500 });
    await deliverEvent(app.running.services, taken);
    expect((await deliveries(webhook)).nodes.map(({ state }: any) => state)).toEqual(['DELIVERED']);
  });

  test('background work does all this by itself', async () => {
    const running = await startApp({ BACKGROUND_WORK: 'true' });
    try {
      const root = await running.given.user({ admin: true });
      const at = await running.given.project();
      const person = await running.given.member(at, ['view_work_packages', 'edit_work_packages']);
      const place = await running.given.workPackage(at, person);
      const { secret } = (
        await running.graphql(CREATE, { input: { url: receiver.url, events: ALL } }, root)
      ).data.createWebhook;
      const { body } = await running.upload(place.attachments, { as: person });
      for (const end = Date.now() + 30_000; receiver.requests.length === 0 && Date.now() < end;)
        await new Promise((resolve) => setTimeout(resolve, 50));
      expect(heard({ secret }).map(({ data }) => data.id)).toEqual([body.id]);
    } finally {
      await running.stop();
    }
  });

  test('old finished and dead deliveries are removed', async () => {
    const webhook = await make();
    await upload();
    await work();
    const after = async (days: number) =>
      (
        await runCleanup(
          { ...app.running.services, clock: () => new Date(Date.now() + days * 86_400_000) },
          { dryRun: true },
        )
      ).deliveries;
    expect([await after(6), await after(8)]).toEqual([0, 1]);
    await app.running.services.db.write('webhook_deliveries').update({ state: 'dead' });
    expect([await after(29), await after(31)]).toEqual([0, 1]);
    await runCleanup({
      ...app.running.services,
      clock: () => new Date(Date.now() + 31 * 86_400_000),
    });
    expect((await deliveries(webhook)).totalCount).toBe(0);
  });
});
