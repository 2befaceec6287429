/** Takes the next delivery that is due: the columns of the rows are the queue. */
import type { Services } from '../context.js';
import { WebhookDelivery } from '../models/webhook.js';
import { newToken } from './lease.js';

/** Longer than an attempt takes. */
const LEASE_MS = 60_000;

/** SQL of what waits at a time, its one binding. */
export const DELIVERY_WAITING = "state = 'pending' and due_at <= ? and webhook_id in (select id from webhooks where enabled)";

/** @returns the delivery that is due longest, now leased to the caller; undefined where there is none */
export async function takeDelivery({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<WebhookDelivery | undefined> {
  const now = clock();
  const bindings = [now.toISOString()];
  // The look costs no write lock.
  if ((await WebhookDelivery.query(db.read).select('id').whereRaw(DELIVERY_WAITING, bindings).limit(1)).length === 0) return undefined;
  const [row] = await WebhookDelivery.query(db.write)
    .patch({ dueAt: new Date(now.getTime() + LEASE_MS).toISOString(), leaseToken: newToken(), attempts: WebhookDelivery.raw('attempts + 1') as unknown as number })
    .whereRaw(`id = (select id from webhook_deliveries where ${DELIVERY_WAITING} order by due_at limit 1 ${db.skipLocked})`, bindings)
    .returning('*') as unknown as WebhookDelivery[];
  return row;
}
