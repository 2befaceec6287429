/** Puts a delivery back that could not even be tried, and leaves its webhook alone for a while: its other deliveries wait where they are. */
import type { Services } from '../../context.js';
import { DeliveryState, WebhookDelivery, type Webhook } from '../../models/webhook.js';
import { receiverOf } from './receivers.js';

/** Nobody was asked. */
export interface Obstacle {
  /** The receiver's circuit is open, or no key opens the webhook's secret. */
  hindrance: 'circuit' | 'secret';
  /** In words for an administrator. */
  reason: string;
}

/** As long as a circuit is open. */
const CIRCUIT_WAIT_MS = 10_000;
/** Until a key is looked for again, doubled each time. A process that is started anew looks at once. */
const FIRST_SECRET_WAIT_MS = 60_000;
const LAST_SECRET_WAIT_MS = 3_600_000;
/** What waits longer is given up. */
const PATIENCE_MS = 3 * 86_400_000;
/** As many rows as one statement changes. */
const BATCH = 1_000;

type Dependencies = Pick<Services, 'db' | 'clock' | 'outbound' | 'log'>;

const waits: { readonly [hindrance in Obstacle['hindrance']]: (pauses: number) => number } = {
  circuit: () => CIRCUIT_WAIT_MS,
  secret: (pauses) => Math.min(FIRST_SECRET_WAIT_MS * 2 ** (pauses - 1), LAST_SECRET_WAIT_MS),
};

/** @param delivery a leased row whose attempt was counted when it was taken */
export async function postponeDelivery(
  services: Dependencies,
  webhook: Webhook,
  { id, leaseToken, attempts }: WebhookDelivery,
  { hindrance, reason }: Obstacle,
): Promise<void> {
  const { db, clock, log } = services;
  const now = clock();
  const pauses = receiverOf(services, webhook.id).pause(
    webhook.updatedAt,
    now.getTime(),
    waits[hindrance],
  );
  await WebhookDelivery.query(db.write)
    .patch({ attempts: attempts - 1, dueAt: now.toISOString(), leaseToken: null })
    .where({ id, lease_token: leaseToken });
  if (pauses === undefined) return;
  if (hindrance === 'secret')
    log.error(
      { webhook: webhook.id, reason },
      'the secret of a webhook cannot be opened: its events wait',
    );
  else if (pauses === 1)
    log.warn(
      { webhook: webhook.id, reason },
      'the receiver of a webhook cannot be reached: its events wait',
    );
  // What was really tried has better words than that the receiver is left alone.
  await change(
    services,
    webhook,
    now,
    { lastStatus: null, lastError: reason },
    hindrance === 'secret'
      ? ['(last_error is null or last_error <> ?)', reason]
      : ['last_error is null'],
  );
  const before = new Date(now.getTime() - PATIENCE_MS).toISOString();
  // Whoever enables a webhook again, or changes it otherwise, wants what is old.
  if (webhook.updatedAt > before) return;
  const over = { state: DeliveryState.dead, leaseToken: null, updatedAt: now.toISOString() };
  const given = await change(services, webhook, now, over, ['updated_at <= ?', before]);
  if (given > 0)
    log.warn(
      { webhook: webhook.id, events: given, reason },
      'events that waited for days were given up',
    );
}

/** Changes due deliveries in one statement; those that another process is changing are left to it. @returns how many */
const change = (
  { db }: Dependencies,
  { id }: Webhook,
  now: Date,
  changes: Partial<WebhookDelivery>,
  [condition, ...bindings]: [sql: string, ...bindings: string[]],
): Promise<number> =>
  WebhookDelivery.query(db.write)
    .patch(changes)
    .whereRaw(
      `id in (select id from webhook_deliveries where webhook_id = ? and state = 'pending' and due_at <= ? and ${condition} order by due_at limit ${BATCH} ${db.skipLocked})`,
      [id, now.toISOString(), ...bindings],
    ) as unknown as Promise<number>;
