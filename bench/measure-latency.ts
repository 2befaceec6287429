/** The time of an answer at half of the throughput that each program reached in the same run. */
import { median } from './figures.js';
import type { Generator } from './load.js';
import type { Samples } from './samples.js';
import { seeded } from './seed.js';
import type { Subject } from './subject.js';
import type { Workload } from './workloads.js';

const CONNECTIONS = 64;

export async function measureLatency(
  workload: Workload,
  subjects: readonly Subject[],
  generator: Generator,
  effort: { rounds: number; steadySeconds: number },
  samples: Samples,
): Promise<void> {
  for (let n = 0; n < effort.rounds; n += 1) {
    for (const subject of subjects) {
      const { latency } = await generator.run({
        address: subject.address,
        key: seeded.key,
        requests: workload.requests[subject.name]!,
        connections: CONNECTIONS,
        seconds: effort.steadySeconds,
        rate: median(samples.valuesOf(workload.name, 'throughput', subject.name)) / 2,
      });
      samples.add(workload, 'median at half load', subject, latency!.median);
      samples.add(workload, 'p99 at half load', subject, latency!.p99);
      const ratio = latency!.p99 / latency!.median;
      samples.add(workload, 'p99 : median at half load', subject, ratio);
    }
  }
}
