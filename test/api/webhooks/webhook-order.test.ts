/**
 * Webhooks whose receiver is down or slow, or whose secret cannot be decrypted: they do not delay others, and no
 * event is lost.
 */
import { deliverEvent } from '../../../src/actions/operate/webhooks/deliver-event.js';
import { dispatchEvents } from '../../../src/actions/operate/webhooks/dispatch-events.js';
import { acquireDelivery } from '../../../src/actions/operate/webhooks/acquire-delivery.js';
import { Keyring } from '../../../src/secrets/keyring.js';
import { startApp, startBeside, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { serveFake, type FakeServer } from '../../../demo/servers/http-server.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  jest,
  test,
} from '../../support/jest.js';

const CREATE =
  'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { databaseId } } }';
const ROTATE =
  'mutation ($id: ID!) { rotateWebhookSecret(input: { id: $id }) { webhook { databaseId } } }';
const REDELIVER =
  'mutation ($id: ID!) { redeliverEvent(input: { id: $id }) { delivery { state attempts } } }';
const DELIVERIES =
  'query ($id: ID!) { webhook(id: $id) { deliveries { nodes { databaseId state attempts lastStatus lastError } } } }';
const DAY_MS = 86_400_000;
const ALONE = 'It failed several times in a row and is left alone for some seconds.';
const CUT = expect.stringMatching(/^The connection to http:\/\/127\.0\.0\.1:\d+ failed/);
const WAITING = { state: 'PENDING', attempts: 0, lastStatus: null, lastError: ALONE };
const TRIED = { state: 'PENDING', attempts: 1, lastStatus: null, lastError: CUT };
const NOT_YET = 'an event could not be delivered yet';
const AWAY = 'the receiver of a webhook cannot be reached: its events wait';
const SEALED = 'the secret of a webhook cannot be opened: its events wait';

let receiver: FakeServer;
let app: App;
let admin: Person;
let member: Person;
let workPackage: ContainerHandle;
beforeAll(async () => {
  receiver = await serveFake((_request, response) => void response.writeHead(204).end());
  app = await startApp();
  ({ admin, member, workPackage } = await createFixtures(app));
});
beforeEach(async () => {
  receiver.repair();
  receiver.forget();
  app.logLines.length = 0;
  await app.running.services.db.write('webhooks').delete();
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await app?.stop();
  await receiver?.close();
});

async function createFixtures(at: App) {
  const project = await at.given.project();
  const person = await at.given.member(project, ['view_work_packages', 'edit_work_packages']);
  return {
    admin: await at.given.user({ admin: true }),
    member: person,
    workPackage: await at.given.workPackage(project, person),
  };
}

async function make(path: string, at = app, as = admin): Promise<number> {
  const { data, errors } = await at.graphql(
    CREATE,
    { input: { url: `${receiver.url}${path}`, events: ['ATTACHMENT_CREATED'] } },
    as,
  );
  expect(errors).toBeUndefined();
  return data.createWebhook.webhook.databaseId;
}

async function upload(
  count: number,
  { at = app, as = member, to = workPackage } = {},
): Promise<void> {
  for (let index = 0; index < count; index += 1)
    expect((await at.upload(to.attachments, { as, fileName: `${index}.txt` })).status).toBe(200);
}

/** The background work of one process, one step after the other. */
async function work(at = app): Promise<void> {
  const services = { ...at.running.services, clock: () => new Date(Date.now()) };
  await dispatchEvents(services);
  for (let row = await acquireDelivery(services); row; row = await acquireDelivery(services))
    await deliverEvent(services, row);
}

/** Stops the clock, also that of the circuit breakers, until the test advances it. */
function goOn(ms = 0): void {
  const now = Date.now() + ms;
  jest.restoreAllMocks();
  jest.spyOn(Date, 'now').mockReturnValue(now);
}

const requestsTo = (path: string) =>
  receiver.requests.filter((request) => request.path === path).length;
const deliveriesTo = (path: string) =>
  new Set(
    receiver.requests
      .filter((request) => request.path === path && request.status === 204)
      .map(({ headers }) => headers['webhook-id']),
  ).size;
