/** One queue, worked on by a bounded number of runs at the same time. */
import type { Services } from '../context.js';

/** Rows that other processes made, and rows given back, are looked for so often. */
const POLL_MS = 1_000;

interface Options<Row> {
  services: Services;
  /** Ends the lane. */
  signal: AbortSignal;
  width: number;
  take(): Promise<Row | undefined>;
  /** Must not fail; gives back what it does not finish. */
  run(row: Row): Promise<void>;
}

export class WorkerPool<Row extends { id: number }> {
  /** Settles when the lane has ended and nothing runs any more. */
  readonly ended: Promise<void>;
  readonly #options: Options<Row>;
  readonly #running = new Set<Promise<void>>();
  #awake = false;
  #rouse: (() => void) | undefined;
  #failures = 0;
  #pausedUntil = 0;

  constructor(options: Options<Row>) {
    this.#options = options;
    this.ended = this.#work();
    options.signal.addEventListener('abort', () => this.wake(), { once: true });
  }

  wake(): void {
    this.#awake = true;
    this.#rouse?.();
  }

  /** Takes nothing for a while that grows with every pause in a row. */
  pause(after: (failures: number) => number): void {
    if (this.#pausedUntil > Date.now()) return;
    this.#failures += 1;
    this.#pausedUntil = Date.now() + after(this.#failures);
  }

  resume(): void {
    this.#failures = 0;
    this.#pausedUntil = 0;
  }

  async #work(): Promise<void> {
    const { signal, width, services } = this.#options;
    while (!signal.aborted) {
      this.#awake = false;
      try {
        while (!signal.aborted && this.#running.size < width && this.#pausedUntil <= Date.now()) {
          const row = await this.#options.take();
          if (!row) break;
          this.#start(row);
        }
      } catch (error) {
        services.log.error({ err: error }, 'background work could not be taken');
      }
      if (!signal.aborted) await this.#rest();
    }
    await Promise.all(this.#running);
  }

  #start(row: Row): void {
    const { services, run } = this.#options;
    const done = run(row)
      .catch((error: unknown) =>
        services.log.error({ err: error, row: row.id }, 'background work failed'),
      )
      .finally(() => {
        this.#running.delete(done);
        this.wake();
      });
    this.#running.add(done);
  }

  /** Until somebody wakes the lane, or the next look is due. */
  #rest(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#awake) return resolve();
      const timer = setTimeout(() => this.#rouse?.(), POLL_MS).unref();
      this.#rouse = () => {
        clearTimeout(timer);
        this.#rouse = undefined;
        resolve();
      };
    });
  }
}
