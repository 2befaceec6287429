/** Limits how many calls one request makes to one storage at the same time. */
import { bulkhead, type BulkheadPolicy } from 'cockatiel';

export interface Queues {
  /** Calls `ask` when a slot is free, so a long list does not block other requests. */
  run<T>(storageId: number, ask: () => Promise<T>): Promise<T>;
}

/** Even two lists in one request, at two calls a row, leave half of the connections free. */
const MAX_CONCURRENT = 16;

export function storageQueues(): Queues {
  const queues = new Map<number, BulkheadPolicy>();
  return {
    run(storageId, ask) {
      let queue = queues.get(storageId);
      if (!queue)
        queues.set(storageId, (queue = bulkhead(MAX_CONCURRENT, Number.MAX_SAFE_INTEGER)));
      return queue.execute(ask);
    },
  };
}
