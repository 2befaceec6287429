/** Throughput, processor time and memory for large files, interleaved. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Generator, Request } from './load.js';
import type { Samples } from './samples.js';
import { seeded } from './seed.js';
import type { Subject } from './subject.js';
import { fileTitles } from './workloads.js';

export interface FileEffort {
  fileRounds: number;
  fileBytes: number;
  parallelUploads: number;
}

const MIB = 1024 * 1024;
const SETTLE_MS = 1_500;
const WARM_UPS = 3;
const WARM_UP_BYTES = 64 * MIB;

/** Memory is compared with that of the idle program, which is measured once, after a warm-up. */
export async function measureFiles(
  wanted: ReadonlySet<string>,
  subjects: readonly Subject[],
  generator: Generator,
  effort: FileEffort,
  samples: Samples,
): Promise<void> {
  const idle = new Map<Subject, number>();
  for (let time = 0; time < WARM_UPS; time += 1) {
    for (const subject of subjects) {
      await download(subject, await upload(subject, WARM_UP_BYTES, 1));
      subject.emptyBlobs();
    }
  }
  await sleep(SETTLE_MS);
  for (const subject of subjects) idle.set(subject, subject.rss());

  async function timed(
    name: keyof typeof fileTitles,
    subject: Subject,
    bytes: number,
    work: () => Promise<void>,
  ) {
    const size = `${effort.fileBytes / MIB} MiB${name === 'W5x8' ? ' each' : ''}`;
    const about = { name, title: `${fileTitles[name]} of ${size}` };
    const cpu = subject.cpu();
    const started = performance.now();
    const peak = await subject.peakDuring(work);
    const seconds = (performance.now() - started) / 1000;
    samples.add(about, 'file throughput', subject, bytes / 1e6 / seconds);
    const used = (subject.cpu() - cpu) / 1000;
    samples.add(about, 'processor time per GB', subject, used / (bytes / 1e9));
    samples.add(about, 'memory over idle', subject, peak - idle.get(subject)!);
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
}
