/** The directory file: the created records, the changes of a second import, and the errors. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BadDirectory,
  importDirectory,
  MalformedFile,
  type BadRow,
  type ImportedIds,
} from '../../src/actions/people/directory/import-directory.js';
import { startApp, type App } from '../support/app.js';
import { endCommands, environmentOf, run, until, type Environment } from '../support/cli.js';
import { on } from '../support/database.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';

let app: App;
let environment: Environment;
beforeAll(async () => {
  app = await startApp();
  environment = environmentOf(app);
});
afterAll(async () => {
  await endCommands();
  await app.stop();
});

const folder = mkdtempSync(join(tmpdir(), 'moorage-import-'));
const fileOf = (content: string, name = 'directory.json') => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** Imports in this process. The chunks split rows and characters. */
const take = (content: object | string, chunk = 7): Promise<ImportedIds> =>
  importDirectory(app.running.services, async function* () {
    const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
    for (let start = 0; start < bytes.length; start += chunk)
      yield bytes.subarray(start, start + chunk);
  });

async function refused(content: object | string): Promise<readonly BadRow[]> {
  const before = await counts();
  const error = await take(content).then(
    () => undefined,
    (fault: unknown) => fault,
  );
  if (!(error instanceof BadDirectory)) throw error ?? new Error('The file was accepted.');
  expect(await counts()).toEqual(before);
  return error.rows;
}

const tables = [
  'users',
  'api_keys',
  'roles',
  'role_permissions',
  'projects',
  'memberships',
  'membership_roles',
  'work_packages',
  'activities',
  'meetings',
  'posts',
  'wiki_pages',
];
async function counts(): Promise<{ [table: string]: number }> {
  const db = app.running.services.db.write;
  return Object.fromEntries(
    await Promise.all(
      tables.map(
        async (table) => [table, Number((await db(table).count({ n: '*' }))[0]!['n'])] as const,
      ),
    ),
  );
}

const user = (login: string, more: object = {}) => ({
  login,
  firstName: 'Some',
  lastName: 'Body',
  ...more,
});
const key = (name: string) => `key-of-${name}-0123456789`;

/** The example of the documentation. */
const example = {
  users: [
    {
      login: 'ada',
      firstName: 'Ada',
      lastName: 'Admin',
      email: 'ada@example.test',
      admin: true,
      status: 'active',
      password: 'optional',
      apiKeys: [{ name: 'ci', key: 'at-least-20-characters' }],
    },
  ],
  roles: [{ name: 'Member', permissions: ['view_work_packages', 'edit_work_packages'] }],
  projects: [
    {
      identifier: 'demo',
      name: 'Demo',
      public: false,
      memberships: [{ user: 'ada', roles: ['Member'] }],
      storages: [],
      workPackages: [
        {
          ref: 'wp-1',
          subject: 'Order bricks',
          author: 'ada',
          activities: [{ ref: 'wp-1-c1', comment: 'text', author: 'ada', internal: false }],
        },
      ],
      meetings: [{ ref: 'm-1', title: 'Kick-off', author: 'ada' }],
      posts: [{ ref: 'p-1', subject: 'Welcome', author: 'ada' }],
      wikiPages: [{ ref: 'w-1', title: 'Home', author: 'ada' }],
    },
  ],
};

