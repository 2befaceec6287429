/** Interleaved rounds of every workload with every program: processor time per request, and throughput. */
import { databaseCpu } from './database-cpu.js';
import type { Databases } from './databases.js';
import type { Generator } from './load.js';
import type { Samples } from './samples.js';
import { seeded } from './seed.js';
import type { Subject } from './subject.js';
import type { Workload } from './workloads.js';

export interface RequestEffort {
  rounds: number;
  /** Length of a round, and of the warm-up before the first one. */
  seconds: number;
  warmUp: number;
}

interface Setting {
  subjects: readonly Subject[];
  generator: Generator;
  databases: Databases;
}

export async function measureRequests(
  workloads: readonly Workload[],
  { subjects, generator, databases }: Setting,
  effort: RequestEffort,
  samples: Samples,
): Promise<void> {
  const { postmaster } = databases;
  const databaseTime = () => (postmaster === undefined ? 0 : databaseCpu(postmaster));
  const takingPart = ({ requests }: Workload) => subjects.filter(({ name }) => requests[name]);
  const run = (subject: Subject, workload: Workload, seconds: number) =>
    generator.run({
      address: subject.address,
      key: seeded.key,
      requests: workload.requests[subject.name]!,
      connections: workload.connections,
      seconds,
    });

  async function round(subject: Subject, workload: Workload): Promise<void> {
    const before = [subject.cpu(), subject.mainThreadCpu(), databaseTime()] as const;
    const { completed, ms } = await run(subject, workload, effort.seconds);
    const server = (subject.cpu() - before[0]) / completed;
    samples.add(workload, 'server', subject, server);
    const main = (subject.mainThreadCpu() - before[1]) / completed;
    samples.add(workload, 'main thread', subject, main);
    if (postmaster !== undefined) {
      const database = (databaseTime() - before[2]) / completed;
      samples.add(workload, 'database', subject, database);
      samples.add(workload, 'server and database', subject, server + database);
    }
    samples.add(workload, 'throughput', subject, (completed / ms) * 1000);
  }

  for (const workload of workloads)
    for (const subject of takingPart(workload)) await run(subject, workload, effort.warmUp);
  for (let n = 0; n < effort.rounds; n += 1) {
    for (const workload of workloads) {
      for (const subject of takingPart(workload)) await round(subject, workload);
      for (const subject of subjects) subject.emptyBlobs();
      await databases.vacuum();
    }
  }
}
