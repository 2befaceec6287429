import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { AttachmentEvent, FileLinkEvent } from './event.js';
import { Node } from './node.js';
import { Record } from './record.js';

/** What webhooks are told (decisions 6). */
export enum WebhookEvent {
  attachmentCreated = 'attachmentCreated',
  attachmentDeleted = 'attachmentDeleted',
  attachmentScanned = 'attachmentScanned',
  attachmentQuarantined = 'attachmentQuarantined',
  fileLinkCreated = 'fileLinkCreated',
  fileLinkDeleted = 'fileLinkDeleted',
}
registerEnumType(WebhookEvent, {
  name: 'WebhookEvent',
  description: 'What a webhook can be told. On the wire, `type` is e.g. `attachment:created`.',
  valuesConfig: {
    attachmentCreated: {
      description:
        '`attachment:created`: a regular upload was stored, or a direct upload finalised.',
    },
    attachmentDeleted: { description: '`attachment:deleted`: an attachment is gone.' },
    attachmentScanned: {
      description:
        '`attachment:scanned`: the virus scan found nothing, or an administrator released the file.',
    },
    attachmentQuarantined: {
      description: '`attachment:quarantined`: the virus scan found something.',
    },
    fileLinkCreated: { description: '`file_link:created`: a file link was made.' },
    fileLinkDeleted: { description: '`file_link:deleted`: a file link is gone.' },
  },
});

/** As the outbox and the posted `type` have them. */
export const webhookKinds: { readonly [event in WebhookEvent]: AttachmentEvent | FileLinkEvent } = {
  attachmentCreated: AttachmentEvent.created,
  attachmentDeleted: AttachmentEvent.deleted,
  attachmentScanned: AttachmentEvent.scanned,
  attachmentQuarantined: AttachmentEvent.quarantined,
  fileLinkCreated: FileLinkEvent.created,
  fileLinkDeleted: FileLinkEvent.deleted,
};

export enum DeliveryState {
  pending = 'pending',
  delivered = 'delivered',
  dead = 'dead',
}
registerEnumType(DeliveryState, {
  name: 'DeliveryState',
  description: 'How far the delivery of an event to a webhook has come.',
  valuesConfig: {
    pending: { description: 'It waits for its next attempt.' },
    delivered: { description: 'The receiver has answered with a status from 200 to 299.' },
    dead: {
      description:
        'It was given up, after ten attempts or three days of waiting; an administrator can have it delivered again.',
    },
  },
});

@ObjectType({
  implements: Node,
  description:
    'An address that is told what happens to attachments and file links. Its secret is shown once.',
  simpleResolvers: true,
})
export class Webhook extends Record {
  static override tableName = 'webhooks';
  static override booleans = ['enabled'];
  static override jsonAttributes = ['events'];

  @Field(() => Int, { name: 'databaseId', description: 'The integer id.' })
  declare id: number;

  @Field(() => String, { description: 'Where events are posted to.' })
  declare url: string;

  @Field(() => [WebhookEvent], { description: 'What it is told.' })
  declare events: WebhookEvent[];

  @Field(() => Boolean, {
    description:
      'Whether anything is posted. What happens meanwhile is not told; what was pending waits.',
  })
  declare enabled: boolean;

  @Field(() => DateTime, { description: 'When it was made.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it was last changed.' })
  declare updatedAt: string;

  /** Sealed. */
  declare secret: string;
  declare creatorId: number;
}

@ObjectType({
  implements: Node,
  description: 'One event on its way to one webhook.',
  simpleResolvers: true,
})
export class WebhookDelivery extends Record {
  static override tableName = 'webhook_deliveries';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id.' })
  declare id: number;

  @Field(() => String, {
    description:
      'The header `webhook-id`: the same at every attempt, and that of the event in subscriptions.',
  })
  declare deliveryId: string;

  @Field(() => WebhookEvent, { description: 'What happened.' })
  get event(): WebhookEvent {
    return (Object.keys(webhookKinds) as WebhookEvent[]).find(
      (event) => webhookKinds[event] === this.kind,
    )!;
  }

  @Field(() => String, { description: 'What is posted: a JSON object.' })
  declare body: string;

  @Field(() => DeliveryState, { description: 'How far it has come.' })
  declare state: DeliveryState;

  @Field(() => Int, { description: 'How often it was tried.' })
  declare attempts: number;

  @Field(() => Int, {
    nullable: true,
    description: 'HTTP status of the last answer; null where there was none.',
  })
  declare lastStatus: number | null;

  @Field(() => String, { nullable: true, description: 'What went wrong the last time.' })
  declare lastError: string | null;

  @Field(() => DateTime, { description: 'When it was made.' })
  declare createdAt: string;

  declare webhookId: number;
  declare kind: AttachmentEvent | FileLinkEvent;
  /** Of a pending one: when anybody may take it, or take it over. */
  declare dueAt: string;
  declare leaseToken: string | null;
}
