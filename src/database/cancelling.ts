/** Ends a statement when nobody waits for its result any more, or when it takes too long. */
import type { Client } from '../concurrency/client.js';

export interface Ending {
  client: Client | undefined;
  /** Makes the database end the statement that runs on the connection. */
  cancel(): Promise<void> | void;
  /** Absent: the database itself limits the time. */
  mostMs?: number;
}

const AGAIN_MS = 250;

/** @throws Overloaded if the client has left. Then it begins nothing */
export async function untilEnded<T>(
  { client, cancel, mostMs }: Ending,
  run: () => Promise<T>,
): Promise<T> {
  client?.demand();
  let cancelling: Promise<void> | void = undefined;
  let again: NodeJS.Timeout | undefined;
  const end = () => {
    cancelling = cancel();
    // A request that comes before the statement has begun does nothing.
    again ??= setInterval(end, AGAIN_MS);
  };
  client?.whenLeaving(end);
  const timer = mostMs === undefined ? undefined : setTimeout(end, mostMs).unref();
  try {
    return await run();
  } catch (error) {
    client?.demand();
    throw error;
  } finally {
    clearTimeout(timer);
    clearInterval(again);
    client?.forget(end);
    // A late request to cancel would end the next statement of the connection.
    await cancelling;
  }
}
