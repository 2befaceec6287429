/** Work packages. */
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

  @Field(() => String, { description: 'Subject of the work package.' })
  declare subject: string;

  @Field(() => String, { nullable: true, description: 'Display name: the subject.' })
  get title(): string {
    return this.subject;
  }

  @Field(() => Int, {
    description:
      'Counts the updates, including those that only claim attachments or file links. Send it ' +
      'with an update, so that the service rejects the update if another one came first. ' +
      'Uploads and deletions of attachments do not change it.',
  })
  declare lockVersion: number;

  @Field(() => DateTime, { description: 'When it was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it or one of its attachments last changed.' })
  declare updatedAt: string;
}
