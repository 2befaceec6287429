/** Bytes that are freed as they are read: the reader gets all of them, and they are gone afterwards. */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { freeAsRead } from '../../../src/blobs/free-bytes.js';
import { expect, test } from '../../support/jest.js';

const bytes = randomBytes(5_000_000);
const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

/** Reads everything and frees it. @returns the digest, and the chunks, which were freed */
async function consumed(source: Readable): Promise<{ hash: string; chunks: Uint8Array[] }> {
  const hash = createHash('sha256');
  const chunks: Uint8Array[] = [];
  await new Promise((resolve, reject) => {
    source.on('data', (chunk: Uint8Array) => {
      hash.update(chunk);
      chunks.push(chunk);
    });
    freeAsRead(source);
    source.on('end', resolve).on('error', reject);
  });
  return { hash: hash.digest('hex'), chunks };
}

/** Calls `use` with a function that requests a path over one connection that is kept open. */
async function withServer(
  use: (request: (path: string) => Promise<IncomingMessage>) => Promise<void>,
): Promise<void> {
  const server = createServer((req, res) => {
    // Without a length the body is chunked, and a packet can have several chunks.
    if (req.url === '/whole') res.setHeader('Content-Length', bytes.byteLength);
    for (let start = 0; start < bytes.byteLength; start += 10_000)
      res.write(bytes.subarray(start, start + 10_000));
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    await use(
      (path) =>
        new Promise((resolve, reject) =>
          get(
            { port: (server.address() as AddressInfo).port, host: '127.0.0.1', path, agent },
            resolve,
          ).on('error', reject),
        ),
    );
  } finally {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  }
}

test.each(['/whole', '/chunked'])('a body is complete: %s', async (path) => {
  await withServer(async (request) => {
    const { hash, chunks } = await consumed(await request(path));
    expect(hash).toBe(hashOf(bytes));
    expect(chunks.filter(({ byteLength }) => byteLength > 0)).toEqual([]);
  });
});

test('the next body of the same connection is read and kept as usual', async () => {
  await withServer(async (request) => {
    const first = await request('/whole');
    const { socket } = first;
    await consumed(first);
    const second = await request('/whole');
    expect(second.socket).toBe(socket);
    const kept: Buffer[] = [];
    for await (const chunk of second as AsyncIterable<Buffer>) kept.push(chunk);
    expect(hashOf(Buffer.concat(kept))).toBe(hashOf(bytes));
  });
});

test('a file is complete', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'moorage-free-')), 'file');
  writeFileSync(path, bytes);
  expect((await consumed(createReadStream(path))).hash).toBe(hashOf(bytes));
});

test('chunks that share their memory are not freed', async () => {
  const whole = Buffer.alloc(3_000, 'x');
  const parts = [0, 1_000, 2_000].map((start) => whole.subarray(start, start + 1_000));
  const { hash, chunks } = await consumed(Readable.from(parts, { objectMode: false }));
  expect(hash).toBe(hashOf(Buffer.alloc(3_000, 'x')));
  expect(chunks.map(({ byteLength }) => byteLength)).toEqual([1_000, 1_000, 1_000]);
});
