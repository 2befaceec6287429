/** Whether the device has a network. Only browsers know. */

/** Some browsers say offline for ever, so this asks again from time to time. */
const LONGEST_MS = 30_000;

/** `navigator` is not in Node.js 20, and its `onLine` is in browsers only. */
export const isOffline = (): boolean =>
  (globalThis as { navigator?: { onLine?: boolean } }).navigator?.onLine === false;

/** Waits for the network, or so long. @throws the reason of the signal */
export function untilOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const target = globalThis as Partial<
      Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
    >;
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
