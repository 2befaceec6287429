/** The time of tasks with many files: small pictures of photographs, and one archive. */
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import type { Generator } from './load.js';
import type { Samples } from './samples.js';
import { seeded } from './seed.js';
import type { Subject } from './subject.js';

const PHOTOGRAPHS = 60;
const ARCHIVED = 10_000;
const ARCHIVED_BYTES = 1_000;
const UPLOADS_AT_ONCE = 8;
const POLL_MS = 100;
const titles = {
  W7: `small pictures of ${PHOTOGRAPHS} photographs, from the first upload on`,
  W8: `an archive of ${ARCHIVED} files of 1 kB`,
};
const headers = { authorization: `Bearer ${seeded.key}` };
const [photographs, archived] = seeded.items as [number, number];

export async function measureMany(
  wanted: ReadonlySet<string>,
  subject: Subject,
  generator: Generator,
  samples: Samples,
): Promise<void> {
  const timed = async (name: keyof typeof titles, work: () => Promise<void>) => {
    const started = performance.now();
    await work();
    const seconds = (performance.now() - started) / 1000;
    samples.add({ name, title: titles[name] }, 'time', subject, seconds);
    subject.emptyBlobs();
  };
  if (wanted.has('W7')) {
    const photograph = await makePhotograph();
    await timed('W7', async () => {
      for (let n = 0; n < PHOTOGRAPHS; n += 1) await upload(subject, photograph, `${n}.jpg`);
      while ((await picturesReady(subject)) < PHOTOGRAPHS) await sleep(POLL_MS);
    });
  }
  if (wanted.has('W8')) {
    const { completed } = await generator.run({
      address: subject.address,
      key: seeded.key,
      requests: Array.from({ length: ARCHIVED }, () => ({
        method: 'POST',
        path: attachmentsOf(archived),
        file: ARCHIVED_BYTES,
      })),
      connections: UPLOADS_AT_ONCE,
    });
    if (completed !== ARCHIVED) throw new Error(`Only ${completed} files were uploaded.`);
    await timed('W8', () => readArchive(subject));
  }
}

const attachmentsOf = (id: number) => `/api/v3/work_packages/${id}/attachments`;

/** 12 megapixels with noise. */
const makePhotograph = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 4_000,
      height: 3_000,
      channels: 3,
      background: '#7090a0',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .jpeg({ quality: 90 })
    .toBuffer();

async function upload({ address }: Subject, content: Buffer, fileName: string): Promise<void> {
  const body = new FormData();
  body.append('metadata', JSON.stringify({ fileName }));
  body.append('file', new Blob([new Uint8Array(content)], { type: 'image/jpeg' }), fileName);
  const path = attachmentsOf(photographs);
  const { status } = await fetch(`${address}${path}`, { method: 'POST', headers, body });
  if (status !== 200) throw new Error(`An upload was answered with ${status}.`);
}

async function picturesReady({ address }: Subject): Promise<number> {
  const answer = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `{ workPackage(id: ${photographs}) { attachments(first: 100) { nodes { previewState } } } }`,
    }),
  });
  const { data } = (await answer.json()) as {
    data: { workPackage: { attachments: { nodes: { previewState: string }[] } } };
  };
  const states = data.workPackage.attachments.nodes.map(({ previewState }) => previewState);
  if (states.includes('FAILED') || states.includes('NONE'))
    throw new Error('A small picture was not made.');
  return states.filter((state) => state === 'READY').length;
}

async function readArchive({ address }: Subject): Promise<void> {
  const answer = await fetch(`${address}${attachmentsOf(archived)}/archive`, { headers });
  let size = 0;
  for await (const chunk of answer.body!) size += chunk.byteLength;
  if (answer.status !== 200 || size < ARCHIVED * ARCHIVED_BYTES)
    throw new Error(`The archive was answered with ${answer.status} and ${size} bytes.`);
}
