/** Administrators get an e-mail about what has been wrong for an hour, once. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryStorages } from '../../../src/actions/operate/alerts/try-storages.js';
import { watch } from '../../../src/actions/operate/alerts/watch.js';
import { startFileServer, type FileServer } from '../../../demo/servers/file-server.js';
import { serveFake, type FakeServer } from '../../../demo/servers/http-server.js';
import { startApp, startBeside, type App } from '../../support/app.js';
import { describeClamd, EICAR, startClamd } from '../../support/clamd.js';
import { until } from '../../support/cli.js';
import type { Person, StorageHandle } from '../../support/factories.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from '../../support/jest.js';
import { startSmtp, type Smtp } from '../../support/smtp.js';

const MINUTE = 60_000;
const client = { id: 'our-client', secret: 'planted-secret' };

let smtp: Smtp;
let app: App;
let beside: App;
let ada: Person;
let server: FileServer;
let receiver: FakeServer;
let storage: StorageHandle;
/** What clocks of both processes are ahead of the time. */
let ahead = 0;

beforeAll(async () => {
  smtp = await startSmtp();
  app = await startApp({
    SMTP_URL: smtp.url,
    MAIL_FROM: 'files@example.test',
    BACKGROUND_WORK: 'true',
    BASE_URL: 'https://files.example.test',
    STORAGE_TIMEOUT_MS: '2000',
  });
  beside = await startBeside(app);
  for (const { running } of [app, beside])
    running.services.clock = () => new Date(Date.now() + ahead);
  ada = await app.given.user({ admin: true, firstName: 'Ada', email: 'ada@example.test' });
  await app.given.user({ admin: true, status: 'locked', email: 'old@example.test' });
  await app.given.user({ email: 'mia@example.test' });
  server = await startFileServer();
  server.setClient({ ...client, redirectUri: 'http://127.0.0.1/unused' });
  receiver = await serveFake((_request, response) => void response.writeHead(204).end());
});
beforeEach(async () => {
  storage = await app.given.storage({ name: 'Boats', origin: server.url, client, creator: ada });
});
afterEach(async () => {
  const { write } = app.running.services.db;
  for (const table of ['alerts', 'mails', 'webhooks', 'storages']) await write(table).delete();
  smtp.received.length = 0;
  server.repair();
  ahead = 0;
});
afterAll(async () => {
  await beside?.stop();
  await app?.stop();
  await server?.close();
  await receiver?.close();
  await smtp.stop();
});

/** Both processes look at what is wrong, so many minutes later. */
async function after(minutes: number): Promise<void> {
  ahead += minutes * MINUTE;
  const look = async ({ running: { services } }: App) => {
    await tryStorages(services, new AbortController().signal);
    await watch(services);
  };
  await Promise.all([look(app), look(beside)]);
}
const sent = () =>
  until(
    async () => (await app.running.services.db.read('mails').select('id')).length === 0,
    'no e-mail waits',
  );
const stateOf = async () =>
  (
    await app.graphql(
      'query ($id: ID!) { storage(id: $id) { failingSince workedAt } }',
      { id: storage.id },
      ada,
    )
  ).data.storage;

