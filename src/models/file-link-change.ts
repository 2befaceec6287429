/** The event of a file link as subscribers receive it. */
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { FileLinkEvent } from './event.js';
import type { FileLink } from './file-link.js';

@ObjectType({ description: 'An event of a file link.', simpleResolvers: true })
export class FileLinkChange {
  @Field(() => FileLinkEvent, { description: 'The type of the event.' })
  event!: FileLinkEvent;

  @Field(() => ID, {
    description: 'Id of the event; every delivery of the event has the same one.',
  })
  deliveryId!: string;

  @Field(() => ID, { description: 'Global id of the file link.' })
  fileLinkId!: string;

  @Field(() => Int, { description: 'The integer id of the file link.' })
  fileLinkDatabaseId!: number;

  @Field(() => ID, {
    nullable: true,
    description: 'Global id of its work package; null while it is unclaimed.',
  })
  workPackageId!: string | null;

  @Field(() => String, { nullable: true, description: 'The reason, if the service itself acted.' })
  reason!: string | null;

  @Field(() => DateTime, { description: 'When it happened.' })
  createdAt!: string;

  /** Its present state. */
  fileLink?: FileLink | null;
}
