/** Measures what the process spends between `begin` and `end`. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { GCProfiler } from 'node:v8';
import type { Knex } from 'knex';
import type { Cost } from './budgets.js';

const MIB = 1024 * 1024;

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
    const { user, system } = process.cpuUsage(this.#cpu);
    return {
      cpu: (user + system) / 1000,
      memory: (Math.max(inUse(), ...this.#beforeCollections()) - this.#memory) / MIB,
      delay: this.#delay.max / 1e6,
      rows: this.#rows,
    };
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
