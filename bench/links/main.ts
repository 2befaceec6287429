/**
 * `npm run bench:links`: the cost of lists of file links if storages need 50 ms for a response (W7).
 *
 * L1: a list of 200 links. L2: 5,000 links. L3: parallel readers. L4: a silent and a dead storage among healthy ones.
 * Options: `--quick` fewer rounds, `--only L1,L4`, `--database sqlite|postgres|both`. A full run is saved as `bench/results/links.{json,md}`.
 */
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { readConfig } from '../../src/config.js';
import { migrate } from '../../src/database/migrations.js';
import { openServices } from '../../src/services.js';
import { startPostgres } from '../../test/support/postgres.js';
import type { DatabaseKind } from '../databases.js';
import { SECRET_KEY } from '../programs.js';
import { databaseOptions, progress, saveReport, startRun } from '../run.js';
import { Subject } from '../subject.js';
import { closeClient } from './client.js';
import {
  measureFaults,
  measureList,
  measureMany,
  measureReaders,
  type Effort,
  type Row,
  type Setting,
} from './measure.js';
import { LATENCY_MS, startOrigin, type Origin } from './origin.js';
import { markdownOf, type Report } from './report.js';
import { seed, type World } from './seed.js';

const names = ['L1', 'L2', 'L3', 'L4'];
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: names.join() },
    database: { type: 'string', default: 'both' },
  },
});
const wanted = new Set(options.only.split(','));
if (![...wanted].every((name) => names.includes(name)))
  throw new Error(`--only takes ${names.join(', ')}.`);
const kinds = databaseOptions[options.database];
if (!kinds) throw new Error(`--database takes ${Object.keys(databaseOptions).join(', ')}.`);
const effort: Effort = options.quick
  ? { rounds: 10, warmUp: 10, lists: 2 }
  : { rounds: 20, warmUp: 20, lists: 4 };
/** The default of the setting. */
const DEADLINE_MS = 10_000;

async function measure(kind: DatabaseKind, origin: Origin): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
  const postgres = kind === 'postgres' ? await startPostgres() : undefined;
  try {
    const { healthy } = origin.addresses;
    const environment = {
      DATABASE_URL: postgres?.url ?? `sqlite:${join(folder, 'links.sqlite3')}`,
      BLOB_STORE: `disk:${join(folder, 'blobs')}`,
      SECRET_KEY,
      STORAGE_ALLOW_PRIVATE: 'true',
      STORAGE_TIMEOUT_MS: String(DEADLINE_MS),
      CLOUD_DRIVE_LOGIN_URL: healthy,
      CLOUD_DRIVE_API_URL: `${healthy}/v1.0`,
    };
    progress(`${kind}: writing rows`);
    const world = await seeded(environment, origin);
    // Storage failures are written to the log, and the log is discarded.
    const subject = await Subject.startWith({ ...environment, LOG_LEVEL: 'fatal' });
    try {
      return await rowsOf({ subject, origin, world, deadlineMs: DEADLINE_MS, effort }, kind);
    } finally {
      await subject.stop();
    }
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function seeded(environment: { [name: string]: string }, origin: Origin): Promise<World> {
  const services = openServices(readConfig(environment), pino({ level: 'silent' }));
  try {
    await migrate(services.db);
    return await seed(services, origin.addresses);
  } finally {
    await services.close();
  }
}

async function rowsOf(setting: Setting, kind: DatabaseKind): Promise<Row[]> {
  const parts: [name: string, work: () => Promise<Row[]>][] = [
    [
      'L1',
      async () => [
        ...(await measureList(setting, 'file server')),
        ...(await measureList(setting, 'drive')),
      ],
    ],
    ['L2', () => measureMany(setting)],
    ['L3', () => measureReaders(setting)],
    ['L4', () => measureFaults(setting)],
  ];
  const rows: Row[] = [];
  for (const [name, work] of parts) {
    if (!wanted.has(name)) continue;
    progress(`${kind}: ${name}`);
    rows.push(...(await work()));
  }
  return rows;
}

const report: Report = { ...startRun(options.quick), latencyMs: LATENCY_MS, databases: [] };
const origin = await startOrigin();
try {
  for (const kind of kinds) report.databases.push({ kind, rows: await measure(kind, origin) });
} finally {
  origin.stop();
  await closeClient();
}

saveReport(
  'links',
  report,
  markdownOf(report),
  !options.quick && wanted.size === names.length && options.database === 'both',
);
