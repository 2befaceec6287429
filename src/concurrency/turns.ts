/** Lets each caller do a few large things at a time. The others wait for their turn. */
import { Overloaded } from '../contract/errors.js';
import type { Caller } from './slots.js';

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

export class Turns {
  readonly #queues = new Map<Caller, Queue>();

  /**
   * @param limits of each caller
   * @param message of the error for a caller with too many that wait
   */
  constructor(
    private readonly limits: { running: number; waiting: number },
    private readonly message: string,
  ) {}

  /**
   * Waits for a turn.
   * @returns a function that ends the turn; call it exactly once
   * @throws Overloaded if too many wait
   */
  async take(caller: Caller): Promise<() => void> {
    let queue = this.#queues.get(caller);
    if (!queue) this.#queues.set(caller, (queue = { running: 0, waiting: [] }));
    const { waiting } = queue;
    if (queue.running === this.limits.running) {
      if (waiting.length === this.limits.waiting) throw new Overloaded(this.message);
      // The turn of the one that ends is handed over.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else queue.running += 1;
    return () => this.#end(caller, queue);
  }

  #end(caller: Caller, queue: Queue): void {
    const next = queue.waiting.shift();
    if (next) return next();
    queue.running -= 1;
    if (queue.running === 0) this.#queues.delete(caller);
  }
}
