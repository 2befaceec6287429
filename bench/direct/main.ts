/**
 * `npm run bench:direct`: the throughput of background work for direct uploads, on PostgreSQL and Ceph's gateway.
 *
 * D1 completions per second, from the first completion to the last finalised attachment, with 1 and with 4 processes.
 * D2 the finalisation of 1 GiB, and the memory of ten in a row. The reference is a copy in the store, and a program that only reads and hashes it.
 * `--quick` uses fewer and smaller files, `--only D2` runs one part. A full run is saved as `bench/results/direct.{json,md}`.
 */
import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { readConfig } from '../../src/config.js';
import type { Services } from '../../src/context.js';
import { migrate } from '../../src/database/migrations.js';
import { CHANNEL } from '../../src/events/record.js';
import { Attachment, AttachmentStatus } from '../../src/models/attachment.js';
import { timestamps } from '../../src/models/record.js';
import { openServices } from '../../src/services.js';
import { factories, type Person } from '../../test/support/factories.js';
import { startPostgres } from '../../test/support/postgres.js';
import { freshBucket, s3Environment, startRgw } from '../../test/support/rgw.js';
import { Subject } from '../subject.js';

const MIB = 1024 * 1024;
const {
  values: { quick, only },
} = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: 'D1,D2' },
  },
});
const effort = quick
  ? { files: 200, rounds: 1, bytes: 256 * MIB, times: 3 }
  : { files: 1000, rounds: 3, bytes: 1024 * MIB, times: 10 };
const SMALL = 10_000;
const CLIENTS = 16;
/** The memory of the finaliser above idle, and its throughput relative to the bare reader. */
const targets = { memory: 64, throughput: 0.8 };

const progress = (text: string) =>
  void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
const median = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

// Objects are on disk, as in a real store.
process.env['RGW_STORE'] = 'bluestore';
const [rgw, postgres] = await Promise.all([startRgw(), startPostgres()]);
try {
  const environment = {
    ...s3Environment(await freshBucket(rgw)),
    DATABASE_URL: await freshDatabase(),
    ATTACHMENT_MAX_SIZE: String(2 ** 40),
    PENDING_UPLOADS: '1000000',
    PENDING_UPLOAD_BYTES: String(2 ** 50),
  };
  const services = openServices(readConfig(environment), pino({ level: 'silent' }));
  await migrate(services.db);
  const person = await factories(services).user({ admin: true });
  const completions = only.includes('D1')
    ? await measureCompletions(services, environment, person)
    : [];
  const finaliser = only.includes('D2')
    ? await measureFinaliser(services, environment, person)
    : { copies: [], raw: [], rawCpu: [], ours: [], oursCpu: [], growth: [] };
  await services.close();
  report(completions, finaliser);
} finally {
  await Promise.all([rgw.stop(), postgres.stop()]);
}

async function freshDatabase(): Promise<string> {
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  await admin.query('create database direct');
  await admin.end();
  return postgres.url.replace(/\/postgres$/, '/direct');
}

/** A prepared upload whose bytes are in the store. */
async function staged(
  { db, blobs }: Services,
  person: Person,
  n: number,
  content: AsyncIterable<Uint8Array>,
  fileSize: number,
): Promise<Attachment> {
  const stagingKey = `staging/bench-${n}-${Date.now().toString(36)}`;
  await blobs.put(stagingKey, content);
  return Attachment.query(db.write)
    .insert({
      authorId: person.id,
      fileName: `bench-${n}.bin`,
      descriptionText: '',
      contentType: 'application/octet-stream',
      fileSize,
      digestAlgorithm: 'sha256',
      digestHash: '',
      status: AttachmentStatus.PREPARED,
      phase: 'kept',
      blobKey: `bench-${n}-${Date.now().toString(36)}`,
      stagingKey,
      ...timestamps(new Date().toISOString()),
    })
    .returning('*');
}

async function complete(address: string, person: Person, id: number): Promise<void> {
  const { status } = await fetch(`${address}/api/v3/attachments/${id}/uploaded`, {
    headers: { authorization: `Bearer ${person.key}` },
  });
  if (status !== 200) throw new Error(`A completion was answered with ${status}.`);
}

