/** Storages that fail while project folders are synchronised, and processes that die. */
import { acquireSync } from '../../../src/actions/base/project-folder-queue/acquire-sync.js';
import { synchroniseFolders } from '../../../src/workers/folder-job.js';
import { startApp, startBeside, type App } from '../../support/app.js';
import type { Fault, FakeRequest } from '../../../demo/servers/http-server.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from '../../support/jest.js';
import { pictureOf, prepareFiveProjects } from './five-projects.js';
import { remotes, type FolderRemote } from './remotes.js';
import { World } from './world.js';

/** What each fault of the first call makes of the folder, whatever the type of storage. */
const wholeFaults: [string, Fault, RegExp][] = [
  ['500', { status: 500 }, /^The storage answered with (OCS )?status 500\. Check the log/],
  ['503', { status: 503 }, /^The storage answered with status 503\. Check the log/],
  ['403', { status: 403 }, /^The storage does not allow the service to change this\./],
  [
    'garbage',
    { status: 207, body: '<d:multi' },
    /something that is not (WebDAV|JSON)\.|status 207/,
  ],
  ['a cut answer', 'half', /failed|not answer in time|not (WebDAV|JSON)/],
  ['a cut connection', 'reset', /^The connection to .* failed.* Check that the storage runs\./],
  ['no answer', 'silence', /did not answer in time\. Check that the storage runs\./],
];

