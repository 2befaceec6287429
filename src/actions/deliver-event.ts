/**
 * Posts one event to one webhook, signed as the Standard Webhooks specification has it: `webhook-id`, `webhook-timestamp`, and
 * `webhook-signature`, a HMAC-SHA256 of both and the body.
 */
import { createHmac } from 'node:crypto';
import type { Services } from '../context.js';
import { Deadline, OutboundFailure } from '../http.js';
import { DeliveryState, Webhook, WebhookDelivery } from '../models/webhook.js';
import { targetOf, WEBHOOK_SECRET } from './keep-webhook.js';

/** One attempt, patience that the receiver asks for included. */
const ATTEMPT_MS = 10_000;
/** What the receiver says is not read. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** It is tried after 5 s, 15 s, 45 s … at most 3 hours: about 8 hours altogether. */
const FIRST_WAIT_MS = 5_000;
const LAST_WAIT_MS = 3 * 3_600_000;
const ATTEMPTS = 10;
/** As long as a circuit is open. */
const CIRCUIT_WAIT_MS = 10_000;

type Needs = Pick<Services, 'db' | 'clock' | 'keyring' | 'outbound' | 'log'>;

/** @param delivery a leased row; only the holder of its lease tells how it went */
export async function deliverEvent(services: Needs, delivery: WebhookDelivery): Promise<void> {
  const webhook = await Webhook.query(services.db.read).findById(delivery.webhookId);
  // Gone meanwhile, and its deliveries with it.
  if (!webhook) return;
  const outcome = await attempt(services, webhook, delivery);
  const now = services.clock();
  const { lastStatus, lastError } = outcome;
  const changes = { lastStatus, lastError, ...next(delivery, outcome, now.getTime()), leaseToken: null, updatedAt: now.toISOString() };
  await WebhookDelivery.query(services.db.write).patch(changes).where({ id: delivery.id, lease_token: delivery.leaseToken });
  if (changes.state !== DeliveryState.delivered) services.log.warn({ webhook: webhook.id, delivery: delivery.id, attempts: changes.attempts, reason: lastError }, changes.state === DeliveryState.dead ? 'an event was given up' : 'an event could not be delivered yet');
}

interface Outcome {
  lastStatus: number | null;
  lastError: string | null;
  /** Nobody was asked: the circuit is open. */
  untried?: boolean;
}

async function attempt({ keyring, outbound, clock }: Needs, { id, url, secret }: Webhook, { deliveryId, body }: WebhookDelivery): Promise<Outcome> {
  const timestamp = String(Math.floor(clock().getTime() / 1000));
  const headers = {
    'content-type': 'application/json', 'webhook-id': deliveryId, 'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${sign(keyring.open(secret, WEBHOOK_SECRET), `${deliveryId}.${timestamp}.${body}`)}`,
  };
  try {
    const { status } = await outbound.send(targetOf({ id }), { method: 'POST', url, headers, body, maxBytes: MAX_ANSWER_BYTES }, new Deadline(ATTEMPT_MS));
    const accepted = status >= 200 && status < 300;
    return { lastStatus: status, lastError: accepted ? null : `The receiver answered ${status}.` };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return { lastStatus: null, lastError: error.message.slice(0, 255), ...(error.reason === 'circuit' && { untried: true }) };
  }
}

const sign = (secret: string, text: string): string => createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64')).update(text).digest('base64');

function next({ attempts }: WebhookDelivery, { lastError, untried }: Outcome, now: number): Pick<WebhookDelivery, 'state' | 'attempts' | 'dueAt'> {
  const after = (ms: number) => new Date(now + ms).toISOString();
  if (untried) return { state: DeliveryState.pending, attempts: attempts - 1, dueAt: after(CIRCUIT_WAIT_MS) };
  if (lastError === null) return { state: DeliveryState.delivered, attempts, dueAt: after(0) };
  if (attempts >= ATTEMPTS) return { state: DeliveryState.dead, attempts, dueAt: after(0) };
  return { state: DeliveryState.pending, attempts, dueAt: after(Math.min(FIRST_WAIT_MS * 3 ** (attempts - 1), LAST_WAIT_MS)) };
}