function unfinished({ db }: Services): Promise<number> {
  return Attachment.query(db.read).where('status', AttachmentStatus.PREPARED).resultSize();
}

async function measureCompletions(
  services: Services,
  environment: { [name: string]: string },
  person: Person,
): Promise<{ processes: number; perSecond: number[] }[]> {
  const results = [];
  for (const processes of [1, 4]) {
    const subjects = await Promise.all(
      Array.from({ length: processes }, () => Subject.startWith(environment)),
    );
    const perSecond: number[] = [];
    for (let round = 0; round < effort.rounds; round += 1) {
      progress(`D1: ${effort.files} completions, ${processes} process${processes > 1 ? 'es' : ''}`);
      const rows: Attachment[] = [];
      const next = Array.from({ length: effort.files }, (_, n) => n);
      const eachOf = (work: (n: number) => Promise<void>) =>
        Promise.all(
          Array.from({ length: CLIENTS }, async () => {
            for (let n = next.pop(); n !== undefined; n = next.pop()) await work(n);
          }),
        );
      await eachOf(
        async (n) =>
          void rows.push(
            await staged(
              services,
              person,
              n,
              (async function* bytes() {
                yield Buffer.alloc(SMALL, n);
              })(),
              SMALL,
            ),
          ),
      );
      next.push(...rows.keys());
      const started = performance.now();
      await eachOf((n) => complete(subjects[n % processes]!.address, person, rows[n]!.id));
      while ((await unfinished(services)) > 0) await sleep(10);
      perSecond.push(effort.files / ((performance.now() - started) / 1000));
    }
    await Promise.all(subjects.map((subject) => subject.stop()));
    results.push({ processes, perSecond });
  }
  return results;
}

/** Milliseconds of each time, of the clock or of the processor, and memory in MiB. */
interface Finalisations {
  /** Copies inside the store. */
  copies: number[];
  /** The bare reader. */
  raw: number[];
  rawCpu: number[];
  ours: number[];
  oursCpu: number[];
  growth: number[];
}

async function measureFinaliser(
  services: Services,
  environment: { [name: string]: string },
  person: Person,
): Promise<Finalisations> {
  const subject = await Subject.startWith(environment);
  const result: Finalisations = {
    copies: [],
    raw: [],
    rawCpu: [],
    ours: [],
    oursCpu: [],
    growth: [],
  };
  // Polling would take processor time from the finaliser.
  let announced: () => void = () => undefined;
  const listening = await services.db.listen!(
    CHANNEL,
    () => announced(),
    () => undefined,
  );
  const chunk = Buffer.alloc(MIB, 'x');
  async function* bytes(size: number) {
    for (let sent = 0; sent < size; sent += MIB) yield chunk;
  }
  const finalise = async (row: Attachment) => {
    const finished = new Promise<void>((resolve) => {
      announced = () =>
        void unfinished(services).then((count) => (count === 0 ? resolve() : undefined));
    });
    await complete(subject.address, person, row.id);
    await finished;
  };
  // A small one first, so that all code is loaded.
  await finalise(await staged(services, person, 0, bytes(16 * MIB), 16 * MIB));
  await sleep(1_500);
  const idle = subject.rss();
  for (let time = 0; time < effort.times; time += 1) {
    progress(`D2: ${effort.bytes / MIB} MiB, ${time + 1} of ${effort.times}`);
    const row = await staged(services, person, time, bytes(effort.bytes), effort.bytes);
    const copyStarted = performance.now();
    await services.blobs.copy(row.stagingKey!, 'bare-copy');
    result.copies.push(performance.now() - copyStarted);
    const url = await services.blobs.url!('bare-copy', {
      contentType: 'application/octet-stream',
      disposition: 'attachment',
      seconds: 600,
    });
    const raw = JSON.parse(
      execFileSync(process.execPath, [fileURLToPath(new URL('raw.mjs', import.meta.url)), url], {
        encoding: 'utf8',
      }),
    ) as { ms: number; cpu: number };
    result.raw.push(raw.ms);
    result.rawCpu.push(raw.cpu);
    await services.blobs.remove('bare-copy');
    const used = subject.cpu();
    const started = performance.now();
    const peak = await subject.peakDuring(() => finalise(row));
    result.ours.push(performance.now() - started);
    result.oursCpu.push(subject.cpu() - used);
    result.growth.push(peak - idle);
    await fetch(`${subject.address}/api/v3/attachments/${row.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${person.key}` },
    });
  }
  await listening.close();
  await subject.stop();
  return result;
}

