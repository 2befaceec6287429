/** How long failed background work waits before it is tried again. */
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 300_000;

/** @param attempts how often the work was started @returns milliseconds */
export const retryAfter = (attempts: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1), LAST_RETRY_MS);
