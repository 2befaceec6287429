/** One connection to clamd, which ends with its first answer. */
import { Socket } from 'node:net';
import { ScannerUnavailable, type ScannerAddress } from './scanner.js';

/** Longest answer in bytes. */
const MAX_ANSWER = 4096;

/**
 * One method waits at a time. The end of the connection ends the wait. Time-outs are in
 * milliseconds. Every method throws ScannerUnavailable, or the error that was passed to `fail`.
 */
export class ClamdConnection {
  private readonly socket = new ReadableAfterWriteError();
  private readonly place: string;
  private received = Buffer.alloc(0);
  private outcome: { answer: string } | { error: unknown } | undefined;
  /** Ends the current wait. */
  private endWait: () => void = () => undefined;

  constructor(address: ScannerAddress) {
    this.place = `CLAMD_URL: ${'path' in address ? address.path : `${address.host}:${address.port}`}`;
    this.socket.on('data', (bytes: Buffer) => this.receive(bytes));
    this.socket.on('error', (error: NodeJS.ErrnoException) =>
      this.failConnection(`failed (${error.code ?? error.message})`, error),
    );
    this.socket.on('end', () => this.failConnection('was closed before the answer'));
    this.socket.setNoDelay(true);
    this.socket.connect(address);
  }

  async connect(timeout: number): Promise<void> {
    await this.wait(
      new Promise((resolve) => this.socket.once('connect', () => resolve(true))),
      timeout,
      'The virus scanner accepted no connection',
    );
  }

  /**
   * Sends bytes. Their buffer may be reused afterwards.
   * @returns false when the daemon has answered instead of reading them
   */
  async send(bytes: Uint8Array, timeout: number): Promise<boolean> {
    const sent = new Promise<true>((resolve) =>
      this.socket.write(bytes, (error) => {
        if (!error) resolve(true);
      }),
    );
    return (await this.wait(sent, timeout, 'The virus scanner took no more content')) ?? false;
  }

  /** @returns the daemon's answer, up to its first zero byte */
  async answer(timeout: number): Promise<string> {
    await this.wait(new Promise(() => undefined), timeout, 'The virus scanner gave no answer');
    if (!this.outcome || 'error' in this.outcome)
      throw new Error('The wait for an answer has ended without one.');
    return this.outcome.answer;
  }

  /**
   * Waits for a step.
   * @param complaint the beginning of the message after the time-out
   * @returns undefined if the daemon has answered during the wait
   */
  wait<T>(step: Promise<T>, timeout: number, complaint: string): Promise<T | undefined> {
    // `Promise.race` with the outcome would hold the results of all steps until the outcome.
    return new Promise<T | undefined>((resolve, reject) => {
      const timer = setTimeout(
        () =>
          this.fail(
            new ScannerUnavailable(`${complaint} for ${timeout / 1000} s (${this.place}).`),
          ),
        timeout,
      );
      this.endWait = () => {
        clearTimeout(timer);
        if (this.outcome && 'error' in this.outcome) reject(this.outcome.error);
        else resolve(undefined);
      };
      if (this.outcome) this.endWait();
      step.finally(() => clearTimeout(timer)).then(resolve, reject);
    });
  }

  fail(error: unknown): void {
    this.settle({ error });
  }

  close(): void {
    this.socket.destroy();
  }

  private receive(bytes: Buffer): void {
    this.received = Buffer.concat([this.received, bytes.subarray(0, MAX_ANSWER + 1)]);
    const length = this.received.indexOf(0);
    if (length >= 0 && length <= MAX_ANSWER)
      this.settle({ answer: this.received.toString('utf8', 0, length) });
    else if (this.received.byteLength > MAX_ANSWER)
      this.failConnection('brought an answer without end');
  }

  private failConnection(what: string, cause?: Error): void {
    this.fail(
      new ScannerUnavailable(`The connection to the virus scanner ${what} (${this.place}).`, {
        cause,
      }),
    );
  }

  private settle(outcome: { answer: string } | { error: unknown }): void {
    this.outcome ??= outcome;
    this.close();
    this.endWait();
  }
}

/**
 * A socket that ignores failed writes. A daemon that refuses content answers and closes at once.
 * The failed write would destroy the socket before that answer is read. A broken connection is
 * noticed by reading.
 */
class ReadableAfterWriteError extends Socket {
  override _write(
    chunk: Uint8Array,
    encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    super._write(chunk, encoding, (error) => {
      if (!error) done();
    });
  }
}
