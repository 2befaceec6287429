/** Tells when the client of a request leaves. */
import { Overloaded } from '../contract/errors.js';

/** An AbortSignal would tell the same. It takes as much processor time as a small statement. */
export class Client {
  #hasLeft = false;
  readonly #endings = new Set<() => void>();

  /** Call it when the client leaves before its answer is complete. */
  leave(): void {
    this.#hasLeft = true;
    for (const end of this.#endings) end();
  }

  /** @throws Overloaded if the client has left */
  demand(): void {
    if (this.#hasLeft) throw new Overloaded();
  }

  /** Calls `end` when the client leaves, until `forget`. */
  whenLeaving(end: () => void): void {
    this.#endings.add(end);
  }

  forget(end: () => void): void {
    this.#endings.delete(end);
  }
}
