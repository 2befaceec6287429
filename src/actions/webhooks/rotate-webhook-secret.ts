/** Gives a webhook another secret, which signs from now on, pending deliveries too. */
import type { Context } from '../../context.js';
import type { Webhook } from '../../models/webhook.js';
import { demandAdmin } from '../../policies/can.js';
import { changeWebhook, generateSecret, WEBHOOK_SECRET } from './webhook-details.js';

/** @returns the webhook and its secret, which nobody can read again. @throws MissingPermission, NotFound */
export async function rotateWebhookSecret(
  context: Context,
  id: number | undefined,
): Promise<{ webhook: Webhook; secret: string }> {
  demandAdmin(context);
  const secret = generateSecret();
  return {
    webhook: await changeWebhook(context, id, {
      secret: context.keyring.seal(secret, WEBHOOK_SECRET),
    }),
    secret,
  };
}
