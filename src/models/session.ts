/** Sessions of browsers. */
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';
import { Node } from './node.js';
import { Record } from './record.js';

@ObjectType({
  implements: Node,
  description: 'A browser in which a person is signed in.',
  simpleResolvers: true,
})
export class Session extends Record {
  static override tableName = 'sessions';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id.' })
  declare id: number;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the browser, such as `Firefox`. Null if it is not known.',
  })
  declare browser: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What the browser runs on, such as `Windows`. Null if it is not known.',
  })
  declare system: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Network of the sign-in: the address, shortened to 24 bits, or 56 of IPv6. ' +
      'Null if it is not known.',
  })
  declare network: string | null;

  @Field(() => DateTime, { description: 'When the person signed in.' })
  declare createdAt: string;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it was last used, to the minute. Null: not since the sign-in.',
  })
  declare lastUsedAt: string | null;

  @Field(() => DateTime, { description: 'When it ends by itself.' })
  declare expiresAt: string;

  /** SHA-256 of the cookie's value, hexadecimal. */
  declare tokenHash: string;
  declare userId: number;
}
