/**
 * `npm run test:fuzz [-- --cases 100000 --seed 1 --seconds 600 --case 4711]`: storages with wrong responses of every kind.
 * An adapter must return a valid value or a declared failure. A link must have one of the defined statuses.
 */
import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { Outbound } from '../../../src/outbound/client.js';
import { makeMetrics } from '../../../src/observability/metrics.js';
import { Random } from '../crash/random.js';
import { openDesk } from './service.js';
import { groupsOf, same, Scripted, settled, type Group, type Outcome } from './groups.js';
import {
  cloudDriveScenario,
  fileServerScenario,
  recordedScenario,
  type Scenario,
} from './scenarios.js';
import { delivered, Upstream } from './upstream.js';
import { watch } from './watchdog.js';
import { openWire } from './wire.js';

/** The number of cases at the same time. */
const LANES = 12;
/** One of this number of cases is a control, and one of this number uses real connections. */
const CONTROLS = 50;
const WIRED = 50;
/** The deadline of a case, and of a control. A control must never exceed it. */
const DEADLINE_MS = 400;
const PATIENCE_MS = 30_000;
/** An operation that exceeds its deadline by this time hangs. */
const HANGS_MS = 30_000;
/** No response of a storage may block the process for this time. */
const COMPUTES_SECONDS = 5;
const MOST_FINDINGS = 10;

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    seconds: { type: 'string', default: '3600' },
    case: { type: 'string' },
  },
});
const cases = Number(values.cases);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
const only = values.case === undefined ? undefined : Number(values.case);
const until = performance.now() + Number(values.seconds) * 1000;

const reference = process.env['MOORAGE_REFERENCE_DIR'];
const silent = pino({ level: 'silent' });
const real = new Outbound(
  { storageConnectTimeoutMs: 1_000, storageTimeoutMs: PATIENCE_MS, storageAllowPrivate: true },
  makeMetrics(),
);
const cloud = await cloudDriveScenario();
const scenarios: Scenario[] = [
  await fileServerScenario(),
  cloud,
  ...(reference === undefined
    ? []
    : [recordedScenario(join(reference, 'captures/self-hosted-file-server'))]),
];
const [desk, wire] = await Promise.all([openDesk(cloud.addresses), openWire()]);
const groups = (
  await Promise.all(scenarios.map((scenario) => groupsOf(scenario, desk, LANES, silent)))
).flat();
const drawn = groups.flatMap((group) => Array.from({ length: group.weight }, () => group));
const answers = new Map(
  scenarios.map((scenario) => [
    scenario,
    [
      ...new Set(
        groups.filter((group) => group.scenario === scenario).flatMap(({ book }) => book.all),
      ),
    ],
  ]),
);

const dog = watch(seed, COMPUTES_SECONDS);
const counts = { ran: 0, controls: 0, wired: 0, values: 0, failures: 0 };
const confirmed = new Map<Group, number>();
const failed = new Set<Group>();
let findings = 0;
const underWay = new Map<number, number>();
process.on('unhandledRejection', (reason) =>
  found(
    undefined,
    [...underWay.values()].join(' or '),
    `nobody waits for ${reason instanceof Error ? reason.stack : String(reason)}`,
  ),
);

let next = only ?? 0;
await Promise.all(
  Array.from({ length: only === undefined ? LANES : 1 }, async (_, lane) => {
    while (
      next < (only === undefined ? cases : only + 1) &&
      performance.now() < until &&
      findings < MOST_FINDINGS
    ) {
      const number = next;
      next += 1;
      underWay.set(lane, number);
      await one(number, lane);
      underWay.delete(lane);
    }
  }),
);
await Promise.all([
  dog.end(),
  desk.close(),
  wire.close(),
  real.close(),
  ...scenarios.map((scenario) => scenario.close()),
]);
report();

