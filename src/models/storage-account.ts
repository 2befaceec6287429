/** The connection of a person with a storage, as clients see it. */
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { StorageToken } from './storage-token.js';

@ObjectType({
  implements: Node,
  description:
    'The connection of a person with a storage: this service has tokens with which the storage ' +
    'answers for the person. Storages with single sign-on have none.',
  simpleResolvers: true,
})
export class StorageAccount extends StorageToken {
  @Field(() => Int, { name: 'databaseId', description: 'The integer id.' })
  declare id: number;

  @Field(() => String, {
    nullable: true,
    description: 'Id of the person in the storage. Null if the storage did not return it.',
  })
  declare originUserId: string | null;

  @Field(() => DateTime, { description: 'When the person connected for the first time.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When the tokens were last renewed.' })
  declare updatedAt: string;
}
