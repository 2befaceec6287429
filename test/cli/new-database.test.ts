/** What a new database has after its first start, and what an import makes of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/config.js';
import { permissions } from '../../src/policies/permissions.js';
import { openServices } from '../../src/services.js';
import { TEST_SECRET_KEY } from '../support/app.js';
import {
  emptyFolder,
  endCommands,
  run,
  serve,
  type Banner,
  type Environment,
} from '../support/cli.js';
import { afterAll, expect, test } from '../support/jest.js';
import { newEnvironment } from '../support/production.js';

afterAll(endCommands);

/** Starts a server, and stops it. */
async function start(environment: Environment): Promise<void> {
  const { command } = await serve(environment);
  command.signal('SIGTERM');
  expect((await command.outcome).status).toBe(0);
}

async function take(environment: Environment, directory: object): Promise<void> {
  const file = join(emptyFolder(), 'directory.json');
  writeFileSync(file, JSON.stringify(directory));
  expect(await run(['import', file], environment)).toMatchObject({ status: 0, stderr: '' });
}

/** The permissions of the roles, and the names of statuses and types in their order. */
async function stored(environment: Environment) {
  const { db, close } = openServices(readConfig({ ...environment, LOG_LEVEL: 'silent' }));
  try {
    const roles = (await db.read('roles').orderBy('id')) as { id: number; name: string }[];
    const names = (table: string): Promise<string[]> =>
      db.read(table).orderBy('position').orderBy('id').pluck('name');
    return {
      roles: Object.fromEntries(
        await Promise.all(
          roles.map(async ({ id, name }) => [
            name,
            (
              (await db
                .read('role_permissions')
                .where({ role_id: id })
                .pluck('permission')) as string[]
            ).sort(),
          ]),
        ),
      ) as { [name: string]: string[] },
      statuses: await names('statuses'),
      types: await names('types'),
      closed: (await db
        .read('statuses')
        .where({ is_closed: true })
        .orderBy('position')
        .pluck('name')) as string[],
      defaults: [
        ...((await db.read('statuses').where({ is_default: true }).pluck('name')) as string[]),
        ...((await db.read('types').where({ is_default: true }).pluck('name')) as string[]),
      ],
      people: (await db.read('users').count({ n: '*' }))[0]!['n'],
    };
  } finally {
    await close();
  }
}

const READER = [
  'read_files',
  'view_file_links',
  'view_meetings',
  'view_messages',
  'view_wiki_pages',
  'view_work_packages',
];
const MEMBER = [
  ...READER,
  'add_work_package_attachments',
  'add_work_package_comments',
  'add_work_packages',
  'create_files',
  'delete_files',
  'edit_meetings',
  'edit_messages',
  'edit_wiki_pages',
  'edit_work_packages',
  'manage_file_links',
  'write_files',
].sort();
const NEW = {
  roles: {
    Manager: [...permissions].sort(),
    Member: MEMBER,
    Reader: READER,
    'Non member': [],
    Anonymous: [],
  },
  statuses: ['New', 'In progress', 'Done', 'Rejected'],
  closed: ['Done', 'Rejected'],
  types: ['Task', 'Feature', 'Bug', 'Milestone'],
  defaults: ['New', 'Task'],
};

test('servers that start together on a new production database make its roles, statuses and types once', async () => {
  const environment = await newEnvironment();
  const servers = await Promise.all([1, 2, 3].map(() => serve(environment)));
  for (const { command } of servers) command.signal('SIGTERM');
  for (const { command } of servers) expect((await command.outcome).status).toBe(0);
  const { people, ...made } = await stored(environment);
  expect(made).toEqual(NEW);
  // The two users of the service itself.
  expect(Number(people)).toBe(2);
});

test('an import works on a new database, and a later start takes nothing of it back', async () => {
  const environment = await newEnvironment();
  await start(environment);
  await take(environment, {
    users: [{ login: 'kim', firstName: 'Kim', lastName: 'Keeper' }],
    roles: [
      { name: 'Member', permissions: ['view_work_packages'] },
      { name: 'Reader', permissions: [] },
      { name: 'Editor', permissions: ['edit_work_packages'] },
    ],
    statuses: [{ name: 'Open', default: true }, { name: 'New' }],
    types: [{ name: 'Bug', default: true }],
    projects: [
      {
        identifier: 'quay',
        name: 'Quay',
        memberships: [{ user: 'kim', roles: ['Manager', 'Member'] }],
        workPackages: [{ ref: 'wp', subject: 'Paint', author: 'kim', status: 'Done' }],
      },
    ],
  });
  const imported = await stored(environment);
  expect(imported).toMatchObject({
    roles: {
      Manager: NEW.roles.Manager,
      Member: ['view_work_packages'],
      Reader: [],
      Editor: ['edit_work_packages'],
    },
    defaults: ['Open', 'Bug'],
  });
  await start(environment);
  expect(await stored(environment)).toEqual(imported);
});

test('a database whose first rows come from an import gets no roles at its first start', async () => {
  const environment = await newEnvironment();
  await take(environment, { roles: [{ name: 'Editor', permissions: [] }] });
  await start(environment);
  expect(await stored(environment)).toMatchObject({
    roles: { Editor: [] },
    statuses: ['New'],
    types: ['Task'],
  });
});

test('the demo has the same roles, statuses and types', async () => {
  const { DATABASE_URL, BLOB_STORE } = await newEnvironment();
  const environment = { DATABASE_URL: DATABASE_URL!, BLOB_STORE: BLOB_STORE! };
  const cwd = emptyFolder();
  const { command, banner }: { command: { signal(name: 'SIGTERM'): void }; banner: Banner } =
    await serve(environment, { cwd });
  expect(Object.keys(banner.demoKeys)).toEqual(['ada', 'mia', 'rob']);
  command.signal('SIGTERM');
  expect(await stored({ ...environment, SECRET_KEY: TEST_SECRET_KEY })).toMatchObject(NEW);
});
