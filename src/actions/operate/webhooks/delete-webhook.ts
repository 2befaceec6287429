/** Deletes a webhook with its deliveries. */
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { Webhook } from '../../../models/webhook.js';
import { demandAdmin } from '../../../policies/can.js';
import { targetOf } from './webhook-details.js';

/** @returns the id. @throws MissingPermission, NotFound */
export async function deleteWebhook(context: Context, id: number | undefined): Promise<number> {
  demandAdmin(context);
  if (id === undefined || (await Webhook.query(context.db.write).deleteById(id)) === 0)
    throw new NotFound();
  context.outbound.forget(targetOf({ id }));
  return id;
}
