/** One upload: its state, and the attempts to bring the file to its place. */
import { waitMs } from '../back-off.js';
import { MoorageError } from '../errors.js';
import { deferred } from './deferred.js';
import { Emitter } from './emitter.js';
import { demandUnchanged, isSameFile, type FileDetails, type FileSource } from './file.js';
import { isOffline, untilOnline, whileOnline } from './online.js';
import { Speed } from './speed.js';
import type { UploadState, Way } from './way.js';

export interface UploadProgress {
  /** Bytes of the file that have left. */
  sent: number;
  /** Bytes of the file. */
  total: number;
  /** 0 while it is not known. */
  bytesPerSecond: number;
  /** Undefined while it is not known. */
  secondsLeft: number | undefined;
}

export interface NewUpload<Result> {
  id: string;
  fileName: string;
  details: FileDetails;
  /** Absent: the person picks the file again. */
  file: FileSource | undefined;
  way: Way<Result>;
  state: 'queued' | 'paused' | 'expired';
}

/** What the list of uploads does for one of them. */
interface Owner {
  /** Called when the state has changed. */
  changed(): void;
  save(): void;
}

/** After so many attempts in a row that send no byte more than those before, the upload fails. */
const ATTEMPTS = 5;

/** The upload of one file. */
export class Upload<Result> {
  /** Made by the client. */
  readonly id: string;
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;

  #state: UploadState;
  #sent = 0;
  #continuesAt: number | undefined;
  #error: MoorageError | undefined;
  #file: FileSource | undefined;
  #ending = deferred<Result>();
  #work: AbortController | undefined;
  readonly #events = new Emitter<{ progress: UploadProgress; state: UploadState }>();
  readonly #speed = new Speed();
  readonly #details: FileDetails;
  readonly #way: Way<Result>;

  /** Use `client.upload` or `client.storageUpload`. */
  constructor(
    { id, fileName, details, file, way, state }: NewUpload<Result>,
    private readonly owner: Owner,
  ) {
    this.id = id;
    this.fileName = fileName;
    this.size = details.size;
    this.#details = details;
    this.#file = file;
    this.#way = way;
    this.#state = state;
  }

  get state(): UploadState {
    return this.#state;
  }

  /** Bytes of the file that have left. It returns to 0 if the upload begins again. */
  get sent(): number {
    return this.#sent;
  }

  /** 0 while it is not known. */
  get bytesPerSecond(): number {
    return this.#speed.bytesPerSecond;
  }