describe('moorage import', () => {
  const path = fileOf(JSON.stringify(example, null, 2), 'example.json');
  const output = join(folder, 'ids.json');
  let ids: ImportedIds;

  test('writes the id of every row to a file and to standard output', async () => {
    const { status, stdout, stderr } = await run(
      ['import', path, '--output', output, '--json'],
      environment,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    ids = JSON.parse(stdout) as ImportedIds;
    const id = expect.any(Number);
    expect(ids).toEqual({
      users: { ada: id },
      projects: { demo: id },
      workPackages: { 'wp-1': id },
      activities: { 'wp-1-c1': id },
      meetings: { 'm-1': id },
      posts: { 'p-1': id },
      wikiPages: { 'w-1': id },
    });
    expect(JSON.parse(readFileSync(output, 'utf8'))).toEqual(ids);
  });

  test('gives the imported key access to the imported records, in a server that already runs', async () => {
    const ada = {
      key: example.users[0]!.apiKeys[0]!.key,
      id: ids.users['ada']!,
      login: 'ada',
      name: 'Ada Admin',
    };
    const me = await app.get('/api/v3/users/me', ada);
    expect(me.body).toMatchObject({ id: ids.users['ada'], name: 'Ada Admin' });
    const paths = [
      `work_packages/${ids.workPackages['wp-1']}`,
      `activities/${ids.activities['wp-1-c1']}`,
      `meetings/${ids.meetings['m-1']}`,
      `posts/${ids.posts['p-1']}`,
      `wiki_pages/${ids.wikiPages['w-1']}`,
    ];
    const bodies = await Promise.all(
      paths.map(async (one) => (await app.get(`/api/v3/${one}/attachments`, ada)).body),
    );
    for (const body of bodies) expect(body).toMatchObject({ _type: 'Collection', total: 0 });
  });

  test('keeps ids and row counts the second time, and prints a summary', async () => {
    const before = await counts();
    const { status, stdout } = await run(['import', path], environment);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout:
        'Imported 1 users, 1 projects, 1 workPackages, 1 activities, 1 meetings, 1 posts, 1 wikiPages.\n',
    });
    expect(await counts()).toEqual(before);
    expect(await take(example)).toEqual(ids);
  });

  test('lists wrong rows with their paths and exits with 1, as text and as JSON', async () => {
    const bad = fileOf(
      JSON.stringify({
        users: [user('bob', { apiKeys: [{ name: 'ci', key: 'short' }] })],
        projects: [
          { identifier: 'x', name: 'X', posts: [{ ref: 'p', subject: 'S', author: 'nobody' }] },
        ],
      }),
    );
    const { status, stdout, stderr } = await run(['import', bad, '--json'], environment);
    const errors = [
      { path: 'users[0].apiKeys[0].key', message: 'must have at least 20 characters' },
      { path: 'projects[0].posts[0].author', message: 'there is no user with the login "nobody"' },
    ];
    expect({ status, body: JSON.parse(stdout) }).toEqual({ status: 1, body: { errors } });
    expect(stderr).toBe(
      `moorage import: Nothing was imported: 2 bad rows.\n${errors.map((row) => `  ${row.path}: ${row.message}\n`).join('')}`,
    );
  });

  test('refuses a member that occurs twice, because what follows may belong to the first one', async () => {
    const list = (name: string) => JSON.stringify([{ identifier: name, name }]);
    const bad = fileOf(
      `{"projects":${list('first')},"projects":${list('second')},"users":[{"login":"a","login":"b","firstName":"A","lastName":"B"}]}`,
    );
    const { status, stdout } = await run(['import', bad, '--json'], environment);
    expect({ status, errors: JSON.parse(stdout).errors }).toEqual({
      status: 1,
      errors: expect.arrayContaining([
        { path: 'projects', message: 'is there twice' },
        { path: 'users[0].login', message: 'is there twice' },
      ]),
    });
  });

  test('imports nothing if the file for ids cannot be written, and keeps the old ids if nothing is imported', async () => {
    const before = await counts();
    const file = fileOf(JSON.stringify({ users: [user('kept-nowhere')] }));
    expect(
      await run(['import', file, '--output', join(folder, 'missing', 'ids.json')], environment),
    ).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^moorage import: ENOENT.*missing\/ids\.json/),
    });
    const bad = fileOf(JSON.stringify({ users: [{ login: 'bad' }] }), 'bad.json');
    const fresh = join(folder, 'fresh.json');
    for (const path of [output, fresh])
      expect(await run(['import', bad, '--output', path], environment)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('Nothing was imported: 2 bad rows.'),
      });
    expect(await counts()).toEqual(before);
    expect([JSON.parse(readFileSync(output, 'utf8')), existsSync(fresh)]).toEqual([ids, false]);
  });

  test('reports a file that is missing or not a regular file', async () => {
    expect(await run(['import', join(folder, 'missing.json')], environment)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('ENOENT'),
    });
    expect(await run(['import', folder], environment)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('not a regular file'),
    });
  });
});

