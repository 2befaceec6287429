/** Creates a webhook. */
import type { Context } from '../../../context.js';
import { timestamps } from '../../../models/record.js';
import { Webhook } from '../../../models/webhook.js';
import { demandAdmin } from '../../../policies/can.js';
import { dispatchEarlierEvents } from './dispatch-events.js';
import {
  auditWebhook,
  generateSecret,
  validateWebhook,
  WEBHOOK_SECRET,
  type WebhookInput,
} from './webhook-details.js';

/**
 * @returns the webhook and its secret; no query returns the secret later
 * @throws MissingPermission, PropertyConstraintViolation
 */
export async function createWebhook(
  context: Context,
  { url, events, enabled }: WebhookInput,
): Promise<{ webhook: Webhook; secret: string }> {
  demandAdmin(context);
  const changes = validateWebhook({
    url: url ?? '',
    events: events ?? [],
    enabled: enabled ?? true,
  });
  const secret = generateSecret();
  await dispatchEarlierEvents(context);
  const webhook = await context.db.write.transaction(async (trx) => {
    const created = await Webhook.query(trx)
      .insert({
        ...changes,
        secret: context.keyring.seal(secret, WEBHOOK_SECRET),
        creatorId: context.user.id,
        ...timestamps(context.clock().toISOString()),
      })
      .returning('*');
    await auditWebhook(context, trx, 'WEBHOOK_CREATED', { after: created });
    return created;
  });
  return { webhook, secret };
}
