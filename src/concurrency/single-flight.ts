/** Work that callers at the same time share, and that goes on when they have stopped waiting for it. */

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
