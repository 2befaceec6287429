/** What only one type of storage has, the command line, and the background work. */
import { Command, endCommands, environmentOf, run } from '../../support/cli.js';
import { startApp, TEST_SECRET_KEY, type App } from '../../support/app.js';
import type { CloudDrive } from '../../support/fakes/cloud-drive.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../../support/jest.js';
import {
  cloudDriveFolders,
  fileServerFolders,
  partsOf,
  remotes,
  type FolderRemote,
  placedFolders,
} from './remotes.js';
import { ALL_RIGHTS, World } from './world.js';

describe('the team folder of a file server', () => {
  let app: App;
  let remote: Awaited<ReturnType<typeof fileServerFolders>>;
  let world: World;
  beforeAll(async () => {
    remote = await fileServerFolders();
    app = await startApp({ STORAGE_ALLOW_PRIVATE: 'true' });
  });
  beforeEach(async () => {
    world = await World.of(app, remote);
  });
  afterAll(async () => {
    await app?.stop();
    await remote?.close();
  });

  /** A request of a person to the file server itself. */
  const as = async (person: string, method: string, path: string, body?: string) => {
    const response = await fetch(
      `${remote.server.url}/remote.php/dav/files/${person}/OpenProject/${path
        .split('/')
        .map(encodeURIComponent)
        .join('/')}`,
      {
        method,
        headers: {
          authorization: `Basic ${Buffer.from(`${person}:password of ${person}`).toString('base64')}`,
          depth: '1',
        },
        ...(body !== undefined && { body }),
      },
    );
    return response.status;
  };

  test('who is not connected has nothing, whatever is left of single sign-on', async () => {
    await world.people('mia', { login: 'eve', connected: false });
    remote.person('eve');
    const time = new Date().toISOString();
    await app.running.services.db.write('sign_on_users').insert({
      user_id: world.ids.get('eve'),
      storage_id: world.storage.id,
      identity: '',
      origin_user_id: 'eve',
      created_at: time,
      updated_at: time,
    });
    const members = { mia: ['read'], eve: ['read'] };
    await world.use(await world.project('demo', { members }));
    await world.cycle();
    expect(world.rights(remote.folders()[0]!.id, ['mia', 'eve'])).toEqual({ mia: ['read'] });
    expect(remote.team.members()).toEqual(['OpenProject', 'mia']);
  });

  test('members of the group see the top only, and the service has every right', async () => {
    const project = await world.project('demo');
    await world.use(project);
    await world.cycle();
    expect(remote.team.rootAcl()).toEqual([
      { type: 'user', id: 'OpenProject', mask: 31, permissions: 31 },
      { type: 'group', id: 'OpenProject', mask: 31, permissions: 1 },
    ]);
    expect(placedFolders(remote.team)[0]!.acl).toEqual(
      expect.arrayContaining([
        { type: 'group', id: 'OpenProject', mask: 31, permissions: 0 },
        { type: 'user', id: 'OpenProject', mask: 31, permissions: 31 },
      ]),
    );
  });

  test('a reader lists the folder and cannot write; a writer can; others find nothing', async () => {
    await world.people('reader', 'writer', 'other');
    const project = await world.project('demo', {
      members: { reader: ['read'], writer: ['read', 'write', 'create'], other: [] },
    });
    await world.use(project);
    await world.cycle();
    const folder = `demo (${project})`;
    expect(await as('reader', 'PROPFIND', folder)).toBe(207);
    expect(await as('reader', 'PUT', `${folder}/a.txt`, 'a')).toBe(403);
    expect(await as('writer', 'PUT', `${folder}/a.txt`, 'a')).toBe(201);
    expect(await as('writer', 'DELETE', `${folder}/a.txt`)).toBe(403);
    expect(await as('other', 'PROPFIND', folder)).toBe(404);
  });

  test('whoever has a right anywhere is in the group, nobody else, and the service always', async () => {
    await world.people('mia', 'rob', 'none');
    const members = { mia: ['read'], rob: ['read'], none: [] };
    const project = await world.project('demo', { members });
    await world.use(project);
    await world.cycle();
    expect(remote.team.members()).toEqual(['OpenProject', 'mia', 'rob']);
    await world.project('demo', { members: { ...members, rob: [] } });
    await world.cycle();
    expect(remote.team.members()).toEqual(['OpenProject', 'mia']);
  });

  test('what somebody else made in the team folder is hidden, and never taken over', async () => {
    await world.people('mia');
    const foreign = remote.team.add('Holidays');
    const project = await world.project('demo', { members: { mia: ['read'] } });
    const later = await world.project('later', { name: 'Later', members: { mia: ['read'] } });
    const taken = remote.team.add(`Later (${later})`);
    await world.use(project);
    await world.cycle();
    expect(remote.team.rights('mia', foreign)).toBe(0);
    const id = await world.use(later);
    await world.cycle();
    expect(remote.team.rights('mia', taken)).toBe(0);
    expect(await world.state(id)).toMatchObject({ id: null, state: 'FAILED' });
  });

  test('while a folder cannot be hidden, nobody joins the group', async () => {
    await world.people('mia');
    const foreign = remote.team.add('Holidays');
    const project = await world.project('demo', { members: { mia: ['read'] } });
    const id = await world.use(project);
    remote.server.fault(
      { status: 423 },
      ({ method, path }) => method === 'PROPPATCH' && path.includes('Holidays'),
    );
    await world.cycle();
    expect(remote.team.members()).toEqual(['OpenProject']);
    expect(await world.state(id)).toMatchObject({
      state: 'FAILED',
      message:
        'Nobody can join the group OpenProject until another folder is hidden from it. ' +
        'Look at the messages of the storage, and run the synchronisation again.',
    });
    remote.server.repair();
    await world.hour();
    expect(await world.state(id)).toMatchObject({ state: 'READY', message: null });
    expect(remote.team.members()).toEqual(['OpenProject', 'mia']);
    expect(remote.team.rights('mia', foreign)).toBe(0);
  });

  const REFUSED =
    'The storage does not let the service add mia to the group OpenProject. Make the user ' +
    'OpenProject an administrator of this group there, or repeat the set-up of project folders ' +
    'in the integration app.';
  test.each([
    ['403 in an answer with HTTP 200', 200, 403, REFUSED],
    ['104, no administrator of the group', 200, 104, REFUSED],
    [
      '105, not added',
      200,
      105,
      'The storage failed to add mia to the group OpenProject. Check the log of the storage. ' +
        'The service tries again later.',
    ],
    [
      '500 with an answer that says success',
      500,
      100,
      'The storage answered with status 500. Check the log of the storage. ' +
        'The service tries again later.',
    ],
  ])(
    'a refused join (%s) fails the folders of that person, until it works',
    async (_what, status, statuscode, message) => {
      await world.people('mia', 'rob');
      const both = await world.project('demo', { members: { mia: ['read'], rob: ['read'] } });
      const other = await world.project('other', { members: { rob: ['read'] } });
      const [id, otherId] = [await world.use(both), await world.use(other)];
      const refuse = () =>
        remote.server.fault(
          {
            status,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ ocs: { meta: { statuscode }, data: [] } }),
          },
          ({ method, path }) => method === 'POST' && path.endsWith('/cloud/users/mia/groups'),
        );
      refuse();
      await world.cycle();
      const isFailed = async () => {
        expect(await world.state(id)).toMatchObject({ state: 'FAILED', message });
        expect(await world.state(otherId)).toMatchObject({ state: 'READY', message: null });
        expect(remote.team.members()).toEqual(['OpenProject', 'rob']);
      };
      await isFailed();
      // The next one has nothing else to do.
      await world.hour();
      await isFailed();
      remote.server.repair();
      await world.hour();
      expect(await world.state(id)).toMatchObject({ state: 'READY', message: null });
      expect(remote.team.members()).toEqual(['OpenProject', 'mia', 'rob']);
      // Somebody took the person out of the group by hand.
      remote.team.expel('mia');
      refuse();
      await world.hour();
      await isFailed();
    },
  );

  test('without the rules of the top no folder is made', async () => {
    const id = await world.use(await world.project('demo'));
    remote.team.setAcl(remote.team.id, []);
    remote.server.fault({ status: 423 }, ({ method }) => method === 'PROPPATCH');
    await world.cycle();
    expect(remote.folders()).toEqual([]);
    expect(await world.state(id)).toMatchObject({
      state: 'FAILED',
      message: 'The folder is locked in the storage. Unlock it there.',
    });
    remote.server.repair();
    await world.hour();
    expect(remote.folders()).toHaveLength(1);
  });

  test('rights that somebody changed by hand are set again within an hour', async () => {
    await world.people('mia', 'rob');
    const project = await world.project('demo', { members: { mia: ['read'], rob: [] } });
    await world.use(project);
    await world.cycle();
    const [folder] = placedFolders(remote.team);
    remote.team.setAcl(folder!.id, [
      ...folder!.acl,
      { type: 'user', id: 'rob', mask: 31, permissions: 31 },
    ]);
    await world.hour();
    expect(placedFolders(remote.team)[0]!.acl).toEqual(folder!.acl);
  });

  test('a link to a file survives another name of the project', async () => {
    await world.people('mia');
    const members = { mia: ALL_RIGHTS };
    const project = await world.project('demo', { name: 'Old', members });
    await world.use(project);
    await world.cycle();
    expect(await as('mia', 'PUT', `Old (${project})/plan.txt`, 'plan')).toBe(201);
    const file = remote.server.idOf('mia', `/OpenProject/Old (${project})/plan.txt`);
    await world.project('demo', { name: 'New', members });
    await world.cycle();
    expect(remote.server.idOf('mia', `/OpenProject/New (${project})/plan.txt`)).toBe(file);
  });

  test.each([
    [
      'without the team folder',
      () => remote.team.drop(),
      'The storage has no team folder OpenProject. Repeat the set-up of project folders in the integration app there.',
    ],
    [
      'with the integration app switched off',
      () => void (remote.server.appEnabled = false),
      'The integration app is switched off in the storage. Enable it there.',
    ],
    [
      'with another application password',
      () => void remote.server.teamFolder({ password: 'a new one' }),
      'The storage refuses the sign-in of the service. Set a new application password, or check the client credentials.',
    ],
    [
      'without the group',
      () =>
        remote.server.fault({ status: 404 }, ({ path }) => path.endsWith('/groups/OpenProject')),
      'The storage has no group OpenProject. Repeat the set-up of project folders in the integration app there.',
    ],
  ])('%s the projects say what to do', async (_when, arrange, message) => {
    const id = await world.use(await world.project('demo'));
    arrange();
    await world.cycle();
    expect(await world.state(id)).toMatchObject({ state: 'FAILED', message });
    remote.server.repair();
    remote.server.appEnabled = true;
    remote.server.teamFolder({ password: remote.team.password });
  });
});

