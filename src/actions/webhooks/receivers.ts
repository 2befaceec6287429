/**
 * What this process knows of the receivers of webhooks. It is only in memory, like the circuits: another process may reach a receiver
 * that this one does not, or have the key of a secret.
 */
import type { Services } from '../../context.js';

/** As many events as one process posts to one receiver at the same time: half of what it posts, so that a slow one leaves room. */
const SIDE_BY_SIDE = 4;

export class Receiver {
  #posting = 0;
  /** In a row, since it answered. */
  #pauses = 0;
  #pausedUntil = 0;
  #version: string | undefined;

  get posting(): number {
    return this.#posting;
  }

  /** Whether another event may be posted. After a pause one at a time finds out how things are. @param version when the webhook was changed: what was known before says nothing */
  accepts(version: string, now: number): boolean {
    if (this.#version !== version || this.#pauses === 0) return this.#posting < SIDE_BY_SIDE;
    return this.#pausedUntil <= now && this.#posting === 0;
  }

  /** @param post counts from the call on, so that nobody takes more meanwhile */
  async while(post: () => Promise<void>): Promise<void> {
    this.#posting += 1;
    try {
      await post();
    } finally {
      this.#posting -= 1;
    }
  }

  answered(): void {
    this.#pauses = 0;
  }

  /** Leaves it alone. @returns how many pauses there were in a row with this one; undefined where one goes on already */
  pause(version: string, now: number, ms: (pauses: number) => number): number | undefined {
    const before = this.#version === version ? this.#pauses : 0;
    if (before > 0 && this.#pausedUntil > now) return undefined;
    this.#version = version;
    this.#pauses = before + 1;
    this.#pausedUntil = now + ms(this.#pauses);
    return this.#pauses;
  }
}

/** By the client whose circuits they have. */
const known = new WeakMap<Services['outbound'], Map<number, Receiver>>();

export function receiverOf({ outbound }: Pick<Services, 'outbound'>, webhookId: number): Receiver {
  let receivers = known.get(outbound);
  if (!receivers) known.set(outbound, (receivers = new Map()));
  let receiver = receivers.get(webhookId);
  if (!receiver) receivers.set(webhookId, (receiver = new Receiver()));
  return receiver;
}