const deliveries = async (id: number) =>
  (await app.graphql(DELIVERIES, { id: String(id) }, admin)).data.webhook.deliveries.nodes as {
    databaseId: number;
    state: string;
    attempts: number;
    lastStatus: number | null;
    lastError: string | null;
  }[];
/** The results of all deliveries, oldest first. */
const outcomes = async (id: number) =>
  (await deliveries(id)).reverse().map(({ databaseId: _id, ...outcome }) => outcome);
/** Warnings and errors since the last call. */
const complaints = () =>
  app.logLines
    .splice(0)
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level >= 40)
    .map(({ msg, webhook }) => [msg, webhook]);
const updates = async (work: () => Promise<void>) =>
  (await app.statements(work)).filter((sql) => sql.startsWith('update')).length;
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

test('a receiver that is down costs a constant number of attempts, delays no other webhook, and later gets all events', async () => {
  const [dead, healthy] = [await make('/dead'), await make('/healthy')];
  receiver.fault('reset', ({ path }) => path === '/dead');
  await upload(15);
  goOn();
  await work();
  expect([requestsTo('/dead'), deliveriesTo('/healthy')]).toEqual([5, 15]);
  expect(complaints()).toEqual([...times(5, [NOT_YET, dead]), [AWAY, dead]]);
  expect((await outcomes(dead)).sort((a, b) => b.attempts - a.attempts)).toEqual([
    ...times(5, TRIED),
    ...times(10, WAITING),
  ]);
  expect(await outcomes(healthy)).toEqual(
    times(15, { state: 'DELIVERED', attempts: 1, lastStatus: 204, lastError: null }),
  );

  // While its circuit is open no delivery is acquired, not even for new events.
  await upload(1);
  goOn(9_000);
  expect(await updates(work)).toBe(3); // The event is dispatched, and the delivery of the healthy webhook is acquired and finished.
  expect([requestsTo('/dead'), deliveriesTo('/healthy'), complaints()]).toEqual([5, 16, []]);

  // Then one request fails again. The next delivery meets the open circuit, and the others wait
  // again.
  goOn(2_000);
  expect(await updates(work)).toBe(5); // One acquired and failed, one acquired and released, and the reason why the others wait.
  expect([requestsTo('/dead'), complaints()]).toEqual([6, [[NOT_YET, dead]]]);

  receiver.repair();
  goOn(20_000);
  await work();
  expect([deliveriesTo('/dead'), complaints()]).toEqual([16, []]);
  const ended = await outcomes(dead);
  expect([
    new Set(ended.map(({ state, lastError }) => `${state} ${lastError}`)),
    ended.reduce((sum, { attempts }) => sum + attempts, 0),
  ]).toEqual([new Set(['DELIVERED null']), 16 + 6]);
});

test('another process that can reach the receiver delivers meanwhile', async () => {
  const webhook = await make('/hook');
  receiver.fault('reset', undefined, 5);
  await upload(12);
  await work();
  const beside = await startBeside(app);
  try {
    await work(beside);
    expect([
      deliveriesTo('/hook'),
      (await outcomes(webhook)).filter(({ state }) => state === 'DELIVERED').length,
    ]).toEqual([7, 7]);
  } finally {
    await beside.stop();
  }
});

