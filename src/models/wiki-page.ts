/** Wiki pages. */
import { Field, Int, ObjectType } from 'type-graphql';
import { Container, ContainerRecord } from './container.js';
import { DateTime } from './date-time.js';
import { Node } from './node.js';

@ObjectType({ implements: [Container, Node], description: 'A wiki page.', simpleResolvers: true })
export class WikiPage extends ContainerRecord {
  static override tableName = 'wiki_pages';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'Title of the page.' })
  declare title: string;

  @Field(() => DateTime, { description: 'When it was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it or one of its attachments last changed.' })
  declare updatedAt: string;
}
