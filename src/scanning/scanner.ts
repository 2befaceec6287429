/** The interface of a virus scanner. */

export interface Scanner {
  /**
   * Sends the complete content to the daemon. The content is closed in any case. Errors of the
   * content itself and the reason of the signal are thrown unchanged.
   * @throws ScannerUnavailable, FileTooLarge
   */
  scan(content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<Verdict>;
  /**
   * Whether the daemon reads content of this size to its end. It sends a test virus behind so many
   * bytes, and remembers the result for an hour. True also if the daemon knows no test virus.
   * @throws ScannerUnavailable
   */
  reads(bytes: number): Promise<boolean>;
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

/** There is no verdict about this file for long. The message says what to do. */
export class FileNotScannable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FileNotScannable';
  }
}

/** The daemon does not read all of this content until its configuration is changed. */
export class FileTooLarge extends FileNotScannable {
  constructor() {
    super(
      'The file is larger than the virus scanner reads. ' +
        'Raise StreamMaxLength, MaxFileSize and MaxScanSize in its clamd.conf ' +
        'to the largest attachment allowed, restart it and scan the file again.',
    );
    this.name = 'FileTooLarge';
  }
}
