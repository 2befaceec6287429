/** Limits how many large tasks each caller runs at the same time. The other tasks wait. */
import { Overloaded } from '../contract/errors.js';
import type { Caller } from './slots.js';

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

export class Turns {
  readonly #queues = new Map<Caller, Queue>();

  /**
   * @param limits the numbers of running and of waiting tasks of each caller
   * @param message of the error when a caller has too many waiting tasks
   */
  constructor(
    private readonly limits: { running: number; waiting: number },
    private readonly message: string,
  ) {}

  /**
   * Waits until the caller may run another task.
   * @returns a function that ends the turn; call it exactly once
   * @throws Overloaded if the caller has too many waiting tasks
   */
  async take(caller: Caller): Promise<() => void> {
    let queue = this.#queues.get(caller);
    if (!queue) this.#queues.set(caller, (queue = { running: 0, waiting: [] }));
    const { waiting } = queue;
    if (queue.running === this.limits.running) {
      if (waiting.length === this.limits.waiting) throw new Overloaded(this.message);
      // A task that ends gives its turn to this one, so `running` does not change.
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
