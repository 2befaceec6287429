/** The interface of a virus scanner. */

export interface Scanner {
  /**
   * Sends the complete content to the daemon. The content is closed in any case. Errors of the
   * content itself and the reason of the signal are thrown unchanged.
   * @throws ScannerUnavailable, FileNotScannable
   */
  scan(content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<Verdict>;
  /**
   * @returns the version of the daemon and of its signatures
   * @throws ScannerUnavailable
   */
  check(): Promise<{ version: string }>;
}

/** `signature` is the daemon's name of the virus: 1 to 200 printable characters. */
export type Verdict = { clean: true } | { clean: false; signature: string };

/** The address of the daemon: TCP or a Unix socket. */
export type ScannerAddress = { host: string; port: number } | { path: string };

/** In milliseconds. */
export interface Timeouts {
  /** Until the daemon accepts a connection, and until it answers a check. */
  connect: number;
  /** Until the next piece of the content arrives, and until the daemon accepts the next 256 KiB. */
  progress: number;
  /** From the end of the content to the verdict. */
  verdict: number;
}

/** No verdict: the daemon was not reached, too slow, or not understood. Try again later. */
export class ScannerUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ScannerUnavailable';
  }
}

/**
 * The daemon refuses this content until its configuration is changed. The message says how to
 * change it.
 */
export class FileNotScannable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FileNotScannable';
  }
}
