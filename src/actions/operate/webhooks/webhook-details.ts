/** Shared parts of the operations on webhooks: input, secret, validation, change. */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import { NotFound, violated, type Violation } from '../../../contract/errors.js';
import type { AuditKind } from '../../../models/audit-event.js';
import { Webhook, type WebhookEvent } from '../../../models/webhook.js';
import { isStorableText } from '../../../contract/text-rules.js';
import { validateAddress } from '../../../outbound/address.js';

/** Purpose under which webhook secrets are sealed. */
export const WEBHOOK_SECRET = 'webhooks.secret';

/** Input members. Absent ones are undefined. */
export interface WebhookInput {
  url?: string | null | undefined;
  events?: readonly WebhookEvent[] | null | undefined;
  enabled?: boolean | null | undefined;
}

const MAX_URL = 2000;

/** Name of a webhook's circuit breaker and metrics in the outbound client. */
export const targetOf = ({ id }: { id: number }): string => `webhook ${id}`;

/** 32 random bytes in the format of the Standard Webhooks specification. */
export const generateSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** @throws NotFound */
export async function changeWebhook(
  context: Context,
  id: number | undefined,
  kind: AuditKind,
  changes: Partial<Webhook>,
): Promise<Webhook> {
  const { db, clock, outbound } = context;
  const webhook = await db.write.transaction(async (trx) => {
    const before = await lockWebhook(context, trx, id);
    const updatedAt = clock().toISOString();
    await Webhook.query(trx)
      .findById(before.id)
      .patch({ ...changes, updatedAt });
    const after = before.$clone().$set({ ...changes, updatedAt });
    await auditWebhook(context, trx, kind, { before, after });
    return after;
  });
  outbound.forget(targetOf(webhook));
  return webhook;
}

/** @throws NotFound */
export async function lockWebhook(
  { db }: Context,
  trx: Knex,
  id: number | undefined,
): Promise<Webhook> {
  const [webhook] =
    id === undefined ? [] : await db.lockRows(Webhook.query(trx).where({ id }), { keys: true });
  if (!webhook) throw new NotFound();
  return webhook;
}

/** Queries of addresses are left out, because they can contain secrets. */
export async function auditWebhook(
  { actor, clock }: Context,
  trx: Knex,
  kind: AuditKind,
  { before, after }: { before?: Webhook; after?: Webhook },
): Promise<void> {
  const shown = (webhook: Webhook | undefined) =>
    webhook?.$clone().$set({ url: webhook.url.replace(/[?#].*$/s, '') });
  const [old, changed] = [shown(before), shown(after)];
  const { id, url: name } = (changed ?? old)!;
  await recordAudit(trx, clock().toISOString(), actor, {
    kind,
    subject: { type: 'Webhook', id, name },
    before: old,
    after: changed,
  });
}

/** @throws PropertyConstraintViolation */
export function validateWebhook({
  url,
  events,
  enabled,
}: WebhookInput): Partial<Pick<Webhook, 'url' | 'events' | 'enabled'>> {
  const violations: Violation[] = [];
  if (url !== undefined) {
    const address = validateAddress('Url', url ?? '', { query: true });
    if (typeof address === 'string') violations.push({ attribute: 'url', message: address });
    else if (address.href.length > MAX_URL || !isStorableText(address.href))
      violations.push({
        attribute: 'url',
        message: `Url is too long (maximum is ${MAX_URL} characters).`,
      });
  }
  if (events !== undefined && (events ?? []).length === 0)
    violations.push({ attribute: 'events', message: "Events can't be blank." });
  if (violations.length > 0) throw violated(violations);
  return {
    ...(typeof url === 'string' && { url: new URL(url).href }),
    ...(events && { events: [...new Set(events)] }),
    ...(typeof enabled === 'boolean' && { enabled }),
  };
}
