/**
 * `npm run bench:scale`: compares requests with a million attachments and with ten thousand, and late pages with first ones.
 *
 * Options: `--quick` fewer and shorter rounds, `--database sqlite|postgres|both`. A full run is saved as `bench/results/scale.{json,md}`.
 */
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DatabaseKind } from '../databases.js';
import { startGenerator, type Generator } from '../load.js';
import { SECRET_KEY } from '../programs.js';
import { databaseOptions, progress, saveReport, startRun } from '../run.js';
import { Subject } from '../subject.js';
import { keys, makeWorlds, type Caller, type World } from './databases.js';
import { compared, markdownOf, type Report, type Row, type Sample } from './report.js';
import { lists, listTitles, pageOf, reads, readsOf, readTitles, type Asked } from './requests.js';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    database: { type: 'string', default: 'both' },
  },
});
const kinds = databaseOptions[options.database];
if (!kinds) throw new Error(`--database takes ${Object.keys(databaseOptions).join(', ')}.`);
const effort = options.quick
  ? { rounds: 3, seconds: 0.5, warmUp: 0.5 }
  : { rounds: 5, seconds: 1.5, warmUp: 1.5 };
const titles: { [caller in Caller]: string } = {
  member: 'a member, in 20 projects',
  admin: 'an administrator, everywhere',
};

interface Side {
  subject: Subject;
  world: World;
  asked: Asked;
}

/** The pool closes idle connections and opens new ones. */
const spentSince = (before: Map<number, number>, after: Map<number, number>): number =>
  [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);

/** Both sides in turn, one request at a time, so that other work on the machine affects both. */
async function compare(generator: Generator, base: Side, other: Side): Promise<Sample[]> {
  const cpuOf = async ({ subject, world }: Side) =>
    new Map([...(await world.cpu()), [subject.pid, subject.cpu()]]);
  const run = async (side: Side, seconds: number) => {
    const {
      subject: { address },
      asked: { caller, requests },
    } = side;
    const before = await cpuOf(side);
    const { completed, ms } = await generator.run({
      address,
      key: keys[caller],
      requests,
      connections: 1,
      seconds,
    });
    return { ms: ms / completed, cpu: spentSince(before, await cpuOf(side)) / completed };
  };
  for (const side of [base, other]) await run(side, effort.warmUp);
  const samples: Sample[] = [];
  for (let round = 0; round < effort.rounds; round += 1) {
    // The order changes from round to round.
    const order = round % 2 === 0 ? [base, other] : [other, base];
    const first = await run(order[0]!, effort.seconds);
    const second = await run(order[1]!, effort.seconds);
    samples.push(
      order[0] === base ? { base: first, other: second } : { base: second, other: first },
    );
  }
  return samples;
}

async function measure(kind: DatabaseKind, generator: Generator): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
  try {
    progress(`${kind}: writing rows`);
    const worlds = await makeWorlds(kind, folder);
    const started: Subject[] = [];
    const start = async ({ url }: World) => {
      const subject = await Subject.startWith({
        DATABASE_URL: url,
        BLOB_STORE: `disk:${join(folder, 'blobs')}`,
        SECRET_KEY,
        LOG_LEVEL: 'fatal',
      });
      started.push(subject);
      return subject;
    };
    try {
      const sideOf = async (world: World) => {
        const subject = await start(world);
        return (asked: Asked): Side => ({ subject, world, asked });
      };
      const { small, large } = worlds;
      const [few, many] = [await sideOf(small), await sideOf(large)];
      const rows: Row[] = [];
      for (const name of reads) {
        for (const caller of ['member', 'admin'] as const) {
          progress(`${kind}: ${name}, ${titles[caller]}`);
          const samples = await compare(
            generator,
            few(readsOf(name, caller, small)),
            many(readsOf(name, caller, large)),
          );
          rows.push(
            compared(
              {
                database: kind,
                what: 'rows',
                title: `${name} ${readTitles[name]}: ${titles[caller]}`,
              },
              samples,
            ),
          );
        }
      }
      for (const name of lists) {
        progress(`${kind}: pages of ${listTitles[name]}`);
        const samples = await compare(
          generator,
          many(pageOf(name, large, false)),
          many(pageOf(name, large, true)),
        );
        rows.push(compared({ database: kind, what: 'depth', title: listTitles[name] }, samples));
      }
      return rows;
    } finally {
      await Promise.all(started.map((subject) => subject.stop()));
      await worlds.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const report: Report = { ...startRun(options.quick), notes: [], ...effort, rows: [] };
const generator = startGenerator();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => generator.stop());
try {
  for (const kind of kinds) report.rows.push(...(await measure(kind, generator)));
} finally {
  generator.stop();
}
saveReport('scale', report, markdownOf(report), !options.quick && options.database === 'both');
