/**
 * `npm run bench:soak`: mixed traffic for half an hour at 80 % of the measured maximum, with memory at start and end. Then an overload.
 *
 * Options: `--seconds 1800` or one number for each database, such as `--seconds 1800,600`, `--database sqlite|postgres|both`, `--short` one database within a minute, `--limit 64` another `BUSY_REQUESTS`.
 * A run of half an hour or more is saved as `bench/results/soak.{json,md}`. The last line counts the checks.
 */
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/config.js';
import { startPostgres } from '../../test/support/postgres.js';
import type { DatabaseKind } from '../databases.js';
import { startOrigin, type Origin } from '../links/origin.js';
import { SECRET_KEY } from '../programs.js';
import { databaseOptions, progress, saveReport, startRun } from '../run.js';
import { checksOf, shortRun, wholeRun, type Measured } from './checks.js';
import { overload, type Overload } from './overload.js';
import { findPeak, type Peak } from './peak.js';
import { markdownOf, type Report } from './report.js';
import { Server } from './server.js';
import { soak } from './soak.js';
import { startTool, type Tool } from './tool.js';
import { ask, closeClient, makeWorld, storeFiles, type Environment, type World } from './world.js';

interface Effort {
  ladder: readonly number[];
  rungSeconds: number;
  seconds: number;
  warmUpSeconds: number;
  windows: number;
  overloadSeconds: number;
}

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '1800' },
    database: { type: 'string' },
    limit: { type: 'string' },
  },
});
const kinds = databaseOptions[options.database ?? (options.short ? 'sqlite' : 'both')];
if (!kinds) throw new Error(`--database takes ${Object.keys(databaseOptions).join(', ')}.`);
const seconds = options.seconds.split(',').map(Number);
if (!seconds.every((some) => Number.isInteger(some) && some >= 10))
  throw new Error('--seconds takes whole numbers from 10.');
const effortOf = (some: number): Effort =>
  options.short
    ? {
        ladder: [4, 8, 16],
        rungSeconds: 1,
        seconds: 8,
        warmUpSeconds: 8,
        windows: 2,
        overloadSeconds: 3,
      }
    : {
        ladder: [1, 2, 4, 8, 16, 32, 64],
        rungSeconds: 5,
        seconds: some,
        warmUpSeconds: Math.max(120, Math.round(some / WARM_UP_PART)),
        windows: 10,
        overloadSeconds: 15,
      };
/** The engine compiles hot code for about ten minutes. Until then most growth is compiled code. */
const WARM_UP_PART = 3;
/** As a share of the maximum. */
const SOAK_SHARE = 0.8;
const OVERLOAD_FACTOR = 5;
/** As a multiple of the limit, enough to reach it. */
const BEYOND_LIMIT = 2;

async function measure(
  database: DatabaseKind,
  origin: Origin,
  tool: Tool,
  effort: Effort,
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-soak-'));
  const postgres = database === 'postgres' ? await startPostgres() : undefined;
  try {
    const environment: Environment = {
      DATABASE_URL: postgres?.url ?? `sqlite:${join(folder, 'soak.sqlite3')}`,
      BLOB_STORE: `disk:${join(folder, 'blobs')}`,
      SECRET_KEY,
      STORAGE_ALLOW_PRIVATE: 'true',
      ...(options.limit !== undefined && { BUSY_REQUESTS: options.limit }),
    };
    progress(`${database}: writing rows`);
    const world = await makeWorld(environment, origin.addresses.healthy);
    const server = await Server.start(environment, folder);
    try {
      return await measureOn(server, { database, tool, environment, world, effort });
    } finally {
      await server.stop();
    }
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Setting {
  database: DatabaseKind;
  tool: Tool;
  environment: Environment;
  world: World;
  effort: Effort;
}

async function measureOn(server: Server, setting: Setting): Promise<Measured> {
  const { database, tool, environment, world, effort } = setting;
  const { address } = server.subject;
  const [at, load] = [new Date().toISOString(), loadavg()[0]!];
  const files = await storeFiles(address);
  // The first list of links stores the current names of the files.
  await ask(address, world.keys.reader, 'GET', `/api/v3/work_packages/${world.linked}/file_links`);
  progress(`${database}: the maximum of mixed traffic`);
  const mixed = await findPeak(
    server,
    tool,
    { world, files, load: 'mixed' },
    effort.ladder,
    effort.rungSeconds,
  );
  const { connections, rate } = mixed.best;
  progress(
    `${database}: ${rate.toFixed(0)} requests per second over ${connections} connections; ${SOAK_SHARE * 100} % of that for ${effort.warmUpSeconds} and ${effort.seconds} s`,
  );
  const soaked = await soak(server, tool, {
    world,
    files,
    environment,
    connections,
    rate: rate * SOAK_SHARE,
    ...effort,
  });
  progress(`${database}: the maximum of lists`);
  const lists = await findPeak(
    server,
    tool,
    { world, files, load: 'list' },
    effort.ladder,
    effort.rungSeconds,
  );
  const { busyRequests } = readConfig(environment);
  const overloads = await overloadAll(server, setting, lists, busyRequests);
  return {
    database,
    at,
    load: { start: load, end: loadavg()[0]! },
    busyRequests,
    mixed,
    soak: soaked,
    lists,
    overloads,
    faults: server.faults(),
  };
}

async function overloadAll(
  server: Server,
  { tool, world, effort }: Setting,
  { best }: Peak,
  limit: number,
): Promise<Overload[]> {
  const crowd = OVERLOAD_FACTOR * best.connections;
  const overloads: Overload[] = [];
  for (const connections of crowd > limit ? [crowd] : [crowd, BEYOND_LIMIT * limit]) {
    progress(`lists over ${connections} connections`);
    overloads.push(
      await overload(server, tool, world, {
        peak: best,
        connections,
        limit,
        seconds: effort.overloadSeconds,
      }),
    );
  }
  return overloads;
}

const report: Report = { ...startRun(options.short), databases: [], checks: [] };
const [origin, tool] = [await startOrigin(), startTool()];
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => tool.stop());
try {
  for (const [n, kind] of kinds.entries()) {
    const measured = await measure(kind, origin, tool, effortOf(seconds[n] ?? seconds[0]!));
    report.databases.push(measured);
    report.checks.push(...checksOf(measured, options.short ? shortRun : wholeRun));
  }
} finally {
  origin.stop();
  tool.stop();
  await closeClient();
}
saveReport(
  'soak',
  report,
  markdownOf(report),
  !options.short && seconds[0]! >= 1800 && options.limit === undefined,
);
const failed = report.checks.filter(({ met }) => !met);
for (const { database, name, detail } of failed)
  process.stdout.write(`FAILED ${database}, ${name}: ${detail}\n`);
process.stdout.write(
  `\n${report.checks.length - failed.length} passed, ${failed.length} failed, 0 skipped\n`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
