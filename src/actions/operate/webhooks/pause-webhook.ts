/** Pauses a webhook whose receiver could not be called at all. */
import type { Services } from '../../../context.js';
import { DeliveryState, WebhookDelivery, type Webhook } from '../../../models/webhook.js';
import { CIRCUIT_OPEN_MS } from '../../../outbound/circuits.js';
import { receiverOf } from './receivers.js';
import { leased } from '../../base/leases/queue.js';

/** Why no request was sent. */
export interface Obstacle {
  /** The receiver's circuit breaker is open, or no key opens the webhook's secret. */
  cause: 'circuit' | 'secret';
  /** For an administrator. */
  reason: string;
}

/** Wait before the keys are tried again, doubled each time. A restarted process tries at once. */
const FIRST_SECRET_WAIT_MS = 60_000;
const MAX_SECRET_WAIT_MS = 3_600_000;
/** Deliveries that wait longer are given up. */
const MAX_WAIT_MS = 3 * 86_400_000;
/** Rows changed by one statement. */
const DELIVERIES_AT_ONCE = 1_000;

type PauseNeeds = Pick<Services, 'db' | 'clock' | 'outbound' | 'log'>;

/** Length of a pause in ms, from the number of pauses in a row. */
const pauseMs: { readonly [cause in Obstacle['cause']]: (pauses: number) => number } = {
  circuit: () => CIRCUIT_OPEN_MS,
  secret: (pauses) => Math.min(FIRST_SECRET_WAIT_MS * 2 ** (pauses - 1), MAX_SECRET_WAIT_MS),
};

/**
 * Pauses the webhook and releases the delivery. Its other deliveries wait too during the pause.
 * @param delivery a leased row whose attempt was counted when it was acquired
 */
export async function pauseWebhook(
  services: PauseNeeds,
  webhook: Webhook,
  delivery: WebhookDelivery,
  { cause, reason }: Obstacle,
): Promise<void> {
  const { db, clock, log } = services;
  const now = clock();
  const pauses = receiverOf(services, webhook.id).pause(
    webhook.updatedAt,
    now.getTime(),
    pauseMs[cause],
  );
  await leased(WebhookDelivery, db.write, delivery).patch({
    attempts: delivery.attempts - 1,
    dueAt: now.toISOString(),
    leaseToken: null,
  });
  if (pauses === undefined) return;
  if (cause === 'secret')
    log.error(
      { webhook: webhook.id, reason },
      'the secret of a webhook cannot be opened: its events wait',
    );
  else if (pauses === 1)
    log.warn(
      { webhook: webhook.id, reason },
      'the receiver of a webhook cannot be reached: its events wait',
    );
  // An error of a real attempt says more than this reason, so it is not overwritten.
  // An unreadable secret must be seen, so its reason always is.
  await change(
    services,
    webhook,
    now,
    { lastStatus: null, lastError: reason },
    cause === 'secret'
      ? ['(last_error is null or last_error <> ?)', reason]
      : ['last_error is null'],
  );
  const before = new Date(now.getTime() - MAX_WAIT_MS).toISOString();
  // An administrator who has just changed or enabled the webhook wants the old events too.
  if (webhook.updatedAt > before) return;
  const givenUp = { state: DeliveryState.DEAD, leaseToken: null, updatedAt: now.toISOString() };
  const count = await change(services, webhook, now, givenUp, ['updated_at <= ?', before]);
  if (count > 0)
    log.warn(
      { webhook: webhook.id, events: count, reason },
      'events that waited for days were given up',
    );
}

/**
 * Changes due deliveries in one statement. Skips those that another process is changing.
 * @returns the number of changed rows
 */
const change = async (
  { db }: PauseNeeds,
  { id }: Webhook,
  now: Date,
  changes: Partial<WebhookDelivery>,
  [condition, ...bindings]: [sql: string, ...bindings: string[]],
): Promise<number> =>
  WebhookDelivery.query(db.write)
    .patch(changes)
    .whereRaw(
      'id in (select id from webhook_deliveries' +
        ` where webhook_id = ? and state = 'pending' and due_at <= ? and ${condition}` +
        ` order by due_at limit ${DELIVERIES_AT_ONCE} ${db.skipLocked})`,
      [id, now.toISOString(), ...bindings],
    );
