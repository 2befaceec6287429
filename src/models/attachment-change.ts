import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Attachment } from './attachment.js';
import { DateTime } from './date-time.js';
import { AttachmentEvent } from './event.js';

@ObjectType({ description: 'Something that happened to an attachment.', simpleResolvers: true })
export class AttachmentChange {
  @Field(() => AttachmentEvent, { description: 'What happened.' })
  event!: AttachmentEvent;

  @Field(() => ID, { description: 'The same at every delivery of this change.' })
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
      'Why, where the service decided: what the virus scan found, or what was wrong with an upload.',
  })
  reason!: string | null;

  @Field(() => DateTime, { description: 'When it happened.' })
  createdAt!: string;

  /** As it is by now. */
  attachment?: Attachment | null;
}
