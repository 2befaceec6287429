/**
 * `npm run bench:downloads`: what 2,000 slow readers cost, and how fast a quick download is beside them.
 *
 * `--readers 2000` another number. It exits with 1 if a budget is exceeded.
 */
import 'reflect-metadata';
import { request } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { progress } from '../run.js';
import { seed, seeded } from '../seed.js';
import { Subject } from '../subject.js';
import { openSlowReaders } from './slow-readers.js';

const MIB = 1024 * 1024;
/** Memory of all slow readers together, in MiB, and the lowest share of the speed without them. */
const budgets = { memory: 400, speed: 0.8 };
const FILE_BYTES = 256 * MIB;
/** Some clients stop at once. Others first read so much that the server reads far ahead. */
const EAGER = [0, 8 * MIB];
const ROUNDS = 7;
const SETTLE_MS = 3_000;

const { values } = parseArgs({ options: { readers: { type: 'string', default: '2000' } } });
const readers = Number(values.readers);
const folder = mkdtempSync(join(tmpdir(), 'moorage-downloads-'));
try {
  process.exitCode = (await measure()) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<boolean> {
  const database = `sqlite:${join(folder, 'db.sqlite3')}`;
  await seed(database);
  const subject = await Subject.startWith({
    DATABASE_URL: database,
    BLOB_STORE: `disk:${join(folder, 'blobs')}`,
    ATTACHMENT_MAX_SIZE: String(FILE_BYTES),
    DOWNLOADS_PER_USER: '100000',
  });
  try {
    const path = await storeFile(subject.address);
    await speed(subject, path);
    const alone = await speed(subject, path);
    const base = subject.rss();
    progress(`${readers} slow readers`);
    const slow = await openSlowReaders(
      { address: subject.address, path, key: seeded.key },
      readers,
      EAGER,
    );
    await sleep(SETTLE_MS);
    const memory = subject.rss() - base;
    const beside = await speed(subject, path);
    const held = slow.open();
    slow.close();
    const share = beside.rate / alone.rate;
    progress(`${held} of ${readers} readers were still served at the end`);
    progress(`memory over base ${memory.toFixed()} MiB (budget ${budgets.memory})`);
    progress(
      `quick download ${text(alone)} alone, ${text(beside)} beside them: ` +
        `${(share * 100).toFixed()} % (budget ${budgets.speed * 100} %)`,
    );
    return held === readers && memory <= budgets.memory && share >= budgets.speed;
  } finally {
    await subject.stop();
  }
}

async function storeFile(address: string): Promise<string> {
  const form = new FormData();
  form.append('metadata', new Blob([JSON.stringify({ fileName: 'film.bin' })]));
  form.append('file', new Blob([new Uint8Array(FILE_BYTES)]), 'film.bin');
  const answer = await fetch(`${address}/api/v3/work_packages/${seeded.inboxes[0]}/attachments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seeded.key}` },
    body: form,
  });
  if (!answer.ok) throw new Error(`The upload was answered with ${answer.status}.`);
  const { id } = (await answer.json()) as { id: number };
  return `/api/v3/attachments/${id}/content`;
}

interface Speed {
  /** MB per second. */
  rate: number;
  /** Processor seconds of the server per GB. */
  cpu: number;
}

function text({ rate, cpu }: Speed): string {
  return `${rate.toFixed()} MB/s (${cpu.toFixed(2)} s/GB)`;
}

/** The median of some downloads at full speed. */
async function speed(subject: Subject, path: string): Promise<Speed> {
  const rates: number[] = [];
  const cpu = subject.cpu();
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    await download(subject.address + path);
    rates.push(FILE_BYTES / 1e3 / (performance.now() - started));
  }
  const spent = (subject.cpu() - cpu) / 1e3 / ((ROUNDS * FILE_BYTES) / 1e9);
  return { rate: rates.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!, cpu: spent };
}

function download(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { authorization: `Bearer ${seeded.key}` } }, (response) => {
      response.once('end', resolve).once('error', reject).resume();
    })
      .once('error', reject)
      .end();
  });
}
