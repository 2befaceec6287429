/** Migrations and the constraints of the database. */
import type { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { Client } from '../../src/concurrency/client.js';
import { readConfig } from '../../src/config.js';
import { Overloaded } from '../../src/contract/errors.js';
import { openDatabase, type Database } from '../../src/database/index.js';
import { migrate, migrationStatus } from '../../src/database/migrations.js';
import { Command, endCommands, run, until, type Environment } from '../support/cli.js';
import { on, freshDatabase } from '../support/database.js';
import { afterAll, describe, expect, test } from '../support/jest.js';
import { upTo } from '../support/older-version.js';

const opened: Database[] = [];
afterAll(async () => {
  await endCommands();
  await Promise.all(opened.map((database) => database.close()));
});

function openAt(url: string): Database {
  const database = openDatabase(
    readConfig({ DATABASE_URL: url }).database,
    pino({ level: 'silent' }),
  );
  opened.push(database);
  return database;
}

async function empty(): Promise<{
  database: Database;
  open: () => Database;
  environment: Environment;
}> {
  const { url } = await freshDatabase();
  const open = () => openAt(url);
  return { database: open(), open, environment: { DATABASE_URL: url } };
}

async function tables({ client, write }: Database): Promise<string[]> {
  const rows =
    client === 'postgres'
      ? await write('pg_tables').where({ schemaname: 'public' }).select({ name: 'tablename' })
      : await write('sqlite_master').where({ type: 'table' }).select('name');
  return (rows as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => !/^(knex|sqlite)_/.test(name))
    .sort();
}

describe('migrations', () => {
  test('are applied once if several processes start together', async () => {
    const { open } = await empty();
    const applied = await Promise.all(Array.from({ length: 3 }, () => migrate(open())));
    expect(applied.map(({ length }) => length > 0).filter(Boolean)).toHaveLength(1);
    const { database: alone } = await empty();
    expect(await migrate(alone)).toEqual(applied.flat());
    expect(await tables(open())).toEqual(await tables(alone));
    expect(
      Number((await open().read('users').where({ anonymous: true }).count({ n: '*' }))[0]!['n']),
    ).toBe(1);
  });

  test('are listed by the command line before and after, as text and as JSON', async () => {
    const { database, environment } = await empty();
    await database.read.raw('select 1');
    const all = async (...args: string[]) => (await run(['migrate', ...args], environment)).stdout;
    const { applied, pending } = JSON.parse(await all('--status', '--json')) as {
      applied: string[];
      pending: string[];
    };
    expect(applied).toEqual([]);
    expect(pending[0]).toBe('001-foundation.js');
    expect(await all()).toBe(pending.map((name) => `applied  ${name}\n`).join(''));
    expect(await all('--status')).toBe(pending.map((name) => `applied  ${name}\n`).join(''));
    expect(await all()).toBe('The database is up to date.\n');
  });

  test('leave nothing if they fail half-way, and succeed after the cause is gone', async () => {
    const { database } = await empty();
    await database.write.schema.createTable('attachments', (table) => table.increments('id'));
    await expect(migrate(database)).rejects.toThrow(/already exists/);
    expect(await tables(database)).toEqual(['attachments']);
    expect(await migrationStatus(database)).toMatchObject({ applied: [] });
    await database.write.schema.dropTable('attachments');
    expect((await migrate(database)).length).toBeGreaterThan(0);
  });

  test('give details to the work packages of the version before, and make their names searchable', async () => {
    const { database } = await empty();
    const { write } = database;
    await upTo(database, '012');
    const times = {
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    };
    const idOf = async (table: string, row: object): Promise<number> => {
      const [{ id }] = await write(table)
        .insert({ ...row, ...times })
        .returning('id');
      return id as number;
    };
    const author = await idOf('users', {
      login: 'zoë',
      first_name: 'Zoë',
      last_name: 'Ångström',
      admin: false,
      anonymous: false,
      status: 'active',
    });
    const project = await idOf('projects', { identifier: 'quay', name: 'Straße' });
    for (let number = 1; number <= 1_001; number += 1)
      await idOf('work_packages', {
        project_id: project,
        author_id: author,
        subject: `Café ${number}`,
      });
    expect(await migrate(database)).toEqual(
      expect.arrayContaining(['013-work-package-details.js']),
    );
    const [first] = await write('work_packages')
      .select('description_text', 'assignee_id', 'search_text', 'updated_at')
      .where('subject', 'Café 1');
    expect(first).toEqual({
      description_text: '',
      assignee_id: null,
      search_text: 'cafe 1',
      updated_at: times.updated_at,
    });
    const named = await write('work_packages')
      .join('statuses', 'statuses.id', 'work_packages.status_id')
      .join('types', 'types.id', 'work_packages.type_id')
      .where({ 'statuses.name': 'New', 'types.name': 'Task' })
      .count({ n: '*' });
    expect(Number(named[0]!['n'])).toBe(1_001);
    expect(await write('users').where('id', author).pluck('search_text')).toEqual([
      'zoe angstrom\nzoe',
    ]);
    const found = async (table: 'work_packages' | 'projects', words: string) => {
      const { text, values } = database.search.keysOf(table, [words]);
      return write.select('*').from(write.raw(`(${text}) as found`, [...values] as string[]));
    };
    expect(await found('work_packages', 'fe 1001')).toHaveLength(1);
    expect(await found('projects', 'strasse')).toHaveLength(1);
    expect(await found('projects', 'straße')).toEqual([]);
  });

  test('synchronise the storages whose projects already have the mode automatic', async () => {
    const { database } = await empty();
    const { write } = database;
    await upTo(database, '018');
    const times = {
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    };
    const [creator] = await write('users').orderBy('id').limit(1).pluck<number[]>('id');
    const idOf = async (table: string, row: object) => {
      const [{ id }] = (await write(table)
        .insert({ ...row, ...times })
        .returning('id')) as [{ id: number }];
      return id;
    };
    const storages: number[] = [];
    for (const [index, modes] of [['automatic', 'automatic'], ['manual'], ['inactive']].entries()) {
      const storage = await idOf('storages', {
        type: 'CloudDrive',
        name: `Drive ${index}`,
        creator_id: creator,
      });
      storages.push(storage);
      for (const [place, mode] of modes.entries())
        await idOf('project_storages', {
          project_id: await idOf('projects', {
            identifier: `p${index}${place}`,
            name: 'P',
            public: false,
            active: true,
            search_text: '',
          }),
          storage_id: storage,
          creator_id: creator,
          project_folder_mode: mode,
          project_folder_id: '7',
        });
    }
    expect(await migrate(database)).toEqual(expect.arrayContaining(['019-project-folders.js']));
    expect(await write('folder_syncs').pluck('storage_id')).toEqual([storages[0]]);
    expect(
      await write('project_storages')
        .orderBy('id')
        .select('project_folder_id', 'managed_folder_id'),
    ).toEqual(
      Array.from({ length: 4 }, () => ({ project_folder_id: '7', managed_folder_id: null })),
    );
    expect((await write('storages').pluck('folders_allowed')).map(Boolean)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('make the names of all files of the version before searchable', async () => {
    const { database } = await empty();
    const { write } = database;
    await upTo(database, '016');
    const times = {
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    };
    const [author] = await write('users').orderBy('id').limit(1).pluck<number[]>('id');
    const names = Array.from({ length: 1_001 }, (_, number) => `Übersicht '${number}".pdf`);
    for (const [number, fileName] of names.entries())
      await write('attachments').insert({
        author_id: author,
        file_name: fileName,
        file_size: 1,
        description_text: '',
        content_type: 'application/pdf',
        digest_algorithm: 'md5',
        digest_hash: '',
        status: 'uploaded',
        phase: 'kept',
        blob_key: `key-${number}`,
        ...times,
      });
    expect(await migrate(database)).toEqual(expect.arrayContaining(['017-file-names.js']));
    const rows = await write('attachments').orderBy('id').select('search_text', 'updated_at');
    expect(rows).toEqual(
      names.map((_, number) => ({
        search_text: `ubersicht '${number}".pdf`,
        updated_at: times.updated_at,
      })),
    );
  });

  test('write colors of the version before as six digits', async () => {
    const { database } = await empty();
    await upTo(database, '029');
    const now = new Date().toISOString();
    const colors = ['red', '#0fA', '#1a67a3', '#11223344', 'reddish', null];
    for (const [at, color] of colors.entries())
      await database.write('types').insert({
        name: `T${at}`,
        color,
        position: at + 2,
        created_at: now,
        updated_at: now,
      });
    expect(await migrate(database)).toContain('030-hex-colors.js');
    const rows = await database
      .write('types')
      .where('name', 'like', 'T_')
      .orderBy('position')
      .pluck('color');
    expect(rows).toEqual(['#FF0000', '#00FFAA', '#1A67A3', '#112233', null, null]);
  });

  test('make the descriptions of the version before searchable', async () => {
    const { database } = await empty();
    await upTo(database, '028');
    const { write } = database;
    const now = new Date().toISOString();
    const times = { created_at: now, updated_at: now };
    const [author] = await write('users').orderBy('id').limit(1).pluck<number[]>('id');
    const [{ id: project }] = await write('projects')
      .insert({ identifier: 'quay', name: 'Quay', ...times })
      .returning('id');
    for (let number = 1; number <= 120; number += 1)
      await write('work_packages').insert({
        project_id: project,
        author_id: author,
        subject: 'S',
        description_text: number % 2 === 0 ? '' : `Café\n\tStraße ${number}`,
        ...times,
      });
    expect(await migrate(database)).toContain('029-description-search.js');
    const texts = await write('work_package_texts').orderBy('id').select('id', 'search_text');
    expect(texts).toEqual(
      Array.from({ length: 60 }, (_, at) => ({
        id: at * 2 + 1,
        search_text: `cafe strasse ${at * 2 + 1}`,
      })),
    );
    const { text, values } = database.search.keysOf('work_package_texts', ['cafe strasse 77']);
    expect(
      await write.from(write.raw(`(${text}) as found`, values as string[])).pluck<number[]>('id'),
    ).toContain(77);
  });

  test('give the files of the version before no key and no encoding, and refuse a key twice', async () => {
    const { database } = await empty();
    await upTo(database, '019');
    const { write } = database;
    const now = new Date().toISOString();
    const times = { created_at: now, updated_at: now };
    const [author] = await write('users').orderBy('id').limit(1).pluck<number[]>('id');
    const file = (number: number) => ({
      author_id: author,
      file_name: `${number}.txt`,
      file_size: 1,
      description_text: '',
      content_type: 'text/plain',
      digest_algorithm: 'sha256',
      digest_hash: '',
      status: 'uploaded',
      phase: 'kept',
      blob_key: `key-${number}`,
      ...times,
    });
    for (const number of [1, 2]) await write('attachments').insert(file(number));
    expect(await migrate(database)).toEqual(
      expect.arrayContaining(['020-upload-keys.js', '024-text-encodings.js']),
    );
    expect(await write('attachments').select('upload_key', 'charset')).toEqual([
      { upload_key: null, charset: null },
      { upload_key: null, charset: null },
    ]);
    await write('attachments').insert({ ...file(3), upload_key: 'once' });
    await expect(write('attachments').insert({ ...file(4), upload_key: 'once' })).rejects.toThrow(
      /unique/i,
    );
  });

  test('end the tokens that a storage got for itself, and no others', async () => {
    const { database } = await empty();
    await migrate(database);
    const { write } = database;
    // The database of the version before.
    await write('knex_migrations').where('name', 'like', '011-%').delete();
    const now = new Date().toISOString();
    const artifact = { payload: '{}', created_at: now, updated_at: now };
    const kinds = ['AccessToken', 'ClientCredentials', 'Grant', 'RefreshToken'];
    await write('oauth_artifacts').insert(
      kinds.map((kind) => ({ kind, key_hash: kind, ...artifact })),
    );
    expect(await migrate(database)).toEqual(['011-end-client-credentials.js']);
    const left = await write('oauth_artifacts').select('kind').orderBy('kind');
    expect(left).toEqual([{ kind: 'AccessToken' }, { kind: 'Grant' }, { kind: 'RefreshToken' }]);
  });

  on('postgres')('need no right to make extensions; then searches have no index', async () => {
    const { url } = await freshDatabase();
    const { write } = openAt(url);
    const plain = `plain_${new URL(url).pathname.slice(1)}`;
    await write.raw(`create role ${plain} login password 'plain'`);
    await write.raw(`grant all on schema public to ${plain}`);
    const other = new URL(url);
    other.username = plain;
    other.password = 'plain';
    const database = openAt(other.href);
    expect((await migrate(database)).length).toBeGreaterThan(0);
    const { rows } = await write.raw(
      "select (select count(*) from pg_extension where extname = 'pg_trgm') as extensions," +
        " (select count(*) from pg_indexes where indexname like '%search_index') as indexes",
    );
    expect(rows).toEqual([{ extensions: 0, indexes: 0 }]);
  });

  test('give a filled database of the version before one-time links, one of a purpose and a person', async () => {
    const { database } = await empty();
    const { write } = database;
    await upTo(database, '031');
    const times = {
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    };
    const [{ id }] = await write('users')
      .insert({
        login: 'kim',
        first_name: 'Kim',
        last_name: 'K',
        status: 'active',
        password_hash: 'kept',
        ...times,
      })
      .returning('id');
    expect(await migrate(database)).toContain('032-one-time-links.js');
    expect(await write('users').where({ id })).toMatchObject([{ password_hash: 'kept' }]);
    const add = (purpose: string, user_id: number | null, token_hash: string) =>
      write('one_time_links').insert({
        purpose,
        user_id,
        token_hash,
        expires_at: times.created_at,
        ...times,
      });
    await add('setup', null, 'a');
    await add('password', id, 'b');
    await expect(add('setup', null, 'c')).rejects.toThrow(/unique/i);
    await expect(add('password', id, 'd')).rejects.toThrow(/unique/i);
    await expect(add('password', null, 'b')).rejects.toThrow(/unique/i);
  });

  test('leave nothing if they are killed half-way', async () => {
    const { database, environment } = await empty();
    // Blocks the migration: on PostgreSQL in its middle, by an uncommitted table of the same name. On SQLite at its start, by the write lock.
    const obstacle = await database.write.transaction();
    await obstacle.schema.createTable('attachments', (table) => table.increments('id'));
    const command = new Command(['migrate'], environment);
    if (database.client === 'postgres') {
      await until(
        async () =>
          (
            (await database
              .read('pg_stat_activity')
              .whereRaw(
                "datname = current_database() and wait_event_type = 'Lock' and query like 'create table \"attachments\"%'",
              )) as unknown[]
          ).length > 0,
        'the migration waits',
        20_000,
      );
    } else {
      await new Promise((resolve) => {
        setTimeout(resolve, 1_500);
      });
    }
    command.signal('SIGKILL');
    expect((await command.outcome).status).toBe(null);
    await obstacle.rollback();
    expect(await tables(database)).toEqual([]);
    expect((await migrate(database)).length).toBeGreaterThan(0);
  });
});

describe('the database', () => {
  test('shows one state to several reads', async () => {
    const { database, open } = await empty();
    await migrate(database);
    const other = open();
    let written: PromiseLike<unknown> = Promise.resolve();
    const count = async (knex: Knex) => Number((await knex('statuses').count({ n: '*' }))[0]!['n']);
    const seen = await database.snapshot(async (trx) => {
      const before = await count(trx);
      // On SQLite it waits until the reads end.
      written = other.write('statuses').where('id', 1).update({ name: 'Other' }).then();
      await Promise.race([written, sleep(200)]);
      const [row] = await trx('statuses').where('id', 1).select('name');
      return [before, row.name, await count(trx)];
    });
    await written;
    expect(seen).toEqual([1, 'New', 1]);
    const [now] = await database.read('statuses').where('id', 1).select('name');
    expect(now).toEqual({ name: 'Other' });
  });

  test('refuses a row with a missing reference, on every connection', async () => {
    const { database } = await empty();
    await migrate(database);
    const orphan = {
      user_id: 999_999,
      name: 'orphan',
      key_hash: 'x',
      created_at: '',
      updated_at: '',
    };
    await expect(database.write('api_keys').insert(orphan)).rejects.toThrow(/foreign key/i);
    await expect(
      database.write.transaction((trx) => trx('api_keys').insert(orphan)),
    ).rejects.toThrow(/foreign key/i);
  });

  on('sqlite')('allows no writes on read connections', async () => {
    const { database } = await empty();
    await migrate(database);
    await expect(database.read('users').delete()).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/readonly/i) },
    });
  });

  on('sqlite')(
    'in a file that cannot be opened is temporarily unavailable, for reads and for writes',
    async () => {
      const { url } = await freshDatabase();
      mkdirSync(url.slice('sqlite:'.length));
      const database = openDatabase(
        readConfig({ DATABASE_URL: url }).database,
        pino({ level: 'silent' }),
      );
      opened.push(database);
      for (const knex of [database.read, database.write])
        await expect(knex('users').select()).rejects.toMatchObject({
          status: 503,
          cause: { message: expect.stringMatching(/CANTOPEN/) },
        });
    },
  );

  test('reports the cause of a failed transaction, not the failed rollback', async () => {
    const { database } = await empty();
    const first = new Error('the first');
    const ended = database.write.transaction(async (trx) => {
      if (database.client === 'sqlite') await trx.raw('rollback');
      else await breakConnection(trx);
      throw first;
    });
    await expect(ended).rejects.toBe(first);
    expect(await database.write.raw('select 1')).toBeDefined();
  });

  on('postgres')(
    'that ends a connection during a transaction is temporarily unavailable',
    async () => {
      const { database } = await empty();
      const ended = database.write.transaction(async (trx) => {
        await breakConnection(trx);
        await trx.raw('select 1');
      });
      await expect(ended).rejects.toMatchObject({
        status: 503,
        cause: { message: expect.stringMatching(/not queryable/) },
      });
    },
  );

  /** Returns after this side has noticed. */
  async function breakConnection(trx: Knex): Promise<void> {
    const connection = (await trx.client.acquireConnection()) as EventEmitter;
    await Promise.all([
      new Promise((resolve) => {
        connection.once('end', resolve);
      }),
      trx.raw('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined),
    ]);
  }

  test('keeps the changes of many concurrent transactions that read before they write', async () => {
    const { open } = await empty();
    const [one, two] = [open(), open()];
    await migrate(one);
    await one.write.schema.createTable('counters', (table) => {
      table.integer('id');
      table.integer('value');
    });
    await one.write('counters').insert({ id: 1, value: 0 });
    const bump = (database: Database) =>
      database.write.transaction(async (trx) => {
        const { value } = (await database.lockRows(
          trx('counters').where({ id: 1 }).first('value'),
        )) as unknown as { value: number };
        await trx('counters')
          .where({ id: 1 })
          .update({ value: value + 1 });
      });
    await Promise.all(Array.from({ length: 40 }, (_, n) => bump(n % 2 === 0 ? one : two)));
    expect(await one.read('counters').first('value')).toEqual({ value: 40 });
  });
});

describe('reads that nobody waits for', () => {
  /** SQL that does not end by itself. */
  const ENDLESS =
    'with recursive numbers(number) as (select 1 union all select number + 0 from numbers)' +
    ' select count(*) as number from numbers';

  test('are ended by the database, and its connection goes on', async () => {
    const { database } = await empty();
    const { read, statements } = database;
    const endless = statements.compile(read.select('number').fromRaw(`(${ENDLESS}) as found`), [
      'number',
    ]);
    const client = new Client();
    read.once('query', () => setTimeout(() => client.leave(), 20));
    await expect(statements.read(endless, {}, client)).rejects.toThrow(Overloaded);
    await expect(statements.read(endless, {}, client)).rejects.toThrow(Overloaded);
    const search = new Client();
    read.once('query', () => setTimeout(() => search.leave(), 20));
    await expect(
      Promise.resolve(
        read
          .select('number')
          .fromRaw(`(${ENDLESS}) as found`)
          .queryContext({ client: search })
          .options({ prepare: false }),
      ),
    ).rejects.toThrow(Overloaded);
    const one = statements.compile(read.select('number').fromRaw('(select 1 as number) as found'), [
      'number',
    ]);
    expect(await statements.read(one, {}, new Client())).toEqual([[1]]);
  });
});
