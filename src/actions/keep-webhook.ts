/** Webhooks are made, changed and removed by administrators. Their secrets are shown once. */
import { randomBytes } from 'node:crypto';
import type { Context } from '../context.js';
import { NotFound, violated, type Violation } from '../errors.js';
import { born } from '../models/record.js';
import { Webhook, type WebhookEvent } from '../models/webhook.js';
import { demandAdmin } from '../policies/can.js';
import { validateAddress } from './validate-address.js';
import { storable } from './validate-details.js';

export const WEBHOOK_SECRET = 'webhooks.secret';

/** Members as they were given; absent ones are undefined. */
export interface WebhookInput {
  url?: string | null | undefined;
  events?: readonly WebhookEvent[] | null | undefined;
  enabled?: boolean | null | undefined;
}

const MAX_URL = 2000;

/** @returns the webhook and its secret, which nobody can read again. @throws MissingPermission, PropertyConstraintViolation */
export async function createWebhook(context: Context, { url, events, enabled }: WebhookInput): Promise<{ webhook: Webhook; secret: string }> {
  demandAdmin(context);
  const changes = validate({ url: url ?? '', events: events ?? [], enabled: enabled ?? true });
  const secret = generateSecret();
  const webhook = await Webhook.query(context.db.write).insert({ ...changes, secret: context.keyring.seal(secret, WEBHOOK_SECRET), creatorId: context.user.id, ...born(context.clock().toISOString()) }).returning('*');
  return { webhook, secret };
}

/** @throws MissingPermission, NotFound, PropertyConstraintViolation */
export async function updateWebhook(context: Context, id: number | undefined, input: WebhookInput): Promise<Webhook> {
  demandAdmin(context);
  return changed(context, id, validate(input));
}

/** Signs with another secret from now on, pending deliveries too. @throws MissingPermission, NotFound */
export async function rotateWebhookSecret(context: Context, id: number | undefined): Promise<{ webhook: Webhook; secret: string }> {
  demandAdmin(context);
  const secret = generateSecret();
  return { webhook: await changed(context, id, { secret: context.keyring.seal(secret, WEBHOOK_SECRET) }), secret };
}

/** Its deliveries go with it. @throws MissingPermission, NotFound */
export async function deleteWebhook(context: Context, id: number | undefined): Promise<void> {
  demandAdmin(context);
  if (id === undefined || (await Webhook.query(context.db.write).deleteById(id)) === 0) throw new NotFound();
  context.outbound.forget(targetOf({ id }));
}

/** Whose circuit and numbers its deliveries are. */
export const targetOf = ({ id }: { id: number }): string => `webhook ${id}`;

async function changed({ db, clock, outbound }: Context, id: number | undefined, changes: Partial<Webhook>): Promise<Webhook> {
  const [webhook] = id === undefined ? [] : await Webhook.query(db.write).patch({ ...changes, updatedAt: clock().toISOString() }).where({ id }).returning('*') as unknown as Webhook[];
  if (!webhook) throw new NotFound();
  outbound.forget(targetOf(webhook));
  return webhook;
}

/** In the form of the Standard Webhooks specification: 32 random bytes. */
const generateSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

function validate({ url, events, enabled }: WebhookInput): Partial<Pick<Webhook, 'url' | 'events' | 'enabled'>> {
  const violations: Violation[] = [];
  if (url !== undefined) {
    const verdict = validateAddress('Url', url ?? '', { query: true });
    if (typeof verdict === 'string') violations.push({ attribute: 'url', message: verdict });
    else if (verdict.href.length > MAX_URL || !storable(verdict.href)) violations.push({ attribute: 'url', message: `Url is too long (maximum is ${MAX_URL} characters).` });
  }
  if (events !== undefined && (events ?? []).length === 0) violations.push({ attribute: 'events', message: "Events can't be blank." });
  if (violations.length > 0) throw violated(violations);
  return { ...(typeof url === 'string' && { url: new URL(url).href }), ...(events && { events: [...new Set(events)] }), ...(typeof enabled === 'boolean' && { enabled }) };
}
