/** Objects that appear after their row is deleted, and large removals that background work finishes. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { finalizeUpload } from '../../src/actions/files/uploads/finalize-upload.js';
import { runCleanup } from '../../src/actions/operate/cleanup/run-cleanup.js';
import { acquireAttachment } from '../../src/actions/base/leases/attachment-queues.js';
import { BlobsUnavailable, STAGING } from '../../src/blobs/store.js';
import { makeContext, type Services } from '../../src/context.js';
import { User } from '../../src/models/user.js';
import { startApp, type App } from '../support/app.js';
import { errorBody } from '../support/expected.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, expect, test } from '../support/jest.js';

let app: App;
let person: Person;
let project: { id: number };
let workPackage: ContainerHandle;
beforeAll(async () => {
  app = await startApp({ LEASE_SECONDS: '1' });
  project = await app.given.project();
  person = await app.given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'delete_work_packages',
  ]);
  workPackage = await app.given.workPackage(project, person);
});
afterEach(async () => {
  await app.running.services.db.write('stray_blobs').delete();
});
afterAll(() => app.stop());

const HOUR_MS = 3_600_000;
const later = (hours: number) =>
  runCleanup({ ...app.running.services, clock: () => new Date(Date.now() + hours * HOUR_MS) });
const put = (key: string) =>
  app.running.services.blobs.put(key, Readable.from([Buffer.from('too late')]));
const stat = async (key: string) => (await app.running.services.blobs.stat(key)) !== null;

/** The store keeps the object after all. It is deleted six hours after its row. */
async function goesLater(key: string): Promise<void> {
  await put(key);
  await later(5.9);
  expect(await stat(key)).toBe(true);
  expect((await later(6.1)).abandoned).toBe(1);
  expect(await stat(key)).toBe(false);
}

test('an object is deleted later if the store kept it but answered too late for the upload', async () => {
  const { blobs } = app.running.services;
  const keep = blobs.put;
  let key = '';
  blobs.put = async (name, content) => {
    for await (const _chunk of content) key = name;
    throw new BlobsUnavailable(new Error('no answer'));
  };
  try {
    const { status, body } = await app.upload(workPackage.attachments, { as: person });
    expect({ status, body }).toEqual({
      status: 503,
      body: errorBody(
        'ServiceUnavailable',
        'The file storage cannot be used at the moment. Try again shortly.',
      ),
    });
  } finally {
    blobs.put = keep;
  }
  expect((await app.get(workPackage.attachments, person)).body.count).toBe(0);
  await goesLater(key);
});

test('a copy is deleted later if the store answered too late and the upload was deleted meanwhile', async () => {
  const { db } = app.running.services;
  const { id } = await app.given.attachment({ author: person, status: 'prepared', blob: false });
  // One attempt has failed.
  await db.write('attachments').where({ id }).update({ attempts: 1, digest_hash: '' });
  const [key] = (await db.read('attachments').where({ id }).pluck('blob_key')) as [string];
  expect((await app.delete(`/api/v3/attachments/${id}`, person)).status).toBe(204);
  expect(await db.read('attachments').where({ id })).toEqual([]);
  await goesLater(key);
});

/** A completed upload that a worker is finalising. */
async function completed(attempts: number) {
  const { services } = app.running;
  const author = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  const { id } = await app.given.attachment({ author, status: 'prepared', blob: false });
  const stagingKey = STAGING + randomBytes(16).toString('hex');
  await put(stagingKey);
  await services.db.write('attachments').where({ id }).update({
    staging_key: stagingKey,
    digest_hash: '',
    attempts,
    lease_until: '2026-01-01T00:00:00.000Z',
    lease_token: null,
    expires_at: null,
  });
  const row = (await acquireAttachment(services, 'finalization'))!;
  expect(row.id).toBe(id);
  const finalize = async (more: Partial<Services> = {}) =>
    finalizeUpload(
      makeContext(
        { ...services, ...more },
        (await User.query(services.db.read).findById(author.id))!,
      ),
      row,
      new AbortController().signal,
    );
  const isGone = async () => (await services.db.read('attachments').where({ id })).length === 0;
  return { id, author, key: row.blobKey, finalize, isGone };
}

test('a copy is deleted later if the upload was deleted during the copy', async () => {
  const { blobs } = app.running.services;
  const { id, author, key, finalize, isGone } = await completed(0);
  await finalize({
    blobs: {
      ...blobs,
      copy: async () => {
        expect((await app.delete(`/api/v3/attachments/${id}`, author)).status).toBe(204);
        // The renewal of the lease finds no row.
        await sleep(1_000);
        throw new BlobsUnavailable(new Error('no answer'));
      },
    },
  });
  expect(await isGone()).toBe(true);
  await goesLater(key);
});

test('a copy is deleted later if the upload was rejected before the next attempt', async () => {
  const { author, key, finalize, isGone } = await completed(1);
  await app.running.services.db
    .write('users')
    .where({ id: author.id })
    .update({ status: 'locked' });
  await finalize();
  expect(await isGone()).toBe(true);
  await goesLater(key);
});

test('the rest of a large removal is not reported as a dead process and is not searched again', async () => {
  const { db } = app.running.services;
  const full = await app.given.workPackage(project, person);
  for (let n = 0; n < 60; n += 1) await app.given.attachment({ author: person, container: full });
  const keys = (await db
    .read('attachments')
    .where({ work_package_id: full.id })
    .pluck('blob_key')) as string[];
  const { errors } = await app.graphql(
    'mutation ($id: ID!) { deleteWorkPackage(input: { id: $id }) { deletedWorkPackageId } }',
    { id: String(full.id) },
    person,
  );
  expect(errors).toBeUndefined();
  const left = async () => (await Promise.all(keys.map(stat))).filter(Boolean).length;
  expect(await left()).toBe(10);
  expect((await later(0)).abandoned).toBe(0);
  expect([
    await left(),
    await db.read('stray_blobs'),
    await db.read('attachments').whereIn('blob_key', keys),
  ]).toEqual([0, [], []]);
});

test('an object that the store cannot delete is logged, and the others are deleted', async () => {
  const { services } = app.running;
  const { db, blobs } = services;
  const [stuck, loose] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  for (const [index, key] of [stuck, loose].entries()) {
    await put(key);
    await db
      .write('stray_blobs')
      .insert({ blob_key: key, remove_after: `2026-01-01T00:00:0${index}.000Z` });
  }
  const refusing = {
    ...services,
    blobs: {
      ...blobs,
      remove: async (key: string) =>
        key === stuck
          ? Promise.reject(new BlobsUnavailable(new Error('locked')))
          : blobs.remove(key),
    },
  };
  await expect(runCleanup(refusing)).rejects.toThrow(BlobsUnavailable);
  expect([await stat(stuck), await stat(loose)]).toEqual([true, false]);
  expect((await later(1.1)).abandoned).toBe(1);
  expect(await stat(stuck)).toBe(false);
});
