/**
 * `npm test`: starts the servers that the tests need, runs Jest, stops them, and closes with one line that counts everything.
 *
 * Most files run on one database, SQLite or PostgreSQL, which their name decides. `npm test -- --others` runs what that left out.
 * A run of chosen files, tests or projects has both databases.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { readConfig } from '../src/config.js';
import { openDatabase } from '../src/database/index.js';
import { migrate } from '../src/database/migrations.js';
import { install } from '../scripts/on-demand.js';
import { startPostgres, TEMPLATES, type Postgres } from './support/postgres.js';
import { jestEnvironment, startRgw, type Rgw } from './support/rgw.js';

/** Not by whole hours: what reads the zone of the process is found out. */
const FAR_FROM_UTC = 'Pacific/Chatham';

const OTHERS = '--others';
const given = process.argv.slice(2);
const jestArguments = given.filter((one) => one !== OTHERS);
const isChosen = jestArguments.some((one) => !one.startsWith('-'));

const environment: NodeJS.ProcessEnv = {
  ...process.env,
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  TZ: FAR_FROM_UTC,
  ...(!isChosen && { MOORAGE_TEST_DATABASES: given.includes(OTHERS) ? 'others' : 'first' }),
};

/** A file system in memory. */
const MEMORY = '/dev/shm';
/** The files of a whole run take 3.3 GiB. */
const ROOM = 6 * 1024 ** 3;

/** Where the tests keep their files. The copy of a database has a thousand, and disks take long for them. */
function placeForFiles(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  const isRoomy = Math.min(bavail * bsize, process.availableMemory()) > ROOM;
  // Some tests install programs and run them.
  const runsPrograms = !/ \/dev\/shm \S+ \S*\bnoexec\b/.test(readFileSync('/proc/mounts', 'utf8'));
  return isRoomy && runsPrograms ? MEMORY : tmpdir();
}

for (const folder of ['test', 'test/support/linter', 'examples'] as const) install(folder);
const place = placeForFiles();

/** Applies all migrations to a database that tests then copy. */
async function migrateOnce(DATABASE_URL: string): Promise<void> {
  const database = openDatabase(readConfig({ DATABASE_URL }).database, pino({ level: 'silent' }));
  await migrate(database);
  await database.close();
}

async function sqlite(file: string): Promise<void> {
  await migrateOnce(`sqlite:${file}`);
  // As the service makes it.
  chmodSync(file, 0o600);
  environment['MOORAGE_TEST_SQLITE'] = file;
}

async function postgres(): Promise<Postgres | undefined> {
  try {
    const server = await startPostgres(place);
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    for (const name of Object.values(TEMPLATES)) await admin.query(`create database ${name}`);
    await admin.end();
    await migrateOnce(new URL(TEMPLATES.migrated, server.url).href);
    environment['MOORAGE_TEST_POSTGRES'] = server.url;
    return server;
  } catch (error) {
    if (process.env['REQUIRE_POSTGRES'] === '1') throw error;
    environment['MOORAGE_TEST_POSTGRES_MISSING'] = (error as Error).message;
    return undefined;
  }
}

async function s3(): Promise<Rgw | undefined> {
  try {
    const server = await startRgw();
    Object.assign(environment, jestEnvironment(server));
    return server;
  } catch (error) {
    if (process.env['REQUIRE_S3'] === '1') throw error;
    environment['MOORAGE_TEST_S3_MISSING'] = (error as Error).message;
    process.stderr.write(`S3 tests are skipped: ${(error as Error).message}\n`);
    return undefined;
  }
}

function jest(args: string[]): Promise<number> {
  const bin = new URL('../node_modules/jest/bin/jest.js', import.meta.url).pathname;
  // Workers get these options too. They make so much garbage that a larger young generation saves time.
  const options = ['--import', 'tsx', '--no-warnings', '--max-semi-space-size=64'];
  const child = spawn(process.execPath, [...options, bin, ...args], {
    env: environment,
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

const folder = mkdtempSync(join(place, 'moorage-run-'));
const report = join(folder, 'report.json');
// What tests leave behind goes with it.
environment['MOORAGE_TEST_TMPDIR'] = folder;
// S3 first: it starts in a process of its own, while PostgreSQL's preparation holds this one up.
const starting = await Promise.allSettled([s3(), postgres()]);
let status = 1;
try {
  for (const outcome of starting) if (outcome.status === 'rejected') throw outcome.reason;
  await sqlite(join(folder, 'migrated.sqlite3'));
  status = await jest([...jestArguments, '--json', `--outputFile=${report}`]);
  if (!existsSync(report)) throw new Error(`Jest ended with ${status} and without a report.`);
  const counts = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    numTodoTests: number;
    numRuntimeErrorTestSuites: number;
  };
  const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites;
  process.stdout.write(
    `\n${counts.numPassedTests} passed, ${failed} failed, ${counts.numPendingTests + counts.numTodoTests} skipped\n`,
  );
} finally {
  for (const outcome of starting) if (outcome.status === 'fulfilled') await outcome.value?.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);
