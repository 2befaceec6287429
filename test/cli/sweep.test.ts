/** `moorage sweep`, while a server runs in another process. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { STAGING } from '../../src/blobs/store.js';
import { Attachment } from '../../src/models/attachment.js';
import { startApp, type App } from '../support/app.js';
import { endCommands, environmentOf, run } from '../support/cli.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';

const PAST = '2020-01-01T00:00:00.000Z';
const FUTURE = '2120-01-01T00:00:00.000Z';

let app: App;
let person: Person;
let meeting: ContainerHandle;
const command = (...args: string[]) =>
  run(['sweep', ...args], { ...environmentOf(app), UPLOAD_URL_SECONDS: '1' });

beforeAll(async () => {
  // Unclaimed attachments expire at once.
  app = await startApp({ ATTACHMENT_GRACE_MINUTES: '0' });
  const project = await app.given.project();
  person = await app.given.member(project, ['view_meetings', 'edit_meetings']);
  meeting = await app.given.meeting(project, person);
});
afterAll(async () => {
  await endCommands();
  await app.stop();
});

const newKey = () => randomBytes(16).toString('hex');

/** An attachment of a factory, with other values in its row. */
async function row(
  values: object,
  options: { status?: 'prepared'; blob?: boolean } = {},
): Promise<Attachment> {
  const { id } = await app.given.attachment({ author: person, ...options });
  return Attachment.query(app.running.services.db.write).patchAndFetchById(id, values);
}

async function staged(): Promise<string> {
  const key = STAGING + newKey();
  await app.running.services.blobs.put(key, Readable.from([Buffer.from('staged')]));
  return key;
}

