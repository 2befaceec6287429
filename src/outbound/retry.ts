/** Decides when a throttled request is repeated. */
import type { HttpAnswer } from './http.js';

/** The first pause of a throttled request without `Retry-After`. It doubles with each retry. */
const FIRST_PAUSE_MS = 250;
const MAX_RETRIES = 5;

/**
 * The pause in milliseconds before a throttled request is repeated. It is at least `Retry-After`,
 * and grows with each retry.
 * @returns undefined if the request is not throttled, or after the last retry
 */
export function pauseBeforeRetry(
  { status, headers }: HttpAnswer,
  attempt: number,
): number | undefined {
  const retryAfter = headers['retry-after'];
  if (attempt >= MAX_RETRIES || (status !== 429 && !(status === 503 && retryAfter !== undefined)))
    return undefined;
  const ms = retryAfterMs(retryAfter);
  return ms === undefined
    ? FIRST_PAUSE_MS * 2 ** attempt * (1 + Math.random() / 2)
    : Math.max(ms, attempt === 0 ? 0 : FIRST_PAUSE_MS * 2 ** attempt);
}

/** How long an answer asks to wait; undefined if it does not, or asks for no wait at all. */
export function throttledMs({ status, headers }: HttpAnswer): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  return retryAfterMs(headers['retry-after']) || undefined;
}

/** `Retry-After` in milliseconds: seconds, with decimals too, or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
