/** Changes a webhook. */
import type { Context } from '../../../context.js';
import type { Webhook } from '../../../models/webhook.js';
import { demandAdmin } from '../../../policies/can.js';
import { dispatchEarlierEvents } from './dispatch-events.js';
import { changeWebhook, validateWebhook, type WebhookInput } from './webhook-details.js';

/** @throws MissingPermission, NotFound, PropertyConstraintViolation */
export async function updateWebhook(
  context: Context,
  id: number | undefined,
  input: WebhookInput,
): Promise<Webhook> {
  demandAdmin(context);
  const changes = validateWebhook(input);
  await dispatchEarlierEvents(context);
  return changeWebhook(context, id, 'WEBHOOK_UPDATED', changes);
}
