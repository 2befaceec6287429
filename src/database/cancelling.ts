/** Ends a statement when nobody waits for its result any more, or when it takes too long. */

export interface Ending {
  /** Aborts when the client of the request has left. */
  signal: AbortSignal | undefined;
  /** Makes the database end the statement that runs on the connection. */
  cancel(): Promise<void> | void;
  /** Absent: the database itself limits the time. */
  mostMs?: number;
}

const AGAIN_MS = 250;

/** @throws the reason of the signal, and begins nothing once it is aborted */
export async function untilEnded<T>(
  { signal, cancel, mostMs }: Ending,
  run: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  let cancelling: Promise<void> | void = undefined;
  let again: NodeJS.Timeout | undefined;
  const end = () => {
    cancelling = cancel();
    // A request that comes before the statement has begun does nothing.
    again ??= setInterval(end, AGAIN_MS);
  };
  signal?.addEventListener('abort', end);
  const timer = mostMs === undefined ? undefined : setTimeout(end, mostMs).unref();
  try {
    return await run();
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    clearInterval(again);
    signal?.removeEventListener('abort', end);
    // A late request to cancel would end the next statement of the connection.
    await cancelling;
  }
}
