/** Limits how many long requests run at once, in total and per user. */
import { Overloaded } from '../contract/errors.js';

/** Limits concurrent uploads or subscriptions. All anonymous callers count as one user. */
export class Slots {
  #used = 0;
  readonly #usedBy = new Map<number, number>();

  /** @param message of the error for a caller without a slot */
  constructor(
    private readonly limits: { total: number; perUser: number },
    private readonly message: string,
  ) {}

  /**
   * @returns a function that releases the slot; call it exactly once
   * @throws Overloaded if no slot is free
   */
  acquire(userId: number): () => void {
    const own = this.#usedBy.get(userId) ?? 0;
    if (this.#used >= this.limits.total || own >= this.limits.perUser)
      throw new Overloaded(this.message);
    this.#used += 1;
    this.#usedBy.set(userId, own + 1);
    return () => {
      this.#used -= 1;
      const left = (this.#usedBy.get(userId) ?? 0) - 1;
      if (left <= 0) this.#usedBy.delete(userId);
      else this.#usedBy.set(userId, left);
    };
  }
}
