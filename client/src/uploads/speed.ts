/** How fast bytes were sent in the last seconds. */

const WINDOW_MS = 5_000;

export class Speed {
  readonly #samples: { at: number; sent: number }[] = [];

  /** @param sent bytes from the start of the file */
  note(sent: number): void {
    const at = Date.now();
    this.#samples.push({ at, sent });
    while ((this.#samples[0]?.at ?? at) < at - WINDOW_MS) this.#samples.shift();
  }

  reset(): void {
    this.#samples.length = 0;
  }

  /** Bytes in a second; 0 if it is not known yet. */
  get bytesPerSecond(): number {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.at === first.at) return 0;
    return Math.max(0, ((last.sent - first.sent) * 1000) / (last.at - first.at));
  }
}
