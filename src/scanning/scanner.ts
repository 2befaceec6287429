/** Says whether content holds a virus, by asking a daemon. */

export interface Scanner {
  /**
   * Sends the content to the daemon, which sees all of it or gives no verdict. The content is closed in any case;
   * an error of its own is thrown as it is, and so is the reason of the signal.
   * @throws ScannerUnavailable, FileNotScannable
   */
  scan(content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<Verdict>;
  /**
   * @returns what the daemon says of itself and its signatures
   * @throws ScannerUnavailable
   */
  check(): Promise<{ version: string }>;
}

/** A signature is the daemon's name of what it found: 1 to 200 printable characters. */
export type Verdict = { clean: true } | { clean: false; signature: string };

/** Where the daemon listens: on TCP or on a Unix socket. */
export type ScannerAddress = { host: string; port: number } | { path: string };

/** Milliseconds. */
export interface Timeouts {
  /** Until the daemon accepts a connection, and until it answers a check. */
  connect: number;
  /** Until the content gives its next piece, and until the daemon has taken the next 256 KiB. */
  progress: number;
  /** From the end of the content to the verdict. */
  verdict: number;
}

/** No verdict this time: not reached, too slow, broken off or not understood. Worth another attempt. */
export class ScannerUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ScannerUnavailable';
  }
}

/** The daemon never takes this content as it is configured now; the message tells the operator what to change. */
export class FileNotScannable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FileNotScannable';
  }
}
