/** Reads a file for a client, slice by slice. It reads ahead only while the client keeps up. */
import { close, readv } from 'node:fs';
import { freeMemory } from './free-bytes.js';
import { SLICE_BYTES, type Range, type Slices } from './store.js';

/** Slices of one read: 1 MiB. With half of it the throughput is a fifth lower. */
const MOST_SLICES = 16;
/** Two reads: while the slices of one are written to the client, the next one runs. */
const MOST_SPARE = 2 * MOST_SLICES;

/**
 * While less is taken, nothing is known about the client: the operating system takes as much by
 * itself.
 */
const UNKNOWN = 4 * 1024 * 1024;

/** Owns the file descriptor and closes it. While the client is late, it keeps no slice. */
export class FileSlices implements Slices {
  readonly #descriptor: number;
  readonly #end: number;
  /** The position in the file at which the slice begins that `next` returns. */
  #position: number;
  #ready: Buffer[] = [];
  #ahead: Promise<Buffer[]> | undefined;
  #spare: Buffer[] = [];
  #perRead = 1;
  /** Bytes that the operating system has taken. */
  #taken = 0;
  /**
   * Whether the client did not keep up. Then one slice is read, and nothing is read ahead. True at
   * the start, because nothing is known about the client yet.
   */
  #isLate = true;
  #reads = 0;
  #close: (() => void) | undefined;

  constructor(descriptor: number, { start, end }: Range) {
    this.#descriptor = descriptor;
    this.#position = start;
    this.#end = end + 1;
  }

  async next(): Promise<Buffer | undefined> {
    const keepsUp = !this.#isLate;
    this.#isLate = false;
    if (this.#ready.length === 0) {
      const most = this.#taken < UNKNOWN ? 1 : MOST_SLICES;
      this.#perRead = keepsUp ? Math.min(this.#perRead * 2, most) : 1;
      this.#ready = await (this.#ahead ?? this.#read(this.#position));
      this.#ahead = keepsUp ? this.#read(this.#position + sizeOf(this.#ready)) : undefined;
      // If this read fails, the next call throws. Until then, it is no unhandled rejection.
      this.#ahead?.catch(() => undefined);
    }
    const slice = this.#ready.shift();
    this.#position += slice?.byteLength ?? 0;
    this.#taken += slice?.byteLength ?? 0;
    return slice;
  }

  recycle({ buffer }: Buffer): void {
    if (this.#spare.length < MOST_SPARE && buffer.byteLength === SLICE_BYTES)
      this.#spare.push(Buffer.from(buffer));
  }

  slowDown(): void {
    this.#isLate = true;
    // Otherwise the memory is free only after a garbage collection, and many clients can be late.
    const free = (slices: readonly Buffer[]) => slices.forEach(({ buffer }) => freeMemory(buffer));
    free(this.#ready.splice(0));
    free(this.#spare.splice(0));
    this.#ahead?.then(free, () => undefined);
    this.#ahead = undefined;
  }

  close(): Promise<void> {
    this.slowDown();
    return new Promise((resolve, reject) => {
      this.#close = () => close(this.#descriptor, (error) => (error ? reject(error) : resolve()));
      // Close only after pending reads: the number of a closed descriptor may be reused at once.
      if (this.#reads === 0) this.#close();
    });
  }

  /** Reads up to `#perRead` slices. Slices of an earlier, unwanted read are dropped. */
  #read(from: number): Promise<Buffer[]> {
    const buffers = this.#buffers(Math.min(this.#perRead * SLICE_BYTES, this.#end - from));
    if (buffers.length === 0) return Promise.resolve(buffers);
    this.#reads += 1;
    return new Promise((resolve, reject) => {
      readv(this.#descriptor, buffers, from, (error, count) => {
        this.#reads -= 1;
        if (this.#close && this.#reads === 0) this.#close();
        if (error) reject(error);
        else if (count === 0) reject(new Error('A stored file is shorter than its row says.'));
        else resolve(filled(buffers, count));
      });
    });
  }

  #buffers(bytes: number): Buffer[] {
    const buffers: Buffer[] = [];
    for (let rest = bytes; rest > 0; rest -= SLICE_BYTES) {
      const size = Math.min(rest, SLICE_BYTES);
      // A small file needs no full buffer.
      const buffer = this.#spare.pop() ?? Buffer.allocUnsafeSlow(size);
      buffers.push(buffer.subarray(0, size));
    }
    return buffers;
  }
}

const sizeOf = (slices: readonly Buffer[]) =>
  slices.reduce((sum, { byteLength }) => sum + byteLength, 0);

/** The parts of the buffers that a read has filled. A read may return less than was asked for. */
function filled(buffers: readonly Buffer[], count: number): Buffer[] {
  const slices: Buffer[] = [];
  let rest = count;
  for (const buffer of buffers) {
    if (rest > 0) slices.push(buffer.subarray(0, rest));
    rest -= buffer.byteLength;
  }
  return slices;
}