/** One case: an operation, and a storage that may be wrong. The first cases are controls of each operation. */
async function one(number: number, lane: number): Promise<void> {
  const random = new Random(seed + number);
  const group = groups[number] ?? drawn[random.integer(drawn.length)]!;
  const control = number < groups.length || random.integer(CONTROLS) === 0;
  const wired = random.integer(WIRED) === 0;
  const upstream = new Upstream(
    group.book,
    answers.get(group.scenario)!,
    placesOf(group.scenario),
    random,
    control,
  );
  const problems: string[] = upstream.problems;
  const log = pino(
    { level: 'error' },
    {
      write: (line: string) => void problems.push(`logged as our mistake: ${line.slice(0, 1500)}`),
    },
  );
  const outbound = new Scripted(control ? PATIENCE_MS : DEADLINE_MS, async (request, deadline) => {
    dog.alive(number);
    const answer = upstream.answer(request);
    return wired
      ? real.send(
          `case ${number}`,
          { ...request, url: wire.address(answer, control ? undefined : random) },
          deadline,
        )
      : delivered(request, answer);
  });
  const outcome = await Promise.race([
    settled(group.run(outbound, log, lane)),
    sleep(DEADLINE_MS + PATIENCE_MS + HANGS_MS, undefined, { ref: false }),
  ]);
  real.forget(`case ${number}`);
  judge(group, outcome, {
    control,
    wired,
    problems,
    untouched: upstream.applied.length === 0 && (control || !wired),
  });
  if (problems.length > 0)
    found(
      group,
      String(number),
      `${problems.join('\n  ')}\n  after ${upstream.applied.join(', ') || 'true answers'}`,
    );
}

interface Circumstances {
  control: boolean;
  wired: boolean;
  problems: string[];
  /** No response was changed. */
  untouched: boolean;
}

function judge(
  group: Group,
  outcome: Outcome | undefined,
  { control, wired, problems, untouched }: Circumstances,
): void {
  counts.ran += 1;
  if (wired) counts.wired += 1;
  if (outcome === undefined) return void problems.push('no end within the deadline');
  if ('value' in outcome) counts.values += 1;
  else counts.failures += 1;
  const wrong = group.wrong(outcome);
  if (wrong !== undefined) problems.push(wrong);
  if (!untouched) return;
  if (!same(outcome, group.truth))
    problems.push(`not what is true: ${shown(outcome)} instead of ${shown(group.truth)}`);
  else if (control) {
    counts.controls += 1;
    confirmed.set(group, (confirmed.get(group) ?? 0) + 1);
  }
}

function placesOf({ addresses: { origin, apiUrl, loginUrl } }: Scenario): string[] {
  return [origin, apiUrl && `${apiUrl}/`, loginUrl && `${loginUrl}/`].filter(
    (place) => place !== '',
  );
}

function found(group: Group | undefined, number: string, what: string): void {
  findings += 1;
  if (group) failed.add(group);
  process.stdout.write(
    `FOUND case ${number}, ${group ? `${group.scenario.name}, ${group.name}` : 'outside of any operation'}: ${what}\nreplay with: npm run test:fuzz -- --seed ${seed} --case ${number}\n`,
  );
}

function shown(outcome: Outcome): string {
  return 'error' in outcome
    ? String(outcome.error)
    : (JSON.stringify(outcome.value instanceof Map ? [...outcome.value] : outcome.value)?.slice(
        0,
        1500,
      ) ?? 'nothing');
}

/** The result counts the operations of storages. One passes if all its controls had the true result and no error was found. */
function report(): void {
  const skipped = reference === undefined ? 1 : 0;
  if (skipped > 0)
    process.stdout.write(
      'skipped: the recordings of a real file server, because MOORAGE_REFERENCE_DIR is not set\n',
    );
  const asked =
    only === undefined
      ? groups
      : groups.filter((group) => confirmed.has(group) || failed.has(group));
  const passed = asked.filter((group) => !failed.has(group) && confirmed.has(group)).length;
  const unproven = asked.filter((group) => !failed.has(group) && !confirmed.has(group));
  for (const { scenario, name } of unproven)
    process.stdout.write(`no control of ${scenario.name}, ${name}\n`);
  process.stdout.write(
    `seed ${seed}: ${counts.ran} cases in ${groups.length} operations of ${scenarios.length} storages, ${counts.controls} of them controls with true outcomes, ${counts.wired} over real connections; ` +
      `${counts.values} values, ${counts.failures} failures, ${findings} findings\n`,
  );
  const failures = failed.size + unproven.length + (findings > 0 && failed.size === 0 ? 1 : 0);
  process.stdout.write(`\n${passed} passed, ${failures} failed, ${skipped} skipped\n`);
  process.exit(failures > 0 || (passed === 0 && only === undefined) ? 1 : 0);
}
