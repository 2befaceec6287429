/** How long to wait before the next attempt. */

const FIRST_MS = 500;
const LONGEST_MS = 60_000;
/** Five waits reach the longest one. */
const GROWTH = 3.3;

/**
 * A random time up to a limit that grows with each attempt, so that clients do not return together.
 * @param failures how many attempts have failed in a row, from 1
 * @param retryAfter seconds that the service asks for; the wait is not shorter
 * @returns milliseconds
 */
export function waitMs(failures: number, retryAfter = 0): number {
  const limit = Math.min(LONGEST_MS, FIRST_MS * GROWTH ** (failures - 1));
  return retryAfter * 1000 + Math.random() * limit;
}

/** Waits. @throws the reason of the signal */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
