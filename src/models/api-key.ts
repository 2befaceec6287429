/** Personal API keys. */
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

@ObjectType({
  implements: Node,
  description: 'A personal API key. The service stores only its hash and shows the key once.',
  simpleResolvers: true,
})
export class ApiKey extends Record {
  static override tableName = 'api_keys';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id.' })
  declare id: number;

  @Field(() => String, { description: "What the key is for; unique among the user's keys." })
  declare name: string;

  @Field(() => DateTime, { description: 'When the key was created.' })
  declare createdAt: string;

  declare userId: number;
  /** SHA-256 of the key, hexadecimal. */
  declare keyHash: string;
}
