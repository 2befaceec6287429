/** Makes a delivery pending again, even one that was given up. */
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { DeliveryState, Webhook, WebhookDelivery } from '../../../models/webhook.js';
import { demandAdmin } from '../../../policies/can.js';

/** @throws MissingPermission, NotFound */
export async function redeliverEvent(
  context: Context,
  id: number | undefined,
): Promise<WebhookDelivery> {
  demandAdmin(context);
  if (id === undefined) throw new NotFound();
  const now = context.clock().toISOString();
  const delivery = await context.db.write.transaction(async (trx) => {
    const [row] = await WebhookDelivery.query(trx)
      .patch({
        state: DeliveryState.PENDING,
        attempts: 0,
        dueAt: now,
        leaseToken: null,
        updatedAt: now,
      })
      .where({ id })
      .returning('*');
    const webhook = row && (await Webhook.query(trx).findById(row.webhookId));
    if (!webhook) throw new NotFound();
    await recordAudit(trx, now, context.actor, {
      kind: 'WEBHOOK_EVENT_REDELIVERED',
      subject: { type: 'Webhook', id: webhook.id, name: webhook.url },
    });
    return row;
  });
  context.wake();
  return delivery;
}
