/** Checks that the programs give the same responses, before their costs are compared. */
import { deepEqual } from 'node:assert/strict';
import { request } from 'node:http';
import type { Generator } from './load.js';
import { seeded } from './seed.js';
import type { Subject } from './subject.js';
import type { Workload } from './workloads.js';

const SAMPLES = 5;

/** @throws AssertionError if a member differs. The order of members does not matter. */
export async function assertSameAnswers(
  subjects: readonly Subject[],
  workloads: readonly Workload[],
  generator: Generator,
): Promise<void> {
  const [ours, ...others] = subjects;
  for (const workload of workloads) {
    if (!others.some(({ name }) => workload.requests[name])) continue;
    const expected = await answers(ours!, workload, generator);
    for (const subject of others) {
      if (!workload.requests[subject.name]) continue;
      const given = await answers(subject, workload, generator);
      const different = `${subject.name} answers ${workload.name} otherwise than the server.`;
      if (subject.name === 'bare') deepEqual(given, expected, different);
      else deepEqual(given.map(filesIn), expected.map(filesIn), different);
    }
  }
}

/** Names and sizes of the files in an answer, in any order. PostGraphile writes 64-bit integers as text. */
const filesIn = (answer: unknown): string[] =>
  Array.from(
    JSON.stringify(answer).matchAll(/"fileName":"([^"]+)","fileSize":"?(\d+)/g),
    ([, name, size]) => `${name} ${size}`,
  ).sort();

async function answers(
  { name: subject, address }: Subject,
  { name, requests }: Workload,
  generator: Generator,
): Promise<unknown[]> {
  const sample = requests[subject]!.slice(0, SAMPLES);
  if (name === 'W4') {
    const { bodies } = await generator.run({
      address,
      key: seeded.key,
      requests: sample,
      connections: 1,
    });
    return bodies.map((body) => masked(JSON.parse(body)));
  }
  return Promise.all(sample.map(({ method, path, json }) => answer(address + path, method, json)));
}

function answer(url: string, method: string, json: object | undefined): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        agent: false,
        headers: {
          authorization: `Bearer ${seeded.key}`,
          ...(json && { 'content-type': 'application/json' }),
        },
      },
      (res) => {
        const chunks: Buffer[] = [];
        res
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .once('error', reject)
          .once('end', () => {
            const text = Buffer.concat(chunks).toString();
            if (res.statusCode === 200) resolve(JSON.parse(text));
            else reject(new Error(`${method} ${url} was answered with ${res.statusCode}: ${text}`));
          });
      },
    );
    sent.once('error', reject);
    sent.end(json && JSON.stringify(json));
  });
}

interface Uploaded {
  id: number;
  createdAt: string;
  _embedded: { container: { updatedAt: string } };
}

/** The key and the time of a new row differ, and every upload changes the container. */
function masked(attachment: Uploaded): unknown {
  const {
    id,
    _embedded: { container },
  } = attachment;
  const text = JSON.stringify({
    ...attachment,
    id: 0,
    createdAt: '',
    _embedded: { ...attachment._embedded, container: { ...container, updatedAt: '' } },
  });
  return JSON.parse(text.replaceAll(`/attachments/${id}`, '/attachments/ID'));
}
