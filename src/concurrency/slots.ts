/** Limits how many long requests run at once, in total and per caller. */
import { Overloaded } from '../contract/errors.js';

/** The id of a user, or the name of a group whose members share their slots. */
export type Caller = number | string;

/** Limits concurrent uploads, downloads or subscriptions. Without a slot, a caller is refused. */
export class Slots {
  #used = 0;
  readonly #usedBy = new Map<Caller, number>();

  /** @param message of the error for a caller without a slot */
  constructor(
    private readonly limits: { total: number; perUser: number },
    private readonly message: string,
  ) {}

  /**
   * @returns a function that releases the slot; call it exactly once
   * @throws Overloaded if no slot is free
   */
  acquire(caller: Caller): () => void {
    const own = this.#usedBy.get(caller) ?? 0;
    if (this.#used >= this.limits.total || own >= this.limits.perUser)
      throw new Overloaded(this.message);
    this.#used += 1;
    this.#usedBy.set(caller, own + 1);
    return () => {
      this.#used -= 1;
      const left = (this.#usedBy.get(caller) ?? 0) - 1;
      if (left <= 0) this.#usedBy.delete(caller);
      else this.#usedBy.set(caller, left);
    };
  }
}
