/** Takes the next delivery that is due: the columns of the rows are the queue. */
import type { Services } from '../../context.js';
import { Webhook, WebhookDelivery } from '../../models/webhook.js';
import { newToken } from '../leases/lease.js';
import { receiverOf } from './receivers.js';

/** Longer than an attempt takes. */
const LEASE_MS = 60_000;

/** Spelled like the condition of the partial indexes. */
const DUE = "state = 'pending' and due_at <= ?";

/** SQL of what waits at a time, its one binding. Without the plus SQLite would sort all that wait to find the oldest. */
export const DELIVERY_WAITING = `${DUE} and +webhook_id in (select id from webhooks where enabled)`;

type Dependencies = Pick<Services, 'db' | 'clock' | 'outbound'>;

/** @returns a delivery that is due, now leased to the caller; undefined where there is none for a receiver that accepts one */
export async function acquireDelivery(
  services: Dependencies,
): Promise<WebhookDelivery | undefined> {
  const now = services.clock();
  for (const webhookId of await inTurn(services, now)) {
    const row = await takeOf(services, webhookId, now);
    if (row) return row;
  }
  return undefined;
}

/** Webhooks with something due: those to which least is posted come first, of these the one that waits longest. The look costs no write lock. */
async function inTurn(services: Dependencies, now: Date): Promise<number[]> {
  const { read } = services.db;
  const next = read.raw(
    `(select due_at from webhook_deliveries where webhook_id = webhooks.id and ${DUE} order by due_at limit 1) as due_at`,
    [now.toISOString()],
  );
  const rows = (await read(Webhook.tableName)
    .where('enabled', true)
    .select('id', 'updated_at', next)) as {
    id: number;
    updated_at: string;
    due_at: string | null;
  }[];
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

async function takeOf(
  { db }: Dependencies,
  webhookId: number,
  now: Date,
): Promise<WebhookDelivery | undefined> {
  const [row] = await WebhookDelivery.query(db.write)
    .patch({
      dueAt: new Date(now.getTime() + LEASE_MS).toISOString(),
      leaseToken: newToken(),
      attempts: WebhookDelivery.raw('attempts + 1') as unknown as number,
    })
    .whereRaw(
      `id = (select id from webhook_deliveries where webhook_id = ? and ${DELIVERY_WAITING} order by due_at limit 1 ${db.skipLocked})`,
      [webhookId, now.toISOString()],
    )
    .returning('*');
  return row;
}
