/** A worker pool: processes the rows of a queue, with a limit of rows at the same time. */
import type { Services } from '../context.js';

/** Interval of the search for rows that other processes have created or released. */
const POLL_MS = 1_000;

interface Options<Row> {
  services: Services;
  /** Ends the pool. */
  signal: AbortSignal;
  /** Rows at the same time. */
  width: number;
  /** Acquires the lease of a row. @returns undefined when no row is waiting */
  acquire(): Promise<Row | undefined>;
  /** Must not reject. It releases the lease of a row that it does not finish. */
  run(row: Row): Promise<void>;
}

export class WorkerPool<Row extends { id: number }> {
  /** Resolves when the pool has ended and no row is being processed. */
  readonly ended: Promise<void>;
  readonly #options: Options<Row>;
  readonly #running = new Set<Promise<void>>();
  #awake = false;
  /** Ends the current pause. */
  #endRest: (() => void) | undefined;
  #failures = 0;
  #pausedUntil = 0;

  constructor(options: Options<Row>) {
    this.#options = options;
    this.ended = this.#work();
    options.signal.addEventListener('abort', () => this.wake(), { once: true });
  }

  wake(): void {
    this.#awake = true;
    this.#endRest?.();
  }

  /** Acquires nothing for a time that grows with every pause since the last `resume`. */
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
          const row = await this.#options.acquire();
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

  /** Waits for `wake`, at most `POLL_MS`. */
  #rest(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#awake) return resolve();
      const timer = setTimeout(() => this.#endRest?.(), POLL_MS).unref();
      this.#endRest = () => {
        clearTimeout(timer);
        this.#endRest = undefined;
        resolve();
      };
    });
  }
}
