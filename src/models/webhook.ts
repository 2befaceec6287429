/** Webhooks and their deliveries. */
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { AttachmentEvent, FileLinkEvent, StorageEvent } from './event.js';
import { Node } from './node.js';
import { Record } from './record.js';

/** Events that webhooks can receive. */
export enum WebhookEvent {
  ATTACHMENT_CREATED = 'attachmentCreated',
  ATTACHMENT_DELETED = 'attachmentDeleted',
  ATTACHMENT_SCANNED = 'attachmentScanned',
  ATTACHMENT_QUARANTINED = 'attachmentQuarantined',
  ATTACHMENT_UPDATED = 'attachmentUpdated',
  ATTACHMENT_REPLACED = 'attachmentReplaced',
  ATTACHMENT_MOVED = 'attachmentMoved',
  ATTACHMENT_RESTORED = 'attachmentRestored',
  FILE_LINK_CREATED = 'fileLinkCreated',
  FILE_LINK_DELETED = 'fileLinkDeleted',
  STORAGE_FOLDERS_FAILED = 'storageFoldersFailed',
  STORAGE_FOLDERS_RECOVERED = 'storageFoldersRecovered',
}
registerEnumType(WebhookEvent, {
  name: 'WebhookEvent',
  description:
    'Event that a webhook can receive. In the request body, `type` is e.g. `attachment:created`.',
  valuesConfig: {
    ATTACHMENT_CREATED: {
      description:
        '`attachment:created`: a regular upload was stored, a direct upload was finalised, ' +
        'or a file was copied.',
    },
    ATTACHMENT_DELETED: { description: '`attachment:deleted`: an attachment was deleted.' },
    ATTACHMENT_SCANNED: {
      description:
        '`attachment:scanned`: the virus scan found nothing, or an administrator released the ' +
        'file.',
    },
    ATTACHMENT_QUARANTINED: {
      description: '`attachment:quarantined`: the virus scan found malware.',
    },
    ATTACHMENT_UPDATED: {
      description: '`attachment:updated`: the name or the description of an attachment changed.',
    },
    ATTACHMENT_REPLACED: {
      description: '`attachment:replaced`: an attachment got a new content.',
    },
    ATTACHMENT_MOVED: {
      description:
        '`attachment:moved`: an attachment was moved. It is sent twice: for the container where ' +
        'it was, and for the one where it is.',
    },
    ATTACHMENT_RESTORED: {
      description: '`attachment:restored`: an attachment was restored from the trash.',
    },
    FILE_LINK_CREATED: { description: '`file_link:created`: a file link was created.' },
    FILE_LINK_DELETED: { description: '`file_link:deleted`: a file link was deleted.' },
    STORAGE_FOLDERS_FAILED: {
      description:
        '`storage:folders_failed`: project folders of a storage were not in step three times in a ' +
        'row.',
    },
    STORAGE_FOLDERS_RECOVERED: {
      description:
        '`storage:folders_recovered`: after that, the project folders are in step again.',
    },
  },
});

/** The names of the events in the outbox and in the posted `type`. */
export const webhookKinds: {
  readonly [event in WebhookEvent]: AttachmentEvent | FileLinkEvent | StorageEvent;
} = {
  attachmentCreated: AttachmentEvent.CREATED,
  attachmentDeleted: AttachmentEvent.DELETED,
  attachmentScanned: AttachmentEvent.SCANNED,
  attachmentQuarantined: AttachmentEvent.QUARANTINED,
  attachmentUpdated: AttachmentEvent.UPDATED,
  attachmentReplaced: AttachmentEvent.REPLACED,
  attachmentMoved: AttachmentEvent.MOVED,
  attachmentRestored: AttachmentEvent.RESTORED,
  fileLinkCreated: FileLinkEvent.CREATED,
  fileLinkDeleted: FileLinkEvent.DELETED,
  storageFoldersFailed: StorageEvent.FOLDERS_FAILED,
  storageFoldersRecovered: StorageEvent.FOLDERS_RECOVERED,
};

export enum DeliveryState {
  PENDING = 'pending',
  DELIVERED = 'delivered',
  DEAD = 'dead',
}
registerEnumType(DeliveryState, {
  name: 'DeliveryState',
  description: 'State of the delivery of an event to a webhook.',
  valuesConfig: {
    PENDING: { description: 'The delivery waits for its next attempt.' },
    DELIVERED: { description: 'The receiver answered with a status from 200 to 299.' },
    DEAD: {
      description:
        'The service stopped after ten attempts or three days of waiting. An administrator can ' +
        'start the delivery again.',
    },
  },
});

@ObjectType({
  implements: Node,
  description:
    'A URL that receives events of attachments, file links and storages. Its secret is shown once.',
  simpleResolvers: true,
})
export class Webhook extends Record {
  static override tableName = 'webhooks';
  static override booleans = ['enabled'];
  static override jsonAttributes = ['events'];

  @Field(() => Int, { name: 'databaseId', description: 'The integer id.' })
  declare id: number;

  @Field(() => String, { description: 'URL to which the service posts events.' })
  declare url: string;

  @Field(() => [WebhookEvent], { description: 'Events that the webhook receives.' })
  declare events: WebhookEvent[];

  @Field(() => Boolean, {
    description:
      'Whether the service posts events. New events are skipped while it is false; pending ' +
      'deliveries wait.',
  })
  declare enabled: boolean;

  @Field(() => DateTime, { description: 'When it was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it last changed.' })
  declare updatedAt: string;

  /** Sealed. */
  declare secret: string;
  declare creatorId: number;
}

@ObjectType({
  implements: Node,
  description: 'The delivery of one event to one webhook.',
  simpleResolvers: true,
})
export class WebhookDelivery extends Record {
  static override tableName = 'webhook_deliveries';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id.' })
  declare id: number;

  @Field(() => String, {
    description:
      'Value of the header `webhook-id`: the same for each attempt, and for the event in ' +
      'subscriptions.',
  })
  declare deliveryId: string;

  @Field(() => WebhookEvent, { description: 'The type of the event.' })
  get event(): WebhookEvent {
    const event = Object.values(WebhookEvent).find((one) => webhookKinds[one] === this.kind);
    if (!event) throw new Error(`No webhook receives events of the kind ${this.kind}.`);
    return event;
  }

  @Field(() => String, { description: 'The request body: a JSON object.' })
  declare body: string;

  @Field(() => DeliveryState, { description: 'State of the delivery.' })
  declare state: DeliveryState;

  @Field(() => Int, { description: 'Number of attempts.' })
  declare attempts: number;

  @Field(() => Int, {
    nullable: true,
    description: 'HTTP status of the last answer; null if there was none.',
  })
  declare lastStatus: number | null;

  @Field(() => String, { nullable: true, description: 'Error of the last attempt.' })
  declare lastError: string | null;

  @Field(() => DateTime, { description: 'When it was created.' })
  declare createdAt: string;

  declare webhookId: number;
  declare kind: AttachmentEvent | FileLinkEvent;
  /** For a pending delivery: when any process can acquire it, even if another one began it. */
  declare dueAt: string;
  declare leaseToken: string | null;
}
