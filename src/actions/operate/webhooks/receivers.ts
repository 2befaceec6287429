/** Tracks the posts and pauses of each webhook's receiver in this process. */
import type { Services } from '../../../context.js';

/** Concurrent posts to one receiver: half of a process's, so that a slow one blocks no others. */
const MAX_CONCURRENT = 4;

/**
 * Like the circuit breakers, this state is not shared between processes. Another process may reach
 * a receiver that this one cannot, or have a key that this one lacks.
 */
class Receiver {
  #posting = 0;
  /** Pauses in a row since the last answer. */
  #pauses = 0;
  #pausedUntil = 0;
  /** `updatedAt` of the webhook when it was paused. */
  #version: string | undefined;

  get posting(): number {
    return this.#posting;
  }

  /**
   * Whether another event may be posted. After a pause only one at a time, as a test.
   * @param version `updatedAt` of the webhook; earlier pauses do not count after a change
   */
  accepts(version: string, now: number): boolean {
    if (this.#version !== version || this.#pauses === 0) return this.#posting < MAX_CONCURRENT;
    return this.#pausedUntil <= now && this.#posting === 0;
  }

  /** Counts the post before it starts, so that `accepts` is right at once. */
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

  /** @returns the number of pauses in a row with this one; undefined if one is already running */
  pause(version: string, now: number, ms: (pauses: number) => number): number | undefined {
    const before = this.#version === version ? this.#pauses : 0;
    if (before > 0 && this.#pausedUntil > now) return undefined;
    this.#version = version;
    this.#pauses = before + 1;
    this.#pausedUntil = now + ms(this.#pauses);
    return this.#pauses;
  }
}

/** By outbound client, because that has the circuit breakers. */
const known = new WeakMap<Services['outbound'], Map<number, Receiver>>();

export function receiverOf({ outbound }: Pick<Services, 'outbound'>, webhookId: number): Receiver {
  let receivers = known.get(outbound);
  if (!receivers) known.set(outbound, (receivers = new Map()));
  let receiver = receivers.get(webhookId);
  if (!receiver) receivers.set(webhookId, (receiver = new Receiver()));
  return receiver;
}
