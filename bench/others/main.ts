/**
 * `npm run bench:others -- c8934b2`: whether ten other reads became as much faster since an older commit as W1 and W3.
 * The reads are chosen from the interface by a seed. Both versions are measured in turns.
 *
 * Options: `--seed 1`, `--quick` short rounds, `--database sqlite|postgres|both`. Saved as `bench/results/others.{json,md}`.
 */
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DatabaseKind } from '../databases.js';
import { median } from '../figures.js';
import { startGenerator } from '../load.js';
import { databaseOptions, progress, saveReport, startRun } from '../run.js';
import { seeded } from '../seed.js';
import { Subject } from '../subject.js';
import { requestWorkloads } from '../workloads.js';
import { makeVersions } from './databases.js';
import { olderCheckout } from './older.js';
import { chooseReads, type Read } from './reads.js';
import { markdownOf, type Gain, type Report } from './report.js';

const {
  values: options,
  positionals: [commit = 'c8934b2'],
} = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    database: { type: 'string', default: 'both' },
  },
});
const kinds = databaseOptions[options.database];
if (!kinds) throw new Error(`--database takes ${Object.keys(databaseOptions).join(', ')}.`);
const effort = options.quick
  ? { rounds: 3, seconds: 0.5, warmUp: 1 }
  : { rounds: 5, seconds: 2, warmUp: 3 };
const CONNECTIONS = 16;

const favourites: Read[] = requestWorkloads
  .filter(({ name }) => name === 'W1' || name === 'W3')
  .map(({ name, requests }) => ({ title: name, request: requests.ours![0]! }));

async function measure(kind: DatabaseKind, checkout: string): Promise<Gain[]> {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
  try {
    progress(`${kind}: writing rows`);
    const versions = await makeVersions(kind, folder, checkout);
    const subjects: Subject[] = [];
    try {
      subjects.push(await Subject.start('ours', versions.older, folder, [], checkout));
      subjects.push(await Subject.start('ours', versions.newer, folder));
      const [older, newer] = subjects as [Subject, Subject];
      const reads = await chooseReads(Number(options.seed), checkout, async (read) =>
        (await Promise.all([older, newer].map((one) => answers(one, read)))).every(Boolean),
      );
      const gains: Gain[] = [];
      for (const read of [...favourites, ...reads]) {
        progress(`${kind}: ${read.title.slice(0, 70)}`);
        gains.push({ database: kind, title: read.title, ...(await compare(older, newer, read)) });
      }
      return gains;
    } finally {
      await Promise.all(subjects.map((subject) => subject.stop()));
      await versions.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether it is answered with data. */
async function answers({ address }: Subject, { request }: Read): Promise<boolean> {
  const { method, path, json } = request;
  const response = await fetch(address + path, {
    method,
    headers: {
      authorization: `Bearer ${seeded.key}`,
      ...(json && { 'content-type': 'application/json' }),
    },
    body: json ? JSON.stringify(json) : null,
    redirect: 'manual',
  });
  const text = await response.text();
  return response.status === 200 && !('errors' in (JSON.parse(text) as object));
}

/** Processor milliseconds per request of both versions. */
async function compare(
  older: Subject,
  newer: Subject,
  { request }: Read,
): Promise<{ older: number; newer: number }> {
  const run = (subject: Subject, seconds: number) =>
    generator.run({
      address: subject.address,
      key: seeded.key,
      requests: [request],
      connections: CONNECTIONS,
      seconds,
    });
  const times = new Map<Subject, number[]>([older, newer].map((subject) => [subject, []]));
  for (const subject of times.keys()) await run(subject, effort.warmUp);
  for (let n = 0; n < effort.rounds; n += 1)
    for (const [subject, taken] of times) {
      const before = subject.cpu();
      const { completed } = await run(subject, effort.seconds);
      taken.push((subject.cpu() - before) / completed);
    }
  return { older: median(times.get(older)!), newer: median(times.get(newer)!) };
}

const report: Report = {
  ...startRun(options.quick),
  commit,
  seed: Number(options.seed),
  gains: [],
};
const checkout = olderCheckout(commit);
const generator = startGenerator();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => generator.stop());
try {
  for (const kind of kinds) report.gains.push(...(await measure(kind, checkout)));
} finally {
  generator.stop();
}
saveReport('others', report, markdownOf(report), !options.quick && kinds.length === 2);
