/**
 * Makes a delivery for each event of the outbox and each webhook that subscribes to it, lets
 * previews be made of new files, and e-mails of notifications be sent.
 */
import type { Services } from '../../../context.js';
import { Event } from '../../../models/event.js';
import { timestamps } from '../../../models/record.js';
import { DeliveryState, Webhook, WebhookDelivery, webhookKinds } from '../../../models/webhook.js';
import { chunks } from '../../../database/batches.js';
import { queueMailsOf } from '../mails/queue-mails-of.js';
import { queuePreviewsOf } from '../../files/previews/queue-new-files.js';

type DispatchNeeds = Pick<Services, 'db' | 'clock' | 'settings' | 'drawer' | 'scanner' | 'mailer'>;

/** Events in one transaction. */
const EVENTS_AT_ONCE = 200;

/**
 * Dispatches the events so far. Call it before a webhook is created or changed.
 * They must go to the webhooks as they were when the events happened. Times cannot decide that:
 * several clocks set them, and an event is saved later than it happened.
 */
export async function dispatchEarlierEvents(
  services: DispatchNeeds & Pick<Services, 'wake'>,
): Promise<void> {
  if ((await dispatchEvents(services, { waitForLocks: true })) > 0) services.wake();
}

/**
 * @param waitForLocks waits for events that another process is dispatching; otherwise skips them
 * @returns the number of new deliveries
 */
export async function dispatchEvents(
  services: DispatchNeeds,
  { waitForLocks = false } = {},
): Promise<number> {
  const { db, clock } = services;
  let created = 0;
  // A read first, so that polling an empty outbox takes no write lock.
  while ((await Event.query(db.read).select('id').whereRaw('not dispatched').limit(1)).length > 0) {
    const { eventCount, deliveryCount } = await db.write.transaction(async (trx) => {
      const events = await Event.query(trx)
        .patch({ dispatched: true })
        .whereRaw(
          `id in (select id from events where not dispatched order by id limit ${EVENTS_AT_ONCE} ` +
            `${waitForLocks ? db.waitLocked : db.skipLocked})`,
        )
        .returning('*');
      const webhooks = await Webhook.query(trx).where('enabled', true);
      const now = clock().toISOString();
      const deliveries = [...events]
        .sort((a, b) => a.id - b.id)
        .flatMap((event) =>
          webhooks
            .filter((webhook) => subscribes(webhook, event))
            .map((webhook) => ({
              webhookId: webhook.id,
              deliveryId: event.deliveryId,
              kind: event.kind,
              body: bodyOf(event),
              state: DeliveryState.PENDING,
              attempts: 0,
              dueAt: now,
              ...timestamps(now),
            })),
        );
      for (const batch of chunks(deliveries))
        await trx(WebhookDelivery.tableName).insert(
          batch.map((row) => WebhookDelivery.columnNameMappers.format(row)),
        );
      await queuePreviewsOf(services, trx, events);
      await queueMailsOf(services, trx, events);
      return { eventCount: events.length, deliveryCount: deliveries.length };
    });
    created += deliveryCount;
    // Another process dispatches them, or already has.
    if (eventCount === 0 && !waitForLocks) break;
  }
  return created;
}

const subscribes = ({ events }: Webhook, { kind }: Event): boolean =>
  events.some((event) => webhookKinds[event] === kind);

const paths = {
  Activity: 'activities',
  Attachment: 'attachments',
  FileLink: 'file_links',
  Notification: 'notifications',
  Storage: 'storages',
} as const;

const authors = {
  Activity: 'authorId',
  Attachment: 'authorId',
  FileLink: 'creatorId',
  Notification: 'authorId',
  Storage: 'creatorId',
} as const;

function bodyOf({
  kind,
  createdAt,
  subjectType,
  subjectId,
  containerType,
  containerId,
  projectId,
  authorId,
  data,
}: Event): string {
  const { storageId, ...origin } = { storageId: undefined, ...data };
  return JSON.stringify({
    type: kind,
    timestamp: createdAt,
    data: {
      id: subjectId,
      href: `/api/v3/${paths[subjectType]}/${subjectId}`,
      [authors[subjectType]]: authorId,
      projectId,
      container: containerType && { type: containerType, id: containerId },
      ...(storageId !== undefined && { storageId }),
      ...origin,
    },
  });
}
