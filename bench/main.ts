/**
 * `npm run bench`: the cost of the server compared with bare programs that do the same work, in one interleaved run.
 *
 * Options: `--quick` short rounds and small files, `--only W1,W2`, `--database sqlite|postgres|both`.
 * A full run is saved as `bench/results/latest.{json,md}`, any other one as `bench/results/local/latest.{json,md}`.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeDatabases, type DatabaseKind } from './databases.js';
import { assertSameAnswers } from './equal.js';
import { startGenerator, type Generator } from './load.js';
import { measureFiles, measureRequests, type Effort, type Samples } from './measure.js';
import { markdownOf, rowsOf, type Report } from './report.js';
import { statementDifferences } from './statements.js';
import { Subject } from './subject.js';
import { requestWorkloads } from './workloads.js';

const MIB = 1024 * 1024;
const whole: Effort = {
  rounds: 5,
  seconds: 3,
  warmUp: 3,
  fileRounds: 3,
  fileBytes: 1024 * MIB,
  parallelUploads: 8,
};
const quick: Effort = {
  rounds: 3,
  seconds: 1,
  warmUp: 1.5,
  fileRounds: 2,
  fileBytes: 256 * MIB,
  parallelUploads: 8,
};
const names = ['W1', 'W2', 'W3', 'W4', 'W5', 'W6'];
const databases = {
  sqlite: ['sqlite'],
  postgres: ['postgres'],
  both: ['sqlite', 'postgres'],
} as const satisfies { [option: string]: DatabaseKind[] };

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    database: { type: 'string', default: 'both' },
  },
});
const wanted = new Set(options.only?.split(',') ?? names);
if (![...wanted].every((name) => names.includes(name)))
  throw new Error(`--only takes ${names.join(', ')}.`);
if (!Object.hasOwn(databases, options.database))
  throw new Error(`--database takes ${Object.keys(databases).join(', ')}.`);
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

const progress = (text: string) =>
  void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

async function measure(
  kind: DatabaseKind,
  generator: Generator,
): Promise<{ samples: Samples; notes: string[] }> {
  const effort = effortOn(kind);
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
  progress(`${kind}: writing rows`);
  const pair = await makeDatabases(kind, folder).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  try {
    const { onlyOurs, onlyBare } = await statementDifferences(pair.ours, folder);
    const notes = [
      ...onlyOurs.map((text) => `${kind}: only the server sends \`${text}\`.`),
      ...onlyBare.map((text) => `${kind}: only the bare program sends \`${text}\`.`),
    ];
    const start = () =>
      Promise.all([
        Subject.start('ours', pair.ours, folder),
        Subject.start('bare', pair.bare, folder),
      ]);
    const samples: Samples = {};
    const requests = requestWorkloads.filter(({ name }) => wanted.has(name));
    if (requests.length > 0) {
      await withSubjects(await start(), async (subjects) => {
        await assertSameAnswers(subjects, generator);
        progress(`${kind}: ${requests.map(({ name }) => name).join(', ')}`);
        Object.assign(samples, await measureRequests(requests, subjects, generator, effort));
      });
    }
    if (wanted.has('W5') || wanted.has('W6')) {
      // New processes, because memory is compared with a process that has done little yet.
      await withSubjects(await start(), async (subjects) => {
        progress(`${kind}: big files`);
        Object.assign(samples, await measureFiles(wanted, subjects, generator, effort));
      });
    }
    return { samples, notes };
  } finally {
    await pair.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withSubjects(
  subjects: [Subject, Subject],
  work: (subjects: [Subject, Subject]) => Promise<void>,
): Promise<void> {
  try {
    await work(subjects);
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()));
  }
}

const report: Report = {
  at: new Date().toISOString(),
  node: process.versions.node,
  processors: availableParallelism(),
  quick: options.quick,
  notes: [],
  rows: [],
};
const generator = startGenerator();
// The current measurement fails then, and everything is stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => generator.stop());
try {
  for (const kind of databases[options.database as keyof typeof databases]) {
    const { samples, notes } = await measure(kind, generator);
    report.notes.push(...notes);
    report.rows.push(...rowsOf(kind, samples, `${effortOn(kind).fileBytes / MIB} MiB`));
  }
} finally {
  generator.stop();
}

const complete = !options.quick && options.only === undefined && options.database === 'both';
const results = fileURLToPath(
  new URL(complete ? './results/' : './results/local/', import.meta.url),
);
mkdirSync(results, { recursive: true });
const markdown = markdownOf(report);
writeFileSync(join(results, 'latest.json'), `${JSON.stringify(report, null, 2)}\n`);
writeFileSync(join(results, 'latest.md'), markdown);
process.stdout.write(`\n${markdown}\nSaved in ${results}\n`);