test('the command names whom the file server keeps in the group', async () => {
  const remote = await fileServerFolders();
  const app = await startApp({ STORAGE_ALLOW_PRIVATE: 'true' });
  try {
    const world = await World.of(app, remote, { name: 'Files' });
    await world.people('mia');
    const id = await world.use(await world.project('demo', { members: { mia: ['read'] } }));
    await world.cycle();
    await world.project('demo', { members: { mia: [] } });
    const meta = { status: 'failure', statuscode: 105, message: '' };
    remote.server.fault(
      {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ocs: { meta, data: [] } }),
      },
      ({ method, path }) => method === 'DELETE' && path.endsWith('/groups'),
    );
    const environment = {
      ...environmentOf(app),
      STORAGE_ALLOW_PRIVATE: 'true',
      SECRET_KEY: TEST_SECRET_KEY,
    };
    const { status, stdout } = await run(['folders', 'sync'], environment);
    expect([status, stdout.split('\n')]).toEqual([
      0,
      [
        'Files: 2 changes',
        expect.stringContaining('set the rights'),
        '  remove mia from the group',
        '  note: The storage keeps mia in the group OpenProject.',
        '',
      ],
    ]);
    const { state, id: folder } = await world.state(id);
    expect([state, world.rights(folder!, ['mia'])]).toEqual(['READY', {}]);
  } finally {
    await app.stop();
    await remote.close();
  }
});

