/** The goals of `npm run bench`. */
import type { DatabaseKind } from './databases.js';
import type { SubjectName } from './programs.js';
import type { Measure } from './samples.js';

export interface Goal {
  database: DatabaseKind;
  workload: string;
  measure: Measure;
  /** The program of the ratio. Without it the goal is for the value itself. */
  peer?: SubjectName;
  atMost?: number;
  atLeast?: number;
}

const postgres = (
  workload: string,
  measure: Measure,
  limits: { postgraphile?: number; bare?: number },
): Goal[] =>
  Object.entries(limits).map(([peer, atMost]) => ({
    database: 'postgres',
    workload,
    measure,
    peer: peer as SubjectName,
    atMost,
  }));

const sqlite = (workload: string, atMost: number): Goal => ({
  database: 'sqlite',
  workload,
  measure: 'server',
  peer: 'bare',
  atMost,
});

const onBoth = (goal: Omit<Goal, 'database'>): Goal[] =>
  (['sqlite', 'postgres'] as const).map((database) => ({ database, ...goal }));

export const goals: readonly Goal[] = [
  ...postgres('W1', 'server', { postgraphile: 0.5, bare: 0.8 }),
  ...postgres('W1', 'server and database', { postgraphile: 0.6 }),
  ...postgres('W1+', 'server', { postgraphile: 0.5 }),
  ...postgres('W1+', 'server and database', { postgraphile: 0.6 }),
  ...postgres('W2', 'server', { bare: 1.4 }),
  ...postgres('W3', 'server', { postgraphile: 0.5, bare: 1.2 }),
  sqlite('W1', 0.9),
  sqlite('W2', 1),
  sqlite('W3', 0.8),
  ...onBoth({ workload: 'W4', measure: 'throughput', peer: 'bare', atLeast: 0.75 }),
  ...onBoth({ workload: 'W1', measure: 'p99 : median at half load', atMost: 3 }),
  {
    database: 'postgres',
    workload: 'memory',
    measure: 'idle memory after a collection',
    atMost: 130,
  },
  {
    database: 'sqlite',
    workload: 'memory',
    measure: 'idle memory after a collection',
    atMost: 110,
  },
  ...onBoth({ workload: 'W5', measure: 'file throughput', peer: 'bare', atLeast: 0.85 }),
  ...onBoth({ workload: 'W6', measure: 'file throughput', peer: 'bare', atLeast: 0.85 }),
  ...onBoth({ workload: 'W5', measure: 'memory over idle', atMost: 64 }),
  ...onBoth({ workload: 'W5x8', measure: 'memory over idle', atMost: 64 }),
];
