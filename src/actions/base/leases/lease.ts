/** Renews the lease of a row, by which only one process works on it at a time. */
import { randomBytes } from 'node:crypto';
import type { Services } from '../../../context.js';
import type { Sql } from '../../../database/index.js';

type LeaseNeeds = Pick<Services, 'clock' | 'heldLeases' | 'log' | 'settings'>;

export const newToken = (): string => randomBytes(16).toString('hex');

/** The end of a lease that is acquired or renewed now, as ISO 8601. */
export const leaseEnd = ({ clock, settings }: Pick<Services, 'clock' | 'settings'>): string =>
  new Date(clock().getTime() + settings.leaseSeconds * 1000).toISOString();

/**
 * Excludes the rows on which this process works itself.
 * A database outage lets their leases run out, and their holders renew them as soon as they can.
 */
export function excludeHeldLeases({ heldLeases }: Pick<Services, 'heldLeases'>): Sql[] {
  const values = [...heldLeases];
  const tokens = values.map(() => '?').join();
  return values.length === 0
    ? []
    : [{ text: `(lease_token is null or lease_token not in (${tokens}))`, values }];
}

export interface HeldLease {
  /** Aborts when the work must end: the parent signal aborted, or the lease is lost. */
  signal: AbortSignal;
  /** Whether another process acquired the row, or the row is deleted. */
  lost(): boolean;
  /** Stops the renewal. */
  stop(): void;
}

/** A leased row, and how its lease is renewed. */
interface Renewed {
  /** Names the row in the log. */
  row: { [name: string]: number };
  token: string | null;
  /** @returns the number of rows that are still leased to this process */
  renew: (leaseUntil: string) => PromiseLike<number>;
}

/**
 * Renews a lease three times in its lifetime, until `stop` is called.
 * A failed renewal is retried at the next turn. The lease may run out until then.
 * @throws Error if the row is not leased
 */
export function holdLease(
  services: LeaseNeeds,
  { row, token, renew }: Renewed,
  parent?: AbortSignal,
): HeldLease {
  if (token === null) throw new Error(`The row is not leased: ${JSON.stringify(row)}`);
  const { heldLeases, log, settings } = services;
  heldLeases.add(token);
  const controller = new AbortController();
  const end = () => controller.abort(parent?.reason);
  // Not AbortSignal.any: on Node 20 a long-lived signal never frees the signals derived from it.
  if (parent?.aborted) end();
  else parent?.addEventListener('abort', end, { once: true });
  const turn = async () => {
    try {
      if ((await renew(leaseEnd(services))) === 0) controller.abort(new LeaseLost());
    } catch (error) {
      log.warn({ err: error, ...row }, 'a lease was not renewed');
    }
  };
  const timer = setInterval(() => void turn(), (settings.leaseSeconds * 1000) / 3).unref();
  return {
    signal: controller.signal,
    lost: () => controller.signal.reason instanceof LeaseLost,
    stop: () => {
      heldLeases.delete(token);
      clearInterval(timer);
      parent?.removeEventListener('abort', end);
    },
  };
}

/** The lease of a row is lost: another process acquired it, or the row is deleted. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process has taken over.');
    this.name = 'LeaseLost';
  }
}