describe('the folders of a drive', () => {
  let app: App;
  let remote: FolderRemote & { server: CloudDrive };
  let world: World;
  beforeAll(async () => {
    remote = (await cloudDriveFolders()) as typeof remote;
    app = await startApp({
      STORAGE_ALLOW_PRIVATE: 'true',
      STORAGE_TIMEOUT_MS: '900',
      ...remote.environment,
    });
  });
  beforeEach(async () => {
    world = await World.of(app, remote);
  });
  afterAll(async () => {
    remote?.check();
    await app?.stop();
    await remote?.close();
  });
  const permissions = () => remote.server.folders()[0]!.permissions;

  test('only differences are sent; inherited permissions, owners and links stay', async () => {
    await world.people('stays', 'comes', 'goes', 'owner', 'above');
    const members = { stays: ['read'], comes: [], goes: ['read', 'write'] };
    const project = await world.project('demo', { members });
    await world.use(project);
    await world.cycle();
    const folder = remote.folders()[0]!.id;
    remote.server.addPermission(folder, { user: 'owner', roles: ['owner'] });
    remote.server.addPermission(folder, { roles: ['read'], link: true });
    remote.server.addPermission(folder, { user: 'above', roles: ['write'], inherited: true });
    const kept = permissions().find(({ user }) => user === 'stays')!.id;
    await world.project('demo', { members: { ...members, comes: ['read'], goes: ['read'] } });
    remote.server.forget();
    await world.cycle();
    expect(
      remote.server.requests
        .filter((request) => remote.changes(request))
        .map(({ body }) => partsOf(body).map((part) => [part.method, part.body])),
    ).toEqual([
      [['PATCH', { roles: ['read'] }]],
      [
        [
          'POST',
          {
            requireSignIn: true,
            sendInvitation: false,
            roles: ['read'],
            recipients: [{ objectId: 'comes' }],
          },
        ],
      ],
    ]);
    const now = permissions().map(({ user, roles, inherited, link }) =>
      [
        user ?? 'link',
        ...roles,
        ...(inherited ? ['inherited'] : []),
        ...(link ? ['link'] : []),
      ].join(' '),
    );
    expect(now.sort()).toEqual([
      'above write inherited',
      'comes read',
      'goes read',
      'link read link',
      'owner owner',
      'stays read',
    ]);
    expect(permissions().find(({ user }) => user === 'stays')!.id).toBe(kept);
  });

  test('a throttled part of a batch waits as long as it is told, and the others are done', async () => {
    await world.people('mia', 'rob');
    const members = { mia: ['read'], rob: ['read', 'write'] };
    const id = await world.use(await world.project('demo', { members }));
    remote.server.throttle({
      members: true,
      retryAfter: 1,
      when: ({ path }) => path.endsWith('/invite'),
    });
    await world.cycle();
    expect(await world.state(id)).toMatchObject({ state: 'READY', message: null });
    const batches = remote.server.requests.filter((request) => remote.changes(request)).slice(1);
    expect(batches.map(({ body }) => partsOf(body).length)).toEqual([2, 1]);
    expect(world.rights(remote.folders()[0]!.id, ['mia', 'rob'])).toEqual(members);
  });

  test('a part of a batch that asks for a longer wait ends the synchronisation until then', async () => {
    await world.people('mia');
    const id = await world.use(await world.project('demo', { members: { mia: ['read'] } }));
    remote.server.throttle({
      members: true,
      retryAfter: 300,
      when: ({ path }) => path.endsWith('/invite'),
    });
    await world.cycle();
    expect(await world.state(id)).toMatchObject({ state: 'PENDING', message: null });
    expect(await world.cycle(320_000)).toBe(1);
    expect(await world.state(id)).toMatchObject({ state: 'READY', message: null });
    expect(remote.rights('mia', remote.folders()[0]!.id)).toEqual(['read']);
  });

  test('a token that ends inside a batch is replaced', async () => {
    await world.people('mia', 'rob');
    const members = { mia: ['read'], rob: ['read', 'write'] };
    const id = await world.use(await world.project('demo', { members }));
    const tokens = () =>
      remote.server.requests.filter(({ path }) => path.endsWith('/token')).length;
    remote.server.throttle({
      members: true,
      status: 401,
      when: ({ path }) => path.endsWith('/invite'),
    });
    await world.cycle();
    expect(await world.state(id)).toMatchObject({ state: 'READY', message: null });
    expect(world.rights(remote.folders()[0]!.id, ['mia', 'rob'])).toEqual(members);
    expect(tokens()).toBe(2);
  });

  test('without the drive the projects say what to do', async () => {
    const id = await world.use(await world.project('demo'));
    remote.server.fault({ status: 404 }, ({ path }) => path.endsWith('/children'));
    await world.cycle();
    expect(await world.state(id)).toMatchObject({
      state: 'FAILED',
      message:
        'The storage has no such drive, or hides it. Check the drive id, and the rights of the service.',
    });
    remote.server.repair();
  });

  test('a token that ends during a synchronisation is replaced', async () => {
    await world.people('mia');
    const id = await world.use(await world.project('demo', { members: { mia: ['read'] } }));
    remote.server.fault(
      { hold: () => Promise.resolve(remote.server.advance(4_000)) },
      (request) => remote.makes(request),
      1,
    );
    await world.cycle();
    expect(await world.state(id)).toMatchObject({ state: 'READY', message: null });
    expect(remote.rights('mia', remote.folders()[0]!.id)).toEqual(['read']);
  });

  test('a permission that somebody gave by hand is removed within a day', async () => {
    await world.people('mia', 'rob');
    const project = await world.project('demo', { members: { mia: ['read'], rob: [] } });
    await world.use(project);
    await world.cycle();
    const folder = remote.folders()[0]!.id;
    remote.server.addPermission(folder, { user: 'rob', roles: ['write'] });
    for (let hour = 0; hour < 24; hour += 1) await world.hour();
    expect(world.rights(folder, ['mia', 'rob'])).toEqual({ mia: ['read'] });
  });

  test('most hours read no permissions again', async () => {
    for (const name of ['a', 'b', 'c']) await world.use(await world.project(name));
    await world.cycle();
    remote.server.forget();
    for (let hour = 0; hour < 24; hour += 1) await world.hour();
    const reads = remote.server.requests.filter(({ path }) => path.endsWith('/$batch'));
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.length).toBeLessThanOrEqual(3);
  });
});

