/** A stream of an open file that reuses its buffers. */
import { close, read } from 'node:fs';
import { Readable } from 'node:stream';
import type { BlobStream, Range } from './store.js';

/** Two buffers are in use at a time: one is read while the other is written to the client. */
const SPARE = 2;

/** Reads one buffer ahead, and closes the descriptor at the end. */
export class FileStream extends Readable implements BlobStream {
  readonly #descriptor: number;
  readonly #size: number;
  readonly #end: number;
  #position: number;
  #spare: Buffer[] = [];
  #reading = false;
  #close: (() => void) | undefined;

  /** @param size of the buffers */
  constructor(
    descriptor: number,
    size: number,
    { start = 0, end = Infinity }: Partial<Range> = {},
  ) {
    super({ highWaterMark: size });
    this.#descriptor = descriptor;
    this.#size = size;
    this.#position = start;
    this.#end = end + 1;
  }

  recycle(piece: Buffer): void {
    const { buffer, byteOffset } = piece;
    if (this.#spare.length < SPARE && byteOffset === 0 && buffer.byteLength === this.#size)
      this.#spare.push(Buffer.from(buffer));
  }

  override _read(): void {
    const wanted = Math.min(this.#size, this.#end - this.#position);
    if (wanted <= 0) return void this.push(null);
    // A small file needs no full buffer.
    const piece = this.#spare.pop() ?? Buffer.allocUnsafeSlow(wanted);
    this.#reading = true;
    read(this.#descriptor, piece, 0, wanted, this.#position, (error, count) => {
      this.#reading = false;
      if (this.#close) return this.#close();
      if (error) return void this.destroy(error);
      this.#position += count;
      if (count === 0 || count === piece.length) return void this.push(count === 0 ? null : piece);
      // Copy a short read, so that it does not hold a full buffer.
      this.push(Buffer.from(piece.subarray(0, count)));
      this.recycle(piece);
    });
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#spare = [];
    this.#close = () => close(this.#descriptor, (failure) => done(error ?? failure));
    // Close only after a pending read: the number of a closed descriptor may be reused at once.
    if (!this.#reading) this.#close();
  }
}
