/** Whether the device has a network. Only browsers know. */

import { noAnswer } from '../errors.js';

/** Some browsers say offline for ever, so this asks again from time to time. */
const LONGEST_MS = 30_000;

/** `navigator` is not in Node.js 20, and its `onLine` is in browsers only. */
export const isOffline = (): boolean =>
  (globalThis as { navigator?: { onLine?: boolean } }).navigator?.onLine === false;

const target = globalThis as Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>;

/**
 * Runs until the network is lost: requests in a browser can hang for long then.
 * @param work gets a signal that is aborted by the given one, and without a network
 */
export async function whileOnline<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const stop = () => ending.abort(signal.reason);
  const lose = () => ending.abort(noAnswer());
  signal.addEventListener('abort', stop);
  target.addEventListener?.('offline', lose);
  if (signal.aborted) stop();
  try {
    return await work(ending.signal);
  } finally {
    signal.removeEventListener('abort', stop);
    target.removeEventListener?.('offline', lose);
  }
}

/** Waits for the network, or so long. @throws the reason of the signal */
export function untilOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      target.removeEventListener?.('online', end);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, isOffline() ? LONGEST_MS : ms);
    signal.addEventListener('abort', end);
    target.addEventListener?.('online', end);
    if (signal.aborted) end();
  });
}
