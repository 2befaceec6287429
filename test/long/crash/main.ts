/**
 * `npm run test:crash [-- --kills 200 --folder-kills 1000 --seed 1 --database sqlite|postgres|both]`: kills a working
 * server with SIGKILL, many times. After each kill it checks that nothing confirmed is lost and nothing is left over.
 * Then it kills synchronisations of project folders, by default at each call to the storage.
 */
import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { freshDatabase } from '../fresh-database.js';
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import { readConfig } from '../../../src/config.js';
import { migrate } from '../../../src/database/migrations.js';
import { Attachment } from '../../../src/models/attachment.js';
import { openServices } from '../../../src/services.js';
import { startBackground } from '../../../src/workers/background-jobs.js';
import { EICAR, startClamd } from '../../support/clamd.js';
import { factories } from '../../support/factories.js';
import { startPostgres } from '../../support/postgres.js';
import { freshBucket, s3Environment, startRgw } from '../../support/rgw.js';
import { killSynchronisations } from './folders.js';
import { violations } from './invariants.js';
import { Unexpected, type Client, type Known } from './known.js';
import { Random } from './random.js';
import { freeUploads } from './resumable.js';
import { drive } from './traffic.js';

const CLIENTS = 6;
/** By then the leases and forms of a dead process have expired. */
const LATER_MS = 3_600_000;

type Services = ReturnType<typeof openServices>;
type Environment = { [name: string]: string };

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    'folder-kills': { type: 'string', default: '1000' },
    seed: { type: 'string' },
    database: { type: 'string', default: 'both' },
    seconds: { type: 'string', default: '3600' },
  },
});
const kills = Number(values.kills);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
const databases =
  values.database === 'both'
    ? (['sqlite', 'postgres'] as const)
    : [values.database as 'sqlite' | 'postgres'];
const deadline = Date.now() + Number(values.seconds) * 1000;

const folder = mkdtempSync(join(tmpdir(), 'moorage-crash-'));
const [rgw, clamd, postgres] = await Promise.all([startRgw(), startClamd(), startPostgres()]);
let passed = 0;
let failed = 0;
try {
  for (const database of databases) await attack(database);
  for (const database of databases) await killFolders(database);
} finally {
  await Promise.all([rgw.stop(), clamd.stop(), postgres.stop()]);
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`\n${passed} passed, ${failed} failed, 0 skipped\n`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

async function attack(database: 'sqlite' | 'postgres'): Promise<void> {
  const environment: Environment = {
    ...s3Environment(await freshBucket(rgw)),
    DATABASE_URL: await freshDatabase(database, 'crash', { folder, postgresUrl: postgres.url }),
    CLAMD_URL: `tcp://${clamd.tcp.host}:${clamd.tcp.port}`,
    PORT: '0',
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
    BASE_URL: 'http://127.0.0.1',
    SECRET_KEY: '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',
    LEASE_SECONDS: '2',
    UPLOAD_URL_SECONDS: '5',
    TRASH_DAYS: '30',
    PENDING_UPLOADS: '100000',
    ATTACHMENT_MAX_SIZE: '10000000',
  };
  const { client, known } = await populate(environment);
  for (let kill = 1; kill <= kills / databases.length && Date.now() < deadline; kill += 1) {
    const round = seed + kill;
    const random = new Random(round);
    const problems = [
      ...(await crash(environment, client, known, random)),
      ...(await recovered(environment, known)),
    ];
    if (problems.length === 0) passed += 1;
    else failed += 1;
    process.stdout.write(
      `${database} kill ${kill}, seed ${round}: ${known.length} files so far, ${problems.length === 0 ? 'all invariants hold' : `VIOLATED\n  ${problems.join('\n  ')}`}\n`,
    );
    if (problems.length > 0) {
      process.stdout.write(
        `replay with: npm run test:crash -- --database ${database} --seed ${seed} --kills ${kill * databases.length}\n`,
      );
      return;
    }
  }
}

async function killFolders(database: 'sqlite' | 'postgres'): Promise<void> {
  await killSynchronisations({
    folder,
    databaseUrl: await freshDatabase(database, 'folders', { folder, postgresUrl: postgres.url }),
    kills: Math.ceil(Number(values['folder-kills']) / databases.length / 2),
    random: new Random(seed),
    report(ok, text) {
      if (ok) passed += 1;
      else failed += 1;
      process.stdout.write(`${database} ${text}\n`);
    },
  });
}

function open(environment: Environment): Services {
  return openServices(readConfig(environment), pino({ level: 'silent' }));
}

async function populate(
  environment: Environment,
): Promise<{ client: Omit<Client, 'address'>; known: Known[] }> {
  const services = open(environment);
  await migrate(services.db);
  const given = factories(services);
  const project = await given.project();
  const person = await given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'view_meetings',
    'edit_meetings',
    'add_work_package_comments',
  ]);
  const containers = [
    await given.workPackage(project, person),
    await given.workPackage(project, person),
    await given.meeting(project, person),
  ];
  const admin = await given.user({ admin: true });
  await services.close();
  return {
    client: {
      key: person.key,
      adminKey: admin.key,
      userId: person.id,
      targets: containers.map(({ globalId }) => globalId),
      containers: containers.map(({ path }) => path),
      projectId: project.id,
    },
    known: [],
  };
}

/** Starts the server, runs the clients, and kills it at a random moment. @returns problems that no crash explains */
async function crash(
  environment: Environment,
  client: Omit<Client, 'address'>,
  known: Known[],
  random: Random,
): Promise<string[]> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('child.mjs', import.meta.url))], {
    env: {
      PATH: process.env['PATH'] ?? '',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('exit', (_code, signal) => resolve(signal));
  });
  const first = await Promise.race([
    createInterface({ input: child.stdout })[Symbol.asyncIterator]().next(),
    ended.then(() => ({ value: undefined })),
  ]);
  if (!first.value) return ['the server did not start again'];
  freeUploads(known);
  let over = false;
  const work = Array.from({ length: CLIENTS }, (_, n) =>
    drive(
      { ...client, address: first.value as string },
      new Random(random.integer(1_000_000) + n),
      known,
      EICAR,
      () => over,
    ),
  );
  const settled = Promise.allSettled(work);
  await sleep(20 + random.integer(1_200));
  over = true;
  child.kill('SIGKILL');
  const signal = await ended;
  const outcomes = await settled;
  return [
    ...(signal === 'SIGKILL' ? [] : ['the server ended by itself']),
    ...outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' && outcome.reason instanceof Unexpected
        ? [outcome.reason.message]
        : [],
    ),
  ];
}

/** An hour later, another process does the remaining work and one cleanup. Then the invariants are checked. */
async function recovered(environment: Environment, known: readonly Known[]): Promise<string[]> {
  const services = open({ ...environment, ATTACHMENT_GRACE_MINUTES: '600' });
  services.clock = () => new Date(Date.now() + LATER_MS);
  const background = startBackground(services);
  try {
    const until = Date.now() + 60_000;
    while (Date.now() < until && (await waiting(services)) > 0) {
      background.wake();
      await sleep(20);
    }
    await background.stop();
    await runCleanup(services);
    return await violations(services, known);
  } finally {
    await background.stop();
    await services.close();
  }
}

function waiting({ db }: Services): Promise<number> {
  return Attachment.query(db.read).whereNotNull('lease_until').resultSize();
}