describe('an import', () => {
  test('accepts members and lists in any order', async () => {
    const ids =
      await take(`{"projects":[{"workPackages":[{"author":"late","subject":"S","ref":"order-wp"}],"memberships":[{"roles":["Late role"],"user":"late"}],"name":"Order","identifier":"order"}],
      "roles":[{"permissions":["view_work_packages"],"name":"Late role"}],"users":[${JSON.stringify(user('late', { apiKeys: [{ name: 'a', key: key('late') }] }))}]}`);
    const { status } = await app.get(
      `/api/v3/work_packages/${ids.workPackages['order-wp']}/attachments`,
      { key: key('late') },
    );
    expect(status).toBe(200);
  });

  test('updates names, and sets memberships and roles exactly as in the file', async () => {
    const version = (name: string, roles: string[], permissions: string[]) => ({
      users: [user('vera', { firstName: name, apiKeys: [{ name: 'a', key: key('vera') }] })],
      roles: [
        { name: 'V1', permissions },
        { name: 'V2', permissions: ['view_meetings'] },
      ],
      projects: [
        {
          identifier: 'versions',
          name: `Project of ${name}`,
          memberships: [{ user: 'vera', roles }],
          workPackages: [{ ref: 'v-wp', subject: `Subject of ${name}`, author: 'vera' }],
          meetings: [{ ref: 'v-m', title: 'M', author: 'vera' }],
        },
      ],
    });
    const vera = { key: key('vera') } as never;
    const first = await take(version('Vera', ['V1', 'V2'], ['view_work_packages']));
    const seen = async () => [
      (await app.get('/api/v3/users/me', vera)).body.name,
      (await app.get(`/api/v3/work_packages/${first.workPackages['v-wp']}`, vera)).body.subject,
      (await app.get(`/api/v3/meetings/${first.meetings['v-m']}`, vera)).status,
    ];
    expect(await seen()).toEqual(['Vera Body', 'Subject of Vera', 200]);
    expect(await take(version('Veronica', ['V1'], ['view_work_packages']))).toEqual(first);
    expect(await seen()).toEqual(['Veronica Body', 'Subject of Veronica', 404]);
    await take(version('Veronica', ['V1'], []));
    expect(
      (await app.get(`/api/v3/work_packages/${first.workPackages['v-wp']}`, vera)).status,
    ).toBe(404);
  });

  test('by another process changes permissions in a running server within two seconds', async () => {
    const version = (roles: string[]) => ({
      users: [user('rita', { apiKeys: [{ name: 'a', key: key('rita') }] })],
      roles: [
        { name: 'R1', permissions: ['view_messages'] },
        { name: 'R2', permissions: [] },
      ],
      projects: [
        {
          identifier: 'remote',
          name: 'Remote',
          memberships: [{ user: 'rita', roles }],
          posts: [{ ref: 'r-p', subject: 'P', author: 'rita' }],
        },
      ],
    });
    const ids = await take(version(['R1']));
    const status = async () =>
      (await app.get(`/api/v3/posts/${ids.posts['r-p']}`, { key: key('rita') })).status;
    expect(await status()).toBe(200);
    expect(
      await run(['import', fileOf(JSON.stringify(version(['R2'])))], environment),
    ).toMatchObject({ status: 0 });
    await until(async () => (await status()) === 404, 'the permission is gone', 2_000);
  });

  test('ends only the membership without roles, in a running server within two seconds', async () => {
    const version = (roles: string[]) => ({
      users: ['emma', 'emil'].map((login) =>
        user(login, { apiKeys: [{ name: 'a', key: key(login) }] }),
      ),
      roles: [{ name: 'Ending', permissions: ['view_messages'] }],
      projects: [
        {
          identifier: 'ending',
          name: 'Ending',
          memberships: [
            { user: 'emma', roles },
            { user: 'emil', roles: ['Ending'] },
          ],
          posts: [{ ref: 'e-p', subject: 'P', author: 'emma' }],
        },
      ],
    });
    const ids = await take(version(['Ending']));
    const statuses = async (login: string) =>
      Promise.all(
        [`posts/${ids.posts['e-p']}`, `projects/${ids.projects['ending']}`].map(
          async (path) => (await app.get(`/api/v3/${path}`, { key: key(login) })).status,
        ),
      );
    expect([await statuses('emma'), await statuses('emil')]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    expect(await run(['import', fileOf(JSON.stringify(version([])))], environment)).toMatchObject({
      status: 0,
    });
    await until(
      async () => (await statuses('emma')).join() === '404,404',
      'nothing of the project is seen',
      2_000,
    );
    expect(await statuses('emil')).toEqual([200, 200]);
    // Once more, for a user who never was a member.
    await take({
      projects: [
        { identifier: 'ending', name: 'Ending', memberships: [{ user: 'emma', roles: [] }] },
        { identifier: 'never', name: 'Never', memberships: [{ user: 'emma', roles: [] }] },
      ],
    });
    expect([await statuses('emma'), await statuses('emil')]).toEqual([
      [404, 404],
      [200, 200],
    ]);
    await take(version(['Ending']));
    await until(
      async () => (await statuses('emma')).join() === '200,200',
      'the member is back',
      2_000,
    );
  });

  test('keeps values that a later file does not name, and clears an address that is null', async () => {
    const file = (person: object, project: object, comment: object) => ({
      users: [user('nele', person)],
      projects: [
        {
          identifier: 'kept',
          name: 'Kept',
          ...project,
          workPackages: [
            {
              ref: 'k-wp',
              subject: 'S',
              author: 'nele',
              activities: [{ ref: 'k-c', comment: 'C', author: 'nele', ...comment }],
            },
          ],
        },
      ],
    });
    const { db } = app.running.services;
    const stored = async () => ({
      ...(await db.write('users').where({ login: 'nele' }).first('email', 'admin', 'status')),
      ...(await db.write('projects').where({ identifier: 'kept' }).first('public')),
      ...(await db.write('activities').where({ ref: 'k-c' }).first('internal')),
    });
    const truths = async () =>
      Object.fromEntries(
        Object.entries(await stored()).map(([column, value]) => [
          column,
          value === 1 ? true : value === 0 ? false : value,
        ]),
      );
    await take(file({}, {}, {}));
    expect(await truths()).toEqual({
      email: null,
      admin: false,
      status: 'active',
      public: false,
      internal: false,
    });
    await take(
      file(
        { email: 'nele@example.test', admin: true, status: 'locked' },
        { public: true },
        { internal: true },
      ),
    );
    const named = {
      email: 'nele@example.test',
      admin: true,
      status: 'locked',
      public: true,
      internal: true,
    };
    expect(await truths()).toEqual(named);
    await take({
      ...file({ firstName: 'Nele' }, {}, {}),
      users: [user('nele', { firstName: 'Nele' }), user('nils', { admin: false })],
    });
    expect(await truths()).toEqual(named);
    await take(
      file({ email: null, admin: false, status: 'active' }, { public: false }, { internal: false }),
    );
    expect(await truths()).toEqual({
      email: null,
      admin: false,
      status: 'active',
      public: false,
      internal: false,
    });
  });

  test('does not restore a revoked key, and does not change a key that took its name', async () => {
    const file = {
      users: [
        user('rosa', {
          apiKeys: [
            { name: 'ci', key: key('rosa') },
            { name: 'other', key: key('rosa-other') },
          ],
        }),
      ],
    };
    await take(file);
    const statusOf = async (one: string) =>
      (await app.get('/api/v3/users/me', { key: one })).status;
    expect([await statusOf(key('rosa')), await statusOf(key('rosa-other'))]).toEqual([200, 200]);
    expect(
      await run(['token', 'revoke', '--login', 'rosa', '--name', 'ci'], environment),
    ).toMatchObject({ status: 0 });
    await until(async () => (await statusOf(key('rosa'))) === 401, 'the key is refused', 2_000);
    await take(file);
    expect([await statusOf(key('rosa')), await statusOf(key('rosa-other'))]).toEqual([401, 200]);

    const made = (
      await run(['token', 'create', '--login', 'rosa', '--name', 'ci'], environment)
    ).stdout.trim();
    await take(file);
    expect([await statusOf(key('rosa')), await statusOf(made)]).toEqual([401, 200]);
    // A new key of the same name works.
    await take({ users: [user('rosa', { apiKeys: [{ name: 'ci', key: key('rosa-new') }] })] });
    expect([await statusOf(key('rosa-new')), await statusOf(made)]).toEqual([200, 401]);
  });

  test('shows internal comments only to users with that permission', async () => {
    const ids = await take({
      users: [
        user('ines', { apiKeys: [{ name: 'a', key: key('ines') }] }),
        user('olaf', { apiKeys: [{ name: 'a', key: key('olaf') }] }),
      ],
      roles: [
        { name: 'Inside', permissions: ['view_work_packages', 'view_internal_comments'] },
        { name: 'Outside', permissions: ['view_work_packages'] },
      ],
      projects: [
        {
          identifier: 'inner',
          name: 'Inner',
          memberships: [
            { user: 'ines', roles: ['Inside'] },
            { user: 'olaf', roles: ['Outside'] },
          ],
          workPackages: [
            {
              ref: 'i-wp',
              subject: 'S',
              author: 'ines',
              activities: [
                { ref: 'i-secret', comment: 'secret', author: 'ines', internal: true },
                { ref: 'i-open', comment: 'open', author: 'ines' },
              ],
            },
          ],
        },
      ],
    });
    const status = async (ref: string, login: string) =>
      (
        await app.get(`/api/v3/activities/${ids.activities[ref]}/attachments`, {
          key: key(login),
        })
      ).status;
    expect([
      await status('i-secret', 'ines'),
      await status('i-secret', 'olaf'),
      await status('i-open', 'olaf'),
    ]).toEqual([200, 404, 200]);
  });

  test('stores passwords as scrypt hashes and keys as digests, and keeps passwords that a file does not name', async () => {
    await take({
      users: [
        user('pia', { password: 'correct horse', apiKeys: [{ name: 'a', key: key('pia') }] }),
      ],
    });
    const { db } = app.running.services;
    const stored = async (): Promise<{ password_hash: string; first_name: string }> =>
      await db.write('users').where({ login: 'pia' }).first('password_hash', 'first_name');
    const { password_hash: hash } = await stored();
    expect(hash).toMatch(/^scrypt\$16384\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    await take({ users: [user('pia', { firstName: 'Pia' })] });
    expect(await stored()).toEqual({ password_hash: hash, first_name: 'Pia' });
    const rows = JSON.stringify([await db.write('users'), await db.write('api_keys')]);
    expect(rows).not.toContain('correct horse');
    expect(rows).not.toContain(key('pia'));
  });

  test('locks a user with the status "locked"', async () => {
    await take({ users: [user('lock', { apiKeys: [{ name: 'a', key: key('lock') }] })] });
    expect((await app.get('/api/v3/users/me', { key: key('lock') })).status).toBe(200);
    await take({ users: [user('lock', { status: 'locked' })] });
    expect((await app.get('/api/v3/users/me', { key: key('lock') })).status).toBe(401);
  });

  test('accepts names with a meaning in JavaScript, and all scripts', async () => {
    const logins = ['constructor', '__proto__', 'toString', '1', '漢字', '🦊'];
    const ids = await take(
      {
        users: logins.map((login) => user(login)),
        projects: [
          {
            identifier: '__proto__',
            name: 'P',
            posts: logins.map((login) => ({ ref: login, subject: '\u2028é🦊', author: login })),
          },
        ],
      },
      1,
    );
    expect(Object.keys(ids.users).sort()).toEqual([...logins].sort());
    expect(Object.keys(ids.posts).sort()).toEqual([...logins].sort());
    expect(Object.keys(ids.projects)).toEqual(['__proto__']);
    expect(new Set(Object.values(ids.posts)).size).toBe(logins.length);
  });

  test('of an empty file succeeds', async () => {
    const nothing = {
      users: {},
      projects: {},
      workPackages: {},
      activities: {},
      meetings: {},
      posts: {},
      wikiPages: {},
    };
    expect(await take({})).toEqual(nothing);
    expect(await take({ users: [], roles: [], projects: [] })).toEqual(nothing);
  });

  test('of 20,000 work packages with comments gives each an id, the same ids the second time', async () => {
    const count = 20_000;
    async function* big() {
      yield Buffer.from(`{"users":[${JSON.stringify(user('big'))}],"projects":[{"workPackages":[`);
      for (let start = 0; start < count; start += 1_000) {
        const rows = Array.from({ length: 1_000 }, (_, n) => ({
          ref: `big-${start + n}`,
          subject: `S ${start + n}`,
          author: 'big',
          ...((start + n) % 4 === 0 && {
            activities: [{ ref: `big-c-${start + n}`, comment: 'c', author: 'big' }],
          }),
        }));
        yield Buffer.from(`${start > 0 ? ',' : ''}${JSON.stringify(rows).slice(1, -1)}`);
      }
      yield Buffer.from('],"identifier":"big","name":"Big"}]}');
    }
    const first = await importDirectory(app.running.services, big);
    expect(new Set(Object.values(first.workPackages)).size).toBe(count);
    expect(new Set(Object.values(first.activities)).size).toBe(count / 4);
    expect(await importDirectory(app.running.services, big)).toEqual(first);
  });

  test('of a project that is deleted at the same time fails with that message and imports nothing', async () => {
    const { services } = app.running;
    const content = (more: object) =>
      JSON.stringify({
        users: [user('gone')],
        projects: [{ identifier: 'gone', name: 'Gone', ...more }],
      });
    await take(content({}));
    let passes = 0;
    const importing = importDirectory(services, async function* () {
      passes += 1;
      // On SQLite the deletion waits until the import has ended.
      if (passes === 2 && services.db.client === 'postgres')
        await services.db.write('projects').delete().where({ identifier: 'gone' });
      yield Buffer.from(
        content({ workPackages: [{ ref: 'gone-wp', subject: 'S', author: 'gone' }] }),
      );
    });
    if (services.db.client === 'postgres')
      await expect(importing).rejects.toThrow(
        /^Nothing was imported: something that the file names was deleted at the same time \(work_packages_project_id_foreign\)\. Run the import again\.$/,
      );
    else expect(Object.keys((await importing).workPackages)).toEqual(['gone-wp']);
    // The next import creates the missing records.
    expect(
      Object.keys(
        (await take(content({ workPackages: [{ ref: 'gone-wp', subject: 'S', author: 'gone' }] })))
          .workPackages,
      ),
    ).toEqual(['gone-wp']);
  });

  test('may wait long between two statements', async () => {
    const { db } = app.running.services;
    const statements = await app.statements(
      async () => void (await take({ users: [user('patient', { password: 'long enough' })] })),
    );
    expect(statements.filter((sql) => /idle_in_transaction_session_timeout/.test(sql))).toEqual(
      db.client === 'postgres' ? ['set local idle_in_transaction_session_timeout = 0'] : [],
    );
  });

  test('reads as a stream: an endless file is refused at its first error', async () => {
    let chunks = 0;
    const endless = async function* () {
      yield Buffer.from('{"users":[');
      for (;;) {
        chunks += 1;
        yield Buffer.from(
          chunks === 1_000 ? 'oops' : `${JSON.stringify(user(`endless-${chunks}`))},`,
        );
      }
    };
    await expect(importDirectory(app.running.services, endless)).rejects.toThrow(MalformedFile);
    expect(chunks).toBe(1_000);
  });
});

test('a project gets the storages of the file, and its existing storages do not change', async () => {
  const storage = await app.given.storage({ name: 'Site files' });
  const file = (identifier: string) => ({
    projects: [{ identifier, name: 'Linked', storages: ['Site files', 'Site files'] }],
  });
  const first = await take(file('linked-1'));
  await app.running.services.db
    .write('project_storages')
    .update({ project_folder_mode: 'manual', project_folder_id: '17' });
  await take({ projects: [...file('linked-1').projects, ...file('linked-2').projects] });
  const rows = await app.running.services.db.read('project_storages').orderBy('id');
  expect(
    rows.map(({ project_id, storage_id, project_folder_mode, project_folder_id }) => [
      project_id === first.projects['linked-1'],
      storage_id,
      project_folder_mode,
      project_folder_id,
    ]),
  ).toEqual([
    [true, storage.id, 'manual', '17'],
    [false, storage.id, 'inactive', null],
  ]);
});

describe('a file with a wrong row is refused completely, with the path of every wrong row:', () => {
  beforeAll(() =>
    take({
      users: [user('eve', { apiKeys: [{ name: 'a', key: key('eve') }] })],
      roles: [{ name: 'Known', permissions: [] }],
    }),
  );
  const inProject = (more: object) => ({ projects: [{ identifier: 'bad', name: 'Bad', ...more }] });

  test.each<[string, object | string, string[]]>([
    [
      'wrong types',
      { users: [user('a', { admin: 'yes', email: 5 }), 'b', null, []] },
      ['users[0].email', 'users[0].admin', 'users[1]', 'users[2]', 'users[3]'],
    ],
    [
      'missing members',
      { users: [{ login: 'a' }], roles: [{ name: 'R' }], projects: [{ identifier: 'x' }, {}] },
      [
        'users[0].firstName',
        'users[0].lastName',
        'roles[0].permissions',
        'projects[0].name',
        'projects[1].identifier',
        'projects[1].name',
      ],
    ],
    [
      'unknown members',
      {
        users: [user('a', { shoeSize: 43 })],
        people: [],
        projects: [{ identifier: 'x', name: 'X', tasks: [] }],
      },
      ['users[0]', 'people', 'projects[0].tasks'],
    ],
    [
      'values that are not lists',
      {
        users: {},
        roles: 'all',
        projects: [{ identifier: 'x', name: 'X', posts: { ref: 'p' } }, 7],
      },
      ['users', 'roles', 'projects[0].posts', 'projects[1]'],
    ],
    ['an array at the top', [example], ['']],
    ['a string at the top', '"users"', ['']],
    [
      'an unknown permission',
      { roles: [{ name: 'R', permissions: ['view_meetings', 'fly'] }] },
      ['roles[0].permissions[1]'],
    ],
    [
      'an unknown user',
      inProject({
        memberships: [{ user: 'ghost', roles: ['Known'] }],
        meetings: [{ ref: 'm', title: 'T', author: 'ghost' }],
      }),
      ['projects[0].memberships[0].user', 'projects[0].meetings[0].author'],
    ],
    [
      'the anonymous user',
      {
        users: [user('Anonymous')],
        ...inProject({ posts: [{ ref: 'p', subject: 'S', author: 'anonymous' }] }),
      },
      ['users[0].login', 'projects[0].posts[0].author'],
    ],
    [
      'an unknown author of a comment',
      inProject({
        workPackages: [
          {
            ref: 'w',
            subject: 'S',
            author: 'eve',
            activities: [
              { ref: 'c', comment: 'C', author: 'ghost' },
              { ref: 'd', comment: '', author: 'eve' },
            ],
          },
        ],
      }),
      [
        'projects[0].workPackages[0].activities[1].comment',
        'projects[0].workPackages[0].activities[0].author',
      ],
    ],
    [
      'an unknown role',
      inProject({ memberships: [{ user: 'eve', roles: ['Known', 'Unknown'] }] }),
      ['projects[0].memberships[0].roles[1]'],
    ],
    ['an unknown storage', inProject({ storages: ['Files'] }), ['projects[0].storages[0]']],
    [
      'a member twice',
      inProject({
        memberships: [
          { user: 'eve', roles: ['Known'] },
          { user: 'eve', roles: ['Known'] },
        ],
      }),
      ['projects[0].memberships[1]'],
    ],
    [
      'keys that are short, spaced or not ASCII',
      {
        users: [
          user('a', {
            apiKeys: [
              { name: '1', key: 'short' },
              { name: '2', key: 'twenty characters with spaces' },
              { name: '3', key: 'ééééééééééééééééééééé' },
            ],
          }),
        ],
      },
      ['users[0].apiKeys[0].key', 'users[0].apiKeys[1].key', 'users[0].apiKeys[2].key'],
    ],
    [
      'the key of another user',
      { users: [user('thief', { apiKeys: [{ name: 'a', key: key('eve') }] })] },
      ['users[0].apiKeys[0]'],
    ],
    [
      'a key that two users of the file have',
      {
        users: [
          user('a', { apiKeys: [{ name: 'a', key: key('shared') }] }),
          user('b', { apiKeys: [{ name: 'a', key: key('shared') }] }),
        ],
      },
      ['users[1].apiKeys[0]'],
    ],
    [
      'two keys with the same name',
      {
        users: [
          user('a', {
            apiKeys: [
              { name: 'a', key: key('one') },
              { name: 'a', key: key('two') },
            ],
          }),
        ],
      },
      ['users[0].apiKeys'],
    ],
    [
      'rows that occur twice',
      {
        users: [user('a'), user(' a ')],
        roles: [
          { name: 'R', permissions: [] },
          { name: 'R', permissions: [] },
        ],
        projects: [
          { identifier: 'x', name: 'X', wikiPages: [{ ref: 'w', title: 'T', author: 'eve' }] },
          { identifier: 'x', name: 'X', wikiPages: [{ ref: 'w', title: 'T', author: 'eve' }] },
        ],
      },
      ['users[1]', 'roles[1]', 'projects[1]', 'projects[1].wikiPages[0]'],
    ],
    [
      'a comment that occurs twice',
      inProject({
        workPackages: ['w1', 'w2'].map((ref) => ({
          ref,
          subject: 'S',
          author: 'eve',
          activities: [{ ref: 'c', comment: 'C', author: 'eve' }],
        })),
      }),
      ['projects[0].workPackages[1].activities[0]'],
    ],
    [
      'blank and overlong texts',
      {
        users: [user('a', { firstName: ' ' })],
        ...inProject({ posts: [{ ref: 'p', subject: 'x'.repeat(256), author: 'eve' }] }),
      },
      ['users[0].firstName', 'projects[0].posts[0].subject'],
    ],
    [
      'NUL and incomplete characters',
      {
        users: [user('a\0'), user('b', { lastName: 'x\ud800' })],
        ...inProject({
          workPackages: [
            {
              ref: 'w',
              subject: 'S',
              author: 'eve',
              activities: [{ ref: 'c', comment: 'a\0b', author: 'eve' }],
            },
          ],
        }),
      },
      ['users[0].login', 'users[1].lastName', 'projects[0].workPackages[0].activities[0].comment'],
    ],
  ])('%s', async (_name, content, paths) => {
    expect((await refused(content)).map(({ path }) => path)).toEqual(paths);
  });

  test('a wrong user is reported once, not at every reference', async () => {
    expect(
      await refused({
        users: [user('clumsy', { status: 'asleep' })],
        roles: [{ name: 'Odd', permissions: ['fly'] }],
        ...inProject({
          memberships: [{ user: 'clumsy', roles: ['Odd'] }],
          posts: [{ ref: 'p', subject: 'S', author: 'clumsy' }],
        }),
      }),
    ).toHaveLength(2);
  });

  test('only the first ten thousand wrong rows are listed, but all are counted', async () => {
    const error = (await take({ users: Array.from({ length: 10_050 }, () => 'x') }, 4_096).catch(
      (fault: unknown) => fault,
    )) as BadDirectory;
    expect([error.rows.length, error.count, error.message]).toEqual([
      10_000,
      10_050,
      'Nothing was imported: 10050 bad rows.',
    ]);
  });

  test.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['truncated', '{"users":[{"login":"tr'],
    ['truncated between rows', '{"users":[],'],
    ['two documents', '{"users":[]} {"users":[]}'],
    ['a trailing comma', '{"users":[],}'],
    ['a wrong closing bracket', '{"users":[}'],
    ['a missing colon', '{"users" []}'],
    ['single quotes', "{'users':[]}"],
  ])('a file that is not JSON: %s', async (_name, content) => {
    const before = await counts();
    await expect(take(content)).rejects.toThrow(/^The file is not valid JSON: /);
    expect(await counts()).toEqual(before);
  });

  test('bytes that are not UTF-8 are refused', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"users":[{"login":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('","firstName":"A","lastName":"B"}]}'),
    ]);
    await expect(
      importDirectory(app.running.services, async function* () {
        yield bytes;
      }),
    ).rejects.toThrow(MalformedFile);
  });
});