function report(
  completions: { processes: number; perSecond: number[] }[],
  finaliser: Finalisations,
): void {
  const { copies, raw, rawCpu, ours, oursCpu, growth } = finaliser;
  const bare = raw.map((ms, time) => ms + copies[time]!);
  const throughput = (ms: number[]) => effort.bytes / 1e6 / (median(ms) / 1000);
  const ranged = (ms: number[]) =>
    `${(effort.bytes / 1e3 / Math.max(...ms)).toFixed(0)}–${(effort.bytes / 1e3 / Math.min(...ms)).toFixed(0)}`;
  const perGb = (cpu: number[]) => (median(cpu) / 1000 / (effort.bytes / 1e9)).toFixed(2);
  const ratio = throughput(ours) / throughput(bare);
  const met = (ok: boolean) => (ok ? 'met' : '**missed**');
  const markdown = [
    '# Direct upload',
    '',
    `${new Date().toISOString()}, Node ${process.versions.node}, ${availableParallelism()} processors, which the store, the database and the clients share${quick ? '; quick run: figures are rough' : ''}. Medians.`,
    'PostgreSQL, Ceph RGW with its objects on disk (bluestore). A finalisation copies the object inside the store, reads the copy once, and commits.',
    '',
    '| | measure | figure | target | |',
    '|---|---|---|---|---|',
    ...completions.map(
      ({ processes, perSecond }) =>
        `| D1 | completed and finalised per second, ${effort.files} files of ${SMALL / 1000} kB, ${processes} process${processes > 1 ? 'es' : ''} | ${median(perSecond).toFixed(0)} (${Math.min(...perSecond).toFixed(0)}–${Math.max(...perSecond).toFixed(0)}) | | |`,
    ),
    ...(ours.length === 0
      ? []
      : [
          `| D2 | bare read and hash of ${effort.bytes / MIB} MiB, MB/s | ${throughput(raw).toFixed(0)} (${ranged(raw)}) | | |`,
          `| D2 | the same after a copy in the store, MB/s | ${throughput(bare).toFixed(0)} (${ranged(bare)}) | | |`,
          `| D2 | processor time of the finaliser : of the bare reader, s per GB | ${perGb(oursCpu)} : ${perGb(rawCpu)} | | |`,
          `| D2 | finalisation of it, completion to commit, MB/s | ${throughput(ours).toFixed(0)} (${ranged(ours)}), ${(ratio * 100).toFixed(0)} % of bare copy, read and hash | ≥ ${targets.throughput * 100} % | ${met(ratio >= targets.throughput)} |`,
          `| D2 | memory over idle during ${effort.times} in a row, MiB, highest | ${Math.max(...growth).toFixed(0)} (${growth.map((value) => value.toFixed(0)).join(', ')}) | ≤ ${targets.memory} | ${met(Math.max(...growth) <= targets.memory)} |`,
        ]),
    '',
  ].join('\n');
  const results = fileURLToPath(
    new URL(quick || only !== 'D1,D2' ? '../results/local/' : '../results/', import.meta.url),
  );
  mkdirSync(results, { recursive: true });
  writeFileSync(`${results}direct.md`, markdown);
  writeFileSync(
    `${results}direct.json`,
    `${JSON.stringify({ at: new Date().toISOString(), quick, completions, finaliser }, null, 2)}\n`,
  );
  process.stdout.write(`\n${markdown}`);
}
