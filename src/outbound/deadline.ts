/** Time limits of requests to other servers. */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** The time limit for all calls of one incoming request to one target. */
export class Deadline {
  readonly signal: AbortSignal;
  /** A time of `performance.now()`. */
  readonly began = performance.now();
  readonly #until: number;

  constructor(ms: number) {
    this.#until = this.began + ms;
    this.signal = AbortSignal.timeout(ms);
    // Hundreds of batches may wait for one deadline. Without this, Node warns of a leak.
    setMaxListeners(0, this.signal);
  }

  get leftMs(): number {
    return Math.max(0, this.#until - performance.now());
  }
}

/**
 * Waits for work, but not longer than `ms`. The work itself goes on.
 * @param timeoutError makes the error that is thrown after that time
 */
export async function within<T>(
  ms: number,
  work: Promise<T>,
  timeoutError: () => Error,
): Promise<T> {
  const finished = new AbortController();
  const timeout = sleep(ms, undefined, { signal: finished.signal }).then(() => {
    throw timeoutError();
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    finished.abort();
  }
}
