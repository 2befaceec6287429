/** Limits how many calls one request makes to one storage at the same time. */
import { bulkhead, type BulkheadPolicy } from 'cockatiel';

interface Queues {
  /** Calls `ask` when a slot is free, so a long list does not block other requests. */
  run<T>(storageId: number, ask: () => Promise<T>): Promise<T>;
}

/** @param atOnce calls of one storage at the same time */
export function storageQueues(atOnce: number): Queues {
  const queues = new Map<number, BulkheadPolicy>();
  return {
    run(storageId, ask) {
      let queue = queues.get(storageId);
      if (!queue) queues.set(storageId, (queue = bulkhead(atOnce, Number.MAX_SAFE_INTEGER)));
      return queue.execute(ask);
    },
  };
}
