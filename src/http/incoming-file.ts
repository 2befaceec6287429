/** A file on its way in: what the multipart readers make and the upload action takes. */
import type { Readable } from 'node:stream';

export interface FileDetails {
  fileName?: unknown;
  description?: unknown;
}

export class IncomingFile {
  constructor(
    /** Opens the bytes; can be called once. */
    readonly open: () => Readable | Promise<Readable>,
    /** What the form says about the file, as soon as that part was read; it may stand behind the file. */
    readonly details?: Promise<FileDetails>,
    /** Settles when the whole form was read and is well-formed. */
    readonly formEnd?: Promise<void>,
  ) {}
}
