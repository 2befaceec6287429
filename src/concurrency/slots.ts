/** Limits how much runs or is held at once, in total and per caller. */
import { Overloaded } from '../contract/errors.js';

/** The id of a user, or the name of a group whose members share their slots. */
export type Caller = number | string;

/**
 * Limits concurrent uploads, downloads or subscriptions, or the memory that something holds. Without
 * a slot, a caller is refused.
 */
export class Slots {
  #used = 0;
  readonly #usedBy = new Map<Caller, number>();

  /** @param message of the error for a caller without a slot */
  constructor(
    private readonly limits: { total: number; perUser: number },
    private readonly message: string,
  ) {}

  /**
   * @param size in slots; where slots are memory, in bytes
   * @returns a function that releases the slot; call it exactly once
   * @throws Overloaded if no slot is free
   */
  acquire(caller: Caller, size = 1): () => void {
    const own = this.#usedBy.get(caller) ?? 0;
    if (this.#used + size > this.limits.total || own + size > this.limits.perUser)
      throw new Overloaded(this.message);
    this.#used += size;
    this.#usedBy.set(caller, own + size);
    return () => {
      this.#used -= size;
      const left = (this.#usedBy.get(caller) ?? 0) - size;
      if (left <= 0) this.#usedBy.delete(caller);
      else this.#usedBy.set(caller, left);
    };
  }
}
