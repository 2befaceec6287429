/** Hands the events of the outbox to the webhooks that want them: a delivery for each. */
import type { Services } from '../../context.js';
import { Event } from '../../models/event.js';
import { timestamps } from '../../models/record.js';
import { DeliveryState, Webhook, WebhookDelivery, webhookKinds } from '../../models/webhook.js';
import { chunks } from '../../database/batches.js';

/** As many events as one transaction hands out. */
const BATCH = 200;

/**
 * Before a webhook is made or changed, what has happened until then is handed out as it was: the times of events and webhooks are
 * those of several clocks, and an event is saved later than it happened.
 */
export async function handOutFirst(
  services: Pick<Services, 'db' | 'clock' | 'wake'>,
): Promise<void> {
  if ((await dispatchEvents(services, { waits: true })) > 0) services.wake();
}

/**
 * @param waits for the events that another process hands out at this moment; otherwise they are left to it
 * @returns how many deliveries were made
 */
export async function dispatchEvents(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { waits = false } = {},
): Promise<number> {
  let made = 0;
  // The look costs no write lock.
  while ((await Event.query(db.read).select('id').whereRaw('not dispatched').limit(1)).length > 0) {
    const { taken, given } = await db.write.transaction(async (trx) => {
      const events = await Event.query(trx)
        .patch({ dispatched: true })
        .whereRaw(
          `id in (select id from events where not dispatched order by id limit ${BATCH} ${waits ? db.waitLocked : db.skipLocked})`,
        )
        .returning('*');
      const webhooks = await Webhook.query(trx).where('enabled', true);
      const now = clock().toISOString();
      const deliveries = [...events]
        .sort((a, b) => a.id - b.id)
        .flatMap((event) =>
          webhooks
            .filter((webhook) => wants(webhook, event))
            .map((webhook) => ({
              webhookId: webhook.id,
              deliveryId: event.deliveryId,
              kind: event.kind,
              body: bodyOf(event),
              state: DeliveryState.pending,
              attempts: 0,
              dueAt: now,
              ...timestamps(now),
            })),
        );
      for (const some of chunks(deliveries))
        await trx(WebhookDelivery.tableName).insert(
          some.map((row) => WebhookDelivery.columnNameMappers.format(row)),
        );
      return { taken: events.length, given: deliveries.length };
    });
    made += given;
    // Another process has them, or had them.
    if (taken === 0 && !waits) break;
  }
  return made;
}

const wants = ({ events }: Webhook, { kind }: Event): boolean =>
  events.some((wanted) => webhookKinds[wanted] === kind);

const paths = { Attachment: 'attachments', FileLink: 'file_links' } as const;

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
      [subjectType === 'FileLink' ? 'creatorId' : 'authorId']: authorId,
      projectId,
      container: containerType && { type: containerType, id: containerId },
      ...(storageId !== undefined && { storageId }),
      ...origin,
    },
  });
}
