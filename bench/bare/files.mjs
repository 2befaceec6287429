/** Multipart to disk and disk to socket, in chunks of 1 MiB. */
import busboy from 'busboy';
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const CHUNK = 1024 * 1024;

export const pathOf = (root, key) => join(root, 'kept', key.slice(0, 2), key);

/** busboy → sha256 → file, flushed and renamed. One chunk is written while the next one is read. */
export function receive(req, root, key) {
  return new Promise((resolve, reject) => {
    const parser = busboy({ headers: req.headers, highWaterMark: CHUNK, fileHwm: CHUNK });
    let metadata = '{}';
    let stored;
    parser.on('field', (_name, value) => {
      metadata = value;
    });
    parser.on('file', (_name, stream) => {
      stored = store(stream, root, key);
      stored.catch(reject);
    });
    parser.on('error', reject);
    parser.on('close', () =>
      stored.then((result) => resolve({ ...result, details: JSON.parse(metadata) }), reject),
    );
    req.pipe(parser);
  });
}

async function store(stream, root, key) {
  const incoming = join(root, 'incoming');
  await mkdir(incoming, { recursive: true });
  const temporary = join(incoming, `${key}.${randomBytes(6).toString('hex')}`);
  const handle = await open(temporary, 'wx');
  const hash = createHash('sha256');
  let size = 0;
  let held = 0;
  let batch = [];
  let writing = Promise.resolve();
  for await (const chunk of stream) {
    hash.update(chunk);
    size += chunk.byteLength;
    held += chunk.byteLength;
    batch.push(chunk);
    if (held < CHUNK) continue;
    await writing;
    writing = handle.writev(batch);
    batch = [];
    held = 0;
  }
  await writing;
  if (batch.length > 0) await handle.writev(batch);
  await handle.sync();
  await handle.close();
  const target = pathOf(root, key);
  const created = await mkdir(dirname(target), { recursive: true });
  await rename(temporary, target);
  await flush(dirname(target));
  if (created) await flush(dirname(created));
  return { size, hash: hash.digest('hex') };
}

async function flush(folder) {
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}

export async function send(res, path, size) {
  res.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': size });
  await pipeline(createReadStream(path, { highWaterMark: CHUNK }), res);
}
