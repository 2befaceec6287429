/** Places for what lasts as long as its client wants: so many in all, and so many for each caller. Visitors are one caller. */
import { Overloaded } from '../contract/errors.js';

export class Slots {
  #taken = 0;
  readonly #of = new Map<number, number>();

  /** @param message what somebody is told for whom there is none */
  constructor(
    private readonly most: { ofAll: number; ofOne: number },
    private readonly message: string,
  ) {}

  /** @returns what gives the place back; to be called once @throws Overloaded where there is none */
  take(userId: number): () => void {
    const own = this.#of.get(userId) ?? 0;
    if (this.#taken >= this.most.ofAll || own >= this.most.ofOne)
      throw new Overloaded(this.message);
    this.#taken += 1;
    this.#of.set(userId, own + 1);
    return () => {
      this.#taken -= 1;
      const left = this.#of.get(userId)! - 1;
      if (left === 0) this.#of.delete(userId);
      else this.#of.set(userId, left);
    };
  }
}
