/** The file of an upload. */
import { MoorageError } from '../errors.js';

/**
 * What an upload reads: a `File` of a browser, or what `fileFrom` of `moorage-client/node` gives.
 */
export interface FileSource {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** The media type; empty if it is unknown. */
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
  /** Whether its bytes can be read once only. */
  readonly isReadOnce?: boolean;
  slice(start: number, end: number): Blob;
  stream(): ReadableStream<Uint8Array>;
}

/** @throws MoorageError `FILE_CHANGED`: browsers do not read a file that changed after it was picked */
export async function demandUnchanged(file: FileSource): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (cause) {
    if (cause instanceof MoorageError) throw cause;
    throw new MoorageError(
      'FILE_CHANGED',
      `The file ${file.name} was changed, moved or deleted after it was picked. Pick it again.`,
      { cause },
    );
  }
}

/** What identifies a file. */
export type FileDetails = Pick<FileSource, 'name' | 'size' | 'lastModified'>;

/** Whether a person picked the same file again. */
export const isSameFile = (one: FileDetails, other: FileDetails): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
