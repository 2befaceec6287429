/** Work that callers at the same time share, and that goes on when they have stopped waiting for it. */
import { setTimeout as sleep } from 'node:timers/promises';

export class SingleFlight<K, T> {
  readonly #underWay = new Map<K, Promise<T>>();

  /** What is under way for the key, or what this begins. */
  run(key: K, begin: () => Promise<T>): Promise<T> {
    let work = this.#underWay.get(key);
    if (!work) {
      work = begin().finally(() => this.#underWay.delete(key));
      // Perhaps nobody waits for it any more.
      work.catch(() => undefined);
      this.#underWay.set(key, work);
    }
    return work;
  }
}

/** @param late what is thrown where the work takes longer than that */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const answered = new AbortController();
  const over = sleep(ms, undefined, { signal: answered.signal }).then(() => {
    throw late();
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    answered.abort();
  }
}
