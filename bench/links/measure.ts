/** The cost of lists of links, one measurement after another. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Person } from '../../test/support/factories.js';
import type { Subject } from '../subject.js';
import { filesInfo, listPage, oneBatch, oneByOne, statuses, wholeList } from './client.js';
import type { Origin } from './origin.js';
import type { World } from './seed.js';

export interface Effort {
  rounds: number;
  warmUp: number;
  /** Lists for each of the parallel readers. */
  lists: number;
}

export interface Row {
  name: string;
  measure: string;
  unit: 'ms' | 'MiB' | 'calls';
  values: number[];
  /** The largest allowed median. */
  limit?: number;
  /** How the limit was derived. */
  target?: string;
  /** Every value must keep the limit, not only the median. */
  every?: boolean;
}

export interface Setting {
  subject: Subject;
  origin: Origin;
  world: World;
  deadlineMs: number;
  effort: Effort;
}

const LIST_FACTOR = 1.3;
const LIST_EXTRA_MS = 20;
const MEMORY_MIB = 64;
const FAULT_EXTRA_MS = 200;
const LARGEST_PAGE = 1000;
const MANY = 5000;
/** The number of consecutive failures that opens the circuit breaker. */
const FAILURES = 5;
const SETTLE_MS = 1_500;

export const median = (values: readonly number[]): number => percentile(values, 0.5);
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)]!;
}

/** Fails unless the response has this number of links with this status. */
function expectStatuses(text: string, expected: { [status: string]: number }): void {
  const found = statuses(text);
  if (
    JSON.stringify(Object.entries(found).sort()) !== JSON.stringify(Object.entries(expected).sort())
  )
    throw new Error(`A list said ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}.`);
}

/** L1: a page of 200 links, compared with one request to their storage and with single requests. */
export async function measureList(
  { subject, origin, world, effort }: Setting,
  kind: 'file server' | 'drive',
): Promise<Row[]> {
  const [reader] = world.readers as [Person];
  const workPackage = kind === 'drive' ? world.drive200 : world.server200;
  const direct = () =>
    kind === 'drive'
      ? oneBatch(origin.addresses.healthy)
      : filesInfo(origin.addresses.healthy, 200);
  const list = async () => {
    const { ms, text } = await listPage(subject.address, reader, workPackage, 200);
    expectStatuses(text, { ViewAllowed: 200 });
    return ms;
  };
  for (let n = 0; n < effort.warmUp; n += 1) {
    await list();
    await direct();
  }
  const [trips, lists, cpu, renamed, calls] = [[], [], [], [], []] as number[][] as [
    number[],
    number[],
    number[],
    number[],
    number[],
  ];
  for (let round = 0; round < effort.rounds; round += 1) {
    trips.push(await direct());
    await origin.calls();
    const before = subject.cpu();
    lists.push(await list());
    cpu.push(subject.cpu() - before);
    calls.push(await origin.calls());
    await origin.rename();
    renamed.push(await list());
  }
  const limit = LIST_FACTOR * median(trips) + LIST_EXTRA_MS;
  const target = `≤ ${LIST_FACTOR} × one call + ${LIST_EXTRA_MS} ms`;
  const name = `L1 ${kind}`;
  return [
    {
      name,
      measure:
        kind === 'drive'
          ? 'one batch of 20 files, past our server'
          : 'one call for 200 files, past our server',
      unit: 'ms',
      values: trips,
    },
    { name, measure: 'list of 200 links', unit: 'ms', values: lists, limit, target },
    {
      name,
      measure: 'the same where every file was renamed, so that all are saved',
      unit: 'ms',
      values: renamed,
      limit,
      target,
    },
    {
      name,
      measure: 'processor time for a list',
      unit: 'ms',
      values: [cpu.reduce((sum, one) => sum + one) / cpu.length],
    },
    { name, measure: 'calls to the storage for a list', unit: 'calls', values: calls },
    ...(kind === 'drive'
      ? []
      : [
          {
            name,
            measure: 'one file after the other, past our server',
            unit: 'ms',
            values: [await oneByOne(origin.addresses.healthy, 200)],
          } satisfies Row,
        ]),
  ];
}