test('deliveries that waited three days are given up, except after a redelivery or a change of the webhook', async () => {
  const webhook = await make('/hook');
  const { db } = app.running.services;
  const long = new Date(Date.now() - 3 * DAY_MS - 60_000).toISOString();
  receiver.fault('reset');
  await upload(8);
  await dispatchEvents(app.running.services);
  await db
    .write('webhook_deliveries')
    .where('webhook_id', webhook)
    .update({ created_at: long, updated_at: long });
  goOn();
  await work();
  // The webhook was just changed, so its events are wanted.
  const byAttempts = async () => (await outcomes(webhook)).sort((a, b) => b.attempts - a.attempts);
  expect(await byAttempts()).toEqual([...times(5, TRIED), ...times(3, WAITING)]);

  await db.write('webhooks').update({ updated_at: long });
  complaints();
  goOn(11_000);
  await work();
  // One was tried once more. The others had no attempt.
  expect(complaints()).toEqual([
    [NOT_YET, webhook],
    [AWAY, webhook],
    ['events that waited for days were given up', webhook],
  ]);
  const given = (await deliveries(webhook)).filter(({ state }) => state === 'DEAD');
  expect(given.map(({ attempts, lastError }) => [attempts, lastError]).sort()).toEqual([
    ...times(2, [0, ALONE]),
    ...times(5, [1, CUT]),
  ]);

  const again = given.slice(0, 2).map(({ databaseId }) => databaseId);
  for (const id of again)
    expect((await app.graphql(REDELIVER, { id: String(id) }, admin)).data).toEqual({
      redeliverEvent: { delivery: { state: 'PENDING', attempts: 0 } },
    });
  goOn(11_000);
  await work();
  const redelivered = (await deliveries(webhook)).filter(({ databaseId }) =>
    again.includes(databaseId),
  );
  expect(redelivered.map(({ state, attempts }) => [state, attempts]).sort()).toEqual([
    ['PENDING', 0],
    ['PENDING', 1],
  ]);
});

test('a slow receiver leaves capacity for the others', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const running = await startApp({ BACKGROUND_WORK: 'true' });
  try {
    const { admin: as, member: person, workPackage: to } = await createFixtures(running);
    await make('/slow', running, as);
    await make('/quick', running, as);
    receiver.fault({ hold: () => released }, ({ path }) => path === '/slow');
    await upload(12, { at: running, as: person, to });
    await until(() => deliveriesTo('/quick') === 12, 'all are delivered to the quick one');
    await until(
      () => requestsTo('/slow') === 4,
      'the slow one has as many requests as it gets at a time',
    );
    await upload(1, { at: running, as: person, to });
    await until(() => deliveriesTo('/quick') === 13, 'the quick one continues');
    expect(requestsTo('/slow')).toBe(4);
    release();
    await until(() => deliveriesTo('/slow') === 13, 'all are delivered to the slow one');
  } finally {
    release();
    await running.stop();
  }
});

test('a delivery with an undecryptable secret shows a solution, counts no attempt, and continues after that', async () => {
  const webhook = await make('/hook');
  const { db, keyring } = app.running.services;
  const lost = 'ab'.repeat(32);
  const [{ secret }] = await db.read('webhooks').where({ id: webhook });
  await db.write('webhooks').update({
    secret: new Keyring([Buffer.from(lost, 'hex')]).seal(
      keyring.open(secret, 'webhooks.secret'),
      'webhooks.secret',
    ),
  });
  await upload(3);
  goOn();
  await work();
  const lastError =
    'A stored secret cannot be decrypted with SECRET_KEY or SECRET_KEY_PREVIOUS. Bring the old key back, or give the webhook another secret (rotateWebhookSecret).';
  expect(await outcomes(webhook)).toEqual(
    times(3, { state: 'PENDING', attempts: 0, lastStatus: null, lastError }),
  );
  expect(complaints()).toEqual([[SEALED, webhook]]);

  // Checked again after one minute, then after two.
  for (const [seconds, looks] of [
    [59, 0],
    [1, 1],
    [119, 0],
    [1, 1],
  ] as const) {
    goOn(seconds * 1000);
    await work();
    expect([seconds, complaints()]).toEqual([seconds, times(looks, [SEALED, webhook])]);
  }
  expect([receiver.requests, (await outcomes(webhook)).map(({ attempts }) => attempts)]).toEqual([
    [],
    [0, 0, 0],
  ]);

  const restarted = await startBeside(app, { SECRET_KEY_PREVIOUS: lost });
  try {
    await work(restarted);
    expect(await outcomes(webhook)).toEqual(
      times(3, { state: 'DELIVERED', attempts: 1, lastStatus: 204, lastError: null }),
    );
  } finally {
    await restarted.stop();
  }

  await upload(1);
  await work();
  expect(deliveriesTo('/hook')).toBe(3);
  expect((await app.graphql(ROTATE, { id: String(webhook) }, admin)).errors).toBeUndefined();
  await work();
  expect(deliveriesTo('/hook')).toBe(4);
});
