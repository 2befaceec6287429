/** `moorage copy-to`: from one kind of database to the other and back. */
import { rmSync } from 'node:fs';
import {
  getNamedType,
  isEnumType,
  isObjectType,
  isScalarType,
  type GraphQLObjectType,
} from 'graphql';
import type { Knex } from 'knex';
import { importDirectory } from '../../src/actions/people/directory/import-directory.js';
import { schema } from '../../src/graphql/schema.js';
import { createSampleData } from '../api/protocol/sample-data.js';
import { startApp, startBeside, startIn, TEST_SECRET_KEY, type App } from '../support/app.js';
import { endCommands, environmentOf, run, serve, type Environment } from '../support/cli.js';
import { databaseKind, freshDatabase } from '../support/database.js';
import type { Person } from '../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';

const own = databaseKind();
/** Runs of single mutations have no PostgreSQL. */
const other = own === 'sqlite' && process.env['MOORAGE_TEST_POSTGRES'] ? 'postgres' : 'sqlite';

afterAll(endCommands);

interface Copied {
  source: string;
  target: string;
  tables: { table: string; rows: number; digest: string }[];
}

const copyTo = (from: Environment, url: string, changes: Environment = {}) =>
  run(['copy-to', url, '--json'], { SECRET_KEY: TEST_SECRET_KEY, ...from, ...changes });
const wordsOf = (stderr: string) => stderr.split('\n').filter((line) => !line.startsWith('{'));
async function outcomeOf(copying: ReturnType<typeof copyTo>) {
  const { status, stdout, stderr } = await copying;
  return { status, stdout, words: wordsOf(stderr) };
}

const nameOf = ({ DATABASE_URL = '' }: Environment) => {
  if (own === 'sqlite') return `SQLite in ${DATABASE_URL.slice('sqlite:'.length)}`;
  const { host, pathname } = new URL(DATABASE_URL);
  return `PostgreSQL at ${host}${pathname}`;
};

/** Fields that ask storages, or whose values are made anew each time. */
const CHANGING =
  /Address$|^health|^(file|files|originData|downloadUrl|probe|attachmentsArchive|status)$/;

/** All plain fields of a type that need no arguments, and the ids of the objects that it refers to. */
const fieldsOf = (type: GraphQLObjectType, inner = true): string =>
  Object.values(type.getFields())
    .filter(
      ({ name, args }) => !CHANGING.test(name) && args.every((arg) => !`${arg.type}`.endsWith('!')),
    )
    .map(({ name, type: declared }) => {
      const named = getNamedType(declared);
      if (isScalarType(named) || isEnumType(named)) return name;
      if (!inner || !isObjectType(named)) return '';
      if (named.name.endsWith('Connection')) return `${name} { totalCount nodes { __typename } }`;
      return `${name} { ${fieldsOf(named, false)} }`;
    })
    .join(' ');

/** The questions are a use of the key. */
const withoutUses = (data: object): object =>
  JSON.parse(JSON.stringify(data, (key, value) => (key === 'lastUsedAt' ? undefined : value)));

/** What a server answers, over REST and GraphQL. */
async function answersOf(app: App, admin: Person, one: { [type: string]: string }) {
  const answers: { [question: string]: unknown } = {};
  const rest = [
    'projects',
    'memberships',
    'notifications',
    'storages',
    'work_packages',
    'project_storages',
    'statuses',
    'types',
    'users/me',
  ];
  const { body: found } = await app.get('/api/v3/work_packages?pageSize=100', admin);
  for (const { id } of found._embedded.elements)
    for (const list of ['', '/attachments', '/activities', '/file_links'])
      rest.push(`work_packages/${id}${list}`);
  for (const path of rest) {
    const { status, body } = await app.get(`/api/v3/${path}`, admin);
    answers[path] = { status, body };
  }
  for (const [type, id] of Object.entries(one)) {
    const fields = fieldsOf(schema.getType(type) as GraphQLObjectType);
    const query = `query ($id: ID!) { node(id: $id) { __typename ... on ${type} { ${fields} } } }`;
    const { data, errors } = await app.graphql(query, { id }, admin);
    answers[type] = { data: withoutUses(data), errors };
    expect([type, errors]).toEqual([type, undefined]);
  }
  const search =
    '{ projects(search: "roject") { nodes { id } } users(search: "ünn") { nodes { id name } } ' +
    'workPackages(search: "zweite brücke") { nodes { id subject } } }';
  answers['search'] = (await app.graphql(search, {}, admin)).data;
  return answers;
}

