/** Makes a delivery pending again, even one that was given up. */
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { DeliveryState, WebhookDelivery } from '../../../models/webhook.js';
import { demandAdmin } from '../../../policies/can.js';

/** @throws MissingPermission, NotFound */
export async function redeliverEvent(
  context: Context,
  id: number | undefined,
): Promise<WebhookDelivery> {
  demandAdmin(context);
  const now = context.clock().toISOString();
  const [row] =
    id === undefined
      ? []
      : await WebhookDelivery.query(context.db.write)
          .patch({
            state: DeliveryState.PENDING,
            attempts: 0,
            dueAt: now,
            leaseToken: null,
            updatedAt: now,
          })
          .where({ id })
          .returning('*');
  if (!row) throw new NotFound();
  context.wake();
  return row;
}
