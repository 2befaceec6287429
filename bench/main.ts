/**
 * `npm run bench`: the cost of the server compared with other programs that do the same work, in one interleaved run.
 * The script runs it on Node 22, because PostGraphile needs that.
 *
 * Options: `--quick` short rounds, no large files; `--only W1,W3`; `--database sqlite|postgres|both`; `--without postgraphile`.
 * A full run is saved as `bench/results/latest.{json,md}`, any other one in `bench/results/local`.
 */
import 'reflect-metadata';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { install } from '../scripts/on-demand.js';
import { makeDatabases, type DatabaseKind } from './databases.js';
import { writeDocs } from './docs.js';
import { quick, whole, type Effort } from './effort.js';
import { startOrigin } from './links/origin.js';
import { startGenerator } from './load.js';
import { measureDatabase, PARTS, type Part } from './measure.js';
import postgraphile from './postgraphile/package.json' with { type: 'json' };
import { markdownOf, rowOf, type Report } from './report.js';
import { seedLinks } from './seed-links.js';
import { seed } from './seed.js';
import { databaseOptions, progress, saveReport, startRun } from './run.js';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    database: { type: 'string', default: 'both' },
    without: { type: 'string' },
  },
});
const quickParts = PARTS.filter((name) => !['W5', 'W6', 'W7', 'W8'].includes(name));
const wanted = new Set(
  (options.only?.split(',') as Part[] | undefined) ?? (options.quick ? quickParts : PARTS),
);
if (![...wanted].every((name) => PARTS.includes(name)))
  throw new Error(`--only takes ${PARTS.join(', ')}.`);
const kinds = databaseOptions[options.database];
if (!kinds) throw new Error(`--database takes ${Object.keys(databaseOptions).join(', ')}.`);
if (options.without !== undefined && options.without !== 'postgraphile')
  throw new Error('--without takes postgraphile.');
if (!existsSync('/proc/self/stat'))
  throw new Error(
    'Processor time and memory are read from /proc, which this system does not have.',
  );

/** Large files hardly use the database. One run is enough if the other database was measured too. */
const effortOn = (kind: DatabaseKind): Effort => {
  const effort = options.quick ? quick : whole;
  return kind === 'postgres' && options.database === 'both'
    ? { ...effort, fileRounds: 1, parallelUploads: 0 }
    : effort;
};

const report: Report = { ...startRun(options.quick), notes: [], rows: [] };
const withPeer = kinds.includes('postgres') && options.without === undefined;
if (withPeer) {
  install('bench/postgraphile');
  report.notes.push(`PostGraphile ${postgraphile.dependencies.postgraphile}.`);
}
const origin = await startOrigin(0);
const fill = async (url: string) => {
  await seed(url);
  await seedLinks(url, origin.addresses.healthy);
};
const generator = startGenerator();
// The current measurement fails then, and everything is stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => generator.stop());
try {
  for (const kind of kinds) {
    const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
    try {
      progress(`${kind}: writing rows`);
      const databases = await makeDatabases(kind, folder, fill);
      try {
        if (!withPeer) delete databases.postgraphile;
        const setting = { kind, databases, folder, generator, wanted, effort: effortOn(kind) };
        const { samples, notes } = await measureDatabase(setting);
        report.notes.push(...notes);
        report.rows.push(...samples.series.map((series) => rowOf(kind, series)));
      } finally {
        await databases.stop();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
} finally {
  generator.stop();
  origin.stop();
}
const complete = !options.quick && wanted.size === PARTS.length && kinds.length === 2 && withPeer;
saveReport('latest', report, markdownOf(report), complete);
if (complete) writeDocs();