  /** Undefined while it is not known. */
  get secondsLeft(): number | undefined {
    const { bytesPerSecond } = this;
    return bytesPerSecond > 0 ? (this.size - this.#sent) / bytesPerSecond : undefined;
  }

  /** Why it failed. While it is `offline` or `queued`: why the last attempt failed. */
  get error(): MoorageError | undefined {
    return this.#error;
  }

  /** Whether the person must pick the file again, and `giveFile` takes it. */
  get needsFile(): boolean {
    return this.#state === 'expired' && !this.#file && this.#way.needsFile;
  }

  /** Whether it goes on after a pause where it was. Otherwise it begins at the first byte. */
  get continues(): boolean {
    return this.#way.continues;
  }

  /**
   * Bytes that the receiver had when the upload went on, as the receiver said. Undefined while that
   * is not known, and for an upload that began at the first byte.
   */
  get continuesAt(): number | undefined {
    return this.#continuesAt;
  }

  /**
   * The attachment or the file link when everything has ended well, the virus scan included. It
   * throws MoorageError if the upload failed or was cancelled. `retry()` makes a new promise.
   */
  get done(): Promise<Result> {
    return this.#ending.promise;
  }

  /** @returns a function that removes the listener */
  on(name: 'progress', listener: (progress: UploadProgress) => void): () => void;
  on(name: 'state', listener: (state: UploadState) => void): () => void;
  on(name: 'progress' | 'state', listener: (value: never) => void): () => void {
    // Cast: the signatures above say which value each name has.
    return this.#events.on(name, listener as (value: unknown) => void);
  }

  /** Stops to send. It has no effect after the last byte. */
  pause(): void {
    if (!['queued', 'preparing', 'sending', 'offline'].includes(this.#state)) return;
    this.#stop('paused');
    if (!this.continues) this.#setSent(0);
  }

  /** Goes on after a pause. */
  resume(): void {
    if (this.#state === 'paused') this.#setState('queued');
  }

  /** Starts again after it failed. */
  retry(): void {
    if (this.#state !== 'failed') return;
    this.#ending = deferred();
    this.#error = undefined;
    this.#setState('queued');
  }

  /** Ends it, and removes what is left of it at the service. It has no effect when it is done. */
  async cancel(): Promise<void> {
    if (this.#state === 'done' || this.#state === 'cancelled') return;
    const hasFailed = this.#state === 'failed';
    this.#stop('cancelled');
    if (!hasFailed)
      this.#ending.reject(
        new MoorageError('CANCELLED', `The upload of ${this.fileName} was cancelled.`),
      );
    await this.#way.remove().catch(() => undefined);
  }

  /**
   * Gives the file of a restored upload, which goes on then.
   * @throws MoorageError `FILE_DIFFERS` for a file with another name, size or time of change
   */
  giveFile(file: FileSource): void {
    if (!this.needsFile) return;
    if (!isSameFile(file, this.#details))
      throw new MoorageError(
        'FILE_DIFFERS',
        `This is not the file ${this.#details.name} that was picked before.`,
      );
    this.#file = file;
    this.owner.save();
    this.#setState('queued');
  }

  /** Whether it waits for its turn. For the list of uploads. */
  get isWaiting(): boolean {
    return this.#state === 'queued' && !this.#work;
  }

  /** Whether it takes one of the places for uploads that send. For the list of uploads. */
  get isBusy(): boolean {
    return this.#work !== undefined && this.#state !== 'finalising' && this.#state !== 'scanning';
  }

  /** Begins to work. For the list of uploads. */
  async start(): Promise<void> {
    const work = new AbortController();
    this.#work = work;
    try {
      const result = await this.#attempts(work.signal);
      this.#work = undefined;
      this.#setState('done');
      this.#ending.resolve(result);
    } catch (thrown) {
      // After a pause or `cancel()`, the state is set already.
      if (work.signal.aborted) return;
      this.#error = asMoorageError(thrown);
      this.#work = undefined;
      this.#setState('failed');
      this.#ending.reject(this.#error);
    }
  }

  async #attempts(signal: AbortSignal): Promise<Result> {
    let furthest = 0;
    let failures = 0;
    for (;;) {
      try {
        if (this.#way.needsFile) await demandUnchanged(this.#demandFile());
        return await whileOnline(signal, (online) => this.#attempt(online));
      } catch (thrown) {
        signal.throwIfAborted();
        const error = asMoorageError(thrown);
        failures = this.#sent > furthest || isOffline() ? 1 : failures + 1;
        furthest = Math.max(furthest, this.#sent);
        if (!error.isTemporary || failures > ATTEMPTS) throw error;
        this.#error = error;
        this.#setState(error.isUnanswered ? 'offline' : 'queued');
        await untilOnline(waitMs(failures, error.retryAfter), signal);
      }
    }
  }

  #attempt(signal: AbortSignal): Promise<Result> {
    this.#continuesAt = undefined;
    return this.#way.attempt({
      file: () => this.#demandFile(),
      signal,
      setState: (state) => this.#setState(state),
      setSent: (sent) => this.#setSent(sent),
      continueAt: (arrived) => {
        this.#continuesAt = arrived || undefined;
        this.#setSent(arrived);
      },
      save: () => this.owner.save(),
    });
  }

  #demandFile(): FileSource {
    if (this.#file) return this.#file;
    throw new MoorageError('FILE_NEEDED', `Pick the file ${this.#details.name} again.`);
  }

  #stop(state: 'paused' | 'cancelled'): void {
    const work = this.#work;
    this.#work = undefined;
    this.#setState(state);
    work?.abort(new MoorageError('CANCELLED', 'The upload was stopped.'));
  }

  #setState(state: UploadState): void {
    if (state === this.#state) return;
    this.#state = state;
    if (state !== 'sending') this.#speed.reset();
    this.#events.emit('state', state);
    this.owner.changed();
  }

  #setSent(sent: number): void {
    this.#sent = Math.min(sent, this.size);
    this.#speed.note(this.#sent);
    const { bytesPerSecond, secondsLeft, size: total } = this;
    this.#events.emit('progress', { sent: this.#sent, total, bytesPerSecond, secondsLeft });
  }
}

const asMoorageError = (thrown: unknown): MoorageError =>
  thrown instanceof MoorageError
    ? thrown
    : new MoorageError('UNEXPECTED_ERROR', (thrown as Error).message, { cause: thrown });
