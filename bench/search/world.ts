/** A server with many work packages: half of them have one word, a few have another one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { readConfig } from '../../src/config.js';
import { hashKey } from '../../src/secrets/keys-and-tokens.js';
import { startServer, type Running } from '../../src/server.js';
import { startPostgres } from '../../test/support/postgres.js';
import type { DatabaseKind } from '../databases.js';
import { SECRET_KEY } from '../programs.js';
import { pino } from 'pino';

/** Each project has 500 work packages, besides the small ones. */
const PER_PROJECT = 500;
const SMALL_PROJECTS = 200;
const PER_SMALL_PROJECT = 5;
export const keys = {
  admin: 'search-admin-0123456789abcdef0123456789a',
  one: 'search-one-0123456789abcdef0123456789abc',
  eleven: 'search-eleven-0123456789abcdef0123456789',
  many: 'search-many-0123456789abcdef0123456789ab',
  small: 'search-small-0123456789abcdef0123456789a',
} as const;
export type Caller = keyof typeof keys;

export interface World {
  url: string;
  read: Knex;
  users: { [caller in Caller]: number };
  /** The identifier of a project that the caller sees. */
  projectOf(caller: Caller): Promise<string>;
  stop(): Promise<void>;
}

export async function startWorld(kind: DatabaseKind, count: number): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-search-'));
  const server = kind === 'postgres' ? await startPostgres() : undefined;
  let running: Running | undefined;
  const stop = async () => {
    await running?.stop();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const config = readConfig({
      DATABASE_URL: server?.url ?? `sqlite:${join(folder, 'search.sqlite3')}`,
      ATTACHMENTS_DIR: join(folder, 'blobs'),
      SECRET_KEY,
      DEMO: 'false',
      PORT: '0',
      HOST: '127.0.0.1',
    });
    running = await startServer(config, pino({ level: 'silent' }));
    const { db } = running.services;
    const users = await db.write.transaction((trx) => fill(trx, count));
    // PostgreSQL does it by itself some time after such a change.
    await db.write.raw(kind === 'postgres' ? 'vacuum analyze' : 'analyze');
    const projectOf = async (caller: Caller) => {
      const projects = db.read<{ identifier: string }>('projects').orderBy('id');
      if (caller !== 'admin')
        projects.whereIn(
          'id',
          db.read('memberships').select('project_id').where('user_id', users[caller]),
        );
      const first = await projects.first('identifier');
      if (!first) throw new Error(`The caller "${caller}" sees no project.`);
      return first.identifier;
    };
    return { url: running.address, read: db.read, users, projectOf, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const NOW = '2026-01-01T00:00:00.000Z';
const times = { created_at: NOW, updated_at: NOW };

async function fill(trx: Knex, count: number): Promise<World['users']> {
  const projects = Math.ceil(count / PER_PROJECT);
  const all = projects + SMALL_PROJECTS;
  const series = (rows: number) =>
    `with recursive series(n) as (select 1 union all select n + 1 from series where n < ${rows})`;
  const users = {} as World['users'];
  for (const [caller, key] of Object.entries(keys)) {
    const [{ id }] = (await trx('users')
      .insert({
        login: caller,
        first_name: caller,
        last_name: '',
        admin: caller === 'admin',
        anonymous: false,
        status: 'active',
        search_text: caller,
        ...times,
      })
      .returning('id')) as [{ id: number }];
    users[caller as Caller] = id;
    await trx('api_keys').insert({ user_id: id, name: 'bench', key_hash: hashKey(key), ...times });
  }
  const [{ id: role }] = (await trx('roles')
    .insert({ name: 'Reader', ...times })
    .returning('id')) as [{ id: number }];
  await trx('role_permissions').insert({ role_id: role, permission: 'view_work_packages' });
  await trx.raw(
    `insert into projects (identifier, name, public, created_at, updated_at, search_text)` +
      ` ${series(all)} select 'p-' || n, 'Quarter ' || n, false, '${NOW}', '${NOW}',` +
      ` 'quarter ' || n || char(10) || 'p-' || n from series`.replace(
        'char(10)',
        trx.client.dialect === 'postgresql' ? 'chr(10)' : 'char(10)',
      ),
  );
  for (const [caller, which] of [
    ['one', 'limit 1'],
    ['eleven', 'limit 11'],
    ['many', `limit ${Math.min(projects, 1_000)}`],
    ['small', `limit ${SMALL_PROJECTS} offset ${projects}`],
  ] as const) {
    await trx.raw(
      `insert into memberships (user_id, project_id, created_at, updated_at)` +
        ` select ${users[caller]}, id, '${NOW}', '${NOW}' from projects order by id ${which}`,
    );
  }
  await trx.raw(
    `insert into membership_roles (membership_id, role_id) select id, ${role} from memberships`,
  );
  const subject =
    "'item ' || n || case n % 2 when 0 then ' cable' else ' brick' end" +
    " || ' batch' || (n % 997 * 7919 % 997) || case when n % 20000 = 7 then ' xylophone' else '' end";
  for (const [rows, place] of [
    [count, `n * 31 % ${projects}`],
    [SMALL_PROJECTS * PER_SMALL_PROJECT, `${projects} + n % ${SMALL_PROJECTS}`],
  ] as const)
    await trx.raw(
      'insert into work_packages (project_id, author_id, subject, search_text, created_at, updated_at)' +
        ` ${series(rows)} select (select min(id) from projects) + ${place},` +
        ` ${users.admin}, ${subject}, ${subject}, '${NOW}', '${NOW}' from series`,
    );
  const description =
    "'the gravel of quarter ' || (id % 977) || ' is delivered to gate ' || (id % 13)" +
    " || ' before noon. ask the foreman for the plan of hall ' || (id % 101) || '.'" +
    " || case when id % 2 = 0 then ' bring gloves and helmets' else ' no lorries after six' end" +
    " || case when id % 20000 = 7 then ' beware of the vibraphone' else '' end";
  await trx.raw(
    `insert into work_package_texts (id, search_text) select id, ${description} from work_packages`,
  );
  return users;
}
