/** The event of an attachment as subscribers receive it. */
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Attachment } from './attachment.js';
import { DateTime } from './date-time.js';
import { AttachmentEvent } from './event.js';

@ObjectType({ description: 'An event of an attachment.', simpleResolvers: true })
export class AttachmentChange {
  @Field(() => AttachmentEvent, { description: 'The type of the event.' })
  event!: AttachmentEvent;

  @Field(() => ID, {
    description: 'Id of the event; every delivery of the event has the same one.',
  })
  deliveryId!: string;

  @Field(() => ID, { description: 'Global id of the attachment.' })
  attachmentId!: string;

  @Field(() => Int, { description: 'The integer id of the attachment.' })
  attachmentDatabaseId!: number;

  @Field(() => ID, {
    nullable: true,
    description: 'Global id of its container; null while it is unclaimed.',
  })
  containerId!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The reason, if the service itself acted: the finding of the virus scan, or the error of ' +
      'an upload.',
  })
  reason!: string | null;

  @Field(() => DateTime, { description: 'When it happened.' })
  createdAt!: string;

  /** Its present state. */
  attachment?: Attachment | null;
}
