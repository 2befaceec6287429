/** The checks of a run. */
import type { DatabaseKind } from '../databases.js';
import type { Overload } from './overload.js';
import type { Peak } from './peak.js';
import type { Soak } from './soak.js';

export interface Measured {
  database: DatabaseKind;
  /** ISO time in UTC of the start. */
  at: string;
  /** Load averages of the machine. */
  load: { start: number; end: number };
  /** Concurrent requests while the processor is busy. */
  busyRequests: number;
  mixed: Peak;
  soak: Soak;
  lists: Peak;
  /** First over five times the connections of the peak. If no request is refused, then over more connections. */
  overloads: Overload[];
  /** Log lines that report errors. */
  faults: string[];
}

export interface Check {
  database: DatabaseKind;
  name: string;
  met: boolean;
  detail: string;
}

/** The growth that is allowed without a leak. */
interface Tolerance {
  /** As a share of the value at the start. */
  growth: number;
  /** MiB of the heap. In a run of a minute, compiled code and caches still grow. */
  heapFloor: number;
  /** Whether resident memory counts too. */
  resident: boolean;
  recoveryMs: number;
  /** An overload without refusals passes if responses are faster than this. */
  boundedMs: number;
}

export const wholeRun: Tolerance = {
  growth: 0.05,
  heapFloor: 0,
  resident: true,
  recoveryMs: 5_000,
  boundedMs: 1_000,
};
export const shortRun: Tolerance = {
  growth: 0.05,
  heapFloor: 6,
  resident: false,
  recoveryMs: 10_000,
  boundedMs: 5_000,
};

/** Pools may hold one connection more than at the start. */
const DESCRIPTORS = 4;
/** The server checks one second out of this number. A process that waits for its database or a processor refuses no request. */
const BUSY_SECONDS = 4;
/** The health endpoint runs on the overloaded thread too. */
const HEALTH_MS = 5_000;

export function checksOf(
  { database, busyRequests, mixed, soak, lists, overloads, faults }: Measured,
  { growth, heapFloor, resident, recoveryMs, boundedMs }: Tolerance,
): Check[] {
  const checks: Check[] = [];
  const check = (name: string, met: boolean, detail: string) =>
    void checks.push({ database, name, met, detail });
  const { start, end, rows, problems, streams } = soak;
  const nothing = (found: object) => Object.keys(found).length === 0;

  const climbing = [mixed, lists].flatMap(({ ladder }) =>
    ladder.filter((rung) => !nothing(rung.problems)).map((rung) => rung.problems),
  );
  check(
    'finding the maximum: answers as intended',
    climbing.length === 0,
    JSON.stringify(climbing),
  );
  check(
    'soak: answers as intended',
    nothing(problems) && soak.windows.every(({ count }) => count > 0),
    JSON.stringify(problems),
  );
  check(
    'soak: every subscription got an event',
    streams.events > 0 && !('a subscription' in problems),
    `${streams.opened} opened, ${streams.events} events`,
  );
  check(
    'soak: heap and buffers',
    end.heap <= start.heap + Math.max(start.heap * growth, heapFloor),
    `${mib(start.heap)} → ${mib(end.heap)}`,
  );
  if (resident)
    check(
      'soak: resident memory',
      end.resident <= start.resident * (1 + growth),
      `${mib(start.resident)} → ${mib(end.resident)}`,
    );
  check(
    'soak: file descriptors',
    end.descriptors <= start.descriptors + DESCRIPTORS,
    `${start.descriptors} → ${end.descriptors}`,
  );
  // A client that was disconnected between an upload and its deletion leaves one row at most.
  check(
    'soak: deletions delete',
    soak.cutOff <= soak.connections,
    `${soak.cutOff} attachments left by ${soak.connections} connections`,
  );
  const left = Object.keys(rows.start).filter(
    (table) => !HISTORY.has(table) && rows.start[table] !== rows.end[table],
  );
  check(
    'soak: no rows left behind',
    left.length === 0,
    left.map((table) => `${table}: ${rows.start[table]} → ${rows.end[table]}`).join(', '),
  );

  const refusing = overloads.at(-1)!;
  check(
    'overload: refused with 503 and Retry-After, or answered soon',
    overloads.every((one) => one.refused > 0 || one.p99 <= boundedMs),
    overloads
      .map(
        (one) =>
          `${one.connections} connections: ${one.refused} refused, p99 of the others ${one.p99.toFixed(0)} ms`,
      )
      .join('; '),
  );
  check(
    'overload: some requests refused if the processor was busy',
    refusing.connections > busyRequests &&
      (refusing.refused > 0 || refusing.busySeconds < BUSY_SECONDS),
    `${refusing.connections} connections, ${busyRequests} at the same time, ${refusing.refused} refused${refusing.refused > 0 ? '' : `, the event loop always at work for ${refusing.busySeconds} s`}`,
  );
  check(
    'overload: answers as intended, refusals with their body',
    overloads.every((one) => nothing(one.problems) && one.rate > 0),
    JSON.stringify(overloads.map((one) => one.problems)),
  );
  check(
    'overload: health is honest',
    overloads.every(
      ({ seen }) =>
        seen.problems.length === 0 && Math.max(seen.live.max, seen.ready.max) <= HEALTH_MS,
    ),
    JSON.stringify(overloads.map(({ seen }) => seen)),
  );
  check(
    'overload: recovers',
    overloads.every(({ recovery }) => recovery <= recoveryMs),
    overloads.map(({ recovery }) => `${recovery.toFixed(0)} ms`).join(', '),
  );
  check('no fault in the log', faults.length === 0, faults.slice(0, 3).join('\n'));
  return checks;
}

/** Every change adds to these. */
const HISTORY = new Set(['events', 'activities']);

const mib = (value: number) => `${value.toFixed(1)} MiB`;
