/** The folders of projects in storages: they have the name of the project and the rights of its people. */
import { startApp, type App } from '../../support/app.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from '../../support/jest.js';
import { remotes, type FolderRemote } from './remotes.js';
import { ALL_RIGHTS, World } from './world.js';

describe.each(Object.entries(remotes))('%s', (type, start) => {
  let app: App;
  let remote: FolderRemote;
  let world: World;
  beforeAll(async () => {
    remote = await start();
    app = await startApp({ STORAGE_ALLOW_PRIVATE: 'true', ...remote.environment });
  });
  beforeEach(async () => {
    world = await World.of(app, remote);
  });
  afterEach(() => remote.check());
  afterAll(async () => {
    await app?.stop();
    await remote?.close();
  });

  test('a project that chooses automatic gets a folder with its name', async () => {
    const project = await world.project('demo', { name: 'Demo' });
    const id = await world.use(project);
    expect(await world.state(id)).toEqual({
      mode: 'AUTOMATIC',
      id: null,
      state: 'PENDING',
      message: null,
    });
    expect(await world.cycle(0)).toBe(0);
    expect(await world.cycle()).toBe(1);
    expect(remote.folders()).toEqual([{ id: expect.any(String), name: `Demo (${project})` }]);
    expect(await world.state(id)).toEqual({
      mode: 'AUTOMATIC',
      id: remote.folders()[0]!.id,
      state: 'READY',
      message: null,
    });
  });

  test('people have the rights in the folder that they have in the project', async () => {
    await world.people('reader', 'writer', 'nobody', { login: 'boss', admin: true });
    const project = await world.project('demo', {
      members: { reader: ['read'], writer: ['read', 'write'], nobody: [] },
    });
    await world.use(project);
    await world.cycle();
    const folder = remote.folders()[0]!.id;
    expect(world.rights(folder, ['reader', 'writer', 'nobody', 'boss'])).toEqual({
      reader: ['read'],
      writer: ['read', 'write'],
      boss: world.granted(ALL_RIGHTS),
    });
  });

  test('a synchronisation in which nothing changed changes nothing in the storage', async () => {
    await world.people('reader', 'writer');
    const project = await world.project('demo', {
      members: { reader: ['read'], writer: ['read', 'write'] },
    });
    await world.use(project);
    await world.cycle();
    remote.server.forget();
    expect(await world.hour()).toBe(1);
    expect(remote.server.requests.filter((request) => remote.changes(request))).toEqual([]);
    expect(remote.server.requests.length).toBeLessThanOrEqual(3);
  });

  test('a changed folder costs two calls at most, a new one three, however many people change in it', async () => {
    const people = Array.from({ length: 30 }, (_, index) => `p${index}`);
    const members = (one: string[], other: string[]) =>
      Object.fromEntries(people.map((person, index) => [person, index % 3 === 0 ? one : other]));
    const callsByFolder = async () => {
      await world.cycle();
      const calls = remote.server.requests.filter((request) => remote.changesFolder(request));
      remote.server.forget();
      return calls.length / 2;
    };
    await world.people(...people);
    await world.use(await world.project('before'));
    await callsByFolder();
    const projects = ['one', 'two'];
    for (const name of projects)
      await world.use(await world.project(name, { members: members(['read'], ['read', 'write']) }));
    expect(await callsByFolder()).toBeLessThanOrEqual(3);
    for (const name of projects)
      await world.project(name, { members: members(['read', 'write'], ['read']) });
    expect(await callsByFolder()).toBeLessThanOrEqual(2);
    const folder = world.folderNamed(`one (${world.ids.get('one')})`);
    expect(world.rights(folder!.id, people)).toEqual(members(['read', 'write'], ['read']));
    for (const name of projects) await world.project(name, { members: members([], ['read']) });
    expect(await callsByFolder()).toBeLessThanOrEqual(2);
    expect(Object.keys(world.rights(folder!.id, people))).toHaveLength(20);
  });

  test('without what the storage needs, automatic is refused', async () => {
    const bare = await World.of(app, remote, { applicationPassword: null, foldersAllowed: false });
    const project = await bare.project('demo');
    const { errors } = await app.graphql(
      `mutation ($input: CreateProjectStorageInput!) {
        createProjectStorage(input: $input) { projectStorage { id } }
      }`,
      {
        input: {
          projectId: String(project),
          storageId: bare.storage.globalId,
          projectFolderMode: 'AUTOMATIC',
        },
      },
      bare.admin,
    );
    expect(errors).toEqual([
      expect.objectContaining({
        message:
          type === 'CloudDrive'
            ? 'Project folder mode automatic needs a storage that allows automatically managed folders.'
            : 'Project folder mode automatic needs a storage with an application password.',
        extensions: expect.objectContaining({ code: 'PROPERTY_CONSTRAINT_VIOLATION' }),
      }),
    ]);
  });

  test.each([
    ['slashes', 'a/b\\c', { server: 'a|b|c', drive: 'a_b_c' }],
    ['bars and colons', 'x|y: z', { server: 'x|y: z', drive: 'x_y_ z' }],
    ['quotes', `"say" 'it'`, { server: `"say" 'it'`, drive: `_say_ 'it'` }],
    [
      'pictures',
      'Haus 🏠 für ½ Ärzte',
      { server: 'Haus 🏠 für ½ Ärzte', drive: 'Haus 🏠 für ½ Ärzte' },
    ],
    ['markup', '<b>&amp; 100% #1', { server: '<b>&amp; 100% #1', drive: '_b_&amp; 100% #1' }],
    ['dots', '...', { server: '...', drive: '...' }],
  ])('a name with %s gives a folder', async (_what, name, expected) => {
    const project = await world.project('demo', { name });
    const id = await world.use(project);
    await world.cycle();
    const base = type === 'CloudDrive' ? expected.drive : expected.server;
    expect(remote.folders().map((folder) => folder.name)).toEqual([`${base} (${project})`]);
    expect(await world.state(id)).toMatchObject({ state: 'READY', message: null });
    remote.server.forget();
    await world.hour();
    expect(remote.server.requests.filter((request) => remote.changes(request))).toEqual([]);
  });

  test('a very long name is cut, and the id of the project stays', async () => {
    const project = await world.project('demo', { name: 'ä'.repeat(255) });
    const id = await world.use(project);
    await world.cycle();
    const [folder] = remote.folders();
    expect(Buffer.byteLength(folder!.name)).toBeLessThanOrEqual(250);
    expect(folder!.name).toMatch(new RegExp(`^ä+ \\(${project}\\)$`));
    expect(await world.state(id)).toMatchObject({ state: 'READY' });
  });

  test('a renamed project renames its folder, which stays the same', async () => {
    const project = await world.project('demo', { name: 'Old' });
    const id = await world.use(project);
    await world.cycle();
    const before = remote.folders()[0]!.id;
    await world.project('demo', { name: 'New' });
    await world.cycle();
    expect(remote.folders()).toEqual([{ id: before, name: `New (${project})` }]);
    expect(await world.state(id)).toMatchObject({ id: before, state: 'READY' });
  });

  test('a taken name is reported, the old name stays, and others go on', async () => {
    const project = await world.project('demo', { name: 'Old' });
    const other = await world.project('other', { name: 'Other' });
    const [id, otherId] = [await world.use(project), await world.use(other)];
    await world.cycle();
    const taken = remote.add(`New (${project})`);
    await world.project('demo', { name: 'New' });
    await world.project('other', { name: 'Another' });
    await world.cycle();
    expect(world.folderNamed(`Old (${project})`)).toBeDefined();
    expect(world.folderNamed(`Another (${other})`)).toBeDefined();
    expect(await world.state(id)).toMatchObject({
      state: 'FAILED',
      message: `The storage has another folder with the name "New (${project})". Rename it there.`,
    });
    expect(await world.state(otherId)).toMatchObject({ state: 'READY', message: null });
    remote.rename(taken, 'Elsewhere');
    await world.hour();
    expect(world.folderNamed(`New (${project})`)).toBeDefined();
    expect(await world.state(id)).toMatchObject({ state: 'READY', message: null });
  });

  test('a foreign folder with the name of a new project is reported and not touched', async () => {
    await world.people('reader');
    const project = await world.project('demo', { name: 'Demo', members: { reader: ['read'] } });
    const foreign = remote.add(`Demo (${project})`);
    const id = await world.use(project);
    remote.server.forget();
    await world.cycle();
    await world.hour();
    expect(remote.folders()).toEqual([{ id: foreign, name: `Demo (${project})` }]);
    expect(remote.rights('reader', foreign)).toEqual([]);
    expect(await world.state(id)).toMatchObject({
      id: null,
      state: 'FAILED',
      message: `The storage has another folder with the name "Demo (${project})". Rename it there.`,
    });
  });

  test.each([
    ['read'],
    ['read', 'write'],
    ['read', 'create'],
    ['read', 'delete'],
    ['read', 'share'],
  ])('the permissions %s %s arrive one by one', async (...rights) => {
    await world.people('mia');
    const project = await world.project('demo', { members: { mia: rights } });
    await world.use(project);
    await world.cycle();
    expect(remote.rights('mia', remote.folders()[0]!.id)).toEqual(world.granted(rights));
  });

  test('whoever is not connected has nothing, and after connecting everything', async () => {
    await world.people({ login: 'mia', connected: false });
    const project = await world.project('demo', { members: { mia: ['read', 'write'] } });
    await world.use(project);
    await world.cycle();
    remote.person('mia');
    const folder = remote.folders()[0]!.id;
    expect(remote.rights('mia', folder)).toEqual([]);
    await world.connect('mia');
    await world.hour();
    expect(remote.rights('mia', folder)).toEqual(['read', 'write']);
  });

  test('rights end with the permission, with the membership, and with the person', async () => {
    await world.people('less', 'gone', 'locked', 'stays');
    const members = {
      less: ['read', 'write'],
      gone: ['read', 'write'],
      locked: ['read', 'write'],
      stays: ['read', 'write'],
    };
    const project = await world.project('demo', { members });
    await world.use(project);
    await world.cycle();
    const folder = remote.folders()[0]!.id;
    expect(Object.keys(world.rights(folder, Object.keys(members)))).toEqual(Object.keys(members));
    await world.project('demo', { members: { ...members, less: ['read'], gone: [] } });
    await world.import({
      users: [{ login: 'locked', firstName: 'l', lastName: '', status: 'locked' }],
    });
    await world.cycle();
    expect(world.rights(folder, Object.keys(members))).toEqual({
      less: ['read'],
      stays: ['read', 'write'],
    });
  });

  test('in a public project others have the rights of Non member, except members', async () => {
    await world.people('member', 'other');
    await world.import({ roles: [{ name: 'Non member', permissions: ['read_files'] }] });
    const project = await world.project('demo', { public: true, members: { member: [] } });
    const hidden = await world.project('hidden', { members: { member: ['read', 'write'] } });
    await world.use(project);
    await world.use(hidden);
    await world.cycle();
    const people = ['member', 'other'];
    const rightsIn = (id: number, name: string) =>
      world.rights(world.folderNamed(`${name} (${id})`)!.id, people);
    expect(rightsIn(project, 'demo')).toEqual({ other: ['read'] });
    expect(rightsIn(hidden, 'hidden')).toEqual({ member: ['read', 'write'] });
    await world.import({ roles: [{ name: 'Non member', permissions: [] }] });
    await world.cycle();
    expect(rightsIn(project, 'demo')).toEqual({});
  });

  test('a person whom the storage does not know is reported, and others get their rights', async () => {
    await world.people('mia', { login: 'ghost', connected: false });
    await app.given.storageTokens({ id: world.ids.get('ghost')! }, world.storage, {
      accessToken: 'x',
      originUserId: 'ghost-id',
    });
    const project = await world.project('demo', {
      members: { mia: ['read'], ghost: ['read'] },
    });
    const id = await world.use(project);
    const expected = {
      mode: 'AUTOMATIC',
      id: expect.any(String),
      state: 'READY',
      message: expect.stringMatching(/^The storage does not know (the person )?ghost-id\.$/),
    };
    await world.cycle();
    expect(await world.state(id)).toEqual(expected);
    expect(remote.rights('mia', remote.folders()[0]!.id)).toEqual(['read']);
    await world.hour();
    remote.server.forget();
    await world.hour();
    expect(remote.server.requests.filter((request) => remote.changes(request))).toEqual([]);
    expect(await world.state(id)).toEqual(expected);
  });

  test('a folder that was deleted by hand is made again', async () => {
    const project = await world.project('demo');
    const id = await world.use(project);
    await world.cycle();
    const before = remote.folders()[0]!.id;
    remote.remove(before);
    await world.hour();
    const [after] = remote.folders();
    expect(after).toEqual({ id: expect.any(String), name: `demo (${project})` });
    expect(after!.id).not.toBe(before);
    expect(await world.state(id)).toMatchObject({ id: after!.id, state: 'READY' });
  });

  test('a folder that was moved away by hand is reported and not made twice', async () => {
    const project = await world.project('demo');
    const id = await world.use(project);
    await world.cycle();
    const before = remote.folders()[0]!.id;
    remote.moveOut(before);
    remote.server.forget();
    await world.hour();
    expect(remote.server.requests.filter((request) => remote.makes(request))).toEqual([]);
    expect(await world.state(id)).toMatchObject({
      id: before,
      state: 'FAILED',
      message:
        'The folder was moved to another place in the storage. Move it back. ' +
        'Or delete it there, then the service makes a new one.',
    });
  });

  test('two projects that name one folder are both reported, and it is not touched', async () => {
    await world.people('mia');
    const [one, two] = [
      await world.project('one', { members: { mia: ['read'] } }),
      await world.project('two', { members: { mia: ['read', 'write'] } }),
    ];
    const [id, otherId] = [await world.use(one), await world.use(two)];
    await world.cycle();
    const folder = world.folderNamed(`one (${one})`)!.id;
    // As after a restored back-up.
    await app.running.services.db
      .write('project_storages')
      .where('project_id', two)
      .update({ managed_folder_id: folder });
    remote.server.forget();
    await world.hour();
    const message =
      'Another project names the same folder. Choose automatic again for one of them.';
    expect(await world.state(id)).toMatchObject({ state: 'FAILED', message });
    expect(await world.state(otherId)).toMatchObject({ state: 'FAILED', message });
    expect(world.folderNamed(`one (${one})`)).toEqual({ id: folder, name: `one (${one})` });
    expect(remote.rights('mia', folder)).toEqual(['read']);
  });

  test('with another mode the folder stays and is hidden, and comes back with automatic', async () => {
    await world.people('mia');
    const project = await world.project('demo', { members: { mia: ['read'] } });
    const id = await world.use(project);
    // So mia stays in the group of a file server.
    await world.use(await world.project('other', { members: { mia: ['read'] } }));
    await world.cycle();
    const folder = world.folderNamed(`demo (${project})`)!;
    expect(
      await world.change(id, { projectFolderMode: 'MANUAL', projectFolderId: '42' }),
    ).toMatchObject({ projectFolderMode: 'MANUAL', projectFolderId: '42' });
    await world.cycle();
    expect(world.folderNamed(folder.name)).toEqual(folder);
    expect(remote.folders()).toHaveLength(2);
    expect(remote.rights('mia', folder.id)).toEqual([]);
    expect(await world.state(id)).toEqual({
      mode: 'MANUAL',
      id: '42',
      state: 'INACTIVE',
      message: null,
    });
    expect(await world.change(id, { projectFolderMode: 'AUTOMATIC' })).toMatchObject({
      projectFolderId: folder.id,
    });
    await world.cycle();
    expect(world.folderNamed(folder.name)).toEqual(folder);
    expect(remote.folders()).toHaveLength(2);
    expect(remote.rights('mia', folder.id)).toEqual(['read']);
  });

  test('removed from the project, the folder is hidden; added again, it is taken over', async () => {
    await world.people('mia');
    const project = await world.project('demo', { members: { mia: ['read'] } });
    const id = await world.use(project);
    await world.cycle();
    const [folder] = remote.folders();
    await world.stopUsing(id);
    await world.cycle();
    expect(remote.folders()).toEqual([folder]);
    expect(remote.rights('mia', folder!.id)).toEqual([]);
    const again = await world.use(project);
    await world.cycle();
    expect(remote.folders()).toEqual([folder]);
    expect(await world.state(again)).toMatchObject({ id: folder!.id, state: 'READY' });
    expect(remote.rights('mia', folder!.id)).toEqual(['read']);
  });

  test('the folder of an archived project is hidden', async () => {
    await world.people('mia');
    const project = await world.project('demo', { members: { mia: ['read'] } });
    const id = await world.use(project);
    await world.cycle();
    const [folder] = remote.folders();
    await world.project('demo', { active: false, members: { mia: ['read'] } });
    await world.cycle();
    expect(remote.rights('mia', folder!.id)).toEqual([]);
    expect(await world.state(id)).toMatchObject({ id: folder!.id, state: 'INACTIVE' });
    await world.project('demo', { active: true, members: { mia: ['read'] } });
    await world.cycle();
    expect(remote.folders()).toEqual([folder]);
    expect(remote.rights('mia', folder!.id)).toEqual(['read']);
  });

  test('an administrator deletes the folder with the project storage, others cannot', async () => {
    const project = await world.project('demo');
    const id = await world.use(project);
    await world.cycle();
    const manager = await app.given.member({ id: project }, [
      'view_work_packages',
      'view_file_links',
      'manage_files_in_project',
    ]);
    const refused = await world.stopUsing(id, { deleteFolder: true }, manager);
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'MISSING_PERMISSION' });
    const { errors } = await world.stopUsing(id, { deleteFolder: true });
    expect(errors).toBeUndefined();
    expect(remote.folders()).toHaveLength(1);
    await world.cycle();
    expect(remote.folders()).toEqual([]);
    expect(await world.hour()).toBe(0);
  });

  test('the message is for those who manage the storages of the project', async () => {
    await world.people('mia');
    const project = await world.project('demo', { name: 'Demo' });
    remote.add(`Demo (${project})`);
    const id = await world.use(project);
    await world.cycle();
    const viewer = await app.given.member({ id: project }, [
      'view_work_packages',
      'view_file_links',
    ]);
    expect(await world.state(id, viewer)).toEqual({
      mode: 'AUTOMATIC',
      id: null,
      state: 'FAILED',
      message: null,
    });
  });

  test('an import of many memberships is one synchronisation', async () => {
    const logins = Array.from({ length: 50 }, (_, index) => `p${index}`);
    await world.import({
      users: logins.map((login) => ({ login, firstName: login, lastName: '' })),
    });
    const project = await world.project('demo');
    await world.use(project);
    await world.cycle();
    await world.project('demo', {
      members: Object.fromEntries(logins.map((login) => [login, ['read']])),
    });
    expect(await world.cycle()).toBe(1);
    expect(await world.cycle()).toBe(0);
  });

  test('with read_files the folder opens, without it the storage', async () => {
    const project = await world.project('demo');
    const id = await world.use(project);
    await world.cycle();
    const view = ['view_work_packages', 'view_file_links'];
    const reader = await app.given.member({ id: project }, [...view, 'read_files']);
    const other = await app.given.member({ id: project }, view);
    const number = Number(Buffer.from(id, 'base64url').toString().split(':')[1]);
    const links = async (as: typeof reader) => {
      const { body } = await app.get(`/api/v3/project_storages/${number}`, as);
      return Object.keys(body._links);
    };
    expect(await links(reader)).toEqual([
      'self',
      'projectFolder',
      'open',
      'openWithConnectionEnsured',
      'storage',
      'project',
      'creator',
    ]);
    expect(await links(other)).toEqual(['self', 'projectFolder', 'storage', 'project', 'creator']);
  });
});