function halfWritten(key: string): string {
  const folder = join(app.folder, 'blobs', 'incoming');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${key}.0123456789ab`), 'half');
  return key;
}

async function everything() {
  const { db, blobs } = app.running.services;
  const keys = async (some: AsyncIterable<{ key: string }>) => {
    const all: string[] = [];
    for await (const { key } of some) all.push(key);
    return all.sort();
  };
  return {
    rows: await db.read('attachments').orderBy('id'),
    events: await db.read('events').orderBy('id'),
    finished: await keys(blobs.list()),
    staged: await keys(blobs.list('staging')),
    unfinished: await keys(blobs.unfinished()),
  };
}

test('expired uploads and attachments are removed, others stay, and a dry run changes nothing', async () => {
  const { db } = app.running.services;
  expect((await app.upload('/api/v3/attachments', { as: person })).status).toBe(200);
  expect((await app.upload(meeting.attachments, { as: person })).status).toBe(200);
  const claimed = await Attachment.query(db.read).findOne({ meeting_id: meeting.id });
  await row({ expiresAt: PAST, stagingKey: await staged() }, { status: 'prepared', blob: false });
  const pending = await row(
    { expiresAt: FUTURE, stagingKey: await staged() },
    { status: 'prepared', blob: false },
  );
  // A completed upload waits for its finalisation for any time.
  const completed = await row(
    { leaseUntil: PAST, stagingKey: await staged() },
    { status: 'prepared', blob: false },
  );
  await row({ phase: 'storing', leaseUntil: PAST });
  await row({ phase: 'deleting', leaseUntil: PAST, attempts: 1 }, { blob: false });
  const storing = await row({ phase: 'storing', leaseUntil: FUTURE });
  await staged();
  halfWritten(newKey());
  halfWritten(storing.blobKey);
  const [event, unsent] = (await db.read('events').orderBy('id').limit(2)) as { id: number }[];
  await db.write('events').where('id', event!.id).update({ created_at: PAST, dispatched: true });
  // An attachment waits for any time while no process can send its webhook.
  await db.write('events').where('id', unsent!.id).update({ created_at: PAST });
  const times = { created_at: PAST, updated_at: PAST };
  const storage = await app.given.storage();
  const workPackage = await app.given.workPackage(await app.given.project(), person);
  await app.given.notification(person, workPackage, person);
  await app.given.notification(person, workPackage, person, { createdAt: PAST });
  for (const created_at of [PAST, FUTURE])
    await db.write('audit_events').insert({ kind: 'SIGNED_IN', changes: '{}', created_at });
  for (const [index, expires_at] of [PAST, FUTURE].entries())
    await db.write('file_links').insert({
      storage_id: storage.id,
      creator_id: person.id,
      origin_id: `${index}`,
      origin_name: 'plan.txt',
      expires_at,
      ...times,
    });
  for (const [index, expires_at] of [PAST, FUTURE].entries()) {
    await db
      .write('sessions')
      .insert({ token_hash: `${index}`, user_id: person.id, expires_at, ...times });
    await db
      .write('oauth_artifacts')
      .insert({ kind: 'AccessToken', key_hash: `${index}`, payload: '{}', expires_at, ...times });
  }
  await sleep(1_000);

  const before = await everything();
  const dry = await command('--dry-run', '--json');
  expect({ ...dry, stdout: JSON.parse(dry.stdout) }).toEqual({
    status: 0,
    stderr: '',
    stdout: {
      expired: 2,
      abandoned: 2,
      staged: 1,
      unfinished: 1,
      trash: 0,
      events: 1,
      notifications: 1,
      audit: 1,
      fileLinks: 1,
      credentials: 2,
      deliveries: 0,
      usage: 3,
    },
  });
  expect(await everything()).toEqual(before);

  expect(await command()).toEqual({
    status: 0,
    stderr: '',
    stdout: [
      'Prepared uploads and unclaimed attachments whose time is over: 2 removed',
      'Files in the trash whose time is over: 0 removed',
      'Uploads and removals whose process died: 2 removed',
      'Staged objects that no prepared upload names: 1 removed',
      'Half-written objects of processes that died: 1 removed',
      'Events of more than a week ago: 1 removed',
      'Old notifications: 1 removed',
      'Old entries of the audit: 1 removed',
      'File links that nobody claimed in time: 1 removed',
      'Codes, tokens, sessions and wrong passwords whose time is over: 2 removed',
      'Old deliveries to webhooks: 0 removed',
      'Counted changes of the used storage: 3 removed',
      '',
    ].join('\n'),
  });
  const after = await everything();
  expect({
    ...after,
    rows: after.rows.map(({ id }: { id: number }) => id),
    events: undefined,
  }).toEqual({
    rows: [claimed!.id, pending.id, completed.id, storing.id],
    events: undefined,
    finished: [claimed!.blobKey, storing.blobKey].sort(),
    staged: [pending.stagingKey, completed.stagingKey].sort(),
    unfinished: [storing.blobKey],
  });

  const eventIds = new Set(before.events.map(({ id }: { id: number }) => id));
  expect(
    after.events.map(({ id }: { id: number }) => id).filter((id: number) => eventIds.has(id)),
  ).toEqual([...eventIds].filter((id) => id !== event!.id));
  for (const table of ['sessions', 'oauth_artifacts', 'file_links'])
    expect(await db.read(table).pluck('expires_at')).toEqual([FUTURE]);

  expect(await command('--dry-run')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^(.+: 0 to remove\n){12}$/),
  });
});

test.each([
  ['a dry run', ['--dry-run']],
  ['a sweep', []],
])(
  '%s does not migrate: with an empty database no stored object is listed',
  async (_what, args) => {
    writeFileSync(join(app.folder, 'empty.sqlite3'), '');
    const { status, stderr } = await run(['sweep', ...args], {
      DATABASE_URL: `sqlite:${join(app.folder, 'empty.sqlite3')}`,
      BLOB_STORE: `disk:${join(app.folder, 'empty')}`,
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(
        /^moorage sweep: The database is not up to date \(pending: 001-.+\): run `moorage migrate` first\.\n$/,
      ),
    });
  },
);