describe.each(Object.entries(remotes))('%s', (type, start) => {
  let app: App;
  let remote: FolderRemote;
  let world: World;
  beforeAll(async () => {
    remote = await start();
    app = await startApp({
      STORAGE_ALLOW_PRIVATE: 'true',
      STORAGE_TIMEOUT_MS: '500',
      ...remote.environment,
    });
  });
  beforeEach(async () => {
    world = await World.of(app, remote);
  });
  afterEach(() => remote.check());
  afterAll(async () => {
    await app?.stop();
    await remote?.close();
  });
  const noToken = ({ path }: FakeRequest) => !path.endsWith('/token');

  test.each(wholeFaults)('%s: the folder is failed, and ready when it is over', async (...row) => {
    const [, fault, message] = row;
    await world.people('mia');
    const project = await world.project('demo', { members: { mia: ['read'] } });
    const id = await world.use(project);
    remote.server.fault(fault, noToken);
    await world.cycle();
    const state = await world.state(id);
    expect(state).toMatchObject({ mode: 'AUTOMATIC', id: null, state: 'FAILED' });
    expect(state.message).toMatch(message);
    expect((await app.get('/health/ready')).status).toBe(200);
    remote.server.repair();
    app.running.services.outbound.forget(`storage ${world.storage.id} folders`);
    await world.hour();
    expect(await world.state(id)).toMatchObject({ state: 'READY', message: null });
    expect(remote.rights('mia', remote.folders()[0]!.id)).toEqual(['read']);
  });

  test.each([
    [403, 'The storage does not allow the service to change this.'],
    [404, 'The storage did not find the folder.'],
    [405, type === 'CloudDrive' ? 'The storage refuses the change.' : 'The storage has another'],
    [
      409,
      type === 'CloudDrive' ? 'The storage has another' : 'The folder changed at the same time.',
    ],
    [412, 'The folder changed at the same time.'],
    [423, 'The folder is locked in the storage. Unlock it there.'],
    [500, 'The storage answered with status 500. Check the log of the storage.'],
    [507, 'The storage has no space left. Make space there.'],
  ])('one folder that cannot be made (%i) stops no other', async (status, message) => {
    const [one, two] = [
      await world.project('one', { name: 'One' }),
      await world.project('two', { name: 'Two' }),
    ];
    const [id, otherId] = [await world.use(one), await world.use(two)];
    remote.server.fault({ status }, (request) => remote.makes(request), 1);
    await world.cycle();
    const states = [await world.state(id), await world.state(otherId)];
    expect(states.map(({ state }) => state).sort()).toEqual(['FAILED', 'READY']);
    expect(states.find(({ state }) => state === 'FAILED')!.message).toMatch(
      new RegExp(`^${message}`),
    );
    await world.hour();
    expect(remote.folders()).toHaveLength(2);
    expect(await world.state(id)).toMatchObject({ state: 'READY' });
    expect(await world.state(otherId)).toMatchObject({ state: 'READY' });
  });

  test('a storage that asks to wait is given the time', async () => {
    const project = await world.project('demo');
    const id = await world.use(project);
    remote.server.fault(
      { status: 429, headers: { 'retry-after': '1' } },
      (request) => remote.makes(request),
      2,
    );
    await world.cycle();
    expect(await world.state(id)).toMatchObject({ state: 'READY' });
    expect(remote.server.requests.filter((request) => remote.makes(request))).toHaveLength(3);
  });

  test('after a longer wait the plan is made anew', async () => {
    await world.people('mia');
    const members = { mia: ['read'] };
    const id = await world.use(await world.project('demo', { members }));
    const wait = { status: 429, headers: { 'retry-after': '300' } };
    remote.server.fault(wait, (request) => remote.makes(request), 1);
    expect(await world.cycle()).toBe(1);
    expect(await world.state(id)).toMatchObject({ state: 'PENDING', message: null });
    // A change does not shorten the wait, and counts after it.
    await world.project('demo', { members: { mia: [] } });
    const asked = remote.server.requests.length;
    expect(await world.cycle()).toBe(0);
    expect(remote.server.requests).toHaveLength(asked);
    expect(await world.cycle(320_000)).toBe(1);
    const { state, id: folder } = await world.state(id);
    expect([state, world.rights(folder!, ['mia'])]).toEqual(['READY', {}]);
    const changes = remote.server.requests.slice(asked).filter((one) => remote.changes(one));
    expect(changes.filter(({ body }) => body.includes(remote.person('mia')))).toEqual([]);
  });

  test('many long waits in a row are a failure, and the storage rests all the same', async () => {
    const id = await world.use(await world.project('demo'));
    remote.server.fault({ status: 503, headers: { 'retry-after': '120' } });
    const states = [];
    for (const seconds of [6, 130, 260]) {
      expect(await world.cycle(seconds * 1_000)).toBe(1);
      states.push((await world.state(id)).state);
    }
    expect(states).toEqual(['PENDING', 'PENDING', 'FAILED']);
    expect((await world.state(id)).message).toBe(
      'The storage asks the service to wait. The service tries again later.',
    );
    expect(await world.cycle(370_000)).toBe(0);
    const events = app.running.services.db
      .read('events')
      .where({ subject_type: 'Storage', subject_id: world.storage.id })
      .orderBy('id');
    expect(await events.clone().pluck('kind')).toEqual(['storage:folders_failed']);
    remote.server.repair();
    await world.hour();
    expect(await world.state(id)).toMatchObject({ state: 'READY', message: null });
    expect(await events.clone().pluck('kind')).toEqual([
      'storage:folders_failed',
      'storage:folders_recovered',
    ]);
  });

  test('a wait of more than an hour is a failure', async () => {
    const id = await world.use(await world.project('demo'));
    const wait = { status: 503, headers: { 'retry-after': '7200' } };
    remote.server.fault(wait, (request) => remote.makes(request), 1);
    await world.cycle();
    expect(await world.state(id)).toMatchObject({
      state: 'FAILED',
      message: expect.stringContaining('503'),
    });
  });

  test('a storage that lost what it needs is failed with what to do', async () => {
    const project = await world.project('demo');
    const id = await world.use(project);
    await app.running.services.db
      .write('storages')
      .where('id', world.storage.id)
      .update({ application_password: null, folders_allowed: false });
    await world.cycle();
    expect(await world.state(id)).toMatchObject({
      state: 'FAILED',
      message:
        type === 'CloudDrive'
          ? 'The storage does not allow managed folders. Set automaticallyManagedFolders.'
          : 'The storage has no application password. Set one.',
    });
    expect(remote.server.requests).toEqual([]);
  });

  test('after three failures in a row webhooks are told once, and once when it works', async () => {
    const project = await world.project('demo');
    await world.use(project);
    const events = async () =>
      (
        await app.running.services.db
          .read('events')
          .where('subject_type', 'Storage')
          .where('subject_id', world.storage.id)
          .orderBy('id')
          .select('kind', 'data')
      ).map(({ kind, data }) => ({
        kind,
        ...(typeof data === 'string' ? JSON.parse(data) : data),
      }));
    remote.server.fault({ status: 500 }, noToken);
    for (let count = 0; count < 5; count += 1) {
      await world.hour();
      expect(await events()).toHaveLength(count < 2 ? 0 : 1);
    }
    remote.server.repair();
    await world.hour();
    await world.hour();
    expect(await events()).toEqual([
      {
        kind: 'storage:folders_failed',
        storageName: world.storage.name,
        message: expect.stringMatching(/500/),
      },
      { kind: 'storage:folders_recovered', storageName: world.storage.name, message: null },
    ]);
  });

  test('two processes synchronise a storage once', async () => {
    const other = await startBeside(app);
    try {
      await world.people('mia');
      const project = await world.project('demo', { members: { mia: ['read'] } });
      const id = await world.use(project);
      const elsewhere = new World(other, remote);
      const counts = await Promise.all([world.cycle(), elsewhere.cycle()]);
      expect(counts.reduce((sum, count) => sum + count)).toBe(1);
      expect(remote.server.requests.filter((request) => remote.makes(request))).toHaveLength(1);
      expect(await world.state(id)).toMatchObject({ state: 'READY' });
    } finally {
      await other.stop();
    }
  });

  describe('a process that dies', () => {
    /** Runs what is due. The process dies after a call: the storage performed it, and nothing more. */
    async function dieAfter(call: number): Promise<boolean> {
      const { services } = app.running;
      let calls = 0;
      let died!: () => void;
      const death = new Promise<void>((resolve) => (died = resolve));
      const forever = new Promise<never>(() => undefined);
      const outbound = Object.create(services.outbound) as typeof services.outbound;
      outbound.send = async (...request) => {
        calls += 1;
        const mine = calls;
        if (mine > call) return forever;
        const answer = await services.outbound.send(...request);
        if (mine < call) return answer;
        died();
        return forever;
      };
      const dying = {
        ...services,
        outbound,
        heldLeases: new Set<string>(),
        clock: () => new Date(Date.now() + 6_000),
      };
      const row = await acquireSync(dying);
      const finished = synchroniseFolders(dying, row!, new AbortController().signal);
      return Promise.race([death.then(() => true), finished.then(() => false)]);
    }

    test('leaves nothing that the next synchronisation does not put right', async () => {
      await prepareFiveProjects(world);
      await world.hour();
      const expected = pictureOf(world);
      expect(expected.map(([name]) => name)).toEqual([
        'Renamed',
        'archived',
        'changed',
        'new',
        'newer',
      ]);
      let deaths = 0;
      for (let call = 1, alive = false; !alive; call += 1) {
        world = await World.of(app, remote);
        await prepareFiveProjects(world);
        if (await dieAfter(call)) deaths += 1;
        else alive = true;
        await world.hour();
        expect({ call, picture: pictureOf(world) }).toEqual({ call, picture: expected });
      }
      expect(deaths).toBeGreaterThan(7);
    }, 120_000);
  });
});
