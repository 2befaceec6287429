/** Files of Node.js for uploads. */
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { MoorageError } from './errors.js';
import type { FileSource } from './uploads/file.js';

export interface FileOptions {
  /** Default: the last part of the path. */
  name?: string;
  /** The media type. Default: unknown. */
  type?: string;
}

/** What nobody can find out about a stream. */
export interface StreamOptions {
  name: string;
  /** Bytes. The stream must have exactly so many. */
  size: number;
  type?: string;
}

/** Opens a file. It is read while it is sent, and refused if it changes in the meantime. */
export function fileFrom(path: string, options?: FileOptions): Promise<FileSource>;
/** Takes a stream. It is read once, so an upload of it cannot try again after a lost connection. */
export function fileFrom(stream: Readable, options: StreamOptions): Promise<FileSource>;
export async function fileFrom(
  source: string | Readable,
  { name, size, type = '' }: Partial<StreamOptions> = {},
): Promise<FileSource> {
  if (typeof source !== 'string') return new StreamFile(source, name ?? '', size ?? 0, type);
  const [blob, { mtimeMs }] = await Promise.all([openAsBlob(source), stat(source)]);
  return new File([blob], name ?? basename(source), { type, lastModified: Math.floor(mtimeMs) });
}

class StreamFile implements FileSource {
  readonly lastModified = Date.now();
  readonly isReadOnce = true;
  #isRead = false;

  constructor(
    private readonly content: Readable,
    readonly name: string,
    readonly size: number,
    readonly type: string,
  ) {}

  /** Bytes of a stream cannot be looked at before they are sent. */
  slice(start: number, end: number): Blob {
    this.#demandUnread();
    if (end - start > 1)
      throw new MoorageError(
        'STREAM_READ',
        `The storage takes no stream: use a file for ${this.name}.`,
      );
    return new Blob([]);
  }

  stream(): ReadableStream<Uint8Array> {
    this.#demandUnread();
    this.#isRead = true;
    // Cast: the types of Node.js and of browsers differ, the objects do not.
    return Readable.toWeb(this.content) as unknown as ReadableStream<Uint8Array>;
  }

  #demandUnread(): void {
    if (this.#isRead)
      throw new MoorageError(
        'STREAM_READ',
        `The stream ${this.name} was read already, so the upload cannot begin again. Use a file.`,
      );
  }
}
