/** Acquires the next webhook delivery that is due. */
import type { Services } from '../../../context.js';
import { Webhook, WebhookDelivery } from '../../../models/webhook.js';
import { acquireFirst, later, type Queue, type QueueNeeds } from '../../base/leases/queue.js';
import { receiverOf } from './receivers.js';

/** Must be longer than the time-out of an attempt. */
const LEASE_MS = 60_000;

/** Repeats the condition of the partial indexes, or SQLite would not use them. */
const DUE = "state = 'pending' and due_at <= ?";

export const deliveries: Queue<WebhookDelivery> = {
  model: WebhookDelivery,
  // The plus keeps SQLite from the index of `webhook_id`, with which it would sort all due rows.
  waiting: `${DUE} and +webhook_id in (select id from webhooks where enabled)`,
  since: 'due_at',
  lease: ({ clock }) => ({
    dueAt: later(clock(), LEASE_MS),
    attempts: WebhookDelivery.raw('attempts + 1'),
  }),
};

type DeliveryQueueNeeds = QueueNeeds & Pick<Services, 'outbound'>;

/** @returns a due delivery, leased to the caller; undefined if no receiver can get one now */
export async function acquireDelivery(
  services: DeliveryQueueNeeds,
): Promise<WebhookDelivery | undefined> {
  const now = services.clock();
  for (const webhookId of await dueWebhooks(services, now)) {
    const row = await acquireFirst(services, deliveries, {
      text: 'webhook_id = ?',
      values: [webhookId],
    });
    if (row) return row;
  }
  return undefined;
}

/**
 * Webhooks with a due delivery. Those with the fewest posts under way come first, then those that
 * wait longest. Reads only, so idle polling takes no write lock.
 */
async function dueWebhooks(services: DeliveryQueueNeeds, now: Date): Promise<number[]> {
  const { read } = services.db;
  const next = read.raw(
    '(select due_at from webhook_deliveries' +
      ` where webhook_id = webhooks.id and ${DUE} order by due_at limit 1) as due_at`,
    [now.toISOString()],
  );
  const rows: { id: number; updated_at: string; due_at: string | null }[] = await read(
    Webhook.tableName,
  )
    .where('enabled', true)
    .select('id', 'updated_at', next);
  return rows
    .flatMap(({ id, updated_at: version, due_at: dueAt }) => {
      const receiver = receiverOf(services, id);
      return dueAt !== null && receiver.accepts(version, now.getTime())
        ? [{ id, dueAt, posting: receiver.posting }]
        : [];
    })
    .sort((a, b) => a.posting - b.posting || a.dueAt.localeCompare(b.dueAt))
    .map(({ id }) => id);
}
