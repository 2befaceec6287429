/** Posts one event to one webhook, signed as the Standard Webhooks specification requires. */
import { createHmac } from 'node:crypto';
import type { Services } from '../../../context.js';
import { Deadline } from '../../../outbound/deadline.js';
import { OutboundFailure } from '../../../outbound/failure.js';
import { DeliveryState, Webhook, WebhookDelivery } from '../../../models/webhook.js';
import { SealBroken } from '../../../secrets/keyring.js';
import { nextAttempt } from '../../base/leases/attempts.js';
import { targetOf, WEBHOOK_SECRET } from './webhook-details.js';
import { pauseWebhook, type Obstacle } from './pause-webhook.js';
import { receiverOf } from './receivers.js';
import { leased } from '../../base/leases/queue.js';

/** Time-out of one attempt, including waits that the receiver asks for. */
const ATTEMPT_MS = 10_000;
/** The body of the response is not used. */
const MAX_ANSWER_BYTES = 1024 * 1024;

type DeliveryNeeds = Pick<Services, 'db' | 'clock' | 'keyring' | 'outbound' | 'log'>;

/** @param delivery a leased row; the outcome is saved only while its lease token is still there */
export function deliverEvent(services: DeliveryNeeds, delivery: WebhookDelivery): Promise<void> {
  const receiver = receiverOf(services, delivery.webhookId);
  return receiver.while(async () => {
    const webhook = await Webhook.query(services.db.read).findById(delivery.webhookId);
    // The webhook was deleted, and its deliveries with it.
    if (!webhook) return;
    const outcome = await attempt(services, webhook, delivery);
    if ('cause' in outcome) return pauseWebhook(services, webhook, delivery, outcome);
    if (outcome.lastStatus !== null) receiver.answered();
    await saveOutcome(services, delivery, outcome);
  });
}

interface Outcome {
  /** HTTP status; null if there was no answer. */
  lastStatus: number | null;
  /** Null if the delivery succeeded. */
  lastError: string | null;
}

/** @returns an obstacle if the receiver could not be called at all */
async function attempt(
  { keyring, outbound, clock }: DeliveryNeeds,
  { id, url, secret }: Webhook,
  { deliveryId, body }: WebhookDelivery,
): Promise<Outcome | Obstacle> {
  const timestamp = String(Math.floor(clock().getTime() / 1000));
  try {
    const signature = sign(
      keyring.open(secret, WEBHOOK_SECRET),
      `${deliveryId}.${timestamp}.${body}`,
    );
    const headers = {
      'content-type': 'application/json',
      'webhook-id': deliveryId,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    const { status } = await outbound.send(
      targetOf({ id }),
      { method: 'POST', url, headers, body, maxBytes: MAX_ANSWER_BYTES },
      new Deadline(ATTEMPT_MS),
    );
    const accepted = status >= 200 && status < 300;
    return { lastStatus: status, lastError: accepted ? null : `The receiver answered ${status}.` };
  } catch (error) {
    if (error instanceof SealBroken)
      return {
        cause: 'secret',
        reason:
          `${error.message} Bring the old key back, ` +
          'or give the webhook another secret (rotateWebhookSecret).',
      };
    if (!(error instanceof OutboundFailure)) throw error;
    return error.reason === 'circuit'
      ? { cause: 'circuit', reason: error.message }
      : { lastStatus: null, lastError: error.message.slice(0, 255) };
  }
}

/** HMAC-SHA256 of id, timestamp and body, in base64. The key is what follows `whsec_`. */
const sign = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(text)
    .digest('base64');

async function saveOutcome(
  { db, clock, log }: DeliveryNeeds,
  delivery: WebhookDelivery,
  outcome: Outcome,
): Promise<void> {
  const { id, webhookId, attempts } = delivery;
  const now = clock();
  const changes = { ...outcome, ...nextState(attempts, outcome, now), leaseToken: null };
  await leased(WebhookDelivery, db.write, delivery).patch(changes);
  if (changes.state !== DeliveryState.DELIVERED)
    log.warn(
      { webhook: webhookId, delivery: id, attempts, reason: outcome.lastError },
      changes.state === DeliveryState.DEAD
        ? 'an event was given up'
        : 'an event could not be delivered yet',
    );
}

/** A pending delivery keeps its `updatedAt`: the time when it became pending. */
function nextState(
  attempts: number,
  { lastError }: Outcome,
  now: Date,
): Partial<Pick<WebhookDelivery, 'state' | 'dueAt' | 'updatedAt'>> {
  const at = now.toISOString();
  if (lastError === null) return { state: DeliveryState.DELIVERED, dueAt: at, updatedAt: at };
  const dueAt = nextAttempt(attempts, now);
  return dueAt === undefined
    ? { state: DeliveryState.DEAD, dueAt: at, updatedAt: at }
    : { state: DeliveryState.PENDING, dueAt };
}