describe('the command folders sync', () => {
  test.each(Object.entries(remotes))('%s: plans, then applies', async (_type, start) => {
    const remote = await start();
    const app = await startApp({ STORAGE_ALLOW_PRIVATE: 'true', ...remote.environment });
    try {
      const world = await World.of(app, remote, { name: 'Files' });
      await world.people('mia');
      const project = await world.project('demo', { name: 'Demo', members: { mia: ['read'] } });
      await world.use(project);
      const folder = `Demo (${project})`;
      const environment = {
        ...environmentOf(app),
        ...remote.environment,
        STORAGE_ALLOW_PRIVATE: 'true',
        SECRET_KEY: TEST_SECRET_KEY,
      };
      const planned = await run(['folders', 'sync', 'Files', '--dry-run', '--json'], environment);
      const report = JSON.parse(planned.stdout);
      expect(report).toEqual([
        {
          storage: { id: world.storage.id, name: 'Files' },
          steps: expect.arrayContaining([`make the folder "${folder}"`]),
          problems: [],
          notes: [],
          unexpected: [],
        },
      ]);
      expect(remote.folders()).toEqual([]);
      expect(remote.server.requests.filter((request) => remote.changes(request))).toEqual([]);
      const applied = await run(['folders', 'sync', '--json'], environment);
      expect({ status: applied.status, report: JSON.parse(applied.stdout) }).toEqual({
        status: 0,
        report,
      });
      expect(remote.folders().map(({ name }) => name)).toEqual([folder]);
      const again = await run(['folders', 'sync', String(world.storage.id)], environment);
      expect(again.stdout).toBe('Files: 0 changes\n');
      remote.server.fault({ status: 500 });
      const failed = await run(['folders', 'sync'], environment);
      expect(failed.status).toBe(1);
      expect(failed.stdout).toMatch(/FAILED: .*500/);
      const unknown = await run(['folders', 'sync', 'Nothing'], environment);
      expect([unknown.status, unknown.stderr]).toEqual([
        1,
        expect.stringContaining('No storage "Nothing" has folders that the service manages.'),
      ]);
      expect((await run(['folders'], environment)).status).toBe(2);
    } finally {
      await app.stop();
      await remote.close();
    }
  });
});

