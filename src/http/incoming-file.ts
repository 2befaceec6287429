/** A file that is being uploaded: multipart readers make it, the upload action reads it. */
import type { Readable } from 'node:stream';

export interface FileDetails {
  fileName?: unknown;
  description?: unknown;
}

/**
 * A client can put a file where another value belongs, and errors quote that value. So all members
 * are private, and the file is quoted as `a file`.
 */
export class IncomingFile {
  readonly #open: () => Readable | Promise<Readable>;
  readonly #details: Promise<FileDetails> | undefined;
  readonly #formEnd: Promise<void> | undefined;
  readonly #mostBytes: Promise<number | undefined> | undefined;
  readonly #name: string | undefined;

  /**
   * @param open opens the content
   * @param details the metadata part of the form, which may come after the file
   * @param formEnd resolves when the whole form was read and is well-formed
   * @param name of the file, as its part of the form has it
   * @param mostBytes the announced size of the whole form, which the file cannot exceed
   */
  constructor(
    open: () => Readable | Promise<Readable>,
    details?: Promise<FileDetails>,
    formEnd?: Promise<void>,
    mostBytes?: Promise<number | undefined>,
    name?: string,
  ) {
    this.#open = open;
    this.#details = details;
    this.#formEnd = formEnd;
    this.#mostBytes = mostBytes;
    this.#name = name;
  }

  /** Opens the content. Call it once only. */
  open(): Readable | Promise<Readable> {
    return this.#open();
  }

  // Not `name`: a file in the place of an input must have no member of it.
  get partName(): string | undefined {
    return this.#name;
  }

  get details(): Promise<FileDetails> | undefined {
    return this.#details;
  }

  get formEnd(): Promise<void> | undefined {
    return this.#formEnd;
  }

  get mostBytes(): Promise<number | undefined> | undefined {
    return this.#mostBytes;
  }

  /** The text in errors of graphql-js and in the log. */
  toJSON(): string {
    return 'a file';
  }
}
