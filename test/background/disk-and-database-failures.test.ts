/** A disk without space, and a database that somebody else has locked. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dispatchEvents } from '../../src/actions/webhooks/dispatch-events.js';
import { runCleanup } from '../../src/actions/cleanup/run-cleanup.js';
import { openDatabase } from '../../src/database/index.js';
import type { Config } from '../../src/config.js';
import { Attachment } from '../../src/models/attachment.js';
import { application } from '../api/auth/support/applications.js';
import { form } from '../api/auth/support/grants.js';
import { startApp, type App } from '../support/app.js';
import { until } from '../support/cli.js';
import { databaseKind, on } from '../support/database.js';
import { errorBody } from '../support/expected.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';

const LIMIT = 2_000_000;

/** A folder that takes two megabytes: a small file system where one may be mounted, else files of this process are limited. */
function smallFolder(): { folder: string; close(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-full-'));
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${LIMIT}`, 'none', disk]).status === 0) {
    return {
      folder: disk,
      close: () => {
        spawnSync('umount', [disk]);
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${LIMIT}:`]);
  return {
    folder: disk,
    close: () => {
      spawnSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited:']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );

describe('a disk without space', () => {
  let small: ReturnType<typeof smallFolder>;
  let app: App;
  let person: Person;
  let workPackage: ContainerHandle;
  beforeAll(async () => {
    small = smallFolder();
    app = await startApp({ BLOB_STORE: `disk:${join(small.folder, 'blobs')}` });
    const project = await app.given.project();
    person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
    workPackage = await app.given.workPackage(project, person);
  });
  afterAll(async () => {
    await app?.stop();
    small?.close();
  });

  test('refuses a file with 503, keeps nothing of it, and takes one that fits', async () => {
    const { status, body, headers } = await app.upload(workPackage.attachments, {
      as: person,
      fileName: 'large.bin',
      content: Buffer.alloc(LIMIT + 500_000),
    });
    expect([status, body, headers.get('retry-after')]).toEqual([
      503,
      errorBody(
        'ServiceUnavailable',
        'The file storage cannot be used at the moment. Try again shortly.',
      ),
      '5',
    ]);
    expect(app.logLines.join('\n')).toMatch(/ENOSPC|EFBIG/);
    expect(filesBelow(small.folder)).toEqual([]);
    expect(await Attachment.query(app.running.services.db.read)).toEqual([]);

    const fitting = await app.upload(workPackage.attachments, {
      as: person,
      fileName: 'small.bin',
      content: Buffer.alloc(100_000),
    });
    expect(fitting.status).toBe(200);
    expect(
      (await app.get(fitting.body._links.staticDownloadLocation.href, person)).bytes.byteLength,
    ).toBe(100_000);
  });
});

test('a folder of files that is gone makes the server not ready and answers 503, is not made anew, and has everything when it is back', async () => {
  const app = await startApp();
  const project = await app.given.project();
  const person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  const workPackage = await app.given.workPackage(project, person);
  const uploaded = async () =>
    (await app.upload(workPackage.attachments, { as: person, content: 'kept' })).body._links
      .staticDownloadLocation.href as string;
  const [content, removed] = [await uploaded(), await uploaded()];
  const [blobs, away] = [join(app.folder, 'blobs'), join(app.folder, 'away')];
  renameSync(blobs, away);
  const unavailable = errorBody(
    'ServiceUnavailable',
    'The file storage cannot be used at the moment. Try again shortly.',
  );
  for (let round = 0; round < 2; round += 1) {
    const [ready, upload, download] = [
      await app.get('/health/ready'),
      await app.upload(workPackage.attachments, { as: person }),
      await app.get(content, person),
    ];
    expect([ready.status, ready.body]).toEqual([
      503,
      { status: 'unavailable', checks: { database: 'ok', blobs: 'failed' } },
    ]);
    expect([upload.status, upload.body, download.status, download.body]).toEqual([
      503,
      unavailable,
      503,
      unavailable,
    ]);
  }
  expect((await app.delete(removed.replace(/\/content$/, ''), person)).status).toBe(204);
  expect(existsSync(blobs)).toBe(false);
  renameSync(away, blobs);
  const ready = await app.get('/health/ready');
  expect([ready.status, ready.body]).toEqual([
    200,
    { status: 'ok', checks: { database: 'ok', blobs: 'ok' } },
  ]);
  expect((await app.get(content, person)).text).toBe('kept');
  expect((await app.upload(workPackage.attachments, { as: person })).status).toBe(200);
  const { db, clock } = app.running.services;
  // Its sweeper takes what it could not remove, and the two uploads that were refused, once their leases are over.
  await runCleanup(
    { ...app.running.services, clock: () => new Date(clock().getTime() + 3_600_000) },
    { dryRun: false },
  );
  expect(filesBelow(blobs)).toHaveLength(2);
  expect((await Attachment.query(db.read)).map(({ phase }) => phase)).toEqual(['kept', 'kept']);
  await app.stop();
});

test('a database that another process keeps locked answers 503 to everybody who writes, and everything goes on afterwards', async () => {
  const app = await startApp();
  const project = await app.given.project();
  const person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  const workPackage = await app.given.workPackage(project, person);
  const { clientId, secret } = await application(app, person);
  const other = openDatabase(
    (app.running.services.settings as Config).database,
    app.running.services.log,
  );
  const lock = await other.write.transaction();
  if (databaseKind() === 'postgres')
    await lock.raw('lock table attachments, work_packages, oauth_artifacts in exclusive mode');
  const [read, token, ...writes] = await Promise.all([
    app.get(workPackage.path, person),
    form(app, '/oauth/token', {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
    }),
    app.upload(workPackage.attachments, { as: person }),
    ...Array.from({ length: 5 }, () =>
      app.patch(workPackage.path, person, { lockVersion: 0, subject: 'Changed' }),
    ),
  ]);
  for (const { status, body, headers } of writes)
    expect([status, body, headers.get('retry-after')]).toEqual([
      503,
      errorBody(
        'ServiceUnavailable',
        'The database cannot be used at the moment. Try again shortly.',
      ),
      '5',
    ]);
  expect([token.status, token.body.error, token.headers.get('retry-after')]).toEqual([
    503,
    'server_error',
    '5',
  ]);
  // Readers are not kept out.
  expect(read.status).toBe(200);
  expect(app.logLines.join('\n')).toMatch(/SQLITE_BUSY|lock timeout/);
  await lock.rollback();

  // A statement on its own that met the lock holds up nothing that is written after it.
  const { write } = app.running.services.db;
  const change = (title: string) =>
    write('work_packages').where('id', workPackage.id).update({ subject: title });
  const second = await other.write.transaction();
  if (databaseKind() === 'postgres') await second.raw('lock table work_packages in exclusive mode');
  await expect(change('too early')).rejects.toThrow();
  await second.rollback();
  expect(await change('in time')).toBe(1);
  expect(
    (await other.read('work_packages').where('id', workPackage.id).first('subject')).subject,
  ).toBe('in time');
  await other
    .write('work_packages')
    .where('id', workPackage.id)
    .update({ subject: 'by another process' });
  expect((await app.get(workPackage.path, person)).body.subject).toBe('by another process');

  expect((await app.upload(workPackage.attachments, { as: person })).status).toBe(200);
  await other.close();
  await app.stop();
});

describe('rows that another process holds', () => {
  let app: App;
  let project: { id: number };
  let person: Person;
  let workPackage: ContainerHandle;
  beforeAll(async () => {
    app = await startApp();
    project = await app.given.project();
    person = await app.given.member(project, [
      'view_work_packages',
      'edit_work_packages',
      'view_file_links',
      'manage_file_links',
    ]);
    workPackage = await app.given.workPackage(project, person);
  });
  afterAll(() => app?.stop());

  const waits = "datname = current_database() and wait_event_type = 'Lock'";

  on('postgres')('a connection that ends while a change waits for them answers 503', async () => {
    const { write } = app.running.services.db;
    const holder = await write.transaction();
    await holder('work_packages').where('id', workPackage.id).forUpdate();
    const change = app.patch(workPackage.path, person, { lockVersion: 0, subject: 'Changed' });
    await until(
      async () =>
        (await write.raw(`select pg_terminate_backend(pid) from pg_stat_activity where ${waits}`))
          .rows.length > 0,
      'the change waits',
    );
    const { status, body } = await change;
    expect([status, body]).toEqual([
      503,
      errorBody(
        'ServiceUnavailable',
        'The database cannot be used at the moment. Try again shortly.',
      ),
    ]);
    await holder.rollback();
    expect(
      (await app.patch(workPackage.path, person, { lockVersion: 0, subject: 'Changed' })).status,
    ).toBe(200);
  });

  on('postgres')(
    'events that another process hands out are left to it, without looking again and again',
    async () => {
      const { services } = app.running;
      const { write } = services.db;
      expect((await app.upload(workPackage.attachments, { as: person })).status).toBe(200);
      const holder = await write.transaction();
      expect(
        (await holder('events').whereRaw('not dispatched').forUpdate()).length,
      ).toBeGreaterThan(0);
      const statements = await app.statements(() => dispatchEvents(services));
      expect(statements.filter((sql) => sql.startsWith('update "events"'))).toHaveLength(1);
      await holder.rollback();
      await dispatchEvents(services);
      expect(await write('events').whereRaw('not dispatched')).toEqual([]);
    },
  );

  on('postgres')(
    'changes of file links that wait for each other do not hold all connections',
    async () => {
      const storage = await app.given.storage();
      await app.given.projectStorage(project, storage);
      const made = await app.post('/api/v3/file_links', person, {
        _embedded: {
          elements: [
            {
              originData: { id: '1', name: 'plan.txt' },
              _links: { storage: { href: storage.path } },
            },
          ],
        },
      });
      const [
        {
          id,
          _links: { self },
        },
      ] = made.body._embedded.elements;
      const { lockVersion } = (await app.get(workPackage.path, person)).body;
      const other = openDatabase(
        (app.running.services.settings as Config).database,
        app.running.services.log,
      );
      const holder = await other.write.transaction();
      await holder('work_packages').where('id', workPackage.id).forUpdate();
      const changes = Array.from({ length: 12 }, () =>
        app.patch(workPackage.path, person, {
          lockVersion,
          _links: { fileLinks: [{ href: self.href }] },
        }),
      );
      await until(
        async () =>
          Number(
            (await other.read('pg_stat_activity').whereRaw(waits).count({ n: '*' }))[0]!['n'],
          ) === 10,
        'all connections wait',
      );
      // Longer than what somebody may do is remembered.
      await sleep(3_000);
      await holder.rollback();
      const answers = await Promise.all(changes);
      expect(answers.map(({ status }) => status).sort()).toEqual([
        200,
        ...Array.from({ length: 11 }, () => 409),
      ]);
      expect(await other.read('file_links').where({ id })).toMatchObject([
        { work_package_id: workPackage.id },
      ]);
      await other.close();
    },
  );
});
