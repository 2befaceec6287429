/** Personal API keys. */
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

export enum ApiKeyAccess {
  READ = 'read',
  FILES = 'files',
  FULL = 'full',
}
registerEnumType(ApiKeyAccess, {
  name: 'ApiKeyAccess',
  description: 'What an API key may do, as far as its owner may do it.',
  valuesConfig: {
    READ: { description: 'Read. Administration cannot be read.' },
    FILES: {
      description:
        'Read, and change what an OAuth application may change: files, file links, comments and containers.',
    },
    FULL: { description: 'Everything.' },
  },
});

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

  @Field(() => ApiKeyAccess, { description: 'What the key may do.' })
  declare access: `${ApiKeyAccess}`;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the key ends. Null: it has no end.',
  })
  declare expiresAt: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the key was last used, to the minute. Null: never.',
  })
  declare lastUsedAt: string | null;

  declare userId: number;
  /** SHA-256 of the key, hexadecimal. */
  declare keyHash: string;
}
