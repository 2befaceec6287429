/** The columns of a row say who works on it: until `lease_until` the holder of `lease_token`, afterwards anybody. */
import { randomBytes } from 'node:crypto';
import type { Services } from '../../context.js';
import { Attachment } from '../../models/attachment.js';

type Dependencies = Pick<Services, 'db' | 'clock' | 'log' | 'settings'>;

export const newToken = (): string => randomBytes(16).toString('hex');

/** When a lease that is taken or renewed now runs out. */
export const leaseEnd = ({ clock, settings }: Pick<Services, 'clock' | 'settings'>): string =>
  new Date(clock().getTime() + settings.leaseSeconds * 1000).toISOString();

/** Of the work that this process has in hand. */
const held = new Set<string>();

/** SQL that leaves out what this process works on itself: after an outage its leases have run out, and it renews them as soon as it can. */
export function notInHand(): { sql: string; bindings: string[] } {
  const tokens = [...held];
  return tokens.length === 0
    ? { sql: '', bindings: [] }
    : {
        sql: `and (lease_token is null or lease_token not in (${tokens.map(() => '?').join()}))`,
        bindings: tokens,
      };
}

export interface HeldLease {
  /** Aborted when the work must end: because the parent signal says so, or because the lease is lost. */
  signal: AbortSignal;
  /** Whether somebody else has taken over, or the row is gone. */
  lost(): boolean;
  /** Ends the renewal. */
  stop(): void;
}

/** Renews the lease three times in its life until `stop`. A renewal that fails is tried again; the lease may run out meanwhile. */
export function holdLease(
  needs: Dependencies,
  id: number,
  token: string,
  parent?: AbortSignal,
): HeldLease {
  const { db, log, settings } = needs;
  const controller = new AbortController();
  const end = () => controller.abort(parent?.reason);
  // Not AbortSignal.any: on Node 20 a long-lived signal keeps everything that was ever derived from it.
  if (parent?.aborted) end();
  else parent?.addEventListener('abort', end, { once: true });
  const renew = async () => {
    try {
      const renewed = await Attachment.query(db.write)
        .patch({ leaseUntil: leaseEnd(needs) })
        .where({ id, lease_token: token })
        .whereNot('phase', 'deleting');
      if (renewed === 0) controller.abort(new LeaseLost());
    } catch (error) {
      log.warn({ err: error, attachment: id }, 'a lease was not renewed');
    }
  };
  held.add(token);
  const timer = setInterval(() => void renew(), (settings.leaseSeconds * 1000) / 3).unref();
  return {
    signal: controller.signal,
    lost: () => controller.signal.reason instanceof LeaseLost,
    stop: () => {
      clearInterval(timer);
      held.delete(token);
      parent?.removeEventListener('abort', end);
    },
  };
}

/** Another process has taken the work over. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process has taken over.');
    this.name = 'LeaseLost';
  }
}
