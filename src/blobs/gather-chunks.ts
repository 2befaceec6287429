/** Joins small chunks. A client chooses how small they are, and each costs some hundred bytes. */

/** Larger chunks are passed on as they are, in bytes. */
const LARGE = 16 * 1024;
/** What a chunk takes in memory besides its bytes. */
const CHUNK_COST = 256;

export class ChunkGatherer {
  #chunks: Uint8Array[] = [];
  #memory = 0;

  /** @returns bytes to pass on, if there are enough */
  add(chunk: Uint8Array): Uint8Array | undefined {
    this.#chunks.push(chunk);
    this.#memory += chunk.byteLength + CHUNK_COST;
    return this.#memory < LARGE ? undefined : this.rest();
  }

  /** @returns the bytes that were not passed on yet, perhaps none */
  rest(): Uint8Array {
    const [first = new Uint8Array(), ...others] = this.#chunks;
    this.#chunks = [];
    this.#memory = 0;
    return others.length === 0 ? first : Buffer.concat([first, ...others]);
  }
}
