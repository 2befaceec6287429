/**
 * `npm run test:sequences [-- --sequences 10000 --seconds 3600 --seed 1 --database sqlite|postgres|both]`: users do random
 * operations on projects, containers, attachments, file links and storages, over REST and GraphQL. A small model of the
 * interface predicts each response. Both databases run different sequences at the same time. A failed sequence is
 * shortened and printed. `--path` and `--replay` repeat it.
 */
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { openDatabases } from '../fuzz/requests/databases.js';
import { audit } from './audit.js';
import type { Model } from './model.js';
import { operations } from './all-operations.js';
import { Disagreement, type Real, type Tally } from './step.js';
import { MEMBERS, openWorld, PROJECTS, roleNames, type Start, type World } from './world.js';

const LONGEST = 40;
/** The number of sequences that share a seed, and the time limit of such a batch with its shortening. */
const BATCH = 25;
const BATCH_MS = 120_000;
/** Keeps the batches of neighbouring seeds apart. */
const SPREAD = 1_000_003;

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '3600' },
    seed: { type: 'string' },
    database: { type: 'string', default: 'both' },
    path: { type: 'string' },
    replay: { type: 'string' },
  },
});
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
const kinds = values.database === 'both' ? ['sqlite', 'postgres'] : [values.database];
type Sequence = Iterable<fc.AsyncCommand<Model, Real>>;
let passed = 0;
let failed = 0;

const starts: fc.Arbitrary<Start> = fc.array(fc.nat(roleNames.length), {
  minLength: MEMBERS * PROJECTS,
  maxLength: MEMBERS * PROJECTS,
});
const sequences = fc.commands(operations, {
  maxCommands: LONGEST,
  size: 'max',
  ...(values.replay !== undefined && { replayPath: values.replay }),
});

await Promise.all(kinds.map(attack));
process.stdout.write(`\n${passed} passed, ${failed} failed, 0 skipped\n`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

/** A repeated sequence has the seed of its batch. Otherwise every batch has its own. */
function seedOf(kind: string, batch: number): number {
  return values.path === undefined
    ? (seed + (2 * batch + (kind === 'sqlite' ? 0 : 1)) * SPREAD) | 0
    : seed;
}

async function attack(kind: string): Promise<void> {
  const databases = await openDatabases(kind);
  const world = await openWorld(await databases.fresh());
  const tally: Tally = new Map();
  const property = fc.asyncProperty(sequences, starts, (sequence, start) =>
    follow(world, tally, start, sequence),
  );
  const most = Math.ceil(Number(values.sequences) / kinds.length);
  const begun = performance.now();
  let done = 0;
  for (
    let batch = 0;
    done < most && performance.now() - begun < Number(values.seconds) * 1000;
    batch += 1
  ) {
    const details = await fc.check(property, {
      seed: seedOf(kind, batch),
      numRuns: Math.min(BATCH, most - done),
      unbiased: true,
      interruptAfterTimeLimit: BATCH_MS,
      markInterruptAsFailure: false,
      ...(values.path !== undefined && { path: values.path }),
    });
    done += details.numRuns;
    passed += details.numRuns - (details.failed ? 1 : 0);
    failed += details.failed ? 1 : 0;
    if (details.interrupted && !details.failed) {
      failed += 1;
      process.stdout.write(
        `${kind}: a sequence did not come to its end within ${BATCH_MS / 1000} s, seed ${seedOf(kind, batch)}\n`,
      );
      break;
    }
    if (details.failed) tell(kind, details);
    if (details.failed || values.path !== undefined) break;
  }
  if (done === 0) failed += 1;
  await world.stop();
  await databases.stop();
  summarise(kind, tally, done, (performance.now() - begun) / 1000);
}

async function follow(world: World, tally: Tally, start: Start, sequence: Sequence): Promise<void> {
  const { model, real } = await world.begin(start, tally);
  const roles = model.projects.flatMap(({ name, members }) =>
    [...members].map(([person, role]) => `${person.name} is ${role} of the ${name}`),
  );
  try {
    await fc.asyncModelRun(() => ({ model, real }), sequence);
    await audit(model, real);
  } catch (error) {
    throw new Disagreement(
      [
        ...roles,
        ...real.lines,
        error instanceof Disagreement
          ? error.message
          : String(error instanceof Error ? error.stack : error),
      ].join('\n'),
    );
  }
}

function summarise(kind: string, tally: Tally, done: number, seconds: number): void {
  const counts = [...tally].sort(([one], [other]) => (one < other ? -1 : 1));
  const sum = (of: 'done' | 'refused') => counts.reduce((all, [, one]) => all + one[of], 0);
  process.stdout.write(
    `${kind}, seed ${seed}: ${done} sequences in ${Math.round(seconds)} s, ${sum('done')} operations done and ${sum('refused')} refused: ${counts.map(([name, one]) => `${name} ${one.done}+${one.refused}`).join(', ')}\n`,
  );
}

function tell(
  kind: string,
  {
    seed: own,
    counterexample,
    counterexamplePath,
    errorInstance,
    numShrinks,
  }: fc.RunDetails<[Sequence, Start]>,
): void {
  const replay = /replayPath="([^"]*)"/.exec(String(counterexample?.[0]))?.[1];
  process.stdout.write(
    `FOUND on ${kind} (made shorter ${numShrinks} times):\n  ${(errorInstance instanceof Error ? errorInstance.message : String(errorInstance)).replaceAll('\n', '\n  ')}\n` +
      `replay with: npm run test:sequences -- --database ${kind} --seed ${own} --path ${counterexamplePath}${replay === undefined ? '' : ` --replay ${replay}`}\n`,
  );
}
