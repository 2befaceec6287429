/** Synchronisations that end halfway, and what changes before the next one. */
import { acquireSync } from '../../../src/actions/base/project-folder-queue/acquire-sync.js';
import { requestSync } from '../../../src/actions/base/project-folder-queue/request-sync.js';
import { finishSync } from '../../../src/actions/storages/project-folders/finish-sync.js';
import { synchronise } from '../../../src/actions/storages/project-folders/synchronise.js';
import { synchroniseFolders } from '../../../src/workers/folder-job.js';
import { startApp, type App } from '../../support/app.js';
import type { CloudDrive } from '../../support/fakes/cloud-drive.js';
import { on } from '../../support/database.js';
import type { FakeRequest } from '../../../demo/servers/http-server.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from '../../support/jest.js';
import { cloudDriveFolders, partsOf, remotes, type FolderRemote } from './remotes.js';
import { World } from './world.js';

const settings = { STORAGE_ALLOW_PRIVATE: 'true', STORAGE_TIMEOUT_MS: '500' };

describe.each(Object.entries(remotes))('%s', (_type, start) => {
  let app: App;
  let remote: FolderRemote;
  let world: World;
  beforeAll(async () => {
    remote = await start();
    app = await startApp({ ...settings, ...remote.environment });
  });
  beforeEach(async () => {
    world = await World.of(app, remote);
  });
  afterEach(() => remote.check());
  afterAll(async () => {
    await app?.stop();
    await remote?.close();
  });

  /** The next synchronisation ends as a whole before the new folder is made. */
  async function interrupted(): Promise<void> {
    await world.use(await world.project('new', { members: { mia: ['read'] } }));
    remote.server.fault({ status: 401 }, (request) => remote.makes(request));
    await world.hour();
    remote.server.repair();
  }

  test('rights that are taken back after an interrupted synchronisation are gone', async () => {
    await world.people('mia', 'eve');
    const project = { members: { mia: ['read'], eve: [] as string[] } };
    const id = await world.use(await world.project('demo', project));
    await world.cycle();
    const folder = (await world.state(id)).id!;
    await world.project('demo', { members: { mia: ['read'], eve: ['read', 'write'] } });
    await interrupted();
    await world.project('demo', project);
    await world.hour();
    expect(world.rights(folder, ['mia', 'eve'])).toEqual({ mia: ['read'] });
    expect(await world.state(id)).toMatchObject({ state: 'READY' });
  });

  test('a project that is archived after an interrupted synchronisation is hidden', async () => {
    await world.people('mia');
    const members = { mia: ['read'] };
    const id = await world.use(await world.project('archived', { active: true, members }));
    await world.use(await world.project('other'));
    await world.cycle();
    const folder = (await world.state(id)).id!;
    await world.project('archived', { active: false });
    await world.hour();
    expect(world.rights(folder, ['mia'])).toEqual({});
    await world.project('archived', { active: true });
    await interrupted();
    await world.project('archived', { active: false });
    await world.hour();
    expect(world.rights(folder, ['mia'])).toEqual({});
  });

  test('a folder that somebody makes after the storage refused it is not taken over', async () => {
    await world.people('mia');
    const project = await world.project('demo', { members: { mia: ['read'] } });
    const id = await world.use(project);
    remote.server.fault({ status: 507 }, (request) => remote.makes(request));
    await world.cycle();
    remote.server.repair();
    const foreign = remote.add(`demo (${project})`);
    await world.hour();
    expect(await world.state(id)).toMatchObject({ id: null, state: 'FAILED' });
    expect(world.rights(foreign, ['mia'])).toEqual({});
  });

  test('a folder whose making had no answer is found again under the name of that time', async () => {
    const project = await world.project('demo', { name: 'Old' });
    const id = await world.use(project);
    remote.server.fault({ unanswered: () => undefined }, (request) => remote.makes(request), 1);
    await world.cycle();
    const made = remote.everyFolder().find(({ name }) => name === `Old (${project})`);
    await world.project('demo', { name: 'New' });
    await world.hour();
    expect(remote.folders()).toEqual([
      expect.objectContaining({ id: made!.id, name: `New (${project})` }),
    ]);
    expect(await world.state(id)).toMatchObject({ id: made!.id, state: 'READY' });
  });

  test('a new folder that was interrupted gets its rights, and is found or deleted', async () => {
    await world.people('mia');
    const project = { members: { mia: ['read'] } };
    const kept = await world.use(await world.project('kept', project));
    const gone = await world.use(await world.project('gone', project));
    remote.server.fault({ status: 500 }, (request) => remote.setsRights(request));
    await world.cycle();
    remote.server.repair();
    const begun = (await world.state(kept)).id;
    expect(begun).not.toBe(null);
    expect(await world.state(kept)).toMatchObject({ state: 'FAILED' });
    expect(world.rights(begun!, ['mia'])).toEqual({});
    const deleted = (await world.state(gone)).id;
    expect((await world.stopUsing(gone, { id: gone, deleteFolder: true })).errors).toBeUndefined();
    await world.hour();
    expect(await world.state(kept)).toMatchObject({ id: begun, state: 'READY' });
    expect(remote.folders().map(({ id }) => id)).toEqual([begun]);
    expect(world.rights(begun!, ['mia'])).toEqual({ mia: ['read'] });
    expect(remote.everyFolder().map(({ id }) => id)).not.toContain(deleted);
  });

  test('a folder that is to be deleted is not taken over by the same project', async () => {
    const project = await world.project('demo');
    const id = await world.use(project);
    await world.cycle();
    const before = remote.folders()[0]!.id;
    expect((await world.stopUsing(id, { id, deleteFolder: true })).errors).toBeUndefined();
    const again = await world.use(project);
    await world.hour();
    expect(remote.folders().map((folder) => folder.id)).not.toContain(before);
    expect(remote.folders().map(({ name }) => name)).toEqual([`demo (${project})`]);
    expect(await world.state(again)).toMatchObject({ state: 'READY' });
  });

  test('a synchronisation that lost its lease saves nothing', async () => {
    const id = await world.use(await world.project('demo'));
    const { services } = app.running;
    const later = { ...services, clock: () => new Date(Date.now() + 6_000) };
    const row = (await acquireSync(later))!;
    const result = await synchronise(later, row, { signal: new AbortController().signal });
    await services.db.write('folder_syncs').update({ lease_token: 'of another process' });
    await finishSync(later, row, result!);
    expect(await world.state(id)).toMatchObject({ state: 'PENDING' });
    expect(
      await services.db.read('folder_syncs').where('storage_id', world.storage.id).first(),
    ).toMatchObject({ lease_token: 'of another process' });
  });

  test('no folder is made after the lease is lost', async () => {
    await world.use(await world.project('demo'));
    const { services } = app.running;
    const later = { ...services, clock: () => new Date(Date.now() + 6_000) };
    const row = (await acquireSync(later))!;
    await services.db.write('folder_syncs').update({ lease_token: 'of another process' });
    await synchroniseFolders(later, row, new AbortController().signal);
    expect(remote.folders()).toEqual([]);
    expect(
      await services.db.read('folder_syncs').where('storage_id', world.storage.id).first(),
    ).toMatchObject({ lease_token: 'of another process' });
  });
});

