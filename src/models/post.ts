/** Forum posts. */
import { Field, Int, ObjectType } from 'type-graphql';
import { Container, ContainerRecord } from './container.js';
import { DateTime } from './date-time.js';
import { Node } from './node.js';

@ObjectType({
  implements: [Container, Node],
  description: 'A forum post (message).',
  simpleResolvers: true,
})
export class Post extends ContainerRecord {
  static override tableName = 'posts';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'Subject of the post.' })
  declare subject: string;

  @Field(() => DateTime, { description: 'When it was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it or one of its attachments last changed.' })
  declare updatedAt: string;
}
