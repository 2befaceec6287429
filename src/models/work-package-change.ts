/** A change of what a work package holds, as subscribers receive it. */
import { Field, ID, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';

@ObjectType({
  description:
    'A change of what a work package holds: an attachment, a file link, a comment, or a file of a ' +
    'comment.',
  simpleResolvers: true,
})
export class WorkPackageChange {
  @Field(() => ID, {
    description: 'Id of the event; every delivery of the event has the same one.',
  })
  deliveryId!: string;

  @Field(() => ID, { description: 'Global id of what changed. It can be deleted.' })
  subjectId!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'Global id of the comment that changed, or that has the file. Otherwise null.',
  })
  commentId!: string | null;

  @Field(() => DateTime, { description: 'When it happened.' })
  createdAt!: string;
}
