/** Finds the parts of a batch because of which a storage refuses all of it. */
import { OutboundFailure } from '../outbound/failure.js';
import { isUnauthorized, StorageFailure } from './failure.js';

/** Statuses that blame the request: without its bad part, it may succeed. */
const BLAMES_REQUEST = new Set([400, 413, 414, 422]);
/** Two bad parts among 1,000 are found with about 40 requests. */
const MOST_REQUESTS = 50;

/** Whether a request for fewer items may succeed. */
const isRefused = (error: unknown): boolean =>
  (error instanceof StorageFailure && BLAMES_REQUEST.has(error.status)) ||
  (error instanceof OutboundFailure && error.reason === 'size');

/**
 * Asks for all items at once. If the storage refuses the request, it asks for each half, until the
 * bad items are alone.
 * @param ask stores the answers to some items
 * @param fail stores the failure of an item that is refused, or that is not asked for in time
 * @throws the first failure if no item was answered, or if the token is refused
 */
export async function askInHalves<T>(
  items: readonly T[],
  ask: (some: readonly T[]) => Promise<void>,
  fail: (item: T, error: unknown) => void,
): Promise<void> {
  const errors: unknown[] = [];
  let requests = 0;
  let isAnswered = false;
  const visit = async (some: readonly T[]): Promise<void> => {
    if (requests === MOST_REQUESTS) {
      for (const item of some) fail(item, errors.at(-1));
      return;
    }
    try {
      requests += 1;
      await ask(some);
      isAnswered = true;
    } catch (error) {
      if (isUnauthorized(error)) throw error;
      errors.push(error);
      if (!isRefused(error) || some.length === 1) {
        for (const item of some) fail(item, error);
        return;
      }
      const middle = Math.ceil(some.length / 2);
      await visit(some.slice(0, middle));
      await visit(some.slice(middle));
    }
  };
  await visit(items);
  if (!isAnswered) throw errors[0];
}
