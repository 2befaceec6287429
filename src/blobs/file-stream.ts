/** The bytes of an open file, with memory that is used again. */
import { close, read } from 'node:fs';
import { Readable } from 'node:stream';
import type { BlobStream, Range } from './store.js';

/** Two pieces are under way at a time: one is read while the other is written. */
const SPARE = 2;

/** Reads ahead by one piece, and closes the descriptor in the end. */
export class FileStream extends Readable implements BlobStream {
  readonly #descriptor: number;
  readonly #size: number;
  readonly #end: number;
  #position: number;
  #spare: Buffer[] = [];
  #reading = false;
  #close: (() => void) | undefined;

  /** @param size of the pieces */
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
    if (
      this.#spare.length < SPARE &&
      piece.byteOffset === 0 &&
      piece.buffer.byteLength === this.#size
    )
      this.#spare.push(Buffer.from(piece.buffer as ArrayBuffer));
  }

  override _read(): void {
    const wanted = Math.min(this.#size, this.#end - this.#position);
    if (wanted <= 0) return void this.push(null);
    // A part of a small file needs no whole piece.
    const piece = this.#spare.pop() ?? Buffer.allocUnsafeSlow(wanted);
    this.#reading = true;
    read(this.#descriptor, piece, 0, wanted, this.#position, (error, count) => {
      this.#reading = false;
      if (this.#close) return this.#close();
      if (error) return void this.destroy(error);
      this.#position += count;
      if (count === 0 || count === piece.length) return void this.push(count === 0 ? null : piece);
      // A short piece keeps no megabyte.
      this.push(Buffer.from(piece.subarray(0, count)));
      this.recycle(piece);
    });
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#spare = [];
    this.#close = () => close(this.#descriptor, (failure) => done(error ?? failure));
    // Another file may get the number of a descriptor that is closed.
    if (!this.#reading) this.#close();
  }
}