describe('an import of existing records', () => {
  /** The number of rows of every kind. */
  const directory = (name: string, count: number) => {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const author = `${name}-1`;
    return {
      users: numbers.map((n) =>
        user(`${name}-${n}`, {
          email: n === 1 ? null : `${name}-${n}@example.test`,
          admin: n === 2,
          status: 'active',
          ...(n === 1 && { password: 'correct horse' }),
          apiKeys: [{ name: 'ci', key: key(`${name}-${n}`) }],
        }),
      ),
      roles: numbers.map((n) => ({
        name: `${name} ${n}`,
        permissions: ['view_work_packages', 'view_messages'],
      })),
      projects: numbers.map((n) => ({
        identifier: `${name}-${n}`,
        name: `Project ${n}`,
        public: n === 1,
        memberships: [{ user: `${name}-${n}`, roles: [...new Set([`${name} ${n}`, `${name} 1`])] }],
        storages: ['Shared files'],
        workPackages: [
          {
            ref: `${name}-wp-${n}`,
            subject: 'S',
            author,
            activities: [{ ref: `${name}-c-${n}`, comment: 'C\r\n', author, internal: n === 1 }],
          },
        ],
        meetings: [{ ref: `${name}-m-${n}`, title: 'T', author }],
        posts: [{ ref: `${name}-p-${n}`, subject: 'S', author }],
        wikiPages: [{ ref: `${name}-w-${n}`, title: 'T', author }],
      })),
    };
  };
  beforeAll(() => app.given.storage({ name: 'Shared files' }));

  /** A readable name for a row of each table. */
  const labels = {
    users: 'login',
    api_keys: 'user_id',
    roles: 'name',
    projects: 'identifier',
    memberships: 'user_id',
    project_storages: 'project_id',
    work_packages: 'ref',
    activities: 'ref',
    meetings: 'ref',
    posts: 'ref',
    wiki_pages: 'ref',
  };
  type Row = { id: number; [column: string]: unknown };
  type Rows = { [table: string]: Row[] };
  const kept = async (): Promise<Rows> =>
    Object.fromEntries(
      await Promise.all(
        Object.keys(labels).map(async (table) => [
          table,
          (await app.running.services.db.write(table).orderBy('id')) as Row[],
        ]),
      ),
    );
  const given = async () =>
    Object.fromEntries(
      await Promise.all(
        ['role_permissions', 'membership_roles'].map(async (table) => {
          const rows: object[] = await app.running.services.db.write(table);
          return [table, rows.map((row) => JSON.stringify(row)).sort()];
        }),
      ),
    );
  /** The columns of every row that have changed. */
  const differences = (before: Rows, after: Rows) =>
    Object.fromEntries(
      Object.entries(labels).map(([table, label]) => {
        const was = new Map(before[table]!.map((row) => [row.id, row]));
        const columns = (row: Row) =>
          Object.keys(row).filter((column) => row[column] !== was.get(row.id)?.[column]);
        return [
          table,
          Object.fromEntries(
            after[table]!.filter((row) => columns(row).length > 0).map((row) => [
              String(row[label]),
              columns(row),
            ]),
          ),
        ];
      }),
    );
  const lastIds = async () =>
    Object.fromEntries(
      Object.entries(await kept()).map(([table, rows]) => [table, rows.at(-1)!.id]),
    );

  test('keeps every row and its times, and uses no ids', async () => {
    await take(directory('same', 2), 4_096);
    const [rows, grants, last] = [await kept(), await given(), await lastIds()];
    for (let time = 0; time < 2; time += 1)
      expect(
        await run(['import', fileOf(JSON.stringify(directory('same', 2)))], environment),
      ).toMatchObject({ status: 0 });
    expect([await kept(), await given()]).toEqual([rows, grants]);
    await take(directory('same', 3), 4_096);
    expect(await lastIds()).toEqual(
      Object.fromEntries(Object.entries(last).map(([table, id]) => [table, id + 1])),
    );
  });

  test('of a later file changes only what differs', async () => {
    const file = directory('part', 3);
    const ids = await take(file, 4_096);
    const [before, grants] = [await kept(), await given()];
    const [users, [, role], projects] = [
      file.users as { [member: string]: unknown }[],
      file.roles,
      file.projects,
    ];
    Object.assign(users[0]!, { email: 'part-1@example.test' });
    Object.assign(users[1]!, {
      admin: false,
      email: null,
      apiKeys: [{ name: 'ci', key: key('part-2-new') }],
    });
    Object.assign(users[2]!, { status: 'locked', password: 'battery staple' });
    role!.permissions = ['view_messages'];
    projects[0]!.memberships[0]!.roles = ['part 3'];
    Object.assign(projects[1]!, { name: 'Renamed', storages: [] });
    projects[2]!.public = true;
    projects[0]!.workPackages[0]!.subject = 'Renamed';
    Object.assign(projects[1]!.workPackages[0]!.activities[0]!, { comment: 'C\n', internal: true });
    projects[1]!.meetings[0]!.title = 'Renamed';
    projects[2]!.posts[0]!.author = 'part-2';
    projects[0]!.wikiPages.push(...projects[2]!.wikiPages.splice(0));
    expect(await run(['import', fileOf(JSON.stringify(file))], environment)).toMatchObject({
      status: 0,
    });
    const after = await kept();
    expect(differences(before, after)).toEqual({
      users: {
        'part-1': ['email', 'updated_at'],
        'part-2': ['email', 'admin', 'updated_at'],
        'part-3': ['status', 'password_hash', 'updated_at'],
      },
      api_keys: { [ids.users['part-2']!]: ['key_hash', 'updated_at'] },
      roles: { 'part 2': ['updated_at'] },
      projects: {
        'part-2': ['name', 'updated_at', 'search_text'],
        'part-3': ['public', 'updated_at'],
      },
      memberships: { [ids.users['part-1']!]: ['updated_at'] },
      project_storages: {},
      work_packages: { 'part-wp-1': ['subject', 'updated_at', 'search_text'] },
      activities: { 'part-c-2': ['comment_text', 'internal', 'updated_at'] },
      meetings: { 'part-m-2': ['title', 'updated_at'] },
      posts: { 'part-p-3': ['author_id', 'updated_at'] },
      wiki_pages: { 'part-w-3': ['project_id', 'updated_at'] },
    });
    const idOf = (name: string) => before['roles']!.find((row) => row['name'] === name)!.id;
    const membership = before['memberships']!.find(
      (row) => row['user_id'] === ids.users['part-1'],
    )!.id;
    const without = (list: string[], row: object) =>
      list.filter((one) => one !== JSON.stringify(row));
    expect(await given()).toEqual({
      role_permissions: without(grants['role_permissions'], {
        role_id: idOf('part 2'),
        permission: 'view_work_packages',
      }),
      membership_roles: [
        ...without(grants['membership_roles'], {
          membership_id: membership,
          role_id: idOf('part 1'),
        }),
        JSON.stringify({ membership_id: membership, role_id: idOf('part 3') }),
      ].sort(),
    });
  });

  test('needs the same number of queries for many rows as for few, and writes nothing but the audit', async () => {
    const again = async (count: number) => {
      const file = directory('many', count);
      await take(file, 4_096);
      return app.statements(() => take(file, 4_096));
    };
    const few = await again(2);
    expect((await again(150)).length).toBe(few.length);
    expect(few.join()).toContain('work_packages');
    expect(
      few.filter((sql) => /^\s*(insert|update|delete|.* for (no key )?update)/i.test(sql)),
    ).toEqual([expect.stringContaining('audit_events')]);
  });

  /** An import that has read its file, and then waits in its transaction until it is released. */
  async function held(file: object): Promise<() => Promise<ImportedIds>> {
    let [atEnd, goOn] = [() => {}, () => {}];
    const ended = new Promise<void>((resolve) => {
      atEnd = resolve;
    });
    const allowed = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let opened = 0;
    const importing = importDirectory(app.running.services, async function* () {
      opened += 1;
      const last = opened === 2;
      yield Buffer.from(JSON.stringify(file));
      if (!last) return;
      atEnd();
      await allowed;
    });
    await Promise.race([ended, importing]);
    return () => {
      goOn();
      return importing;
    };
  }

  on('postgres')(
    'does not block users who attach files to its records or revoke a key',
    async () => {
      const file = {
        users: [
          user('held', {
            apiKeys: ['used', 'lost'].map((name) => ({ name, key: key(`held-${name}`) })),
          }),
        ],
        roles: [{ name: 'Held', permissions: ['view_work_packages', 'edit_work_packages'] }],
        // The number of rows that one statement writes.
        projects: [
          {
            identifier: 'held',
            name: 'Held',
            memberships: [{ user: 'held', roles: ['Held'] }],
            workPackages: Array.from({ length: 500 }, (_, n) => ({
              ref: `held-${n}`,
              subject: 'S',
              author: 'held',
            })),
          },
        ],
      };
      const ids = await take(file, 4_096);
      const finish = await held(file);
      try {
        const uploaded = await app.upload(
          `/api/v3/work_packages/${ids.workPackages['held-7']}/attachments`,
          { as: { key: key('held-used') } },
        );
        expect(uploaded.status).toBe(200);
        expect(
          await run(['token', 'revoke', '--login', 'held', '--name', 'lost'], environment),
        ).toMatchObject({ status: 0 });
      } finally {
        expect(await finish()).toEqual(ids);
      }
      await until(
        async () => (await app.get('/api/v3/users/me', { key: key('held-lost') })).status === 401,
        'the key is refused',
        2_000,
      );
    },
  );

  on('postgres')(
    'waits for another import with the same rows, and gives the same ids',
    async () => {
      const file = directory('twice', 2);
      const finish = await held(file);
      const second = take(file, 4_096);
      const waits = async () =>
        (
          await app.running.services.db
            .read('pg_stat_activity')
            .whereRaw("datname = current_database() and wait_event_type = 'Lock'")
        ).length > 0;
      try {
        await until(waits, 'the second import waits for a row of the first');
      } finally {
        await finish();
      }
      expect(await second).toEqual(await finish());
    },
  );
});
