/** Whose turn it is at an upload: that of the newest request. Older ones are ended. */
import { deferred } from '../concurrency/deferred.js';

interface Holder {
  stop: () => void;
  ended: Promise<void>;
}

/** The requests of one process. Those of others find their turn in the database. */
export class Turns {
  readonly #holders = new Map<number, Holder>();

  /**
   * Stops the request that has the turn, and waits until it has kept what has arrived.
   * @param stop is called when a newer request comes
   * @returns ends the turn
   */
  async take(upload: number, stop: () => void): Promise<() => void> {
    for (let holder = this.#holders.get(upload); holder; holder = this.#holders.get(upload)) {
      holder.stop();
      await holder.ended;
    }
    const { promise: ended, resolve } = deferred<void>();
    this.#holders.set(upload, { stop, ended });
    return () => {
      this.#holders.delete(upload);
      resolve();
    };
  }
}
