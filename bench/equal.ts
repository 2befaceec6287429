/** Checks that both programs give the same responses, before their costs are compared. */
import { deepEqual } from 'node:assert/strict';
import { request } from 'node:http';
import type { Generator } from './load.js';
import { seeded } from './seed.js';
import type { Subject } from './subject.js';
import { requestWorkloads, type Workload } from './workloads.js';

const SAMPLES = 5;

/** @throws AssertionError if a member differs. The order of members does not matter. */
export async function assertSameAnswers(
  subjects: readonly [Subject, Subject],
  generator: Generator,
): Promise<void> {
  for (const workload of requestWorkloads) {
    const ours = await answers(subjects[0], workload, generator);
    const bare = await answers(subjects[1], workload, generator);
    deepEqual(bare, ours, `The bare program answers ${workload.name} otherwise than the server.`);
  }
}

async function answers(
  { address }: Subject,
  { name, requests }: Workload,
  generator: Generator,
): Promise<unknown[]> {
  const sample = requests.slice(0, SAMPLES);
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
