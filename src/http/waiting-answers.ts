/**
 * Bounds what finished answers cost while their clients do not take them. Downloads have limits of
 * their own, because they are not kept in memory.
 */
import type { Response } from 'express';
import type { Logger } from 'pino';
import { Slots } from '../concurrency/slots.js';
import { clientNetwork } from '../contract/client-network.js';
import { ANSWER_ENDED } from './slow-clients.js';

/** Smaller answers are not counted: the connection itself costs as much. */
const SMALL = 64 * 1024;
/** Limit of the answers that wait for the clients of one network, in bytes. */
const PER_NETWORK = 64 * 1024 * 1024;

export class WaitingAnswers {
  readonly #waiting = new Slots({ total: Infinity, perUser: PER_NETWORK }, ANSWER_ENDED);

  /** @param seconds in which a client must take an answer */
  constructor(private readonly seconds: number) {}

  /**
   * Call it after the end of an answer. If the client does not take it in time, or if too many
   * answers wait for its network, the connection is closed.
   */
  watch(res: Response): void {
    const bytes = res.writableLength;
    if (bytes <= SMALL || res.closed) return;
    const close = () => {
      (res.locals as { log: Logger }).log.info(ANSWER_ENDED);
      res.req.socket.destroy();
    };
    const release = this.#acquire(clientNetwork(res.req.ip ?? ''), bytes);
    if (!release) return close();
    const timer = setTimeout(close, this.seconds * 1000);
    res.once('close', () => {
      clearTimeout(timer);
      release();
    });
  }

  #acquire(network: string, bytes: number): (() => void) | undefined {
    try {
      return this.#waiting.acquire(network, bytes);
    } catch {
      return undefined;
    }
  }
}
