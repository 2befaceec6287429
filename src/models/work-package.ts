import { Field, Int, ObjectType } from 'type-graphql';
import { Container, ContainerRecord } from './container.js';
import { DateTime } from './date-time.js';
import { Node } from './node.js';

@ObjectType({
  implements: [Container, Node],
  description: 'A work package.',
  simpleResolvers: true,
})
export class WorkPackage extends ContainerRecord {
  static override tableName = 'work_packages';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'What is to be done.' })
  declare subject: string;

  @Field(() => String, { nullable: true, description: 'Display name: the subject.' })
  get title(): string {
    return this.subject;
  }

  @Field(() => Int, {
    description:
      "Counts the updates, those that only claim attachments or file links included; send it with an update to refuse overwriting somebody else's. Uploads and deletions of attachments do not change it.",
  })
  declare lockVersion: number;

  @Field(() => DateTime, { description: 'When it was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it, or an attachment of it, was last changed.' })
  declare updatedAt: string;
}
