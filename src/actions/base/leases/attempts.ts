/** How often a request to another server is tried again, and when. */

/** Waits between attempts: 5 s, 15 s, 45 s …, at most 3 h. All together they last 7.5 hours. */
const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 3 * 3_600_000;
const MAX_ATTEMPTS = 10;

/** @param attempts how many have failed @returns undefined after the last attempt */
export const nextAttempt = (attempts: number, now: Date): string | undefined =>
  attempts >= MAX_ATTEMPTS
    ? undefined
    : new Date(
        now.getTime() + Math.min(FIRST_WAIT_MS * 3 ** (attempts - 1), MAX_WAIT_MS),
      ).toISOString();
