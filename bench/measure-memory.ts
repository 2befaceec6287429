/** The resident memory of a program that has answered many requests and is idle. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Generator } from './load.js';
import type { Samples } from './samples.js';
import { seeded } from './seed.js';
import type { Subject } from './subject.js';
import { requestWorkloads, type WorkloadName } from './workloads.js';

/** Parts of the requests. Most are small, as those of people are. */
const SHARES: { [workload in WorkloadName]?: number } = { W1: 0.94, W2: 0.02, W3: 0.02, W4: 0.02 };
const LONGEST_MS = 60_000;
const SAMPLE_MS = 500;
const COLLECT_MS = 2_000;

/** For Node.js: the program collects garbage when it gets the signal. */
export const collecting = ['--expose-gc', '--import', new URL('collect.mjs', import.meta.url).href];

export interface MemoryEffort {
  /** The number of requests before idle memory is read. */
  memoryRequests: number;
  /** A program is idle when its memory has not become less for this time. */
  calmSeconds: number;
}

export async function measureMemory(
  subjects: readonly Subject[],
  generator: Generator,
  { memoryRequests, calmSeconds }: MemoryEffort,
  samples: Samples,
): Promise<void> {
  const about = { name: 'memory', title: `after ${memoryRequests} requests` };
  for (const subject of subjects) {
    for (const { name, requests, connections } of requestWorkloads) {
      const count = Math.round(memoryRequests * (SHARES[name] ?? 0));
      const own = requests[subject.name]!;
      if (count > 0)
        await generator.run({
          address: subject.address,
          key: seeded.key,
          requests: Array.from({ length: count }, (_, n) => own[n % own.length]!),
          connections,
        });
    }
    samples.add(about, 'idle memory', subject, await idleMemory(subject, calmSeconds));
    subject.signal('SIGUSR2');
    await sleep(COLLECT_MS);
    samples.add(
      about,
      'idle memory after a collection',
      subject,
      await idleMemory(subject, calmSeconds),
    );
    subject.emptyBlobs();
  }
}

/** The least resident memory, in MiB. A process gives memory back some time after its work. */
async function idleMemory(subject: Subject, calmSeconds: number): Promise<number> {
  const last = performance.now() + LONGEST_MS;
  let least = subject.rss();
  let since = performance.now();
  while (performance.now() - since < calmSeconds * 1000 && performance.now() < last) {
    await sleep(SAMPLE_MS);
    const now = subject.rss();
    if (now < least) {
      least = now;
      since = performance.now();
    }
  }
  return least;
}
