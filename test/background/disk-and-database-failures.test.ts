/** A full disk, and a database that another process has locked. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
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
import { dispatchEvents } from '../../src/actions/operate/webhooks/dispatch-events.js';
import { runCleanup } from '../../src/actions/operate/cleanup/run-cleanup.js';
import { openDatabase } from '../../src/database/index.js';
import type { Config } from '../../src/config.js';
import { Attachment } from '../../src/models/attachment.js';
import { application, signable } from '../api/auth/support/applications.js';
import { codeGrant, form } from '../api/auth/support/grants.js';
import { startApp, type App } from '../support/app.js';
import { until } from '../support/cli.js';
import { databaseKind, on } from '../support/database.js';
import { finalized, Work } from '../support/direct-upload.js';
import { errorBody } from '../support/expected.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';
import { begun, idOf, patch, TUS } from '../support/tus.js';

const LIMIT = 2_000_000;

/** A folder that holds two megabytes: a small file system if one can be mounted, else a limit for files of this process. */
function smallFolder(): { folder: string; grow(): void; close(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-full-'));
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${LIMIT}`, 'none', disk]).status === 0) {
    return {
      folder: disk,
      grow: () => void spawnSync('mount', ['-o', `remount,size=${10 * LIMIT}`, disk]),
      close: () => {
        spawnSync('umount', [disk]);
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${LIMIT}:`]);
  return {
    folder: disk,
    grow: () => void spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${10 * LIMIT}:`]),
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

describe('a full disk', () => {
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

  test('refuses a file with 503, keeps nothing of it, and accepts a file that fits', async () => {
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

  test('a resumable upload is refused with 503, and goes on when there is room', async () => {
    const bytes = randomBytes(LIMIT + 500_000);
    const path = await begun(app, person, bytes.length, {
      filename: 'film.bin',
      container: workPackage.globalId,
    });
    const { status, body } = await patch(app, path, person, 0, bytes);
    expect([status, body]).toEqual([
      503,
      errorBody(
        'ServiceUnavailable',
        'The file storage cannot be used at the moment. Try again shortly.',
      ),
    ]);
    small.grow();
    const head = await app.request('HEAD', path, { as: person, headers: TUS });
    const arrived = Number(head.headers.get('upload-offset'));
    expect((await patch(app, path, person, arrived, bytes.subarray(arrived))).status).toBe(204);
    const work = new Work(app);
    work.start();
    const finished = await finalized(app, idOf(path), person);
    await work.stop();
    const content = await app.get(finished.body._links.staticDownloadLocation.href, person);
    expect(content.bytes.equals(bytes)).toBe(true);
  });
});

test('a missing folder of files answers 503 and not ready, is not created again, and works when it is back', async () => {
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
  // After the leases have expired, cleanup removes the two refused uploads, and the remains of earlier removals.
  await runCleanup(
    { ...app.running.services, clock: () => new Date(clock().getTime() + 3_600_000) },
    { dryRun: false },
  );
  expect(filesBelow(blobs)).toHaveLength(2);
  expect((await Attachment.query(db.read)).map(({ phase }) => phase)).toEqual(['kept', 'kept']);
  await app.stop();
});

test('a database that another process has locked answers 503 to all writes, and works afterwards', async () => {
  const app = await startApp();
  const project = await app.given.project();
  const person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  const workPackage = await app.given.workPackage(project, person);
  const tool = await application(app, person);
  const { refresh_token: refresh } = (await codeGrant(app, tool, await signable(app))).body;
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
      grant_type: 'refresh_token',
      refresh_token: refresh,
      client_id: tool.clientId,
      client_secret: tool.secret,
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
  // Reads still work.
  expect(read.status).toBe(200);
  expect(app.logLines.join('\n')).toMatch(/SQLITE_BUSY|lock timeout/);
  await lock.rollback();

  // A single statement that waited for the lock does not delay later writes.
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

describe('rows that another process has locked', () => {
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

  on('postgres')('answer a change with 503 if its connection ends while it waits', async () => {
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

  on('postgres')('of the outbox are skipped, without polling', async () => {
    const { services } = app.running;
    const { write } = services.db;
    expect((await app.upload(workPackage.attachments, { as: person })).status).toBe(200);
    const holder = await write.transaction();
    expect((await holder('events').whereRaw('not dispatched').forUpdate()).length).toBeGreaterThan(
      0,
    );
    const statements = await app.statements(() => dispatchEvents(services));
    expect(statements.filter((sql) => sql.startsWith('update "events"'))).toHaveLength(1);
    await holder.rollback();
    await dispatchEvents(services);
    expect(await write('events').whereRaw('not dispatched')).toEqual([]);
  });

  on('postgres')(
    'do not block all connections, even if changes of file links wait for each other',
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
      // Longer than permissions are cached.
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