test.each(Object.entries(remotes))(
  '%s: a command that is killed between two calls is made good by the next one',
  async (_type, start) => {
    const remote = await start();
    const app = await startApp({ STORAGE_ALLOW_PRIVATE: 'true', ...remote.environment });
    try {
      const environment = {
        ...environmentOf(app),
        ...remote.environment,
        STORAGE_ALLOW_PRIVATE: 'true',
        SECRET_KEY: TEST_SECRET_KEY,
        LEASE_SECONDS: '2',
      };
      for (const call of [2, 4]) {
        const world = await World.of(app, remote);
        await world.people('mia', 'rob');
        const members = { mia: ['read'], rob: ['read', 'write'] };
        const projects = [
          await world.project('one', { members }),
          await world.project('two', { members }),
        ];
        for (const project of projects) await world.use(project);
        let calls = 0;
        let arrived!: () => void;
        const arrival = new Promise<void>((resolve) => (arrived = resolve));
        const killing = new Promise<void>(() => undefined);
        remote.server.fault({ hold: () => (arrived(), killing) }, (request) => {
          if (remote.changes(request)) calls += 1;
          return remote.changes(request) && calls >= call;
        });
        const command = new Command(['folders', 'sync'], environment);
        await arrival;
        command.signal('SIGKILL');
        await command.outcome;
        remote.server.repair();
        const { status, stdout } = await run(['folders', 'sync'], environment);
        expect({ call, status, stdout }).toEqual({ call, status: 0, stdout: expect.any(String) });
        expect(remote.folders().map(({ name }) => name)).toEqual([
          `one (${projects[0]})`,
          `two (${projects[1]})`,
        ]);
        for (const { id } of remote.folders())
          expect(world.rights(id, ['mia', 'rob'])).toEqual({
            mia: ['read'],
            rob: ['read', 'write'],
          });
      }
    } finally {
      await endCommands();
      await app.stop();
      await remote.close();
    }
  },
);

test('a running service brings a folder in step within seconds', async () => {
  const remote = await fileServerFolders();
  const app = await startApp({ STORAGE_ALLOW_PRIVATE: 'true', BACKGROUND_WORK: 'true' });
  try {
    const world = await World.of(app, remote);
    await world.people('mia');
    const id = await world.use(await world.project('demo', { members: { mia: ['read'] } }));
    for (let tries = 0; (await world.state(id)).state !== 'READY' && tries < 300; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await world.state(id)).toMatchObject({ state: 'READY', message: null });
    expect(remote.rights('mia', remote.folders()[0]!.id)).toEqual(['read']);
  } finally {
    await app.stop();
    await remote.close();
  }
});
