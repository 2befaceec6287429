/**
 * Finds out up to which size the virus scanner reads files. ClamAV's limits cannot be asked for. By
 * default it calls a file clean that it has not read to its end.
 */

/** Smaller files are within every sensible limit. */
const SMALLEST = 1024 * 1024;
/** How long results are used. Somebody may change the limits. */
const FRESH_MS = 3_600_000;

export class ScanLimits {
  /** The largest size that was read, and the smallest that was not; in bytes. */
  #read = SMALLEST;
  #unread = Infinity;
  #forgetAt = 0;
  #waiting: Promise<unknown> = Promise.resolve();

  /** @param finds whether the scanner finds a test virus behind so many bytes */
  constructor(private readonly finds: (bytes: number) => Promise<boolean>) {}

  /** One size after the other, so that files at the same time share the results. */
  allow(bytes: number): Promise<boolean> {
    const answer = this.#waiting.then(() => this.#allow(bytes));
    this.#waiting = answer.catch(() => undefined);
    return answer;
  }

  async #allow(bytes: number): Promise<boolean> {
    if (Date.now() > this.#forgetAt) {
      this.#read = SMALLEST;
      this.#unread = Infinity;
      this.#forgetAt = Date.now() + FRESH_MS;
    }
    if (bytes > this.#read && bytes < this.#unread) await this.#try(bytes);
    return bytes <= this.#read;
  }

  async #try(bytes: number): Promise<void> {
    // The next power of two: growing files need few tries.
    const rounded = 2 ** Math.ceil(Math.log2(bytes));
    for (const size of new Set([rounded, bytes])) {
      if (size >= this.#unread) continue;
      if (await this.finds(size)) {
        this.#read = Math.max(this.#read, size);
        return;
      }
      // Some daemons know no test virus. Then nothing is known about their limits.
      if (!(await this.finds(0))) {
        this.#read = Infinity;
        return;
      }
      this.#unread = Math.min(this.#unread, size);
    }
  }
}
