/** A file that is being uploaded: multipart readers make it, the upload action reads it. */
import type { Readable } from 'node:stream';

export interface FileDetails {
  fileName?: unknown;
  description?: unknown;
}

export class IncomingFile {
  constructor(
    /** Opens the content. Call it once only. */
    readonly open: () => Readable | Promise<Readable>,
    /** The metadata part of the form. It may come after the file. */
    readonly details?: Promise<FileDetails>,
    /** Resolves when the whole form was read and is well-formed. */
    readonly formEnd?: Promise<void>,
  ) {}
}
