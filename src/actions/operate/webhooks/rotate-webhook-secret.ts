/** Replaces the secret of a webhook. */
import type { Context } from '../../../context.js';
import type { Webhook } from '../../../models/webhook.js';
import { demandAdmin } from '../../../policies/can.js';
import { changeWebhook, generateSecret, WEBHOOK_SECRET } from './webhook-details.js';

/**
 * The new secret signs all later attempts, also those of pending deliveries.
 * @returns the webhook and its secret; no query returns the secret later
 * @throws MissingPermission, NotFound
 */
export async function rotateWebhookSecret(
  context: Context,
  id: number | undefined,
): Promise<{ webhook: Webhook; secret: string }> {
  demandAdmin(context);
  const secret = generateSecret();
  return {
    webhook: await changeWebhook(context, id, 'WEBHOOK_SECRET_ROTATED', {
      secret: context.keyring.seal(secret, WEBHOOK_SECRET),
    }),
    secret,
  };
}
