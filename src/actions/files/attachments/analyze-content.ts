/** Analyses the bytes of a file as they pass: size, digests and a sample for type detection. */
import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { freeAsRead } from '../../../blobs/free-bytes.js';
import { ChunkGatherer } from '../../../blobs/gather-chunks.js';
import type { Settings } from '../../../context.js';
import { InvalidRequestBody, PropertyConstraintViolation } from '../../../contract/errors.js';
import { checkAllowlist } from './check-allowlist.js';
import { detectType, SAMPLE_SIZE, type DetectedType } from './detect-type.js';

interface Options {
  /** Algorithm of a second digest, in addition to the configured one. */
  extraAlgorithm?: string;
  /** Bytes that the project has left, with the error for a larger file. Absent: no limit. */
  room?: { bytes: number; full: (needed: number) => Error } | undefined;
}

/** Iterate it to get the bytes, or call `consume` to read them without using them. */
export class AnalyzedContent implements AsyncIterable<Uint8Array> {
  size = 0;
  readonly #source: Readable;
  readonly #settings: Settings;
  readonly #hash: Hash;
  readonly #extraHash: Hash | undefined;
  readonly #room: Options['room'];
  readonly #sample: Uint8Array[] = [];
  #sampleSize = 0;

  constructor(source: Readable, settings: Settings, { extraAlgorithm, room }: Options = {}) {
    this.#source = source;
    this.#settings = settings;
    this.#room = room;
    this.#hash = createHash(settings.digestAlgorithm);
    this.#extraHash = extraAlgorithm === undefined ? undefined : createHash(extraAlgorithm);
  }

  /** @throws PropertyConstraintViolation if it is too large, InvalidRequestBody if it ends early */
  async *[Symbol.asyncIterator]() {
    const gathered = new ChunkGatherer();
    for await (const chunk of this.#source as AsyncIterable<Uint8Array>) {
      this.#analyze(chunk);
      const enough = gathered.add(chunk);
      if (enough) yield enough;
    }
    const rest = gathered.rest();
    if (rest.byteLength > 0) yield rest;
    // Some streams end instead of failing when their connection is cut.
    if (!this.#source.readableEnded) throw endedEarly();
  }

  /**
   * Reads all bytes and frees them. Iterating would make a promise for each chunk, which costs a
   * fifth of the throughput.
   * @throws the same errors as the iteration
   */
  consume(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#source
        .once('end', resolve)
        .once('error', reject)
        .once('close', () => reject(endedEarly()));
      this.#source.on('data', (chunk: Uint8Array) => {
        try {
          this.#analyze(chunk);
        } catch (error) {
          this.stop(error);
        }
      });
      freeAsRead(this.#source);
    });
  }

  #analyze(chunk: Uint8Array) {
    this.size += chunk.byteLength;
    if (this.size > this.#settings.attachmentMaxSize) throw fileTooLarge(this.#settings);
    if (this.#room && this.size > this.#room.bytes) throw this.#room.full(this.size);
    this.#hash.update(chunk);
    this.#extraHash?.update(chunk);
    if (this.#sampleSize < SAMPLE_SIZE) {
      // A copy, because `consume` frees the chunk.
      const part = Buffer.from(chunk.subarray(0, SAMPLE_SIZE - this.#sampleSize));
      this.#sample.push(part);
      this.#sampleSize += part.byteLength;
    }
  }

  /** Destroys the source. Reading it fails with the reason. */
  stop(reason: unknown) {
    this.#source.destroy(reason instanceof Error ? reason : new Error(String(reason)));
  }

  /** The digests in hexadecimal. Call it once, after all bytes were read. */
  digests(): { digestHash: string; extra: string | undefined } {
    return { digestHash: this.#hash.digest('hex'), extra: this.#extraHash?.digest('hex') };
  }

  /**
   * Detects the media type from the first bytes and the file name.
   * @throws PropertyConstraintViolation if the type is not allowed
   */
  async allowedType(fileName: string): Promise<DetectedType> {
    const detected = await detectType(Buffer.concat(this.#sample), fileName);
    checkAllowlist(this.#settings.attachmentAllowlist, detected.contentType, fileName);
    return detected;
  }
}

const endedEarly = () => new InvalidRequestBody('The upload ended before the file was complete.');

/** The error for a file above the size limit, the same at every step of both upload modes. */
export const fileTooLarge = ({ attachmentMaxSize }: Settings) =>
  new PropertyConstraintViolation(
    `File is too large (maximum size is ${attachmentMaxSize} Bytes).`,
    'fileSize',
  );
