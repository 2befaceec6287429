/** Shares one running task between all callers that need it at the same time. */

export class SingleFlight<K, T> {
  readonly #running = new Map<K, Promise<T>>();

  /**
   * Joins the running task of the key, or starts it.
   * The task continues even if every caller stops waiting for it.
   */
  run(key: K, start: () => Promise<T>): Promise<T> {
    let task = this.#running.get(key);
    if (!task) {
      task = start().finally(() => this.#running.delete(key));
      // Without a caller, a failure would be an unhandled rejection, which ends the process.
      task.catch(() => undefined);
      this.#running.set(key, task);
    }
    return task;
  }
}
