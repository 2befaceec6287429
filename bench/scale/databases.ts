/** One small and one large database of the same shape, and the requests to them. */
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { readConfig } from '../../src/config.js';
import { openDatabase } from '../../src/database/index.js';
import { migrate } from '../../src/database/migrations.js';
import { hashKey } from '../../src/secrets/keys-and-tokens.js';
import { startPostgres } from '../../test/support/postgres.js';
import { fill, type Filled, type Size } from '../../test/api/query-plans/fill.js';
import type { DatabaseKind } from '../databases.js';
import { TICK_MS, ticks } from '../subject.js';

export const sizes = {
  small: { projects: 100, users: 100, attachments: 10_000, fileLinks: 1_000 },
  large: { projects: 10_000, users: 10_000, attachments: 1_000_000, fileLinks: 100_000 },
} as const satisfies { [name: string]: Size };
type SizeName = keyof typeof sizes;

/** API keys of a member of 20 projects, and of an administrator, who sees everything. */
export const keys = {
  member: 'scale-member-0123456789abcdef0123456789',
  admin: 'scale-admin-0123456789abcdef0123456789ab',
} as const;
export type Caller = keyof typeof keys;

export interface World extends Filled {
  url: string;
  size: Size;
  /** Projects of the member. */
  own: number[];
  /** Processor time in milliseconds of each database process. Empty if the database runs in the server process. */
  cpu(): Promise<Map<number, number>>;
  /** Cursors at 90 % of lists. */
  cursors: {
    attachments: string;
    fileLinks: string;
    activities: string;
    projectStorages: string;
    quarantine: string;
  };
}

interface Worlds {
  small: World;
  large: World;
  stop(): Promise<void>;
}

const OWN_PROJECTS = 20;
const DEPTH = 0.9;

export async function makeWorlds(kind: DatabaseKind, folder: string): Promise<Worlds> {
  const server = kind === 'postgres' ? await startPostgres() : undefined;
  try {
    const make = async (name: SizeName): Promise<World> => {
      const url = server
        ? await newDatabase(server.url, `scale_${name}`)
        : `sqlite:${join(folder, `${name}.sqlite3`)}`;
      return {
        ...(await makeWorld(url, sizes[name])),
        cpu: () => (server ? backendCpu(server.url, `scale_${name}`) : Promise.resolve(new Map())),
      };
    };
    return {
      small: await make('small'),
      large: await make('large'),
      stop: async () => server?.stop(),
    };
  } catch (error) {
    await server?.stop();
    throw error;
  }
}

async function newDatabase(url: string, name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

/** PostgreSQL has a process for each connection. */
async function backendCpu(url: string, database: string): Promise<Map<number, number>> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const { rows } = await admin.query(
    "select pid from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
    [database],
  );
  await admin.end();
  return new Map(
    (rows as { pid: number }[]).flatMap(({ pid }) => {
      try {
        return [[pid, ticks(`/proc/${pid}/stat`) * TICK_MS] as const];
      } catch {
        // The pool has just closed that connection.
        return [];
      }
    }),
  );
}

type Db = ReturnType<typeof openDatabase>['write'];

async function makeWorld(url: string, size: Size): Promise<Omit<World, 'cpu'>> {
  const database = openDatabase(
    readConfig({ DATABASE_URL: url }).database,
    pino({ level: 'warn' }),
  );
  try {
    await migrate(database);
    const db = database.write;
    const filled = await fill(db, size);
    const step = size.projects / OWN_PROJECTS;
    const own = filled.projects.filter((_, n) => n % step === step - 1);
    await addCaller(db, 'admin', true);
    const member = await addCaller(db, 'member', false);
    // A subquery, because there may be more projects than a statement can bind.
    await db.raw(
      `insert into memberships (user_id, project_id, created_at, updated_at) select ${member}, id, created_at, updated_at from projects where id % ${step} = 0`,
    );
    await db.raw(
      `insert into membership_roles (membership_id, role_id) select id, ${filled.role} from memberships where user_id = ${member}`,
    );
    // SQLite has no statistics, as in production. PostgreSQL collects its own.
    if (database.client === 'postgres') await db.raw('vacuum analyze');
    return { ...filled, url, size, own, cursors: await cursorsOf(db, filled.longWorkPackage) };
  } finally {
    await database.close();
  }
}

async function addCaller(db: Db, caller: Caller, admin: boolean): Promise<number> {
  const at = new Date().toISOString();
  const times = { created_at: at, updated_at: at };
  const [user] = (await db('users')
    .insert({
      login: `scale-${caller}`,
      first_name: 'Scale',
      last_name: caller,
      admin,
      anonymous: false,
      status: 'active',
      ...times,
    })
    .returning('id')) as [{ id: number }];
  await db('api_keys').insert({
    user_id: user.id,
    name: 'scale',
    key_hash: hashKey(keys[caller]),
    ...times,
  });
  return user.id;
}

async function cursorsOf(db: Db, workPackage: number): Promise<World['cursors']> {
  const at = async (table: string, where: object, order: string[], direction = 'asc') => {
    const count = Number((await db(table).where(where).count({ count: '*' }))[0]!['count']);
    const row: { [column: string]: string | number } = await db(table)
      .where(where)
      .orderBy(order.map((column) => ({ column, order: direction })))
      .offset(Math.floor(count * DEPTH))
      .first(order);
    return Buffer.from(JSON.stringify(order.map((column) => row[column]))).toString('base64url');
  };
  const of = { work_package_id: workPackage };
  return {
    attachments: await at('attachments', of, ['file_name', 'id']),
    fileLinks: await at('file_links', of, ['id']),
    activities: await at('activities', of, ['id']),
    projectStorages: await at('project_storages', {}, ['id'], 'desc'),
    quarantine: await at('attachments', { status: 'quarantined' }, ['id']),
  };
}
