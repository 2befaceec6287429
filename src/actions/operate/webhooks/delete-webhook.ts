/** Deletes a webhook with its deliveries. */
import type { Context } from '../../../context.js';
import { Webhook } from '../../../models/webhook.js';
import { demandAdmin } from '../../../policies/can.js';
import { auditWebhook, lockWebhook, targetOf } from './webhook-details.js';

/** @returns the id. @throws MissingPermission, NotFound */
export async function deleteWebhook(context: Context, id: number | undefined): Promise<number> {
  demandAdmin(context);
  const webhook = await context.db.write.transaction(async (trx) => {
    const before = await lockWebhook(context, trx, id);
    await Webhook.query(trx).deleteById(before.id);
    await auditWebhook(context, trx, 'WEBHOOK_DELETED', { before });
    return before;
  });
  context.outbound.forget(targetOf(webhook));
  return webhook.id;
}
