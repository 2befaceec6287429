/** What an upload and its way to the receiver know of each other. */
import type { FileSource } from './file.js';

/**
 * - `queued`: waits for a free place, or for the next attempt after the service was busy.
 * - `preparing`: asks the service where the file goes.
 * - `sending`: bytes leave.
 * - `paused`: `pause()` was called, or the upload was restored after a reload.
 * - `offline`: there is no connection; it goes on by itself.
 * - `finalising`: all bytes are there, and the service checks them.
 * - `scanning`: the file waits for the virus scan.
 * - `done`, `failed`, `cancelled`: it has ended. `retry()` starts a failed one again.
 * - `expired`: restored after a reload, and its file is needed (`needsFile`), or it is too old.
 */
export type UploadState =
  | 'queued'
  | 'preparing'
  | 'sending'
  | 'paused'
  | 'offline'
  | 'finalising'
  | 'scanning'
  | 'done'
  | 'failed'
  | 'expired'
  | 'cancelled';

/** One attempt to bring the file to its place. */
export interface Attempt {
  /** @throws MoorageError `FILE_NEEDED` */
  file(): FileSource;
  /** Aborted by a pause and by `cancel()`. */
  signal: AbortSignal;
  setState(state: 'preparing' | 'sending' | 'finalising' | 'scanning'): void;
  /** @param sent bytes of the file, from its start */
  setSent(sent: number): void;
  /**
   * The receiver has bytes of an earlier attempt.
   * @param arrived how many, as the receiver says
   */
  continueAt(arrived: number): void;
  /** Keeps `memory` of the way across reloads. */
  save(): void;
}

/** How a file gets to its place. */
export interface Way<Result> {
  /** Plain data: how far it is. It is kept across reloads. */
  readonly memory: object;
  /** Whether bytes of the file are still to be sent. */
  readonly needsFile: boolean;
  /** Whether it goes on after a pause where it was. Otherwise it begins at the first byte. */
  readonly continues: boolean;
  /** Goes on where the last attempt ended. @throws MoorageError, or the reason of the signal */
  attempt(attempt: Attempt): Promise<Result>;
  /** Removes what was left at the service. */
  remove(): Promise<void>;
}