const directory = {
  users: [{ login: 'gunnar', firstName: 'Günnar', lastName: 'O\'Neill \\ "quoted"' }],
  projects: [
    {
      identifier: 'bridges',
      name: 'Bridges 🌉',
      memberships: [],
      workPackages: [
        {
          ref: 'b',
          subject: 'Brücke',
          author: 'gunnar',
          description: 'Die zweite Brücke\nhat **zwei** Zeilen',
          activities: [{ ref: 'c', comment: 'Tab\t, emoji 👩‍👩‍👧', author: 'gunnar' }],
        },
      ],
    },
  ],
};

describe('a database with rows of every kind', () => {
  let app: App;
  let admin: Person;
  let one: { [type: string]: string };
  let lastId: number;
  let before: Awaited<ReturnType<typeof answersOf>>;
  let source: Environment;
  let target: string;
  let whileServed: Awaited<ReturnType<typeof outcomeOf>>;

  beforeAll(async () => {
    app = await startApp({ BASE_URL: 'https://files.example.test' });
    ({ admin, one } = await createSampleData(app));
    await importDirectory(app.running.services, async function* () {
      yield Buffer.from(JSON.stringify(directory));
    });
    const { db } = app.running.services;
    // Keys of text, which databases sort differently.
    await db.write('stray_blobs').insert(
      ['b-1', 'B', 'a_2', 'a-1', 'a', 'ä'].map((key) => ({
        blob_key: key,
        remove_after: '2999-01-01T00:00:00.000Z',
      })),
    );
    // A project below a later one.
    const [first, second] = await db.read('projects').select('id').orderBy('id');
    await db.write('projects').where({ id: first.id }).update({ parent_id: second.id });
    // The last id of attachments has no row any more.
    const { body } = await app.upload('/api/v3/attachments', { as: admin });
    lastId = body.id;
    await app.delete(`/api/v3/attachments/${lastId}`, admin);
    before = await answersOf(app, admin, one);
    source = environmentOf(app);
    target = (await freshDatabase(other)).url;
    whileServed = await outcomeOf(copyTo(source, target));
    await app.running.stop();
  });
  afterAll(() => rmSync(app.folder, { recursive: true, force: true }));

  test('is not copied while a server uses it', () => {
    const { status, stdout, words } = whileServed;
    expect([status, stdout]).toEqual([1, '']);
    expect(words[0]).toMatch(
      own === 'sqlite'
        ? /^moorage copy-to: The database is in use: another process has the file open\. Stop all processes first\.$/
        : /^moorage copy-to: The database is in use: a process of Moorage is connected \(\d+ connections, the first from 127\.0\.0\.1 with the backend \d+\)\. Stop all processes first\.$/,
    );
  });

  test('is not copied with another secret key', async () => {
    const { status, words } = await outcomeOf(
      copyTo(source, target, { SECRET_KEY: 'ab'.repeat(32) }),
    );
    expect(status).toBe(1);
    expect(words[0]).toMatch(
      /^moorage copy-to: SECRET_KEY does not open oauth_client_credentials\.client_secret 1, .* and \d+ more\. Set the key of the servers, or set these secrets again\.$/,
    );
  });

  test('answers as before from the other kind, gives the next ids, and comes back as it was', async () => {
    const forth = await copyTo(source, target);
    expect(wordsOf(forth.stderr)).toEqual(['']);
    expect(forth.status).toBe(0);
    const copied = JSON.parse(forth.stdout) as Copied;
    const filled = copied.tables.filter(({ rows }) => rows > 0).map(({ table }) => table);
    expect(filled).toEqual(
      expect.arrayContaining([
        'activities',
        'attachments',
        'events',
        'file_links',
        'notifications',
        'projects',
        'role_permissions',
        'stray_blobs',
        'webhooks',
        'work_package_texts',
      ]),
    );

    const back = (await freshDatabase()).url;
    const returned = JSON.parse((await copyTo({ DATABASE_URL: target }, back)).stdout) as Copied;
    expect(returned.tables).toEqual(copied.tables);

    for (const url of [target, back]) {
      const copy = await startIn(app.folder, { ...app.environment, DATABASE_URL: url });
      try {
        expect(await answersOf(copy, admin, one)).toEqual(before);
        const { body } = await copy.upload('/api/v3/attachments', { as: admin });
        expect(body.id).toBe(lastId + 1);
      } finally {
        await copy.running.stop();
      }
    }
  });

  test('is not copied into one with rows, or into itself', async () => {
    const full = await outcomeOf(copyTo(source, target));
    expect([full.status, full.stdout]).toEqual([1, '']);
    expect(full.words[0]).toMatch(
      /^moorage copy-to: The target is not empty\. It has rows: activities \(\d+\), .*, work_packages \(\d+\)\.$/,
    );
    const itself = await outcomeOf(copyTo(source, source['DATABASE_URL']!));
    expect([itself.status, itself.words[0]]).toEqual([
      2,
      'error: URL is the database of DATABASE_URL.',
    ]);
  });
});

