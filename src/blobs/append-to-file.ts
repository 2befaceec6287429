/** Writes bytes that arrive into a file on a disk, and says how many of them a crash leaves. */
import { fdatasync, fstat, writev as writeBuffers, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import { BytesMissing } from './store.js';

const sync = promisify(fdatasync);
const stats = promisify(fstat) as (file: number) => Promise<Stats>;
const writev = promisify(writeBuffers) as (
  file: number,
  chunks: Uint8Array[],
  position: number,
) => Promise<{ bytesWritten: number }>;

/** Size of writes, in bytes. */
const CHUNK = 1024 * 1024;
/** After so many bytes they are flushed. A killed process loses less than these. */
const FLUSH = 32 * CHUNK;

/** The bytes stand at their places: two requests that send the same bytes do no harm. */
export async function appendToFile(
  file: number,
  offset: number,
  body: AsyncIterable<Uint8Array>,
  durable: (end: number) => Promise<void>,
): Promise<void> {
  const { size } = await stats(file);
  if (size < offset) throw new BytesMissing(size);
  let end = offset;
  let flushed = offset;
  let batch: Uint8Array[] = [];
  let held = 0;
  let writing: Promise<void> = Promise.resolve();
  const write = async () => {
    const chunks = batch;
    const position = end;
    batch = [];
    end += held;
    held = 0;
    await writing;
    writing = writeAll(file, chunks, position);
    // If it fails, the next `await writing` throws. Until then, it is no unhandled rejection.
    writing.catch(() => undefined);
  };
  const flush = async () => {
    await write();
    await writing;
    if (end === flushed) return;
    await sync(file);
    flushed = end;
    await durable(end);
  };
  try {
    for await (const chunk of body) {
      batch.push(chunk);
      held += chunk.byteLength;
      if (held >= CHUNK) await write();
      if (end - flushed >= FLUSH) await flush();
    }
  } catch (error) {
    await flush();
    throw error;
  }
  await flush();
}

async function writeAll(file: number, chunks: Uint8Array[], position: number): Promise<void> {
  let rest = chunks;
  let from = position;
  let wanted = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  while (wanted > 0) {
    // After a short write, the next one reports the reason, such as ENOSPC.
    const { bytesWritten } = await writev(file, rest, from);
    from += bytesWritten;
    wanted -= bytesWritten;
    if (wanted > 0) rest = [Buffer.concat(rest).subarray(bytesWritten)];
  }
}
