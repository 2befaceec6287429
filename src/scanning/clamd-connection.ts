/** One connection to the daemon, which ends with its first answer. */
import { Socket } from 'node:net';
import { ScannerUnavailable, type ScannerAddress } from './scanner.js';

/** Longest answer in bytes. */
const LONGEST = 4096;

/**
 * Whatever ends the connection ends the wait that is going on; there is one at a time. Times are milliseconds.
 * Every wait throws ScannerUnavailable, or what `fail` was given.
 */
export class ClamdConnection {
  private readonly socket = new Wire();
  private readonly place: string;
  private received = Buffer.alloc(0);
  private outcome: { answer: string } | { error: unknown } | undefined;
  private ended: () => void = () => undefined;

  constructor(address: ScannerAddress) {
    this.place = 'path' in address ? address.path : `${address.host}:${address.port}`;
    this.socket.on('data', (bytes: Buffer) => this.receive(bytes));
    this.socket.on('error', (error: NodeJS.ErrnoException) =>
      this.complain(`failed (${error.code ?? error.message})`, error),
    );
    this.socket.on('end', () => this.complain('was closed before the answer'));
    this.socket.setNoDelay(true);
    this.socket.connect(address);
  }

  async connect(patience: number): Promise<void> {
    await this.wait(
      new Promise((resolve) => this.socket.once('connect', () => resolve(true))),
      patience,
      'The virus scanner accepted no connection',
    );
  }

  /** @returns whether the bytes are on their way, after which they may change; false when the daemon has answered instead */
  async send(bytes: Uint8Array, patience: number): Promise<boolean> {
    const sent = new Promise<true>((resolve) =>
      this.socket.write(bytes, (error) => {
        if (!error) resolve(true);
      }),
    );
    return (await this.wait(sent, patience, 'The virus scanner took no more content')) ?? false;
  }

  /** @returns what the daemon says, up to its first zero byte */
  async answer(patience: number): Promise<string> {
    await this.wait(new Promise(() => undefined), patience, 'The virus scanner gave no answer');
    return (this.outcome as { answer: string }).answer;
  }

  /** Waits for a step. @returns undefined when the daemon has answered instead */
  wait<T>(step: Promise<T>, patience: number, complaint: string): Promise<T | undefined> {
    // Not Promise.race with the outcome, which would keep every step's result until the outcome is there.
    return new Promise<T | undefined>((resolve, reject) => {
      const timer = setTimeout(
        () =>
          this.fail(
            new ScannerUnavailable(`${complaint} for ${patience / 1000} s (${this.place}).`),
          ),
        patience,
      );
      this.ended = () => {
        clearTimeout(timer);
        if (this.outcome && 'error' in this.outcome) reject(this.outcome.error);
        else resolve(undefined);
      };
      if (this.outcome) this.ended();
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
    this.received = Buffer.concat([this.received, bytes.subarray(0, LONGEST + 1)]);
    const length = this.received.indexOf(0);
    if (length >= 0 && length <= LONGEST)
      this.settle({ answer: this.received.toString('utf8', 0, length) });
    else if (this.received.byteLength > LONGEST) this.complain('brought an answer without end');
  }

  private complain(what: string, cause?: Error): void {
    this.fail(
      new ScannerUnavailable(`The connection to the virus scanner ${what} (${this.place}).`, {
        cause,
      }),
    );
  }

  private settle(outcome: { answer: string } | { error: unknown }): void {
    this.outcome ??= outcome;
    this.close();
    this.ended();
  }
}

/**
 * Keeps a failed write to itself. A daemon that refuses content answers and closes at once, and a socket that failed to write
 * would be destroyed with that answer unread; reading comes to the same end.
 */
class Wire extends Socket {
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