test('a storage that fails for an hour is told once, to each administrator with an address', async () => {
  expect(await stateOf()).toEqual({ failingSince: null, workedAt: null });
  await after(6);
  const { workedAt } = await stateOf();
  expect(Date.parse(workedAt)).toBeGreaterThan(Date.now() + 5 * MINUTE);

  server.fault({ status: 503 });
  await after(6);
  const { failingSince } = await stateOf();
  expect(await stateOf()).toEqual({ failingSince: expect.stringMatching(/Z$/), workedAt });
  await after(58);
  await sent();
  expect(smtp.received).toEqual([]);

  await after(6);
  const [mail] = await smtp.messages(1);
  expect({ to: mail!.to, subject: mail!.subject }).toEqual({
    to: ['ada@example.test'],
    subject: 'A storage does not work: Boats',
  });
  const time = new Intl.DateTimeFormat('en', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  expect(mail!.text).toBe(`Hello Ada,

The storage Boats has not worked since ${time.format(new Date(failingSince))} UTC. See what is wrong here:
https://files.example.test/administration/storages/${storage.id}

You get this because you are an administrator.

Sent by Moorage at files.example.test.
`);
  await after(6);
  await after(600);
  await sent();
  expect(smtp.received).toHaveLength(1);

  // It works again, and fails later: that is told again.
  server.repair();
  await after(6);
  expect(await stateOf()).toEqual({ failingSince: null, workedAt: expect.stringMatching(/Z$/) });
  server.fault({ status: 503 });
  await after(6);
  await after(66);
  await smtp.messages(2);
});

test('an administrator who repairs a storage sees it at once', async () => {
  server.fault({ status: 503 });
  await after(6);
  expect(await stateOf()).toMatchObject({ failingSince: expect.any(String) });
  server.repair();
  await app.graphql(
    'query ($id: ID!) { storage(id: $id) { health { checkedAt } } }',
    { id: storage.id },
    ada,
  );
  expect(await stateOf()).toMatchObject({ failingSince: null });
});

test('the state of a storage is told to administrators only', async () => {
  const project = await app.given.project();
  const mia = await app.given.member(project, ['view_work_packages', 'view_file_links']);
  await app.given.projectStorage(project, storage);
  const { errors } = await app.graphql(
    'query ($id: ID!) { storage(id: $id) { failingSince workedAt } }',
    { id: storage.id },
    mia,
  );
  expect(errors?.map(({ extensions: { code } }: any) => code)).toEqual([
    'MISSING_PERMISSION',
    'MISSING_PERMISSION',
  ]);
});

test('a webhook that takes nothing for an hour is told, without the query of its address', async () => {
  receiver.fault({ status: 500 });
  const { data } = await app.graphql(
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { databaseId } } }',
    { input: { url: `${receiver.url}/hook?key=planted-key`, events: ['ATTACHMENT_CREATED'] } },
    ada,
  );
  const { databaseId } = data.createWebhook.webhook;
  const project = await app.given.project();
  await app.upload((await app.given.workPackage(project, ada)).attachments, { as: ada });
  await until(
    async () =>
      (await app.running.services.db.read('webhook_deliveries').whereNotNull('last_error')).length >
      0,
    'the receiver refused the event',
  );
  await after(30);
  await sent();
  expect(smtp.received).toEqual([]);
  await after(31);
  const [mail] = await smtp.messages(1);
  const { host } = new URL(receiver.url);
  expect(mail!.subject).toBe(`A webhook does not work: ${host}`);
  expect(mail!.text).toContain(`The webhook ${receiver.url}/hook has taken no event since `);
  expect(mail!.text).toContain(
    'The last answer: The receiver answered 500. See its deliveries here:\nhttps://files.example.test/administration/webhooks/' +
      databaseId,
  );
  expect(mail!.text).not.toContain('planted');
  receiver.repair();
});

describeClamd('a file in quarantine', () => {
  test('is told at once, unless it is gone when the e-mail is sent', async () => {
    const clamd = await startClamd();
    const scanning = await startBeside(app, {
      CLAMD_URL: `tcp://${clamd.tcp.host}:${clamd.tcp.port}`,
    });
    try {
      const project = await app.given.project();
      const kai = await app.given.member(project, ['view_work_packages', 'edit_work_packages'], {
        firstName: 'Kai',
        lastName: 'Lee',
      });
      const { attachments } = await app.given.workPackage(project, kai);
      await scanning.upload(attachments, { as: kai, fileName: 'bad.exe', content: EICAR });
      const [mail] = await smtp.messages(1);
      expect({ to: mail!.to, subject: mail!.subject }).toEqual({
        to: ['ada@example.test'],
        subject: 'A file is in quarantine: bad.exe',
      });
      expect(mail!.text).toContain(
        'The virus scanner reports the file bad.exe of Kai Lee. Nobody can download it. ' +
          'Release or delete it here:\nhttps://files.example.test/administration/quarantine\n',
      );
    } finally {
      await scanning.stop();
      await clamd.stop();
    }
  });
});

const disk = mkdtempSync(join(tmpdir(), 'moorage-disk-'));
const isMounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4000000', 'none', disk]).status === 0;
afterAll(() => {
  if (isMounted) spawnSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

const whereMounted = isMounted ? describe : describe.skip;
const smallDisk = isMounted ? 'a small disk' : 'a small disk (skipped: mount is not permitted)';

whereMounted(smallDisk, () => {
  test('a disk that is nearly full is told at once, with what is left', async () => {
    const small = await startBeside(app, { BLOB_STORE: `disk:${disk}` });
    try {
      await watch(small.running.services);
      await sent();
      expect(smtp.received).toEqual([]);
      writeFileSync(join(disk, 'large'), Buffer.alloc(3_850_000));
      await watch(small.running.services);
      await watch(small.running.services);
      const [mail] = await smtp.messages(1);
      expect(mail!.subject).toBe(`A disk is nearly full: ${hostname()}`);
      expect(mail!.text).toMatch(
        new RegExp(
          `The disk of the folder ${disk} on ${hostname()} has 0\\.2 MB of 4 MB left\\. Uploads fail when it is full\\.`,
        ),
      );
      await sent();
      expect(smtp.received).toHaveLength(1);
    } finally {
      await small.stop();
    }
  });
});
