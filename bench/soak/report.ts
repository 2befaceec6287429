/** The figures of a run as Markdown. */
import { databaseNames, headOf, type Run } from '../run.js';
import type { Check, Measured } from './checks.js';
import type { Overload } from './overload.js';
import type { Peak } from './peak.js';
import type { Soak } from './soak.js';
import type { Latency } from './tally.js';
import { titles } from './traffic.js';

export interface Report extends Run {
  databases: Measured[];
  checks: Check[];
}

export function markdownOf(report: Report): string {
  const { databases, checks } = report;
  return [
    '# Load and soak',
    '',
    `${headOf(report, 'the database, a storage and the load tool')} \`npm run bench:soak\`.`,
    'Every answer is checked: status and body. Latencies are in milliseconds, of closed loops, from the request to the end of its answer.',
    '',
    ...databases.flatMap((measured) =>
      sectionsOf(
        measured,
        checks.filter(({ database }) => database === measured.database),
      ),
    ),
  ].join('\n');
}

function sectionsOf(
  { database, at, load, busyRequests, mixed, soak, lists, overloads }: Measured,
  checks: readonly Check[],
): string[] {
  return [
    `## ${databaseNames[database]}`,
    '',
    `Begun at ${at}; load average ${load.start.toFixed(1)} before, ${load.end.toFixed(1)} afterwards.`,
    '',
    '### The maximum',
    '',
    ...ladderOf('Mixed traffic', mixed),
    ...ladderOf('W2, 100 attachments over HAL', lists),
    '### Soak',
    '',
    ...soakLines(soak),
    '### Overload',
    '',
    `At most ${busyRequests} requests at the same time while the processor is busy. The clients do not wait for \`Retry-After\`.`,
    '',
    ...overloadTable(overloads, lists),
    '### Checks',
    '',
    '| | | |',
    '|---|---|---|',
    ...checks.map(
      ({ name, met, detail }) =>
        `| ${name} | ${met ? 'met' : '**missed**'} | ${/^(\[\]|\{\})?$/.test(detail) || detail.length > 200 ? '' : detail} |`,
    ),
    '',
  ];
}

const ladderOf = (title: string, { ladder, best }: Peak): string[] => [
  `${title}, a closed loop; the maximum is ${whole(best.rate)} per second over ${best.connections} connections.`,
  '',
  "| connections | per second | p50 | p99 | refused | processor: server's main thread, load tool |",
  '|---|---|---|---|---|---|',
  ...ladder.map(
    ({ connections, rate, p50, p99, refused, server, tool }) =>
      `| ${connections} | ${whole(rate)} | ${ms(p50)} | ${ms(p99)} | ${refused} | ${percent(server)}, ${percent(tool)} |`,
  ),
  '',
];

function soakLines({
  seconds,
  warmUpSeconds,
  connections,
  asked,
  rate,
  windows,
  start,
  end,
  streams,
  cutOff,
  rows,
}: Soak): string[] {
  const [first, last] = [windows[0]!, windows.at(-1)!];
  const pair = (before: Latency | undefined, after: Latency | undefined) =>
    [before, after]
      .map((latency) => (latency ? `${ms(latency.p50)}, ${ms(latency.p99)}` : '–'))
      .join(' | ');
  const growth = (before: number, after: number) =>
    `${before.toFixed(1)} | ${after.toFixed(1)} | ${after >= before ? '+' : ''}${percent(after / before - 1, 1)}`;
  return [
    `${seconds} s after ${warmUpSeconds} s of warm-up, ${asked} requests per second over ${connections} connections; ${whole(rate)} were answered. ${streams.opened} subscriptions were opened, ${streams.events} of them got an event before they were closed.`,
    '',
    '| | start, after the warm-up | end | growth |',
    '|---|---|---|---|',
    `| heap and buffers after forced collections, MiB | ${growth(start.heap, end.heap)} |`,
    `| of that compiled code, MiB | ${growth(start.compiled, end.compiled)} |`,
    `| resident memory after them, MiB | ${growth(start.resident, end.resident)} |`,
    `| file descriptors | ${start.descriptors} | ${end.descriptors} | |`,
    ...Object.keys(rows.start).map(
      (table) => `| rows of ${table} | ${rows.start[table]} | ${rows.end[table]} | |`,
    ),
    '',
    `Memory is compared at rest and after forced collections. ${cutOff} uploads whose client was stopped at the end were deleted before rows were counted. Events and activities are the history of all changes.`,
    '',
    `Windows of ${whole(seconds / windows.length)} s; resident memory is the least that was seen in each.`,
    '',
    '| window | requests | p50 | p99 | resident, MiB |',
    '|---|---|---|---|---|',
    ...windows.map(
      ({ count, p50, p99, resident }, n) =>
        `| ${n + 1} | ${count} | ${ms(p50)} | ${ms(p99)} | ${resident.toFixed(1)} |`,
    ),
    '',
    '| p50, p99 of | first window | last window |',
    '|---|---|---|',
    ...Object.entries(titles).map(
      ([kind, title]) => `| ${title} | ${pair(first.kinds[kind], last.kinds[kind])} |`,
    ),
    '',
  ];
}

function overloadTable(overloads: readonly Overload[], { best }: Peak): string[] {
  const heads = [
    'connections',
    '× peak',
    '200s per second',
    'of the peak',
    'p50, p99 of the 200s',
    '503s per 200',
    'live, longest',
    'ready, longest',
    'GraphQL: 200, 503',
    'recovery',
  ];
  const row = ({
    connections,
    factor,
    rate,
    p50,
    p99,
    refused,
    answered,
    seen,
    recovery,
  }: Overload) =>
    [
      connections,
      factor,
      whole(rate),
      percent(rate / best.rate),
      `${ms(p50)}, ${ms(p99)}`,
      (refused / answered).toFixed(2),
      ms(seen.live.max),
      ms(seen.ready.max),
      `${seen.graphql.answered}, ${seen.graphql.refused}`,
      `${whole(recovery)} ms`,
    ].join(' | ');
  return [
    `| ${heads.join(' | ')} |`,
    `|${'---|'.repeat(heads.length)}`,
    ...overloads.map((one) => `| ${row(one)} |`),
    '',
  ];
}

const whole = (value: number) => value.toFixed(0);
const ms = (value: number) => (value >= 10 ? value.toFixed(0) : value.toFixed(1));
const percent = (value: number, digits = 0) => `${(value * 100).toFixed(digits)} %`;
