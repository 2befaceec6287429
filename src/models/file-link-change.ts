import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { FileLinkEvent } from './event.js';
import type { FileLink } from './file-link.js';

@ObjectType({ description: 'Something that happened to a file link.', simpleResolvers: true })
export class FileLinkChange {
  @Field(() => FileLinkEvent, { description: 'What happened.' })
  event!: FileLinkEvent;

  @Field(() => ID, { description: 'The same at every delivery of this change.' })
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

  @Field(() => String, { nullable: true, description: 'Why, where the service decided.' })
  reason!: string | null;

  @Field(() => DateTime, { description: 'When it happened.' })
  createdAt!: string;

  /** As it is by now. */
  fileLink?: FileLink | null;
}