/** L2: 5,000 links at once, and their memory above idle. */
export async function measureMany({ subject, origin, world, effort }: Setting): Promise<Row[]> {
  const [reader] = world.readers as [Person];
  const pages = async (workPackage: number) => {
    for (let offset = 1; offset <= MANY / LARGEST_PAGE; offset += 1)
      expectStatuses(
        (await listPage(subject.address, reader, workPackage, LARGEST_PAGE, offset)).text,
        { ViewAllowed: LARGEST_PAGE },
      );
  };
  const whole = async (workPackage: number) =>
    expectStatuses((await wholeList(subject.address, reader, workPackage)).text, {
      ViewAllowed: MANY,
    });
  const ways = [
    ['file server, GraphQL, one request', () => whole(world.server5000)],
    ['drive, GraphQL, one request', () => whole(world.drive5000)],
    ['file server, HAL, 5 pages of 1000', () => pages(world.server5000)],
    ['drive, HAL, 5 pages of 1000', () => pages(world.drive5000)],
  ] as const;
  await sleep(SETTLE_MS);
  const idle = subject.rss();
  const rows: Row[] = [];
  for (const [what, work] of ways) {
    const [times, memory, calls] = [[], [], []] as number[][] as [number[], number[], number[]];
    for (let round = 0; round < Math.ceil(effort.rounds / 4); round += 1) {
      await origin.calls();
      const started = performance.now();
      memory.push((await subject.peakDuring(work)) - idle);
      times.push(performance.now() - started);
      calls.push(await origin.calls());
    }
    rows.push(
      { name: 'L2', measure: `5000 links, ${what}`, unit: 'ms', values: times },
      {
        name: 'L2',
        measure: `5000 links, ${what}: calls to the storage`,
        unit: 'calls',
        values: calls,
      },
      {
        name: 'L2',
        measure: `5000 links, ${what}: memory over idle, highest`,
        unit: 'MiB',
        values: [Math.max(...memory)],
        limit: MEMORY_MIB,
        target: `≤ ${MEMORY_MIB} MiB`,
      },
    );
  }
  return rows;
}

/** L3: parallel readers of the same 200 links, as different users or as one user. */
export async function measureReaders({ subject, origin, world, effort }: Setting): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [who, readers] of [
    ['people', world.readers],
    ['windows of one person', world.readers.map(() => world.readers[0]!)],
  ] as const) {
    await origin.calls();
    const before = subject.cpu();
    const times = (
      await Promise.all(
        readers.map(async (reader) => {
          const mine: number[] = [];
          for (let n = 0; n < effort.lists; n += 1)
            mine.push((await listPage(subject.address, reader, world.server200, 200)).ms);
          return mine;
        }),
      )
    ).flat();
    const measure = `${readers.length} ${who} at once, ${effort.lists} lists of 200 each`;
    rows.push(
      { name: 'L3', measure: `${measure}: p50`, unit: 'ms', values: [percentile(times, 0.5)] },
      { name: 'L3', measure: `${measure}: p99`, unit: 'ms', values: [percentile(times, 0.99)] },
      {
        name: 'L3',
        measure: `${measure}: processor time for a list`,
        unit: 'ms',
        values: [(subject.cpu() - before) / times.length],
      },
      {
        name: 'L3',
        measure: `${measure}: calls to the storage`,
        unit: 'calls',
        values: [await origin.calls()],
      },
    );
  }
  return rows;
}

/** L4: 50 links each to a working file server, a working drive, a silent storage and a dead one. */
export async function measureFaults({ subject, world, deadlineMs }: Setting): Promise<Row[]> {
  const [reader] = world.readers as [Person];
  const list = async () => {
    const { ms, text } = await listPage(subject.address, reader, world.faulty, 200);
    expectStatuses(text, { ViewAllowed: 100, Error: 100 });
    return ms;
  };
  const waiting: number[] = [];
  for (let n = 0; n < FAILURES; n += 1) waiting.push(await list());
  const target = `≤ ${deadlineMs / 1000} s + ${FAULT_EXTRA_MS} ms`;
  return [
    {
      name: 'L4',
      measure: 'list with a silent and a dead storage',
      unit: 'ms',
      values: waiting,
      limit: deadlineMs + FAULT_EXTRA_MS,
      target,
      every: true,
    },
    {
      name: 'L4',
      measure: 'the next one, which leaves both alone',
      unit: 'ms',
      values: [await list()],
    },
  ];
}
