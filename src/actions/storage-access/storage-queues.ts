/** What a request asks a storage for one row at a time. */
import { bulkhead, type BulkheadPolicy } from 'cockatiel';

export interface Queues {
  /** Asks when it is its turn: a list of a thousand rows leaves room for what others ask the same storage. */
  turn<T>(storageId: number, ask: () => Promise<T>): Promise<T>;
}

/** As many questions of one request to one storage are under way: those that are two at once take half of the connections. */
const SIDE_BY_SIDE = 16;

export function storageQueues(): Queues {
  const queues = new Map<number, BulkheadPolicy>();
  return {
    turn(storageId, ask) {
      let queue = queues.get(storageId);
      if (!queue) queues.set(storageId, (queue = bulkhead(SIDE_BY_SIDE, Number.MAX_SAFE_INTEGER)));
      return queue.execute(ask);
    },
  };
}
