/** Renews the lease of a row, by which only one process works on it at a time. */
import { randomBytes } from 'node:crypto';
import type { Services } from '../../context.js';
import { Attachment } from '../../models/attachment.js';

type Dependencies = Pick<Services, 'db' | 'clock' | 'log' | 'settings'>;

export const newToken = (): string => randomBytes(16).toString('hex');

/** The end of a lease that is acquired or renewed now, as ISO 8601. */
export const leaseEnd = ({ clock, settings }: Pick<Services, 'clock' | 'settings'>): string =>
  new Date(clock().getTime() + settings.leaseSeconds * 1000).toISOString();

/** Tokens of the leases that this process holds. */
const heldTokens = new Set<string>();

/**
 * SQL that excludes the rows on which this process works itself.
 * A database outage lets their leases run out, and their holders renew them as soon as they can.
 */
export function excludeHeldLeases(): { sql: string; bindings: string[] } {
  const tokens = [...heldTokens];
  return tokens.length === 0
    ? { sql: '', bindings: [] }
    : {
        sql: `and (lease_token is null or lease_token not in (${tokens.map(() => '?').join()}))`,
        bindings: tokens,
      };
}

export interface HeldLease {
  /** Aborts when the work must end: the parent signal aborted, or the lease is lost. */
  signal: AbortSignal;
  /** Whether another process acquired the row, or the row is deleted. */
  lost(): boolean;
  /** Stops the renewal. */
  stop(): void;
}

/**
 * Renews the lease of an attachment until `stop` is called.
 * @throws Error if the row is not leased
 */
export function holdLease(
  dependencies: Dependencies,
  { id, leaseToken: token }: Pick<Attachment, 'id' | 'leaseToken'>,
  parent?: AbortSignal,
): HeldLease {
  if (token === null) throw new Error(`Attachment ${id} is not leased.`);
  heldTokens.add(token);
  const lease = renewRepeatedly(
    dependencies,
    { attachment: id },
    (leaseUntil) =>
      Attachment.query(dependencies.db.write)
        .patch({ leaseUntil })
        .where({ id, lease_token: token })
        .whereNot('phase', 'deleting'),
    parent,
  );
  return {
    ...lease,
    stop: () => {
      heldTokens.delete(token);
      lease.stop();
    },
  };
}

/**
 * Renews a lease three times in its lifetime, until `stop` is called.
 * A failed renewal is retried at the next turn. The lease may run out until then.
 * @param row names the row in the log
 * @param renew gives the number of rows that are still leased to this process
 */
export function renewRepeatedly(
  services: Omit<Dependencies, 'db'>,
  row: { [name: string]: number },
  renew: (leaseUntil: string) => PromiseLike<number>,
  parent?: AbortSignal,
): HeldLease {
  const { log, settings } = services;
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