test('an unfinished copy is not served, and the same command goes on with it', async () => {
  const app = await startApp();
  const { id: project } = await app.given.project({ name: 'Before' });
  await app.given.user();
  const source = environmentOf(app);
  const { url: target } = await freshDatabase(other);
  const change = async (work: (db: Knex) => Promise<unknown>) => {
    const beside = await startBeside(app);
    await work(beside.running.services.db.write);
    await beside.stop();
  };
  await app.running.stop();
  try {
    // No database takes a row that refers to a missing one, unless it is told to.
    await change(async (db) => {
      const key = await db('api_keys').first();
      const unchecked = { ...key, id: key.id + 1, user_id: 999_999, key_hash: 'none' };
      if (own === 'postgres')
        await db.transaction(async (trx) => {
          await trx.raw('set local session_replication_role = replica');
          await trx('api_keys').insert(unchecked);
        });
      else {
        await db.raw('pragma foreign_keys = off');
        await db('api_keys').insert(unchecked);
      }
    });
    const failed = await outcomeOf(copyTo(source, target));
    expect([failed.status, failed.words[0]]).toEqual([
      1,
      expect.stringMatching(/insert into "api_keys" .* foreign key constraint/i),
    ]);
    const unfinished =
      `The database is an unfinished copy of ${nameOf(source)}. ` +
      'Run the same `moorage copy-to` again to finish it.';
    for (const command of ['api-key list', 'import', 'migrate', 'migrate --status', 'serve']) {
      const args = command === 'import' ? ['import', '/etc/hostname'] : command.split(' ');
      const { status, stderr } = await run(args, { DATABASE_URL: target, PORT: '0' });
      expect([command, status, stderr]).toEqual([
        command,
        1,
        expect.stringContaining(`: ${unfinished}`),
      ]);
    }
    const { url: foreign } = await freshDatabase();
    await run(['migrate'], { DATABASE_URL: foreign });
    expect((await outcomeOf(copyTo({ DATABASE_URL: foreign }, target))).words[0]).toBe(
      `moorage copy-to: The target is an unfinished copy of another database: ${nameOf(source)}.`,
    );

    const rename = (name: string) =>
      change((db) => db('projects').where({ id: project }).update({ name }));
    await change((db) => db('api_keys').where({ user_id: 999_999 }).delete());
    await rename('After');
    const different = await outcomeOf(copyTo(source, target));
    expect([different.status, different.words[0]]).toEqual([
      1,
      'moorage copy-to: The copy differs in projects (1 rows, in the copy 1). ' +
        'The first database was changed meanwhile. Begin again with an empty one.',
    ]);
    await rename('Before');
    expect((await copyTo(source, target)).status).toBe(0);
    const { command } = await serve({ DATABASE_URL: target, SECRET_KEY: TEST_SECRET_KEY });
    command.signal('SIGTERM');
    expect((await command.outcome).status).toBe(0);
  } finally {
    rmSync(app.folder, { recursive: true, force: true });
  }
});
