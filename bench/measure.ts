/** Interleaved rounds of every workload with both programs. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Generator, Request } from './load.js';
import { seeded } from './seed.js';
import type { Subject, SubjectName } from './subject.js';
import type { Workload } from './workloads.js';

export type Samples = { [measure: string]: { [name in SubjectName]: number[] } };

export interface Effort {
  rounds: number;
  /** Length of a round, and of the warm-up before the first one. */
  seconds: number;
  warmUp: number;
  fileRounds: number;
  fileBytes: number;
  parallelUploads: number;
}

const MIB = 1024 * 1024;
const SETTLE_MS = 1_500;
const WARM_UPS = 3;
const WARM_UP_BYTES = 64 * MIB;

/** Processor milliseconds per request (`W1 cpu`, of it `W1 main thread`) and requests per second (`W1 rate`). */
export async function measureRequests(
  workloads: readonly Workload[],
  subjects: readonly Subject[],
  generator: Generator,
  effort: Effort,
): Promise<Samples> {
  const samples: Samples = {};
  const run = (subject: Subject, { requests, connections }: Workload, seconds: number) =>
    generator.run({ address: subject.address, key: seeded.key, requests, connections, seconds });
  for (const workload of workloads)
    for (const subject of subjects) await run(subject, workload, effort.warmUp);
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const workload of workloads) {
      for (const subject of subjects) {
        const before = [subject.cpu(), subject.mainThreadCpu()] as const;
        const { completed, ms } = await run(subject, workload, effort.seconds);
        note(samples, `${workload.name} cpu`, subject, (subject.cpu() - before[0]) / completed);
        note(
          samples,
          `${workload.name} main thread`,
          subject,
          (subject.mainThreadCpu() - before[1]) / completed,
        );
        note(samples, `${workload.name} rate`, subject, (completed / ms) * 1000);
      }
      for (const subject of subjects) subject.emptyBlobs();
    }
  }
  return samples;
}

/** Throughput (`W5 throughput`, MB/s), processor time (`W5 cpu`, seconds per GB) and memory above idle (`W5 memory`, MiB) for large files. Idle is measured once, after a warm-up. */
export async function measureFiles(
  wanted: ReadonlySet<string>,
  subjects: readonly Subject[],
  generator: Generator,
  effort: Effort,
): Promise<Samples> {
  const samples: Samples = {};
  const idle = new Map<Subject, number>();
  for (let time = 0; time < WARM_UPS; time += 1) {
    for (const subject of subjects) {
      await download(subject, await upload(subject, WARM_UP_BYTES, 1));
      subject.emptyBlobs();
    }
  }
  await sleep(SETTLE_MS);
  for (const subject of subjects) {
    idle.set(subject, subject.rss());
    note(samples, 'idle memory', subject, subject.rss());
  }

  async function timed(name: string, subject: Subject, bytes: number, work: () => Promise<void>) {
    const cpu = subject.cpu();
    const started = performance.now();
    const peak = await subject.peakDuring(work);
    const seconds = (performance.now() - started) / 1000;
    note(samples, `${name} throughput`, subject, bytes / 1e6 / seconds);
    note(samples, `${name} cpu`, subject, (subject.cpu() - cpu) / 1000 / (bytes / 1e9));
    note(samples, `${name} memory`, subject, peak - idle.get(subject)!);
  }

  async function upload(subject: Subject, size: number, count: number): Promise<string> {
    const requests = Array.from({ length: count }, (_, n): Request => ({
      method: 'POST',
      path:
        subject.name === 'bare' ? '/raw' : `/api/v3/work_packages/${seeded.inboxes[n]}/attachments`,
      file: size,
    }));
    const { bodies } = await generator.run({
      address: subject.address,
      key: seeded.key,
      requests,
      connections: count,
    });
    if (bodies.length !== count)
      throw new Error(`${count - bodies.length} uploads were not answered.`);
    const {
      id,
      key,
      fileSize,
      size: stored,
    } = JSON.parse(bodies[0]!) as { id?: number; key?: string; fileSize?: number; size?: number };
    if ((fileSize ?? stored) !== size) throw new Error('An upload was not stored whole.');
    return subject.name === 'bare' ? `/raw/${key}` : `/api/v3/attachments/${id}/content`;
  }

  async function download(subject: Subject, path: string): Promise<void> {
    await generator.run({
      address: subject.address,
      key: seeded.key,
      requests: [{ method: 'GET', path }],
      connections: 1,
    });
  }

  for (let round = 0; round < effort.fileRounds; round += 1) {
    for (const subject of subjects) {
      let path = '';
      await timed('W5', subject, effort.fileBytes, async () => {
        path = await upload(subject, effort.fileBytes, 1);
      });
      if (wanted.has('W6'))
        await timed('W6', subject, effort.fileBytes, () => download(subject, path));
      subject.emptyBlobs();
    }
  }
  if (wanted.has('W5') && effort.parallelUploads > 0) {
    for (const subject of subjects) {
      await timed(
        'W5x8',
        subject,
        effort.fileBytes * effort.parallelUploads,
        async () => void (await upload(subject, effort.fileBytes, effort.parallelUploads)),
      );
      subject.emptyBlobs();
    }
  }
  return samples;
}

function note(samples: Samples, measure: string, { name }: Subject, value: number): void {
  const of = (samples[measure] ??= { ours: [], bare: [] });
  of[name].push(value);
}