on('postgres')('no synchronisation begins before a change is committed', async () => {
  const remote = await cloudDriveFolders();
  const app = await startApp({ ...settings, ...remote.environment });
  try {
    const world = await World.of(app, remote);
    await world.use(await world.project('demo'));
    const { services } = app.running;
    const later = { ...services, clock: () => new Date(Date.now() + 6_000) };
    await services.db.write.transaction(async (trx) => {
      await requestSync(trx, 'all', new Date());
      expect(await acquireSync(later)).toBeUndefined();
    });
    expect(await acquireSync(later)).toMatchObject({ storageId: world.storage.id });
  } finally {
    await app.stop();
    await remote.close();
  }
});

describe('the permissions of a drive', () => {
  let app: App;
  let remote: FolderRemote & { server: CloudDrive };
  let world: World;
  beforeAll(async () => {
    remote = (await cloudDriveFolders()) as typeof remote;
    app = await startApp({ ...settings, ...remote.environment });
  });
  beforeEach(async () => {
    world = await World.of(app, remote);
  });
  afterAll(async () => {
    await app?.stop();
    await remote?.close();
  });

  /** Answers each part of such a batch. */
  const answerParts = (
    answer: (part: { method: string; url: string }) => object,
    isConcerned: (part: { method: string; url: string }) => boolean,
    times = Infinity,
  ) => {
    let batch: FakeRequest | undefined;
    const body = () =>
      JSON.stringify({
        responses: partsOf(batch!.body).map((part, index) => ({
          id: String(index),
          ...answer(part),
        })),
      });
    remote.server.fault(
      {
        status: 200,
        headers: { 'content-type': 'application/json' },
        get body() {
          return body();
        },
      },
      (request) => {
        if (!request.path.endsWith('/$batch') || !partsOf(request.body).some(isConcerned))
          return false;
        batch = request;
        return true;
      },
      times,
    );
  };
  const reads = ({ method, url }: { method: string; url: string }) =>
    method === 'GET' && url.endsWith('/permissions');

  test('whom the drive refuses for one folder keeps what there is in the others', async () => {
    await world.people('mia', 'rob');
    const members = { mia: ['read'], rob: ['read', 'write'] };
    const id = await world.use(await world.project('demo', { members }));
    await world.cycle();
    const folder = (await world.state(id)).id!;
    await world.use(await world.project('other', { members }));
    answerParts(
      () => ({ status: 400, body: { error: { code: 'invalidRequest' } } }),
      ({ url }) => url.endsWith('/invite') && !url.includes(folder),
    );
    await world.hour();
    remote.server.repair();
    await world.hour();
    expect(world.rights(folder, ['mia', 'rob'])).toEqual(members);
    // Who leaves the project loses them, known or not.
    await world.project('demo', { members: { ...members, mia: [] } });
    await world.hour();
    expect(world.rights(folder, ['mia', 'rob'])).toEqual({ rob: ['read', 'write'] });
  });

  test('permissions on the next page of the list are read too', async () => {
    await world.people('mia', 'eve');
    const members = { mia: ['read'], eve: ['read'] };
    const id = await world.use(await world.project('demo', { members }));
    await world.cycle();
    const folder = (await world.state(id)).id!;
    await world.project('demo', { members: { mia: ['read'], eve: [] } });
    answerParts(
      ({ url }) => ({
        status: 200,
        body: { value: [], '@odata.nextLink': `${remote.server.apiUrl}${url}` },
      }),
      reads,
      1,
    );
    await world.hour();
    expect(world.rights(folder, ['mia', 'eve'])).toEqual({ mia: ['read'] });
  });

  test('lists of permissions that are too large together are read in smaller batches', async () => {
    await world.people('mia');
    const members = { mia: ['read'] };
    for (const name of ['one', 'two']) await world.use(await world.project(name, { members }));
    await world.cycle();
    for (const name of ['one', 'two'])
      await world.project(name, { members: { mia: ['read', 'write'] } });
    remote.server.fault(
      { bytes: 5 * 1024 * 1024 },
      ({ path, body }) => path.endsWith('/$batch') && partsOf(body).filter(reads).length > 1,
    );
    await world.hour();
    remote.server.repair();
    for (const { id } of remote.folders())
      expect(world.rights(id, ['mia'])).toEqual({ mia: ['read', 'write'] });
  });

  test('webhooks are told that it works again also if the last project left', async () => {
    const id = await world.use(await world.project('demo'));
    remote.server.fault({ status: 500 }, ({ path }) => path.endsWith('/children'));
    for (let failures = 0; failures < 3; failures += 1) await world.hour();
    remote.server.repair();
    expect((await world.stopUsing(id)).errors).toBeUndefined();
    await world.hour();
    const kinds = await app.running.services.db
      .read('events')
      .where({ subject_type: 'Storage', subject_id: world.storage.id })
      .orderBy('id')
      .pluck('kind');
    expect(kinds).toEqual(['storage:folders_failed', 'storage:folders_recovered']);
  });

  test('a folder whose permissions the drive does not show stops no other', async () => {
    await world.people('mia');
    const stranger = remote.add('Old stuff');
    const members = { mia: ['read'] };
    const shown = await world.use(await world.project('shown', { members }));
    answerParts(() => ({ status: 403, body: { error: { code: 'accessDenied' } } }), reads);
    await world.cycle();
    expect(await world.state(shown)).toMatchObject({ state: 'READY' });
    await world.project('shown', { members: { mia: ['read', 'write'] } });
    await world.hour();
    expect(await world.state(shown)).toMatchObject({
      state: 'FAILED',
      message:
        'The storage does not show who has rights in the folder. Check the rights of the service there.',
    });
    remote.server.repair();
    await world.hour();
    expect(await world.state(shown)).toMatchObject({ state: 'READY', message: null });
    expect(world.rights(stranger, ['mia'])).toEqual({});
  });

  test('a folder is hidden also if the drive allowed nothing when its project left', async () => {
    await world.people('mia');
    const id = await world.use(await world.project('demo', { members: { mia: ['read'] } }));
    await world.cycle();
    const folder = (await world.state(id)).id!;
    const allow = async (automaticallyManagedFolders: boolean) => {
      const { errors } = await app.graphql(
        `mutation ($input: UpdateStorageInput!) { updateStorage(input: $input) { storage { id } } }`,
        { input: { id: world.storage.globalId, automaticallyManagedFolders } },
        world.admin,
      );
      expect(errors).toBeUndefined();
    };
    await allow(false);
    expect((await world.stopUsing(id, { id })).errors).toBeUndefined();
    await world.hour();
    await allow(true);
    await world.hour();
    expect(world.rights(folder, ['mia'])).toEqual({});
  });
});
