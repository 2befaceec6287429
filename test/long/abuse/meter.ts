/**
 * Measures what the process spends between `begin` and `end`. Processors are slower while others use
 * their caches, so a fixed piece of work tells how slow this one is at the moment.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { GCProfiler } from 'node:v8';
import type { Knex } from 'knex';
import type { Cost } from './budgets.js';

const MIB = 1024 * 1024;
/** What `work` takes on the machine of the budgets while nothing else runs there, in ms. */
const WORK_MS = 16;

export class Meter {
  readonly #delay = monitorEventLoopDelay({ resolution: 1 });
  #collections = new GCProfiler();
  #cpu = process.cpuUsage();
  /** The least memory at any beginning. Buffers that are kept for reuse count as a cost. */
  #memory = Infinity;
  #rows = 0;

  constructor(databases: Iterable<Knex>) {
    for (const knex of new Set(databases))
      knex.on('query-response', (rows: unknown) => {
        if (Array.isArray(rows)) this.#rows += rows.length;
      });
    this.#delay.enable();
  }

  begin(): void {
    globalThis.gc?.();
    this.#memory = Math.min(this.#memory, inUse());
    this.#rows = 0;
    this.#collections = new GCProfiler();
    this.#collections.start();
    this.#delay.reset();
    this.#cpu = process.cpuUsage();
  }

  end(): Omit<Cost, 'answer'> {
    const cpu = millisecondsSince(this.#cpu);
    const delay = this.#delay.max / 1e6;
    const memory = (Math.max(inUse(), ...this.#beforeCollections()) - this.#memory) / MIB;
    return { cpu: cpu / slowness(), memory, delay, rows: this.#rows };
  }

  /** The memory in use before each garbage collection, where it is most. */
  #beforeCollections(): number[] {
    return this.#collections
      .stop()
      .statistics.map(
        ({ beforeGC: { heapStatistics } }) =>
          heapStatistics.usedHeapSize + heapStatistics.externalMemory,
      );
  }
}

function inUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const millisecondsSince = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

const rows = Array.from({ length: 2_000 }, (_, id) => ({
  id,
  name: `name ${id}`,
  tags: ['a', 'b'],
}));

function work(): number {
  const start = process.cpuUsage();
  for (let times = 0; times < 10; times += 1) JSON.parse(JSON.stringify(rows));
  return millisecondsSince(start);
}

/** How many times slower than on the machine of the budgets the processor is, at least once. */
const slowness = (): number => Math.max(1, work() / WORK_MS);
